//! How the tour is told: what was sent, what the receipt said.
//!
//! Invariant: nothing is told that was not in the reply, and page text is inert.

use serde_json::{Map, Value};

use crate::client::{Reply, summary_line};
use crate::terminal;

/// Members of a receipt that say what an action did, beyond the summary line.
const ESSENCE: &[&str] = &[
    "changed",
    "changeStatus",
    "changes",
    "effective",
    "committed",
    "valueMatches",
    "text",
    "navigation",
    "dialog",
];
const LINE_MAX: usize = 160;
const TEXT_LINES: usize = 40;

/// Prints the tour's steps with running numbers.
#[derive(Debug, Default)]
pub struct Story {
    step: usize,
}

impl Story {
    /// A line on its own.
    pub fn say(&self, text: &str) {
        // A tour whose reader has left goes on; its exit code still counts.
        let _ = terminal::print(text);
    }

    /// Begins a step.
    pub fn step(&mut self, title: &str) {
        self.step += 1;
        self.say(&format!("\n{:>2}. {title}", self.step));
    }

    /// What is sent.
    pub fn sent(&self, method: &str, params: &Map<String, Value>) {
        let params = Value::Object(params.clone()).to_string();
        self.say(&format!(
            "    sent     {}",
            terminal::cut(&format!("{method} {params}"), LINE_MAX)
        ));
    }

    /// What came back.
    pub fn received(&self, method: &str, reply: &Reply) {
        self.say(&format!(
            "    receipt  {}",
            summary_line(method, reply.elapsed, &reply.envelope)
        ));
        let data = &reply.envelope["data"];
        let facts = if method == "start" {
            started(data)
        } else {
            essence(method, data)
        };
        if !facts.is_empty() {
            self.say(&format!("             {}", terminal::cut(&facts, LINE_MAX)));
        }
        for step in data["results"].as_array().into_iter().flatten() {
            if let Some(expected) = step.get("expectResult") {
                let fact = format!("step {} expectation: {expected}", step["index"]);
                self.say(&format!("             {}", terminal::cut(&fact, LINE_MAX)));
            }
        }
    }

    /// The text of a page, as it was read.
    pub fn page(&self, text: &str) {
        let lines: Vec<_> = text.lines().collect();
        for line in lines.iter().take(TEXT_LINES) {
            self.say(&format!("    │ {}", terminal::lines(&line.replace('\t', "  "))));
        }
        if lines.len() > TEXT_LINES {
            self.say(&format!("    │ … {} more lines", lines.len() - TEXT_LINES));
        }
    }

    /// A conclusion drawn from what was read.
    pub fn note(&self, text: &str) {
        self.say(&format!("    note     {}", terminal::one_line(text)));
    }
}

fn essence(method: &str, data: &Value) -> String {
    let shown = ESSENCE
        .iter()
        .filter(|name| method != "get_browser_state" || **name != "text");
    let facts = shown.filter_map(|name| data.get(name).map(|value| format!("{name}={value}")));
    facts.collect::<Vec<_>>().join(" ")
}

/// Which task, which browser, and what there is to know about it.
fn started(data: &Value) -> String {
    let product = &data["browser"]["cdp"]["product"];
    let facts = [
        ("task", &data["id"]),
        ("browser", product),
        ("note", &data["browser"]["note"]),
    ];
    let told = facts
        .iter()
        .filter_map(|(name, value)| value.as_str().map(|text| format!("{name}: {text}")));
    told.collect::<Vec<_>>().join(", ")
}
