//! `get_requests`: what is recorded, of whom, and how it is found.

use std::time::Duration;

use serde_json::{Value, json};
use support::eventually;

use super::{fetched, finished, requests};
use crate::harness::{World, js};

#[test]
fn a_request_is_told_with_its_answer() {
    let world = World::new();
    let task = world.at("form.html");
    fetched(&task, "/echo?key=one", "{method: 'POST', body: 'hello'}");
    let one = finished(&task, "/echo?key=one");
    assert_eq!(
        (&one["method"], &one["resourceType"], &one["status"]),
        (&json!("POST"), &json!("fetch"), &json!(200)),
        "{one}"
    );
    assert_eq!(
        (&one["postData"], &one["postDataLength"], &one["postDataTruncated"]),
        (&json!("hello"), &json!(5), &json!(false))
    );
    assert_eq!(one["correlatedBy"], "identity");
    assert!(one.get("correlationMissed").is_none() && one.get("requestHeaders").is_none());
    let (asked, told, over) = (
        one["requestedAt"].as_u64(),
        one["respondedAt"].as_u64(),
        one["finishedAt"].as_u64(),
    );
    assert!(
        asked <= told && told <= over && asked.unwrap() > 1_600_000_000_000,
        "{one}"
    );
    let id = one["requestId"].as_str().unwrap();
    assert!(id.len() > 15 && id.bytes().all(|byte| byte.is_ascii_digit()), "{id}");
}

#[test]
fn filters_narrow_and_the_newest_are_kept() {
    let world = World::new();
    let task = world.at("form.html");
    for n in 0..4 {
        fetched(&task, &format!("/xhr?n={n}"), "{}");
    }
    finished(&task, "/xhr?n=3");
    let all = task.ok("get_requests", json!({}));
    assert!(
        all["total"].as_u64().unwrap() >= 5 && all["recordedSince"].as_u64().unwrap() > 0,
        "{all}"
    );
    assert_eq!(all["count"], all["requests"].as_array().unwrap().len());
    assert_eq!(all["inflight"], 0);
    assert!(
        all["requests"][0]["url"].as_str().unwrap().ends_with("form.html"),
        "oldest first"
    );
    let some = task.ok(
        "get_requests",
        json!({"filter": "/xhr", "limit": 2, "resourceType": "Fetch"}),
    );
    let urls: Vec<_> = some["requests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["url"].as_str().unwrap())
        .collect();
    assert!(
        urls[0].ends_with("n=2") && urls[1].ends_with("n=3") && urls.len() == 2,
        "{urls:?}"
    );
    assert_eq!(
        (&some["filter"], &some["resourceType"]),
        (&json!("/xhr"), &json!("Fetch"))
    );
    let since = some["requests"][1]["requestedAt"].as_u64().unwrap();
    let late = task.ok("get_requests", json!({"since": since, "filter": "/xhr"}));
    assert_eq!(
        late["requests"].as_array().unwrap().last().unwrap()["url"].as_str(),
        Some(urls[1])
    );
    let none = task.ok("get_requests", json!({"filter": "/nowhere"}));
    assert_eq!((&none["count"], none["note"].is_string()), (&json!(0), true));
}

#[test]
fn bad_input_is_refused() {
    let world = World::new();
    let task = world.at("form.html");
    for params in [
        json!({"resourceType": "teapot"}),
        json!({"limit": 0}),
        json!({"since": "yesterday"}),
        json!({"format": "pcap"}),
        json!({"path": "x.har"}),
        json!({"format": "har", "path": "x.png"}),
        json!({"filter": 7, "includeHeaders": "maybe"}),
    ] {
        let refused = task
            .call("get_requests", params.clone())
            .expect_code("INVALID_ARGUMENT");
        assert_eq!(refused["started"], false, "{params}");
    }
}

#[test]
fn each_hop_of_a_redirect_is_a_request_of_its_own() {
    let world = World::new();
    let task = world.at("form.html");
    fetched(
        &task,
        "/redirect?code=307&to=/redirect?to=/xhr%3Fend=1",
        "{method: 'POST', body: 'b'}",
    );
    finished(&task, "end=1");
    let hops = requests(&task, "end=1");
    assert_eq!(hops.len(), 3, "{hops:?}");
    for (hop, next) in hops.iter().zip(&hops[1..]) {
        assert_eq!(next["redirectedFrom"], hop["requestId"]);
        assert_eq!(next["url"], hop["redirectedTo"]);
        assert!(
            hop["status"].as_u64().unwrap() >= 302 && hop["finishedAt"].is_u64(),
            "{hop}"
        );
    }
    assert_eq!(hops[2]["status"], 200);
    let body = task.ok("get_response_body", json!({"requestId": hops[0]["requestId"]}));
    assert_eq!(
        (&body["bodyAvailable"], &body["bodyError"]),
        (&json!(false), &json!("none")),
        "{body}"
    );
    assert!(body["bodyHint"].is_string());
}

#[test]
fn frames_workers_popups_and_preflights_are_recorded_and_other_tasks_are_not() {
    let world = World::new();
    let task = world.at("streams.html?worker=1");
    let other = world.site.b("/net/shared");
    fetched(&task, &other, "{method: 'PUT', headers: {'x-asked': '1'}}");
    let put = finished(&task, "/net/shared");
    assert!(put["url"].as_str().unwrap().starts_with("http://localhost"), "{put}");
    let both = requests(&task, "/net/shared");
    let mut kinds: Vec<_> = both.iter().map(|one| one["resourceType"].as_str().unwrap()).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["fetch", "preflight"]);
    eventually("the worker's request", Duration::from_secs(10), || {
        requests(&task, "/xhr?ms=1").pop().filter(|one| one["status"] == 200)
    });
    let framed = world.site.b("/plain/list.html?framed");
    js(
        &task,
        &format!("document.body.append(Object.assign(document.createElement('iframe'), {{src: '{framed}'}})); 0"),
    );
    assert_eq!(finished(&task, "?framed")["resourceType"], "document");
    js(&task, "window.open('list.html?popup', '_blank'); 0");
    finished(&task, "?popup");
    let stranger = world.at("change.html");
    assert!(requests(&stranger, "?popup").is_empty() && !requests(&stranger, "change.html").is_empty());
    assert!(requests(&task, "change.html").is_empty());
}

