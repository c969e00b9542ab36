//! Beginning and ending tasks and the browser.

mod close;
mod shutdown;
mod start;

pub use close::Close;
pub use shutdown::Shutdown;
pub use start::Start;
