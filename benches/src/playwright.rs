//! The same actions made by playwright-core, on a browser of the same executable that it starts itself.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

/// Where its package and our driver are.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/playwright");

/// A running driver with one page.
pub(crate) struct Playwright {
    driver: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Playwright {
    /// Starts the browser that `facts` (of the reply of `start`) tell of, at a page.
    pub(crate) fn open(facts: &Value, url: &str) -> Result<Self> {
        ensure!(
            Path::new(FOLDER).join("node_modules/playwright-core").is_dir(),
            "playwright-core is not installed: ./bench does it, or npm ci in {FOLDER}"
        );
        let mut driver = Command::new("node")
            .args(["driver.mjs", facts["executable"].as_str().context("an executable")?])
            .args([facts["sandbox"].to_string().as_str(), url])
            .current_dir(FOLDER)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("node could not be started")?;
        let orders = driver.stdin.take();
        let answers = BufReader::new(driver.stdout.take().context("a piped stdout")?);
        let mut this = Self {
            driver,
            orders,
            answers,
        };
        let line = this.line()?;
        ensure!(line == "ready", "the driver says {line}");
        Ok(this)
    }

    /// `locator(selector).click()` and `title()`: how long both took together, by the driver's own clock.
    pub(crate) fn click(&mut self, selector: &str, title: &str) -> Result<Duration> {
        self.order(&json!(["click", selector]), &json!(title))
    }

    /// One `locator(selector).fill(text)` after the other.
    pub(crate) fn fill(&mut self, fields: &[(&str, String)]) -> Result<Duration> {
        let values: Vec<&str> = fields.iter().map(|(_, text)| text.as_str()).collect();
        self.order(&json!(["fill", fields]), &json!(values))
    }

    /// `locator(selector).pressSequentially(text)` in the emptied field.
    pub(crate) fn type_text(&mut self, selector: &str, text: &str) -> Result<Duration> {
        self.order(&json!(["type", selector, text]), &json!(text))
    }

    /// Gives an order, after which the page has to have what is `expected`.
    fn order(&mut self, order: &Value, expected: &Value) -> Result<Duration> {
        let orders = self.orders.as_mut().context("an open driver")?;
        writeln!(orders, "{order}")?;
        orders.flush()?;
        let answer = self.line()?;
        ensure!(answer[1] == *expected, "the driver's page has {}", answer[1]);
        let millis = answer[0].as_f64().context("a time")?;
        Ok(Duration::from_secs_f64(millis / 1000.0))
    }

    fn line(&mut self) -> Result<Value> {
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        ensure!(!line.is_empty(), "the driver ended; its words are above");
        Ok(serde_json::from_str(&line)?)
    }
}

impl Drop for Playwright {
    fn drop(&mut self) {
        // At the end of its orders the driver closes its browser and ends.
        drop(self.orders.take());
        let _ = self.driver.wait();
    }
}