#[test]
fn what_fails_is_told_with_its_reason() {
    let world = World::new();
    let task = world.at("form.html");
    assert_eq!(fetched(&task, "/drop", "{}"), "failed");
    let failed = eventually("the failure", Duration::from_secs(10), || {
        requests(&task, "/drop")
            .into_iter()
            .find(|one| one["failure"].is_string())
    });
    assert!(failed["failure"].as_str().unwrap().contains("ERR_"), "{failed}");
    let refused = task
        .call("get_response_body", json!({"requestId": failed["requestId"]}))
        .expect_code("ACTION_FAILED");
    assert_eq!(refused["reason"], "failed", "{refused}");
    let blocked = world.site.b("/xhr?blocked");
    assert_eq!(fetched(&task, &blocked, "{}"), "failed");
    let blocked = eventually("the refusal", Duration::from_secs(10), || {
        requests(&task, "?blocked")
            .into_iter()
            .find(|one| one["failure"].is_string())
    });
    assert!(
        blocked["failure"].as_str().unwrap().contains("AllowOrigin"),
        "{blocked}"
    );
}

#[test]
fn sockets_and_event_streams_are_listed_and_their_messages_had_on_demand() {
    let world = World::new();
    let task = world.at("streams.html?events=1");
    let body = "return new Promise((done) => { const s = new WebSocket('ws://' + location.host + '/net/socket'); \
        window.socket = s; const got = []; s.binaryType = 'arraybuffer'; \
        s.onopen = () => { s.send('hello token=frame-secret-1'); s.send(new Uint8Array([1, 2, 3])); }; \
        s.onmessage = (m) => { got.push(m.data); if (got.length === 2) done(got.length); }; })";
    assert_eq!(task.ok("execute_js", json!({"body": body}))["result"], 2);
    let one = eventually("four messages", Duration::from_secs(10), || {
        let one = requests(&task, "/net/socket").pop()?;
        (one["messages"] == json!({"sent": 2, "received": 2})).then_some(one)
    });
    assert_eq!(
        (&one["resourceType"], &one["status"]),
        (&json!("websocket"), &json!(101)),
        "{one}"
    );
    let had = task.ok("get_response_body", json!({"requestId": one["requestId"]}));
    assert_eq!(
        (&had["bodyAvailable"], &had["bodyError"]),
        (&json!(false), &json!("stream")),
        "{had}"
    );
    let messages = had["messages"].as_array().unwrap();
    let shape: Vec<_> = messages
        .iter()
        .map(|m| (m["sent"].as_bool().unwrap(), m.get("base64").is_some()))
        .collect();
    assert_eq!(shape.iter().filter(|(sent, _)| *sent).count(), 2, "{messages:?}");
    assert_eq!(shape.iter().filter(|(_, binary)| *binary).count(), 2, "{messages:?}");
    assert!(messages.iter().any(|m| m["text"] == "AQID"), "{messages:?}");
    assert!(!had.to_string().contains("frame-secret-1"), "{had}");
    let stream = eventually("events", Duration::from_secs(10), || {
        let one = requests(&task, "/events").pop()?;
        (one["messages"]["received"].as_u64()? >= 2).then_some(one)
    });
    assert_eq!(stream["resourceType"], "eventsource");
    let had = task.ok("get_response_body", json!({"requestId": stream["requestId"]}));
    assert_eq!(
        (&had["messages"][0]["text"], &had["bodyError"]),
        (&json!("0"), &json!("stream")),
        "{had}"
    );
}

