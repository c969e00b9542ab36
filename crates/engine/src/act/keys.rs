//! Keyboard input through the protocol. Keys go out in bursts that each end with nothing held, so that a command that is
//! dropped between two bursts leaves no key down.

use std::time::Duration;

use cdp::protocol::input::{DispatchKeyEvent, InsertText};
use futures_util::future::join_all;
use serde_json::{Map, Value, json};

use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::keyboard::{EventKind, KeyEvent, Keyboard, Keys, Newlines, Platform, Step, parse_keys};
use crate::tab::{Marks, Tab};

/// Events sent before the first is waited for.
const BURST: usize = 24;

/// How long a frame is asked for what has the focus in it.
const ASKED: Duration = Duration::from_secs(1);

/// Keys that were pressed or text that was typed.
#[derive(Debug, Clone)]
pub struct Pressed {
    /// The chord in its normal spelling; `None` when the input was text.
    pub keys: Option<String>,
    /// The text that was typed.
    pub text: Option<String>,
    /// What had the focus: tag, id, className, placeholder, isBody.
    pub focused: Map<String, Value>,
    /// A main-frame navigation began or committed.
    pub navigation: Option<super::NavigationSeen>,
}

impl Tab {
    /// Presses a key or a combination, or types a text, at the focus.
    ///
    /// # Errors
    /// [`EngineError::Uncertain`] once keys may have been sent.
    pub async fn keys(&self, text: &str, deadline: Deadline) -> Result<Pressed> {
        let focused = self.focused(deadline).await?;
        let before = self.marks();
        // Keys that are held by themselves stay held, and count as modifiers.
        let keyboard = self.held().keyboard.clone();
        let (steps, keys, typed) = match parse_keys(text) {
            Keys::Press(chord) => {
                let events = keyboard.press(&chord, Platform::here());
                (
                    events.into_iter().map(Step::Key).collect(),
                    Some(chord.spelling()),
                    None,
                )
            }
            Keys::Type(text) => (
                keyboard.type_text(&text, Newlines::Press, Platform::here()),
                None,
                Some(text),
            ),
        };
        match self.send_steps(steps, deadline).await {
            // A dialog that a key opened and that is left open is what came of it.
            Ok(()) => {}
            Err(EngineError::DialogOpen(_)) if self.marks().dialogs > before.dialogs => {}
            Err(error) => return Err(error.cut_off(Value::Null)),
        }
        self.let_events_arrive().await;
        Ok(Pressed {
            keys,
            text: typed,
            focused,
            navigation: self.navigation_since(before),
        })
    }

    /// What has the focus, in the frame that really has it; `frameUrl` names a frame that is not the main one.
    async fn focused(&self, deadline: Deadline) -> Result<Map<String, Value>> {
        let mut frame = self.main_frame()?;
        let mut facts: Map<String, Value> = self.script(&frame, "focused", &json!({}), deadline).await?;
        while facts.get("isFrame") == Some(&Value::Bool(true)) {
            let element = facts.get("ref").and_then(Value::as_u64).unwrap_or_default();
            let Some(inner) = self.frame_of(&frame, element, deadline).await else {
                break;
            };
            // A frame that does not answer is told as what it is: a frame that has the focus.
            let within: Result<Map<String, Value>> =
                self.script(&inner, "focused", &json!({}), deadline.within(ASKED)).await;
            let Ok(within) = within else { break };
            facts = within;
            facts.insert("frameUrl".into(), inner.url.clone().into());
            frame = inner;
        }
        Ok(facts)
    }

    /// The frame that an element of `holder` shows.
    async fn frame_of(&self, holder: &Frame, element: u64, deadline: Deadline) -> Option<Frame> {
        let frames = self.state().frames.ordered();
        let is_inside = |frame: &Frame| frame.parent.as_deref() == Some(holder.id.as_str());
        for (child, _) in frames.into_iter().filter(|(frame, _)| is_inside(frame)) {
            let Ok((handle, owner)) = self.frame_element(&child, holder, deadline.within(ASKED)).await else {
                continue;
            };
            self.release(&holder.session, &handle);
            if u64::from(owner.local) == element {
                return Some(child);
            }
        }
        None
    }

    fn navigation_since(&self, before: Marks) -> Option<super::NavigationSeen> {
        let state = self.state();
        let committed = state.marks.committed > before.committed;
        let url = state
            .pending
            .as_ref()
            .map_or_else(|| state.url().to_owned(), |pending| pending.url.clone());
        (committed || state.navigating()).then_some(super::NavigationSeen { url, committed })
    }

