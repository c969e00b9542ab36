//! Native dialogs never block anything: answered by the task's policy, or left open for the caller.

use std::time::Duration;

use serde_json::{Value, json};
use support::{Task, eventually};

use crate::harness::{World, js, text_of};

fn ask(task: &Task<'_>) {
    let set = task.ok("set_dialog_behavior", json!({"mode": "ask"}));
    assert_eq!((&set["mode"], &set["dismiss"]), (&json!("ask"), &json!(false)));
}

fn click(task: &Task<'_>, id: &str) -> Value {
    task.ok("click_element_by_selector", json!({"selector": format!("#{id}")}))
}

fn answer(task: &Task<'_>, how: &str) -> Value {
    task.ok("set_dialog_behavior", json!({"answer": how}))
}

#[test]
fn a_dialog_is_answered_and_named_in_the_receipt() {
    let world = World::new();
    for (id, kind, result) in [
        ("alert", "alert", "alert closed"),
        ("confirm", "confirm", "confirm true"),
        ("prompt", "prompt", "prompt nobody"),
        ("twice", "alert", "both closed"),
    ] {
        let task = world.at("alert.html");
        let receipt = click(&task, id);
        assert_eq!(
            (&receipt["dialog"]["type"], &receipt["dialog"]["accepted"]),
            (&json!(kind), &json!(true)),
            "{id}: {receipt}"
        );
        assert_eq!(text_of(&task, "result"), result);
        task.ok("close", json!({}));
    }
}

#[test]
fn a_page_that_alerts_on_load_opens_and_can_be_left() {
    let world = World::new();
    let task = world.at("alert.html?onload=alert");
    assert_eq!(text_of(&task, "result"), "alert undefined");
    click(&task, "guard");
    let left = task.ok("go_to_url", json!({"url": world.site.a("/plain/change.html")}));
    assert!(left["url"].as_str().unwrap().ends_with("change.html"));
    assert_eq!(left["dialog"]["type"], "beforeunload", "{left}");
}

#[test]
fn the_newest_dialog_is_recorded_until_it_is_consumed() {
    let world = World::new();
    let task = world.at("alert.html");
    assert!(task.ok("get_dialog", json!({})).get("dialog").is_none());
    assert_eq!(task.ok("clear_dialog", json!({}))["cleared"], false);
    let set = task.ok("set_dialog_behavior", json!({"dismiss": true}));
    assert_eq!((&set["dismiss"], &set["mode"]), (&json!(true), &json!("dismiss")));
    click(&task, "confirm");
    assert_eq!(text_of(&task, "result"), "confirm false");
    click(&task, "prompt");
    assert_eq!(text_of(&task, "result"), "prompt null");
    let dialog = task.ok("get_js_dialog", json!({}))["dialog"].clone();
    assert_eq!(
        (
            &dialog["message"],
            &dialog["defaultValue"],
            &dialog["seq"],
            &dialog["accepted"]
        ),
        (&json!("Your name?"), &json!("nobody"), &json!(2), &json!(false))
    );
    assert_eq!(task.ok("get_dialog", json!({"consume": true}))["dialog"]["seq"], 2);
    assert!(task.ok("get_dialog", json!({})).get("dialog").is_none());
    let set = task.ok("set_dialog_behavior", json!({}));
    assert_eq!((&set["dismiss"], &set["mode"]), (&json!(false), &json!("accept")));
    click(&task, "confirm");
    assert_eq!(text_of(&task, "result"), "confirm true");
    assert_eq!(task.ok("get_dialog", json!({}))["dialog"]["seq"], 3);
    assert_eq!(task.ok("clear_js_dialog", json!({}))["cleared"], true);
    assert!(task.ok("get_js_dialog", json!({})).get("dialog").is_none());
}

