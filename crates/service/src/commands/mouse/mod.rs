//! The mouse by coordinates of the tab's viewport, and its buttons and wheel one by one.

mod mouse_click;
mod mouse_click_by_selector;
mod mouse_down;
mod mouse_move;
mod mouse_up;
mod mouse_wheel;

pub use mouse_click::MouseClick;
pub use mouse_click_by_selector::MouseClickBySelector;
pub use mouse_down::MouseDown;
pub use mouse_move::MouseMove;
pub use mouse_up::MouseUp;
pub use mouse_wheel::MouseWheel;
