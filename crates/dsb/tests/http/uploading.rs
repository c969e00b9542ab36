//! Uploads: into inputs seen and unseen, through file choosers, onto drop zones; honest about who took the file.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, index_of, js, options, page_text, text_of};

/// A file of the test's own, with content.
fn file(world: &World, name: &str, content: &str) -> PathBuf {
    let path = world.dsb.home().join(name);
    fs::write(&path, content).unwrap();
    path
}

fn app<'a>(world: &'a World, name: &str) -> Task<'a> {
    let task = world.dsb.task(json!({}));
    task.ok("go_to_url", json!({"url": world.site.app(name)}));
    task.ok("wait_for_element", json!({"selector": "#choose", "timeoutSeconds": 20}));
    task
}

#[test]
fn a_file_goes_into_inputs_seen_and_unseen() {
    let world = World::new();
    let task = world.at("uploads.html");
    let path = file(&world, "note.txt", "hello");
    for (id, via) in [("listening", "input"), ("hidden", "input"), ("by-label", "input")] {
        let receipt = task.ok("upload_file", json!({"path": path, "selector": format!("#{id}")}));
        assert_eq!(
            text_of(&task, "last"),
            format!("{id} note.txt:5:text/plain"),
            "{receipt}"
        );
        assert_eq!(
            (&receipt["via"], &receipt["consumed"]),
            (&json!(via), &json!("listened")),
            "{receipt}"
        );
        assert_eq!((&receipt["filesLength"], &receipt["size"]), (&json!(1), &json!(5)));
        assert_eq!(
            (&receipt["filename"], &receipt["mode"]),
            (&json!("note.txt"), &json!("native"))
        );
        assert_eq!(receipt["listeners"]["events"], json!(["change"]), "{receipt}");
        assert_eq!(
            (&receipt["hasListeners"], &receipt["listenerDetection"]),
            (&json!(true), &json!("cdp"))
        );
    }
    assert_eq!(
        js(&task, "document.getElementById('listening').files[0].name"),
        "note.txt"
    );
}

#[test]
fn what_leads_to_an_input_is_followed() {
    let world = World::new();
    let task = world.at("uploads.html");
    let path = file(&world, "note.txt", "hello");
    let text = page_text(&task);
    for (label, id) in [("Choose by label", "by-label"), ("Choose beside", "beside")] {
        let receipt = task.ok("upload_file", json!({"path": path, "index": index_of(&text, label)}));
        assert_eq!(receipt["via"], "related", "{receipt}");
        assert_eq!(receipt["input"]["id"], id);
        assert!(text_of(&task, "last").starts_with(id), "{receipt}");
    }
}

#[test]
fn a_picker_is_answered_without_being_seen() {
    let world = World::new();
    let task = world.at("uploads.html");
    let path = file(&world, "note.txt", "hello");
    for (id, told) in [("picker", "picker"), ("slow-picker", "picker"), ("remote", "hidden")] {
        js(&task, "(document.getElementById('last').textContent = 'none')");
        let receipt = task.ok("upload_file", json!({"path": path, "selector": format!("#{id}")}));
        assert_eq!(
            (&receipt["via"], &receipt["consumed"]),
            (&json!("fileChooser"), &json!("listened")),
            "{receipt}"
        );
        assert_eq!(
            text_of(&task, "last"),
            format!("{told} note.txt:5:text/plain"),
            "{id}: {receipt}"
        );
        assert_eq!(receipt["filesLength"], 1, "{receipt}");
    }
    let reply = task.call("upload_file", json!({"path": path, "selector": "#no-picker"}));
    assert!(reply.msg().contains("opened no file chooser"), "{}", reply.msg());
    let data = reply.expect_code("ACTION_FAILED");
    assert_eq!(
        (&data["reason"], &data["clicked"]),
        (&json!("no-file-chooser"), &json!(true)),
        "{data}"
    );
}