#[test]
fn pain_55_an_action_that_opens_a_dialog_returns_at_once_and_nothing_waits_for_it() {
    let world = World::new();
    let task = world.at("alert.html");
    let other = world.at("change.html");
    ask(&task);
    let receipt = click(&task, "confirm");
    assert_eq!(
        (&receipt["dialog"]["open"], &receipt["dialog"]["message"]),
        (&json!(true), &json!("Sure?"))
    );
    assert!(receipt["dialog"].get("accepted").is_none(), "{receipt}");
    assert_eq!(
        (&receipt["changeStatus"], &receipt["changes"]),
        (&json!("observed"), &json!(["dialog"]))
    );
    let refused = task.call("get_browser_state", json!({}));
    assert!(refused.msg().contains("Sure?"), "{}", refused.msg());
    let data = refused.expect_code("DIALOG_OPEN");
    assert_eq!(data["dialog"]["type"], "confirm");
    assert!(data["hint"].as_str().unwrap().contains("set_dialog_behavior"), "{data}");
    // Other tasks and what needs no page go on.
    click(&other, "text");
    assert!(
        task.ok("get_url", json!({}))["url"]
            .as_str()
            .unwrap()
            .ends_with("alert.html")
    );
    assert_eq!(task.ok("get_tabs", json!({}))["tabs"].as_array().unwrap().len(), 1);
    let answered = answer(&task, "dismiss");
    assert_eq!(
        (&answered["answered"]["accepted"], &answered["answered"]["closedBy"]),
        (&json!(false), &json!("caller"))
    );
    assert_eq!(answered["mode"], "ask", "an answer leaves the policy as it is");
    assert_eq!(text_of(&task, "result"), "confirm false");
}

#[test]
fn a_prompt_gets_the_text_of_the_answer() {
    let world = World::new();
    let task = world.at("alert.html");
    ask(&task);
    click(&task, "prompt");
    let answered = task.ok(
        "set_dialog_behavior",
        json!({"answer": "accept", "promptText": "Zoë 王"}),
    );
    assert_eq!(answered["answered"]["answer"], "Zoë 王");
    assert_eq!(text_of(&task, "result"), "prompt Zoë 王");
    click(&task, "prompt");
    answer(&task, "accept");
    assert_eq!(text_of(&task, "result"), "prompt nobody");
    click(&task, "confirm");
    let data = task
        .call("set_dialog_behavior", json!({"answer": "accept", "promptText": "x"}))
        .expect_code("ACTION_FAILED");
    assert_eq!(
        (&data["started"], &data["dialog"]["open"]),
        (&json!(false), &json!(true))
    );
    answer(&task, "accept");
    assert_eq!(text_of(&task, "result"), "confirm true");
}

#[test]
fn an_answer_without_a_dialog_and_contradictions_are_refused() {
    let world = World::new();
    let task = world.at("alert.html");
    let data = task
        .call("set_dialog_behavior", json!({"answer": "accept"}))
        .expect_code("ACTION_FAILED");
    assert_eq!(data["started"], false);
    for bad in [
        json!({"dismiss": true, "mode": "ask"}),
        json!({"promptText": "x"}),
        json!({"answer": "dismiss", "promptText": "x"}),
        json!({"mode": "never"}),
        json!({"answer": "yes"}),
        json!({"dismiss": "maybe"}),
    ] {
        task.call("set_dialog_behavior", bad).expect_code("INVALID_ARGUMENT");
    }
    task.call("get_dialog", json!({"consume": "perhaps"}))
        .expect_code("INVALID_ARGUMENT");
}

#[test]
fn pain_58_ten_dialogs_in_a_row_are_answered_one_by_one_or_all_at_once() {
    let world = World::new();
    let task = world.at("dialogs.html");
    click(&task, "ten");
    assert_eq!(text_of(&task, "result"), "yyyyyyyyyy");
    ask(&task);
    let mut open = click(&task, "ten")["dialog"].clone();
    for n in 1..=10 {
        assert_eq!(open["message"], format!("Question {n}?"), "{open}");
        let answered = answer(&task, if n % 2 == 0 { "accept" } else { "dismiss" });
        open = answered["dialog"].clone();
    }
    assert!(open.is_null(), "{open}");
    assert_eq!(text_of(&task, "result"), "nynynynyny");
    assert_eq!(task.ok("get_dialog", json!({}))["dialog"]["seq"], 20);
}

