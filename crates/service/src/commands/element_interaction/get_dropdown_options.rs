//! `get_dropdown_options`.

use engine::EngineError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::command::{Class, Command, Flags, Group};
use crate::commands::element_reading::target::indexed;
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::text;

/// Labels of the options of a native `<select>`. A list that a page builds itself has none: open it and read the page.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetDropdownOptions {
    /// Index of the element in the page text.
    pub index: u32,
    /// Snapshot that the index was read in; an index of another document is refused.
    pub snapshot_id: Option<String>,
}

/// Reply of `get_dropdown_options`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DropdownOptions {
    options: Vec<String>,
    /// Positions of the chosen options, from 0.
    selected: Vec<usize>,
    /// Positions of the options that cannot be chosen; absent when there are none.
    disabled: Option<Vec<usize>>,
}

impl Command for GetDropdownOptions {
    const NAME: &'static str = "get_dropdown_options";
    const GROUP: Group = Group::ElementInteraction;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    const OPAQUE: &'static [&'static str] = &["options"];
    type Output = DropdownOptions;

    async fn run(self, cx: &mut Context) -> Result<DropdownOptions, Failure> {
        let target = indexed(self.index, self.snapshot_id);
        let tab = cx.settled_tab().await?;
        let found = tab.select_options(&target, cx.until()).await;
        let options = found.map_err(|error| explain(&error, self.index))?.options;
        let positions = |wanted: fn(&engine::SelectOption) -> bool| -> Vec<usize> {
            let all = options.iter().enumerate();
            all.filter(|(_, option)| wanted(option)).map(|(at, _)| at).collect()
        };
        let disabled = positions(|option| option.disabled);
        Ok(DropdownOptions {
            selected: positions(|option| option.selected),
            disabled: (!disabled.is_empty()).then_some(disabled),
            options: options.into_iter().map(|option| option.text).collect(),
        })
    }
}

fn explain(error: &EngineError, index: u32) -> Failure {
    match error {
        EngineError::Refused { reason, facts, .. } if reason == "not-a-select" => {
            let target = facts.get("target").cloned().unwrap_or_default();
            Failure::new(Code::ActionFailed, text!("element.not_a_select", index = index))
                .with("reason", reason.as_str())
                .with("target", target)
        }
        other => Failure::from_engine(other, false),
    }
}
