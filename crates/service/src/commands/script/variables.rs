//! `{{name}}` in a script: replaced by the JSON of the value, quotes around the braces included, so that no value can
//! break out of the place that it was put in.

use serde_json::{Map, Value};

/// Puts `vars` into `source`. Returns the script and the names that were used.
///
/// `"{{k}}"`, `'{{k}}'` and a bare `{{k}}` all become the JSON text of the value, which is a JavaScript literal: JSON is
/// a subset of ECMAScript since ES2019, and `<` is escaped so that a script inside a page's markup stays closed.
pub(super) fn apply(source: &str, vars: &Map<String, Value>) -> (String, Vec<String>) {
    let mut out = String::with_capacity(source.len());
    let mut used: Vec<String> = Vec::new();
    let mut rest = source;
    while let Some(at) = rest.find("{{") {
        let (before, tail) = rest.split_at(at);
        let Some((name, literal, end)) = placeholder(tail, vars) else {
            out.push_str(before);
            out.push_str("{{");
            rest = &tail[2..];
            continue;
        };
        let after = &tail[end..];
        let quote = before
            .chars()
            .last()
            .filter(|c| matches!(c, '"' | '\'') && after.starts_with(*c));
        out.push_str(if quote.is_some() {
            &before[..before.len() - 1]
        } else {
            before
        });
        out.push_str(&literal);
        rest = if quote.is_some() { &after[1..] } else { after };
        if !used.contains(&name) {
            used.push(name);
        }
    }
    out.push_str(rest);
    (out, used)
}

/// Name, literal and length of a placeholder at the start of `tail`, when it names one of `vars`.
fn placeholder(tail: &str, vars: &Map<String, Value>) -> Option<(String, String, usize)> {
    let close = tail.find("}}")?;
    let name = tail.get(2..close)?.trim();
    let literal = vars.get(name)?.to_string().replace('<', "\\u003c");
    Some((name.to_owned(), literal, close + 2))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn vars(value: Value) -> Map<String, Value> {
        Map::from_iter([("x".to_owned(), value)])
    }

    #[test]
    fn all_three_spellings_become_literals() {
        for source in ["f(\"{{x}}\")", "f('{{x}}')", "f({{x}})", "f({{ x }})"] {
            assert_eq!(
                apply(source, &vars(json!("a'b\"c\n"))).0,
                r#"f("a'b\"c\n")"#,
                "{source}"
            );
        }
        assert_eq!(
            apply("{{x}} + {{y}}", &vars(json!(3))),
            ("3 + {{y}}".into(), vec!["x".into()])
        );
    }

    #[test]
    fn a_value_is_never_read_as_a_placeholder() {
        assert_eq!(apply("'{{x}}'", &vars(json!("{{x}}"))).0, "\"{{x}}\"");
    }

    proptest! {
        #[test]
        fn no_value_breaks_out(text in any::<String>()) {
            let (script, _) = apply("'{{x}}'", &vars(json!(text)));
            prop_assert_eq!(serde_json::from_str::<String>(&script).unwrap(), text);
        }
    }
}