#[test]
fn a_file_is_dropped_where_drops_are_taken_and_nowhere_else() {
    let world = World::new();
    let task = world.at("uploads.html");
    let path = file(&world, "note.txt", "hello");
    let receipt = task.ok("upload_file", json!({"path": path, "selector": "#zone"}));
    assert_eq!(text_of(&task, "last"), "dropped note.txt:5:text/plain", "{receipt}");
    assert_eq!(
        (&receipt["via"], &receipt["dropAccepted"], &receipt["consumed"]),
        (&json!("drop"), &json!(true), &json!("listened")),
        "{receipt}"
    );
    let events = receipt["targetEvents"].as_array().unwrap();
    assert!(
        events.starts_with(&[json!("dragenter"), json!("dragover")]) && events.ends_with(&[json!("drop")]),
        "{receipt}"
    );
    assert!(!events.contains(&json!("dragleave")), "{receipt}");
    let url = js(&task, "location.href");
    let reply = task.call("upload_file", json!({"path": path, "selector": "#no-zone"}));
    let data = reply.expect_code("ACTION_FAILED");
    assert_eq!(data["reason"], "no-file-chooser", "{data}");
    assert_eq!(
        js(&task, "location.href"),
        url,
        "the file was not opened in place of the page"
    );
}

#[test]
fn several_files_go_where_several_are_taken() {
    let world = World::new();
    let task = world.at("uploads.html");
    let paths = [file(&world, "a.txt", "one"), file(&world, "b.txt", "three")];
    let receipt = task.ok("upload_file", json!({"paths": paths, "selector": "#several"}));
    assert_eq!(text_of(&task, "last"), "several a.txt:3:text/plain,b.txt:5:text/plain");
    assert_eq!(
        (&receipt["filesLength"], &receipt["filenames"], &receipt["size"]),
        (&json!(2), &json!(["a.txt", "b.txt"]), &json!(8))
    );
    let data = task
        .call("upload_file", json!({"paths": paths, "selector": "#listening"}))
        .expect_code("ACTION_FAILED");
    assert_eq!(data["reason"], "takes-one-file", "{data}");
    task.ok("upload_file", json!({"paths": paths, "selector": "#zone"}));
    assert_eq!(text_of(&task, "last"), "dropped a.txt:3:text/plain,b.txt:5:text/plain");
}

#[test]
fn what_cannot_take_the_file_says_why() {
    let world = World::new();
    let task = world.at("uploads.html");
    let path = file(&world, "note.txt", "hello");
    let _ = page_text(&task);
    let folder = world.dsb.home().join("folder");
    fs::create_dir(&folder).unwrap();
    for (params, code, words) in [
        (
            json!({"path": path, "selector": "#folder"}),
            "ACTION_FAILED",
            "webkitdirectory",
        ),
        (
            json!({"path": path, "selector": "#off"}),
            "ELEMENT_DISABLED",
            "disabled",
        ),
        (
            json!({"path": path, "selector": "#none-such"}),
            "ELEMENT_NOT_FOUND",
            "Nothing matches",
        ),
        (
            json!({"path": path, "selector": "input >> nth=99"}),
            "ELEMENT_NOT_FOUND",
            "out of range",
        ),
        (
            json!({"path": path, "selector": "::bad("}),
            "INVALID_ARGUMENT",
            "selector",
        ),
        (json!({"path": path, "index": 9999}), "STALE_ELEMENT", "9999"),
        (
            json!({"path": path, "selector": "#plain", "frame": "nowhere"}),
            "ACTION_FAILED",
            "nowhere",
        ),
        (
            json!({"path": folder, "selector": "#plain"}),
            "ACTION_FAILED",
            "directory",
        ),
        (
            json!({"path": "missing.txt", "selector": "#plain"}),
            "ACTION_FAILED",
            "/playwright/upload",
        ),
        (
            json!({"path": "../note.txt", "selector": "#plain"}),
            "ACTION_FAILED",
            "upload directory",
        ),
        (
            json!({"path": path, "selector": "body"}),
            "ACTION_FAILED",
            "file inputs",
        ),
    ] {
        let reply = task.call("upload_file", params.clone());
        assert!(reply.msg().contains(words), "{params}: {}", reply.msg());
        reply.expect_code(code);
    }
    assert_eq!(text_of(&task, "last"), "none");
}

