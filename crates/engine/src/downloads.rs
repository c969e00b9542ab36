//! Downloads of a tab, followed from their first byte by the browser's own events.

use std::path::PathBuf;

use serde::Serialize;

/// One download.
#[derive(Debug, Clone, Serialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Download {
    /// The browser's id, also the file's name until it is complete.
    #[serde(skip)]
    pub guid: String,
    /// Where it comes from.
    pub url: String,
    /// Name that the server or the page proposes.
    pub suggested_filename: String,
    /// `inProgress`, `completed` or `canceled`.
    pub state: String,
    /// Bytes received.
    pub bytes: u64,
    /// The file, once complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<PathBuf>,
}

/// A name in `dir` that is free: `a.txt`, `a-1.txt`, … Only the last path part of `suggested` is used.
#[must_use]
pub fn free_name(dir: &std::path::Path, suggested: &str) -> PathBuf {
    let last = suggested.rsplit(['/', '\\']).next().unwrap_or_default();
    let clean: String = last.chars().filter(|c| !c.is_control()).collect();
    let clean = clean.trim_matches(['.', ' ']);
    let name = if clean.is_empty() { "download" } else { clean };
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, format!(".{extension}")),
        _ => (name, String::new()),
    };
    let mut path = dir.join(name);
    let mut n = 0;
    while path.exists() {
        n += 1;
        path = dir.join(format!("{stem}-{n}{extension}"));
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_overwrites_and_never_leaves_the_directory() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a.txt"), "x").unwrap();
        assert_eq!(free_name(dir.path(), "../../a.txt"), dir.path().join("a-1.txt"));
        assert_eq!(free_name(dir.path(), ".."), dir.path().join("download"));
        assert_eq!(free_name(dir.path(), "x/\u{0}y"), dir.path().join("y"));
    }
}
