//! The members of the reading replies: those that the contract names are there, of its kinds, and no more null than told.

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, js};

const STATE: &str = "url:string title:string browser_state:string text:string tabs:array pixels_above:integer \
    pixels_below:integer viewport_height:integer page_height:integer frames:array frameCount:integer includeFrames:boolean \
    frameHint?:string mediaCount:integer imageCount:integer mediaHint:string mediaSamples:array elements:array \
    elementCount:integer elementsTruncated:boolean elementsHint:string snapshotConsistent:boolean snapshotAttempts:integer \
    indicesUsable:boolean snapshotStrict?:boolean snapshotIssues?:array snapshotMutations?:integer snapshotHint?:string \
    pageAppearsBlank?:boolean snapshotId:string listenerDetection?:string seq:integer";
const TAB: &str = "index:integer url:string title:string current:boolean";
const FRAME: &str = "index:integer url:string name:string isMain:boolean depth:integer elementCount:integer \
    indexRange:string readError?:string skipped?:boolean skipReason?:string";
const MAP: &str = "count:integer elements:array source:string snapshotId:string";
const RECORD: &str = "index:integer tag:string xpath:string visible:boolean rect:array listenerDetection:string \
    frameIndex:integer frameUrl:string resolved:boolean hasListeners?:boolean listeners?:array";
const FACTS: &str = "url:string title:string tabs:array loading:boolean dialog?:object logs?:array requests?:array";
const DIFF: &str = "url:string title:string tabs:array first:boolean changed:boolean added:array removed:array";
const FOUND: &str = "matchCount:integer returned:integer truncated:boolean matches:array pattern:string regex:boolean \
    contextChars:integer source:string textLength:integer hint?:string";
const MATCH: &str = "index:integer line:integer match:string before:string after:string";
const TABLES: &str = "count:integer tables:array url:string title:string hint:string";
const WORDS: &str =
    "markdown:string length:integer truncated:boolean source:string url:string title:string links:array";

/// `name:kind`; a `?` after the name stands for a member that the page gives no cause for.
fn assert_members(of: &str, reply: &Value, members: &str) {
    for member in members.split_whitespace() {
        let (name, kind) = member.split_once(':').unwrap();
        let value = &reply[name.trim_end_matches('?')];
        let right = match kind {
            _ if name.ends_with('?') => value.is_null(),
            "string" => value.is_string(),
            "integer" => value.is_u64(),
            "boolean" => value.is_boolean(),
            "array" => value.is_array(),
            _ => panic!("{member} has no kind"),
        };
        assert!(right, "{of} {member}: {value}");
    }
}

fn page(world: &World) -> Task<'_> {
    let task = world.at("change.html");
    js(
        &task,
        "document.title = 'Members'; document.body.innerHTML = '<h1>Words</h1><form><input type=checkbox checked name=c value=v aria-label=C><a href=/x class=k>Link</a></form>' + \
         '<img width=300 height=200 src=\"data:image/gif;base64,R0lGODlhAQABAAAAACw=\"><table><tr><td>Cell</td></tr></table>'; 0",
    );
    task
}

#[test]
fn replies_about_the_whole_page_hold_what_the_contract_names() {
    let world = World::new();
    let task = page(&world);
    let state = task.ok("get_browser_state", json!({"maxElements": 1}));
    assert_members("get_browser_state", &state, STATE);
    assert_eq!(
        (&state["title"], &state["mediaSamples"][0]["w"]),
        (&json!("Members"), &json!(300))
    );
    assert_members("tabs", &state["tabs"][0], TAB);
    assert_members("frames", &state["frames"][0], FRAME);
    let map = task.ok("get_interactive_map", json!({}));
    assert_members("get_interactive_map", &map, MAP);
    for element in map["elements"].as_array().unwrap() {
        assert_members("elements", element, RECORD);
    }
    assert_members(
        "elements",
        &map["elements"][0],
        "name:string type:string value:string checked:boolean",
    );
    assert_members(
        "elements",
        &map["elements"][1],
        "href:string className:string text:string",
    );
    assert_members(
        "list_frames",
        &task.ok("list_frames", json!({})),
        "frames:array count:integer note:string",
    );
    js(&task, "document.body.innerHTML = ''; 0");
    let blank = task.ok("get_browser_state", json!({}));
    assert_eq!((&blank["pageAppearsBlank"], &blank["text"]), (&json!(true), &json!("")));
}

#[test]
fn replies_about_parts_hold_what_the_contract_names() {
    let world = World::new();
    let task = page(&world);
    assert_members("get_page_snapshot", &task.ok("get_page_snapshot", json!({})), FACTS);
    assert_members("diff_dom_text", &task.ok("diff_dom_text", json!({})), DIFF);
    let found = task.ok("find_text", json!({"text": "Cell"}));
    assert_members("find_text", &found, FOUND);
    assert_members("matches", &found["matches"][0], MATCH);
    assert_members("list_tables", &task.ok("list_tables", json!({})), TABLES);
    assert_members(
        "extract_markdown",
        &task.ok("extract_markdown", json!({"includeLinks": true})),
        WORDS,
    );
}