#[test]
fn bad_arguments_of_an_upload_touch_nothing() {
    let world = World::new();
    let task = world.at("uploads.html");
    for params in [
        json!({"selector": "#plain"}),
        json!({"selector": "#plain", "path": "a", "url": "http://x/"}),
        json!({"selector": "#plain", "path": "a", "paths": ["b"]}),
        json!({"selector": "#plain", "paths": []}),
        json!({"selector": "#plain", "path": " "}),
        json!({"path": "a"}),
        json!({"path": "a", "selector": ""}),
        json!({"selector": "#plain", "contentBase64": "!!!"}),
        json!({"selector": "#plain", "contentBase64": "data:text/plain,hello"}),
        json!({"selector": "#plain", "path": "a", "nth": -1}),
    ] {
        let data = task.call("upload_file", params.clone()).expect_code("INVALID_ARGUMENT");
        assert_eq!(data["started"], false, "{params}: {data}");
    }
}

#[test]
fn content_and_addresses_are_stored_first() {
    let world = World::new();
    let task = world.at("uploads.html");
    // "hello" as Base64, as it is and as a data: URI.
    for (content, name) in [
        ("aGVsbG8=", "../../given.txt"),
        ("data:text/plain;base64,aGVsbG8=", "given.txt"),
    ] {
        let params = json!({"contentBase64": content, "filename": name, "selector": "#listening"});
        let receipt = task.ok("upload_file", params);
        assert_eq!(text_of(&task, "last"), "listening given.txt:5:text/plain");
        assert_eq!(
            (&receipt["source"], &receipt["relativePath"], &receipt["size"]),
            (&json!("contentBase64"), &json!("given.txt"), &json!(5))
        );
        let sha = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
        assert_eq!(receipt["sha256"], sha);
        assert_eq!(fs::read(receipt["path"].as_str().unwrap()).unwrap(), b"hello");
    }
    // A stored file is found by its relative path.
    task.ok("upload_file", json!({"path": "given.txt", "selector": "#hidden"}));
    assert_eq!(text_of(&task, "last"), "hidden given.txt:5:text/plain");
    let receipt = task.ok(
        "upload_file",
        json!({"url": world.site.a("/plain/article.html"), "selector": "#listening"}),
    );
    assert_eq!(
        (&receipt["source"], &receipt["filename"]),
        (&json!("url"), &json!("article.html")),
        "{receipt}"
    );
    assert!(text_of(&task, "last").starts_with("listening article.html:"));
}

#[test]
fn addresses_are_limited_and_never_the_services_own() {
    let world = World::with(
        options()
            .arg("--browser.capture.enabled=false")
            .arg("--browser.upload.maxBytes=1000"),
    );
    let task = world.at("uploads.html");
    let port = world.dsb.addr().port();
    for (url, words) in [
        (format!("http://127.0.0.1:{port}/playwright/config"), "service itself"),
        (format!("http://localhost:{port}/playwright/config"), "service itself"),
        (
            format!("http://[::ffff:127.0.0.1]:{port}/playwright/config"),
            "service itself",
        ),
        ("file:///etc/hostname".to_owned(), "no http"),
        (world.site.a("/plain/no-such-page.html"), "HTTP 404"),
        (world.site.a("/plain/article.html"), "maxBytes"),
        ("http://127.0.0.1:1/".to_owned(), "could not be fetched"),
    ] {
        let reply = task.call("upload_file", json!({"url": url, "selector": "#listening"}));
        assert!(reply.msg().contains(words), "{url}: {}", reply.msg());
        assert_eq!(reply.expect_code("ACTION_FAILED")["started"], false);
    }
    let large = "A".repeat(2000);
    let reply = task.call("upload_file", json!({"contentBase64": large, "selector": "#listening"}));
    assert!(reply.msg().contains("maxBytes"), "{}", reply.msg());
    assert_eq!(text_of(&task, "last"), "none");
}

#[test]
fn a_switched_off_store_takes_nothing() {
    let world = World::with(
        options()
            .arg("--browser.capture.enabled=false")
            .arg("--browser.upload.enabled=false"),
    );
    let task = world.at("uploads.html");
    let reply = task.call(
        "upload_file",
        json!({"contentBase64": "aGVsbG8=", "selector": "#listening"}),
    );
    assert!(reply.msg().contains("browser.upload.enabled"), "{}", reply.msg());
    reply.expect_code("ACTION_FAILED");
}

