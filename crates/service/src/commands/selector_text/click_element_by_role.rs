//! `click_element_by_role`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::outlined::Outlined;
use super::roles::known_role;
use crate::command::{Class, Command, Flags, Group};
use crate::commands::ways::{CLICK_MODES, click_aliases};
use crate::context::Context;
use crate::failure::Failure;
use crate::projection::CLICK_DIAGNOSTICS;
use crate::receipts::{ClickReply, Wanted, click_outlined};

/// Clicks the first visible element with an ARIA role and an accessible name, as assistive technology sees them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClickElementByRole {
    /// ARIA role, such as `button`.
    pub role: String,
    /// Accessible name or a part of it, in any case; every element of the role when absent.
    pub name: Option<String>,
    /// How to click: `auto` (real input after every check), `native`, `mouse` (real input without the checks), `js`.
    #[schemars(extend("enum" = CLICK_MODES, "default" = "auto", "x-aliases" = click_aliases()))]
    pub mode: Option<String>,
}

/// Reply of `click_element_by_role`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoleClicked {
    #[serde(flatten)]
    outlined: Outlined,
    /// Elements of that role and name that were met until one could be seen.
    role_candidates: usize,
    #[serde(flatten)]
    click: ClickReply,
}

impl Command for ClickElementByRole {
    const NAME: &'static str = "click_element_by_role";
    const GROUP: Group = Group::SelectorText;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    const COMPACT_OMITS: &'static [&'static str] = CLICK_DIAGNOSTICS;
    type Output = RoleClicked;

    fn check(&self) -> Result<(), Failure> {
        known_role(&self.role).map(|_| ())
    }

    async fn run(self, cx: &mut Context) -> Result<RoleClicked, Failure> {
        let role = known_role(&self.role)?;
        let tab = cx.settled_tab().await?;
        let (target, choice) = tab
            .find_by_role(role, self.name.as_deref(), cx.until())
            .await
            .map_err(|error| Failure::from_engine(&error, false))?;
        let (click, outline) = click_outlined(cx, target, Wanted::once(self.mode.as_deref()), true).await?;
        Ok(RoleClicked {
            outlined: outline.into(),
            role_candidates: choice.matched,
            click,
        })
    }
}
