//! `download_image`.

use std::sync::Arc;

use engine::{EngineError, Picture, Via};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::super::element_reading::target::{either, needs_one};
use super::image_kind::{ImageKind, image_kind};
use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::files::is_plain_name;
use crate::refusals::{named, number, word};
use crate::tasks::Task;
use crate::text;

/// The largest picture that is saved, in bytes.
const LIMIT: usize = 64 << 20;
/// The longest name of a file that is taken, in bytes: the systems allow 255, an extension and a number included.
const NAME_LIMIT: usize = 200;
/// Characters of an address that holds its own content that are told.
const INLINE_SHOWN: usize = 80;

/// Saves the original file of a picture (img, picture, image button, SVG image, background) in the task's folder, fetched
/// with the browser's cookies; what a canvas shows as PNG, and an inline SVG as a file. One of index and selector is needed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DownloadImage {
    /// Index of the element in the page text.
    pub index: Option<u32>,
    /// CSS selector; `css >> nth=N` takes a certain match.
    pub selector: Option<String>,
    /// Frame by ordinal, or by a part of its address or name; the main frame when absent.
    pub frame: Option<String>,
    /// Name of the file; img-N when absent. The extension of the real content is added unless it is there.
    pub filename: Option<String>,
    /// Snapshot that the index was read in; an index of another document is refused.
    pub snapshot_id: Option<String>,
}

/// Reply of `download_image`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Downloaded {
    filename: String,
    path: String,
    size: usize,
    sha256: String,
    content_type: String,
    src_url: String,
    /// `browser-context`, `in-page-fetch`, `data-url` where the address held the content, or `drawn` for what the page
    /// draws (canvas, inline SVG), which has no address.
    via: &'static str,
    alt: Option<String>,
    /// Of the picture itself; absent when the page has not decoded it.
    natural_width: Option<u32>,
    natural_height: Option<u32>,
    url: Option<String>,
    hint: Option<String>,
}

impl Command for DownloadImage {
    const NAME: &'static str = "download_image";
    const GROUP: Group = Group::PageReading;
    const CLASS: Class = Class::Action;
    const FLAGS: Flags = Flags::TASK.long_running();
    const OPAQUE: &'static [&'static str] = &["alt", "srcUrl"];
    type Output = Downloaded;

    fn check(&self) -> Result<(), Failure> {
        needs_one(self.index, self.selector.as_ref())?;
        match &self.filename {
            Some(name) if !is_plain_name(name) || name.len() > NAME_LIMIT => Err(Failure::invalid(text!(
                "image.filename",
                name = name,
                limit = NAME_LIMIT
            ))),
            _ => Ok(()),
        }
    }

    async fn run(self, cx: &mut Context) -> Result<Downloaded, Failure> {
        let (target, _) = either(self.index, self.snapshot_id, self.selector, self.frame);
        let tab = cx.settled_tab().await?;
        let picture = tab.picture(&target, LIMIT, cx.until()).await;
        let mut picture = picture.map_err(|error| failed(&error))?;
        let kind = image_kind(&picture.bytes, picture.content_type.as_deref()).ok_or_else(|| no_picture(&picture))?;
        let task = Arc::clone(cx.task()?);
        let bytes = std::mem::take(&mut picture.bytes);
        let wanted = self.filename.clone();
        let (size, extension) = (bytes.len(), kind.clone());
        let written = tokio::task::spawn_blocking(move || save(&task, wanted, &extension, &bytes)).await;
        let written = written.map_err(|error| error.to_string()).and_then(|saved| saved);
        let saved = written.map_err(|reason| {
            Failure::new(Code::ActionFailed, text!("image.not_written", reason = reason)).not_retryable()
        })?;
        let hint = hint(cx, &picture, &saved, self.filename.as_deref(), &kind);
        let shown = |side: u32| (side > 0).then_some(side);
        Ok(Downloaded {
            filename: saved.name,
            path: saved.path,
            size,
            sha256: saved.sha256,
            content_type: kind.mime,
            src_url: shortened(&picture.url),
            via: match picture.via {
                Via::Browser => "browser-context",
                Via::Page => "in-page-fetch",
                Via::Address => "data-url",
                Via::Drawn => "drawn",
            },
            alt: picture.alt,
            natural_width: shown(picture.natural_width),
            natural_height: shown(picture.natural_height),
            url: saved.url,
            hint,
        })
    }
}

/// A file that was written.
struct Saved {
    name: String,
    path: String,
    url: Option<String>,
    sha256: String,
}

