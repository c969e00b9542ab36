//! The first task: add an order to the demo application and prove that it is there.
//!
//! Invariant: the tour ends well only when every reply was a success and the table that the page shows has one row
//! more, with the values that were typed. It knows the application by the text that it reads, not by positions.

use anyhow::{Context as _, bail, ensure};
use serde_json::{Map, Value, json};

use super::page_text::{Control, find};
use super::story::Story;
use crate::client::{Client, envelope};

const CUSTOMER: &str = "Ada Lovelace";
const TEA: &str = "Darjeeling";
const TINS: &str = "3";
const ROWS: &str = "#orders tbody tr";
const LAST_ROW: &str = "#orders tbody tr:last-child";
/// First bytes of every PNG file (W3C PNG §5.2).
const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// What the tour leaves behind.
#[derive(Debug)]
pub struct Finished {
    /// The task that it worked in; still open.
    pub task: String,
    /// The screenshot on disk.
    pub screenshot: String,
    /// The screenshot on the service.
    pub screenshot_url: String,
}

/// Takes the tour on the application at `page`.
///
/// # Errors
/// The first step that did not do what it should, with the service's own words.
pub fn take(client: &Client, page: &str) -> anyhow::Result<Finished> {
    let mut tour = Tour {
        client,
        story: Story::default(),
        task: None,
    };
    tour.open(page)?;
    let rows = tour.rows()?;
    tour.open_form()?;
    tour.see_validation()?;
    tour.fill_in()?;
    tour.submit()?;
    tour.confirm(rows)?;
    tour.verify(rows)?;
    tour.screenshot()
}

struct Tour<'a> {
    client: &'a Client,
    story: Story,
    task: Option<String>,
}