#[test]
fn pain_58_beforeunload_never_keeps_a_task_whatever_the_policy() {
    let world = World::new();
    for mode in ["accept", "dismiss", "ask"] {
        let task = world.at("alert.html");
        task.ok("set_dialog_behavior", json!({"mode": mode}));
        click(&task, "guard");
        click(&task, "leave");
        task.ok("wait_for_element", json!({"selector": "#text"}));
        let dialog = task.ok("get_dialog", json!({}))["dialog"].clone();
        assert_eq!(
            (&dialog["type"], &dialog["accepted"]),
            (&json!("beforeunload"), &json!(true)),
            "{mode}"
        );
        task.ok("go_to_url", json!({"url": world.site.a("/plain/alert.html")}));
        click(&task, "guard");
        task.ok("new_tab", json!({}));
        task.ok("close_tab", json!({"pageIndex": 0}));
        task.ok("close", json!({}));
    }
}

#[test]
fn dialogs_of_frames_are_named_and_answered() {
    let world = World::new();
    for inner in [world.site.a("/plain/alert.html"), world.site.b("/plain/alert.html")] {
        let task = world.at(&format!("dialogs.html?frame={inner}"));
        ask(&task);
        let in_frame = |id: &str| {
            task.ok(
                "click_element_by_selector",
                json!({"selector": format!("#{id}"), "frame": "1"}),
            )
        };
        let receipt = in_frame("confirm");
        assert_eq!(receipt["dialog"]["open"], true, "{inner}: {receipt}");
        assert_eq!(receipt["dialog"]["url"], inner);
        task.call("get_browser_state", json!({})).expect_code("DIALOG_OPEN");
        answer(&task, "accept");
        let result = task.ok(
            "execute_js",
            json!({"body": "document.getElementById('result').textContent", "frame": "1"}),
        );
        assert_eq!(result["result"], "confirm true", "{inner}");
        task.ok("set_dialog_behavior", json!({}));
        assert_eq!(in_frame("alert")["dialog"]["accepted"], true);
    }
}

#[test]
fn a_dialog_of_a_background_tab_is_named_and_holds_only_its_own_family() {
    let world = World::new();
    let task = world.at("dialogs.html");
    ask(&task);
    task.ok("new_tab", json!({"url": world.site.b("/plain/alert.html?ms=0")}));
    task.ok("switch_tab", json!({"pageIndex": 0}));
    let opened = click(&task, "popup");
    assert_eq!(opened["dialog"]["message"], "On load", "{opened}");
    task.ok("switch_tab", json!({"pageIndex": 0}));
    // The tab that opened it shares its process: it cannot answer, and says why.
    let data = task.call("get_browser_state", json!({})).expect_code("DIALOG_OPEN");
    assert_eq!(data["dialog"]["message"], "On load");
    task.call("go_to_url", json!({"url": world.site.a("/plain/form.html")}))
        .expect_code("DIALOG_OPEN");
    task.ok("switch_tab", json!({"pageIndex": 1}));
    assert_eq!(js(&task, "1 + 1"), json!(2), "a tab of another family goes on");
    assert_eq!(task.ok("get_dialog", json!({}))["dialog"]["open"], true);
    answer(&task, "accept");
    task.ok("switch_tab", json!({"pageIndex": 0}));
    assert_eq!(js(&task, "1 + 1"), json!(2));
}

#[test]
fn a_tab_with_an_open_dialog_can_be_closed_and_so_can_its_task() {
    let world = World::new();
    let task = world.at("alert.html");
    ask(&task);
    task.ok("new_tab", json!({"url": world.site.a("/plain/alert.html")}));
    click(&task, "confirm");
    task.ok("close_tab", json!({"pageIndex": 1}));
    assert!(task.ok("get_dialog", json!({}))["dialog"].get("open").is_none());
    assert_eq!(text_of(&task, "result"), "none");
    click(&task, "alert");
    task.ok("close", json!({}));
    let next = world.at("alert.html");
    assert_eq!(
        click(&next, "confirm")["dialog"]["accepted"],
        true,
        "a new task accepts"
    );
    assert_eq!(next.ok("get_dialog", json!({}))["dialog"]["seq"], 1);
}

