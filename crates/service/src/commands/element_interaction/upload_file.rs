//! `upload_file`.

use std::fs;
use std::path::{Path, PathBuf};

use engine::Target;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::receipts::{Files, UploadReply, upload};
use crate::text;
use crate::uploads::{Fetch, FetchError, Fetched, UploadStore, decoded, store_failure};

/// Largest time that fetching an address may take.
const FETCH_LIMIT: std::time::Duration = std::time::Duration::from_secs(60);

/// Puts a file into a file input, also through the button that opens its file chooser, or drops it on a drop zone.
///
/// Exactly one source: path, paths, contentBase64 or url. The target is an index or a selector; file inputs are often
/// hidden and then have no index.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadFile {
    /// File on the server: absolute, or relative to the upload directory.
    pub path: Option<String>,
    /// Several files for an input that takes several, each like path.
    pub paths: Option<Vec<String>>,
    /// The content itself, in Base64; a data: URI is accepted.
    pub content_base64: Option<String>,
    /// http or https address that the server fetches first.
    pub url: Option<String>,
    /// Index of the file input, of the button or label that leads to it, or of a drop zone.
    pub index: Option<u32>,
    /// CSS selector of the same.
    pub selector: Option<String>,
    /// Which match of the selector to take, from 0.
    pub nth: Option<u32>,
    /// Name to present, for contentBase64 and url.
    pub filename: Option<String>,
    /// Type of the content of contentBase64, for its name when none is given.
    pub content_type: Option<String>,
    /// Milliseconds that a button may take to become clickable; `browser.action.timeoutMs` when absent.
    #[schemars(range(min = 1, max = 600_000))]
    pub timeout_ms: Option<u64>,
    /// Frame by ordinal, or by a part of its address or name; the main frame when absent.
    pub frame: Option<String>,
    /// The snapshot that the index was read in; another one is refused.
    pub snapshot_id: Option<String>,
}

impl Command for UploadFile {
    const NAME: &'static str = "upload_file";
    const GROUP: Group = Group::ElementInteraction;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.capture();
    type Output = UploadReply;

    fn check(&self) -> Result<(), Failure> {
        let sources = [
            self.path.is_some(),
            self.paths.is_some(),
            self.content_base64.is_some(),
            self.url.is_some(),
        ];
        if sources.iter().filter(|given| **given).count() != 1 {
            return Err(Failure::invalid(text!("upload.one_source")));
        }
        let empty = self.paths.as_ref().is_some_and(Vec::is_empty)
            || self
                .path
                .iter()
                .chain(self.paths.iter().flatten())
                .any(|path| path.trim().is_empty());
        if empty {
            return Err(Failure::invalid(text!("upload.empty_path")));
        }
        if self.index.is_none() && self.selector.as_ref().is_none_or(|selector| selector.trim().is_empty()) {
            return Err(Failure::invalid(text!("element.index_or_selector")));
        }
        if let Some(content) = &self.content_base64 {
            decoded(content).map_err(Failure::invalid)?;
        }
        Ok(())
    }

    async fn run(self, cx: &mut Context) -> Result<UploadReply, Failure> {
        let files = self.files(cx).await?;
        let (target, called) = match (self.index, self.selector) {
            (Some(index), _) => {
                let snapshot_id = self.snapshot_id;
                (Target::Index { index, snapshot_id }, format!("index={index}"))
            }
            (None, selector) => {
                let selector = selector.unwrap_or_default();
                let called = format!("selector={selector}");
                let (nth, frame) = (self.nth, self.frame);
                (Target::Selector { selector, nth, frame }, called)
            }
        };
        upload(cx, target, called, files, self.timeout_ms).await
    }
}

impl UploadFile {
    /// The files of the one source that was given.
    async fn files(&self, cx: &Context) -> Result<Files, Failure> {
        let service = std::sync::Arc::clone(cx.service());
        let store = service.uploads();
        store.check_enabled().map_err(|error| store_failure(&error))?;
        if let Some(content) = &self.content_base64 {
            let content = decoded(content).map_err(Failure::invalid)?;
            let kind = self.content_type.as_deref().or(content.content_type.as_deref());
            return kept(
                &store,
                self.filename.as_deref().unwrap_or_default(),
                kind,
                &content.bytes,
                "contentBase64",
            );
        }
        if let Some(url) = &self.url {
            let fetched = self.fetch(cx, &store, url).await?;
            let name = self.filename.as_deref().unwrap_or(&fetched.name);
            return kept(&store, name, fetched.content_type.as_deref(), &fetched.bytes, "url");
        }
        let given = self.path.iter().chain(self.paths.iter().flatten());
        let mut files = Files::default();
        for path in given {
            let (path, size) = on_disk(&store, path)?;
            files.paths.push(path);
            files.size += size;
        }
        Ok(files)
    }

    async fn fetch(&self, cx: &Context, store: &UploadStore<'_>, url: &str) -> Result<Fetched, Failure> {
        let fetch = Fetch {
            url: url.to_owned(),
            limit: store.limit(),
            time: cx.within_deadline(FETCH_LIMIT),
            own_port: cx.config().server.port,
        };
        let fetched = tokio::task::spawn_blocking(move || fetch.run()).await;
        let fetched = fetched.unwrap_or_else(|error| Err(FetchError::Failed(error.to_string())));
        fetched.map_err(|error| {
            let text = match &error {
                FetchError::Scheme => text!("upload.url_scheme", url = url),
                FetchError::OwnAddress => text!("upload.url_own", url = url),
                FetchError::TooLarge(limit) => text!("upload.url_too_large", url = url, limit = limit),
                FetchError::Status(_) | FetchError::Failed(_) => text!("upload.url_failed", url = url, reason = &error),
            };
            let failure = Failure::new(Code::ActionFailed, text)
                .with("started", false)
                .with("url", url);
            match error {
                FetchError::Status(status) => failure.with("httpStatus", status),
                _ => failure,
            }
        })
    }
}

/// Keeps bytes in the store, as the file to upload.
fn kept(
    store: &UploadStore<'_>,
    name: &str,
    content_type: Option<&str>,
    bytes: &[u8],
    source: &'static str,
) -> Result<Files, Failure> {
    let stored = store
        .save(name, content_type, bytes)
        .map_err(|error| store_failure(&error))?;
    Ok(Files {
        paths: vec![stored.path.clone()],
        size: stored.size,
        source: Some(source),
        stored: Some(stored),
    })
}

/// A file that is there already.
fn on_disk(store: &UploadStore<'_>, path: &str) -> Result<(PathBuf, u64), Failure> {
    let found = store.locate(path).map_err(|error| store_failure(&error))?;
    let refuse = |text| {
        Failure::new(Code::ActionFailed, text)
            .with("started", false)
            .with("path", shown(&found))
    };
    let facts = fs::metadata(&found)
        .map_err(|error| refuse(text!("upload.not_found", path = shown(&found), reason = error)))?;
    if facts.is_dir() {
        return Err(refuse(text!("upload.is_a_directory", path = shown(&found))));
    }
    if !facts.is_file() {
        return Err(refuse(text!("upload.no_plain_file", path = shown(&found))));
    }
    // The browser would take a file that it cannot read, and the page would find it empty.
    fs::File::open(&found)
        .map_err(|error| refuse(text!("upload.not_readable", path = shown(&found), reason = error)))?;
    Ok((found, facts.len()))
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
