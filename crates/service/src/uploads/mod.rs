//! The upload store: files that callers hand over, to be given to pages.
//!
//! Invariants: a stored file lies directly in the store's folder under a sanitised name, appears whole or not at all,
//! and is never larger than the limit; a relative path never leads out of the folder, through links neither.

mod accept;
mod decode;
mod fetch;
mod name;
mod route;

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

use crate::config::UploadConfig;
use crate::files::{create_private_dir, write_atomic};
use crate::trace::{Trace, UploadRecord};

pub(crate) use accept::accepts;
pub use decode::{Decoded, decoded};
pub(crate) use fetch::{Fetch, FetchError, Fetched};
pub(crate) use name::sanitised;
pub(crate) use route::store_failure;

/// Numbers after which a free name is given up.
const MOST_NUMBERS: u32 = 10_000;
/// Finding a free name and taking it is one step.
static NAMING: Mutex<()> = Mutex::new(());

/// A file of the store.
#[derive(Debug, Clone)]
pub struct Stored {
    /// Its name.
    pub filename: String,
    /// Where it is.
    pub path: PathBuf,
    /// Its path from the store's folder.
    pub relative_path: String,
    /// Bytes.
    pub size: u64,
    /// It replaced one of the same name.
    pub existed: bool,
    /// SHA-256 in hexadecimal digits.
    pub sha256: String,
}

/// Why the store does not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// `browser.upload.enabled` is false.
    #[error("the upload store is switched off")]
    Disabled,
    /// More than the limit.
    #[error("{size} bytes are more than {limit}")]
    TooLarge {
        /// Bytes that came.
        size: u64,
        /// The limit.
        limit: u64,
    },
    /// A path leads out of the folder.
    #[error("{path} leads out of the folder")]
    Outside {
        /// The path.
        path: String,
    },
    /// What the system says.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

/// The store.
#[derive(Clone, Copy)]
pub struct UploadStore<'a> {
    config: &'a UploadConfig,
    trace: &'a Trace,
}

impl<'a> UploadStore<'a> {
    /// The store of a configuration.
    pub fn new(config: &'a UploadConfig, trace: &'a Trace) -> Self {
        Self { config, trace }
    }

    /// Largest file in bytes; `None` when there is no limit.
    pub fn limit(&self) -> Option<u64> {
        (self.config.max_bytes > 0).then_some(self.config.max_bytes)
    }

    /// The folder.
    pub fn dir(&self) -> &'a Path {
        &self.config.dir
    }

    /// Refuses when the store is switched off.
    pub fn check_enabled(&self) -> Result<(), StoreError> {
        match self.config.enabled {
            true => Ok(()),
            false => Err(StoreError::Disabled),
        }
    }

    /// Keeps a file under a sanitised form of `name`.
    pub fn save(&self, name: &str, content_type: Option<&str>, bytes: &[u8]) -> Result<Stored, StoreError> {
        self.check_enabled()?;
        let size = bytes.len() as u64;
        if let Some(limit) = self.limit().filter(|limit| size > *limit) {
            return Err(StoreError::TooLarge { size, limit });
        }
        let dir = self.dir();
        create_private_dir(dir).map_err(|error| failed(dir, error))?;
        let wanted = sanitised(name, content_type);
        let _naming = NAMING.lock().unwrap_or_else(PoisonError::into_inner);
        let filename = match self.config.overwrite {
            true => wanted,
            false => free_name(dir, &wanted),
        };
        let path = dir.join(&filename);
        let existed = fs::symlink_metadata(&path).is_ok();
        write_atomic(&path, bytes).map_err(|error| failed(&path, error))?;
        let sha256 = hex(&Sha256::digest(bytes));
        self.trace.record_upload(UploadRecord {
            name: filename.clone(),
            size,
            sha256: sha256.clone(),
            path: path.clone(),
        });
        Ok(Stored {
            relative_path: filename.clone(),
            filename,
            path,
            size,
            existed,
            sha256,
        })
    }

    /// The file that a caller's path means: absolute, or in the folder.
    pub fn locate(&self, path: &str) -> Result<PathBuf, StoreError> {
        let given = Path::new(path);
        if given.is_absolute() {
            return Ok(given.to_path_buf());
        }
        let outside = || StoreError::Outside { path: path.to_owned() };
        if !given
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
        {
            return Err(outside());
        }
        let full = self.dir().join(given);
        let (Ok(real), Ok(dir)) = (fs::canonicalize(&full), fs::canonicalize(self.dir())) else {
            // What does not exist leads nowhere; that it is missing is told by whoever opens it.
            return Ok(full);
        };
        if real.starts_with(&dir) {
            Ok(real)
        } else {
            Err(outside())
        }
    }
}

