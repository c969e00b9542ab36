//! What the figures are measured with: the service and its browser on one side, a bare browser on the other, and the
//! pages that both open.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};
use support::{Dsb, Options, Site};

use crate::bare::Bare;
use crate::http::Client;

/// How often each thing is done.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Starts of the service.
    pub starts: usize,
    /// Titles asked for on each side.
    pub titles: usize,
    /// Clicks on each side.
    pub clicks: usize,
    /// Forms filled, and texts typed, on each side.
    pub forms: usize,
    /// Modals closed on each side.
    pub modals: usize,
    /// Readings of a page on each side.
    pub reads: usize,
    /// Waits for something that comes.
    pub waits: usize,
}

impl Plan {
    /// Enough for medians that repeat.
    pub const FULL: Self = Self {
        starts: 20,
        titles: 400,
        clicks: 150,
        forms: 40,
        modals: 60,
        reads: 100,
        waits: 60,
    };
    /// A sample for tests.
    pub const SAMPLE: Self = Self {
        starts: 5,
        titles: 50,
        clicks: 15,
        forms: 6,
        modals: 10,
        reads: 15,
        waits: 10,
    };
}

/// Everything that a run needs, started when it is first needed.
pub struct Bench {
    binary: PathBuf,
    world: Option<World>,
    pictured: Option<World>,
}

impl std::fmt::Debug for Bench {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bench")
            .field("binary", &self.binary)
            .finish_non_exhaustive()
    }
}

impl Bench {
    /// Measures this binary of the product.
    pub fn new(binary: impl Into<PathBuf>) -> Self {
        Self {
            binary: binary.into(),
            world: None,
            pictured: None,
        }
    }

    pub(crate) fn binary(&self) -> &Path {
        &self.binary
    }

    pub(crate) fn options(&self) -> Options {
        Options::new(&self.binary).arg("--browser.capture.enabled=false")
    }

    /// The two sides with automatic captures, started on first use.
    pub(crate) fn pictured(&mut self) -> Result<&mut World> {
        if self.pictured.is_none() {
            self.pictured = Some(World::start(&Options::new(&self.binary))?);
        }
        self.pictured.as_mut().context("it was started above")
    }

    /// The two sides, started on first use.
    pub(crate) fn world(&mut self) -> Result<&mut World> {
        if self.world.is_none() {
            self.world = Some(World::start(&self.options())?);
        }
        self.world.as_mut().context("it was started above")
    }
}

/// The two sides.
pub(crate) struct World {
    pub(crate) client: Client,
    pub(crate) task: String,
    pub(crate) bare: Bare,
    /// What `start` tells of the browser.
    pub(crate) browser: Value,
    pub(crate) dsb: Dsb,
    pub(crate) site: Site,
}

impl World {
    fn start(options: &Options) -> Result<Self> {
        let dsb = Dsb::start(options);
        let client = Client::connect(dsb.addr())?;
        let started = dsb.call(None, "start", json!({})).expect_ok();
        let task = started["id"].as_str().context("a task without an id")?.to_owned();
        let bare = Bare::launch(&started["browser"])?;
        Ok(Self {
            client,
            task,
            bare,
            browser: started["browser"].clone(),
            dsb,
            site: Site::start(),
        })
    }

    /// Opens a page of the site on both sides.
    pub(crate) fn open(&mut self, page: &str) -> Result<()> {
        self.show(&self.site.a(&format!("/plain/{page}")))
    }

    /// Opens a bundled application on both sides.
    pub(crate) fn open_app(&mut self, name: &str, query: &str) -> Result<()> {
        self.show(&format!("{}{query}", self.site.app(name)))
    }

    fn show(&mut self, url: &str) -> Result<()> {
        self.run("go_to_url", &json!({"url": url}))?;
        self.bare.open(url)
    }

    /// Runs one command of the task; gives its data.
    pub(crate) fn run(&mut self, method: &str, params: &Value) -> Result<Value> {
        let request = self.client.command(&self.task, method, params);
        Ok(self.client.timed(&request)?.1)
    }
}
