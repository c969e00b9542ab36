//! Acting on a page with real input: clicking, typing, pressing keys. Invariant: an action says how it was done, what
//! really received the input and what was seen afterwards, and once input may have been delivered nothing is sent again.

mod choose;
mod chooser;
mod click;
mod drag;
mod dragging;
mod file_drop;
mod find;
mod gestures;
mod held;
mod input;
mod keys;
mod label;
mod observe;
mod pointer;
mod target;
mod upload;

pub use choose::{Choosing, Selected, Suggesting, Wanted};
pub use click::{ClickMode, ClickOptions, ClickReceipt, Ladder, Outline};
pub use drag::{DragEnd, DragError, DragEvent, DragOptions, DragReceipt, DragSeen, Grip};
pub use find::{RoleChoice, TextChoice, TextSeen};
pub use gestures::{Mark, Scrolled};
pub(crate) use held::Held;
pub use input::{InputMode, InputReceipt, InputRequest, LateLook, LateState};
pub use keys::Pressed;
pub use label::Labelled;
pub(crate) use observe::Delivery;
pub use observe::{Blank, Hit, NavigationSeen, Observed};
pub use pointer::Button;
pub use target::{Located, Named, Target};
pub use upload::{HeldFiles, UploadOptions, UploadReceipt, UploadVia};
