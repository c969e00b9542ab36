//! `download_image`: the files behind the pictures of a page, and what is refused.

use std::path::Path;

use serde_json::{Value, json};
use support::Task;

use crate::harness::{World, index_of, js, page_text};

/// A task at a plain page whose body is this.
fn with_body<'a>(world: &'a World, body: &str) -> Task<'a> {
    let task = world.at("change.html");
    show(&task, body);
    task
}

/// Replaces the body and waits until its pictures have been loaded or have failed.
fn show(task: &Task<'_>, body: &str) {
    let body = serde_json::to_string(body).unwrap();
    js(
        task,
        &format!(
            "document.body.innerHTML = {body};
             return Promise.all(Array.from(document.images, (img) => img.complete || new Promise((done) => (img.onload = img.onerror = done)))).then(() => 1)"
        ),
    );
}

fn save(task: &Task<'_>, selector: &str) -> Value {
    task.ok("download_image", json!({"selector": selector}))
}

fn content(data: &Value) -> Vec<u8> {
    std::fs::read(data["path"].as_str().unwrap()).unwrap()
}

#[test]
fn a_picture_is_saved_as_the_server_sent_it() {
    let world = World::new();
    let url = world.site.a("/image?kind=png");
    let task = with_body(
        &world,
        &format!("<a href='#'><img id=pic alt='A dot' src='{url}' width=90 height=90></a>"),
    );
    let data = save(&task, "#pic");
    assert_eq!(
        (&data["filename"], &data["contentType"]),
        (&json!("img-1.png"), &json!("image/png"))
    );
    assert_eq!(
        (&data["srcUrl"], &data["via"], &data["alt"]),
        (&json!(url), &json!("browser-context"), &json!("A dot"))
    );
    assert_eq!((&data["naturalWidth"], &data["naturalHeight"]), (&json!(1), &json!(1)));
    let bytes = content(&data);
    assert!(bytes.starts_with(b"\x89PNG") && data["size"] == bytes.len(), "{data:#}");
    assert_eq!(data["sha256"].as_str().unwrap().len(), 64);
    let (status, served) = world.dsb.fetch("GET", data["url"].as_str().unwrap(), &[], b"");
    assert_eq!((status, served), (200, bytes));
    let folder = world.dsb.home().join("data").join(&task.id);
    assert_eq!(
        Path::new(data["path"].as_str().unwrap()).parent().unwrap(),
        folder.canonicalize().unwrap()
    );
    // The link around it means the same picture.
    let index = index_of(&page_text(&task), "<a ");
    let data = task.ok("download_image", json!({"index": index}));
    assert_eq!(data["filename"], "img-2.png");
    assert!(data["hint"].is_string(), "{data:#}");
}

#[test]
fn cookies_redirects_and_other_origins() {
    let world = World::new();
    let guarded = world.site.a("/image?cookie=login%3Dyes");
    let task = with_body(&world, "");
    js(&task, "document.cookie = 'login=yes; path=/'; 0");
    let moved = world.site.a("/redirect?to=/image%3Fcookie%3Dlogin%253Dyes");
    let foreign = world.site.b("/image?kind=svg");
    show(
        &task,
        &format!("<img id=own src='{guarded}'><img id=moved src='{moved}'><img id=foreign src='{foreign}'>"),
    );
    for id in ["#own", "#moved"] {
        let data = save(&task, id);
        assert_eq!(
            (&data["via"], &data["contentType"]),
            (&json!("browser-context"), &json!("image/png")),
            "{id}"
        );
    }
    let data = save(&task, "#foreign");
    assert_eq!(
        (&data["filename"], &data["srcUrl"]),
        (&json!("img-3.svg"), &json!(foreign))
    );
    js(&task, "document.cookie = 'login=; max-age=0; path=/'; 0");
    let failed = task
        .call("download_image", json!({"selector": "#own"}))
        .expect_code("NETWORK_ERROR");
    assert_eq!(
        (&failed["httpStatus"], &failed["retryable"]),
        (&json!(403), &json!(false))
    );
}

