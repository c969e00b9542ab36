//! `returnState`: the state of the page after an action or a wait, in its own reply. One mechanism for every command of
//! these classes on a task's page and for batches, declared from their class and flags.
//!
//! Invariant: the reading never changes what is told of the action: it begins when the outcome stands, has a limit of
//! its own, and when it fails the reply says why beside everything else.

use std::time::Duration;

use engine::{Deadline, EngineError, PageState, StateOptions, Tab};
use serde_json::{Map, Value, json};

use crate::command::{Class, Flags};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::text;

/// Name of the parameter.
pub const NAME: &str = "returnState";
/// Its values, the default first.
pub const CHOICES: [&str; 3] = ["none", "diff", "full"];

/// How long the reading may take.
const LIMIT: Duration = Duration::from_secs(5);
/// How long a new document is given to be parsed before it is read.
const PARSE_PATIENCE: Duration = Duration::from_millis(1500);

/// What is wanted of the page after the action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReturnState {
    /// Nothing.
    #[default]
    None,
    /// The lines that differ from those of the last reading.
    Diff,
    /// The whole text.
    Full,
}

/// Whether commands of this kind take the parameter: actions and waits under the turn of their task, and batches, which
/// hold it.
pub(crate) fn offered(class: Class, flags: Flags, holds_steps: bool) -> bool {
    flags.takes_turn && (holds_steps || (flags.needs_task && matches!(class, Class::Action | Class::Wait)))
}

/// Adds the parameter to the schema of a command's parameters.
pub(crate) fn declare(schema: &mut Value) {
    let property = json!({
        "type": "string",
        "enum": CHOICES,
        "default": CHOICES[0],
        "description": "What the reply tells of the page afterwards, in `state`: nothing, the lines that differ from the last \
            reading of the tab, or the whole text. Read with the options of the last get_browser_state, its selector left out.",
    });
    if let Some(schema) = schema.as_object_mut() {
        let properties = schema.entry("properties").or_insert_with(|| json!({}));
        properties[NAME] = property;
    }
}

/// Takes the parameter out of checked ones.
pub(crate) fn take(params: &mut Map<String, Value>) -> ReturnState {
    match params.shift_remove(NAME).as_ref().and_then(Value::as_str) {
        Some("diff") => ReturnState::Diff,
        Some("full") => ReturnState::Full,
        _ => ReturnState::None,
    }
}

/// Whether the page is worth reading after this outcome: a refused action has left it as it was.
pub(crate) fn is_of_use(result: &Result<Value, Failure>) -> bool {
    match result {
        Ok(_) => true,
        Err(failure) if failure.code == Code::CommandTimeout => false,
        Err(failure) => {
            let steps = failure.data.get("succeeded").and_then(Value::as_u64);
            steps.is_some_and(|succeeded| succeeded > 0) || failure.data.get("actionStatus") == Some(&json!("unknown"))
        }
    }
}

/// How long the reading may take, from now.
pub(crate) fn limit(cx: &Context) -> Duration {
    cx.within_deadline(LIMIT)
}

/// Reads the current tab; the value is the member `state`.
///
/// # Errors
/// The tab cannot be read: it is gone, busy, or has no end of navigations.
pub(crate) async fn read(cx: &mut Context, wanted: ReturnState) -> Result<Value, Failure> {
    let deadline = Deadline::after(limit(cx));
    let tab = cx.tab().await?;
    let parsed = tab
        .until("the document", deadline.within(PARSE_PATIENCE), |state| {
            (!state.navigating() && state.life.dom_ready).then_some(())
        })
        .await;
    if let Err(error @ (EngineError::TabGone(_) | EngineError::BrowserGone { .. })) = parsed {
        return Err(Failure::from_engine(&error, false));
    }
    let options = options(&tab, wanted, cx.config().state.hard_max_chars);
    let state = tab.read_state(&options, deadline).await;
    let state = state.map_err(|error| Failure::from_engine(&error, false))?;
    Ok(told(cx, state, wanted))
}

