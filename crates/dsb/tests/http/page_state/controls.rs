//! What counts as one control, and what a person would call it: things that are dragged, what libraries draw around a
//! field, and what stands before it.

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, js};

/// The page text of a body, as far as it is in view or as a whole.
fn text_of_body<'a>(task: &Task<'a>, body: &str, whole: bool) -> String {
    js(task, &format!("document.body.innerHTML = {}; 0", json!(body)));
    let expansion = if whole { -1 } else { 0 };
    let state = task.ok("get_browser_state", json!({"viewportExpansion": expansion}));
    state["text"].as_str().unwrap().to_owned()
}

fn lines(text: &str) -> Vec<&str> {
    text.lines()
        .map(|line| line.split_once(']').map_or(line, |(_, rest)| rest))
        .collect()
}

#[test]
fn what_is_dragged_has_an_index_and_hides_nothing_inside() {
    let world = World::new();
    let task = world.at("change.html");
    let text = text_of_body(
        &task,
        "<div draggable=true style='width:300px'>Card <button>Edit</button></div>
         <div draggable=false>Still</div>
         <ul><li draggable=true style='width:400px'><span style='cursor:pointer' id=leaf>Leaf</span></li></ul>",
        true,
    );
    let lines = lines(&text);
    assert!(
        lines.contains(&"<div >Card/>") && lines.contains(&"<button >Edit/>") && lines.contains(&"Still"),
        "{text}"
    );
    assert!(lines.contains(&"<span >Leaf/>"), "{text}");
}

