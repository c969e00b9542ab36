//! Frames of other origins and processes in one index space, and input that reaches into them.

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, index_of, js, text_of};

/// The fixture page with a frame of another site, which holds a frame of this one again.
fn frames_page(world: &World) -> Task<'_> {
    let task = world.dsb.task(json!({}));
    let other = world.site.b("");
    let url = format!("/plain/frames.html?other={}", other.trim_end_matches('/'));
    task.ok("go_to_url", json!({"url": world.site.a(&url)}));
    for name in ["name=same", "name=cross", "name=nested"] {
        task.ok("wait_for_element", json!({"selector": "#inner", "frame": name}));
    }
    task
}

fn read(task: &Task<'_>, more: Value) -> Value {
    let mut params = json!({"includeFrames": true, "viewportExpansion": -1});
    params
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    task.ok("get_browser_state", params)
}

/// The part of the text that belongs to the frame whose header contains `name`.
fn part<'a>(text: &'a str, name: &str) -> &'a str {
    let at = text
        .match_indices("--- frame[")
        .find(|(at, _)| text[*at..].lines().next().unwrap().contains(name))
        .unwrap_or_else(|| panic!("no frame {name} in\n{text}"))
        .0;
    let rest = &text[at + 3..];
    rest.find("--- frame[")
        .map_or(&text[at..], |end| &text[at..at + 3 + end])
}

fn frame<'a>(state: &'a Value, part: &str) -> &'a Value {
    let frames = state["frames"].as_array().unwrap();
    let found = frames
        .iter()
        .find(|frame| frame["url"].as_str().unwrap().contains(part));
    found.unwrap_or_else(|| panic!("no frame {part} in {frames:#?}"))
}

#[test]
fn frames_of_other_origins_share_the_index_space_in_document_order() {
    let world = World::new();
    let task = frames_page(&world);
    let state = read(&task, json!({}));
    let text = state["text"].as_str().unwrap();
    let order: Vec<&str> = text.lines().filter(|line| line.starts_with("--- frame[")).collect();
    for (at, name) in [
        (0, "frames.html"),
        (1, "name=same"),
        (2, "about:srcdoc"),
        (3, "name=cross"),
        (4, "name=nested"),
    ] {
        assert!(
            order[at].starts_with(&format!("--- frame[{at}]")) && order[at].contains(name),
            "{order:#?}"
        );
        let found = frame(&state, name);
        assert_eq!(found["index"], at, "{found}");
        assert!(
            at == 0 || found["parentIndex"] == if at == 4 { 3 } else { 0 },
            "{found}"
        );
    }
    assert_eq!(
        (&state["frameCount"], &state["includeFrames"]),
        (&json!(5), &json!(true))
    );
    assert!(state.get("frameHint").is_none(), "{state}");
    let indices: Vec<u64> = ["frames.html", "name=same", "name=cross", "name=nested"]
        .iter()
        .map(|name| index_of(part(text, name), "<button"))
        .collect();
    assert!(
        indices.is_sorted() && indices.windows(2).all(|pair| pair[0] < pair[1]),
        "{indices:?}"
    );
    assert_eq!(frame(&state, "name=cross")["depth"], 1);
    assert_eq!(frame(&state, "name=nested")["elementCount"], 4);
}

#[test]
fn without_the_option_they_are_left_out_and_said_so() {
    let world = World::new();
    let task = frames_page(&world);
    let state = task.ok("get_browser_state", json!({"viewportExpansion": -1}));
    for name in ["name=cross", "name=nested"] {
        let left_out = frame(&state, name);
        assert_eq!(
            (&left_out["skipped"], &left_out["skipReason"]),
            (&json!(true), &json!("cross-origin"))
        );
    }
    assert!(state["frameHint"].is_string());
    assert!(!state["text"].as_str().unwrap().contains("name=cross"));
    task.call("get_browser_state", json!({"includeFrames": "perhaps"}))
        .expect_code("INVALID_ARGUMENT");
}

#[test]
fn controls_in_frames_of_other_processes_are_clicked_and_filled() {
    let world = World::new();
    let task = frames_page(&world);
    let state = read(&task, json!({}));
    let text = state["text"].as_str().unwrap();
    for name in ["cross", "nested"] {
        let inside = part(text, &format!("name={name}"));
        let receipt = task.ok(
            "click_element_by_index",
            json!({"index": index_of(inside, "Click inside")}),
        );
        assert_eq!(receipt["changed"], true, "{receipt}");
        task.ok("wait_for_text", json!({"text": format!("clicked:{name}")}));
        let typed = format!("typed into {name}");
        let field = index_of(inside, "label='Inside'");
        task.ok("input_text", json!({"index": field, "text": typed}));
        let echo = json!({"selector": "#echo", "frame": format!("name={name}")});
        assert_eq!(task.ok("get_element_text", echo)["text"], typed);
    }
}

