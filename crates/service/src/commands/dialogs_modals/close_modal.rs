//! `close_modal`.

use std::sync::Arc;
use std::time::Duration;

use engine::{Closing, EngineError, Modal, Modals, Tab};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::labels::{self, Way};
use super::modal_reply::{names, point};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::refusals::named;
use crate::text;

/// How long a modal that is on its way in is waited for before it is pressed.
const STANDING: Duration = Duration::from_secs(3);

/// Closes a modal that a page draws: with the real mouse, by its cross, a cancel-like button or a button of your choice, and looks whether it is gone.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CloseModal {
    /// `top` (the one that get_modals calls top), `first`, `all`, or `class:` and a part of its class.
    #[serde(default = "top")]
    pub which: String,
    /// Part of its title or text (spaces and case are ignored); counts before `which`.
    pub title: Option<String>,
    /// Label of the button to press (spaces and case are ignored). Without it the cross, else a cancel-like button, else OK.
    pub button: Option<String>,
}

fn top() -> String {
    "top".into()
}

/// Reply of `close_modal`.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Closed {
    closed: bool,
    count_before: usize,
    count_after: usize,
    clicked: Option<Vec<Value>>,
    closed_all: bool,
    which: String,
    title: Option<String>,
    hint: Option<String>,
    note: Option<String>,
}

impl Command for CloseModal {
    const NAME: &'static str = "close_modal";
    const GROUP: Group = Group::DialogsModals;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    const OPAQUE: &'static [&'static str] = &["clicked"];
    type Output = Closed;

    fn check(&self) -> Result<(), Failure> {
        let class = self
            .which
            .strip_prefix("class:")
            .is_some_and(|class| !class.trim().is_empty());
        if class || matches!(self.which.as_str(), "top" | "first" | "all") {
            return Ok(());
        }
        Err(Failure::invalid(text!("modals.bad_which", which = &self.which)).with("argument", "which"))
    }

    async fn run(self, cx: &mut Context) -> Result<Closed, Failure> {
        let tab = cx.settled_tab().await?;
        let before = look(cx, &tab, false).await?;
        let reply = Closed {
            count_before: before.list.len(),
            closed_all: before.list.is_empty(),
            which: self.which.clone(),
            title: self.title.clone(),
            ..Closed::default()
        };
        if before.list.is_empty() {
            return Ok(Closed {
                note: Some(cx.say(&text!("modals.none"))),
                ..reply
            });
        }
        self.close(cx, &tab, before, reply).await
    }
}

/// What has been pressed so far and what came of the last press.
#[derive(Default)]
struct Presses {
    clicked: Vec<Value>,
    last: Option<Closing>,
    /// The modal that was pressed last.
    pressed: Option<Modal>,
    stopped: Option<Failure>,
}

impl CloseModal {
    async fn close(self, cx: &mut Context, tab: &Arc<Tab>, before: Modals, reply: Closed) -> Result<Closed, Failure> {
        let all = self.which == "all" && self.title.is_none();
        let mut presses = Presses::default();
        let mut now = before;
        for _ in 0..if all { now.list.len() } else { 1 } {
            let count = now.list.len();
            let modal = self.chosen(&now)?.clone();
            match self.press(cx, tab, &modal, &mut presses.clicked).await {
                Ok(closing) => {
                    presses.last = Some(closing);
                    presses.pressed = Some(modal);
                }
                // Nothing was pressed by this command: the refusal is the outcome.
                Err(failure) if presses.clicked.len() <= 1 => return Err(failure),
                Err(failure) => {
                    presses.stopped = Some(failure);
                    break;
                }
            }
            if tab.open_dialog().is_some() {
                break;
            }
            now = look(cx, tab, true).await?;
            if now.list.is_empty() || now.list.len() >= count {
                break;
            }
        }
        Ok(told(cx, reply, &now, presses, all))
    }