    /// Types a text at the focus, key by key.
    pub(crate) async fn type_at_focus(&self, text: &str, multiline: bool, deadline: Deadline) -> Result<()> {
        // In a single-line field Enter would send the form, which nobody asked for.
        let newlines = if multiline { Newlines::Press } else { Newlines::Insert };
        self.send_steps(
            Keyboard::default().type_text(text, newlines, Platform::here()),
            deadline,
        )
        .await
    }

    /// Presses one key or combination by name.
    pub(crate) async fn press_named(&self, keys: &str, deadline: Deadline) -> Result<()> {
        let Keys::Press(chord) = parse_keys(keys) else {
            return Ok(());
        };
        let events = Keyboard::default().press(&chord, Platform::here());
        self.send_steps(events.into_iter().map(Step::Key).collect(), deadline)
            .await
    }

    /// Inserts a text at the focus as a whole, as a paste or an input method does.
    pub(crate) async fn insert_text(&self, text: &str, deadline: Deadline) -> Result<()> {
        self.call(InsertText { text: text.to_owned() }, deadline)
            .await
            .map(|_| ())
    }

    async fn send_steps(&self, steps: Vec<Step>, deadline: Deadline) -> Result<()> {
        let mut progress = Progress::of(&steps);
        let mut burst = Vec::with_capacity(BURST);
        let mut held = 0_usize;
        for step in steps {
            if let Step::Key(event) = &step {
                held = if event.kind == EventKind::KeyUp {
                    held.saturating_sub(1)
                } else {
                    held + 1
                };
            }
            burst.push(step);
            if burst.len() >= BURST && held == 0 {
                self.send_burst(std::mem::take(&mut burst), &mut progress, deadline)
                    .await?;
            }
        }
        self.send_burst(burst, &mut progress, deadline).await
    }

    async fn send_burst(&self, steps: Vec<Step>, progress: &mut Progress, deadline: Deadline) -> Result<()> {
        let units: Vec<usize> = steps.iter().map(|step| progress.units(step)).collect();
        let sends = steps.into_iter().map(|step| async move {
            match step {
                Step::Key(event) => self.call(wire(&event), deadline).await.map(|_| ()),
                Step::Insert(text) => self.insert_text(&text, deadline).await,
            }
        });
        let answers = join_all(sends).await;
        let confirmed = answers.iter().take_while(|answer| answer.is_ok()).count();
        progress.sent += units.iter().sum::<usize>();
        progress.confirmed += units[..confirmed].iter().sum::<usize>();
        let failed = answers.into_iter().find_map(Result::err);
        failed.map_or(Ok(()), |error| Err(self.stopped(error, progress.told())))
    }
}

/// How far a text or a combination has got. A text counts in characters, what enters none in key events.
struct Progress {
    text: bool,
    of: usize,
    sent: usize,
    confirmed: usize,
}

impl Progress {
    fn of(steps: &[Step]) -> Self {
        let mut this = Self {
            text: true,
            of: 0,
            sent: 0,
            confirmed: 0,
        };
        this.of = steps.iter().map(|step| this.units(step)).sum();
        if this.of == 0 {
            this.text = false;
            this.of = steps.len();
        }
        this
    }

    fn units(&self, step: &Step) -> usize {
        match step {
            _ if !self.text => 1,
            Step::Key(event) => usize::from(event.kind == EventKind::KeyDown),
            Step::Insert(text) => text.chars().count(),
        }
    }

    fn told(&self) -> Value {
        let unit = if self.text { "characters" } else { "events" };
        json!({"unit": unit, "sent": self.sent, "confirmed": self.confirmed, "of": self.of})
    }
}

pub(super) fn wire(event: &KeyEvent) -> DispatchKeyEvent {
    DispatchKeyEvent {
        r#type: match event.kind {
            EventKind::KeyDown => "keyDown",
            EventKind::RawKeyDown => "rawKeyDown",
            EventKind::KeyUp => "keyUp",
        }
        .into(),
        key: Some(event.key.into()),
        code: Some(event.code.into()),
        text: event.text.map(String::from),
        windows_virtual_key_code: Some(event.windows_virtual_key_code),
        modifiers: Some(event.modifiers),
        location: Some(event.location),
        auto_repeat: Some(event.auto_repeat),
        commands: (!event.commands.is_empty()).then(|| event.commands.iter().map(ToString::to_string).collect()),
        ..Default::default()
    }
}
