//! Single elements: box, states, markup, options.

use serde::{Deserialize, Serialize};

use crate::act::Target;
use crate::deadline::Deadline;
use crate::error::Result;
use crate::geometry::Point;
use crate::tab::Tab;

/// Box of an element in CSS pixels of the tab's viewport.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ElementBox {
    /// From the left edge of the viewport.
    pub x: f64,
    /// From the top edge of the viewport.
    pub y: f64,
    /// Width as painted.
    pub width: f64,
    /// Height as painted.
    pub height: f64,
}

/// What a control is at the moment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ElementState {
    /// It is rendered with an area.
    pub visible: bool,
    /// Why not: `display-none`, `visibility-hidden`, `zero-size`.
    pub hidden_reason: Option<String>,
    /// It takes input.
    pub enabled: bool,
    /// Why not: `disabled-attribute`, `disabled-fieldset`, `aria-disabled`, `inert`.
    pub disabled_reason: Option<String>,
    /// It is a checkbox, a radio, a switch, or the label of one.
    pub checkable: bool,
    /// It is ticked; only for what is checkable.
    pub checked: Option<bool>,
    /// It is neither ticked nor not.
    pub indeterminate: Option<bool>,
    /// One of several, such as a radio: only choosing another one takes it back.
    pub single: Option<bool>,
}

/// Options of a native select.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct SelectOptions {
    /// In the order of the document.
    pub options: Vec<SelectOption>,
}

/// One option.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SelectOption {
    /// What a person reads.
    pub text: String,
    /// What is sent.
    pub value: String,
    /// It is chosen.
    pub selected: bool,
    /// It cannot be chosen.
    pub disabled: bool,
}

#[derive(Deserialize)]
struct Html {
    html: String,
}

/// Box in the viewport of the element's own frame.
#[derive(Deserialize)]
struct FrameBox {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Tab {
    /// Inner HTML of an element: open shadow roots as templates, values of secret fields replaced.
    ///
    /// # Errors
    /// The element is not found or stale.
    pub async fn element_html(&self, target: &Target, deadline: Deadline) -> Result<String> {
        self.on_target::<Html>(target, "html", [], deadline)
            .await
            .map(|(_, found)| found.html)
    }

    /// Box of an element in the tab's viewport, frames around it counted in.
    ///
    /// # Errors
    /// `ELEMENT_HIDDEN` without layout; the element is not found or stale.
    pub async fn element_box(&self, target: &Target, deadline: Deadline) -> Result<ElementBox> {
        let (frame, found): (_, FrameBox) = self.on_target(target, "box", [], deadline).await?;
        let corner = |x, y| self.to_viewport(&frame, Point { x, y }, false, deadline);
        let (first, last) = tokio::try_join!(corner(found.left, found.top), corner(found.right, found.bottom))?;
        Ok(ElementBox {
            x: first.x,
            y: first.y,
            width: last.x - first.x,
            height: last.y - first.y,
        })
    }

    /// Whether an element can be seen, takes input, is ticked.
    ///
    /// # Errors
    /// The element is not found or stale.
    pub async fn element_state(&self, target: &Target, deadline: Deadline) -> Result<ElementState> {
        self.on_target(target, "elementState", [], deadline)
            .await
            .map(|(_, found)| found)
    }

    /// Options of a native select.
    ///
    /// # Errors
    /// `ACTION_FAILED` (`not-a-select`) for anything else; the element is not found or stale.
    pub async fn select_options(&self, target: &Target, deadline: Deadline) -> Result<SelectOptions> {
        self.on_target(target, "selectOptions", [], deadline)
            .await
            .map(|(_, found)| found)
    }
}
