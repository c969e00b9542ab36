//! Changing fields of a JSON document by their paths. Pure. Invariant: what is not named stays as it is, and a document
//! that cannot be changed as asked is left alone as a whole.

use serde_json::{Map, Value};

/// Values by path: `user.name`, `rows.0.id`, `rows.*.price` for every member of a list or object.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonPatch {
    fields: Vec<(Vec<String>, Value)>,
}

impl JsonPatch {
    /// Reads paths and values. `None` when there is none, or a path has an empty part.
    #[must_use]
    pub fn parse(fields: &Map<String, Value>) -> Option<Self> {
        let path = |text: &str| text.split('.').map(str::to_owned).collect::<Vec<_>>();
        let fields: Vec<_> = fields.iter().map(|(name, value)| (path(name), value.clone())).collect();
        let sound = |(path, _): &(Vec<String>, Value)| path.iter().all(|part| !part.is_empty());
        (!fields.is_empty() && fields.iter().all(sound)).then_some(Self { fields })
    }

    /// The document with the values set; `None` when it is no JSON or a path leads nowhere in it.
    #[must_use]
    pub fn apply(&self, document: &[u8]) -> Option<Vec<u8>> {
        let mut document: Value = serde_json::from_slice(document).ok()?;
        for (path, value) in &self.fields {
            if set(&mut document, path, value) == 0 {
                return None;
            }
        }
        serde_json::to_vec(&document).ok()
    }
}

/// How many places the path led to. The last part may name a new member of an object; everything before has to exist.
fn set(at: &mut Value, path: &[String], value: &Value) -> usize {
    let Some((part, rest)) = path.split_first() else {
        *at = value.clone();
        return 1;
    };
    match at {
        Value::Array(items) if part == "*" => items.iter_mut().map(|item| set(item, rest, value)).sum(),
        Value::Object(members) if part == "*" => members.values_mut().map(|member| set(member, rest, value)).sum(),
        Value::Array(items) => {
            let item = part.parse::<usize>().ok().and_then(|at| items.get_mut(at));
            item.map_or(0, |item| set(item, rest, value))
        }
        Value::Object(members) if rest.is_empty() => {
            members.insert(part.clone(), value.clone());
            1
        }
        Value::Object(members) => members.get_mut(part).map_or(0, |member| set(member, rest, value)),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::JsonPatch;
    use serde_json::{Value, json};

    fn patched(fields: Value, document: &str) -> Option<Value> {
        let patch = JsonPatch::parse(fields.as_object()?)?;
        serde_json::from_slice(&patch.apply(document.as_bytes())?).ok()
    }

    #[test]
    fn paths_lead_into_lists_and_objects() {
        let document = r#"{"user":{"name":"a"},"rows":[{"id":1},{"id":2}]}"#;
        let all = json!({"user.name": "b", "rows.*.id": 9, "rows.1.extra": true, "total": 2});
        assert_eq!(
            patched(all, document).unwrap(),
            json!({"user": {"name": "b"}, "rows": [{"id": 9}, {"id": 9, "extra": true}], "total": 2})
        );
    }

    #[test]
    fn a_path_that_leads_nowhere_changes_nothing() {
        for fields in [json!({"a.b": 1}), json!({"rows.5": 1}), json!({"rows.*.id": 1})] {
            assert!(patched(fields, r#"{"rows":[]}"#).is_none());
        }
        assert!(patched(json!({"a": 1}), "<html>").is_none());
        assert!(patched(json!({}), "{}").is_none() && patched(json!({"a..b": 1}), "{}").is_none());
    }
}