#[test]
fn a_list_that_is_not_sorted_any_more_has_no_items_to_drag() {
    let world = World::new();
    let task = world.dsb.task(json!({}));
    task.ok("go_to_url", json!({"url": world.site.app("sortable")}));
    task.ok("wait_for_element", json!({"selector": "#native li"}));
    let read = || {
        task.ok("get_browser_state", json!({"viewportExpansion": -1}))["text"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(lines(&read()).contains(&"<li >Alpha/>"));
    js(
        &task,
        "const list = document.getElementById('native'); const key = Object.getOwnPropertyNames(list).find((name) => name.startsWith('Sortable')); list[key].destroy(); 0",
    );
    let text = read();
    assert!(
        lines(&text).contains(&"Alpha") && lines(&text).contains(&"<li >North/>"),
        "{text}"
    );
}

#[test]
fn what_stands_for_a_field_that_is_off_is_no_control() {
    let world = World::new();
    let task = world.at("change.html");
    let text = text_of_body(
        &task,
        "<div class='ant-select' id=box style='cursor:pointer;width:200px'><input role=combobox readonly disabled aria-label=Town></div>
         <div id=off aria-disabled=true>Off</div><div id=denied style='cursor:not-allowed'>Denied</div><div id=on>On</div>
         <script></script>",
        true,
    );
    assert!(!text.contains("[0]<div"), "{text}");
    js(
        &task,
        "for (const id of ['box', 'off', 'denied', 'on']) document.getElementById(id).addEventListener('mousedown', () => {}); 0",
    );
    let state = task.ok("get_browser_state", json!({"viewportExpansion": -1}));
    let text = state["text"].as_str().unwrap();
    assert_eq!(
        lines(text),
        [
            "<input role='combobox' value='' aria-label='Town' readonly='true' disabled='true'/>",
            "Off",
            "Denied",
            "<div >On/>"
        ],
        "{text}"
    );
}

#[test]
fn a_field_that_something_is_drawn_over_is_told_by_its_own_line() {
    let world = World::new();
    let task = world.at("change.html");
    let body = "<span style='position:relative;display:inline-block;width:30px;height:30px'>\
           <input type=checkbox aria-label=Decorated style='position:absolute;inset:0;opacity:0;width:30px;height:30px;margin:0'>\
           <span style='position:absolute;inset:0;background:#ddd;cursor:pointer'></span></span>\
         <span style='position:relative;display:inline-block;width:200px;height:20px;cursor:pointer'>\
           <span style='position:absolute;left:60px;width:20px;height:20px;background:#08c'>\
           <input type=range value=30 aria-label=Volume style='position:absolute;clip:rect(0 0 0 0);width:100%;height:100%;overflow:hidden'></span></span>\
         <input aria-hidden=true tabindex=-1 value=script>";
    for whole in [true, false] {
        let text = text_of_body(&task, body, whole);
        assert_eq!(
            lines(&text),
            [
                "<input type='checkbox' checked='false' aria-label='Decorated'/>",
                "<input type='range' value='30' aria-label='Volume'/>"
            ],
            "whole: {whole}\n{text}"
        );
    }
}

#[test]
fn only_what_reads_as_a_label_names_a_field() {
    let world = World::new();
    let task = world.at("change.html");
    for (body, label) in [
        ("<div>Street <input></div>", "Street"),
        ("<div><span>Street</span><br><input></div>", "Street"),
        ("<p>Street:</p><input>", "Street"),
        ("<div><label>Street</label> <input placeholder=Any></div>", "Street"),
        ("<p>price: 42</p><input>", ""),
        ("<div>We are glad that you are back.</div><input>", ""),
        ("<div>3 results</div><input>", ""),
        ("<div>Street</div><div style='height:200px'></div><input>", ""),
        ("<div>Street <input placeholder=Any></div>", ""),
    ] {
        let text = text_of_body(&task, body, true);
        let named = text.lines().find(|line| line.contains("<input")).unwrap();
        let expected = format!("label='{label}'");
        assert_eq!(named.contains("label="), !label.is_empty(), "{body}: {named}");
        assert!(label.is_empty() || named.contains(&expected), "{body}: {named}");
    }
}

#[test]
fn the_text_before_a_field_is_not_told_twice() {
    let world = World::new();
    let task = world.at("change.html");
    let text = text_of_body(
        &task,
        "<div><div>Street</div><input></div><h2>Town</h2><input aria-label=Town>",
        true,
    );
    assert_eq!(
        lines(&text),
        [
            "<input value='' label='Street'/>",
            "Town",
            "<input value='' aria-label='Town'/>"
        ]
    );
}

#[test]
fn edited_text_is_told_as_it_is_written() {
    let world = World::new();
    let task = world.at("change.html");
    let text = text_of_body(
        &task,
        "<div contenteditable=true aria-label=Code><div>f(<b>x</b>);</div><div>end</div></div>
         <div contenteditable=true aria-readonly=true role=textbox aria-label=Fixed>kept</div>",
        true,
    );
    assert_eq!(
        lines(&text),
        [
            "<div aria-label='Code' editable='true'>f(x); end/>",
            "<div role='textbox' aria-label='Fixed' readonly='true'>kept/>"
        ],
        "{text}"
    );
}

#[test]
fn generated_text_and_pointers_name_what_has_no_other_name() {
    let world = World::new();
    let task = world.at("change.html");
    let text = text_of_body(
        &task,
        "<style>#a::before { content: 'Heading 1' } #b::before { content: '\\e900' } .x { width: 20px; height: 20px }</style>\
         <span id=a role=button tabindex=0></span><button id=b class='panel-close x'></button><div class=x style='cursor:ns-resize'></div>",
        true,
    );
    assert_eq!(
        lines(&text),
        [
            "<span role='button' label='Heading 1'/>",
            "<button label='panel close'/>",
            "<div label='resize ns'/>"
        ],
        "{text}"
    );
}

#[test]
fn a_frame_that_is_replaced_is_told_by_itself() {
    let world = World::new();
    let task = world.at("change.html");
    let near = world.site.a("/plain/frame-inner.html?round=");
    let far = world.site.b("/plain/spin.html");
    // A frame of another process keeps the reading waiting; meanwhile one of this process goes on and on.
    let body = format!(
        "document.body.innerHTML = '<button>Steady</button><iframe id=near></iframe><iframe id=far></iframe>';
         const [near, far] = ['near', 'far'].map((id) => document.getElementById(id));
         far.src = {}; near.src = {} + 0; let round = 0;
         setInterval(() => near.contentWindow.location.replace({1} + ++round), 60); 0",
        json!(far),
        json!(near)
    );
    js(&task, &body);
    let alone = json!(["frame_url_changed"]);
    let told = (0..60).any(|_| {
        let state: Value = task.ok(
            "get_browser_state",
            json!({"viewportExpansion": -1, "includeFrames": true}),
        );
        assert!(state["text"].as_str().unwrap().contains(">Steady/>"));
        state["snapshotIssues"] == alone
    });
    assert!(told, "a replaced frame was never told");
}
