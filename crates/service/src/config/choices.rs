//! Settings that are one of a few words, and the page size.

use std::fmt;

use super::values::{Base, Setting};
use crate::messages::Language;

/// Page size of new tabs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Viewport {
    /// The page follows the window.
    #[default]
    Window,
    /// A preset size with a device pixel ratio of 1.
    Fixed,
    /// Width and height in CSS pixels with a device pixel ratio of 1.
    Size(u32, u32),
}

impl fmt::Display for Viewport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Viewport::Window => f.write_str("window"),
            Viewport::Fixed => f.write_str("fixed"),
            Viewport::Size(width, height) => write!(f, "{width}x{height}"),
        }
    }
}

impl Setting for Viewport {
    const KIND: &'static str = "window, fixed, or a size such as 1280x800";

    fn parse(text: &str, _: &Base<'_>) -> Option<Self> {
        let text = text.to_lowercase();
        match text.as_str() {
            "window" => return Some(Viewport::Window),
            "fixed" => return Some(Viewport::Fixed),
            _ => {}
        }
        let (width, height) = text.split_once(['x', '*', '×'])?;
        let side = |side: &str| side.trim().parse().ok().filter(|pixels| (1..=16_384).contains(pixels));
        Some(Viewport::Size(side(width)?, side(height)?))
    }
}

/// Enumerations whose words are the same in files, replies and documentation.
macro_rules! choices {
    ($($(#[doc = $doc:literal])+ $name:ident, $kind:literal {
        $($(#[doc = $variant_doc:literal])+ $(#[$mark:ident])? $variant:ident = $word:literal $(| $alias:literal)*,)+
    })*) => {$(
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub enum $name { $($(#[doc = $variant_doc])+ $(#[$mark])? $variant,)+ }

        impl $name {
            /// The word for it in property files and replies.
            pub fn as_str(self) -> &'static str {
                match self { $($name::$variant => $word,)+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl Setting for $name {
            const KIND: &'static str = $kind;

            fn parse(text: &str, _: &Base<'_>) -> Option<Self> {
                match text.to_ascii_lowercase().as_str() {
                    $($word $(| $alias)* => Some($name::$variant),)+
                    _ => None,
                }
            }
        }
    )*};
}

choices! {
    /// A browser by product.
    BrowserType, "auto, chrome, edge, chromium, firefox" {
        /// The first one that is installed and enabled.
        #[default] Auto = "auto",
        /// Google Chrome.
        Chrome = "chrome",
        /// Microsoft Edge.
        Edge = "edge",
        /// An open-source Chromium build.
        Chromium = "chromium",
        /// Mozilla Firefox.
        Firefox = "firefox",
    }
    /// A browser engine.
    EngineKind, "chromium, firefox" {
        /// Chrome, Edge and Chromium.
        #[default] Chromium = "chromium",
        /// Firefox.
        Firefox = "firefox",
    }
    /// Whether the browser runs in its sandbox.
    SandboxMode, "auto, true, false" {
        /// On wherever it works.
        #[default] Auto = "auto",
        /// On; a browser that cannot run so does not start.
        On = "true" | "1" | "yes" | "on",
        /// Off.
        Off = "false" | "0" | "no" | "off",
    }
    /// How the service talks to a browser that it starts.
    Transport, "auto, pipe, websocket" {
        /// Pipe for a headless browser, WebSocket for one with a window.
        #[default] Auto = "auto",
        /// File descriptors that only parent and child share.
        Pipe = "pipe",
        /// A debugging port on the loopback address.
        WebSocket = "websocket",
    }
    /// When the request log runs.
    NetworkRecord, "on, lazy, off" {
        /// From the moment that a task gets a tab.
        #[default] On = "on",
        /// From the first command that asks for it.
        Lazy = "lazy",
        /// Never.
        Off = "off",
    }
    /// What recognises text in images.
    OcrEngine, "auto, tesseract, windows, command" {
        /// Tesseract, or on Windows the engine built into it.
        #[default] Auto = "auto",
        /// The tesseract program.
        Tesseract = "tesseract",
        /// The engine built into Windows.
        Windows = "windows",
        /// The command line in `browser.ocr.command`.
        Command = "command",
    }
}

impl Setting for Language {
    const KIND: &'static str = "en, zh-CN";

    fn parse(text: &str, _: &Base<'_>) -> Option<Self> {
        Language::from_tag(text)
    }
}
