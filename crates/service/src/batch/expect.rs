//! Expectations: a script whose value must meet a condition after a step has succeeded.
//!
//! Invariant: comparing is pure and never fails; a script that fails is an expectation that is not met.

use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// Characters of the actual value that are reported.
const ACTUAL_CHARS: usize = 500;
/// The operators in the order in which the first present one is taken.
const OPERATORS: [&str; 6] = ["equals", "notEquals", "min", "max", "contains", "truthy"];

/// A condition on the value of a script.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expectation {
    js: String,
    /// Operator and expected value; two of them for `min` with `max`, which must both hold.
    conditions: Vec<(&'static str, Value)>,
}

/// How an expectation came out.
#[derive(Debug)]
pub(super) struct Met {
    pub(super) passed: bool,
    /// The actual value as text, cut.
    pub(super) actual: String,
    /// Operator and expected value, for the message.
    pub(super) wanted: String,
    /// The member `expectResult`.
    pub(super) facts: Value,
}

impl Expectation {
    /// Reads `expect`. Nothing sent is no expectation.
    pub(super) fn parse(sent: Option<Value>) -> Result<Option<Expectation>, Failure> {
        let Some(Value::Object(mut members)) = sent else {
            return Ok(None);
        };
        let js = match members.shift_remove("js") {
            Some(Value::String(js)) if !js.trim().is_empty() => js,
            _ => return Err(Failure::invalid(text!("batch.expect_needs_js"))),
        };
        if let Some(unknown) = members.keys().find(|name| !OPERATORS.contains(&name.as_str())) {
            let text = text!("batch.expect_unknown", name = unknown, known = OPERATORS.join(", "));
            return Err(Failure::invalid(text));
        }
        Ok(Some(Expectation {
            js,
            conditions: conditions(&mut members),
        }))
    }

    /// Evaluates the script in the main frame and compares.
    pub(super) async fn evaluate(&self, cx: &Context) -> Met {
        let limit = cx.config().eval.timeout_ms;
        let limit = (limit > 0).then(|| cx.within_deadline(Duration::from_millis(limit)));
        match cx.evaluate(&self.js, limit).await {
            Ok(actual) => self.judge(&actual, None),
            Err(failure) => self.judge(&Value::Null, Some(cx.say(&failure.text))),
        }
    }

    fn judge(&self, actual: &Value, error: Option<String>) -> Met {
        let passed = error.is_none()
            && self
                .conditions
                .iter()
                .all(|(operator, wanted)| holds(operator, actual, wanted));
        let shown = cut(&string_form(actual));
        let matcher = self
            .conditions
            .iter()
            .map(|(operator, _)| *operator)
            .collect::<Vec<_>>()
            .join("+");
        let expected = match self.conditions.as_slice() {
            [(_, only)] => only.clone(),
            several => several.iter().map(|(_, wanted)| wanted.clone()).collect(),
        };
        let wanted = self
            .conditions
            .iter()
            .map(|(operator, wanted)| format!("{operator} {wanted}"));
        let long = string_form(actual).chars().nth(ACTUAL_CHARS).is_some();
        Met {
            passed,
            wanted: wanted.collect::<Vec<_>>().join(", "),
            facts: json!({
                "passed": passed,
                "actual": if long { Value::String(shown.clone()) } else { actual.clone() },
                "js": self.js,
                "matcher": matcher,
                "expected": expected,
                "error": error.clone(),
            }),
            actual: error.unwrap_or(shown),
        }
    }
}

fn conditions(members: &mut Map<String, Value>) -> Vec<(&'static str, Value)> {
    let present = |name: &&&'static str| members.contains_key(**name);
    let Some(first) = OPERATORS.iter().find(present).copied() else {
        return vec![("truthy", Value::Bool(true))];
    };
    let mut found = vec![(first, members[first].clone())];
    if let ("min", Some(most)) = (first, members.get("max")) {
        found.push(("max", most.clone()));
    }
    found
}

fn holds(operator: &str, actual: &Value, wanted: &Value) -> bool {
    match operator {
        "equals" => equal(actual, wanted),
        "notEquals" => !equal(actual, wanted),
        "min" => compare(actual, wanted).is_some_and(|(actual, wanted)| actual >= wanted),
        "max" => compare(actual, wanted).is_some_and(|(actual, wanted)| actual <= wanted),
        "contains" => contains(actual, wanted),
        _ => truthy(actual) == truthy(wanted),
    }
}

