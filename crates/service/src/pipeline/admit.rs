//! Admission: from a method name and what was sent with it to a command that is ready to run.
//!
//! Invariant: everything that can be wrong with a call by itself is found here, before any task is touched.

use std::fmt;

use serde_json::{Map, Value};

use crate::command::{Declaration, Ready};
use crate::failure::Failure;
use crate::near_miss;
use crate::planned::{EXTRAS, TABLE};
use crate::registry::Registry;
use crate::return_state::{self, ReturnState};
use crate::text;

/// A command that is ready to run.
pub(crate) struct Call {
    /// Its declaration.
    pub declaration: &'static Declaration,
    /// The command with its parameters.
    pub ready: Box<dyn Ready>,
    /// The checked parameters, kept where another attempt may be needed.
    pub again: Option<Map<String, Value>>,
    /// Names that the command does not know.
    pub unknown: Vec<String>,
    /// `async:true` was sent.
    pub run_async: bool,
    /// What is wanted of the page afterwards.
    pub return_state: ReturnState,
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("method", &self.declaration.name)
            .finish_non_exhaustive()
    }
}

/// Finds the command and checks its parameters.
pub(crate) fn admit(registry: &'static Registry, method: &str, params: Map<String, Value>) -> Result<Call, Failure> {
    let declaration = find(registry, method)?;
    let mut checked = declaration.params.check(params)?;
    let return_state = return_state::take(&mut checked.params);
    let resend = declaration.flags.resend_safe || checked.retry_on_spurious;
    let again = resend.then(|| checked.params.clone());
    let ready = (declaration.accept)(checked.params)?;
    Ok(Call {
        declaration,
        ready,
        again,
        unknown: checked.unknown,
        run_async: checked.run_async,
        return_state,
    })
}

/// The declaration of a method; failing that, whether it is planned, or what may have been meant.
pub(crate) fn find(registry: &'static Registry, method: &str) -> Result<&'static Declaration, Failure> {
    if let Some(declaration) = registry.get(method) {
        return Ok(declaration);
    }
    if registry.is_planned(method) {
        return Err(Failure::not_implemented(text!("command.planned", method = method)));
    }
    let near = near_miss::candidates(method, TABLE.into_iter().chain(EXTRAS));
    let text = if near.is_empty() {
        text!("command.unknown", method = method, total = TABLE.len())
    } else {
        text!(
            "command.unknown_near",
            method = method,
            near = near.join(" / "),
            total = TABLE.len()
        )
    };
    Err(Failure::invalid(text).with("method", method).with("candidates", near))
}
