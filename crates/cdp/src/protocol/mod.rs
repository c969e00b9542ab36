//! The part of the protocol that this product uses, one file per domain, declared with the `protocol!` macro.
//!
//! Rules: a member that the protocol calls optional is an `Option` and is left out when `None`; what comes from the
//! browser is read leniently (a missing member is its default, an unknown one is ignored, enumerations are strings),
//! because browsers of other versions send more and less. Integers are `i64`, numbers `f64`. A command is named like
//! [`page::Navigate`], its reply [`page::NavigateReply`], an event [`page::FrameNavigated`]; what each means stands in
//! the [protocol's documentation](https://chromedevtools.github.io/devtools-protocol/tot/).

#[macro_use]
mod macros;
pub mod names;

pub mod accessibility;
pub mod browser;
pub mod dom;
pub mod dom_debugger;
pub mod emulation;
pub mod fetch;
pub mod input;
pub mod inspector;
pub mod io;
pub mod log;
pub mod network;
pub mod page;
pub mod runtime;
pub mod storage;
pub mod system_info;
pub mod target;

use serde::{Deserialize, Serialize};

/// The reply of a command that returns nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Empty {}

/// Every name that the declarations use, by domain.
pub const NAMES: &[&[names::Entry]] = &[
    accessibility::NAMES,
    browser::NAMES,
    dom::NAMES,
    dom_debugger::NAMES,
    emulation::NAMES,
    fetch::NAMES,
    input::NAMES,
    inspector::NAMES,
    io::NAMES,
    log::NAMES,
    network::NAMES,
    page::NAMES,
    runtime::NAMES,
    storage::NAMES,
    system_info::NAMES,
    target::NAMES,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Command;

    #[test]
    fn an_absent_option_is_left_out_and_the_rest_is_camel_case() {
        let command = page::PrintToPdf {
            prefer_css_page_size: Some(true),
            ..Default::default()
        };
        assert_eq!(
            serde_json::to_string(&command).unwrap(),
            r#"{"preferCSSPageSize":true}"#
        );
        assert_eq!(page::PrintToPdf::METHOD, "Page.printToPDF");
        assert_eq!(serde_json::to_string(&page::Enable {}).unwrap(), "{}");
    }

    #[test]
    fn what_the_browser_leaves_out_or_adds_does_no_harm() {
        let json = r#"{"frame":{"id":"F","unheardOf":[1]},"type":"ANewKindOfNavigation","more":null}"#;
        let event: page::FrameNavigated = serde_json::from_str(json).unwrap();
        assert_eq!(
            (&*event.frame.id, &*event.frame.url, &*event.r#type),
            ("F", "", "ANewKindOfNavigation")
        );
    }
}
