//! The domain `Inspector`: the end of a target, seen from its session. [`TargetCrashed`] is also read by the
//! connection itself, which then fails the pending calls of the session.

use super::Empty;

protocol! {
    domain "Inspector";

    command Enable = "enable" {} -> Empty
    command Disable = "disable" {} -> Empty
    event TargetCrashed = "targetCrashed" {}
    event TargetReloadedAfterCrash = "targetReloadedAfterCrash" {}
    event Detached = "detached" { reason: String }
}