#[test]
fn coordinates_hold_through_scrolling_borders_zoom_and_transforms() {
    let world = World::new();
    let task = frames_page(&world);
    let styles = [
        ("border:17px solid red;padding:23px 5px 0 31px;margin:40px", ""),
        ("border:3px solid red;zoom:1.5", ""),
        ("", "zoom:0.8;padding:9px"),
        ("transform:scale(0.7) translate(30px, 20px);transform-origin:0 0", ""),
        (
            "padding:8px",
            "transform:rotate(5deg) scale(1.1);transform-origin:50% 50%",
        ),
    ];
    for (own, around) in styles {
        js(
            &task,
            &format!(
                "const frame = document.getElementById('cross'); frame.style.cssText = 'width:420px;height:400px;{own}'; \
                 frame.parentElement.style.cssText = '{around}'; document.body.style.padding = '600px 0 900px 200px'; \
                 document.getElementById('messages').textContent = ''; scrollTo(0, 500); 0"
            ),
        );
        let state = read(&task, json!({}));
        let text = state["text"].as_str().unwrap();
        for name in ["cross", "nested"] {
            let index = index_of(part(text, &format!("name={name}")), "Click inside");
            task.ok("click_element_by_index", json!({"index": index, "mode": "native"}));
            task.ok("wait_for_text", json!({"text": format!("clicked:{name}")}));
        }
    }
}

#[test]
fn rectangles_are_those_of_the_main_viewport() {
    let world = World::new();
    let task = frames_page(&world);
    js(
        &task,
        "document.getElementById('cross').style.cssText = 'position:fixed;left:100px;top:50px;width:420px;height:400px;border:10px solid;padding:6px 0 0 8px;margin:0;transform:scale(0.5);transform-origin:0 0'; 0",
    );
    let inside = json!({"body": "const r = document.getElementById('inner').getBoundingClientRect(); [r.left, r.top, r.width, r.height]", "frame": "name=cross"});
    let inside: Vec<f64> = serde_json::from_value(task.ok("execute_js", inside)["result"].clone()).unwrap();
    let state = read(&task, json!({}));
    let ordinal = frame(&state, "name=cross")["index"].clone();
    let elements = state["elements"].as_array().unwrap();
    let button = elements
        .iter()
        .find(|element| element["frameIndex"] == ordinal && element["id"] == "inner")
        .unwrap();
    let rect: Vec<f64> = serde_json::from_value(button["rect"].clone()).unwrap();
    // Border and padding, then the content, all at half their size.
    let wanted = [
        100.0 + (18.0 + inside[0]) / 2.0,
        50.0 + (16.0 + inside[1]) / 2.0,
        inside[2] / 2.0,
        inside[3] / 2.0,
    ];
    for (got, wanted) in rect.iter().zip(wanted) {
        assert!((got - wanted).abs() < 0.6, "{rect:?}, wanted {wanted:?}");
    }
}

#[test]
fn frames_that_nobody_sees_are_left_out_with_the_reason() {
    let world = World::new();
    let task = frames_page(&world);
    for (style, reason) in [
        ("display:none", "hidden"),
        ("visibility:hidden", "hidden"),
        ("width:0;height:0;border:0", "zero-size"),
        ("position:absolute;top:5000px", "outside-viewport"),
    ] {
        js(
            &task,
            &format!("document.getElementById('cross').style.cssText = '{style}'; 0"),
        );
        let state = task.ok("get_browser_state", json!({"includeFrames": true}));
        for name in ["name=cross", "name=nested"] {
            assert_eq!(frame(&state, name)["skipReason"], reason, "{style}");
        }
        assert!(!state["text"].as_str().unwrap().contains("name=cross"));
    }
    js(
        &task,
        "document.getElementById('cross').style.cssText = 'position:fixed;left:0;top:0'; const cover = document.createElement('div'); \
         cover.style.cssText = 'position:fixed;inset:0;background:white'; document.body.append(cover); 0",
    );
    let state = task.ok("get_browser_state", json!({"includeFrames": true}));
    assert_eq!(frame(&state, "name=cross")["skipReason"], "covered");
}

