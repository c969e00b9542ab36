//! What is drawn rather than written: image maps, canvases, list boxes, layers that cover, frames that are covered.

use serde_json::json;
use support::Task;

use crate::harness::{World, index_of, js, page_text, whole_text};

fn page<'a>(world: &'a World, html: &str) -> Task<'a> {
    let task = world.at("change.html");
    let html = serde_json::to_string(html).unwrap();
    js(&task, &format!("document.body.innerHTML = {html}; 0"));
    task
}

const MAP: &str = "<img usemap='#m' width=200 height=100 alt='' style='border:5px solid;padding:3px'><map name=m>\
    <area shape=rect coords='0,0,50,50' href='#north' alt=North><area shape=circle coords='150,50,30' href='#south' alt=South>\
    <area shape=poly coords='60,60,100,60,60,98' href='#corner' aria-label=Corner><area coords='1,1,1,1' href='#none' alt=None></map>";

#[test]
fn areas_of_an_image_map_are_listed_with_their_place_and_clicked() {
    let world = World::new();
    let task = page(&world, MAP);
    let state = task.ok("get_browser_state", json!({}));
    let text = state["text"].as_str().unwrap();
    assert!(
        text.contains("<area label='North' at='41,41'/>") && text.contains("<area label='South' at='166,66'/>"),
        "{text}"
    );
    assert!(!text.contains("None"), "{text}");
    let north = &state["elements"][0];
    assert_eq!(
        (&north["tag"], &north["rect"]),
        (&json!("area"), &json!([16.0, 16.0, 50.0, 50.0])),
        "{north}"
    );
    for (name, hash) in [("Corner", "#corner"), ("South", "#south")] {
        task.ok("click_element_by_index", json!({"index": index_of(text, name)}));
        assert_eq!(js(&task, "location.hash"), hash);
    }
}

#[test]
fn places_are_those_of_the_main_viewport() {
    let world = World::new();
    let task = page(
        &world,
        "<iframe id=f style='position:absolute;left:100px;top:200px;border:10px solid;width:400px;height:300px'></iframe>",
    );
    let html = serde_json::to_string(MAP).unwrap();
    js(&task, &format!("f.srcdoc = {html}; 0"));
    task.ok(
        "wait_for_element",
        json!({"selector": "area", "frame": "1", "visible": false}),
    );
    let text = page_text(&task);
    assert!(text.contains("<area label='North' at='151,251'/>"), "{text}");
}

#[test]
fn a_canvas_is_named_and_said_to_have_no_text() {
    let world = World::new();
    let task = page(
        &world,
        "<canvas aria-label='Sales chart' width=200 height=90></canvas><canvas width=200 height=90></canvas>\
         <canvas width=10 height=10 aria-label=Dot></canvas><canvas id=board width=100 height=100>Chess board</canvas>",
    );
    js(&task, "board.addEventListener('click', () => {}); 0");
    let text = page_text(&task);
    assert!(
        text.contains("<canvas label='Sales chart' text='none'/>") && text.contains("\n<canvas text='none'/>"),
        "{text}"
    );
    assert!(
        text.contains("[0]<canvas label='Chess board' text='none'/>") && !text.contains("Dot"),
        "{text}"
    );
}

#[test]
fn options_of_list_boxes_are_listed() {
    let world = World::new();
    let task = page(
        &world,
        "<select size=4 aria-label=One><option>Red<option selected>Green<option disabled>Blue</select>\
         <select multiple aria-label=Many><option selected>M1<option>M2</select><select aria-label=Closed><option>C1<option>C2</select>",
    );
    let text = whole_text(&task);
    assert!(text.contains("<option selected='true'>Green/>"), "{text}");
    let blue = text.lines().find(|line| line.contains("Blue")).unwrap();
    assert_eq!(blue.trim(), "<option disabled='true'>Blue/>");
    assert!(
        index_of(&text, ">M1/>") < index_of(&text, ">M2/>") && !text.contains("C2"),
        "{text}"
    );
}

#[test]
fn what_covers_is_named() {
    let world = World::new();
    let mask = "style='position:fixed;inset:0;background:#fff'";
    for (html, name) in [
        (
            format!("<div id=mask {mask}>Please wait</div>"),
            "div#mask \"Please wait\"",
        ),
        (format!("<div class='veil big' {mask}></div>"), "div.veil"),
        (
            format!("<div {mask}>--- 0 controls ---</div>"),
            "div \"\\-\\-\\- 0 controls \\-\\-\\-\"",
        ),
    ] {
        let task = page(&world, &format!("<button>A</button><button>B</button>{html}"));
        let text = page_text(&task);
        let expected = format!("--- 2 controls behind {name} cannot be reached now and are left out ---");
        assert!(
            text.lines().any(|line| line == expected) && !text.contains(">A/>"),
            "{expected}\n{text}"
        );
        assert!(whole_text(&task).contains(&expected));
        task.ok("close", json!({}));
    }
    let task = page(
        &world,
        "<button>A</button><dialog id=d aria-label='Sure?'><button>Yes</button></dialog>",
    );
    js(&task, "d.showModal(); 0");
    let text = page_text(&task);
    assert!(
        text.contains("1 control behind dialog#d \"Sure?\" cannot be reached now and is left out"),
        "{text}"
    );
    index_of(&text, ">Yes/>");
}

#[test]
fn a_frame_under_a_layer_of_its_parent_is_left_out_and_not_clicked() {
    let world = World::new();
    let task = page(
        &world,
        "<p>Above</p><iframe id=f srcdoc='<button>Inside</button>'></iframe>",
    );
    task.ok("wait_for_element", json!({"selector": "button", "frame": "1"}));
    let index = index_of(&page_text(&task), ">Inside/>");
    js(
        &task,
        "document.body.insertAdjacentHTML('beforeend', \"<div id=veil style='position:fixed;inset:0;background:#fff'>Wait</div>\"); 0",
    );
    let state = task.ok("get_browser_state", json!({}));
    assert_eq!(state["frames"][1]["skipReason"], "covered", "{state}");
    assert!(!state["text"].as_str().unwrap().contains("Inside"));
    let refused = task
        .call(
            "click_element_by_index",
            json!({"index": index, "mode": "native", "timeoutMs": 800}),
        )
        .expect_code("ELEMENT_OBSCURED");
    assert_eq!(
        (&refused["reason"], &refused["coveredBy"]["id"]),
        (&json!("frame-covered"), &json!("veil")),
        "{refused}"
    );
}
