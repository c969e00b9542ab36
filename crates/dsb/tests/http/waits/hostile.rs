//! Waits on pages that make it hard: expressions that throw or never settle, texts in pieces, pages that never come to
//! rest, documents that never come.

use std::time::{Duration, Instant};

use serde_json::json;
use support::Task;

use crate::harness::{World, js};

/// A wait that runs out of its time does so when it was asked to, whatever the page does; gives the facts.
fn late(task: &Task<'_>, method: &str, mut params: serde_json::Value, seconds: f64) -> serde_json::Value {
    params["timeoutSeconds"] = json!(seconds);
    let asked = Instant::now();
    let data = task.call(method, params.clone()).expect_code("ACTION_TIMEOUT");
    let took = asked.elapsed().as_secs_f64();
    assert!(
        took >= seconds && took < seconds + 3.0,
        "{method} {params}: {took} instead of {seconds}"
    );
    assert_eq!(data["timeoutSeconds"], seconds, "{method}: {data}");
    data
}

#[test]
fn every_wait_takes_fractions_and_zero() {
    let world = World::new();
    let task = world.at("change.html");
    for seconds in [0.0, 0.25, 1.5] {
        // A fresh request each time: an old one would be taken for a long poll.
        let request = || js(&task, "fetch('/slow?ms=60000').catch(() => {}); 0");
        late(&task, "wait_for_element", json!({"selector": "#never"}), seconds);
        late(
            &task,
            "wait_for_element",
            json!({"selector": "#target", "state": "hidden"}),
            seconds,
        );
        late(&task, "wait_for_text", json!({"text": "never"}), seconds);
        late(&task, "wait_for_url", json!({"url": "never"}), seconds);
        request();
        late(&task, "wait_for_load", json!({"state": "networkidle"}), seconds);
        late(&task, "wait_for_function", json!({"expression": "0"}), seconds);
        late(
            &task,
            "wait_for_function",
            json!({"expression": "new Promise(() => {})"}),
            seconds,
        );
        late(
            &task,
            "wait_for_function",
            json!({"expression": "() => { throw new Error('not yet'); }"}),
            seconds,
        );
        request();
        late(&task, "wait_for_idle", json!({}), seconds);
        late(&task, "wait_for_stable", json!({"selector": "#never"}), seconds);
        let count = late(
            &task,
            "wait_for_count",
            json!({"selector": "button", "min": 99}),
            seconds,
        );
        assert!(count["count"].as_u64().unwrap() > 0, "{count}");
    }
}

#[test]
fn expressions_that_throw_reject_or_never_settle_are_asked_again() {
    let world = World::new();
    let task = world.at("change.html");
    js(
        &task,
        "window.tries = 0; setTimeout(() => { window.good = true; }, 600); 0",
    );
    for expression in [
        "() => { tries++; if (!window.good) throw new Error('not yet'); return true; }",
        "async () => { if (!window.good) throw new Error('not yet'); return 'yes'; }",
        "() => Promise.resolve(window.good)",
    ] {
        task.ok(
            "wait_for_function",
            json!({"expression": expression, "timeoutSeconds": 10}),
        );
    }
    assert!(js(&task, "tries").as_u64().unwrap() > 1, "it was asked more than once");
    let thrown = late(
        &task,
        "wait_for_function",
        json!({"expression": "() => Promise.reject(new Error('refused'))"}),
        0.5,
    );
    assert!(thrown["lastError"].as_str().unwrap().contains("refused"), "{thrown}");
    // A promise that never settles belongs to its document: the next one is asked anew.
    let next = world.site.a("/plain/form.html");
    js(
        &task,
        &format!("setTimeout(() => {{ location.href = '{next}'; }}, 500); 0"),
    );
    task.ok(
        "wait_for_function",
        json!({"expression": "location.href.includes('form.html') || new Promise(() => {})", "timeoutSeconds": 10}),
    );
}

#[test]
fn texts_are_found_in_pieces_fields_roots_and_frames() {
    let world = World::new();
    let task = world.at("change.html");
    let build = "setTimeout(() => {
        document.body.insertAdjacentHTML('beforeend', '<p>Total: <b>42</b><i> </i><span>EUR</span></p><p>two\\n   lines&nbsp;here</p>');
        const host = document.body.appendChild(document.createElement('div'));
        host.attachShadow({mode: 'open'}).innerHTML = '<p>Shaded <em>words</em></p>';
        document.body.insertAdjacentHTML('beforeend', '<input type=submit value=\"Send it off\"><p hidden>hidden words</p>');
    }, 300); 0";
    js(&task, build);
    for text in ["total: 42 EUR", "two lines here", "Shaded words", "Send it off"] {
        task.ok("wait_for_text", json!({"text": text, "timeoutSeconds": 10}));
    }
    let hidden = late(&task, "wait_for_text", json!({"text": "hidden words"}), 0.5);
    assert_eq!(hidden["reason"], "not-visible", "{hidden}");
    let other = world.site.b("/plain/change.html");
    js(
        &task,
        &format!(
            "document.body.append(Object.assign(document.createElement('iframe'), {{name: 'far', src: '{other}'}})); 0"
        ),
    );
    let far = json!({"text": "Change the text", "frame": "far", "timeoutSeconds": 10});
    task.ok("wait_for_text", far);
}

