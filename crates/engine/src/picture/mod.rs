//! The file behind a picture on a page, got with the page's own right to it: by the browser's network stack with its
//! cookies, or by the document itself where only that can open the address.
//!
//! Invariant: the bytes are those that the address gave, whole and within the limit; what was answered with an error
//! status is no picture.

mod data_url;
mod stream;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cdp::protocol::network::{LoadNetworkResource, LoadNetworkResourceOptions};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::act::Target;
use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::tab::Tab;

/// Bytes that are handed over by the page script in one call.
const PART: usize = 3 << 20;

/// How the bytes of a picture were got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// By the browser, with its cookies.
    Browser,
    /// By the document.
    Page,
    /// They stood in the address.
    Address,
    /// The document drew them, and there is no file of them anywhere.
    Drawn,
}

/// A picture of a page.
#[derive(Debug, Clone)]
pub struct Picture {
    /// Address of its source.
    pub url: String,
    /// What shows it: `img`, `input`, `svg-image`, `background`, `inside` (the only picture inside the element),
    /// `canvas`, `svg` (drawn, without an address).
    pub kind: String,
    /// Its text in place of the picture.
    pub alt: Option<String>,
    /// Width of the picture itself in CSS pixels; 0 when the page has not decoded it.
    pub natural_width: u32,
    /// Height of the picture itself.
    pub natural_height: u32,
    /// The file.
    pub bytes: Vec<u8>,
    /// Its media type, as told by whoever gave it.
    pub content_type: Option<String>,
    /// How it was got.
    pub via: Via,
    /// A canvas on which nothing is drawn, as far as the document tells.
    pub blank: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Source {
    url: String,
    kind: String,
    alt: Option<String>,
    natural_width: u32,
    natural_height: u32,
    #[serde(default)]
    blank: bool,
}

#[derive(Deserialize)]
struct InPage {
    size: usize,
    status: u32,
    r#type: Option<String>,
}

#[derive(Deserialize)]
struct Part {
    base64: String,
}

/// A file and its media type.
type File = (Vec<u8>, Option<String>);

impl Tab {
    /// Gets the picture that an element shows, at most `limit` bytes of it.
    ///
    /// # Errors
    /// Refusals `not-an-image`, `image-tainted`, `image-without-source`, `image-scheme` (`scheme`), `image-status` (`status`, `url`),
    /// `image-unreachable` (`token`, `url`), `image-too-large` (`limit`), `image-malformed`; the element is not found or
    /// stale.
    pub async fn picture(&self, target: &Target, limit: usize, deadline: Deadline) -> Result<Picture> {
        let (frame, source): (_, Source) = self.on_target(target, "imageSource", [], deadline).await?;
        let scheme = source.url.split(':').next().unwrap_or_default().to_ascii_lowercase();
        let (file, via) = if scheme == "data" {
            let file = data_url::decode(&source.url).ok_or_else(|| refusal("image-malformed", json!({})))?;
            let drawn = matches!(source.kind.as_str(), "canvas" | "svg");
            (file, if drawn { Via::Drawn } else { Via::Address })
        } else if scheme == "blob" {
            (
                self.fetched_by_page(&frame, &source.url, limit, deadline).await?,
                Via::Page,
            )
        } else if scheme == "http" || scheme == "https" {
            self.fetched(&frame, &source.url, limit, deadline).await?
        } else {
            return Err(refusal("image-scheme", json!({"scheme": scheme})));
        };
        if file.0.len() > limit {
            return Err(too_large(limit));
        }
        Ok(Picture {
            bytes: file.0,
            content_type: file.1,
            via,
            blank: source.blank,
            url: if via == Via::Drawn { String::new() } else { source.url },
            kind: source.kind,
            alt: source.alt,
            natural_width: source.natural_width,
            natural_height: source.natural_height,
        })
    }

