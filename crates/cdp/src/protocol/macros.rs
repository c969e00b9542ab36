//! One declaration per protocol item. From it come the struct, its serde shape, its trait and its entry in the list of
//! names that a test compares with the published protocol, so that there is no second list to keep.

use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// Tells which values are left out of a message. Only an empty `Option` is; the trait exists because a macro cannot
/// see whether a field's type is one.
pub(crate) trait Absent {
    /// Whether the member is to be left out.
    fn is_absent(&self) -> bool {
        false
    }
}

impl<T> Absent for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T> Absent for Vec<T> {}
impl<K, V> Absent for BTreeMap<K, V> {}
impl Absent for Box<RawValue> {}
impl Absent for String {}
impl Absent for bool {}
impl Absent for f64 {}
impl Absent for i64 {}

/// Declares the items of one domain:
///
/// ```text
/// protocol! {
///     domain "Page";
///     command Navigate = "navigate" { url: String, frame_id: Option<String> } -> NavigateReply { frame_id: String }
///     command Enable = "enable" {} -> Empty
///     event LoadEventFired = "loadEventFired" { timestamp: f64 }
///     object Frame { id: String }
/// }
/// ```
///
/// A field whose name on the wire is not its camel case carries it: `document_url = "documentURL": String`.
macro_rules! protocol {
    (
        domain $domain:literal;
        $(
            $(#[$meta:meta])*
            $kind:ident $name:ident $(= $wire:literal)? { $($fields:tt)* }
            $(-> $reply:ident $({ $($reply_fields:tt)* })?)?
        )*
    ) => {
        $(
            protocol_item! {
                $domain $kind [$(#[$meta])*] $name $(= $wire)? { $($fields)* } $(-> $reply $({ $($reply_fields)* })?)?
            }
        )*

        #[doc = concat!("The names that the declarations of the domain `", $domain, "` use.")]
        pub const NAMES: &[$crate::protocol::names::Entry] =
            &[$(protocol_entry!($domain $kind $name $(= $wire)? $(-> $reply)?)),*];
    };
}

/// One item: its struct or structs, and its trait.
macro_rules! protocol_item {
    ($domain:literal command [$($meta:tt)*] $name:ident = $wire:literal { $($fields:tt)* }
        -> $reply:ident { $($reply_fields:tt)* }) => {
        protocol_struct! { [#[doc = concat!("Reply of `", $domain, ".", $wire, "`.")]] $reply { $($reply_fields)* } }
        protocol_item! { $domain command [$($meta)*] $name = $wire { $($fields)* } -> $reply }
    };
    ($domain:literal command [$($meta:tt)*] $name:ident = $wire:literal { $($fields:tt)* } -> $reply:ident) => {
        protocol_struct! {
            [#[doc = concat!("Command `", $domain, ".", $wire, "`.")] $($meta)*] $name { $($fields)* }
        }
        impl $crate::Command for $name {
            const METHOD: &'static str = concat!($domain, ".", $wire);
            type Reply = $reply;
        }
    };
    ($domain:literal event [$($meta:tt)*] $name:ident = $wire:literal { $($fields:tt)* }) => {
        protocol_struct! { [#[doc = concat!("Event `", $domain, ".", $wire, "`.")] $($meta)*] $name { $($fields)* } }
        impl $crate::EventType for $name {
            const METHOD: &'static str = concat!($domain, ".", $wire);
        }
    };
    ($domain:literal object [$($meta:tt)*] $name:ident $(= $wire:literal)? { $($fields:tt)* }) => {
        protocol_struct! {
            [#[doc = concat!("Type `", $domain, ".", protocol_wire!($name $(= $wire)?), "`.")] $($meta)*]
            $name { $($fields)* }
        }
        impl $crate::protocol::macros::Absent for $name {}
    };
}

/// A struct with the serde shape that all items share.
macro_rules! protocol_struct {
    ([$($meta:tt)*] $name:ident { $($(#[$field_meta:meta])* $field:ident $(= $wire:literal)? : $type:ty),* $(,)? }) => {
        $($meta)*
        #[derive(Debug, Clone, Default, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(default, rename_all = "camelCase")]
        #[allow(missing_docs, reason = "the protocol's own documentation describes each member")]
        pub struct $name {
            $(
                $(#[$field_meta])*
                #[serde(skip_serializing_if = "crate::protocol::macros::Absent::is_absent" $(, rename = $wire)?)]
                pub $field: $type,
            )*
        }
    };
}

/// An item's entry in the list of names.
macro_rules! protocol_entry {
    ($domain:literal $kind:ident $name:ident $(= $wire:literal)? $(-> $reply:ident)?) => {
        $crate::protocol::names::Entry {
            domain: $domain,
            kind: stringify!($kind),
            name: protocol_wire!($name $(= $wire)?),
            shape: $crate::protocol::names::Shape::of::<$name>(),
            reply: &[$($crate::protocol::names::Shape::of::<$reply>())?],
        }
    };
}

/// The protocol's name of an item.
macro_rules! protocol_wire {
    ($name:ident) => {
        stringify!($name)
    };
    ($name:ident = $wire:literal) => {
        $wire
    };
}
