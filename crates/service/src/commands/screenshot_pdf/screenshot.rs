//! `screenshot`.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use engine::{Clip, Target};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::shoot::{Subject, Wanted, shoot};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// Takes a PNG of the viewport, the whole page, an element or a rectangle.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Screenshot {
    /// Output file; data/<id>/shot-N.png when absent. A relative path starts at the working directory.
    pub path: Option<String>,
    /// The whole scrollable page.
    #[serde(default)]
    pub full_page: bool,
    /// Take the element with this index instead.
    pub index: Option<u32>,
    /// Take the element that this selector matches instead.
    pub selector: Option<String>,
    /// Left edge of a rectangle of the page; all four members are needed.
    pub clip_x: Option<f64>,
    /// Its top edge.
    pub clip_y: Option<f64>,
    /// Its width.
    pub clip_width: Option<f64>,
    /// Its height.
    pub clip_height: Option<f64>,
    /// Return the picture as base64 too.
    #[serde(default)]
    pub inline: bool,
    /// Limit in milliseconds; `browser.capture.timeoutMs` when absent.
    #[schemars(range(min = 1, max = 120_000))]
    pub timeout_ms: Option<u64>,
    /// One attempt even while screenshots are paused after failures.
    #[serde(default)]
    pub force: bool,
    /// With fullPage: take the viewport when the whole page cannot be had.
    #[serde(default)]
    pub fallback_to_viewport: bool,
}

/// Reply of `screenshot`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Shot {
    size: usize,
    path: String,
    url: Option<String>,
    inline: bool,
    base64: Option<String>,
    #[serde(rename = "base64Omitted")]
    base64_omitted: Option<bool>,
    note: Option<String>,
    target: Option<String>,
    capture: Value,
    capture_degraded: bool,
    #[serde(rename = "fullPageCaptured")]
    full_page_captured: Option<bool>,
    #[serde(rename = "fallbackUsed")]
    fallback_used: Option<bool>,
    #[serde(rename = "fallbackReason")]
    fallback_reason: Option<String>,
    warning: Option<String>,
}

/// A picture may be written where the caller says, but only under the name of a picture: nothing else is overwritten.
fn is_png_name(path: &str) -> bool {
    let extension = std::path::Path::new(path)
        .extension()
        .and_then(|extension| extension.to_str());
    !path.contains('\0') && extension.is_some_and(|extension| extension.eq_ignore_ascii_case("png"))
}

impl Command for Screenshot {
    const NAME: &'static str = "screenshot";
    const GROUP: Group = Group::ScreenshotPdf;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    const OPAQUE: &'static [&'static str] = &["base64"];
    type Output = Shot;

    fn check(&self) -> Result<(), Failure> {
        let named = self.path.as_deref().is_none_or(is_png_name);
        if !named {
            return Err(Failure::invalid(text!(
                "capture.path",
                path = self.path.clone().unwrap_or_default()
            )));
        }
        let parts = [self.clip_x, self.clip_y, self.clip_width, self.clip_height];
        let given = parts.iter().flatten().count();
        let sized = [self.clip_width, self.clip_height]
            .iter()
            .flatten()
            .all(|side| *side > 0.0);
        let placed = [self.clip_x, self.clip_y].iter().flatten().all(|edge| *edge >= 0.0);
        if (given != 0 && given != parts.len()) || !sized || !placed {
            return Err(Failure::invalid(text!("capture.clip")));
        }
        Ok(())
    }

    async fn run(self, cx: &mut Context) -> Result<Shot, Failure> {
        let wanted = Wanted {
            limit: Duration::from_millis(self.timeout_ms.unwrap_or(cx.config().capture.timeout_ms)),
            force: self.force,
            fall_back: self.full_page && self.fallback_to_viewport,
            path: self.path.clone(),
        };
        let (subject, target) = self.subject();
        let taken = shoot(cx, subject, &wanted).await?;
        let full_page_captured = self.full_page.then_some(taken.fallback_reason.is_none());
        Ok(Shot {
            size: taken.png.len(),
            path: taken.path.display().to_string(),
            url: taken.url,
            inline: self.inline,
            base64: self.inline.then(|| STANDARD.encode(&taken.png)),
            base64_omitted: (!self.inline).then_some(true),
            note: (!self.inline).then(|| cx.say(&text!("capture.not_inlined"))),
            target,
            capture: taken.report,
            capture_degraded: taken.fallback_reason.is_some(),
            full_page_captured,
            fallback_used: self.full_page.then_some(taken.fallback_reason.is_some()),
            warning: taken
                .fallback_reason
                .as_ref()
                .map(|_| cx.say(&text!("capture.fell_back"))),
            fallback_reason: taken.fallback_reason,
        })
    }
}

impl Screenshot {
    fn subject(&self) -> (Subject, Option<String>) {
        if let Some(index) = self.index {
            return (
                Subject::Element(Target::Index {
                    index,
                    snapshot_id: None,
                }),
                Some(format!("index={index}")),
            );
        }
        if let Some(selector) = self.selector.as_ref().filter(|selector| !selector.trim().is_empty()) {
            let target = Target::Selector {
                selector: selector.clone(),
                nth: None,
                frame: None,
            };
            return (Subject::Element(target), Some(format!("selector {selector}")));
        }
        if let (Some(x), Some(y), Some(width), Some(height)) =
            (self.clip_x, self.clip_y, self.clip_width, self.clip_height)
        {
            return (Subject::Clip(Clip { x, y, width, height }), None);
        }
        (
            if self.full_page {
                Subject::FullPage
            } else {
                Subject::Viewport
            },
            None,
        )
    }
}