#[test]
fn every_way_to_show_a_picture() {
    let world = World::new();
    let png = world.site.a("/image");
    let body = format!(
        "<picture id=picture><source srcset='{png}?kind=svg' type='image/svg+xml'><img src='{png}'></picture>
         <input id=button type=image alt=Go src='{png}'>
         <svg width=20 height=20><image id=inner href='/image?x=1' width=20 height=20 /></svg>
         <div id=back style='width:50px;height:50px;background:linear-gradient(red,blue),url(\"{png}?b=(1)\")'></div>
         <img id=data src='data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E'>
         <img id=blob>"
    );
    let task = with_body(&world, &body);
    js(
        &task,
        &format!(
            "return fetch('{png}').then((reply) => reply.blob()).then((blob) => (document.getElementById('blob').src = URL.createObjectURL(blob))).then(() => 1)"
        ),
    );
    let cases = [
        ("#picture", "svg", "browser-context"),
        ("#button", "png", "browser-context"),
        ("#inner", "png", "browser-context"),
        ("#back", "png", "browser-context"),
        ("#data", "svg", "data-url"),
        ("#blob", "png", "in-page-fetch"),
    ];
    for (selector, extension, via) in cases {
        let data = save(&task, selector);
        assert!(
            data["filename"].as_str().unwrap().ends_with(extension),
            "{selector} {data:#}"
        );
        assert_eq!(data["via"], via, "{selector}");
        assert!(!content(&data).is_empty());
    }
    assert_eq!(save(&task, "#button")["alt"], "Go");
    assert!(save(&task, "#back")["srcUrl"].as_str().unwrap().ends_with("?b=(1)"));
}

#[test]
fn a_picture_in_a_frame_of_another_origin() {
    let world = World::new();
    let task = world.dsb.task(json!({}));
    let url = format!("/plain/frames.html?other={}", world.site.b("").trim_end_matches('/'));
    task.ok("go_to_url", json!({"url": world.site.a(&url)}));
    task.ok("wait_for_element", json!({"selector": "#name", "frame": "name=cross"}));
    task.ok(
        "execute_js",
        json!({"body": "document.body.innerHTML = '<img id=pic src=\"/image\">'; 0", "frame": "name=cross"}),
    );
    let data = task.ok("download_image", json!({"selector": "#pic", "frame": "name=cross"}));
    assert!(data["srcUrl"].as_str().unwrap().contains("localhost"), "{data:#}");
    task.call("download_image", json!({"selector": "#pic"}))
        .expect_code("ELEMENT_NOT_FOUND");
}

#[test]
fn names_stay_in_the_folder_and_replace_nothing() {
    let world = World::new();
    let task = with_body(&world, &format!("<img id=pic src='{}'>", world.site.a("/image")));
    let named = |name: &str| task.call("download_image", json!({"selector": "#pic", "filename": name}));
    for name in [
        "../up.png",
        "a/b.png",
        "..",
        ".hidden.png",
        "C:\\x.png",
        "a\nb.png",
        &"x".repeat(300),
    ] {
        let failed = named(name).expect_code("INVALID_ARGUMENT");
        assert_eq!(failed["started"], false, "{name}");
    }
    let data = named("cat.PNG").expect_ok();
    assert_eq!(data["filename"], "cat.PNG");
    let again = named("cat.PNG").expect_ok();
    assert_eq!(again["filename"], "cat-2.PNG");
    assert!(again["hint"].as_str().unwrap().contains("cat-2.PNG"));
    assert_eq!(named("page.html").expect_ok()["filename"], "page.html.png");
    assert_eq!(named("图片").expect_ok()["filename"], "图片.png");
}

