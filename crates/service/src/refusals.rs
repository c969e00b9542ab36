//! What a refusal of the page script becomes: its code is kept, its reason chooses the words, its facts are passed on.

use serde_json::{Map, Value};

use crate::failure::{Code, Failure};
use crate::messages::Text;
use crate::text;

/// The codes that the page script raises.
const RAISED: [Code; 10] = [
    Code::InvalidArgument,
    Code::ElementNotFound,
    Code::ElementReadOnly,
    Code::ElementDisabled,
    Code::ElementObscured,
    Code::ElementHidden,
    Code::ElementNotEditable,
    Code::StaleElement,
    Code::ActionTimeout,
    Code::ActionUncertain,
];

/// The failure for a refusal. A code that is not known is the script's own failure.
pub(crate) fn refused(code: &str, reason: &str, facts: &Map<String, Value>) -> Failure {
    let code = RAISED
        .into_iter()
        .find(|known| known.as_str() == code)
        .unwrap_or(Code::ActionFailed);
    let text = words(code, reason, facts);
    let mut failure = if code == Code::InvalidArgument {
        Failure::invalid(text)
    } else {
        Failure::new(code, text)
    };
    failure = failure.with("reason", reason);
    for (name, value) in facts {
        failure = failure.with(name, value.clone());
    }
    if code == Code::ElementObscured {
        failure = failure
            .with("mouseSkipped", "target-covered")
            .with_text("coveredHint", covered_hint(facts));
    }
    failure
}

/// What closes the cover, as far as the page tells.
fn covered_hint(facts: &Map<String, Value>) -> Text {
    let hint = facts.get("closeHint");
    let modal = hint.is_some_and(|hint| hint["looksModal"] == true);
    let buttons = hint.and_then(|hint| hint["buttons"].as_array());
    let named: Vec<String> = buttons
        .into_iter()
        .flatten()
        .filter_map(|button| {
            let text = button["text"].as_str().filter(|text| !text.is_empty())?;
            match button["index"].as_u64() {
                Some(index) => Some(format!("[{index}] \"{text}\"")),
                None => Some(format!("\"{text}\"")),
            }
        })
        .collect();
    match (modal, named.is_empty()) {
        (true, false) => text!("refused.obscured_modal_controls", controls = named.join(", ")),
        (true, true) => text!("refused.obscured_modal"),
        (false, false) => text!("refused.obscured_controls", controls = named.join(", ")),
        (false, true) => text!("refused.obscured_hint"),
    }
}

fn words(code: Code, reason: &str, facts: &Map<String, Value>) -> Text {
    let what = target(facts);
    match code {
        Code::InvalidArgument if reason == "malformed-value" => {
            text!(
                "refused.malformed_value",
                what = what,
                expected = word(facts, "expected")
            )
        }
        _ if CHOICES.contains(&reason) => choice_words(reason, facts),
        Code::InvalidArgument if reason == "outside-viewport" => text!(
            "refused.outside_viewport",
            x = number(facts, "x"),
            y = number(facts, "y"),
            width = number(facts, "width"),
            height = number(facts, "height")
        ),
        Code::InvalidArgument if reason == "empty-text" => text!("reading.empty_text"),
        Code::ElementReadOnly => text!("refused.read_only", what = what),
        Code::ElementDisabled => text!("refused.disabled", what = what, reason = reason),
        Code::ElementObscured if reason == "pointer-events-none" => text!("refused.takes_no_pointer", what = what),
        Code::ElementObscured => text!("refused.obscured", what = what, cover = described(facts, "coveredBy")),
        Code::ElementHidden => text!("refused.hidden", what = what, reason = reason),
        Code::ElementNotEditable if reason == "select" => text!("refused.is_select", what = what),
        Code::ElementNotEditable => text!("refused.not_editable", what = what),
        Code::ActionFailed if reason == "focus-refused" => {
            text!("refused.focus", what = what, focused = described(facts, "focused"))
        }
        Code::ActionFailed if reason == "takes-no-focus" => {
            text!(
                "refused.takes_no_focus",
                what = what,
                focused = described(facts, "focused")
            )
        }
        Code::ActionFailed if reason == "no-scroller" => text!("refused.no_scroller", what = what),
        Code::ElementNotFound if reason == "text-not-found" => match facts.get("hidden") {
            Some(Value::Bool(true)) => text!("refused.text_hidden", text = word(facts, "text")),
            _ => text!("refused.text_not_found", text = word(facts, "text")),
        },
        Code::ElementNotFound if reason == "role-not-found" => role_words(facts),
        Code::StaleElement => text!("refused.stale", reason = reason),
        Code::ActionTimeout => text!("refused.timeout", reason = reason),
        Code::ActionUncertain => text!("engine.uncertain", reason = reason),
        Code::InvalidArgument | Code::ElementNotFound => selector_words(code, reason, facts),
        _ => text!("refused.other", reason = reason, message = word(facts, "message")),
    }
}

