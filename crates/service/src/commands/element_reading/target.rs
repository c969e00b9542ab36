//! Which element a reading command means: an index, or a selector with a frame.

use engine::Target;

use crate::failure::Failure;
use crate::text;

/// The index of a command that takes nothing else.
pub(crate) fn indexed(index: u32, snapshot_id: Option<String>) -> Target {
    Target::Index { index, snapshot_id }
}

/// Refuses a command that names neither.
pub(crate) fn needs_one(index: Option<u32>, selector: Option<&String>) -> Result<(), Failure> {
    let no_selector = selector.is_none_or(|selector| selector.trim().is_empty());
    if index.is_none() && no_selector {
        return Err(Failure::invalid(text!("element.index_or_selector")));
    }
    Ok(())
}

/// The target, the index first, and how the reply calls it.
pub(crate) fn either(
    index: Option<u32>,
    snapshot_id: Option<String>,
    selector: Option<String>,
    frame: Option<String>,
) -> (Target, String) {
    if let Some(index) = index {
        return (indexed(index, snapshot_id), format!("index={index}"));
    }
    let selector = selector.unwrap_or_default();
    let named = format!("selector {selector}");
    let target = Target::Selector {
        selector,
        nth: None,
        frame,
    };
    (target, named)
}
