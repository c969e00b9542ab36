//! Pages that work against the input: what they do to it is told, never covered up.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::{Duration, Instant};

use serde_json::json;
use support::Task;

use crate::harness::{World, js, page_text};

fn page<'a>(world: &'a World, html: &str) -> Task<'a> {
    let task = world.at("change.html");
    let html = serde_json::to_string(html).unwrap();
    // Inline handlers work in markup that is set this way, scripts do not.
    js(&task, &format!("document.body.innerHTML = {html}; 0"));
    task
}

fn value(task: &Task<'_>, id: &str) -> serde_json::Value {
    js(task, &format!("document.getElementById('{id}').value"))
}

#[test]
fn a_line_break_in_a_field_of_one_line_never_sends_the_form() {
    let world = World::new();
    for mode in ["auto", "native", "type"] {
        for (text, stored) in [("a\nb", "a b"), ("a\r\n", "a"), ("x\r\ny", "x y")] {
            let task = page(
                &world,
                "<form method=post action='/submit?key=lines'><input id=a><button>Go</button></form>",
            );
            let receipt = task.ok(
                "input_text_by_selector",
                json!({"selector": "#a", "text": text, "mode": mode}),
            );
            assert_eq!(
                (&receipt["value"], &receipt["valueMatches"]),
                (&json!(stored), &json!(true)),
                "{mode} {text:?}: {receipt}"
            );
            task.ok("close", json!({}));
        }
    }
    assert_eq!(world.site.count("lines"), 0);
}

#[test]
fn text_that_another_field_takes_is_not_committed_and_not_entered_twice() {
    let world = World::new();
    for (handler, mode) in [
        (
            "onfocus='queueMicrotask(()=>document.getElementById(\"b\").focus())'",
            "auto",
        ),
        (
            "onfocus='setTimeout(()=>document.getElementById(\"b\").focus())'",
            "auto",
        ),
        (
            "onfocus='requestAnimationFrame(()=>document.getElementById(\"b\").focus())'",
            "auto",
        ),
        ("onkeydown='document.getElementById(\"b\").focus()'", "type"),
    ] {
        let task = page(&world, &format!("<input id=a type=password {handler}><input id=b>"));
        let reply = task.call(
            "input_text_by_selector",
            json!({"selector": "#a", "text": "S3cret", "mode": mode}),
        );
        let stray = value(&task, "b");
        if reply.is_ok() {
            assert_eq!(
                (value(&task, "a"), stray),
                (json!("S3cret"), json!("")),
                "{handler}: {}",
                reply.body
            );
        } else {
            assert!(
                ["ACTION_UNCERTAIN", "ACTION_FAILED"].contains(&reply.error_code()),
                "{handler}: {}",
                reply.body
            );
            assert_ne!(stray, "S3cretS3cret", "{handler}: entered twice");
        }
        task.ok("close", json!({}));
    }
}

#[test]
fn what_the_page_refuses_is_not_committed() {
    let world = World::new();
    for handler in ["onbeforeinput='event.preventDefault()'", "oninput='this.value=\"old\"'"] {
        let task = page(&world, &format!("<input id=a value=old {handler}>"));
        for (method, params) in [
            ("input_text_by_selector", json!({"selector": "#a", "text": "new"})),
            ("clear_text", json!({"selector": "#a"})),
        ] {
            let receipt = task.ok(method, params);
            assert_eq!(
                (&receipt["committed"], &receipt["valueMatches"]),
                (&json!(false), &json!(false)),
                "{handler} {method}: {receipt}"
            );
        }
        task.ok("close", json!({}));
    }
}

#[test]
fn a_script_that_throws_a_syntax_error_runs_once() {
    let world = World::new();
    let task = world.at("change.html");
    for (name, body) in [
        (
            "one",
            "window.one=(window.one||0)+1; const e=new SyntaxError('x'); e.stack='SyntaxError: x'; throw e",
        ),
        (
            "two",
            "(window.two=(window.two||0)+1,(()=>{Error.stackTraceLimit=0;throw new SyntaxError('q')})())",
        ),
        (
            "three",
            "window.three=(window.three||0)+1; throw Object.create(SyntaxError.prototype)",
        ),
    ] {
        task.call("execute_js", json!({"body": body}))
            .expect_code("ACTION_FAILED");
        assert_eq!(js(&task, &format!("window.{name}")), 1, "{name}");
    }
}

