//! Controls that only their listeners make so: no tag, no role, no pointer cursor.

use serde_json::json;
use support::Task;

use crate::harness::{World, index_of, js, page_text, whole_text};

fn page<'a>(world: &'a World, html: &str, script: &str) -> Task<'a> {
    let task = world.at("change.html");
    let html = serde_json::to_string(html).unwrap();
    js(&task, &format!("document.body.innerHTML = {html}; {script}; 0"));
    task
}

/// Whether the line with that text has an index.
fn indexed(text: &str, part: &str) -> bool {
    let line = text
        .lines()
        .find(|line| line.contains(part))
        .unwrap_or_else(|| panic!("no line with {part:?} in\n{text}"));
    line.trim_start().trim_start_matches('*').starts_with('[')
}

#[test]
fn plain_elements_that_listen_for_a_pointer_are_controls() {
    let world = World::new();
    let kinds = [
        "click",
        "dblclick",
        "mousedown",
        "mouseup",
        "pointerdown",
        "pointerup",
        "touchstart",
        "touchend",
    ];
    let html: String = kinds
        .iter()
        .map(|kind| format!("<div id={kind}>By {kind}</div>"))
        .collect();
    let task = page(
        &world,
        &format!(
            "{html}<p>Before <span id=span>inline</span> after</p><div id=key>By key</div><div id=over>By hover</div>"
        ),
        "for (const el of document.querySelectorAll('div')) el.addEventListener(el.id, () => {}); \
         key.addEventListener('keydown', () => {}); over.addEventListener('mouseover', () => {}); \
         span.addEventListener('click', () => { span.textContent = 'clicked'; })",
    );
    let state = task.ok("get_browser_state", json!({}));
    let text = state["text"].as_str().unwrap();
    for kind in kinds {
        assert!(
            text.contains(&format!("<div >By {kind}/>")) && indexed(text, &format!("By {kind}")),
            "{text}"
        );
    }
    assert!(!indexed(text, "By key") && !indexed(text, "By hover"), "{text}");
    assert!(
        text.contains("<span >inline/>") && state.get("listenerDetection").is_none(),
        "{state}"
    );
    let receipt = task.ok("click_element_by_index", json!({"index": index_of(text, ">inline/>")}));
    assert_eq!(receipt["changed"], true, "{receipt}");
    let again = page_text(&task);
    assert_eq!(index_of(&again, ">clicked/>"), index_of(text, ">inline/>"));
}

#[test]
fn containers_that_serve_what_lies_in_them_stay_text() {
    let world = World::new();
    let task = page(
        &world,
        "<div id=root><div id=menu><div>Open</div><div>Save</div><div>Close</div></div><ul id=list><li>A<li>B</ul>\
         <div id=field><input aria-label=Field></div><div id=wide style='height:700px'>Wide</div>\
         <table id=table><tr><td id=cell>Cell</td></tr></table><button id=off disabled>Off</button>\
         <div id=hidden aria-hidden=true>Ornament</div></div>",
        "for (const el of [document, document.body, ...document.querySelectorAll('[id]')]) el.addEventListener('click', () => {})",
    );
    let text = whole_text(&task);
    for part in ["Open", "Save", "Close", "Wide", "Cell", "Off", "Ornament"] {
        assert!(!indexed(&text, part), "{part} in\n{text}");
    }
    assert!(
        indexed(&text, "label='Field'") && text.matches('[').count() == 1,
        "{text}"
    );
}

#[test]
fn parts_of_a_card_are_controls_of_their_own() {
    let world = World::new();
    let task = page(
        &world,
        "<div id=card style='width:240px'><b>Invoice</b><span id=close>Remove</span></div><button id=b><span id=inner>Go</span></button>",
        "for (const el of [card, inner, document.getElementById('close')]) el.addEventListener('click', () => {})",
    );
    let text = page_text(&task);
    assert!(
        text.contains("<div >Invoice/>") && text.contains("<span >Remove/>"),
        "{text}"
    );
    assert!(text.contains("<button >Go/>") && !text.contains("<span >Go"), "{text}");
}

#[test]
fn listeners_come_and_go() {
    let world = World::new();
    let task = page(
        &world,
        "<div id=a>Late</div><div id=b>Other</div>",
        "window.f = () => {}; b.addEventListener('click', f)",
    );
    let text = page_text(&task);
    assert!(!indexed(&text, "Late") && indexed(&text, "Other"), "{text}");
    js(
        &task,
        "a.addEventListener('click', f); b.removeEventListener('click', f); 0",
    );
    let text = page_text(&task);
    assert!(indexed(&text, "Late") && !indexed(&text, "Other"), "{text}");
    task.ok("reload", json!({}));
    assert!(page_text(&task).contains("[0]<button >Change the text/>"));
}

#[test]
fn handlers_that_frameworks_delegate_are_found_without_a_trace() {
    let world = World::new();
    let task = page(
        &world,
        "<div id=react>React</div><div id=solid>Solid</div><div id=svelte>Svelte</div><div id=plain>Plain</div><div id=trap>Trap</div>",
        "react['__reactProps$k'] = { onPointerDown() {} }; solid.$$click = () => {}; svelte.__click = () => {}; \
         plain['__reactProps$k'] = { title: 'x' }; document.addEventListener('click', () => {}); \
         window.seen = 0; new MutationObserver(() => { seen++; }).observe(document, { subtree: true, attributes: true, childList: true })",
    );
    let text = page_text(&task);
    for part in ["React", "Solid", "Svelte"] {
        assert!(indexed(&text, part), "{part} in\n{text}");
    }
    assert!(!indexed(&text, "Plain"), "{text}");
    assert_eq!(js(&task, "seen"), 0, "reading changes nothing");
    js(
        &task,
        "Object.defineProperty(trap, '__reactProps$k', { get() { window.fell = 1; return {}; } }); 0",
    );
    page_text(&task);
    assert_eq!(
        js(&task, "window.fell === undefined"),
        true,
        "a page's own code is not run for us"
    );
}

#[test]
fn elements_of_closed_roots_and_frames_that_listen_are_controls() {
    let world = World::new();
    let task = page(
        &world,
        "<x-a></x-a><iframe id=f srcdoc='<div id=in>Within</div>'></iframe>",
        "const root = document.querySelector('x-a').attachShadow({mode: 'closed'}); root.innerHTML = '<div>Shadowed</div>'; \
         root.firstChild.addEventListener('click', () => {})",
    );
    task.ok("wait_for_element", json!({"selector": "#in", "frame": "1"}));
    js(
        &task,
        "f.contentDocument.getElementById('in').addEventListener('click', () => {}); 0",
    );
    let text = page_text(&task);
    assert!(indexed(&text, "Shadowed") && indexed(&text, "Within"), "{text}");
}

#[test]
fn reading_again_and_again_leaves_the_page_alive() {
    let world = World::new();
    let task = page(
        &world,
        "<div id=list></div>",
        "for (let i = 0; i < 400; i++) { const d = document.createElement('div'); d.textContent = 'Entry ' + i; \
         d.addEventListener('click', () => i); list.append(d); } window.kept = 1",
    );
    for _ in 0..12 {
        let text = whole_text(&task);
        assert!(indexed(&text, ">Entry 399/>"), "{text}");
        let map = task.ok("get_interactive_map", json!({}));
        assert_eq!(
            (&map["count"], &map["elements"][0]["hasListeners"]),
            (&json!(400), &json!(true))
        );
        // Gives the collector something to do.
        js(&task, "for (let i = 0; i < 100000; i++) new Array(100); 0");
    }
    assert_eq!(js(&task, "window.kept"), 1);
}
