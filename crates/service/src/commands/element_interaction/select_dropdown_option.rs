//! `select_dropdown_option`.

use engine::{Choosing, Target, Wanted};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::receipts::{ChooseReply, choose};
use crate::text;

/// Chooses in the list with that index: a native `<select>`, or one that the page builds itself (combobox with a
/// listbox; antd, element-plus, vxe, Select2 and their like), which is opened and clicked for real. One of text, texts,
/// value and optionIndex is needed. In a list that takes several, what was chosen stays chosen; deselect takes the named
/// options out again.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SelectDropdownOption {
    /// Index of the list in the page text.
    pub index: u32,
    /// Label of the option, whole.
    pub text: Option<String>,
    /// Labels of several options, for a list that takes several.
    #[schemars(length(min = 1))]
    pub texts: Option<Vec<String>>,
    /// `value` of the option (native lists only).
    pub value: Option<String>,
    /// Position of the option from 0 (native lists only).
    pub option_index: Option<u32>,
    /// Take the named options out of what a list that takes several has chosen, instead of choosing them.
    #[serde(default)]
    pub deselect: bool,
    /// The snapshot that the index was read in; another one is refused.
    pub snapshot_id: Option<String>,
}

impl SelectDropdownOption {
    /// What is to be chosen; one entry for each way in which it was named.
    fn named(&self) -> Vec<Vec<Wanted>> {
        let text = self.text.as_ref().map(|text| vec![Wanted::Label(text.clone())]);
        let texts = self.texts.as_ref();
        let texts = texts.map(|texts| texts.iter().cloned().map(Wanted::Label).collect());
        let value = self.value.as_ref().map(|value| vec![Wanted::Value(value.clone())]);
        let position = self.option_index.map(|at| vec![Wanted::Position(at)]);
        [text, texts, value, position].into_iter().flatten().collect()
    }
}

impl Command for SelectDropdownOption {
    const NAME: &'static str = "select_dropdown_option";
    const GROUP: Group = Group::ElementInteraction;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    const OPAQUE: &'static [&'static str] = &["value", "selectedText", "selected"];
    type Output = ChooseReply;

    fn check(&self) -> Result<(), Failure> {
        match self.named().as_slice() {
            [wanted] if !wanted.is_empty() => Ok(()),
            [] | [_] => Err(Failure::invalid(text!("params.missing", name = "text"))),
            _ => Err(Failure::invalid(text!("choose.one_name"))),
        }
    }

    async fn run(self, cx: &mut Context) -> Result<ChooseReply, Failure> {
        let wanted = self.named().concat();
        let target = Target::Index {
            index: self.index,
            snapshot_id: self.snapshot_id,
        };
        let choosing = if self.deselect { Choosing::Remove } else { Choosing::Add };
        choose(cx, &target, &wanted, choosing).await
    }
}