#[test]
fn keys_presses_and_scripts_that_open_a_dialog_return_with_it() {
    let world = World::new();
    let task = world.at("dialogs.html");
    ask(&task);
    assert_eq!(click(&task, "press")["dialog"]["open"], true);
    answer(&task, "accept");
    task.ok("wait_for_text", json!({"text": "press done"}));
    click(&task, "key");
    let receipt = task.ok("press_key", json!({"key": "Enter"}));
    assert_eq!(receipt["dialog"]["message"], "entered", "{receipt}");
    answer(&task, "accept");
    task.ok("wait_for_text", json!({"text": "key done"}));
    let data = task
        .call("execute_js", json!({"body": "return confirm('script')"}))
        .expect_code("DIALOG_OPEN");
    assert_eq!(
        (&data["dialog"]["message"], &data["outcomeUnknown"]),
        (&json!("script"), &json!(true))
    );
    answer(&task, "accept");
    assert_eq!(js(&task, "2"), json!(2));
}

#[test]
fn a_dialog_ends_a_wait_and_a_navigation_tells_of_it() {
    let world = World::new();
    let task = world.at("alert.html?ms=700");
    ask(&task);
    click(&task, "later");
    let waited = task.call("wait_for_text", json!({"text": "never there", "timeoutSeconds": 60}));
    assert_eq!(waited.expect_code("DIALOG_OPEN")["dialog"]["message"], "later");
    answer(&task, "accept");
    let landed = task.ok(
        "go_to_url",
        json!({"url": world.site.a("/plain/alert.html?onload=prompt")}),
    );
    assert_eq!(landed["dialog"]["open"], true, "{landed}");
    assert_eq!(landed["status"], 200);
    answer(&task, "dismiss");
    assert_eq!(text_of(&task, "result"), "prompt null");
    let opened = task.ok(
        "new_tab",
        json!({"url": world.site.a("/plain/alert.html?onload=alert")}),
    );
    assert_eq!(opened["dialog"]["open"], true, "{opened}");
    answer(&task, "accept");
    assert_eq!(text_of(&task, "result"), "alert undefined");
}

#[test]
fn an_open_dialog_takes_no_picture_and_pauses_none() {
    let world = World::with(crate::harness::options());
    let task = world.at("alert.html");
    ask(&task);
    for _ in 0..4 {
        let receipt = click(&task, "confirm");
        assert!(receipt["screenshot_skipped"].is_string(), "{receipt}");
        task.call("screenshot", json!({})).expect_code("DIALOG_OPEN");
        answer(&task, "accept");
    }
    let shot = task.ok("screenshot", json!({}));
    assert!(shot["path"].is_string(), "{shot}");
}

#[test]
fn file_choosers_printing_and_permission_questions_block_nothing() {
    let world = World::new();
    let task = world.at("dialogs.html");
    for (id, multiple) in [("file", false), ("pick", true)] {
        let receipt = click(&task, id);
        assert_eq!(
            receipt["fileChooser"],
            json!({"multiple": multiple, "cancelled": true}),
            "{receipt}"
        );
        assert!(receipt["hint"].as_str().unwrap().contains("upload_file"), "{receipt}");
    }
    task.ok("wait_for_text", json!({"text": "cancelled choosers: 2"}));
    click(&task, "print");
    task.ok("wait_for_text", json!({"text": "printed"}));
    let asked = "new Promise((done) => navigator.geolocation.getCurrentPosition(() => done('yes'), () => done('no')))";
    assert_eq!(js(&task, asked), json!("no"));
    let asked = "navigator.mediaDevices.getUserMedia({ video: true }).then(() => 'yes', () => 'no')";
    assert_eq!(js(&task, asked), json!("no"));
}

#[test]
fn a_password_that_the_server_asks_for_is_a_failure_and_no_dialog() {
    let world = World::new();
    let task = world.at("form.html");
    let refused = task.call("go_to_url", json!({"url": world.site.a("/password")}));
    assert_eq!(
        refused.expect_code("NETWORK_ERROR")["netError"],
        "ERR_INVALID_AUTH_CREDENTIALS"
    );
    task.ok("go_to_url", json!({"url": world.site.a("/plain/form.html")}));
}

