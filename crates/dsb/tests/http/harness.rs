//! What every module needs: a service, a site, and looks into the page that do not go through what is tested.

use serde_json::{Value, json};
use support::{Dsb, Options, Site, Task};

/// A service with its own home, and the fixture site.
pub struct World {
    pub dsb: Dsb,
    pub site: Site,
}

impl World {
    /// A service without automatic screenshots, which most tests do not need.
    pub fn new() -> Self {
        Self::with(options().arg("--browser.capture.enabled=false"))
    }

    pub fn with(options: Options) -> Self {
        Self {
            dsb: Dsb::start(&options),
            site: Site::start(),
        }
    }

    /// A task that shows a plain page.
    pub fn at(&self, page: &str) -> Task<'_> {
        let task = self.dsb.task(json!({}));
        task.ok("go_to_url", json!({"url": self.site.a(&format!("/plain/{page}"))}));
        task
    }
}

pub fn options() -> Options {
    Options::new(env!("CARGO_BIN_EXE_dsb"))
}

/// Value of an expression in the page.
pub fn js(task: &Task<'_>, body: &str) -> Value {
    task.ok("execute_js", json!({"body": body}))["result"].clone()
}

/// Text of the element with that id.
pub fn text_of(task: &Task<'_>, id: &str) -> String {
    js(task, &format!("document.getElementById('{id}').textContent"))
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

/// The page text.
pub fn page_text(task: &Task<'_>) -> String {
    task.ok("get_browser_state", json!({}))["text"]
        .as_str()
        .expect("a page text")
        .to_owned()
}

/// The text of the whole page, not only of what is in view.
pub fn whole_text(task: &Task<'_>) -> String {
    task.ok("get_browser_state", json!({"viewportExpansion": -1}))["text"]
        .as_str()
        .expect("a page text")
        .to_owned()
}

/// Index on the first line of the page text that contains `part`.
pub fn index_of(text: &str, part: &str) -> u64 {
    let line = text
        .lines()
        .find(|line| line.contains(part))
        .unwrap_or_else(|| panic!("no line with {part:?} in\n{text}"));
    let number = line
        .trim_start()
        .trim_start_matches('*')
        .trim_start_matches('[')
        .split(']')
        .next()
        .unwrap_or_default();
    number.parse().unwrap_or_else(|_| panic!("no index on {line:?}"))
}
