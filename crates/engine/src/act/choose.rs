//! Choosing in a list: a native select through the DOM, a list that the page builds by real clicks. Invariant: done means
//! that the control shows the option's own label afterwards; an option that is not there or disabled is never replaced
//! by another one.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::click::{ClickMode, ClickOptions, Ladder};
use super::observe::Hit;
use super::pointer::Button;
use super::target::{Named, Target};
use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::tab::Tab;

/// How long a list may take to come, a search to answer, or a choice to show.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long changes are looked for after a click of ours; what counts is looked for itself.
const WINDOW_MS: u64 = 50;

/// One option, by what names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// Its label.
    Label(String),
    /// Its `value` (native selects).
    Value(String),
    /// Its position from 0 (native selects).
    Position(u32),
}

impl Wanted {
    fn args(&self) -> Value {
        match self {
            Self::Label(text) => json!({"text": text}),
            Self::Value(value) => json!({"value": value}),
            Self::Position(at) => json!({"option": at}),
        }
    }
}

/// What becomes of the options that are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choosing {
    /// They are chosen.
    Add,
    /// They are taken out of what a list of several has chosen.
    Remove,
}

/// What a choice came to.
#[derive(Debug, Clone, Default)]
pub struct Selected {
    /// The list is a native select.
    pub native: bool,
    /// Its value, of a native select.
    pub value: Option<String>,
    /// What the control shows: one text per chosen option.
    pub shown: Vec<String>,
    /// Nothing had to be done.
    pub already: bool,
    /// The control left the page after the choice.
    pub gone: bool,
    /// The list is still open (lists that take several choices stay so).
    pub open: bool,
    /// The option came only when its label was typed into the search.
    pub searched: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct Prepared {
    native: bool,
    r#ref: u64,
    already_selected: bool,
    value: Option<String>,
    control: u64,
    r#box: u64,
    doc: String,
    open: bool,
    searchable: bool,
    multiple: bool,
    matches: bool,
    shown: Vec<String>,
    target: Map<String, Value>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Options {
    found: Option<u64>,
    doc: String,
    disabled: bool,
    on: bool,
    option: Map<String, Value>,
    open: bool,
    labels: Vec<String>,
    count: u64,
    /// The open list has a search field of its own, which has the focus.
    searching: bool,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Shown {
    matches: bool,
    shown: Vec<String>,
    value: Option<String>,
    gone: bool,
    open: bool,
}

/// A text field whose list of suggestions is about to open.
#[derive(Debug, Clone)]
pub struct Suggesting {
    frame: Frame,
    control: u64,
    doc: String,
    target: Map<String, Value>,
}

#[derive(Deserialize)]
struct PreparedField {
    control: u64,
    doc: String,
    select: bool,
    target: Map<String, Value>,
}

impl Tab {
    /// Chooses options, or takes them back; on a list that takes several, whatever else was chosen stays chosen.
    ///
    /// # Errors
    /// A refusal; `ACTION_FAILED` (`not-shown`) when the control does not show the choice in the end; `INVALID_ARGUMENT`
    /// (`not-multiple`) for taking something out of a list of one.
    pub async fn choose(
        &self,
        target: &Target,
        wanted: &[Wanted],
        choosing: Choosing,
        deadline: Deadline,
    ) -> Result<Selected> {
        let remove = choosing == Choosing::Remove;
        let args: Vec<Value> = wanted.iter().map(Wanted::args).collect();
        let given = [("wanted", json!(args)), ("remove", json!(remove))];
        let (frame, prepared): (Frame, Prepared) = self.on_target(target, "prepareChoice", given, deadline).await?;
        if prepared.native {
            return self.chosen_natively(&frame, prepared, &args, remove, deadline).await;
        }
        let mut chosen = Selected::default();
        for one in wanted {
            // The page script has refused every other name.
            let Wanted::Label(label) = one else { continue };
            let now = match choosing {
                Choosing::Add => self.choose_built(&frame, target, label, deadline).await?,
                Choosing::Remove => self.remove_built(&frame, target, label, deadline).await?,
            };
            chosen = Selected {
                already: now.already && (chosen.already || chosen.shown.is_empty()),
                searched: now.searched || chosen.searched,
                ..now
            };
        }
        Ok(chosen)
    }

    /// Picks the suggestion whose label is `label` from the list that a text field has opened. The field was prepared
    /// with [`Tab::expect_suggestions`] before the text was entered.
    ///
    /// # Errors
    /// `ELEMENT_NOT_FOUND` with the labels that there are; the text stays in the field.
    pub async fn pick_suggestion(&self, field: &Suggesting, label: &str, deadline: Deadline) -> Result<Selected> {
        let list = Prepared {
            control: field.control,
            r#box: field.control,
            doc: field.doc.clone(),
            target: field.target.clone(),
            ..Prepared::default()
        };
        let options = self.await_option(&field.frame, &list, label, true, deadline).await?;
        let options = self.taken_or_refused(&list, options, label)?;
        self.take_option(&field.frame, &list, &options, label, deadline).await
    }

    /// Prepares a text field for [`Tab::pick_suggestion`]; `None` when it only searches a built select, which
    /// [`Tab::choose`] is for.
    ///
    /// # Errors
    /// The field is not found or stale.
    pub async fn expect_suggestions(&self, target: &Target, deadline: Deadline) -> Result<Option<Suggesting>> {
        let (frame, field): (Frame, PreparedField) = self.on_target(target, "prepareSuggestions", [], deadline).await?;
        Ok((!field.select).then_some(Suggesting {
            frame,
            control: field.control,
            doc: field.doc,
            target: field.target,
        }))
    }

    async fn chosen_natively(
        &self,
        frame: &Frame,
        prepared: Prepared,
        wanted: &[Value],
        remove: bool,
        deadline: Deadline,
    ) -> Result<Selected> {
        let look = json!({"ref": prepared.r#ref, "wanted": wanted, "remove": remove});
        let patience = deadline.within(Duration::from_secs(1));
        // A document that goes because of the choice has taken it.
        let later: Option<Shown> = self.script(frame, "choiceAfterFrame", &look, patience).await.ok();
        let gone = later.as_ref().is_some_and(|later| later.gone);
        let last = later.filter(|later| !later.gone);
        let matches = last.as_ref().map_or(prepared.matches, |last| last.matches);
        let shown = last.as_ref().map_or(&prepared.shown, |last| &last.shown).clone();
        if !matches {
            return Err(not_shown(&prepared.target, &shown));
        }
        Ok(Selected {
            native: true,
            value: last.and_then(|last| last.value).or(prepared.value),
            shown,
            already: prepared.already_selected,
            gone,
            ..Selected::default()
        })
    }

    async fn choose_built(&self, frame: &Frame, target: &Target, label: &str, deadline: Deadline) -> Result<Selected> {
        let wanted = json!([{"text": label}]);
        let (_, prepared): (Frame, Prepared) = self
            .on_target(target, "prepareChoice", [("wanted", wanted)], deadline)
            .await?;
        if prepared.matches {
            return Ok(Selected {
                shown: prepared.shown,
                already: true,
                open: prepared.open,
                ..Selected::default()
            });
        }
        if !prepared.open {
            self.open_list(frame, &prepared, deadline).await?;
        }
        let (options, searched) = match self.find_option(frame, &prepared, label, deadline).await {
            Ok(found) => found,
            Err(error) => {
                if !prepared.open {
                    self.close_list(frame, &prepared, deadline).await;
                }
                return Err(error);
            }
        };
        let chosen = self.take_option(frame, &prepared, &options, label, deadline).await?;
        Ok(Selected { searched, ..chosen })
    }

    /// Takes an option out of a built list of several: a click on a chosen option of its open list does so.
    async fn remove_built(&self, frame: &Frame, target: &Target, label: &str, deadline: Deadline) -> Result<Selected> {
        let given = [("wanted", json!([{"text": label}])), ("remove", json!(true))];
        let (_, list): (Frame, Prepared) = self.on_target(target, "prepareChoice", given, deadline).await?;
        if !list.open {
            self.open_list(frame, &list, deadline).await?;
        }
        let (options, searched) = match self.find_option(frame, &list, label, deadline).await {
            Ok(found) => found,
            Err(error) => {
                self.close_list(frame, &list, deadline).await;
                return Err(error);
            }
        };
        if !options.on && !list.matches {
            self.close_list(frame, &list, deadline).await;
            return Ok(Selected {
                shown: list.shown,
                already: true,
                ..Selected::default()
            });
        }
        let option = options.found.unwrap_or_default();
        self.click_option(frame, &options.doc, option, label, deadline).await?;
        let shown = self
            .await_choice(frame, &list, option, label, "remove", deadline)
            .await?;
        if !shown.matches && !shown.gone {
            return Err(EngineError::Uncertain {
                reason: format!("the option was clicked, but the list still shows {:?}", shown.shown),
            });
        }
        Ok(Selected {
            shown: shown.shown,
            gone: shown.gone,
            open: shown.open,
            searched,
            ..Selected::default()
        })
    }

    /// What the control shows after a click on an option; `how` names what was meant by it.
    async fn await_choice(
        &self,
        frame: &Frame,
        list: &Prepared,
        option: u64,
        label: &str,
        how: &'static str,
        deadline: Deadline,
    ) -> Result<Shown> {
        let timeout = deadline.within(PATIENCE).remaining();
        let mut args = json!({"control": list.control, "box": list.r#box, "option": option, "text": label,
                              "timeoutMs": millis(timeout)});
        args[how] = true.into();
        let shown = self.script(frame, "awaitChoice", &args, deadline).await;
        shown.map_err(uncertain)
    }

    async fn open_list(&self, frame: &Frame, list: &Prepared, deadline: Deadline) -> Result<()> {
        // The middle of a box with chips may be the cross of one of them.
        let first = if list.multiple { list.control } else { list.r#box };
        match self.click_named(frame, &list.doc, first, deadline).await {
            Err(EngineError::Refused { .. }) if list.multiple => {
                self.click_named(frame, &list.doc, list.r#box, deadline).await
            }
            other => other,
        }
    }

    /// Closes a list in which nothing could be chosen, so that it does not lie over what comes next.
    async fn close_list(&self, frame: &Frame, list: &Prepared, deadline: Deadline) {
        #[derive(Deserialize)]
        struct Close {
            by: String,
        }
        let args = json!({"control": list.control, "box": list.r#box});
        let how: Result<Close> = self.script(frame, "howToClose", &args, deadline).await;
        let _ = match how.as_ref().map(|how| how.by.as_str()) {
            Ok("key") => self.press_named("Escape", deadline).await,
            Ok("click") => {
                let soon = deadline.within(Duration::from_millis(500));
                self.click_named(frame, &list.doc, list.r#box, soon).await
            }
            _ => Ok(()),
        };
    }

    async fn find_option(
        &self,
        frame: &Frame,
        list: &Prepared,
        label: &str,
        deadline: Deadline,
    ) -> Result<(Options, bool)> {
        let first = self
            .await_option(frame, list, label, !list.searchable, deadline)
            .await?;
        let (searchable, opened) = (list.searchable || first.searching, first.open);
        if first.found.is_some() || !searchable {
            return self.taken_or_refused(list, first, label).map(|found| (found, false));
        }
        // Some servers look for the beginning, or for one word, of what they are asked.
        let word = label.split_whitespace().next().filter(|word| *word != label);
        let mut last = first;
        for query in [Some(label), word].into_iter().flatten() {
            if query != label {
                self.clear_search(deadline).await?;
            }
            self.insert_text(query, deadline).await.map_err(uncertain)?;
            last = self.await_option(frame, list, label, true, deadline).await?;
            if last.found.is_some() {
                return self.taken_or_refused(list, last, label).map(|found| (found, true));
            }
        }
        if !opened {
            return self.taken_or_refused(list, last, label).map(|found| (found, true));
        }
        // The search knows options by something else than their labels: the whole list is looked through.
        self.clear_search(deadline).await?;
        let whole = self.await_option(frame, list, label, true, deadline).await?;
        self.taken_or_refused(list, whole, label).map(|found| (found, false))
    }

    async fn clear_search(&self, deadline: Deadline) -> Result<()> {
        for keys in ["Control+A", "Backspace"] {
            self.press_named(keys, deadline).await.map_err(uncertain)?;
        }
        Ok(())
    }

    async fn await_option(
        &self,
        frame: &Frame,
        list: &Prepared,
        label: &str,
        scroll: bool,
        deadline: Deadline,
    ) -> Result<Options> {
        let timeout = deadline.within(PATIENCE).remaining();
        let args = json!({"control": list.control, "text": label, "timeoutMs": millis(timeout), "scroll": scroll});
        self.script(frame, "awaitOption", &args, deadline).await
    }

    fn taken_or_refused(&self, list: &Prepared, options: Options, label: &str) -> Result<Options> {
        let facts = |options: &Options| {
            [
                ("text", json!(label)),
                ("options", json!(options.labels)),
                ("optionCount", json!(options.count)),
                ("listOpen", json!(options.open)),
            ]
        };
        if options.found.is_none() {
            let reason = if options.open {
                "option-not-found"
            } else {
                "list-not-opened"
            };
            return Err(refusal("ELEMENT_NOT_FOUND", reason, &list.target, facts(&options)));
        }
        if options.disabled {
            return Err(refusal("ELEMENT_DISABLED", "option-disabled", &options.option, []));
        }
        Ok(options)
    }

    async fn take_option(
        &self,
        frame: &Frame,
        list: &Prepared,
        options: &Options,
        label: &str,
        deadline: Deadline,
    ) -> Result<Selected> {
        let option = options.found.unwrap_or_default();
        if options.on && list.multiple {
            // A second click would take it away again.
            return Ok(Selected {
                shown: list.shown.clone(),
                already: true,
                open: true,
                ..Selected::default()
            });
        }
        self.click_option(frame, &options.doc, option, label, deadline).await?;
        let how = if options.on { "on" } else { "add" };
        let shown = self.await_choice(frame, list, option, label, how, deadline).await?;
        if !shown.matches && !shown.gone {
            return Err(EngineError::Uncertain {
                reason: format!("the option was clicked, but the list shows {:?}", shown.shown),
            });
        }
        Ok(Selected {
            shown: shown.shown,
            gone: shown.gone,
            open: shown.open,
            ..Selected::default()
        })
    }

    /// A real click on an element of this frame, after every check.
    async fn click_named(&self, frame: &Frame, doc: &str, local: u64, deadline: Deadline) -> Result<()> {
        match self.press_option(frame, doc, local, deadline).await? {
            None => Ok(()),
            Some(_) => Err(landed_elsewhere()),
        }
    }

    /// Clicks an option. A list that was drawn anew under the pointer has the same option at the same place.
    async fn click_option(&self, frame: &Frame, doc: &str, local: u64, label: &str, deadline: Deadline) -> Result<()> {
        let Some(hit) = self.press_option(frame, doc, local, deadline).await? else {
            return Ok(());
        };
        let same = hit
            .get("text")
            .and_then(Value::as_str)
            .is_some_and(|text| text == label);
        if same { Ok(()) } else { Err(landed_elsewhere()) }
    }

    /// What got the press, where that was not the element. Lists that take the press may be gone before the release:
    /// what counts is what the control shows then.
    async fn press_option(
        &self,
        frame: &Frame,
        doc: &str,
        local: u64,
        deadline: Deadline,
    ) -> Result<Option<Map<String, Value>>> {
        let target = Target::Element(Named {
            frame: frame.id.clone(),
            doc: doc.to_owned(),
            local,
        });
        let options = ClickOptions {
            mode: ClickMode::Native,
            timeout: deadline.within(PATIENCE).remaining(),
            ladder: Ladder {
                mouse: false,
                js: false,
            },
            window_ms: WINDOW_MS,
            button: Button::Left,
            times: 1,
            outline: false,
        };
        let receipt = self.click(&target, options, deadline).await?;
        let stranger = receipt.observed.stranger().cloned().unwrap_or_default();
        Ok((receipt.observed.hit() == Hit::Elsewhere).then_some(stranger))
    }
}

fn landed_elsewhere() -> EngineError {
    EngineError::Uncertain {
        reason: "the click landed on another element".into(),
    }
}

fn refusal<const N: usize>(
    code: &str,
    reason: &str,
    target: &Map<String, Value>,
    facts: [(&str, Value); N],
) -> EngineError {
    let mut all = Map::from_iter([("target".to_owned(), Value::Object(target.clone()))]);
    all.extend(facts.into_iter().map(|(name, value)| (name.to_owned(), value)));
    EngineError::refused(code, reason, Value::Object(all))
}

/// The input was sent, and the control does not show it: the page refused the choice or took it back.
fn not_shown(target: &Map<String, Value>, shown: &[String]) -> EngineError {
    refusal("ACTION_FAILED", "not-shown", target, [("shown", json!(shown))])
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn uncertain(error: EngineError) -> EngineError {
    super::input::uncertain(error)
}