#[test]
fn a_button_replaced_by_its_own_press_is_not_clicked() {
    let world = World::new();
    let task = page(&world, "<div id=d></div>");
    js(
        &task,
        "window.n = 0; const d = document.getElementById('d'); const draw = () => { d.innerHTML = '<button id=b>Go</button>'; const b = d.firstChild; b.onmousedown = draw; b.onclick = () => window.n++ }; draw(); 0",
    );
    let reply = task.call("click_element_by_selector", json!({"selector": "#b"}));
    assert_eq!(js(&task, "window.n"), 0);
    let data = reply.expect_code("ACTION_UNCERTAIN");
    assert_eq!(
        (&data["pressedOnTarget"], &data["retrySafe"]),
        (&json!(true), &json!(false)),
        "{data}"
    );
}

#[test]
fn a_click_in_a_frame_that_changes_the_page_around_it_is_seen() {
    let world = World::new();
    let task = page(
        &world,
        "<p id=p>before</p><iframe id=f srcdoc=\"<button onclick='parent.document.getElementById(&quot;p&quot;).textContent=&quot;after&quot;'>Go</button>\"></iframe>",
    );
    task.ok("wait_for_element", json!({"selector": "button", "frame": "1"}));
    let receipt = task.ok("click_element_by_selector", json!({"selector": "button", "frame": "1"}));
    assert_eq!(
        (&receipt["changed"], &receipt["changeStatus"]),
        (&json!(true), &json!("observed")),
        "{receipt}"
    );
}

#[test]
fn a_server_that_never_answers_does_not_hold_reads() {
    let world = World::new();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap();
    let task = page(
        &world,
        &format!("<button id=b onclick=\"location.href='http://{address}/'\">Go</button>"),
    );
    task.ok("click_element_by_selector", json!({"selector": "#b"}));
    let asked = Instant::now();
    let reply = task.call("get_browser_state", json!({}));
    assert!(asked.elapsed() < Duration::from_secs(25), "{:?}", asked.elapsed());
    if !reply.is_ok() {
        assert_eq!(reply.error_code(), "PAGE_NAVIGATING", "{}", reply.body);
    }
    task.ok("go_to_url", json!({"url": world.site.a("/plain/change.html")}));
    assert!(page_text(&task).contains("Change the text"));
}

#[test]
fn a_document_that_breaks_off_is_told_at_once() {
    let world = World::new();
    let broken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = broken.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in broken.incoming() {
            let Ok(mut stream) = stream else { return };
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(
                b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 100000\r\n\r\n<p>Half a page",
            );
        }
    });
    let task = world.dsb.task(json!({}));
    let asked = Instant::now();
    let landed = task.ok("go_to_url", json!({"url": format!("http://{address}/")}));
    assert!(
        landed["warning"]
            .as_str()
            .unwrap()
            .contains("ERR_CONTENT_LENGTH_MISMATCH"),
        "{landed}"
    );
    assert!(asked.elapsed() < Duration::from_secs(20), "{:?}", asked.elapsed());
}

#[test]
fn a_loop_of_dialogs_is_ended() {
    let world = World::new();
    let task = page(&world, "<button id=b onclick='while(1)alert(1)'>Go</button>");
    let _ = task.call(
        "click_element_by_selector",
        json!({"selector": "#b", "timeoutMs": 3000}),
    );
    let asked = Instant::now();
    task.ok("go_to_url", json!({"url": world.site.a("/plain/change.html")}));
    assert!(asked.elapsed() < Duration::from_secs(20), "{:?}", asked.elapsed());
}

#[test]
fn only_addresses_are_opened_and_only_pictures_are_written() {
    let world = World::new();
    let task = world.at("change.html");
    for url in [
        "javascript:alert(1)",
        "chrome://crash",
        "devtools://x",
        "ftp://127.0.0.1/",
        "mailto:a@b.example",
    ] {
        task.call("go_to_url", json!({"url": url}))
            .expect_code("INVALID_ARGUMENT");
    }
    for path in ["victim.sh", ".", "x\u{0}.png", "/"] {
        task.call("screenshot", json!({"path": path}))
            .expect_code("INVALID_ARGUMENT");
    }
    let kept = task.ok("screenshot", json!({"path": "pictures/page.png"}));
    assert!(world.dsb.home().join("pictures/page.png").exists(), "{kept}");
}

#[test]
fn starts_and_a_shutdown_at_once_leave_no_dead_task() {
    let world = World::new();
    world.dsb.call(None, "start", json!({})).expect_ok();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| world.dsb.call(None, "start", json!({})));
        }
        scope.spawn(|| world.dsb.call(None, "shutdown", json!({})));
    });
    let tasks = world.dsb.call(None, "list_tasks", json!({})).expect_ok();
    for task in tasks["tasks"].as_array().unwrap() {
        world.dsb.call(task["id"].as_str(), "get_title", json!({})).expect_ok();
    }
}
