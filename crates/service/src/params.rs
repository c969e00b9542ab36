//! Parameters as the catalogue describes them, read from the JSON schema of a command's struct, and the check of what
//! a caller sent against that description.
//!
//! Invariant: the check runs before anything is started and its only outcomes are an argument error that names the
//! parameter, or parameters that serde accepts; unknown names are collected, never an error.

mod coerce;
mod table;

use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::near_miss;
use crate::text;

pub use table::{Kind, Param, ParamTable};

/// Names that every method understands and that are taken by the pipeline, not by the command.
pub const FRAMEWORK_NAMES: [&str; 2] = ["async", "retryOnSpurious"];

/// Parameters that passed the check.
#[derive(Debug, Default)]
pub struct Checked {
    /// Known parameters with the types that the schema asks for.
    pub params: Map<String, Value>,
    /// Names that the command does not know, as sent.
    pub unknown: Vec<String>,
    /// `async:true` was sent.
    pub run_async: bool,
    /// `retryOnSpurious:true` was sent: the caller allows a second run of a command that is not resend-safe.
    pub retry_on_spurious: bool,
}

impl ParamTable {
    /// Checks and converts what was sent. Null counts as absent, an empty required string as missing.
    pub fn check(&self, mut sent: Map<String, Value>) -> Result<Checked, Failure> {
        let mut checked = Checked {
            run_async: framework_flag(&sent, FRAMEWORK_NAMES[0])?,
            retry_on_spurious: framework_flag(&sent, FRAMEWORK_NAMES[1])?,
            ..Checked::default()
        };
        let mut missing = None;
        for param in self.iter() {
            let value = sent.shift_remove(&param.name).filter(|value| !value.is_null());
            match value.filter(|value| !(param.required && is_blank(param, value))) {
                Some(value) => {
                    checked.params.insert(param.name.clone(), coerce::coerce(param, value)?);
                }
                None if param.required => missing = missing.or(Some(param)),
                None => {}
            }
        }
        sent.retain(|name, _| !FRAMEWORK_NAMES.contains(&name.as_str()));
        match missing {
            Some(param) => Err(missing_parameter(param, &sent)),
            None => {
                checked.unknown = sent.into_iter().map(|(name, _)| name).collect();
                Ok(checked)
            }
        }
    }
}

fn is_blank(param: &Param, value: &Value) -> bool {
    param.kind == Kind::String && value.as_str().is_some_and(str::is_empty)
}

fn framework_flag(sent: &Map<String, Value>, name: &str) -> Result<bool, Failure> {
    match sent.get(name) {
        None | Some(Value::Null) => Ok(false),
        Some(value) => coerce::boolean(name, value.clone()).map(|value| value == Value::Bool(true)),
    }
}

fn missing_parameter(param: &Param, unknown: &Map<String, Value>) -> Failure {
    let slip = unknown
        .iter()
        .find(|(sent, _)| near_miss::confusable(&param.name, sent));
    let text = match slip {
        // Only numbers and booleans are repeated: a string under a wrong name may be a secret.
        Some((sent, value)) if value.is_number() || value.is_boolean() => {
            text!("params.missing_value", name = &param.name, sent = sent, value = value)
        }
        Some((sent, _)) => text!("params.missing_slip", name = &param.name, sent = sent),
        None => text!("params.missing", name = &param.name),
    };
    Failure::invalid(text).with("parameter", param.name.clone())
}

#[cfg(test)]
mod tests;
