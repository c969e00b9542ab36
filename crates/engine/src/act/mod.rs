//! Acting on a page with real input: clicking, typing, pressing keys. Invariant: an action says how it was done, what
//! really received the input and what was seen afterwards, and once input may have been delivered nothing is sent again.

mod click;
mod input;
mod keys;
mod observe;
mod pointer;
mod target;

pub use click::{ClickMode, ClickOptions, ClickReceipt, Ladder};
pub use input::{InputMode, InputReceipt, InputRequest};
pub use keys::Pressed;
pub use observe::{Hit, NavigationSeen, Observed};
pub use target::{Located, Target};
