//! Where a click goes: edges, clips, broken lines, shapes, image maps, frames that are moved, turned and zoomed.

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, index_of, js, text_of, whole_text};

fn click(task: &Task<'_>, selector: &str) -> Value {
    task.ok("click_element_by_selector", json!({"selector": selector}))
}

#[test]
fn every_shape_is_clicked_where_it_can_be_hit() {
    let world = World::new();
    let task = world.at("points.html");
    for (id, got) in [
        ("edge", "edge"),
        ("clipped", "clipped"),
        ("broken", "broken"),
        ("hollow", "hollow"),
        ("west", "west"),
        ("round", "round"),
        ("spinner", "spinner"),
        ("caption", "box"),
        ("box", "box"),
        ("under-header", "under-header"),
    ] {
        let receipt = click(&task, &format!("#{id}"));
        assert_eq!(
            (&receipt["mode"], &receipt["hit"]["id"]),
            (&json!("native"), &json!(id)),
            "{receipt}"
        );
        assert_eq!(text_of(&task, "clicked"), got, "{receipt}");
    }
}

#[test]
fn an_element_that_is_drawn_anew_under_the_pointer_is_clicked_and_told() {
    let world = World::new();
    for by_index in [true, false] {
        let task = world.at("points.html");
        let receipt = match by_index {
            true => {
                let index = index_of(&whole_text(&task), "Swaps under the pointer");
                task.ok("click_element_by_index", json!({"index": index}))
            }
            false => click(&task, "#swapped"),
        };
        assert!(receipt["warning"].as_str().unwrap().contains("equal"), "{receipt}");
        assert_eq!(text_of(&task, "clicked"), "swapped");
        assert_eq!(js(&task, "document.getElementById('swapped').dataset.hot"), "yes");
    }
}

#[test]
fn frames_that_are_turned_scaled_zoomed_and_nested_are_hit() {
    let world = World::new();
    let other = world.site.b("");
    for query in [String::new(), format!("?other={}", other.trim_end_matches('/'))] {
        let task = world.at(&format!("mapped.html{query}"));
        for frame in ["one", "two", "one-deep", "two-deep"] {
            task.ok("wait_for_element", json!({"selector": "#near", "frame": frame}));
            let receipt = task.ok(
                "click_element_by_selector",
                json!({"selector": "#near", "frame": frame}),
            );
            assert_eq!(receipt["hit"]["id"], "near", "{frame} {query}: {receipt}");
            let text = task.ok("get_element_text", json!({"selector": "#clicked", "frame": frame}));
            assert_eq!(text["text"], "near", "{frame} {query}");
        }
    }
}

#[test]
fn a_cover_in_the_frame_above_is_named_with_what_closes_it() {
    let world = World::new();
    let task = world.at("mapped.html?cover");
    whole_text(&task);
    let target = json!({"selector": "#near", "frame": "one"});
    let data = task
        .call("click_element_by_selector", target.clone())
        .expect_code("ELEMENT_OBSCURED");
    assert_eq!(
        (&data["coveredBy"]["id"], &data["target"]["id"], &data["quiet"]),
        (&json!("cover"), &json!("near"), &json!(true)),
        "{data}"
    );
    let button = &data["closeHint"]["buttons"][0];
    assert!(data["coveredHint"].as_str().unwrap().contains("Accept"), "{data}");
    task.ok("click_element_by_index", json!({"index": button["index"]}));
    task.ok("click_element_by_selector", target);
    let text = task.ok("get_element_text", json!({"selector": "#clicked", "frame": "one"}));
    assert_eq!(text["text"], "near");
}

#[test]
fn a_cover_in_the_frame_above_that_goes_is_waited_for() {
    let world = World::new();
    let task = world.at("mapped.html?cover=700");
    let receipt = task.ok(
        "click_element_by_selector",
        json!({"selector": "#near", "frame": "one"}),
    );
    assert_eq!(receipt["hit"]["id"], "near", "{receipt}");
}

#[test]
fn what_will_not_change_by_itself_is_told_early_and_what_will_is_waited_for() {
    let world = World::new();
    for (query, id, code) in [
        ("?cover", "under", "ELEMENT_OBSCURED"),
        ("", "dead", "ELEMENT_DISABLED"),
        ("", "gone", "ELEMENT_HIDDEN"),
    ] {
        let task = world.at(&format!("waiting.html{query}"));
        let selector = json!({"selector": format!("#{id}"), "timeoutMs": 60_000});
        let data = task.call("click_element_by_selector", selector).expect_code(code);
        assert_eq!(data["quiet"], true, "{data}");
        assert!(data["waitedMs"].as_u64().unwrap() < 30_000, "{data}");
        assert_eq!(text_of(&task, "clicked"), "none");
    }
    for (query, id) in [("?toast=1800", "under"), ("?answer=1800", "dead")] {
        let task = world.at(&format!("waiting.html{query}"));
        task.ok(
            "click_element_by_selector",
            json!({"selector": format!("#{id}"), "timeoutMs": 20_000}),
        );
        assert_eq!(text_of(&task, "clicked"), id);
    }
}
