//! Opening addresses, history, and where the tab is.

pub(crate) mod address;
mod get_title;
mod get_url;
mod go_back;
mod go_forward;
mod go_to_url;
mod navigate;
pub(crate) mod receipt;
mod reload;

pub use get_title::GetTitle;
pub use get_url::GetUrl;
pub use go_back::GoBack;
pub use go_forward::GoForward;
pub use go_to_url::GoToUrl;
pub use navigate::Navigate;
pub use reload::Reload;