#[test]
fn what_is_no_picture_is_not_saved() {
    let world = World::new();
    let site = |path: &str| world.site.a(path);
    let body = format!(
        "<img id=login src='{}'><img id=json src='{}'><img id=lost src='{}'><img id=dropped src='{}'>
         <img id=empty><img id=odd src='ftp://127.0.0.1/x.png'><p id=text>Text</p><canvas id=canvas width=0></canvas>
         <div id=two><img src='{4}'><img src='{4}'></div><img id=broken src='data:image/png;base64,***'>",
        site("/image?kind=html&type=image/png"),
        site("/xhr?n=1"),
        site("/status/404"),
        site("/drop"),
        site("/image"),
    );
    let task = with_body(&world, &body);
    let failed = |selector: &str, code: &str| {
        let reply = task.call("download_image", json!({"selector": selector}));
        let words = reply.msg().to_owned();
        (reply.expect_code(code), words)
    };
    let (data, words) = failed("#login", "ACTION_FAILED");
    assert!(
        data["contentType"] == "image/png" && words.contains("login page"),
        "{words}"
    );
    failed("#json", "ACTION_FAILED");
    assert_eq!(failed("#lost", "NETWORK_ERROR").0["httpStatus"], 404);
    assert!(
        !failed("#dropped", "NETWORK_ERROR").0["netError"]
            .as_str()
            .unwrap()
            .is_empty()
    );
    for (selector, reason) in [
        ("#empty", "image-without-source"),
        ("#odd", "image-scheme"),
        ("#text", "not-an-image"),
        ("#canvas", "image-without-source"),
        ("#two", "not-an-image"),
        ("#broken", "image-malformed"),
    ] {
        assert_eq!(failed(selector, "ACTION_FAILED").0["reason"], reason, "{selector}");
    }
    failed("#nothing", "ELEMENT_NOT_FOUND");
    failed("::(", "INVALID_ARGUMENT");
    task.call("download_image", json!({})).expect_code("INVALID_ARGUMENT");
    task.call("download_image", json!({"index": 99}))
        .expect_code("STALE_ELEMENT");
    let folder = world.dsb.home().join("data").join(&task.id);
    let saved = std::fs::read_dir(folder)
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("img"));
    assert_eq!(saved.count(), 0);
}

#[test]
fn what_the_page_draws_is_saved_as_it_is_drawn() {
    let world = World::new();
    let task = with_body(
        &world,
        "<svg width=0 height=0><symbol id=sign viewBox='0 0 8 8'><path d='M0 0h8v8z'/></symbol></svg>
         <canvas id=canvas width=40 height=30></canvas><canvas id=blank width=40 height=30></canvas><canvas id=tainted></canvas>
         <svg id=svg viewBox='0 0 8 8' style='color: rgb(1, 2, 3); width: 24px'><use href='#sign'/><text>x</text></svg>",
    );
    js(
        &task,
        &format!(
            "document.getElementById('canvas').getContext('2d').fillRect(0, 0, 10, 10);
             const img = Object.assign(new Image(), {{ src: {} }});
             return img.decode().then(() => document.getElementById('tainted').getContext('2d').drawImage(img, 0, 0)).then(() => 1)",
            json!(world.site.b("/image?kind=png"))
        ),
    );
    let before = js(&task, "document.body.innerHTML");
    let drawn = save(&task, "#canvas");
    let facts = |data: &Value| {
        let of = |member: &str| data[member].as_str().unwrap_or_default().to_owned();
        [of("filename"), of("contentType"), of("via"), of("srcUrl")]
    };
    assert_eq!(facts(&drawn), ["img-1.png", "image/png", "drawn", ""], "{drawn:#}");
    assert_eq!((&drawn["naturalWidth"], &drawn["hint"]), (&json!(40), &Value::Null));
    assert!(content(&drawn).starts_with(b"\x89PNG"));
    let blank = save(&task, "#blank");
    assert!(
        blank["hint"].as_str().unwrap().contains("Nothing is drawn"),
        "{blank:#}"
    );
    let svg = save(&task, "#svg");
    assert_eq!(facts(&svg), ["img-3.svg", "image/svg+xml", "drawn", ""], "{svg:#}");
    let text = String::from_utf8(content(&svg)).unwrap();
    for part in [
        "xmlns=\"http://www.w3.org/2000/svg\"",
        "id=\"sign\"",
        "M0 0h8v8z",
        "color=\"rgb(1, 2, 3)\"",
        "width=\"24\"",
    ] {
        assert!(text.contains(part), "no {part} in {text}");
    }
    let refused = task.call("download_image", json!({"selector": "#tainted"}));
    assert!(refused.msg().contains("another origin"), "{}", refused.msg());
    assert_eq!(refused.expect_code("ACTION_FAILED")["reason"], "image-tainted");
    assert_eq!(js(&task, "document.body.innerHTML"), before, "saving changes nothing");
}

#[test]
fn a_picture_that_is_too_large_is_refused() {
    let world = World::new();
    let url = world.site.a(&format!("/image?bytes={}", (64 << 20) + 1));
    let task = world.at("change.html");
    js(
        &task,
        &format!("document.body.innerHTML = '<div id=pic style=\"background:url({url})\">x</div>'; 0"),
    );
    let failed = task.call("download_image", json!({"selector": "#pic"}));
    assert_eq!(failed.expect_code("ACTION_FAILED")["reason"], "image-too-large");
}
