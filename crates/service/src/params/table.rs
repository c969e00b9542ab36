//! The description of parameters: what a JSON schema says, in the words of the catalogue.
//!
//! Invariant: made once per command from its schema; there is no second list of parameters to keep.

use serde_json::{Map, Value};

/// JSON type of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the JSON types
pub enum Kind {
    String,
    Integer,
    Number,
    Boolean,
    Object,
    Array,
    Any,
}

impl Kind {
    /// The spelling used in catalogues and messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::String => "string",
            Kind::Integer => "integer",
            Kind::Number => "number",
            Kind::Boolean => "boolean",
            Kind::Object => "object",
            Kind::Array => "array",
            Kind::Any => "any",
        }
    }

    fn parse(name: &str) -> Kind {
        match name {
            "string" => Kind::String,
            "integer" => Kind::Integer,
            "number" => Kind::Number,
            "boolean" => Kind::Boolean,
            "object" => Kind::Object,
            "array" => Kind::Array,
            _ => Kind::Any,
        }
    }
}

/// One parameter of a command.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// Name on the wire.
    pub name: String,
    /// JSON type.
    pub kind: Kind,
    /// Whether the command fails without it.
    pub required: bool,
    /// Value used when it is absent, where the declaration fixes one.
    pub default: Option<Value>,
    /// The allowed values, empty when anything goes.
    pub choices: Vec<String>,
    /// Other spellings of choices (schema extension `x-aliases`), spelling first.
    pub aliases: Vec<(String, String)>,
    /// Least value, or least length of a string or array.
    pub minimum: Option<f64>,
    /// Greatest value, or greatest length of a string or array.
    pub maximum: Option<f64>,
    /// The doc comment.
    pub description: String,
}

/// The parameters of a command in the order of their declaration.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ParamTable(Vec<Param>);

impl ParamTable {
    /// Reads the table out of the schema of an object.
    pub fn from_schema(schema: &Value) -> Self {
        let required: Vec<&str> = schema["required"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let properties = schema["properties"].as_object().into_iter().flatten();
        ParamTable(
            properties
                .map(|(name, property)| param(schema, name, property, required.contains(&name.as_str())))
                .collect(),
        )
    }

    /// The parameters in order.
    pub fn iter(&self) -> impl Iterator<Item = &Param> {
        self.0.iter()
    }

    /// The names in order, joined for a message.
    pub fn names(&self) -> String {
        self.0
            .iter()
            .map(|param| param.name.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    }
}

fn param(root: &Value, name: &str, property: &Value, required: bool) -> Param {
    let merged = flatten(root, property);
    let kind = kind_of(&merged);
    let (minimum, maximum) = bounds(&merged, kind);
    Param {
        name: name.to_owned(),
        kind,
        required,
        default: merged.get("default").filter(|value| !value.is_null()).cloned(),
        choices: choices(&merged),
        aliases: aliases(&merged),
        minimum,
        maximum,
        description: merged
            .get("description")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
    }
}

/// One level of keywords: references followed, and the nullable wrapper of an `Option` taken off. Keywords beside a
/// wrapper or reference win over those inside, because they belong to the field.
fn flatten(root: &Value, schema: &Value) -> Map<String, Value> {
    let Some(own) = schema.as_object() else {
        return Map::new();
    };
    let mut merged = Map::new();
    if let Some(target) = own
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|at| root.pointer(at.trim_start_matches('#')))
    {
        merged = flatten(root, target);
    }
    if let Some(variants) = own.get("anyOf").and_then(Value::as_array) {
        let mut real = variants.iter().filter(|variant| variant["type"] != "null");
        if let (Some(only), None) = (real.next(), real.next()) {
            merged.extend(flatten(root, only));
        }
    }
    merged.extend(
        own.iter()
            .filter(|(key, _)| *key != "$ref" && *key != "anyOf")
            .map(|(k, v)| (k.clone(), v.clone())),
    );
    merged
}

fn kind_of(schema: &Map<String, Value>) -> Kind {
    let named = match schema.get("type") {
        Some(Value::String(name)) => vec![name.as_str()],
        Some(Value::Array(names)) => names
            .iter()
            .filter_map(Value::as_str)
            .filter(|name| *name != "null")
            .collect(),
        _ if !choices(schema).is_empty() => vec!["string"],
        _ => Vec::new(),
    };
    match named.as_slice() {
        [only] => Kind::parse(only),
        _ => Kind::Any,
    }
}

/// The values of an enumeration: schemars writes `enum` for bare variants and `oneOf`/`const` for documented ones.
fn choices(schema: &Map<String, Value>) -> Vec<String> {
    let list = |key: &str| schema.get(key).and_then(Value::as_array).into_iter().flatten();
    let bare = list("enum").filter_map(Value::as_str).map(str::to_owned);
    let documented = list("oneOf").flat_map(|variant| {
        let many = variant["enum"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str);
        variant["const"]
            .as_str()
            .into_iter()
            .chain(many)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    });
    bare.chain(documented).collect()
}

fn aliases(schema: &Map<String, Value>) -> Vec<(String, String)> {
    let extension = schema.get("x-aliases").and_then(Value::as_object).into_iter().flatten();
    extension
        .filter_map(|(alias, choice)| Some((alias.clone(), choice.as_str()?.to_owned())))
        .collect()
}

fn bounds(schema: &Map<String, Value>, kind: Kind) -> (Option<f64>, Option<f64>) {
    let (least, greatest) = match kind {
        Kind::String => ("minLength", "maxLength"),
        Kind::Array => ("minItems", "maxItems"),
        _ => ("minimum", "maximum"),
    };
    let number = |key: &str| schema.get(key).and_then(Value::as_f64);
    let (from, to) = width(schema.get("format").and_then(Value::as_str).unwrap_or_default());
    let maximum = match (number(greatest), to) {
        (Some(stated), Some(width)) => Some(stated.min(width)),
        (stated, width) => stated.or(width),
    };
    (number(least).or(from), maximum)
}

/// Bounds that a Rust integer type has and schemars leaves out.
fn width(format: &str) -> (Option<f64>, Option<f64>) {
    match format {
        "int8" => (Some(i8::MIN.into()), Some(i8::MAX.into())),
        "int16" => (Some(i16::MIN.into()), Some(i16::MAX.into())),
        "int32" => (Some(i32::MIN.into()), Some(i32::MAX.into())),
        "uint8" => (Some(0.0), Some(u8::MAX.into())),
        "uint16" => (Some(0.0), Some(u16::MAX.into())),
        "uint32" => (Some(0.0), Some(u32::MAX.into())),
        _ => (None, None),
    }
}
