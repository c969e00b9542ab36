//! Placeholder header; replaced when the crate is written.
