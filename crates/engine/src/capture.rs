//! Pictures of a tab.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cdp::protocol::page;
use serde::Deserialize;

use crate::act::Target;
use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::geometry::Point;
use crate::tab::Tab;

/// Longest side of a picture in CSS pixels: Chromium's own limit for one surface.
pub const MAX_SIDE: f64 = 16_384.0;

/// A rectangle in CSS pixels of the main document.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Clip {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width, positive.
    pub width: f64,
    /// Height, positive.
    pub height: f64,
}

/// What part of the page to take.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Shot {
    /// What is in the viewport.
    #[default]
    Viewport,
    /// The whole scrollable page, bounded by [`MAX_SIDE`].
    FullPage,
    /// A rectangle of the page.
    Clip(Clip),
}

/// Reply of the page script's `reveal`.
#[derive(Deserialize)]
struct Revealed {
    rect: Clip,
}

/// Size of the viewport in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ViewportSize {
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

impl Tab {
    /// Takes a PNG.
    ///
    /// # Errors
    /// The deadline, the tab's end, or the browser's refusal.
    pub async fn screenshot(&self, shot: Shot, deadline: Deadline) -> Result<Vec<u8>> {
        self.unhighlight(deadline).await;
        let clip = match shot {
            Shot::Viewport => None,
            Shot::Clip(clip) => Some(clip),
            Shot::FullPage => Some(self.whole_page(deadline).await?),
        };
        let command = page::CaptureScreenshot {
            format: Some("png".into()),
            clip: clip.map(|clip| page::Viewport {
                x: clip.x,
                y: clip.y,
                width: clip.width,
                height: clip.height,
                scale: 1.0,
            }),
            capture_beyond_viewport: clip.map(|_| true),
            optimize_for_speed: Some(true),
            ..Default::default()
        };
        let reply = self.capture(command, deadline).await?;
        STANDARD.decode(reply.data).map_err(|error| EngineError::Protocol {
            method: "Page.captureScreenshot".into(),
            message: error.to_string(),
        })
    }

    /// Asks for the picture; a tab that shares its window is brought to the front for it, one at a time.
    async fn capture(
        &self,
        command: page::CaptureScreenshot,
        deadline: Deadline,
    ) -> Result<page::CaptureScreenshotReply> {
        let browser = self.browser.upgrade().filter(|_| self.state().shares_window);
        let Some(browser) = browser else {
            return self.call(command, deadline).await;
        };
        let front = async { Ok(browser.front.lock().await) };
        let _front = deadline.bound("another picture of this window", front).await?;
        let (shown, picture) = tokio::join!(self.call(page::BringToFront {}, deadline), self.call(command, deadline));
        shown?;
        picture
    }

    /// The rectangle of an element in the page, scrolled into view first.
    ///
    /// # Errors
    /// It is not found, stale, or cannot be seen.
    pub async fn element_clip(&self, target: &Target, deadline: Deadline) -> Result<Clip> {
        let (frame, revealed): (_, Revealed) = self.on_target(target, "reveal", [], deadline).await?;
        let corner = Point {
            x: revealed.rect.x,
            y: revealed.rect.y,
        };
        let (corner, metrics) = tokio::try_join!(
            self.to_viewport(&frame, corner, false, deadline),
            self.call(page::GetLayoutMetrics {}, deadline)
        )?;
        let seen = metrics.css_visual_viewport;
        Ok(Clip {
            x: (corner.x + seen.page_x).max(0.0),
            y: (corner.y + seen.page_y).max(0.0),
            width: revealed.rect.width.clamp(1.0, MAX_SIDE),
            height: revealed.rect.height.clamp(1.0, MAX_SIDE),
        })
    }

    async fn whole_page(&self, deadline: Deadline) -> Result<Clip> {
        let size = self.call(page::GetLayoutMetrics {}, deadline).await?.css_content_size;
        Ok(Clip {
            x: 0.0,
            y: 0.0,
            width: size.width.clamp(1.0, MAX_SIDE),
            height: size.height.clamp(1.0, MAX_SIDE),
        })
    }

    /// Size of the viewport.
    ///
    /// # Errors
    /// The deadline or the tab's end.
    pub async fn viewport(&self, deadline: Deadline) -> Result<ViewportSize> {
        let metrics = self
            .call(page::GetLayoutMetrics {}, deadline)
            .await?
            .css_layout_viewport;
        Ok(ViewportSize {
            width: u32::try_from(metrics.client_width).unwrap_or(0),
            height: u32::try_from(metrics.client_height).unwrap_or(0),
        })
    }
}
