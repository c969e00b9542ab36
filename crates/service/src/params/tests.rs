//! The check against tables that come from real structs.

use proptest::prelude::*;
use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::*;
use crate::messages::Language;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code)] // read through the schema only
struct Sample {
    /// Which tab.
    page_index: u32,
    /// What to write.
    text: String,
    /// How.
    #[serde(default)]
    mode: Mode,
    /// Another how.
    button: Option<Button>,
    #[schemars(range(min = 0.5, max = 2.5))]
    factor: Option<f64>,
    #[serde(default)]
    force: bool,
    #[serde(default = "thirty")]
    seconds: i64,
    #[schemars(length(max = 3))]
    items: Option<Vec<Value>>,
    vars: Option<Map<String, Value>>,
    anything: Option<Value>,
    #[schemars(extend("enum" = ["auto", "chrome"], "default" = "auto", "x-aliases" = {"google-chrome": "chrome"}))]
    browser: Option<String>,
}

fn thirty() -> i64 {
    30
}

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(extend("x-aliases" = {"force": "js"}))]
#[allow(dead_code)]
enum Mode {
    #[default]
    Auto,
    Js,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(dead_code)]
enum Button {
    /// The usual one.
    Left,
    /// The other one.
    Right,
}

fn table() -> ParamTable {
    let settings =
        schemars::generate::SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    ParamTable::from_schema(&settings.into_generator().into_root_schema_for::<Sample>().to_value())
}

fn check(sent: Value) -> Result<Checked, Failure> {
    let Value::Object(mut members) = sent else {
        panic!("an object")
    };
    for (name, value) in [("pageIndex", json!(1)), ("text", json!("x"))] {
        members.entry(name).or_insert(value);
    }
    table().check(members)
}

fn message(failure: &Failure) -> String {
    assert!(failure.is_invalid_argument() && failure.never_started());
    failure.text.render(Language::En)
}

#[test]
fn the_table_says_what_the_struct_says() {
    let table = table();
    let find = |name: &str| table.iter().find(|param| param.name == name).unwrap();
    assert_eq!(
        (find("pageIndex").kind, find("pageIndex").required),
        (Kind::Integer, true)
    );
    assert_eq!(
        (find("pageIndex").minimum, find("pageIndex").maximum),
        (Some(0.0), Some(f64::from(u32::MAX)))
    );
    assert_eq!(find("mode").choices, ["auto", "js"]);
    assert_eq!(find("mode").default, Some(json!("auto")));
    assert_eq!(find("mode").aliases, [("force".to_owned(), "js".to_owned())]);
    assert_eq!(find("mode").description, "How.");
    assert_eq!(
        (
            find("button").kind,
            find("button").choices.len(),
            find("button").required
        ),
        (Kind::String, 2, false)
    );
    assert_eq!(find("seconds").default, Some(json!(30)));
    assert_eq!(find("items").kind, Kind::Array);
    assert_eq!(find("vars").kind, Kind::Object);
    assert_eq!(find("anything").kind, Kind::Any);
    assert_eq!(find("browser").choices, ["auto", "chrome"]);
    assert!(table.names().starts_with("pageIndex, text, mode"));
}

#[test]
fn references_say_the_same_as_inlined_schemas() {
    let by_reference = ParamTable::from_schema(&schema_for!(Sample).to_value());
    let difference = by_reference
        .iter()
        .zip(table().iter().cloned().collect::<Vec<_>>())
        .find(|(a, b)| *a != b);
    assert!(difference.is_none(), "{difference:?}");
}

#[test]
fn values_are_converted_without_loss() {
    let checked = check(json!({
        "pageIndex": " 3 ", "text": 12, "factor": "1.5", "force": "TRUE", "seconds": 4.0, "mode": "FORCE",
        "button": "Right", "browser": "Google-Chrome", "anything": [null], "items": [1, 2, 3], "vars": {"a": null},
    }))
    .unwrap();
    let params = &checked.params;
    assert_eq!(params["pageIndex"], 3);
    assert_eq!(params["text"], "12");
    assert_eq!(params["factor"], 1.5);
    assert_eq!(params["force"], true);
    assert_eq!(params["seconds"], 4);
    assert_eq!(
        (&params["mode"], &params["button"], &params["browser"]),
        (&json!("js"), &json!("right"), &json!("chrome"))
    );
    assert_eq!(params["anything"], json!([null]));
    assert!(serde_json::from_value::<Sample>(Value::Object(checked.params)).is_ok());
}

