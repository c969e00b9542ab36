//! Which control closes a modal. Invariant: a label that was asked for and does not exist is never replaced by another,
//! since that might be the opposite choice.

use engine::{Modal, ModalControl};
use serde_json::json;

use crate::failure::{Code, Failure};
use crate::text;

/// Labels that leave things as they are, the ones of the specification first.
const LEAVING: [&str; 26] = [
    "取消",
    "关闭",
    "知道了",
    "我知道了",
    "我接受",
    "cancel",
    "close",
    "dismiss",
    "skip",
    "notnow",
    "nothanks",
    "later",
    "maybelater",
    "gotit",
    "understood",
    "iunderstand",
    "disagree",
    "decline",
    "reject",
    "rejectall",
    "no",
    "keep",
    "跳过",
    "拒绝",
    "暂不",
    "以后再说",
];
/// Parts of labels that refuse what need not be accepted.
const ONLY_NEEDED: [&str; 4] = ["necessary", "essential", "onlywhatisneeded", "仅必要"];
/// Labels that agree, taken when there is nothing else.
const AGREEING: [&str; 13] = [
    "确定",
    "确认",
    "ok",
    "okay",
    "done",
    "好的",
    "同意",
    "接受",
    "accept",
    "agree",
    "iaccept",
    "iagree",
    "acceptall",
];

/// How a modal is closed.
pub(super) enum Way<'a> {
    /// By this control.
    Press(&'a ModalControl),
    /// By the Escape key: it shows no control that is known to close it.
    Escape,
}

/// A text without white space, in lower case.
pub(super) fn folded(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && *c != '\'' && *c != '’')
        .flat_map(char::to_lowercase)
        .collect()
}

/// The control for a label, or the one that is taken without any.
pub(super) fn way_out<'a>(modal: &'a Modal, wanted: Option<&str>) -> Result<Way<'a>, Failure> {
    match wanted.map(folded).filter(|wanted| !wanted.is_empty()) {
        Some(label) => named(modal, &label)
            .map(Way::Press)
            .ok_or_else(|| no_such_button(modal, wanted.unwrap_or_default())),
        None => Ok(usual(modal).map_or(Way::Escape, Way::Press)),
    }
}

fn named<'a>(modal: &'a Modal, label: &str) -> Option<&'a ModalControl> {
    let found = modal.buttons.iter().find(|button| folded(&button.label) == label);
    let cross = || {
        modal
            .close
            .as_ref()
            .filter(|_| matches!(label, "×" | "x" | "close" | "关闭"))
    };
    found.or_else(cross)
}

fn usual(modal: &Modal) -> Option<&ModalControl> {
    let labelled = |wanted: &dyn Fn(&str) -> bool| modal.buttons.iter().find(|button| wanted(&folded(&button.label)));
    let first_of = |labels: &[&str]| labels.iter().find_map(|label| labelled(&|found| found == *label));
    let only = || match modal.buttons.as_slice() {
        [button] => Some(button),
        _ => None,
    };
    modal
        .close
        .as_ref()
        .or_else(|| first_of(&LEAVING))
        .or_else(|| labelled(&|found| ONLY_NEEDED.iter().any(|part| found.contains(part))))
        .or_else(|| first_of(&AGREEING))
        .or_else(only)
}

fn no_such_button(modal: &Modal, wanted: &str) -> Failure {
    let mut labels: Vec<&str> = modal.buttons.iter().map(|button| button.label.as_str()).collect();
    labels.extend(modal.close.as_ref().map(|close| close.label.as_str()));
    let listed = labels.join(" / ");
    Failure::new(
        Code::ElementNotFound,
        text!("modals.no_button", wanted = wanted, labels = listed),
    )
    .with("started", false)
    .with("labels", json!(labels))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // test code
mod tests {
    use super::*;

    fn modal(labels: &[&str], cross: bool) -> Modal {
        let control = |label: &&str| json!({"label": label});
        let buttons: Vec<_> = labels.iter().map(control).collect();
        serde_json::from_value(json!({"buttons": buttons, "close": cross.then(|| control(&"×"))})).unwrap()
    }

    fn taken(labels: &[&str], cross: bool, wanted: Option<&str>) -> String {
        match way_out(&modal(labels, cross), wanted) {
            Ok(Way::Press(control)) => control.label.clone(),
            Ok(Way::Escape) => "Escape".into(),
            Err(failure) => failure.code.as_str().into(),
        }
    }

    #[test]
    fn the_cross_comes_first_then_what_leaves_things_as_they_are() {
        assert_eq!(taken(&["Delete", "Cancel"], true, None), "×");
        assert_eq!(taken(&["Delete", "Cancel"], false, None), "Cancel");
        assert_eq!(taken(&["确定", "取消"], false, None), "取消");
        assert_eq!(
            taken(&["Accept all", "Only what is needed"], false, None),
            "Only what is needed"
        );
        assert_eq!(taken(&["Next", "Skip"], false, None), "Skip");
        assert_eq!(taken(&["OK"], false, None), "OK");
        assert_eq!(taken(&["Understand everything"], false, None), "Understand everything");
        assert_eq!(taken(&["Alpha", "Beta"], false, None), "Escape");
    }

    #[test]
    fn a_label_that_was_asked_for_is_taken_or_refused() {
        assert_eq!(taken(&["确 定", "取 消"], true, Some("确定")), "确 定");
        assert_eq!(taken(&["Save order"], true, Some("saveORDER")), "Save order");
        assert_eq!(taken(&["OK"], true, Some("close")), "×");
        assert_eq!(taken(&["OK", "Cancel"], true, Some("Delete")), "ELEMENT_NOT_FOUND");
        assert_eq!(taken(&["OK", "Cancel"], true, Some("O")), "ELEMENT_NOT_FOUND");
    }
}
