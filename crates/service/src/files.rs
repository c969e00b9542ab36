//! The files of a task: `data/<id>/` in the working directory, served under `/data/<id>/`.
//!
//! Invariants: a number is used once, also over a restart of the service; a file appears whole or
//! not at all; nothing outside `data/` is ever reached through a path that came from a caller.

use std::collections::HashMap;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::config::data_dir;
use crate::ids::{self, TaskId};

/// The folder of one task and the numbers of its files.
#[derive(Debug)]
pub struct TaskFiles {
    id: TaskId,
    dir: PathBuf,
    /// Last number used by the automatic captures.
    seq: AtomicU64,
    /// Last number used per prefix (`shot`, `img`, `page`).
    named: Mutex<HashMap<String, u64>>,
}

impl TaskFiles {
    /// Makes `data/<id>/`, readable by the user alone, and finds out which numbers are taken.
    pub fn open(work_dir: &Path, id: TaskId) -> io::Result<TaskFiles> {
        let dir = data_dir(work_dir).join(id.to_string());
        create_private_dir(&dir)?;
        let names = names_in(&dir)?;
        let seq = names.iter().filter_map(|name| stem_number(name, "")).max().unwrap_or(0);
        let mut named = HashMap::new();
        for name in &names {
            if let Some((prefix, _)) = name.split_once('-')
                && let Some(number) = stem_number(name, prefix)
            {
                let last = named.entry(prefix.to_owned()).or_insert(0);
                *last = number.max(*last);
            }
        }
        Ok(TaskFiles {
            id,
            dir,
            seq: AtomicU64::new(seq),
            named: Mutex::new(named),
        })
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The number of the next automatic capture, from 1. Used up also when the capture fails.
    pub fn next_seq(&self) -> u64 {
        self.seq.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// The number of the last automatic capture; 0 before the first.
    pub fn last_seq(&self) -> u64 {
        self.seq.load(Ordering::Relaxed)
    }

    /// Number and path of the next explicit screenshot, `shot-<n>.png`.
    pub fn next_shot(&self) -> (u64, PathBuf) {
        self.next_named("shot", "png")
    }

    /// Number and path of the next `<prefix>-<n>.<extension>`. Numbers are counted per prefix.
    pub fn next_named(&self, prefix: &str, extension: &str) -> (u64, PathBuf) {
        let mut named = self.named.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let last = named.entry(prefix.to_owned()).or_insert(0);
        *last += 1;
        (*last, self.dir.join(format!("{prefix}-{last}.{extension}")))
    }

    /// The path of a file of this task.
    pub fn path_of(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// The URL path of a file of this task, `/data/<id>/<name>`; `None` for a path outside the folder.
    pub fn url_of(&self, path: &Path) -> Option<String> {
        let name = path.strip_prefix(&self.dir).ok()?.to_str()?;
        is_plain_name(name).then(|| format!("/data/{}/{name}", self.id))
    }

    /// Takes the place of a file of this task: whoever holds it can write the content later, off the path of a reply.
    pub fn reserve(&self, name: &str, length: usize) -> io::Result<Reserved> {
        let path = self.path_of(name);
        let staged = self.dir.join(format!(".{}.tmp", ids::next()));
        let file = stage(&staged).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => create_private_dir(&self.dir).and_then(|()| stage(&staged)),
            _ => Err(error),
        })?;
        let reserved = Reserved { file, staged, path };
        allocate(&reserved.file, length)?;
        Ok(reserved)
    }

    /// Writes a file of this task, whole or not at all.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
        let path = self.path_of(name);
        write_atomic(&path, bytes)?;
        Ok(path)
    }
}

/// The place of a file that is yet to be written, with room on the disk where the system grants it. Dropping it leaves
/// nothing behind.
#[derive(Debug)]
pub struct Reserved {
    file: File,
    staged: PathBuf,
    path: PathBuf,
}

impl Reserved {
    /// Where the file will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the content and makes the file appear.
    pub fn fill(mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        fs::rename(&self.staged, &self.path)
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        // After a rename there is nothing under this name.
        let _ = fs::remove_file(&self.staged);
    }
}

