//! Modals that pages draw, in every frame: what is open, pressing a control of one with the real mouse, and whether that
//! closed it. Invariant: a control is pressed only where a pointer reaches it, and once.

use std::time::Duration;

use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::act::{Button, Delivery};
use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::geometry::Point;
use crate::tab::Tab;

/// How long a modal that is on its way out is waited for.
const CLOSING: Duration = Duration::from_secs(5);

/// How long a modal that is on its way in is waited for; one that moves for ever is pressed as it is.
const OPENING: Duration = Duration::from_millis(1500);

/// A control of a modal.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ModalControl {
    #[serde(rename = "ref")]
    number: u64,
    /// What it says; `×` for a cross.
    pub label: String,
    /// Its middle, in the tab's viewport.
    pub x: f64,
    /// See `x`.
    pub y: f64,
    /// Tag.
    pub tag: String,
    /// Id.
    pub id: String,
    /// Classes, at most 80 characters.
    pub class_name: String,
    /// `button`, `close` or `fallback-anchor`.
    pub matched_by: String,
}

/// A modal that is open.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Modal {
    #[serde(rename = "ref")]
    number: u64,
    /// `antd`, `element-plus`, `vxe`, `layui`, `mui`, `jquery-ui`, `bootstrap`, `native`, `aria`, `agreement`, `overlay`
    /// or `popover`.
    pub kind: String,
    /// Which round found it by what.
    pub matched_by: String,
    /// `strict` or `heuristic`.
    pub confidence: String,
    /// It lies over the page and has content.
    pub blocking: bool,
    /// Fixed, in the top layer or with a high z-index.
    pub overlayish: bool,
    /// It has text or controls.
    pub has_content: bool,
    /// Something keeps a pointer from the page around it.
    pub has_mask: bool,
    /// Classes, at most 200 characters.
    pub class_name: String,
    /// Id.
    pub id: String,
    /// Title, where one was found.
    pub title: String,
    /// Beginning of its text.
    pub text: String,
    /// Its buttons in document order.
    pub buttons: Vec<ModalControl>,
    /// Its cross.
    pub close: Option<ModalControl>,
    /// Left, top, width and height in the tab's viewport.
    pub rect: [f64; 4],
    /// z-index in force.
    pub z_index: f64,
    /// A pointer reaches it: no other modal lies over it.
    pub on_top: bool,
    /// Number of its frame.
    #[serde(skip)]
    pub frame_index: usize,
    /// Address of its frame.
    #[serde(skip)]
    pub frame_url: String,
    #[serde(skip)]
    frame: Option<Frame>,
}

/// The modals of a tab.
#[derive(Debug, Clone, Default)]
pub struct Modals {
    /// In the order of the frames, in each in document order.
    pub list: Vec<Modal>,
    /// Frames that could not be read, each with the reason.
    pub frame_errors: Vec<String>,
}

impl Modals {
    /// The modal that is dealt with first: the last blocking one that a pointer reaches, else the last blocking one,
    /// else the last.
    #[must_use]
    pub fn top(&self) -> Option<&Modal> {
        let last = |wanted: &dyn Fn(&Modal) -> bool| self.list.iter().rev().find(|modal| wanted(modal));
        last(&|modal| modal.blocking && modal.on_top)
            .or_else(|| last(&|modal| modal.blocking))
            .or_else(|| self.list.last())
    }
}

/// What pressing a control of a modal came to.
#[derive(Debug, Clone, Copy)]
pub struct Closing {
    /// Where it was pressed, in the tab's viewport.
    pub point: Point,
    /// The modal cannot be seen any more.
    pub gone: bool,
    /// It was still at work when waiting ended.
    pub busy: bool,
}

#[derive(Deserialize)]
struct Found {
    modals: Vec<Modal>,
}

#[derive(Deserialize)]
struct Prepared {
    watch: u64,
    point: Option<Point>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Gone {
    gone: bool,
    busy: bool,
}

#[derive(Deserialize)]
struct Delivered {
    delivered: std::collections::BTreeMap<String, Delivery>,
}

impl Tab {
    /// The modals that are open, in every frame. `acted`: one of them has just been pressed and waited for; else what an
    /// earlier action opens is waited for.
    ///
    /// # Errors
    /// The main frame could not be read; other frames are named in [`Modals::frame_errors`].
    pub async fn modals(&self, acted: bool, deadline: Deadline) -> Result<Modals> {
        let frames = self.state().frames.by_number();
        let args = json!({"acted": acted});
        let reads = frames.iter().map(|(number, frame)| {
            let args = &args;
            async move {
                let found: Result<Found> = self.script(frame, "modals", args, deadline).await;
                (*number, frame, found)
            }
        });
        let mut out = Modals::default();
        for (number, frame, found) in join_all(reads).await {
            match found {
                Ok(found) => out
                    .list
                    .extend(self.placed(number, frame, found.modals, deadline).await?),
                Err(error) if frame.parent.is_none() => return Err(error),
                Err(error) => out.frame_errors.push(format!("{}: {error}", frame.url)),
            }
        }
        Ok(out)
    }