#[test]
fn a_file_that_nobody_listens_for_has_no_effect_yet() {
    let world = World::new();
    let task = world.at("uploads.html");
    let path = file(&world, "note.txt", "hello");
    let receipt = task.ok("upload_file", json!({"path": path, "selector": "#plain"}));
    assert_eq!(
        (
            &receipt["consumed"],
            &receipt["effective"],
            &receipt["filesLength"],
            &receipt["hasListeners"]
        ),
        (&json!("noListener"), &json!(false), &json!(1), &json!(false)),
        "{receipt}"
    );
    assert!(receipt["hint"].as_str().unwrap().contains("when the form is sent"));
    // What the input asks for is reported, not enforced.
    let receipt = task.ok("upload_file", json!({"path": path, "selector": "#pictures"}));
    assert_eq!(
        (&receipt["accept"], &receipt["acceptMismatch"]),
        (&json!("image/*"), &json!(true)),
        "{receipt}"
    );
    assert!(text_of(&task, "last").starts_with("pictures note.txt"));
}

#[test]
fn an_input_that_is_replaced_or_emptied_is_no_failure() {
    let world = World::new();
    let task = world.at("uploads.html");
    let path = file(&world, "note.txt", "hello");
    for _ in 0..2 {
        let receipt = task.ok("upload_file", json!({"path": path, "selector": ".replaced"}));
        assert_eq!(
            (&receipt["elementGone"], &receipt["consumed"]),
            (&json!(true), &json!("listened")),
            "{receipt}"
        );
        assert!(receipt["readbackNote"].as_str().unwrap().len() > 20);
        assert_eq!(text_of(&task, "last"), "replaced note.txt:5:text/plain");
    }
    // The same file once more is no change to a browser, and told so.
    task.ok("upload_file", json!({"path": path, "selector": "#listening"}));
    let receipt = task.ok("upload_file", json!({"path": path, "selector": "#listening"}));
    assert_eq!(
        (&receipt["effective"], &receipt["filesLength"]),
        (&json!(false), &json!(1)),
        "{receipt}"
    );
    assert!(receipt["hint"].as_str().unwrap().contains("already held"), "{receipt}");
    let receipt = task.ok("upload_file", json!({"path": path, "selector": "#rejecting"}));
    assert_eq!(
        (&receipt["filesLength"], &receipt["elementGone"]),
        (&json!(0), &Value::Null),
        "{receipt}"
    );
    assert!(receipt["readbackNote"].as_str().is_some(), "{receipt}");
}

#[test]
fn upload_components_take_files_by_button_and_by_drop() {
    let world = World::new();
    let path = file(&world, "note.txt", "hello");
    for name in ["antd-dnd", "element-plus-upload"] {
        let task = app(&world, name);
        for (id, told) in [("choose", "uploaded"), ("dragger", "dragged")] {
            let receipt = task.ok("upload_file", json!({"path": path, "selector": format!("#{id}")}));
            assert_eq!(receipt["via"], "related", "{name}: {receipt}");
            task.ok("wait_for_text", json!({"text": format!("{told} note.txt 5")}));
            assert_eq!(
                (&receipt["consumed"], &receipt["changed"]),
                (&json!("listened"), &json!(true)),
                "{name}: {receipt}"
            );
            assert_eq!(receipt["effective"], Value::Null, "{receipt}");
        }
    }
}

/// Adds two hosts with a file input and a button that opens it, in an open and in a closed shadow root.
const SHADOWED: &str = r#"(() => {
  const last = document.getElementById("last");
  for (const mode of ["open", "closed"]) {
    const host = document.createElement("div");
    document.body.append(host);
    const root = host.attachShadow({ mode });
    root.innerHTML = `<input type="file" aria-label="In the ${mode} root"><button>Pick in the ${mode} root</button>`;
    const input = root.querySelector("input");
    input.onchange = () => (last.textContent = `${mode} ${input.files[0]?.name}`);
    root.querySelector("button").onclick = () => input.click();
  }
})(), 0"#;