fn options(tab: &Tab, wanted: ReturnState, hard: usize) -> StateOptions {
    let last = tab.last_read_with();
    let max_chars = last.as_ref().map_or(0, |last| last.max_chars);
    StateOptions {
        diff: wanted == ReturnState::Diff,
        include_elements: false,
        max_elements: 0,
        max_chars: if max_chars == 0 { hard } else { max_chars.min(hard) },
        ..last.unwrap_or_default()
    }
}

/// What matters of a reading: the text, what its indices belong to, and whatever is out of the ordinary.
fn told(cx: &Context, state: PageState, wanted: ReturnState) -> Value {
    let consistent = state.issues.is_empty();
    let skipped = state.frames.iter().any(|frame| frame.skipped == Some("cross-origin"));
    let whole = wanted == ReturnState::Diff && state.diff.is_none();
    let say = |holds: bool, text| holds.then(|| cx.say(&text));
    let members = json!({
        "mode": if state.diff.is_some() { "diff" } else { "full" },
        "url": state.url,
        "title": state.title,
        "text": state.text,
        "snapshotId": state.snapshot_id,
        "elementCount": state.element_count,
        "indicesUsable": true,
        "linesUnchanged": state.diff.as_ref().map(|diff| diff.unchanged),
        "diffBase": state.diff.as_ref().map(|diff| diff.base.clone()),
        "diffNote": say(whole, text!("state.nothing_to_compare")),
        "textTruncated": (state.lines_left_out > 0).then_some(true),
        "frameHint": say(skipped, text!("state.frames_skipped")),
        "snapshotConsistent": (!consistent).then_some(false),
        "snapshotIssues": (!consistent).then_some(state.issues),
        "snapshotHint": say(!consistent, text!("state.inconsistent")),
        "navigationPending": state.navigation_pending.then_some(true),
        "pageAppearsBlank": state.blank.then_some(true),
    });
    match members {
        // Members without a value say nothing here, whatever the configuration keeps elsewhere.
        Value::Object(members) => members.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::registry;

    #[test]
    fn what_acts_on_a_page_takes_it_and_nothing_else_does() {
        for declaration in registry().all() {
            let flags = declaration.flags;
            let acts = matches!(declaration.class, Class::Action | Class::Wait) && flags.needs_task && flags.takes_turn;
            let taken: Vec<_> = declaration.params.iter().filter(|param| param.name == NAME).collect();
            assert_eq!(
                taken.len(),
                usize::from(acts || declaration.holds_steps),
                "{}",
                declaration.name
            );
            for param in taken {
                assert_eq!(param.choices, CHOICES, "{}", declaration.name);
                assert_eq!(declaration.params_schema["properties"][NAME]["default"], "none");
            }
        }
    }

    #[test]
    fn none_of_them_has_members_of_that_name() {
        for declaration in registry().all().filter(|declaration| declaration.returns_state()) {
            let members = &declaration.output_schema["properties"];
            assert!(
                members.get("state").is_none() && members.get("stateError").is_none(),
                "{}",
                declaration.name
            );
        }
    }

    #[test]
    fn a_refused_action_is_not_followed_by_a_reading() {
        let failed = |failure: Failure| is_of_use(&Err(failure));
        let refusal = || Failure::new(Code::ElementObscured, text!("state.selector_blank"));
        assert!(is_of_use(&Ok(Value::Null)));
        assert!(!failed(refusal()));
        assert!(!failed(refusal().with("succeeded", 0)));
        assert!(failed(refusal().with("succeeded", 1)));
        assert!(failed(refusal().with("actionStatus", "unknown")));
        let late = Failure::new(Code::CommandTimeout, text!("state.selector_blank"));
        assert!(!failed(late.with("succeeded", 1)));
    }

    #[test]
    fn the_wish_is_taken_out_of_the_parameters() {
        let mut params = Map::from_iter([(NAME.to_owned(), json!("diff")), ("index".to_owned(), json!(1))]);
        assert_eq!(take(&mut params), ReturnState::Diff);
        assert_eq!(params.len(), 1);
        assert_eq!(take(&mut params), ReturnState::None);
    }
}
