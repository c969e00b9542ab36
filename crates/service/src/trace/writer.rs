//! The trace on disk: one folder a day, appended lines, one file a call.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::Value;

use super::lines::{Entry, one_line};
use super::record::TraceRecord;
use super::{Item, UploadRecord, clock};
use crate::config::TraceConfig;
use crate::files::{create_private_dir, private_file};
use crate::redact::{Known, Redactor};

/// What writes the items of the queue, one after the other.
pub(super) struct Writer {
    dir: PathBuf,
    max_record_chars: usize,
    redactor: Redactor,
    seq: u64,
    /// The last attempt failed, and the log has said so.
    failing: bool,
}

impl Writer {
    /// Numbers go on where today's folder ends, so that no file of an earlier run is written over.
    pub(super) fn new(config: &TraceConfig) -> Writer {
        let today = config.dir.join(clock::day(SystemTime::now()));
        Writer {
            dir: config.dir.clone(),
            max_record_chars: config.max_record_chars,
            redactor: Redactor::new(config),
            seq: last_number(&today),
            failing: false,
        }
    }

    /// Writes one item. Trouble with the disk is logged when it begins and when it ends.
    pub(super) fn write(&mut self, item: Item) {
        let written = match item {
            Item::Call(record) => self.call(*record),
            Item::Upload(upload) => self.upload(&upload),
        };
        let dir = self.dir.display();
        match &written {
            Ok(()) if self.failing => tracing::info!(%dir, "the trace is written again"),
            Err(error) if !self.failing => {
                tracing::warn!(%dir, %error, "the trace cannot be written; calls go on without it");
            }
            _ => {}
        }
        self.failing = written.is_err();
    }

    fn call(&mut self, record: TraceRecord) -> io::Result<()> {
        self.seq += 1;
        let entry = self.redacted(record);
        let folder = self.folder(entry.record.started_at)?;
        let name = entry.file_name();
        let body = entry.file_body(self.max_record_chars);
        private_file(
            OpenOptions::new().write(true).create(true).truncate(true),
            &folder.join(&name),
        )?
        .write_all(body.as_bytes())?;
        append(&folder, "calls.jsonl", entry.call_line(&name))?;
        append(&folder, "steps.log", entry.step_line())
    }

    fn upload(&self, upload: &UploadRecord) -> io::Result<()> {
        let now = SystemTime::now();
        let line = format!(
            "{} name={} size={} sha256={} path={}",
            clock::line(now),
            one_line(&upload.name),
            upload.size,
            one_line(&upload.sha256),
            one_line(&upload.path.to_string_lossy()),
        );
        append(&self.folder(now)?, "uploads.log", line)
    }

    fn folder(&self, at: SystemTime) -> io::Result<PathBuf> {
        let folder = self.dir.join(clock::day(at));
        create_private_dir(&folder)?;
        Ok(folder)
    }

    fn redacted(&self, mut record: TraceRecord) -> Entry {
        let take = |payload: &mut super::Payload| std::mem::replace(payload, Value::Null.into()).into_value();
        let (mut request, mut response) = (take(&mut record.request), take(&mut record.response));
        let task_id = record.task_id.clone();
        let ids: Vec<&str> = task_id.as_deref().into_iter().collect();
        let known = Known {
            ids: &ids,
            secrets: &record.secrets,
        };
        self.redactor.redact_known(&mut request, known);
        self.redactor.redact_known(&mut response, known);
        let msg = record
            .msg
            .as_deref()
            .map(|msg| self.redactor.redact_text_known(msg, known).into_owned());
        let method = self.redactor.redact_text_known(&record.method, known).into_owned();
        let request = match request {
            Value::String(text) => text,
            other => other.to_string(),
        };
        record.msg = msg;
        record.method = method;
        record.secrets.clear();
        Entry::new(self.seq, record, request, response)
    }
}

/// The highest number that a file of a folder begins with; 0 when there is none.
fn last_number(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    let number = |name: String| name.split('-').next().and_then(|digits| digits.parse::<u64>().ok());
    entries
        .flatten()
        .filter_map(|entry| number(entry.file_name().into_string().ok()?))
        .max()
        .unwrap_or(0)
}

/// One write for the whole line, so that two services that share a folder never mix their lines.
fn append(folder: &Path, name: &str, mut line: String) -> io::Result<()> {
    line.push('\n');
    let mut file: File = private_file(OpenOptions::new().append(true).create(true), &folder.join(name))?;
    file.write_all(line.as_bytes())
}
