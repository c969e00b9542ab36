//! `get_form_state`.

use engine::{FieldError, FormField};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::scope::{scope, source};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;

/// The controls of a form (or of the whole page) with name, live value, marks, and what the page objects to.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetFormState {
    /// CSS selector of the form or of any element around the controls; `css >> nth=N` takes a certain match. The whole
    /// document when absent.
    pub selector: Option<String>,
    /// Also list controls that cannot be seen, those of type `hidden` included.
    #[serde(default)]
    pub include_hidden: bool,
    /// How many controls are listed; all are counted.
    #[serde(default = "max")]
    pub max: u32,
    /// Frame by ordinal, or by a part of its address or name; the main frame when absent.
    pub frame: Option<String>,
}

fn max() -> u32 {
    200
}

/// Reply of `get_form_state`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FormReply {
    /// Records: `index` (when the page text has one), `label`, `id`, `name`, `type`, `value` (`[redacted]` for a
    /// password), `valueFrom` (`dom`, or `display` for the text that a component shows), `shown` (labels of a native
    /// select), `typed` (text in a custom select that is not its value), `checked`, `indeterminate`, `disabled`,
    /// `readOnly`, `required`, `visible`, `invalid`, `error`, `placeholder`.
    #[schemars(with = "Vec<Value>")]
    fields: Vec<FormField>,
    count: usize,
    error_count: usize,
    /// Of objects (`label`, `id`, `error`).
    #[schemars(with = "Vec<Value>")]
    errors: Vec<FieldError>,
    truncated: bool,
    scope: String,
    url: String,
}

impl Command for GetFormState {
    const NAME: &'static str = "get_form_state";
    const GROUP: Group = Group::PageReading;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    const OPAQUE: &'static [&'static str] = &["fields", "errors"];
    type Output = FormReply;

    async fn run(self, cx: &mut Context) -> Result<FormReply, Failure> {
        let scope = scope(self.selector, None, self.frame);
        let tab = cx.settled_tab().await?;
        let form = tab
            .form_state(&scope, self.include_hidden, self.max as usize, cx.until())
            .await
            .map_err(|error| Failure::from_engine(&error, false))?;
        Ok(FormReply {
            count: form.count,
            error_count: form.error_count,
            errors: form.errors,
            truncated: form.fields.len() < form.count,
            fields: form.fields,
            scope: source("document", form.chosen.as_ref()),
            url: form.url,
        })
    }
}