fn equal(actual: &Value, wanted: &Value) -> bool {
    if wanted.is_boolean() {
        return truthy(actual) == truthy(wanted);
    }
    if let Some((actual, wanted)) = compare(actual, wanted) {
        return actual == wanted;
    }
    let structured = |value: &Value| value.is_array() || value.is_object();
    if structured(actual) || structured(wanted) {
        return actual == wanted;
    }
    string_form(actual) == string_form(wanted)
}

fn compare(actual: &Value, wanted: &Value) -> Option<(f64, f64)> {
    Some((number(actual)?, number(wanted)?))
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
        _ => None,
    }
}

fn contains(actual: &Value, wanted: &Value) -> bool {
    match actual {
        Value::Array(items) => items.iter().any(|item| equal(item, wanted)),
        other => string_form(other).contains(&string_form(wanted)),
    }
}

fn truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !matches!(text.as_str(), "" | "false" | "0" | "null"),
        Value::Array(items) => !items.is_empty(),
        Value::Object(_) => true,
    }
}

fn string_form(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(ACTUAL_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passes(expect: Value, actual: Value) -> bool {
        let mut expect = expect;
        expect["js"] = json!("1");
        Expectation::parse(Some(expect))
            .unwrap()
            .unwrap()
            .judge(&actual, None)
            .passed
    }

    #[test]
    fn equality_is_that_of_numbers_truth_text_or_structure() {
        for (wanted, actual, result) in [
            (json!(3), json!("3.0"), true),
            (json!("3"), json!(3), true),
            (json!(true), json!("yes"), true),
            (json!(false), json!("0"), true),
            (json!("a"), json!("a"), true),
            (json!("true"), json!(true), true),
            (json!([1, {"a": null}]), json!([1, {"a": null}]), true),
            (json!([1]), json!("[1]"), false),
            (json!("a"), json!("b"), false),
        ] {
            assert_eq!(
                passes(json!({"equals": wanted}), actual.clone()),
                result,
                "{wanted} {actual}"
            );
            assert_eq!(passes(json!({"notEquals": wanted}), actual), !result);
        }
    }

    #[test]
    fn bounds_are_numeric_and_go_together() {
        assert!(passes(json!({"min": 1, "max": 3}), json!(3)));
        assert!(!passes(json!({"min": 1, "max": 3}), json!(4)));
        assert!(!passes(json!({"max": 3}), json!("many")));
        assert!(
            passes(json!({"equals": 1, "max": 0}), json!(1)),
            "the first operator decides"
        );
    }

    #[test]
    fn texts_contain_and_arrays_hold() {
        assert!(passes(json!({"contains": "rust"}), json!("in rust we")));
        assert!(passes(json!({"contains": 2}), json!([1, "2"])));
        assert!(!passes(json!({"contains": 3}), json!([1, 2])));
    }

    #[test]
    fn nothing_sent_means_truthy() {
        for falsy in [
            json!(null),
            json!(0),
            json!(""),
            json!("false"),
            json!("0"),
            json!("null"),
            json!([]),
            json!(false),
        ] {
            assert!(!passes(json!({}), falsy.clone()), "{falsy}");
            assert!(passes(json!({"truthy": false}), falsy));
        }
        assert!(passes(json!({}), json!({})) && passes(json!({}), json!("no")));
    }

    #[test]
    fn a_failed_script_is_an_unmet_expectation() {
        let expectation = Expectation::parse(Some(json!({"js": "x", "notEquals": 1})))
            .unwrap()
            .unwrap();
        let met = expectation.judge(&Value::Null, Some("ReferenceError".into()));
        assert!(!met.passed);
        assert_eq!(met.facts["error"], "ReferenceError");
    }

    #[test]
    fn unknown_operators_and_missing_scripts_are_argument_errors() {
        for expect in [json!({"js": "1", "equal": 2}), json!({"equals": 2}), json!({"js": " "})] {
            assert!(Expectation::parse(Some(expect)).unwrap_err().is_invalid_argument());
        }
    }

    #[test]
    fn a_long_actual_value_is_cut() {
        let expectation = Expectation::parse(Some(json!({"js": "1"}))).unwrap().unwrap();
        let met = expectation.judge(&json!("x".repeat(600)), None);
        assert_eq!(met.facts["actual"].as_str().unwrap().chars().count(), 501);
    }
}