impl Tour<'_> {
    fn open(&mut self, page: &str) -> anyhow::Result<()> {
        self.story.step("Start a task: a set of tabs in the service's browser");
        let data = self.run("start", json!({"headless": true}))?;
        self.task = Some(data["id"].as_str().context("the reply names no task")?.to_owned());
        self.story.step("Open the demo application");
        self.run("navigate", json!({"url": page}))?;
        Ok(())
    }

    fn open_form(&mut self) -> anyhow::Result<()> {
        self.story
            .step("Read the page as text; the numbers are what can be acted on");
        let text = self.read()?;
        self.story.page(&text);
        self.story.step("Click by index: the line that says \"New order\"");
        let button = self.pick(&text, "button", "New order")?;
        self.click(&button)
    }

    fn see_validation(&mut self) -> anyhow::Result<()> {
        self.story
            .step("Send the empty form and read what the page says about it");
        let text = self.read()?;
        let add = self.pick(&text, "button", "Add order")?;
        self.click(&add)?;
        let text = self.read()?;
        for complaint in ["Please say who orders", "Please choose a tea", "Between 1 and 50 tins"] {
            ensure!(text.contains(complaint), "the page should complain: {complaint}");
        }
        self.story.page(&text);
        self.story
            .note("the page refuses an empty form and names all three fields");
        Ok(())
    }

    fn fill_in(&mut self) -> anyhow::Result<()> {
        self.story.step("Type by index: customer and tins");
        let text = self.read()?;
        for (label, value) in [("Tins", TINS), ("Customer", CUSTOMER)] {
            let field = self.pick(&text, "input", label)?;
            self.run("input_text", json!({"index": field.index, "text": value}))?;
        }
        self.story
            .step("Choose the tea with the keyboard, as a batch that asserts its result");
        let chosen = json!({"js": "document.querySelector('#tea').value", "equals": TEA});
        self.batch(json!([
            {"send_keys": {"keys": "Tab"}},
            {"send_keys": {"keys": "ArrowDown"}},
            {"send_keys": {"keys": "ArrowDown"}, "expect": chosen},
        ]))
    }

    fn submit(&mut self) -> anyhow::Result<()> {
        self.story
            .step("Submit, and assert in the same batch that the page asks back");
        let text = self.read()?;
        let add = self.pick(&text, "button", "Add order")?;
        self.batch(json!([
            {"click_element_by_index": {"index": add.index},
             "expect": {"js": "document.querySelector('#confirm').open", "equals": true}},
            {"wait_for_text": {"text": "Place this order?", "timeoutSeconds": 5}},
        ]))
    }

    fn confirm(&mut self, rows: u64) -> anyhow::Result<()> {
        self.story
            .step("Read the dialog (what it covers is left out) and confirm");
        let text = self.read()?;
        self.story.page(&text);
        let place = self.pick(&text, "button", "Place order")?;
        self.click(&place)?;
        self.story
            .step("Wait for the page's word and count the rows, again with an assertion");
        let count = format!("document.querySelectorAll('{ROWS}').length");
        self.batch(json!([
            {"wait_for_text": {"text": "has been placed", "timeoutSeconds": 5},
             "expect": {"js": count, "equals": rows + 1}},
            {"get_element_count": {"selector": ROWS}},
        ]))
    }

    fn verify(&mut self, rows: u64) -> anyhow::Result<()> {
        self.story.step("Look at the table itself");
        let now = self.rows()?;
        ensure!(now == rows + 1, "the table has {now} rows, not {}", rows + 1);
        let row = self.run("get_element_text", json!({"selector": LAST_ROW}))?;
        let row = row["text"].as_str().unwrap_or_default().to_owned();
        let text = self.read()?;
        for value in [CUSTOMER, TEA, TINS] {
            ensure!(row.contains(value), "the new row lacks {value}: {row}");
            ensure!(text.contains(value), "the page's text lacks {value}");
        }
        self.story.note(&format!(
            "the table had {rows} rows and now has {now}; the new one: {row}"
        ));
        Ok(())
    }

    fn screenshot(&mut self) -> anyhow::Result<Finished> {
        self.story.step("Take a screenshot");
        let data = self.run("screenshot", json!({}))?;
        let url = data["url"]
            .as_str()
            .context("the reply names no URL of the screenshot")?;
        let picture = self.client.bytes(url)?;
        ensure!(
            picture.starts_with(PNG_SIGNATURE),
            "what is served at {url} is not a PNG file"
        );
        let path = data["path"]
            .as_str()
            .context("the reply names no file of the screenshot")?;
        self.story.note(&format!("{path} ({} bytes)", picture.len()));
        Ok(Finished {
            task: self.task.clone().unwrap_or_default(),
            screenshot: path.to_owned(),
            screenshot_url: format!("{}{url}", self.client.base()),
        })
    }

    /// Reads the page and returns its text.
    fn read(&mut self) -> anyhow::Result<String> {
        let data = self.run("get_browser_state", json!({"includeElements": false}))?;
        ensure!(data["indicesUsable"] != false, "the page changed while it was read");
        Ok(data["text"].as_str().context("the reply has no text")?.to_owned())
    }

    fn pick(&self, text: &str, tag: &str, name: &str) -> anyhow::Result<Control> {
        let control = find(text, tag, name).map_err(anyhow::Error::msg)?;
        self.story.note(&format!("found {control}"));
        Ok(control)
    }

    fn click(&mut self, control: &Control) -> anyhow::Result<()> {
        let data = self.run("click_element_by_index", json!({"index": control.index}))?;
        ensure!(
            data["changed"] == true,
            "the click on {control} changed nothing that could be seen"
        );
        Ok(())
    }

    fn batch(&mut self, commands: Value) -> anyhow::Result<()> {
        let steps = commands.as_array().map_or(0, Vec::len);
        let data = self.run("commands", json!({"commands": commands}))?;
        ensure!(
            data["succeeded"] == steps && data["failed"] == 0,
            "not every step of the batch was run"
        );
        Ok(())
    }

    fn rows(&mut self) -> anyhow::Result<u64> {
        let data = self.run("get_element_count", json!({"selector": ROWS}))?;
        data["count"].as_u64().context("the reply has no count")
    }

    /// Sends one command, tells it, and returns the `data` of a success.
    fn run(&mut self, method: &str, params: Value) -> anyhow::Result<Value> {
        let params: Map<String, Value> = params.as_object().cloned().unwrap_or_default();
        self.story.sent(method, &params);
        let reply = self.client.command(&envelope(self.task.as_deref(), method, params))?;
        self.story.received(method, &reply);
        if reply.envelope["ok"] != true {
            bail!(
                "{}",
                reply.envelope["msg"].as_str().unwrap_or("the service gave no reason")
            );
        }
        Ok(reply.envelope["data"].clone())
    }
}
