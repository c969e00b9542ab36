//! What makes a type a protocol command or a protocol event. Implemented by the `protocol!` macro for every item of
//! [`crate::protocol`], and open to callers that need a command which is not there.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A protocol command: serialised, it is the `params` member of the message.
pub trait Command: Serialize + Send {
    /// Domain and name, such as `Page.navigate`.
    const METHOD: &'static str;
    /// What the `result` member of the answer holds; [`crate::Empty`] where the protocol returns nothing.
    type Reply: DeserializeOwned + Send;
}

/// A protocol event: what its `params` member holds.
pub trait EventType: DeserializeOwned {
    /// Domain and name, such as `Page.frameNavigated`.
    const METHOD: &'static str;
}
