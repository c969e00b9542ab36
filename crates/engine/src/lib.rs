//! A browser as an agent needs it: launched and ended without a trace, its tabs owned, its pages read as indexed text,
//! acted upon with real input, observed honestly. Speaks product verbs (`navigate`, `read_state`, `click`, …); what it
//! means for a task, a receipt or a caller is decided above.
//!
//! What runs inside pages is plain JavaScript in `page/`, joined into one script and kept in an isolated world.

mod act;
mod affine;
mod browser;
mod capture;
mod console;
mod contexts;
mod deadline;
mod dialogs;
mod downloads;
mod error;
mod evaluate;
mod facts;
mod frames;
mod geometry;
mod highlight;
mod interactive_map;
pub mod keyboard;
pub mod launch;
mod listeners;
mod modals;
mod navigate;
mod network;
mod page_state;
mod picture;
mod read;
mod reading;
mod script;
pub mod state;
mod tab;
mod url_pattern;
mod waiting;

pub use act::{
    Blank, Button, Choosing, ClickMode, ClickOptions, ClickReceipt, DragEnd, DragError, DragEvent, DragOptions,
    DragReceipt, DragSeen, Grip, HeldFiles, Hit, InputMode, InputReceipt, InputRequest, Labelled, Ladder, LateLook,
    LateState, Located, Mark, Named, NavigationSeen, Observed, Outline, Pressed, RoleChoice, Scrolled, Selected,
    Suggesting, Target, TextChoice, TextSeen, UploadOptions, UploadReceipt, UploadVia, Wanted,
};
pub use browser::{Browser, BrowserFacts};
pub use capture::{Clip, MAX_SIDE, Shot, ViewportSize};
pub use console::{ConsoleEntry, ConsoleLog, ConsoleRecord};
pub use deadline::Deadline;
pub use dialogs::{Dialog, DialogBook, Policy};
pub use downloads::Download;
pub use error::{EngineError, Result, ScriptError};
pub use evaluate::Evaluated;
pub use frames::Frame;
pub use geometry::Point;
pub use highlight::IndexMarks;
pub use interactive_map::{InteractiveMap, MapEntry};
pub use listeners::{Delegated, Detection, ElementListeners, Traces};
pub use modals::{Closing, Modal, ModalControl, Modals};
pub use navigate::{Navigated, same_page, with_scheme};
pub use network::{
    Answer, Body, Budget, Exchange, Glob, JsonPatch, LONG_POLL, Losses, Message, NetworkBook, OpenRequest, PostData,
    Recorder, Recording, Rule, RuleAction, RuleUse, Traffic,
};
pub use page_state::{DomDiff, FrameRead, PageState, StateOptions, TextDiff};
pub use picture::{Picture, Via};
pub use read::{
    Chosen, ElementBox, ElementState, FieldError, FormField, FormState, Link, MarkdownPage, Scope, ScopeText,
    SelectOption, SelectOptions, Table, Tables, clean, markdown_of_stream,
};
pub use reading::{ElementText, ElementValue};
pub use tab::{Lifecycle, MainFailure, MainResponse, Marks, OpenDialog, PendingNavigation, Tab, TabEnd, TabState};
pub use url_pattern::url_matches;
pub use waiting::{Condition, IdleWanted, LoadState, Met, Quieted, Stable, StableWanted, Visibility, Within};