#[test]
fn wrong_types_are_named_with_parameter_expectation_and_what_came() {
    for (sent, parts) in [
        (json!({"pageIndex": "one"}), ["pageIndex", "integer", "string"]),
        (json!({"pageIndex": 1.5}), ["pageIndex", "integer", "number 1.5"]),
        (json!({"pageIndex": true}), ["pageIndex", "integer", "boolean true"]),
        (json!({"text": ["x"]}), ["text", "string", "array"]),
        (json!({"force": 1}), ["force", "boolean", "number 1"]),
        (json!({"factor": "wide"}), ["factor", "number", "string"]),
        (json!({"items": "[]"}), ["items", "array", "string"]),
        (json!({"vars": []}), ["vars", "object", "array"]),
    ] {
        let failure = check(sent.clone()).unwrap_err();
        let text = message(&failure);
        assert!(parts.iter().all(|part| text.contains(part)), "{sent}: {text}");
        assert_eq!(failure.data["parameter"], parts[0]);
    }
}

#[test]
fn bounds_lengths_and_choices_are_kept() {
    for sent in [
        json!({"pageIndex": -1}),
        json!({"pageIndex": 4_294_967_296_u64}),
        json!({"factor": 0.4}),
        json!({"factor": 1e300}),
        json!({"items": [1, 2, 3, 4]}),
        json!({"mode": "turbo"}),
        json!({"browser": "netscape"}),
    ] {
        message(&check(sent).unwrap_err());
    }
    let text = message(&check(json!({"factor": 3})).unwrap_err());
    assert!(
        text.contains("0.5") && text.contains("2.5") && text.contains('3'),
        "{text}"
    );
}

#[test]
fn missing_and_confused_names_are_told_apart() {
    let missing = |sent: Value| {
        let Value::Object(sent) = sent else { panic!("an object") };
        message(&table().check(sent).unwrap_err())
    };
    assert_eq!(missing(json!({"text": "x"})), "missing parameter pageIndex.");
    let confused = missing(json!({"text": "x", "index": 4}));
    assert!(
        confused.contains("you sent index: 4") && confused.contains("rename it to pageIndex"),
        "{confused}"
    );
    let slip = missing(json!({"pageIndex": 1, "txet": "secret"}));
    assert!(slip.contains("you sent txet") && !slip.contains("secret"), "{slip}");
    assert_eq!(missing(json!({"pageIndex": 1, "text": ""})), "missing parameter text.");
    assert_eq!(
        missing(json!({"pageIndex": null, "text": "x"})),
        "missing parameter pageIndex."
    );
}

#[test]
fn unknown_names_are_collected_and_framework_names_are_not_unknown() {
    let checked =
        check(json!({"zeta": 1, "alpha": null, "async": true, "retryOnSpurious": "true", "mode": null})).unwrap();
    assert_eq!(checked.unknown, ["zeta", "alpha"]);
    assert!(checked.run_async && checked.retry_on_spurious);
    assert!(!checked.params.contains_key("mode"));
    assert!(check(json!({"retryOnSpurious": 3})).is_err());
}

proptest! {
    #[test]
    fn whatever_is_sent_is_refused_in_words_or_taken_by_serde(
        number in prop_oneof![any::<i64>().prop_map(Value::from), any::<f64>().prop_map(Value::from)],
        text in ".{0,12}",
    ) {
        for value in [number, Value::String(text), json!([]), json!({}), json!(true)] {
            for name in ["pageIndex", "text", "mode", "button", "factor", "force", "seconds", "items", "vars", "anything"] {
                match check(json!({name: value.clone()})) {
                    Ok(checked) => {
                        let taken = serde_json::from_value::<Sample>(Value::Object(checked.params));
                        prop_assert!(taken.is_ok(), "{name} {value}: {taken:?}");
                    }
                    Err(failure) => prop_assert!(failure.is_invalid_argument()),
                }
            }
        }
    }
}