/// Has the system set aside room for a file, so that a full disk is found out now.
#[cfg(target_os = "linux")]
fn allocate(file: &File, length: usize) -> io::Result<()> {
    use rustix::fs::{FallocateFlags, fallocate};
    use rustix::io::Errno;
    let length = u64::try_from(length).unwrap_or(u64::MAX).max(1);
    match fallocate(file, FallocateFlags::KEEP_SIZE, 0, length) {
        // Where a file system cannot, the write itself finds out.
        Ok(()) | Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Elsewhere the write itself finds out.
#[cfg(not(target_os = "linux"))]
fn allocate(_: &File, _: usize) -> io::Result<()> {
    Ok(())
}

/// Writes to a temporary name in the same folder, then renames. The file is readable by the user
/// alone. A folder that was cleaned up meanwhile is made again.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let parent = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let staged = parent.join(format!(".{}.tmp", ids::next()));
    let fill = || stage(&staged)?.write_all(bytes);
    let written = match fill() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => create_private_dir(parent).and_then(|()| fill()),
        other => other,
    };
    let done = written.and_then(|()| fs::rename(&staged, path));
    if done.is_err() {
        // What is left of a failed attempt; the first error is the one to report.
        let _ = fs::remove_file(&staged);
    }
    done
}

fn stage(path: &Path) -> io::Result<File> {
    private_file(OpenOptions::new().write(true).create_new(true), path)
}

/// Opens a file that, when it is made, only the user can read.
pub(crate) fn private_file(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options.open(path)
}

