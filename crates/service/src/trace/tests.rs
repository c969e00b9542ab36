//! The trace as a whole: what stands on disk after calls.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use serde_json::{Value, json};

use super::*;
use crate::config::Config;

fn config(dir: &Path) -> TraceConfig {
    Config::defaults(dir, None).trace
}

fn record(method: &str, request: impl Into<Payload>, response: Value) -> TraceRecord {
    let now = SystemTime::now();
    TraceRecord {
        started_at: now,
        finished_at: now,
        task_id: Some("1936000000000000001".into()),
        method: method.into(),
        request: request.into(),
        response: response.into(),
        ok: true,
        code: 1,
        msg: None,
        secrets: vec!["hunter2".into()],
    }
}

/// The day's folder; the tests may run over midnight, but each looks at the newest one.
fn folder(config: &TraceConfig) -> PathBuf {
    fs::read_dir(&config.dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .max()
        .unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_call_leaves_two_lines_and_a_file_without_secrets() {
    let dir = tempfile::tempdir().unwrap();
    let config = config(dir.path());
    let trace = Trace::start(&config);
    let request =
        r#"{"id":"1936000000000000001","method":"input_text","params":{"text":"hunter2","tel":"13800138000"}}"#;
    let response = json!({ "data": { "id": "1936000000000000001", "value": "a@b.cn",
        "screenshot": "/data/1936000000000000001/1.png", "cookies": [{ "name": "n", "value": "v3ry" }] }, "ok": true });
    trace.record(record("input_text", request, response));
    assert!(trace.flush());

    let folder = folder(&config);
    let file = "000001-1936000000000000001-input_text.json";
    assert_eq!(names(&folder), [file, "calls.jsonl", "steps.log"]);
    let steps = fs::read_to_string(folder.join("steps.log")).unwrap();
    assert!(steps.contains(" #1 id=1936000000000000001 input_text OK "), "{steps}");
    assert!(
        steps.contains(" screenshot=/data/1936000000000000001/1.png id=1936000000000000001 value=***\n"),
        "{steps}"
    );
    let call: Value = serde_json::from_str(&fs::read_to_string(folder.join("calls.jsonl")).unwrap()).unwrap();
    assert_eq!(call["record"], file);
    let body = fs::read_to_string(folder.join(file)).unwrap();
    let parsed: Value = serde_json::from_str(&body).unwrap();
    let request: Value = serde_json::from_str(parsed["request"].as_str().unwrap()).unwrap();
    assert_eq!(request["params"], json!({ "text": "***", "tel": "***" }));
    assert_eq!(request["id"], "1936000000000000001");
    for leak in ["hunter2", "13800138000", "a@b.cn", "v3ry"] {
        assert!(!format!("{steps}{call}{body}").contains(leak), "{leak}");
    }
}

#[test]
fn a_broken_request_is_kept_as_text_without_its_password() {
    let dir = tempfile::tempdir().unwrap();
    let config = config(dir.path());
    let trace = Trace::start(&config);
    let mut broken = record(
        "",
        r#"{"method":"set_credentials","params":{"password":"abc def"#,
        json!({ "ok": false }),
    );
    (broken.task_id, broken.ok, broken.msg) = (None, false, Some("not JSON".into()));
    trace.record(broken);
    assert!(trace.flush());
    let body = fs::read_to_string(folder(&config).join("000001---.json")).unwrap();
    assert!(body.contains("set_credentials") && !body.contains("abc"), "{body}");
    assert!(
        fs::read_to_string(folder(&config).join("steps.log"))
            .unwrap()
            .contains("id=-  FAIL 0ms msg=not JSON")
    );
}

#[test]
fn numbers_go_on_after_a_restart_and_files_are_private() {
    let dir = tempfile::tempdir().unwrap();
    let config = config(dir.path());
    for _ in 0..2 {
        let trace = Trace::start(&config);
        trace.record(record("a/b", json!({}), json!({})));
        trace.record_upload(UploadRecord {
            name: "a\nb".into(),
            size: 3,
            sha256: "00".into(),
            path: "/u/a".into(),
        });
        assert!(trace.flush());
    }
    let folder = folder(&config);
    let files: Vec<_> = names(&folder)
        .into_iter()
        .filter(|name| name.ends_with(".json"))
        .collect();
    assert_eq!(
        files,
        [
            "000001-1936000000000000001-a_b.json",
            "000002-1936000000000000001-a_b.json"
        ]
    );
    let uploads = fs::read_to_string(folder.join("uploads.log")).unwrap();
    assert_eq!(
        uploads.matches("name=a b size=3 sha256=00 path=/u/a\n").count(),
        2,
        "{uploads}"
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&folder), mode(&folder.join("steps.log"))), (0o700, 0o600));
    }
}

#[test]
fn a_disk_that_refuses_costs_records_but_no_call_and_recovers() {
    let dir = tempfile::tempdir().unwrap();
    let config = config(dir.path());
    fs::create_dir_all(config.dir.parent().unwrap()).unwrap();
    fs::write(&config.dir, b"in the way").unwrap();
    let trace = Trace::start(&config);
    trace.record(record("a", json!({}), json!({})));
    assert!(trace.flush());
    fs::remove_file(&config.dir).unwrap();
    trace.record(record("b", json!({}), json!({})));
    assert!(trace.flush());
    assert_eq!(
        names(&folder(&config)),
        ["000002-1936000000000000001-b.json", "calls.jsonl", "steps.log"]
    );
}

#[test]
fn a_full_queue_drops_and_counts() {
    // No writer runs here, so the queue stays as full as it gets.
    let shared = Shared::default();
    let item = || {
        Item::Upload(UploadRecord {
            name: String::new(),
            size: 0,
            sha256: String::new(),
            path: "/".into(),
        })
    };
    (0..5).for_each(|_| shared.push(item(), 3));
    let (waiting, dropped) = {
        let queue = shared.lock();
        (queue.items.len(), queue.dropped)
    };
    assert_eq!((waiting, dropped), (3, 2));
    assert!(!shared.flush(Duration::from_millis(1)));
}

#[test]
fn a_disabled_trace_writes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut config = config(dir.path());
    config.enabled = false;
    let trace = Trace::start(&config);
    trace.record(record("a", json!({}), json!({})));
    assert!(trace.flush());
    assert!(!config.dir.exists());
}

#[test]
fn the_writer_finishes_when_the_trace_is_dropped() {
    let shared = Arc::new(Shared::default());
    let handle = Handle {
        shared: Arc::clone(&shared),
    };
    let dir = tempfile::tempdir().unwrap();
    let config = config(dir.path());
    let trace = Trace {
        handle: Some(Arc::new(handle)),
    };
    trace.record(record("a", json!({}), json!({})));
    let (theirs, theirs_config) = (Arc::clone(&shared), config.clone());
    let thread = std::thread::spawn(move || run(&theirs, &mut Writer::new(&theirs_config)));
    drop(trace);
    thread.join().unwrap();
    assert_eq!(names(&folder(&config)).len(), 3);
}
