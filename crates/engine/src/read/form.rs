//! The controls of a form, as the page script tells them, joined with the indices that the caller has read.

use serde::{Deserialize, Serialize};

use super::clean::clean;
use super::scope::{Chosen, Scope};
use crate::deadline::Deadline;
use crate::error::Result;
use crate::tab::Tab;

/// One control.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct FormField {
    /// Number in the page text, when it has been given one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
    /// The page script's own number, when it has one.
    #[serde(rename = "ref", skip_serializing)]
    pub local: Option<u32>,
    /// Name as a person reads it.
    pub label: String,
    /// `id` attribute.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// `name` attribute.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// `type` of a native control, else the role, else `contenteditable`.
    pub r#type: String,
    /// Live value; `[redacted]` for a secret; a JSON list for a multiple select.
    pub value: String,
    /// `dom`: the control's own value; `display`: the text that a component shows for it.
    pub value_from: String,
    /// Labels that a native select shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<String>,
    /// Text in the field of a custom select that is not its value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub typed: Option<String>,
    /// Ticked; only for checkboxes, radios and switches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<bool>,
    /// Neither ticked nor not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indeterminate: Option<bool>,
    /// Takes no input.
    pub disabled: bool,
    /// Can be read only.
    pub read_only: bool,
    /// Must be filled in.
    pub required: bool,
    /// A person can see it, or what stands for it.
    pub visible: bool,
    /// The page objects to its value.
    pub invalid: bool,
    /// The page's words for that.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub error: String,
    /// Placeholder.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub placeholder: String,
}

/// A control that the page objects to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FieldError {
    /// Name of the control.
    pub label: String,
    /// Its `id`.
    pub id: String,
    /// The page's words.
    pub error: String,
}

/// The controls of a scope.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct FormState {
    doc: String,
    /// Address of the document.
    pub url: String,
    /// The first of the controls.
    pub fields: Vec<FormField>,
    /// All controls of the scope.
    pub count: usize,
    /// How many of them the page objects to.
    pub error_count: usize,
    /// The first of those.
    pub errors: Vec<FieldError>,
    /// Which match of the selector was taken.
    pub chosen: Option<Chosen>,
}

impl Tab {
    /// The controls of a scope, at most `max` as records; unseen ones only with `include_hidden`.
    ///
    /// # Errors
    /// The scope or its frame is not found.
    pub async fn form_state(
        &self,
        scope: &Scope,
        include_hidden: bool,
        max: usize,
        deadline: Deadline,
    ) -> Result<FormState> {
        let args = [("includeHidden", include_hidden.into()), ("max", max.into())];
        let (frame, mut form): (_, FormState) = self.in_scope(scope, "formState", args, deadline).await?;
        let table = self.indices();
        for error in &mut form.errors {
            error.label = clean(&error.label).into_owned();
            error.error = clean(&error.error).into_owned();
        }
        for field in &mut form.fields {
            field.label = clean(&field.label).into_owned();
            field.error = clean(&field.error).into_owned();
            let local = field.local.take();
            field.index = local.and_then(|local| table.index_of(&frame.id, &form.doc, local));
        }
        drop(table);
        Ok(form)
    }
}