fn save(task: &Task, wanted: Option<String>, kind: &ImageKind, bytes: &[u8]) -> Result<Saved, String> {
    let path = match wanted {
        None => task.files.next_named("img", &kind.extension).1,
        Some(name) => task.files.path_of(&free_name(task, &extended(name, kind))),
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let path = task.files.write(&name, bytes).map_err(|error| error.to_string())?;
    let digest = Sha256::digest(bytes);
    Ok(Saved {
        url: task.files.url_of(&path),
        path: path.display().to_string(),
        name,
        sha256: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
    })
}

/// The name with the extension of its content, so that what opens the file is what it is meant for.
fn extended(name: String, kind: &ImageKind) -> String {
    if kind.names(&name) {
        name
    } else {
        format!("{name}.{}", kind.extension)
    }
}

/// The name, or the first of `name-2`, `name-3`, … that no file has: nothing of the task is ever replaced.
fn free_name(task: &Task, name: &str) -> String {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let numbered = (2_u32..).map(|number| format!("{stem}-{number}.{extension}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    let is_free = |name: &String| task.files.path_of(name).symlink_metadata().is_err();
    names.find(is_free).unwrap_or_else(|| name.to_owned())
}

fn hint(cx: &Context, picture: &Picture, saved: &Saved, wanted: Option<&str>, kind: &ImageKind) -> Option<String> {
    let moved = wanted.is_some_and(|wanted| extended(wanted.to_owned(), kind) != saved.name);
    let texts = [
        (picture.kind == "inside").then(|| text!("image.inside")),
        picture.blank.then(|| text!("image.blank")),
        moved.then(|| text!("image.already_named", name = &saved.name)),
    ];
    let said: Vec<_> = texts.iter().flatten().map(|text| cx.say(text)).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

fn shortened(url: &str) -> String {
    let inline = url.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"));
    match url.char_indices().nth(INLINE_SHOWN).filter(|_| inline) {
        Some((end, _)) => format!("{}...", &url[..end]),
        None => url.to_owned(),
    }
}

fn no_picture(picture: &Picture) -> Failure {
    let kind = picture.content_type.clone().unwrap_or_else(|| "unknown".to_owned());
    let url = shortened(&picture.url);
    let text = text!(
        "image.other_content",
        url = &url,
        size = picture.bytes.len(),
        type = &kind
    );
    Failure::new(Code::ActionFailed, text)
        .with("contentType", kind)
        .with("size", picture.bytes.len())
        .with("srcUrl", url)
}

/// The engine's refusals about pictures in this command's words.
fn failed(error: &EngineError) -> Failure {
    let EngineError::Refused { reason, facts, .. } = error else {
        return Failure::from_engine(error, false);
    };
    let what = facts.get("target").and_then(Value::as_object).map(named);
    let what = what.unwrap_or_else(|| "the element".to_owned());
    let failure = match reason.as_str() {
        "not-an-image" => Failure::new(Code::ActionFailed, text!("image.not_an_image", what = what)),
        "image-tainted" => Failure::new(Code::ActionFailed, text!("image.tainted", what = what)).not_retryable(),
        "image-without-source" => Failure::new(Code::ActionFailed, text!("image.no_source", what = what)),
        "image-malformed" => Failure::new(Code::ActionFailed, text!("image.malformed", what = what)),
        "image-scheme" => {
            let scheme = word(facts, "scheme");
            Failure::new(Code::ActionFailed, text!("image.scheme", what = what, scheme = scheme))
        }
        "image-too-large" => Failure::new(
            Code::ActionFailed,
            text!("image.too_large", limit = number(facts, "limit")),
        ),
        "image-status" => bad_status(facts),
        "image-unreachable" => Failure::new(
            Code::NetworkError,
            text!(
                "image.unreachable",
                url = word(facts, "url"),
                token = word(facts, "token")
            ),
        )
        .with("netError", word(facts, "token")),
        _ => return Failure::from_engine(error, false),
    };
    let told = failure.with("reason", reason.clone());
    match word(facts, "url") {
        url if url.is_empty() => told,
        url => told.with("srcUrl", url),
    }
}

fn bad_status(facts: &Map<String, Value>) -> Failure {
    let status = facts.get("status").and_then(Value::as_u64).unwrap_or_default();
    let text = text!("image.status", url = word(facts, "url"), status = status);
    let failure = Failure::new(Code::NetworkError, text).with("httpStatus", status);
    // Asked again, a server that cannot may; one that will not, will not.
    if status >= 500 || status == 408 || status == 429 {
        failure
    } else {
        failure.not_retryable()
    }
}
