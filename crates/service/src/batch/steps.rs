//! The shape of a batch: what an item of the array may look like.
//!
//! Invariant: pure; an error names the item by its index from 0 and means that nothing was executed.

use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::messages::Text;
use crate::pipeline::admit;
use crate::registry::Registry;
use crate::text;

/// One item: a method, its parameters, and what is expected afterwards.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The method.
    pub method: String,
    /// Its parameters.
    pub params: Map<String, Value>,
    /// `expect` as sent.
    pub expect: Option<Value>,
}

/// Reads the array of a batch. `{"method":{…}}` and `{"method":"…","params":{…}}` mean the same; either may carry
/// `expect`.
pub fn parse(items: Vec<Value>, limit: usize, registry: &'static Registry) -> Result<Vec<Step>, Failure> {
    if items.is_empty() {
        return Err(Failure::invalid(text!("batch.empty")));
    }
    if items.len() > limit {
        let text = text!("batch.too_long", limit = limit, count = items.len());
        return Err(Failure::invalid(text).with("limit", limit).with("count", items.len()));
    }
    items
        .into_iter()
        .enumerate()
        .map(|(index, item)| step(index, item, registry))
        .collect()
}

fn step(index: usize, item: Value, registry: &'static Registry) -> Result<Step, Failure> {
    let wrong =
        |text: Text| Failure::invalid(text!("batch.bad_item", index = index, reason = text)).with("index", index);
    let Value::Object(mut members) = item else {
        return Err(wrong(text!("batch.not_object")));
    };
    let expect = members.shift_remove("expect").filter(|value| !value.is_null());
    if expect.as_ref().is_some_and(|expect| !expect.is_object()) {
        return Err(wrong(text!("batch.expect_not_object")));
    }
    let (method, params) = if members.get("method").is_some_and(Value::is_string) {
        spelled_out(members).ok_or_else(|| wrong(text!("batch.one_key")))?
    } else {
        let mut entries = members.into_iter();
        match (entries.next(), entries.next()) {
            (Some(only), None) => only,
            _ => return Err(wrong(text!("batch.one_key"))),
        }
    };
    let params = match params {
        Value::Null => Map::new(),
        Value::Object(params) => params,
        _ => return Err(wrong(text!("batch.params_not_object", method = method))),
    };
    let declaration = admit::find(registry, &method).map_err(|failure| Failure {
        text: text!("batch.bad_item", index = index, reason = failure.text.clone()),
        ..failure.with("index", index)
    })?;
    if !declaration.flags.batchable {
        return Err(wrong(text!("batch.nested", method = method)));
    }
    Ok(Step { method, params, expect })
}

/// `method` and `params` of an item that has these two members only.
fn spelled_out(mut members: Map<String, Value>) -> Option<(String, Value)> {
    let Some(Value::String(method)) = members.shift_remove("method") else {
        return None;
    };
    let params = members.shift_remove("params").unwrap_or(Value::Null);
    members.is_empty().then_some((method, params))
}
