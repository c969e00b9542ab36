//! The tabs of a task.

mod close_tab;
pub(crate) mod facts;
mod get_tabs;
mod new_tab;
mod switch_tab;

pub use close_tab::CloseTab;
pub use get_tabs::GetTabs;
pub use new_tab::NewTab;
pub use switch_tab::SwitchTab;