/// Makes a folder and what is missing above it, for the user alone. Folders that exist stay as they are.
pub fn create_private_dir(dir: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

fn names_in(dir: &Path) -> io::Result<Vec<String>> {
    let entries = fs::read_dir(dir)?;
    entries
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect()
}

/// `7` of `7.png`, or with a prefix `7` of `shot-7.png`.
fn stem_number(name: &str, prefix: &str) -> Option<u64> {
    let rest = if prefix.is_empty() {
        name
    } else {
        name.strip_prefix(prefix)?.strip_prefix('-')?
    };
    let stem = rest
        .split('.')
        .next()
        .filter(|stem| stem.bytes().all(|byte| byte.is_ascii_digit()))?;
    stem.parse().ok()
}

/// The file behind a decoded URL path `/data/<id>/<file>`, if there is one: a regular file in the
/// folder of a task. Symbolic links below `data/` are refused, and so is anything that leaves it.
pub fn resolve_data_path(work_dir: &Path, url_path: &str) -> Option<PathBuf> {
    let (id, name) = url_path.strip_prefix("/data/")?.split_once('/')?;
    if id.parse::<TaskId>().is_err() || !is_plain_name(name) {
        return None;
    }
    let root = fs::canonicalize(data_dir(work_dir)).ok()?;
    let folder = root.join(id);
    let file = folder.join(name);
    let real_folder = fs::symlink_metadata(&folder).is_ok_and(|found| found.is_dir());
    let real_file = fs::symlink_metadata(&file).is_ok_and(|found| found.is_file());
    let inside = fs::canonicalize(&file).ok()?.starts_with(&root);
    (real_folder && real_file && inside).then_some(file)
}

/// One visible path component on every platform.
pub(crate) fn is_plain_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('.')
        && !name.contains(['/', '\\', ':'])
        && !name.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn task() -> (tempfile::TempDir, TaskFiles) {
        let dir = tempfile::tempdir().unwrap();
        let files = TaskFiles::open(dir.path(), TaskId(7)).unwrap();
        (dir, files)
    }

    #[test]
    fn numbers_go_on_where_files_ended() {
        let (dir, files) = task();
        assert_eq!((files.next_seq(), files.next_seq()), (1, 2));
        for name in [
            "12.txt",
            "3.png",
            "shot-4.png",
            "img-9.webp",
            "x.png",
            "shot-a.png",
            "99999999999999999999.png",
        ] {
            files.write(name, b"x").unwrap();
        }
        let again = TaskFiles::open(dir.path(), TaskId(7)).unwrap();
        assert_eq!((again.next_seq(), again.next_shot().0, again.next_shot().0), (13, 5, 6));
        assert_eq!(again.next_named("img", "png"), (10, again.path_of("img-10.png")));
        assert_eq!(again.next_named("page", "pdf").0, 1);
    }

    #[test]
    fn files_are_whole_private_and_replaceable() {
        let (dir, files) = task();
        let path = files.write("1.txt", b"first").unwrap();
        files.write("1.txt", b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(names_in(files.dir()).unwrap(), ["1.txt"]);
        assert_eq!(files.url_of(&path).as_deref(), Some("/data/7/1.txt"));
        assert_eq!(files.url_of(&dir.path().join("1.txt")), None);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(files.dir()).unwrap().permissions().mode() & 0o777, 0o700);
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        fs::remove_dir_all(files.dir()).unwrap();
        assert_eq!(fs::read(files.write("2.txt", b"back").unwrap()).unwrap(), b"back");
    }

    #[test]
    fn a_failed_write_leaves_nothing() {
        let (_dir, files) = task();
        fs::create_dir(files.path_of("1.png")).unwrap();
        assert!(files.write("1.png", b"x").is_err());
        assert_eq!(names_in(files.dir()).unwrap(), ["1.png"]);
    }

    #[test]
    fn a_reserved_file_appears_whole_or_leaves_nothing() {
        let (_dir, files) = task();
        let reserved = files.reserve("1.txt", 1 << 20).unwrap();
        assert!(!reserved.path().exists());
        reserved.fill(b"text").unwrap();
        assert_eq!(fs::read(files.path_of("1.txt")).unwrap(), b"text");
        drop(files.reserve("2.txt", 4).unwrap());
        assert_eq!(names_in(files.dir()).unwrap(), ["1.txt"]);
        fs::remove_dir_all(files.dir()).unwrap();
        files.reserve("3.txt", 0).unwrap().fill(b"").unwrap();
        assert_eq!(names_in(files.dir()).unwrap(), ["3.txt"]);
        fs::remove_dir_all(files.dir()).unwrap();
        fs::write(files.dir(), b"in the way").unwrap();
        assert!(files.reserve("4.txt", 4).is_err());
    }

    #[test]
    fn only_regular_files_of_tasks_are_served() {
        let (dir, files) = task();
        files.write("1.png", b"x").unwrap();
        fs::write(dir.path().join("secret.txt"), b"x").unwrap();
        fs::create_dir(files.path_of("folder")).unwrap();
        assert!(resolve_data_path(dir.path(), "/data/7/1.png").is_some());
        for path in [
            "/data/7/2.png",
            "/data/7/folder",
            "/data/7",
            "/data/7/",
            "/data/7/../7/1.png",
            "/data/7/../../secret.txt",
            "/data/../secret.txt",
            "/data/7/..\\..\\secret.txt",
            "/data/x/1.png",
            "/data//1.png",
            "data/7/1.png",
            "/data/7/1.png/",
            "/data/7//1.png",
            "/data/7/.hidden",
            "/data/7/1.png\0",
            "/data/7/C:1.png",
            "/data/8/1.png",
        ] {
            assert_eq!(resolve_data_path(dir.path(), path), None, "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn symbolic_links_are_refused() {
        use std::os::unix::fs::symlink;
        let (dir, files) = task();
        fs::write(dir.path().join("secret.txt"), b"x").unwrap();
        files.write("1.png", b"x").unwrap();
        symlink(dir.path().join("secret.txt"), files.path_of("2.png")).unwrap();
        symlink(files.path_of("1.png"), files.path_of("3.png")).unwrap();
        symlink(dir.path(), data_dir(dir.path()).join("8")).unwrap();
        symlink(files.dir(), data_dir(dir.path()).join("9")).unwrap();
        for path in ["/data/7/2.png", "/data/7/3.png", "/data/8/secret.txt", "/data/9/1.png"] {
            assert_eq!(resolve_data_path(dir.path(), path), None, "{path}");
        }
    }

    proptest! {
        #[test]
        fn nothing_outside_the_data_folder_is_ever_found(path in r"/data/7/[./\\a%:]{0,12}") {
            let (dir, files) = task();
            files.write("a", b"x").unwrap();
            if let Some(found) = resolve_data_path(dir.path(), &path) {
                prop_assert!(found.starts_with(fs::canonicalize(files.dir()).unwrap()));
            }
        }
    }
}
