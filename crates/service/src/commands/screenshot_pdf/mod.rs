//! Pictures on demand.

mod screenshot;
mod shoot;

pub use screenshot::Screenshot;