#[test]
fn secrets_are_masked_in_every_part_of_a_record() {
    let world = World::new();
    let task = world.at("form.html");
    let options = "{method: 'POST', headers: {Authorization: 'Bearer head-secret-1', 'X-Api-Key': 'head-secret-2'}, \
        body: 'user=ann&password=post-secret-1'}";
    let seen = fetched(&task, "/net/login?access_token=url-secret-1&page=2", options);
    assert!(seen.contains("body-secret-1"), "the page itself gets everything");
    fetched(&task, "/echo?key=again", "{}");
    let one = finished(&task, "/net/login");
    finished(&task, "/echo?key=again");
    let all = task.ok("get_requests", json!({"includeHeaders": true}));
    let body = task.ok("get_response_body", json!({"requestId": one["requestId"]}));
    let waited = task.ok("wait_for_response", json!({"urlPattern": "/net/login"}));
    let snapshot = task.ok("get_page_snapshot", json!({"includeRequests": true}));
    let har = task.ok("get_requests", json!({"format": "har"}));
    let har = std::fs::read_to_string(har["path"].as_str().unwrap()).unwrap();
    for told in [&all, &body, &waited, &snapshot]
        .map(Value::to_string)
        .iter()
        .chain([&har])
    {
        assert!(told.contains("page=2") && !told.contains("-secret-"), "{told}");
    }
    assert_eq!((&body["redacted"], &waited["redacted"]), (&json!(true), &json!(true)));
    assert!(body["body"].as_str().unwrap().contains("\"user\":\"ann\""), "{body}");
    let headers = &all["requests"]
        .as_array()
        .unwrap()
        .iter()
        .find(|r| r["requestId"] == one["requestId"])
        .unwrap()["responseHeaders"];
    assert!(
        headers
            .as_object()
            .unwrap()
            .keys()
            .any(|name| name.eq_ignore_ascii_case("set-cookie")),
        "{headers}"
    );
}

#[test]
fn a_service_workers_answers_and_requests_are_told_apart() {
    let world = World::new();
    let task = world.at("form.html");
    let ready = "return navigator.serviceWorker.register('/net/worker.js', {scope: '/'}).then(() => new Promise((done) => { \
        const look = () => navigator.serviceWorker.controller && done(true); \
        navigator.serviceWorker.addEventListener('controllerchange', look); look(); }))";
    assert_eq!(task.ok("execute_js", json!({"body": ready}))["result"], true);
    assert_eq!(fetched(&task, "/net/stored", "{}"), "{\"from\":\"worker\"}");
    let stored = finished(&task, "/net/stored");
    assert_eq!(stored["fromServiceWorker"], true, "{stored}");
    let body = task.ok("get_response_body", json!({"filter": "/net/stored"}));
    assert_eq!(body["body"], "{\"from\":\"worker\"}", "{body}");
    fetched(&task, "/xhr?n=1&through", "{}");
    finished(&task, "&through");
    let noted = task.ok("route", json!({"urlPattern": "**/nothing"}));
    assert!(noted["note"].as_str().unwrap().contains("service worker"), "{noted}");
}
