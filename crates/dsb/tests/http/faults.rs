//! Faults, made: the browser killed, the service killed, the page closed under a command.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::{Value, json};
use support::eventually;

use crate::harness::World;

pub fn browser_pid(world: &World) -> Pid {
    let tasks = world.dsb.call(None, "list_tasks", json!({})).expect_ok();
    Pid::from_raw(i32::try_from(tasks["browser"]["pid"].as_i64().unwrap()).unwrap()).unwrap()
}

/// How much of a long run `./test` does; `./soak` asks for more of the same.
fn amount(variable: &str, sample: usize) -> usize {
    std::env::var(variable)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(sample)
}

fn gone(pid: Pid) -> Option<()> {
    test_kill_process(pid).is_err().then_some(())
}

#[test]
fn a_killed_browser_fails_the_command_at_once_and_the_next_start_works() {
    let world = World::new();
    let task = world.at("change.html");
    let pid = browser_pid(&world);
    std::thread::scope(|scope| {
        let waiting =
            scope.spawn(|| task.call("wait_for_element", json!({"selector": "#never", "timeoutSeconds": 60})));
        eventually("the wait is running", Duration::from_secs(5), || {
            let tasks: Value = world.dsb.call(None, "list_tasks", json!({})).expect_ok();
            (tasks["tasks"][0]["inflight"] == 1).then_some(())
        });
        let killed = Instant::now();
        kill_process(pid, Signal::KILL).unwrap();
        let reply = waiting.join().unwrap();
        assert!(killed.elapsed() < Duration::from_secs(1), "{:?}", killed.elapsed());
        assert!(!reply.is_ok(), "{}", reply.body);
    });
    let unknown = eventually("the task is gone", Duration::from_secs(2), || {
        let reply = task.call("get_url", json!({}));
        reply.msg().contains("start").then_some(reply)
    });
    unknown.expect_code("ACTION_FAILED");
    let again = world.at("change.html");
    assert_eq!(again.ok("get_title", json!({}))["title"], "Change");
}

#[test]
fn a_killed_service_leaves_no_browser() {
    for _ in 0..3 {
        let world = World::new();
        world.at("change.html");
        let pid = browser_pid(&world);
        assert!(group(pid).len() > 1, "the browser has helpers");
        world.dsb.kill();
        eventually("no process of the browser", Duration::from_secs(5), || {
            group(pid).is_empty().then_some(())
        });
    }
}

#[test]
fn a_stopped_service_ends_its_browser_and_itself() {
    let world = World::new();
    world.at("change.html");
    let pid = browser_pid(&world);
    let status = world.dsb.stop(Duration::from_secs(15)).expect("the service ends");
    assert!(status.success(), "{status:?}\n{}", world.dsb.output());
    eventually("no browser process", Duration::from_secs(5), || gone(pid));
}

/// Processes of the browser's group, with their command lines, as the system shows them.
fn group(browser: Pid) -> Vec<(Pid, String)> {
    let leader = browser.as_raw_nonzero().get().to_string();
    let processes = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok());
    processes
        .filter_map(|pid| {
            let read = |file: &str| std::fs::read_to_string(format!("/proc/{pid}/{file}")).unwrap_or_default();
            let stat = read("stat");
            // After the command in brackets: state, parent, process group.
            let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
            let member = fields.get(2) == Some(&leader.as_str()) && fields.first() != Some(&"Z");
            member.then(|| Pid::from_raw(pid).map(|pid| (pid, read("cmdline"))))?
        })
        .collect()
}

#[test]
fn a_crashed_renderer_is_a_typed_failure_and_the_task_goes_on() {
    let world = World::new();
    let task = world.at("change.html");
    let browser = browser_pid(&world);
    std::thread::scope(|scope| {
        let waiting =
            scope.spawn(|| task.call("wait_for_element", json!({"selector": "#never", "timeoutSeconds": 60})));
        eventually("the wait is running", Duration::from_secs(5), || {
            let tasks: Value = world.dsb.call(None, "list_tasks", json!({})).expect_ok();
            (tasks["tasks"][0]["inflight"] == 1).then_some(())
        });
        let renderers: Vec<Pid> = group(browser)
            .into_iter()
            .filter(|(_, line)| line.contains("--type=renderer"))
            .map(|(pid, _)| pid)
            .collect();
        assert!(!renderers.is_empty(), "the page has a process");
        let killed = Instant::now();
        for pid in renderers {
            let _ = kill_process(pid, Signal::KILL);
        }
        let data = waiting.join().unwrap().expect_code("ACTION_FAILED");
        assert!(killed.elapsed() < Duration::from_secs(1), "{:?}", killed.elapsed());
        assert_eq!(data["tabGone"], true, "{data}");
    });
    // The renderer that Chromium keeps in reserve was killed too: a new tab may have been given that one.
    let mut told = false;
    let healed = eventually("the task goes on", Duration::from_secs(10), || {
        let reply = task.call("go_to_url", json!({"url": world.site.a("/plain/change.html")}));
        told |= reply.data()["note"].is_string();
        assert!(reply.is_ok() || reply.data()["tabGone"] == true, "{}", reply.body);
        reply.is_ok().then(|| reply.data().clone())
    });
    assert_eq!(healed["title"], "Change");
    assert!(told, "the new tab is told: {healed}");
}

#[test]
fn a_page_that_closes_itself_ends_the_command_under_way_at_once() {
    let world = World::new();
    let task = world.at("popup.html");
    task.ok("click_element_by_selector", json!({"selector": "#closing"}));
    task.ok(
        "execute_js",
        json!({"body": "setTimeout(() => window.close(), 600); 0"}),
    );
    let asked = Instant::now();
    let reply = task.call("wait_for_element", json!({"selector": "#never", "timeoutSeconds": 60}));
    assert!(asked.elapsed() < Duration::from_secs(3), "{:?}", asked.elapsed());
    assert_eq!(reply.expect_code("ACTION_FAILED")["tabGone"], true);
    assert_eq!(task.ok("get_title", json!({}))["title"], "Popups");
}

#[test]
fn kill_cycles_leave_nothing_behind() {
    let world = World::new();
    let mut pids = Vec::new();
    for _ in 0..amount("DSB_SOAK_CYCLES", 10) {
        world.at("change.html");
        let pid = browser_pid(&world);
        kill_process(pid, Signal::KILL).unwrap();
        eventually("the browser is gone", Duration::from_secs(5), || gone(pid));
        eventually("its tasks are gone", Duration::from_secs(5), || {
            (world.dsb.call(None, "list_tasks", json!({})).expect_ok()["count"] == 0).then_some(())
        });
        pids.push(pid);
    }
    assert!(pids.into_iter().all(|pid| gone(pid).is_some()));
}

#[test]
fn many_requests_leave_the_service_small() {
    let world = World::new();
    let task = world.at("change.html");
    for n in 0..amount("DSB_SOAK_REQUESTS", 500) {
        let method = if n % 2 == 0 { "get_title" } else { "get_url" };
        assert!(task.call(method, json!({})).is_ok());
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", world.dsb.pid())).unwrap();
    let resident = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
    let kib: u64 = resident.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(kib < 64 * 1024, "{resident}");
}