    /// The modal that is meant.
    fn chosen<'a>(&self, modals: &'a Modals) -> Result<&'a Modal, Failure> {
        let found = match &self.title {
            Some(title) => {
                let wanted = labels::folded(title);
                let has = |text: &str| labels::folded(text).contains(&wanted);
                modals
                    .list
                    .iter()
                    .rev()
                    .find(|modal| has(&modal.title) || has(&modal.text))
            }
            None if self.which == "first" => modals.list.first(),
            None => match self.which.strip_prefix("class:") {
                Some(class) => {
                    let wanted = class.trim().to_lowercase();
                    modals
                        .list
                        .iter()
                        .rev()
                        .find(|modal| modal.class_name.to_lowercase().contains(&wanted))
                }
                None => modals.top(),
            },
        };
        found.ok_or_else(|| {
            let wanted = self.title.clone().unwrap_or_else(|| self.which.clone());
            let open = names(modals);
            Failure::new(
                Code::ElementNotFound,
                text!("modals.no_match", wanted = wanted, open = open),
            )
            .with("started", false)
        })
    }

    /// Presses the control that closes it. Whatever may have reached the page is noted before it is known to have worked.
    async fn press(
        &self,
        cx: &Context,
        tab: &Tab,
        modal: &Modal,
        clicked: &mut Vec<Value>,
    ) -> Result<Closing, Failure> {
        let deadline = cx.until();
        let pressed = match labels::way_out(modal, self.button.as_deref())? {
            Way::Press(control) => {
                clicked.push(json!({"label": control.label, "point": point(control.x, control.y), "via": "mouse"}));
                tab.press_in_modal(modal, control, STANDING, deadline).await
            }
            Way::Escape => {
                clicked.push(json!({"label": "Escape", "via": "key"}));
                tab.escape_modal(modal, deadline).await
            }
        };
        let noted = clicked.last_mut().and_then(Value::as_object_mut);
        match (pressed, noted) {
            (Ok(closing), Some(noted)) if noted.contains_key("point") => {
                noted.insert("point".into(), point(closing.point.x, closing.point.y));
                Ok(closing)
            }
            (Ok(closing), _) => Ok(closing),
            (Err(error), noted) => {
                let failure = match &error {
                    EngineError::Strayed { hit } => strayed(modal, hit),
                    other => Failure::from_engine(other, false),
                };
                if let Some(noted) = noted {
                    noted.insert("error".into(), json!(cx.say(&failure.text)));
                }
                Err(failure.with("clicked", json!(clicked)))
            }
        }
    }
}

/// The press went to something else than the control.
fn strayed(modal: &Modal, hit: &Map<String, Value>) -> Failure {
    let what = if modal.title.is_empty() {
        &modal.text
    } else {
        &modal.title
    };
    Failure::new(
        Code::ActionUncertain,
        text!("modals.strayed", what = what, hit = named(hit)),
    )
    .with("actionStatus", "unknown")
    .with("retrySafe", false)
    .with("hit", hit.clone())
    .with_text("note", text!("engine.note_uncertain"))
}

/// The modals that are open now; `acted`: a press has been made.
async fn look(cx: &mut Context, tab: &Arc<Tab>, acted: bool) -> Result<Modals, Failure> {
    if acted {
        cx.settled_tab().await?;
    }
    tab.modals(acted, cx.until())
        .await
        .map_err(|error| Failure::from_engine(&error, acted))
}

/// Whether two records tell of the same modal, as far as can be seen.
fn looks_like(one: &Modal, other: &Modal) -> bool {
    one.frame_index == other.frame_index && one.title == other.title && one.text == other.text
}

fn told(cx: &Context, reply: Closed, now: &Modals, presses: Presses, all: bool) -> Closed {
    let count_after = now.list.len();
    // One less is no success when it is another one that went.
    let still_there = |pressed: &Modal| now.list.iter().any(|modal| looks_like(modal, pressed));
    let left = presses.pressed.as_ref().is_some_and(|pressed| !still_there(pressed));
    let meant_one_gone = all || left || presses.last.is_some_and(|last| last.gone);
    let closed = meant_one_gone && count_after < reply.count_before;
    let busy = presses.last.is_some_and(|last| last.busy);
    let gone = presses.last.is_some_and(|last| last.gone);
    let hint = match presses.stopped {
        Some(failure) => Some(text!("modals.stopped", reason = cx.say(&failure.text))),
        None if closed => None,
        None if busy => Some(text!("modals.still_busy")),
        None if gone => Some(text!("modals.another_opened", open = names(now))),
        None if count_after > reply.count_before => Some(text!("modals.asks_back", open = names(now))),
        None => Some(text!("modals.stayed")),
    };
    Closed {
        closed,
        count_after,
        clicked: Some(presses.clicked),
        closed_all: count_after == 0,
        hint: hint.map(|text| cx.say(&text)),
        ..reply
    }
}