#[test]
fn inputs_in_shadow_roots_take_files_and_say_when_nobody_was_told() {
    let world = World::new();
    let task = world.at("uploads.html");
    js(&task, SHADOWED);
    let (path, other) = (file(&world, "note.txt", "hello"), file(&world, "other.txt", "hello"));
    let text = crate::harness::whole_text(&task);
    for mode in ["open", "closed"] {
        let index = index_of(&text, &format!("'In the {mode} root'"));
        let receipt = task.ok("upload_file", json!({"path": path, "index": index}));
        assert_eq!(text_of(&task, "last"), format!("{mode} note.txt"), "{receipt}");
        assert_eq!(
            (&receipt["consumed"], &receipt["filesLength"]),
            (&json!("listened"), &json!(1)),
            "{receipt}"
        );
        // The same files once more: the browser tells the page nothing.
        js(&task, "(document.getElementById('last').textContent = 'none')");
        let button = index_of(&text, &format!("Pick in the {mode} root"));
        let again = task.ok("upload_file", json!({"path": path, "index": button}));
        assert_eq!(text_of(&task, "last"), "none");
        assert_eq!(again["effective"], false, "{again}");
        assert!(again["hint"].as_str().unwrap().contains("already held"), "{again}");
        let receipt = task.ok("upload_file", json!({"path": other, "index": button}));
        assert_eq!(text_of(&task, "last"), format!("{mode} other.txt"), "{receipt}");
    }
    let receipt = task.ok(
        "upload_file",
        json!({"path": path, "selector": "input[aria-label='In the open root']"}),
    );
    assert_eq!(text_of(&task, "last"), "open note.txt", "{receipt}");
}

#[test]
fn a_picker_of_the_file_system_is_refused_with_its_reason() {
    let world = World::new();
    let task = world.at("uploads.html");
    js(
        &task,
        "(document.getElementById('no-picker').onclick = () => showOpenFilePicker().catch((error) => (window.picked = error.name))), 0",
    );
    let path = file(&world, "note.txt", "hello");
    let reply = task.call("upload_file", json!({"path": path, "selector": "#no-picker"}));
    assert!(reply.msg().contains("no file input behind it"), "{}", reply.msg());
    let data = reply.expect_code("ACTION_FAILED");
    assert_eq!(
        (&data["reason"], &data["clicked"], &data["retrySafe"]),
        (&json!("chooser-without-input"), &json!(true), &json!(false)),
        "{data}"
    );
    task.ok(
        "wait_for_function",
        json!({"expression": "window.picked === 'AbortError'"}),
    );
}

#[test]
fn a_file_is_dropped_in_a_frame_of_another_site() {
    let world = World::new();
    let task = world.at("frames.html");
    let source = world.site.b("/plain/uploads.html");
    js(
        &task,
        &format!(
            "(document.getElementById('foreign').innerHTML = '<iframe id=drops width=600 height=600 src={source}></iframe>'), scrollTo(0, 9999)"
        ),
    );
    task.ok(
        "wait_for_element",
        json!({"selector": "#zone", "frame": "uploads.html", "timeoutSeconds": 10}),
    );
    let path = file(&world, "note.txt", "hello");
    let receipt = task.ok(
        "upload_file",
        json!({"path": path, "selector": "#zone", "frame": "uploads.html"}),
    );
    assert_eq!(
        (&receipt["via"], &receipt["dropAccepted"]),
        (&json!("drop"), &json!(true)),
        "{receipt}"
    );
    let told = task.ok(
        "wait_for_text",
        json!({"text": "dropped note.txt:5", "frame": "uploads.html"}),
    );
    assert!(told.is_object(), "{told}");
    // An input there, and the picker of a button there.
    for selector in ["#hidden", "#picker"] {
        task.ok(
            "upload_file",
            json!({"path": path, "selector": selector, "frame": "uploads.html"}),
        );
    }
    task.ok(
        "wait_for_text",
        json!({"text": "picker note.txt:5", "frame": "uploads.html"}),
    );
}