#[test]
fn only_the_part_of_a_frame_that_shows_is_read() {
    let world = World::new();
    let task = frames_page(&world);
    js(
        &task,
        "document.getElementById('cross').style.cssText = 'position:absolute;left:0;top:760px;width:500px;height:3000px'; 0",
    );
    let tall = json!({"body": "document.body.prepend(Object.assign(document.createElement('div'), {style: 'height:300px'})); document.body.prepend(Object.assign(document.createElement('button'), {textContent: 'At the top'})); 0", "frame": "name=cross"});
    task.ok("execute_js", tall);
    let shown = task.ok("get_browser_state", json!({"includeFrames": true}));
    let text = part(shown["text"].as_str().unwrap(), "name=cross");
    assert!(text.contains("At the top") && !text.contains("Click inside"), "{text}");
    let more = task.ok(
        "get_browser_state",
        json!({"includeFrames": true, "viewportExpansion": 600}),
    );
    assert!(part(more["text"].as_str().unwrap(), "name=cross").contains("Click inside"));
}

#[test]
fn a_frame_that_hangs_or_goes_costs_its_own_part_only() {
    let world = World::new();
    let task = frames_page(&world);
    let text = read(&task, json!({}))["text"].as_str().unwrap().to_owned();
    let inside = index_of(part(&text, "name=cross"), "Click inside");
    js(
        &task,
        "document.getElementById('cross').contentWindow.postMessage('none', '*'); 0",
    );
    let spin = json!({"body": "setTimeout(() => { for (;;) {} }, 0); 0", "frame": "name=cross"});
    task.ok("execute_js", spin);
    let state = read(&task, json!({}));
    let text = state["text"].as_str().unwrap();
    let header = part(text, "name=cross").lines().next().unwrap();
    assert!(header.contains("[read failed: "), "{header}");
    assert!(
        text.contains("In the main frame") && text.contains("In srcdoc"),
        "{text}"
    );
    let ordinal = frame(&state, "name=cross")["index"].as_u64().unwrap();
    assert!(
        state["snapshotIssues"]
            .as_array()
            .unwrap()
            .contains(&json!(format!("frame_read_failed:{ordinal}")))
    );
    assert_eq!(
        (&state["indicesUsable"], &state["snapshotConsistent"]),
        (&json!(true), &json!(false))
    );
    js(&task, "document.getElementById('cross').remove(); 0");
    let state = read(&task, json!({}));
    assert_eq!(state["frameCount"], 3);
    let gone = task
        .call("click_element_by_index", json!({"index": inside}))
        .expect_code("STALE_ELEMENT");
    assert_eq!(gone["reason"], "frame-gone", "{gone}");
}

#[test]
fn a_frame_keeps_its_number_when_one_before_it_goes() {
    let world = World::new();
    let task = frames_page(&world);
    let state = read(&task, json!({}));
    let ordinal = frame(&state, "name=cross")["index"].as_u64().unwrap().to_string();
    js(&task, "document.getElementById('same').remove(); 0");
    let heading = json!({"selector": "#name", "frame": ordinal});
    assert_eq!(task.ok("get_element_text", heading.clone())["text"], "Frame cross");
    let gone = task.call("get_element_text", json!({"selector": "#name", "frame": "1"}));
    assert!(gone.msg().contains("list_frames"), "{}", gone.msg());
    let state = read(&task, json!({}));
    assert_eq!(frame(&state, "name=cross")["index"], 2);
    assert_ne!(task.call("get_element_text", heading).data()["text"], "Frame cross");
    assert_eq!(text_of(&task, "main-count"), "0");
}

#[test]
fn frames_inside_frames_of_one_process_are_reached() {
    let world = World::new();
    let task = world.dsb.task(json!({}));
    let inner = world.site.a("/plain/frame-inner.html?name=low");
    let query = url_encoded(&inner);
    let middle = world
        .site
        .a(&format!("/plain/frame-inner.html?name=mid&nested={query}"));
    let query = url_encoded(&middle);
    task.ok(
        "go_to_url",
        json!({"url": world.site.a(&format!("/plain/frame-inner.html?name=up&nested={query}"))}),
    );
    task.ok("wait_for_element", json!({"selector": "#inner", "frame": "name=low"}));
    js(
        &task,
        "const style = 'border:11px solid;padding:7px;width:700px;height:500px;transform:scale(0.9)'; \
         for (let w = window; (w.document.querySelector('iframe') ?? 0) && (w.document.querySelector('iframe').style.cssText = style); w = w.frames[0]); \
         document.body.style.paddingTop = '700px'; 0",
    );
    let state = read(&task, json!({}));
    let index = index_of(part(state["text"].as_str().unwrap(), "name=low"), "Click inside");
    task.ok("click_element_by_index", json!({"index": index, "mode": "native"}));
    let count = task.ok("get_element_text", json!({"selector": "#count", "frame": "name=low"}));
    assert_eq!(count["text"], "1");
}

fn url_encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'-' => char::from(byte).to_string(),
            other => format!("%{other:02X}"),
        })
        .collect()
}
