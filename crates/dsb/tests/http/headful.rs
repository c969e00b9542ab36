//! A browser with a real window, on a display of its own: what only a window shows (file choosers, questions for
//! permissions, logins, printing, questions before leaving) holds up no command.

use std::io::Read;
use std::os::fd::AsRawFd;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::{Process, Task};

use crate::harness::{World, js, options, text_of};

/// No command may need this long because of something that a window shows.
const AT_ONCE: Duration = Duration::from_secs(8);

/// A display that ends with the test.
struct Display {
    name: String,
    _server: Process,
}

impl Display {
    /// The server itself chooses a number that is free and tells it.
    fn start() -> Self {
        let (mut told, tell) = std::io::pipe().unwrap();
        rustix::io::fcntl_setfd(&tell, rustix::io::FdFlags::empty()).unwrap();
        let server = Process::spawn(
            Command::new("Xvfb")
                .args(["-displayfd", &tell.as_raw_fd().to_string()])
                .args(["-screen", "0", "1400x1000x24", "-nolisten", "tcp"])
                .stdout(Stdio::null())
                .stderr(Stdio::null()),
        );
        drop(tell);
        let mut number = String::new();
        let mut byte = [0];
        while told.read(&mut byte).unwrap() == 1 && byte[0] != b'\n' {
            number.push(char::from(byte[0]));
        }
        assert!(!number.is_empty(), "Xvfb did not start");
        Self {
            name: format!(":{number}"),
            _server: server,
        }
    }
}

/// A command that must neither fail nor be held up.
fn prompt(task: &Task<'_>, method: &str, params: Value) -> Value {
    let asked = Instant::now();
    let reply = task.ok(method, params);
    assert!(asked.elapsed() < AT_ONCE, "{method}: {:?}", asked.elapsed());
    reply
}

fn windowed(display: &Display) -> World {
    let plain = options().arg("--browser.capture.enabled=false");
    World::with(plain.env("DISPLAY", &display.name).env("WAYLAND_DISPLAY", ""))
}

fn opened<'a>(world: &'a World, page: &str) -> Task<'a> {
    let task = world.dsb.task(json!({"headless": false}));
    task.ok("go_to_url", json!({"url": world.site.a(&format!("/plain/{page}"))}));
    task
}

#[test]
fn dialogs_choosers_and_printing_of_a_window_hold_up_nothing() {
    let display = Display::start();
    let world = windowed(&display);
    let task = opened(&world, "dialogs.html");
    let click = |id: &str| {
        prompt(
            &task,
            "click_element_by_selector",
            json!({"selector": format!("#{id}")}),
        )
    };
    click("ten");
    assert_eq!(text_of(&task, "result"), "yyyyyyyyyy");
    task.ok("set_dialog_behavior", json!({"mode": "ask"}));
    assert_eq!(click("ten")["dialog"]["open"], true);
    task.ok("set_dialog_behavior", json!({"answer": "accept", "mode": "accept"}));
    let printed = click("print");
    prompt(&task, "wait_for_text", json!({"text": "printed", "timeoutSeconds": 5}));
    assert!(printed["ok"].is_null(), "{printed}");
    click("file");
    click("pick");
    assert_eq!(js(&task, "1 + 1"), json!(2));
    prompt(&task, "get_browser_state", json!({}));
    prompt(&task, "screenshot", json!({}));
    prompt(&task, "close", json!({"closeBrowser": true}));
}

#[test]
fn questions_and_logins_of_a_window_are_answered_with_no() {
    let display = Display::start();
    let world = windowed(&display);
    let task = opened(&world, "alert.html");
    for asked in [
        "new Promise((done) => navigator.geolocation.getCurrentPosition(() => done('yes'), () => done('no')))",
        "navigator.mediaDevices.getUserMedia({ video: true }).then(() => 'yes', () => 'no')",
        "navigator.requestMIDIAccess({ sysex: true }).then(() => 'yes', () => 'no')",
    ] {
        let reply = prompt(&task, "execute_js", json!({"body": asked}));
        assert_eq!(reply["result"], "no", "{asked}");
    }
    let asked = "Notification.requestPermission().then(() => 'answered')";
    assert_eq!(
        prompt(&task, "execute_js", json!({"body": asked}))["result"],
        "answered"
    );
    let asked = Instant::now();
    let refused = task.call("go_to_url", json!({"url": world.site.a("/password")}));
    assert!(asked.elapsed() < AT_ONCE, "{:?}", asked.elapsed());
    assert_eq!(
        refused.expect_code("NETWORK_ERROR")["netError"],
        "ERR_INVALID_AUTH_CREDENTIALS"
    );
    let page = json!({"url": world.site.a("/plain/alert.html")});
    prompt(&task, "go_to_url", page.clone());
    prompt(&task, "click_element_by_selector", json!({"selector": "#guard"}));
    let left = prompt(&task, "go_to_url", json!({"url": world.site.a("/plain/change.html")}));
    assert_eq!(left["dialog"]["type"], "beforeunload", "{left}");
    prompt(&task, "go_to_url", page);
    prompt(&task, "click_element_by_selector", json!({"selector": "#guard"}));
    prompt(&task, "new_tab", json!({}));
    prompt(&task, "close_tab", json!({"pageIndex": 0}));
    prompt(&task, "close", json!({"closeBrowser": true}));
}