#[test]
fn what_keeps_a_page_from_rest_is_named() {
    let world = World::new();
    let task = world.at("change.html");
    js(
        &task,
        "document.body.insertAdjacentHTML('beforeend', '<ol id=ticker></ol>');
         window.ticking = setInterval(() => { ticker.append(document.createElement('li')); if (ticker.children.length > 20) ticker.replaceChildren(); }, 40); 0",
    );
    let idle = late(&task, "wait_for_idle", json!({}), 1.0);
    assert!(idle["mutations"].as_u64().unwrap() > 5, "{idle}");
    assert!(idle["mutating"].to_string().contains("ticker"), "{idle}");
    js(&task, "clearInterval(ticking); ticker.remove(); 0");
    // A decoration that moves for ever is no content; an answer that comes late is.
    js(
        &task,
        "const style = document.head.appendChild(document.createElement('style'));
         style.textContent = '@keyframes turn { to { transform: rotate(1turn); } } #spin { animation: turn 1s linear infinite; width: 20px; height: 20px; background: red }';
         document.body.insertAdjacentHTML('beforeend', '<div id=spin></div><p id=rows>loading</p>');
         fetch('/xhr?ms=1500').then((r) => r.text()).then(() => { rows.textContent = 'all rows'; }); 0",
    );
    let stable = task.ok("wait_for_stable", json!({"selector": "#rows", "timeoutSeconds": 20}));
    assert_eq!(stable["text"], "all rows", "{stable}");
}

#[test]
fn documents_that_never_come_hold_up_no_wait() {
    let world = World::new();
    let task = world.at("change.html");
    for path in ["/download", "/status/204"] {
        js(&task, &format!("location.href = '{path}'; 0"));
        for state in ["domcontentloaded", "load", "networkidle"] {
            task.ok("wait_for_load", json!({"state": state, "timeoutSeconds": 10}));
        }
        task.ok("wait_for_url", json!({"url": "change.html", "timeoutSeconds": 5}));
        task.ok("wait_for_idle", json!({"timeoutSeconds": 10}));
    }
    // One that is answered too late is named, and the address stays what it is.
    js(&task, "location.href = '/slow?ms=60000'; 0");
    let pending = late(&task, "wait_for_load", json!({}), 1.0);
    assert!(pending["navigatingTo"].as_str().unwrap().contains("/slow"), "{pending}");
    let pending = late(&task, "wait_for_url", json!({"url": "/slow"}), 0.5);
    assert!(pending["navigatingTo"].as_str().unwrap().contains("/slow"), "{pending}");
}

#[test]
fn numbers_are_counted_in_frames_and_roots() {
    let world = World::new();
    let task = world.at("change.html");
    js(
        &task,
        "const host = document.body.appendChild(document.createElement('div'));
         const root = host.attachShadow({mode: 'open'});
         document.body.insertAdjacentHTML('beforeend', '<u class=row>1</u>');
         setTimeout(() => { root.innerHTML = '<u class=row>2</u><u class=row>3</u>'; }, 300); 0",
    );
    let counted = task.ok(
        "wait_for_count",
        json!({"selector": ".row", "equals": 3, "timeoutSeconds": 10}),
    );
    assert_eq!(counted["count"], 3, "{counted}");
    js(
        &task,
        "setTimeout(() => document.querySelector('.row').remove(), 300); 0",
    );
    task.ok(
        "wait_for_count",
        json!({"selector": ".row", "max": 2, "timeoutSeconds": 10}),
    );
    let few = late(&task, "wait_for_count", json!({"selector": ".row", "min": 5}), 0.3);
    assert_eq!((&few["count"], &few["matched"]), (&json!(2), &json!(false)), "{few}");
}

#[test]
fn a_page_that_comes_back_out_of_the_cache_is_waited_on() {
    let world = World::new();
    let task = world.dsb.task(json!({}));
    task.ok("go_to_url", json!({"url": world.site.a("/kept")}));
    task.ok("go_to_url", json!({"url": world.site.a("/plain/change.html")}));
    js(&task, "setTimeout(() => history.back(), 500); 0");
    task.ok("wait_for_url", json!({"url": "/kept", "timeoutSeconds": 10}));
    for state in ["domcontentloaded", "load", "networkidle"] {
        task.ok("wait_for_load", json!({"state": state, "timeoutSeconds": 10}));
    }
    js(&task, "setTimeout(() => history.forward(), 500); 0");
    let asked = Instant::now();
    task.ok("wait_for_element", json!({"selector": "#target", "timeoutSeconds": 20}));
    assert!(asked.elapsed() < Duration::from_secs(15), "{:?}", asked.elapsed());
}