#[test]
fn steps_of_a_batch_open_and_answer_dialogs() {
    let world = World::new();
    let task = world.at("alert.html");
    let ran = task.ok(
        "commands",
        json!({"commands": [
            {"method": "set_dialog_behavior", "params": {"mode": "ask"}},
            {"method": "click_element_by_selector", "params": {"selector": "#prompt"}},
            {"method": "set_dialog_behavior", "params": {"answer": "accept", "promptText": "batch"}},
            {"method": "wait_for_text", "params": {"text": "prompt batch"}},
        ]}),
    );
    let steps = ran["results"].as_array().unwrap();
    assert!(steps.iter().all(|step| step["ok"] == true), "{ran}");
}

#[test]
fn of_two_open_dialogs_the_one_that_is_named_is_answered() {
    let world = World::new();
    let task = world.at("alert.html");
    ask(&task);
    let second = json!({"url": world.site.b("/plain/alert.html")});
    task.ok("new_tab", second);
    let later = click(&task, "confirm")["dialog"]["seq"].clone();
    task.ok("switch_tab", json!({"pageIndex": 0}));
    let earlier = click(&task, "prompt")["dialog"]["seq"].clone();
    assert_ne!(later, earlier);
    let both = task.ok("get_dialog", json!({}));
    let places = |reply: &Value| -> Vec<(Value, Value)> {
        let open = reply["openDialogs"].as_array().unwrap();
        open.iter()
            .map(|one| (one["pageIndex"].clone(), one["seq"].clone()))
            .collect()
    };
    assert_eq!(
        places(&both),
        [(json!(0), earlier.clone()), (json!(1), later.clone())],
        "{both}"
    );
    assert_eq!(both["dialog"]["seq"], earlier, "the current tab's first: {both}");
    let unknown = task
        .call("set_dialog_behavior", json!({"answer": "accept", "seq": 99}))
        .expect_code("ACTION_FAILED");
    assert_eq!(places(&unknown).len(), 2, "{unknown}");
    let answered = task.ok("set_dialog_behavior", json!({"answer": "dismiss", "seq": later}));
    assert_eq!(answered["answered"]["message"], "Sure?", "{answered}");
    assert!(answered.get("openDialogs").is_none(), "{answered}");
    assert_eq!(answered["dialog"]["seq"], earlier, "{answered}");
    let gone = json!({"answer": "accept", "seq": later});
    task.call("set_dialog_behavior", gone).expect_code("ACTION_FAILED");
    task.ok(
        "set_dialog_behavior",
        json!({"answer": "accept", "seq": earlier, "promptText": "Ada"}),
    );
    assert_eq!(text_of(&task, "result"), "prompt Ada");
    task.ok("switch_tab", json!({"pageIndex": 1}));
    assert_eq!(text_of(&task, "result"), "confirm false");
    task.call("set_dialog_behavior", json!({"seq": 1}))
        .expect_code("INVALID_ARGUMENT");
}

#[test]
fn what_a_page_opens_before_its_dialog_runs_on_once_it_is_answered() {
    let world = World::new();
    let task = world.at("dialogs.html");
    ask(&task);
    let far = world.site.b("/plain/change.html");
    let script = format!(
        "setTimeout(() => {{
           const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(1)'])));
           worker.onmessage = () => document.body.append('worker ran');
           for (const src of ['change.html', '{far}']) document.body.append(Object.assign(document.createElement('iframe'), {{ src }}));
           window.open('change.html#opened');
           confirm('Now?');
         }}, 0); 0"
    );
    task.call("execute_js", json!({"body": script}));
    let open = eventually("the dialog", Duration::from_secs(10), || {
        let dialog = task.ok("get_dialog", json!({}))["dialog"].clone();
        (dialog["open"] == true).then_some(dialog)
    });
    assert_eq!(open["message"], "Now?");
    answer(&task, "accept");
    task.ok("switch_tab", json!({"pageIndex": 0}));
    task.ok("wait_for_text", json!({"text": "worker ran", "timeoutSeconds": 10}));
    for frame in ["1", "2"] {
        task.ok(
            "wait_for_element",
            json!({"selector": "#target", "frame": frame, "timeoutSeconds": 10}),
        );
    }
    task.ok("switch_tab", json!({"pageIndex": 1}));
    task.ok("wait_for_element", json!({"selector": "#target", "timeoutSeconds": 10}));
}