    /// Brings the modals of a frame into the tab's viewport; those of a frame that is not drawn are none.
    async fn placed(&self, number: usize, frame: &Frame, modals: Vec<Modal>, deadline: Deadline) -> Result<Vec<Modal>> {
        if modals.is_empty() {
            return Ok(modals);
        }
        let map = match frame.parent {
            None => None,
            Some(_) => match self.frame_map(frame, deadline).await {
                Ok(Some(map)) => Some(map),
                Ok(None) | Err(EngineError::Navigating) => return Ok(Vec::new()),
                Err(error) => return Err(error),
            },
        };
        let placed = modals.into_iter().map(|mut modal| {
            if let Some(map) = &map {
                let to = |x: f64, y: f64| map.apply(Point { x, y });
                let [x, y, width, height] = modal.rect;
                let (corner, far) = (to(x, y), to(x + width, y + height));
                modal.rect = [corner.x, corner.y, far.x - corner.x, far.y - corner.y];
                for control in modal.buttons.iter_mut().chain(&mut modal.close) {
                    let point = to(control.x, control.y);
                    (control.x, control.y) = (point.x, point.y);
                }
            }
            Modal {
                frame_index: number,
                frame_url: frame.url.clone(),
                frame: Some(frame.clone()),
                ..modal
            }
        });
        Ok(placed.collect())
    }

    /// Presses a control of a modal with the real mouse, once it stands still and a pointer reaches it, and waits until
    /// the modal is gone or stands still without being gone.
    ///
    /// # Errors
    /// A refusal before anything was sent; [`EngineError::Uncertain`] when the press went elsewhere or was not confirmed.
    pub async fn press_in_modal(
        &self,
        modal: &Modal,
        control: &ModalControl,
        patience: Duration,
        deadline: Deadline,
    ) -> Result<Closing> {
        let frame = modal.frame.as_ref().ok_or(EngineError::Navigating)?;
        let timeout_ms = u64::try_from(patience.as_millis()).unwrap_or(u64::MAX);
        let args = json!({"ref": control.number, "mode": "native", "timeoutMs": timeout_ms});
        let limit = deadline.within(patience + Duration::from_secs(2));
        let standing =
            json!({"ref": modal.number, "timeoutMs": u64::try_from(OPENING.as_millis()).unwrap_or(u64::MAX)});
        self.script::<()>(frame, "modalStands", &standing, limit).await?;
        let prepared: Prepared = self.script(frame, "prepareClick", &args, limit).await?;
        let point = prepared.point.ok_or(EngineError::Navigating)?;
        let point = self.to_viewport(frame, point, true, deadline).await?;
        let before = self.marks();
        match self.mouse_clicks(point, Button::Left, 1, deadline).await {
            Ok(()) => {}
            // The press opened a native dialog that is left open: whether the modal closes is decided after that.
            Err(EngineError::DialogOpen(_)) => return Ok(Closing::at(point)),
            Err(error) => {
                return Err(EngineError::Uncertain {
                    reason: error.to_string(),
                });
            }
        }
        if let Some(hit) = self.stray(frame, prepared.watch, deadline).await {
            return Err(EngineError::Strayed { hit });
        }
        let wait = json!({"ref": modal.number, "button": control.number, "timeoutMs": u64::try_from(CLOSING.as_millis()).unwrap_or(u64::MAX)});
        let gone: Result<Gone> = self
            .script(
                frame,
                "modalGone",
                &wait,
                deadline.within(CLOSING + Duration::from_secs(1)),
            )
            .await;
        let navigated = {
            let now = self.marks();
            now.committed > before.committed || now.subframes > before.subframes || now.started > before.started
        };
        match gone {
            Ok(Gone { gone, busy }) => Ok(Closing { point, gone, busy }),
            // The document went, and the modal with it.
            Err(EngineError::Navigating) => Ok(Closing {
                gone: true,
                ..Closing::at(point)
            }),
            Err(EngineError::NavigationPending { .. }) if navigated => Ok(Closing {
                gone: true,
                ..Closing::at(point)
            }),
            Err(EngineError::DialogOpen(_)) => Ok(Closing::at(point)),
            Err(error) => Err(EngineError::Uncertain {
                reason: error.to_string(),
            }),
        }
    }

    /// What got the press, where that was not the control.
    async fn stray(&self, frame: &Frame, watch: u64, deadline: Deadline) -> Option<Map<String, Value>> {
        let args = json!({"watch": watch, "end": true});
        let seen: Delivered = self
            .script(frame, "delivered", &args, deadline.within(Duration::from_secs(1)))
            .await
            .ok()?;
        let press = seen
            .delivered
            .get("pointerdown")
            .or_else(|| seen.delivered.get("mousedown"))?;
        (press.on_target == Some(false)).then(|| press.node.clone().unwrap_or_default())
    }

    /// Presses Escape and waits as [`Tab::press_in_modal`] does.
    ///
    /// # Errors
    /// [`EngineError::Uncertain`] when the key was not confirmed.
    pub async fn escape_modal(&self, modal: &Modal, deadline: Deadline) -> Result<Closing> {
        let frame = modal.frame.as_ref().ok_or(EngineError::Navigating)?;
        let uncertain = |error: EngineError| EngineError::Uncertain {
            reason: error.to_string(),
        };
        self.press_named("Escape", deadline).await.map_err(uncertain)?;
        let wait = json!({"ref": modal.number, "timeoutMs": u64::try_from(CLOSING.as_millis()).unwrap_or(u64::MAX)});
        let gone: Gone = self
            .script(
                frame,
                "modalGone",
                &wait,
                deadline.within(CLOSING + Duration::from_secs(1)),
            )
            .await
            .map_err(uncertain)?;
        let point = Point { x: 0.0, y: 0.0 };
        Ok(Closing {
            point,
            gone: gone.gone,
            busy: gone.busy,
        })
    }
}

impl Closing {
    const fn at(point: Point) -> Self {
        Self {
            point,
            gone: false,
            busy: false,
        }
    }
}
