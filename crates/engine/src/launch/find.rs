//! Which browsers are installed. Debian's `/usr/bin/chromium` is a shell wrapper that `exec`s the browser; pipe and
//! process group pass through it.

use std::path::{Path, PathBuf};

use super::LaunchError;

/// The browsers that this engine can drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BrowserKind {
    /// Google Chrome.
    Chrome,
    /// Microsoft Edge.
    Edge,
    /// An open Chromium build.
    Chromium,
}

impl BrowserKind {
    /// Name on the wire and in configuration.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Chrome => "chrome",
            Self::Edge => "edge",
            Self::Chromium => "chromium",
        }
    }

    /// Well-known places, most likely first; bare names are looked up in `PATH`.
    const fn places(self) -> &'static [&'static str] {
        match self {
            Self::Chrome => &[
                "google-chrome",
                "google-chrome-stable",
                "/opt/google/chrome/chrome",
                "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
            ],
            Self::Edge => &[
                "microsoft-edge",
                "microsoft-edge-stable",
                "/opt/microsoft/msedge/msedge",
                "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
            ],
            Self::Chromium => &[
                "chromium",
                "chromium-browser",
                "/usr/lib/chromium/chromium",
                "/snap/bin/chromium",
                "/Applications/Chromium.app/Contents/MacOS/Chromium",
            ],
        }
    }
}

/// An executable that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// What it is.
    pub kind: BrowserKind,
    /// Where it is.
    pub executable: PathBuf,
}

/// Finds the browser of `kind`; an explicit `path` is used or refused, never replaced.
///
/// # Errors
/// [`LaunchError::NotFound`] with the places that were tried.
pub fn find_browser(kind: BrowserKind, path: Option<&Path>) -> Result<Installed, LaunchError> {
    if let Some(path) = path {
        return if is_executable(path) {
            Ok(Installed {
                kind,
                executable: path.to_owned(),
            })
        } else {
            Err(LaunchError::NotFound {
                kind: kind.as_str().into(),
                looked: vec![path.display().to_string()],
            })
        };
    }
    kind.places()
        .iter()
        .find_map(|place| locate(place))
        .map(|executable| Installed { kind, executable })
        .ok_or_else(|| LaunchError::NotFound {
            kind: kind.as_str().into(),
            looked: kind.places().iter().map(|place| (*place).to_owned()).collect(),
        })
}

fn locate(place: &str) -> Option<PathBuf> {
    if place.contains('/') {
        return Some(PathBuf::from(place)).filter(|path| is_executable(path));
    }
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|dir| dir.join(place))
        .find(|path| is_executable(path))
}

fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explicit_path_is_never_replaced() {
        let missing = Path::new("/nonexistent/browser");
        let error = find_browser(BrowserKind::Chromium, Some(missing)).unwrap_err();
        assert!(matches!(error, LaunchError::NotFound { looked, .. } if looked == ["/nonexistent/browser"]));
    }

    #[test]
    fn a_plain_file_is_no_executable() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(find_browser(BrowserKind::Chrome, Some(file.path())).is_err());
    }
}
