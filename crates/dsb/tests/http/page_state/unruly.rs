//! Frames that are locked in, written, moved to other processes, replaced and removed, also while they are read.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::{Task, eventually};

use crate::harness::{World, index_of, js};

fn read(task: &Task<'_>) -> Value {
    task.ok(
        "get_browser_state",
        json!({"includeFrames": true, "viewportExpansion": -1}),
    )
}

/// Waits until a frame of that address or name is there and holds the element.
fn wait_in(task: &Task<'_>, frame: &str, selector: &str) {
    eventually(frame, Duration::from_secs(20), || {
        task.call("get_element_count", json!({"selector": selector, "frame": frame}))
            .data()["count"]
            .as_u64()
            .filter(|count| *count > 0)
    });
}

fn text(state: &Value) -> &str {
    state["text"].as_str().unwrap()
}

#[test]
fn sandboxed_and_written_frames_are_read_and_driven() {
    let world = World::new();
    let task = world.at("change.html");
    let inner = world.site.a("/plain/frame-inner.html?name=boxed");
    js(
        &task,
        &format!(
            "const html = (name) => `<details><summary>Open ${{name}}</summary>Inside ${{name}}</details>`; \
             const add = (name, more) => {{ const f = document.createElement('iframe'); f.name = name; Object.assign(f, more); \
               if (more.box !== undefined) f.sandbox = more.box; document.body.append(f); }}; \
             add('locked', {{box: '', srcdoc: html('locked')}}); add('scripted', {{box: 'allow-scripts', srcdoc: html('scripted')}}); \
             add('written', {{srcdoc: html('written')}}); add('fetched', {{box: 'allow-scripts', src: '{inner}'}}); \
             add('blank', {{}}); document.querySelector('[name=blank]').contentDocument.body.innerHTML = html('blank'); 0"
        ),
    );
    wait_in(&task, "name=boxed", "#inner");
    for name in ["locked", "scripted", "written", "blank"] {
        wait_in(&task, name, "summary");
        let before = read(&task);
        let index = index_of(text(&before), &format!(">Open {name}/>"));
        assert!(!text(&before).contains(&format!("Inside {name}")));
        let receipt = task.ok("click_element_by_index", json!({"index": index}));
        assert_eq!(receipt["mode"], "native", "{name}: {receipt}");
        let after = read(&task);
        assert!(
            text(&after).contains(&format!("Inside {name}")),
            "{name}: {}",
            text(&after)
        );
    }
    let state = read(&task);
    task.ok(
        "click_element_by_index",
        json!({"index": index_of(text(&state), ">Click inside/>")}),
    );
    let count = task.ok("get_element_text", json!({"selector": "#count", "frame": "fetched"}));
    assert_eq!(count["text"], "1");
}

#[test]
fn a_frame_is_named_by_number_address_and_name() {
    let world = World::new();
    let task = world.dsb.task(json!({}));
    task.ok("go_to_url", json!({"url": world.site.a("/plain/frames.html")}));
    task.ok("wait_for_element", json!({"selector": "#inner", "frame": "name=same"}));
    js(
        &task,
        "document.getElementById('written').contentWindow.name = 'note'; document.getElementById('written').name = 'notepaper'; document.getElementById('written').srcdoc = '<p id=name>Written</p>'; 0",
    );
    wait_in(&task, "2", "p#name");
    for frame in [json!(1), json!("1"), json!("frame-inner"), json!("name=same")] {
        let found = task.ok("get_element_text", json!({"selector": "#name", "frame": frame}));
        assert_eq!(found["text"], "Frame same", "{frame}");
    }
    for frame in [json!(0), json!("nowhere"), json!(""), json!(7)] {
        let reply = task.call("get_element_text", json!({"selector": "#name", "frame": frame}));
        assert!(!reply.is_ok(), "{frame}: {}", reply.body);
    }
}

#[test]
fn a_frame_that_changes_process_keeps_its_place_and_refuses_old_indices() {
    let world = World::new();
    let task = world.dsb.task(json!({}));
    task.ok("go_to_url", json!({"url": world.site.a("/plain/frames.html")}));
    let (near, far) = (
        world.site.a("/plain/frame-inner.html?name=near"),
        world.site.b("/plain/frame-inner.html?name=far"),
    );
    let mut last: Option<u64> = None;
    for (url, name) in [(&far, "far"), (&near, "near"), (&far, "far"), (&near, "near")] {
        js(&task, &format!("document.getElementById('same').src = '{url}'; 0"));
        wait_in(&task, &format!("name={name}"), "#inner");
        let state = read(&task);
        assert_eq!(state["frames"][1]["url"], **url, "{state}");
        let part = text(&state).split("--- frame[2]").next().unwrap();
        let index = index_of(part.split("--- frame[1]").nth(1).unwrap(), ">Click inside/>");
        if let Some(old) = last.replace(index) {
            assert_ne!(old, index);
            task.call("click_element_by_index", json!({"index": old}))
                .expect_code("STALE_ELEMENT");
        }
        // Which element it is, is asked here, not whether a frame that was never drawn takes input.
        task.ok("click_element_by_index", json!({"index": index, "mode": "js"}));
        let count = task.ok("get_element_text", json!({"selector": "#count", "frame": "1"}));
        assert_eq!(count["text"], "1", "{name}");
    }
}

/// Whether a header says what headers say.
fn is_header(line: &str) -> bool {
    line.ends_with(" ---") && line.contains(" elements=")
}

#[test]
fn frames_that_never_rest_are_read_within_bounds() {
    let world = World::new();
    let task = world.at("change.html");
    let near = world.site.a("/plain/frame-inner.html?name=near");
    let far = world.site.b("/plain/frame-inner.html?name=far");
    js(
        &task,
        &format!(
            "document.body.innerHTML = '<button>Steady</button>'; const urls = ['{near}', '{far}', 'about:blank', null]; let n = 0; \
             setInterval(() => {{ n++; const all = document.querySelectorAll('iframe'); \
               if (all.length > 4) return all[n % all.length].remove(); \
               const f = n % 3 || !all.length ? document.body.appendChild(document.createElement('iframe')) : all[n % all.length]; \
               const url = urls[n % 4]; if (url) f.src = url; else f.srcdoc = '<button>Note ' + n + '</button>'; }}, 15); 0"
        ),
    );
    let mut told = 0;
    for round in 0..12 {
        let asked = Instant::now();
        let state = read(&task);
        assert!(
            asked.elapsed() < Duration::from_secs(25),
            "{round}: {:?}",
            asked.elapsed()
        );
        let text = text(&state);
        assert!(text.contains("Steady") && text.len() < 50_000, "{text}");
        for line in text.lines().filter(|line| line.starts_with("---")) {
            assert!(is_header(line), "{line}");
        }
        for issue in state["snapshotIssues"].as_array().into_iter().flatten() {
            let issue = issue.as_str().unwrap();
            let known =
                issue == "mutations_changed" || issue == "frame_url_changed" || issue.starts_with("frame_read_failed:");
            assert!(known, "{issue}");
            told += 1;
        }
        assert_eq!(state["snapshotConsistent"], state.get("snapshotIssues").is_none());
        assert_eq!(state["indicesUsable"], true);
        let steady = task.ok("get_element_text", json!({"index": index_of(text, ">Steady/>")}));
        assert_eq!(steady["text"], "Steady");
    }
    assert!(told > 0, "a page that never rests is told");
    task.ok("list_frames", json!({}));
}