/// Reasons that have to do with lists to choose from, and with labels.
const CHOICES: [&str; 9] = [
    "option-not-found",
    "list-not-opened",
    "option-disabled",
    "not-multiple",
    "label-only",
    "not-shown",
    "not-a-select",
    "no-label",
    "ambiguous-label",
];

fn choice_words(reason: &str, facts: &Map<String, Value>) -> Text {
    let what = target(facts);
    match reason {
        "option-not-found" => text!(
            "choose.not_found",
            what = what,
            wanted = word(facts, "text"),
            count = number(facts, "optionCount"),
            options = listed(facts, "options")
        ),
        "list-not-opened" => text!("choose.not_opened", what = what),
        "option-disabled" => text!("choose.disabled", what = what),
        "not-multiple" => text!("choose.single", what = what),
        "label-only" => text!("choose.label_only", what = what),
        "not-shown" => text!("choose.not_shown", what = what, shown = listed(facts, "shown")),
        "no-label" => text!(
            "input.no_label",
            label = word(facts, "label"),
            labels = listed(facts, "labels")
        ),
        "ambiguous-label" => {
            text!(
                "input.ambiguous_label",
                label = word(facts, "label"),
                labels = listed(facts, "labels")
            )
        }
        _ => text!("choose.not_a_list", what = what),
    }
}

/// The texts of a list among the facts, in quotes.
fn listed(facts: &Map<String, Value>, name: &str) -> String {
    let all = facts
        .get(name)
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default();
    let quoted: Vec<String> = all
        .iter()
        .filter_map(Value::as_str)
        .map(|text| format!("\"{text}\""))
        .collect();
    quoted.join(", ")
}

fn role_words(facts: &Map<String, Value>) -> Text {
    let (role, name) = (word(facts, "role"), word(facts, "name"));
    let names: Vec<&str> = facts
        .get("names")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    match names.is_empty() {
        true => text!("refused.role_not_found", role = role),
        false => text!(
            "refused.role_name_not_found",
            role = role,
            name = name,
            names = names.join(", ")
        ),
    }
}

fn selector_words(code: Code, reason: &str, facts: &Map<String, Value>) -> Text {
    let selector = word(facts, "selector");
    if code == Code::InvalidArgument {
        let message = word(facts, "message");
        return text!(
            "refused.invalid_argument",
            reason = reason,
            selector = selector,
            message = message
        );
    }
    if reason == "nth-out-of-range" {
        let (nth, matched) = (number(facts, "nth"), number(facts, "matched"));
        return text!(
            "refused.nth_out_of_range",
            selector = selector,
            nth = nth,
            matched = matched
        );
    }
    text!("refused.not_found", selector = selector)
}

/// A number among the facts, as text; empty when there is none.
pub(crate) fn number(facts: &Map<String, Value>, name: &str) -> String {
    facts.get(name).map(Value::to_string).unwrap_or_default()
}

/// A text among the facts; empty when there is none.
pub(crate) fn word(facts: &Map<String, Value>, name: &str) -> String {
    facts.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn target(facts: &Map<String, Value>) -> String {
    described(facts, "target")
}

/// `<button#ok> "Save"` from a description made by the page script.
fn described(facts: &Map<String, Value>, member: &str) -> String {
    let Some(Value::Object(node)) = facts.get(member) else {
        return String::from("the element");
    };
    named(node)
}

/// `<button#ok> "Save"` from a description made by the page script.
pub(crate) fn named(node: &Map<String, Value>) -> String {
    let part = |name: &str| node.get(name).and_then(Value::as_str).unwrap_or_default();
    let id = if part("id").is_empty() {
        String::new()
    } else {
        format!("#{}", part("id"))
    };
    let text = if part("text").is_empty() {
        String::new()
    } else {
        format!(" \"{}\"", part("text"))
    };
    format!("<{}{id}>{text}", part("tag"))
}
