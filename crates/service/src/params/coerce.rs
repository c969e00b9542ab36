//! Conversion of one sent value to the type that its parameter asks for.
//!
//! Invariant: only conversions without loss: numeric strings, `"true"`/`"false"`, numbers and booleans as strings.
//! Everything else is an argument error that names the parameter, what it expects and what came.

use serde_json::{Number, Value};

use super::{Kind, Param};
use crate::failure::Failure;
use crate::text;

/// The value in the parameter's type, inside its bounds, an enumeration in its canonical spelling.
pub(super) fn coerce(param: &Param, value: Value) -> Result<Value, Failure> {
    let value = match param.kind {
        Kind::String if !param.choices.is_empty() => return choice(param, value),
        Kind::String => Value::String(string(param, value)?),
        Kind::Integer => integer(param, value)?,
        Kind::Number => number(param, value)?,
        Kind::Boolean => boolean(&param.name, value)?,
        Kind::Object if !value.is_object() => return Err(wrong_type(&param.name, Kind::Object, &value)),
        Kind::Array if !value.is_array() => return Err(wrong_type(&param.name, Kind::Array, &value)),
        Kind::Object | Kind::Array | Kind::Any => value,
    };
    within_bounds(param, &value)?;
    Ok(value)
}

/// `true`, `false`, or one of the two as a string.
pub(super) fn boolean(name: &str, value: Value) -> Result<Value, Failure> {
    match &value {
        Value::Bool(_) => Ok(value),
        Value::String(text) if text.trim().eq_ignore_ascii_case("true") => Ok(Value::Bool(true)),
        Value::String(text) if text.trim().eq_ignore_ascii_case("false") => Ok(Value::Bool(false)),
        _ => Err(wrong_type(name, Kind::Boolean, &value)),
    }
}

fn string(param: &Param, value: Value) -> Result<String, Failure> {
    match value {
        Value::String(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(flag) => Ok(flag.to_string()),
        other => Err(wrong_type(&param.name, Kind::String, &other)),
    }
}

fn integer(param: &Param, value: Value) -> Result<Value, Failure> {
    let parsed = match &value {
        Value::Number(number) => whole(number),
        Value::String(text) => parse_number(text).as_ref().and_then(whole),
        _ => None,
    };
    parsed
        .map(Value::Number)
        .ok_or_else(|| wrong_type(&param.name, Kind::Integer, &value))
}

fn number(param: &Param, value: Value) -> Result<Value, Failure> {
    let parsed = match &value {
        Value::Number(number) => Some(number.clone()),
        Value::String(text) => parse_number(text),
        _ => None,
    };
    parsed
        .map(Value::Number)
        .ok_or_else(|| wrong_type(&param.name, Kind::Number, &value))
}

fn parse_number(text: &str) -> Option<Number> {
    let text = text.trim();
    text.parse::<i64>()
        .map(Number::from)
        .ok()
        .or_else(|| text.parse::<f64>().ok().and_then(Number::from_f64))
}

/// The integer that a number stands for; 3.0 is one, 3.5 and 1e300 are none.
fn whole(number: &Number) -> Option<Number> {
    /// Above this, a double no longer tells neighbouring integers apart.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.is_i64() || number.is_u64() {
        return Some(number.clone());
    }
    number
        .as_f64()
        .filter(|value| value.fract() == 0.0 && value.abs() <= EXACT)
        .map(|value| Number::from(value as i64))
}

fn choice(param: &Param, value: Value) -> Result<Value, Failure> {
    let sent = string(param, value)?;
    let wanted = sent.trim();
    let alias = param
        .aliases
        .iter()
        .find(|(alias, _)| alias.eq_ignore_ascii_case(wanted))
        .map(|(_, choice)| choice);
    let named = param
        .choices
        .iter()
        .find(|choice| choice.eq_ignore_ascii_case(wanted))
        .or(alias);
    named.map(|choice| Value::String(choice.clone())).ok_or_else(|| {
        let text = text!(
            "params.not_a_choice",
            name = &param.name,
            given = sent,
            choices = param.choices.join(" / ")
        );
        Failure::invalid(text).with("parameter", param.name.clone())
    })
}

fn within_bounds(param: &Param, value: &Value) -> Result<(), Failure> {
    let (size, is_length) = match value {
        Value::Number(number) => (number.as_f64().unwrap_or(f64::INFINITY), false),
        Value::String(text) if param.maximum.is_some() || param.minimum.is_some() => {
            (text.chars().count() as f64, true)
        }
        Value::Array(items) => (items.len() as f64, true),
        _ => return Ok(()),
    };
    let inside =
        param.minimum.is_none_or(|least| size >= least) && param.maximum.is_none_or(|greatest| size <= greatest);
    if inside {
        Ok(())
    } else {
        Err(out_of_bounds(param, value, size, is_length))
    }
}

fn out_of_bounds(param: &Param, value: &Value, size: f64, is_length: bool) -> Failure {
    let shown = |bound: Option<f64>| bound.map_or_else(|| "…".to_owned(), |bound| bound.to_string());
    let (name, minimum, maximum) = (&param.name, shown(param.minimum), shown(param.maximum));
    let text = if is_length {
        text!(
            "params.length_out_of_range",
            name = name,
            given = size,
            minimum = minimum,
            maximum = maximum
        )
    } else {
        text!(
            "params.out_of_range",
            name = name,
            given = value,
            minimum = minimum,
            maximum = maximum
        )
    };
    Failure::invalid(text)
        .with("parameter", name.clone())
        .with("minimum", param.minimum)
        .with("maximum", param.maximum)
}

fn wrong_type(name: &str, expected: Kind, given: &Value) -> Failure {
    let text = text!(
        "params.wrong_type",
        name = name,
        expected = expected.as_str(),
        given = describe(given)
    );
    Failure::invalid(text).with("parameter", name)
}

/// Type of a value, and the value itself where it is short and cannot be a secret.
fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => format!("boolean {flag}"),
        Value::Number(number) => format!("number {number}"),
        Value::String(_) => "string".to_owned(),
        Value::Array(_) => "array".to_owned(),
        Value::Object(_) => "object".to_owned(),
    }
}
