//! A browser profile on disk: whether it was used before, and the marker that says by what.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Name of the marker in a managed profile; shared with earlier products so that their profiles are recognised.
pub const MARKER_FILE: &str = ".dsh-browser-use-profile.json";

/// What last used the profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Marker {
    /// Engine, `chromium`.
    pub engine: String,
    /// Browser, such as `chrome`.
    pub browser: String,
    /// When, in milliseconds since 1970; older files hold a date-time text.
    pub updated_at: serde_json::Value,
}

/// A profile directory.
#[derive(Debug, Clone)]
pub struct ProfileDir {
    path: PathBuf,
}

impl ProfileDir {
    /// Wraps a path; nothing is created.
    #[must_use]
    pub const fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// The directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// True when an earlier run left something here; ask before the launch.
    #[must_use]
    pub fn seen_before(&self) -> bool {
        self.path.join(MARKER_FILE).exists() || self.path.read_dir().is_ok_and(|mut entries| entries.next().is_some())
    }

    /// The marker, when there is a readable one.
    #[must_use]
    pub fn marker(&self) -> Option<Marker> {
        serde_json::from_slice(&std::fs::read(self.path.join(MARKER_FILE)).ok()?).ok()
    }

    /// Writes the marker after a successful launch.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn mark(&self, browser: &str, now_ms: u64) -> io::Result<()> {
        let marker = Marker {
            engine: "chromium".into(),
            browser: browser.into(),
            updated_at: now_ms.into(),
        };
        std::fs::write(self.path.join(MARKER_FILE), serde_json::to_vec(&marker)?)
    }

    /// Creates the directory, readable by its owner only: it holds logins.
    ///
    /// # Errors
    /// It cannot be created.
    pub fn create(&self) -> io::Result<()> {
        use std::os::unix::fs::DirBuilderExt;
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.path)
    }

    /// Switches printing off in a folder of the profile. The print window holds its page, and no protocol event tells of
    /// it nor closes it. Only for a profile of our own, while no browser uses it.
    ///
    /// # Errors
    /// The settings cannot be read as such, or not be written.
    pub fn forbid_printing(&self, folder: &str) -> io::Result<()> {
        let folder = self.path.join(folder);
        let file = folder.join("Preferences");
        let mut settings: serde_json::Value = match std::fs::read(&file) {
            Ok(bytes) => serde_json::from_slice(&bytes)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => serde_json::json!({}),
            Err(error) => return Err(error),
        };
        let Some(all) = settings.as_object_mut() else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        let printing = all.entry("printing").or_insert_with(|| serde_json::json!({}));
        if printing.get("enabled").is_some() {
            return Ok(());
        }
        let Some(printing) = printing.as_object_mut() else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        printing.insert("enabled".into(), false.into());
        std::fs::create_dir_all(&folder)?;
        let fresh = folder.join("Preferences.new");
        std::fs::write(&fresh, serde_json::to_vec(&settings)?)?;
        std::fs::rename(fresh, file)
    }

    /// Removes a lock left by a process that does not live any more. `SingletonLock` is a symbolic link whose target
    /// reads `<host>-<pid>`; a lock of another host is left alone.
    pub fn remove_dead_lock(&self) {
        let lock = self.path.join("SingletonLock");
        let Ok(target) = std::fs::read_link(&lock) else { return };
        let target = target.to_string_lossy();
        let Some((host, pid)) = target.rsplit_once('-') else {
            return;
        };
        let ours = rustix::system::uname().nodename().to_string_lossy() == host;
        let Ok(pid) = pid.parse::<i32>() else { return };
        if ours && !Path::new(&format!("/proc/{pid}")).exists() {
            for name in ["SingletonLock", "SingletonCookie", "SingletonSocket"] {
                let _ = std::fs::remove_file(self.path.join(name));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marked_profile_was_seen_before() {
        let dir = tempfile::tempdir().unwrap();
        let profile = ProfileDir::new(dir.path().join("p"));
        assert!(!profile.seen_before());
        profile.create().unwrap();
        assert!(!profile.seen_before());
        profile.mark("chrome", 5).unwrap();
        assert!(profile.seen_before());
        assert_eq!(profile.marker().unwrap().browser, "chrome");
    }

    #[test]
    fn printing_is_forbidden_once_and_other_settings_stay() {
        let home = tempfile::tempdir().unwrap();
        let profile = ProfileDir::new(home.path().to_owned());
        let file = home.path().join("Default/Preferences");
        let read = || serde_json::from_slice::<serde_json::Value>(&std::fs::read(&file).unwrap()).unwrap();
        profile.forbid_printing("Default").unwrap();
        assert_eq!(read(), serde_json::json!({"printing": {"enabled": false}}));
        // A person who wants it back may have it.
        let chosen = serde_json::json!({"printing": {"enabled": true}, "homepage": "x"});
        std::fs::write(&file, chosen.to_string()).unwrap();
        profile.forbid_printing("Default").unwrap();
        assert_eq!(read(), chosen);
        std::fs::write(&file, "{broken").unwrap();
        assert!(profile.forbid_printing("Default").is_err());
    }

    #[test]
    fn only_a_dead_lock_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let profile = ProfileDir::new(dir.path().to_owned());
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        let lock = dir.path().join("SingletonLock");
        std::os::unix::fs::symlink(format!("{host}-{}", std::process::id()), &lock).unwrap();
        profile.remove_dead_lock();
        assert!(lock.symlink_metadata().is_ok());
        std::fs::remove_file(&lock).unwrap();
        std::os::unix::fs::symlink(format!("{host}-999999999"), &lock).unwrap();
        profile.remove_dead_lock();
        assert!(lock.symlink_metadata().is_err());
    }
}
