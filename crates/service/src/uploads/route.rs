//! What the upload route does with the store, as replies.
//!
//! Invariant: a name that comes from a caller reaches the disk only sanitised, and nothing outside the folder is listed
//! or deleted.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::{StoreError, UploadStore, sanitised};
use crate::envelope::Outgoing;
use crate::failure::{Code, Failure};
use crate::messages::Language;
use crate::service::Service;
use crate::text;

/// Files that are listed at most, the newest.
const LISTED: usize = 500;

impl Service {
    /// The upload store.
    pub fn uploads(&self) -> UploadStore<'_> {
        UploadStore::new(&self.config().upload, self.trace())
    }

    /// `POST`: keeps one file.
    pub fn keep_upload(&self, name: &str, content_type: Option<&str>, bytes: &[u8], language: Language) -> Outgoing {
        let stored = self.uploads().save(name, content_type, bytes);
        let kept = stored.map(|stored| {
            json!({
                "filename": stored.filename, "path": stored.path.display().to_string(),
                "relativePath": stored.relative_path, "size": stored.size, "existed": stored.existed,
                "sha256": stored.sha256, "dir": self.uploads().dir().display().to_string(),
                "contentType": content_type,
            })
        });
        let status = match &kept {
            Err(StoreError::TooLarge { .. }) => 413,
            _ => 200,
        };
        self.outgoing(status, kept.map_err(|error| store_failure(&error)), language)
    }

    /// `GET`: the newest files.
    pub fn list_uploads(&self, language: Language) -> Outgoing {
        let files = self.uploads().list().map_err(|error| store_failure(&error));
        let dir = self.uploads().dir().display().to_string();
        let listed = files.map(|files| json!({"dir": dir, "count": files.len(), "files": files}));
        self.outgoing(200, listed, language)
    }

    /// `DELETE ?name=`: deletes one file.
    pub fn delete_upload(&self, name: &str, language: Language) -> Outgoing {
        let done = self.uploads().delete(name);
        self.outgoing(200, done.map(|()| json!({"deleted": true, "name": name})), language)
    }
}

impl UploadStore<'_> {
    /// Facts of the files in the folder, newest first. Links and folders are left out.
    fn list(&self) -> Result<Vec<Value>, StoreError> {
        self.check_enabled()?;
        let Ok(entries) = fs::read_dir(self.dir()) else {
            return Ok(Vec::new());
        };
        let mut found: Vec<(u64, Value)> = entries
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let facts = fs::symlink_metadata(entry.path()).ok().filter(fs::Metadata::is_file)?;
                let age = facts
                    .modified()
                    .unwrap_or(SystemTime::UNIX_EPOCH)
                    .duration_since(UNIX_EPOCH);
                let at = age.map_or(0, |age| u64::try_from(age.as_millis()).unwrap_or(u64::MAX));
                let path = entry.path().display().to_string();
                // A file that is just being written has a hidden name.
                (!name.starts_with('.')).then(|| {
                    (
                        at,
                        json!({"name": name, "size": facts.len(), "modifiedAt": at, "path": path}),
                    )
                })
            })
            .collect();
        found.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        found.truncate(LISTED);
        Ok(found.into_iter().map(|(_, file)| file).collect())
    }

    fn delete(&self, name: &str) -> Result<(), Failure> {
        self.check_enabled().map_err(|error| store_failure(&error))?;
        let path = self.dir().join(name);
        let plain = !name.is_empty() && sanitised(name, None) == name;
        let there = plain && fs::symlink_metadata(&path).is_ok_and(|facts| facts.is_file());
        if !there {
            return Err(Failure::new(
                Code::ActionFailed,
                text!("upload.no_such_file", name = name),
            ));
        }
        fs::remove_file(&path).map_err(|error| store_failure(&StoreError::Io { path, error }))
    }
}

/// The failure for what the store refuses.
pub(crate) fn store_failure(error: &StoreError) -> Failure {
    let text = match error {
        StoreError::Disabled => text!("upload.disabled"),
        StoreError::TooLarge { size, limit } => text!("upload.too_large", size = size, limit = limit),
        StoreError::Outside { path } => text!("upload.outside", path = path),
        StoreError::Io { path, error } => text!("upload.not_stored", path = path.display(), reason = error),
    };
    Failure::new(Code::ActionFailed, text).with("started", false)
}