fn failed(path: &Path, error: io::Error) -> StoreError {
    let path = path.to_path_buf();
    StoreError::Io { path, error }
}

/// `a.jpg`, or `a-1.jpg`, `a-2.jpg` when it is taken.
fn free_name(dir: &Path, wanted: &str) -> String {
    let (stem, extension) = name::split(wanted);
    let numbered = (1..MOST_NUMBERS).map(|number| format!("{stem}-{number}{extension}"));
    std::iter::once(wanted.to_owned())
        .chain(numbered)
        .find(|name| fs::symlink_metadata(dir.join(name)).is_err())
        .unwrap_or_else(|| format!("{stem}-{}{extension}", crate::ids::next()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn config(overwrite: bool) -> (tempfile::TempDir, Config) {
        let dir = tempfile::tempdir().unwrap();
        let mut config = Config::defaults(dir.path(), None);
        config.upload.dir = dir.path().join("upload");
        config.upload.overwrite = overwrite;
        config.upload.max_bytes = 8;
        config.trace.enabled = false;
        (dir, config)
    }

    #[test]
    fn a_name_is_replaced_or_numbered() {
        for (overwrite, second) in [(true, "a.txt"), (false, "a-1.txt")] {
            let (_dir, config) = config(overwrite);
            let trace = Trace::start(&config.trace);
            let store = UploadStore::new(&config.upload, &trace);
            let first = store.save("../x/a.txt", None, b"one").unwrap();
            assert_eq!(
                (first.filename.as_str(), first.existed, first.size),
                ("a.txt", false, 3)
            );
            let again = store.save("a.txt", None, b"two").unwrap();
            assert_eq!((again.filename.as_str(), again.existed), (second, overwrite));
            assert_eq!(fs::read(&again.path).unwrap(), b"two");
            assert_eq!(
                first.sha256,
                "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"
            );
        }
    }

    #[test]
    fn what_is_too_large_or_switched_off_is_refused() {
        let (_dir, mut config) = config(true);
        let trace = Trace::start(&config.trace);
        let store = UploadStore::new(&config.upload, &trace);
        assert!(matches!(
            store.save("a", None, b"123456789"),
            Err(StoreError::TooLarge { size: 9, limit: 8 })
        ));
        config.upload.enabled = false;
        let store = UploadStore::new(&config.upload, &trace);
        assert!(matches!(store.save("a", None, b"1"), Err(StoreError::Disabled)));
    }

    #[cfg(unix)]
    #[test]
    fn no_relative_path_leads_out_of_the_folder() {
        let (dir, config) = config(true);
        let trace = Trace::start(&config.trace);
        let store = UploadStore::new(&config.upload, &trace);
        fs::write(dir.path().join("secret.txt"), b"x").unwrap();
        store.save("a.txt", None, b"one").unwrap();
        std::os::unix::fs::symlink(dir.path().join("secret.txt"), store.dir().join("link.txt")).unwrap();
        for path in ["../secret.txt", "link.txt", "a/../../secret.txt"] {
            assert!(matches!(store.locate(path), Err(StoreError::Outside { .. })), "{path}");
        }
        assert!(store.locate("./a.txt").unwrap().ends_with("upload/a.txt"));
        assert!(store.locate("missing.txt").unwrap().ends_with("upload/missing.txt"));
    }
}
