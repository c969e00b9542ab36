//! What a person sees is listed, each element judged by itself.

use serde_json::json;

use crate::harness::{World, js};

/// Markup, what is listed of it, what is not.
const CASES: &[(&str, &[&str], &[&str])] = &[
    (
        "<div style='visibility:hidden'>Unseen <button style='visibility:visible'>Shown</button><button>Gone</button></div>",
        &["Shown"],
        &["Unseen", "Gone"],
    ),
    (
        "<div style='display:contents'><button>Button</button>Text</div>",
        &["Button", "Text"],
        &[],
    ),
    (
        "<div style='content-visibility:hidden;width:200px;height:50px'><button>Skipped</button>Words</div><div style='content-visibility:auto'><button>Drawn</button></div>",
        &["Drawn"],
        &["Skipped", "Words"],
    ),
    (
        "<div style='width:0;height:0'><button>Spilled</button></div><div style='width:0;height:0;overflow:hidden'><button>Swallowed</button>Words</div>",
        &["Spilled"],
        &["Swallowed", "Words"],
    ),
    (
        "<div style='transform:scale(0)'><button>Shrunk</button></div><div style='transform:translateX(-5000px)'><button>Away</button></div><div style='transform:rotate(3deg);width:200px'><button>Turned</button></div>",
        &["Turned"],
        &["Shrunk", "Away"],
    ),
    (
        "<div style='clip-path:inset(50%)'><button>Clipped</button></div><span style='position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)'>For readers</span><p>Kept</p>",
        &["Kept"],
        &["Clipped", "For readers"],
    ),
    (
        "<details><summary>More</summary><button>Folded</button></details><details open><summary>Less</summary><button>Unfolded</button></details>",
        &["More", "Less", "Unfolded"],
        &["Folded/"],
    ),
    (
        "<div inert><button>Inert</button></div><button>Alive</button>",
        &["Alive"],
        &["Inert"],
    ),
    (
        "<div popover id=closed><button>Later</button></div><div popover id=shown><button>Now</button></div><dialog><button>Closed</button></dialog>",
        &["Now"],
        &["Later", "Closed"],
    ),
    (
        "<p style='opacity:0'>Clear <button>Clear button</button></p><p style='font-size:0'>Tiny</p><p style='color:transparent'>Colourless</p><p style='opacity:.4'>Pale</p>",
        &["Pale"],
        &["Clear", "Tiny", "Colourless"],
    ),
    (
        "<p hidden>Hidden</p><p hidden=until-found>Findable</p><p style='display:none'>None</p><p aria-hidden=true>Seen all the same</p>",
        &["Seen all the same"],
        &["Hidden", "Findable", "None"],
    ),
    (
        "<p style='position:absolute;left:-9999px'>Far left</p><p style='text-indent:-9999px'>Pushed out</p><p>Here</p>",
        &["Here"],
        &["Far left", "Pushed out"],
    ),
    (
        "<div style='height:30px;overflow:hidden'><div style='height:30px'>Within</div><div style='height:30px'><button>Beyond</button></div></div>",
        &["Within"],
        &["Beyond"],
    ),
    (
        "<div style='position:relative;height:40px'><button style='position:absolute;inset:0'>Below</button><div style='position:absolute;inset:0;background:#fff'>On top</div></div>",
        &["On top"],
        &["Below"],
    ),
    (
        "<slot-host></slot-host>",
        &["In the slot", "Fallback"],
        &["Not assigned"],
    ),
];

#[test]
fn each_element_is_judged_by_itself() {
    let world = World::new();
    let task = world.at("change.html");
    let mut wrong = Vec::new();
    for (html, listed, left_out) in CASES {
        let html = serde_json::to_string(html).unwrap();
        js(
            &task,
            &format!(
                "document.body.innerHTML = {html}; document.getElementById('shown')?.showPopover(); \
                 const host = document.querySelector('slot-host'); if (host) {{ host.innerHTML = '<b slot=a>In the slot</b><i slot=z>Not assigned</i>'; \
                 host.attachShadow({{mode: 'open'}}).innerHTML = '<slot name=a></slot> <slot name=b>Fallback</slot>'; }} 0"
            ),
        );
        let text = task.ok("get_browser_state", json!({}))["text"]
            .as_str()
            .unwrap()
            .to_owned();
        for part in *listed {
            if !text.contains(part) {
                wrong.push(format!("{part} is missing of {html}\n{text}"));
            }
        }
        for part in *left_out {
            if text.contains(part) {
                wrong.push(format!("{part} is listed of {html}\n{text}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn the_whole_page_leaves_out_what_nobody_can_see_either() {
    let world = World::new();
    let task = world.at("change.html");
    let mut wrong = Vec::new();
    for (html, listed, left_out) in CASES {
        // What covers or clips is found by trying points, which the view alone has.
        if html.contains("Beyond") || html.contains("Below") || html.contains("slot-host") || html.contains("popover") {
            continue;
        }
        let html = serde_json::to_string(html).unwrap();
        js(
            &task,
            &format!("document.body.innerHTML = '<div style=\"height:3000px\"></div>' + {html}; 0"),
        );
        let text = task.ok("get_browser_state", json!({"viewportExpansion": -1}))["text"]
            .as_str()
            .unwrap()
            .to_owned();
        wrong.extend(
            listed
                .iter()
                .filter(|part| !text.contains(**part))
                .map(|part| format!("{part} is missing\n{text}")),
        );
        wrong.extend(
            left_out
                .iter()
                .filter(|part| text.contains(**part))
                .map(|part| format!("{part} is listed\n{text}")),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
