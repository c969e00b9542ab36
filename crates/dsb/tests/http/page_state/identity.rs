//! An index is an element: after any change of the page it resolves to the very node that it was given for, or is
//! refused. The node is told by a marker that the test's own script gives it, never twice.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, js, whole_text};

/// Rounds of changes, each on a page of its own.
const CASES: u32 = 12;

/// The page's own side: numbers nodes by an attribute, changes them at random, and answers where a number is now.
const SETUP: &str = "
  document.body.innerHTML = '<div id=root></div>';
  let next = 0;
  const mark = (el) => { el.dataset.marker = next++; return el; };
  const make = (text) => { const el = mark(document.createElement('button')); el.textContent = text; return el; };
  const holders = () => [root, ...root.querySelectorAll('div')];
  const all = () => [...root.querySelectorAll('button')];
  const pick = (list, n) => list[n % list.length];
  window.marks = () => Object.fromEntries(all().map((el) => [el.dataset.marker, el.textContent]));
  window.change = ([kind, a, b]) => {
    const el = pick(all(), a);
    const holder = pick(holders(), b);
    if (kind === 'insert' || !el) holder.insertBefore(make('T' + (b % 3)), pick([null, ...holder.children], a));
    else if (kind === 'remove') el.remove();
    else if (kind === 'move') holder.insertBefore(el, pick([null, ...holder.children], a));
    else if (kind === 'replace') el.replaceWith(make(el.textContent));
    else if (kind === 'text') el.textContent = 'T' + (b % 3);
    else if (kind === 'attribute') el.setAttribute(pick(['title', 'class', 'aria-label', 'name'], b), 'v' + b);
    else if (kind === 'rebuild') { const inner = root.innerHTML; root.innerHTML = inner; all().forEach(mark); }
    else { const div = document.createElement('div'); holder.append(div); div.append(el); }
  };
  for (let i = 0; i < 6; i++) root.append(make('T' + (i % 3)));
  0";

fn changes() -> impl Strategy<Value = Vec<Vec<(String, u16, u16)>>> {
    let kinds = prop_oneof![
        3 => Just("insert"), 2 => Just("remove"), 3 => Just("move"), 2 => Just("replace"), 2 => Just("text"),
        1 => Just("attribute"), 1 => Just("wrap"), 1 => Just("rebuild"),
    ];
    let change = (kinds, any::<u16>(), any::<u16>()).prop_map(|(kind, a, b)| (kind.to_owned(), a, b));
    proptest::collection::vec(proptest::collection::vec(change, 1..5), 1..4)
}

/// The node that an index stands for now; `None` when it is refused.
fn node_behind(task: &Task<'_>, index: u64) -> Option<u64> {
    let reply = task.call("get_element_attribute", json!({"index": index, "name": "data-marker"}));
    if !reply.is_ok() {
        assert_eq!(reply.error_code(), "STALE_ELEMENT", "{}", reply.body);
        return None;
    }
    Some(reply.data()["value"].as_str().unwrap().parse().unwrap())
}

/// Indices of the page text, with what is printed after them.
fn listed(text: &str) -> BTreeMap<u64, String> {
    let of = |line: &str| {
        let line = line.trim_start().trim_start_matches('*').strip_prefix('[')?;
        let (index, rest) = line.split_once(']')?;
        Some((index.parse().ok()?, rest.to_owned()))
    };
    text.lines().filter_map(of).collect()
}

fn living(task: &Task<'_>) -> BTreeMap<u64, String> {
    let marks: Value = js(task, "marks()");
    let marks = marks.as_object().unwrap().iter();
    marks
        .map(|(marker, text)| (marker.parse().unwrap(), text.as_str().unwrap().to_owned()))
        .collect()
}

#[test]
fn every_index_is_its_own_node_or_refused() {
    let world = World::new();
    let task = world.at("change.html");
    let mut runner = TestRunner::new(Config {
        cases: CASES,
        max_shrink_iters: 24,
        failure_persistence: None,
        ..Config::default()
    });
    let held = runner.run(&changes(), |rounds| {
        task.ok("reload", json!({}));
        js(&task, SETUP);
        let (mut known, mut dead) = (BTreeMap::new(), BTreeSet::new());
        for round in rounds {
            for index in listed(&whole_text(&task)).into_keys() {
                prop_assert!(!dead.contains(&index), "index {} was given a second time", index);
                let node = node_behind(&task, index).expect("an index that was just given");
                prop_assert_eq!(
                    *known.entry(index).or_insert(node),
                    node,
                    "index {} changed its node",
                    index
                );
            }
            let distinct: BTreeSet<&u64> = known.values().collect();
            prop_assert_eq!(distinct.len(), known.len(), "two indices for one node");
            js(&task, &format!("{}.forEach(change); 0", json!(round)));
            let alive = living(&task);
            for (index, node) in known.clone() {
                if let Some(found) = node_behind(&task, index) {
                    prop_assert_eq!(found, node, "index {} reached another node", index);
                    continue;
                }
                prop_assert!(
                    !alive.contains_key(&node),
                    "index {} was refused though its node lives",
                    index
                );
                known.remove(&index);
                dead.insert(index);
            }
            for (index, line) in listed(&whole_text(&task)) {
                if let Some(node) = known.get(&index) {
                    prop_assert!(line.contains(&alive[node]), "{} does not show {}", line, alive[node]);
                }
            }
        }
        Ok(())
    });
    held.unwrap();
}
