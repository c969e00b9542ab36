//! Names and shapes of the declared items as serde sees them, for the test that compares them with the published
//! protocol. Taken from the types themselves, so that a list cannot disagree with what is sent.

use serde::de::{self, DeserializeOwned, Deserializer, Visitor};
use serde::{Serialize, forward_to_deserialize_any};
use serde_json::Value;

/// One declared item.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The domain, such as `Page`.
    pub domain: &'static str,
    /// `command`, `event` or `object`.
    pub kind: &'static str,
    /// The name within the domain, such as `navigate`.
    pub name: &'static str,
    /// Parameters of a command or event, members of an object.
    pub shape: Shape,
    /// What a command returns; empty for the others.
    pub reply: &'static [Shape],
}

/// The members of one struct.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    fields: fn() -> &'static [&'static str],
    always_present: fn() -> Vec<String>,
    read: fn(&Value) -> serde_json::Result<()>,
}

impl Shape {
    /// The shape of `T`.
    pub const fn of<T: Serialize + DeserializeOwned + Default>() -> Self {
        Self {
            fields: fields_of::<T>,
            always_present: always_present_in::<T>,
            read: read_as::<T>,
        }
    }

    /// All members, by their names on the wire.
    pub fn fields(&self) -> &'static [&'static str] {
        (self.fields)()
    }

    /// The members that are written whatever their value, in other words: that are not an `Option`.
    pub fn always_present(&self) -> Vec<String> {
        (self.always_present)()
    }

    /// Whether `json` can be read as this shape; the error says what does not fit.
    pub fn read(&self, json: &Value) -> serde_json::Result<()> {
        (self.read)(json)
    }
}

fn always_present_in<T: Serialize + Default>() -> Vec<String> {
    match serde_json::to_value(T::default()) {
        Ok(Value::Object(members)) => members.keys().cloned().collect(),
        _ => Vec::new(),
    }
}

fn read_as<T: DeserializeOwned>(json: &Value) -> serde_json::Result<()> {
    serde_json::from_str::<T>(&json.to_string()).map(drop)
}

fn fields_of<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut fields: &'static [&'static str] = &[];
    // Fails by design: the probe has no data to give, it only sees which members are asked for.
    let _ = T::deserialize(Probe(&mut fields));
    fields
}

/// A deserializer that notes the members of the struct it is asked for.
struct Probe<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Probe<'_> {
    type Error = de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(de::Error::custom("a probe holds no data"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        *self.0 = fields;
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
