//! What the pipeline itself needs of a task's current page, whatever engine is behind it.
//!
//! Invariant: everything in here either answers from memory or has a limit of its own, so a page that hangs cannot
//! hold up a reply.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use serde_json::Value;

use crate::failure::Failure;

/// A future that an object-safe trait can return.
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Facts about a page that are known without asking it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageFacts {
    /// Address of the main document, as last heard.
    pub url: Option<String>,
    /// Title of the main document, as last heard.
    pub title: Option<String>,
    /// Width and height of the viewport in CSS pixels.
    pub viewport: Option<(u32, u32)>,
    /// The tab is gone.
    pub closed: bool,
    /// The browser still answers.
    pub browser_connected: bool,
}

/// The current page of a task as the pipeline sees it.
pub trait Page: Send + Sync {
    /// What is known without asking the page; never blocks.
    fn facts(&self) -> PageFacts;

    /// Resolves when no navigation is pending any more. The caller limits the time.
    fn settled(&self) -> Boxed<'_, ()>;

    /// One PNG of the viewport, without the highlight layer, after waiting at most 1.5 s for the document to be
    /// parsed. Answers within `limit`.
    fn capture(&self, limit: Duration) -> Boxed<'_, Result<Vec<u8>, Failure>>;

    /// The JSON value of an expression, or of a function that is called; promises are awaited. Runs in the main
    /// frame, at most `limit` when there is one.
    fn evaluate<'a>(&'a self, script: &'a str, limit: Option<Duration>) -> Boxed<'a, Result<Value, Failure>>;
}
