//! The tabs of a task.

mod bring_to_front;
mod close_other_tabs;
mod close_tab;
pub(crate) mod facts;
mod get_tabs;
mod new_tab;
mod switch_tab;
mod switch_tab_by_url;

pub use bring_to_front::BringToFront;
pub use close_other_tabs::CloseOtherTabs;
pub use close_tab::CloseTab;
pub use get_tabs::GetTabs;
pub use new_tab::NewTab;
pub use switch_tab::SwitchTab;
pub use switch_tab_by_url::SwitchTabByUrl;
