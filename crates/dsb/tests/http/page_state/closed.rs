//! Closed shadow roots: read, named, clicked and filled like everything else.

use serde_json::json;

use crate::harness::{World, index_of, js, page_text, text_of};

#[test]
fn what_lies_in_a_closed_root_is_read_and_clicked() {
    let world = World::new();
    let task = world.at("shadow.html");
    let text = page_text(&task);
    for part in [
        "In the light",
        "In an open root",
        "In a nested root",
        "In a closed root",
        "In a declared root",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    let receipt = task.ok(
        "click_element_by_index",
        json!({"index": index_of(&text, "In a closed root")}),
    );
    assert_eq!(receipt["changed"], true, "{receipt}");
    assert_eq!(text_of(&task, "clicked"), "in-closed");
    assert!(!page_text(&task).contains('*'), "looking again makes nothing new");
}

#[test]
fn closed_roots_nest_and_come_late() {
    let world = World::new();
    let task = world.at("change.html");
    js(
        &task,
        "document.body.innerHTML = '<x-card></x-card><p id=said></p>'; \
         const outer = document.querySelector('x-card').attachShadow({mode: 'closed'}); \
         outer.innerHTML = '<label>Name <input></label><div></div>'; \
         outer.querySelector('input').oninput = (event) => { said.textContent = event.target.value; }; \
         const inner = outer.querySelector('div').attachShadow({mode: 'closed'}); \
         inner.innerHTML = '<button>Deep</button>'; inner.querySelector('button').onclick = () => { said.textContent = 'deep'; }; \
         window.late = () => { const host = document.createElement('section'); document.body.append(host); \
           host.attachShadow({mode: 'closed'}).innerHTML = '<button>Late</button>'; }; 0",
    );
    let text = page_text(&task);
    task.ok("click_element_by_index", json!({"index": index_of(&text, ">Deep/>")}));
    assert_eq!(text_of(&task, "said"), "deep");
    let field = index_of(&text, "label='Name'");
    task.ok("input_text", json!({"index": field, "text": "Ada"}));
    assert_eq!(text_of(&task, "said"), "Ada");
    js(&task, "late(); 0");
    let later = page_text(&task);
    assert!(
        later.contains("<button >Late/>") && later.contains("value='Ada'"),
        "{later}"
    );
    assert_eq!(index_of(&later, ">Deep/>"), index_of(&text, ">Deep/>"));
}