    /// By the browser; where it cannot, by the document, whose own failure then says nothing new.
    async fn fetched(&self, frame: &Frame, url: &str, limit: usize, deadline: Deadline) -> Result<(File, Via)> {
        let first = match self.fetched_by_browser(frame, url, limit, deadline).await {
            Ok(file) => return Ok((file, Via::Browser)),
            Err(error) => error,
        };
        let hopeless = match &first {
            EngineError::Refused { reason, .. } => reason != "image-unreachable",
            EngineError::Protocol { .. } => false,
            _ => true,
        };
        if hopeless {
            return Err(first);
        }
        match self.fetched_by_page(frame, url, limit, deadline).await {
            Ok(file) => Ok((file, Via::Page)),
            Err(error @ EngineError::Refused { .. }) if !is_unreachable(&error) => Err(error),
            Err(_) => Err(first),
        }
    }

    async fn fetched_by_browser(&self, frame: &Frame, url: &str, limit: usize, deadline: Deadline) -> Result<File> {
        let load = LoadNetworkResource {
            frame_id: Some(frame.id.clone()),
            url: url.to_owned(),
            options: LoadNetworkResourceOptions {
                disable_cache: false,
                include_credentials: true,
            },
        };
        let loaded = self.call_on(&frame.session, load, deadline).await?.resource;
        let stream = loaded.stream.map(|handle| stream::Stream::new(&frame.session, handle));
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a status has three digits"
        )]
        let status = loaded.http_status_code.unwrap_or_default() as u32;
        if status >= 400 {
            return Err(bad_status(status, url));
        }
        let (true, Some(stream)) = (loaded.success, stream) else {
            let token = loaded.net_error_name.unwrap_or_else(|| "ERR_FAILED".to_owned());
            let token = token.trim_start_matches("net::").to_owned();
            return Err(refusal("image-unreachable", json!({"token": token, "url": url})));
        };
        let headers = loaded.headers.unwrap_or_default();
        let content_type = headers
            .into_iter()
            .find_map(|(name, value)| name.eq_ignore_ascii_case("content-type").then_some(value));
        let bytes = stream.read(limit, deadline).await?.ok_or_else(|| too_large(limit))?;
        Ok((bytes, content_type))
    }

    async fn fetched_by_page(&self, frame: &Frame, url: &str, limit: usize, deadline: Deadline) -> Result<File> {
        let millis = u64::try_from(deadline.remaining().as_millis()).unwrap_or(u64::MAX);
        let args = json!({"url": url, "limit": limit, "timeoutMs": millis});
        let fetched = self.script::<InPage>(frame, "imageFetch", &args, deadline).await;
        let fetched = fetched.map_err(|error| match &error {
            EngineError::Refused { code, facts, .. } if code == "NETWORK_ERROR" => {
                let token = facts.get("message").cloned().unwrap_or_default();
                refusal("image-unreachable", json!({"token": token, "url": url}))
            }
            _ => error,
        })?;
        if fetched.status >= 400 {
            return Err(bad_status(fetched.status, url));
        }
        let mut bytes = Vec::with_capacity(fetched.size);
        while bytes.len() < fetched.size {
            let args = json!({"from": bytes.len(), "to": bytes.len() + PART});
            let part: Part = self.script(frame, "imageBytes", &args, deadline).await?;
            let part = STANDARD.decode(part.base64).unwrap_or_default();
            if part.is_empty() {
                return Err(refusal("image-malformed", json!({})));
            }
            bytes.extend(part);
        }
        Ok((bytes, fetched.r#type.filter(|kind| !kind.is_empty())))
    }
}

fn is_unreachable(error: &EngineError) -> bool {
    matches!(error, EngineError::Refused { reason, .. } if reason == "image-unreachable")
}

fn too_large(limit: usize) -> EngineError {
    refusal("image-too-large", json!({"limit": limit}))
}

fn bad_status(status: u32, url: &str) -> EngineError {
    refusal("image-status", json!({"status": status, "url": url}))
}

fn refusal(reason: &str, facts: Value) -> EngineError {
    EngineError::refused("ACTION_FAILED", reason, facts)
}
