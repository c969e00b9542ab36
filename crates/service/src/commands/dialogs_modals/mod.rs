//! Native dialogs of the browser and modals that pages draw themselves.

mod clear_dialog;
mod close_modal;
mod get_dialog;
mod get_modals;
mod labels;
mod modal_reply;
mod open;
mod set_dialog_behavior;

pub use clear_dialog::{ClearDialog, ClearJsDialog};
pub use close_modal::CloseModal;
pub use get_dialog::{GetDialog, GetJsDialog};
pub use get_modals::GetModals;
pub use set_dialog_behavior::SetDialogBehavior;
