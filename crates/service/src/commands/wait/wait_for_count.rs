//! `wait_for_count`.

use engine::Condition;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::until::wait;
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// Waits until the number of elements that a selector matches, seen or not, is within all given bounds.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitForCount {
    /// CSS selector; open shadow roots are searched too.
    pub selector: String,
    /// Least number. One of min, max and equals is needed.
    pub min: Option<u32>,
    /// Greatest number.
    pub max: Option<u32>,
    /// Exact number.
    pub equals: Option<u32>,
    /// Longest wait in seconds, fractions allowed; 0 looks once.
    #[schemars(range(min = 0), extend("default" = 30))]
    pub timeout_seconds: Option<f64>,
    /// Frame by ordinal, or by a part of its address or name; the main frame when absent.
    pub frame: Option<String>,
}

/// Reply of `wait_for_count`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Counted {
    matched: bool,
    count: u64,
    waited_ms: u64,
    selector: String,
    url: String,
}

impl WaitForCount {
    fn bounds(&self) -> (Option<u64>, Option<u64>) {
        let least = self.min.max(self.equals).map(u64::from);
        let most = self.max.into_iter().chain(self.equals).min().map(u64::from);
        (least, most)
    }
}

impl Command for WaitForCount {
    const NAME: &'static str = "wait_for_count";
    const GROUP: Group = Group::Wait;
    const CLASS: Class = Class::Wait;
    const FLAGS: Flags = Flags::TASK.resend_safe().long_running();
    const OPAQUE: &'static [&'static str] = &["selector"];
    type Output = Counted;

    fn check(&self) -> Result<(), Failure> {
        match self.bounds() {
            (None, None) => Err(Failure::invalid(text!("wait.no_bounds"))),
            (Some(min), Some(max)) if min > max => {
                Err(Failure::invalid(text!("wait.empty_bounds", min = min, max = max)))
            }
            _ => Ok(()),
        }
    }

    async fn run(self, cx: &mut Context) -> Result<Counted, Failure> {
        let (min, max) = self.bounds();
        let selector = self.selector.clone();
        let condition = Condition::Count { selector, min, max };
        let selector = self.selector;
        let counted = wait(
            cx,
            self.frame.as_deref(),
            self.timeout_seconds,
            |tab, within| async move {
                let met = tab.wait_for(&condition, &within).await?;
                Ok(Counted {
                    matched: true,
                    count: met.count,
                    waited_ms: met.waited_ms,
                    selector,
                    url: tab.url(),
                })
            },
        )
        .await;
        counted.map_err(|failure| failure.with("matched", false))
    }
}
