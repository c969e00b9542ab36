//! States of the fixture pages, real libraries among them: what an agent reads of each is compared with the golden text
//! in `tests/golden/` and with the hand-written list of everything a person can operate there, `tests/fixtures/truth/`.
//!
//! A truth list counts controls by `kind: name`, the name as a person would say it. Every one has to stand on a line of
//! its own with an index and that name, and no other line may have an index, except those that `allowed` gives a reason
//! for. `UPDATE_GOLDEN=1` writes the golden texts anew; read them before you keep them.

mod lines;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde::Deserialize;
use serde_json::json;
use support::{Site, Task};

use crate::harness::World;
use lines::ControlLine;

/// One state of a page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Scene {
    /// Path on the first origin; `{b}` stands for the address of the second one.
    page: String,
    /// Script that brings the page into the state.
    #[serde(default)]
    setup: Option<String>,
    /// Condition in JavaScript that holds in the state.
    #[serde(default)]
    until: Option<String>,
    /// How many controls there are of each `kind: name`.
    controls: BTreeMap<String, usize>,
    /// Names of further indexed lines, each with the reason why it may have an index.
    #[serde(default)]
    allowed: BTreeMap<String, String>,
}

fn tests_folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(name)
}

fn names_in(folder: &Path, ending: &str) -> BTreeSet<String> {
    let files = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names
        .filter_map(|name| name.strip_suffix(ending).map(str::to_owned))
        .collect()
}

fn scene(name: &str) -> Scene {
    let text = fs::read_to_string(tests_folder("fixtures/truth").join(format!("{name}.json"))).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Runs the body of an async function in the page.
fn run(task: &Task<'_>, body: &str) {
    task.ok("execute_js", json!({"body": format!("async () => {{ {body}\n}}")}));
}

fn settle(task: &Task<'_>, until: Option<&str>) {
    let script = fs::read_to_string(tests_folder("fixtures/truth/settle.js")).unwrap();
    run(
        task,
        &script.replace("Boolean(UNTIL)", &format!("Boolean({})", until.unwrap_or("true"))),
    );
}

/// Text of the whole page in the state, ports masked.
fn read(world: &World, scene: &Scene) -> String {
    let task = world.dsb.task(json!({}));
    let other = world.site.b("").replace(':', "%3A").replace('/', "%2F");
    task.ok(
        "go_to_url",
        json!({"url": world.site.a(&scene.page.replace("{b}", &other))}),
    );
    let until = scene.until.as_deref();
    settle(&task, if scene.setup.is_some() { None } else { until });
    if let Some(setup) = &scene.setup {
        run(&task, setup);
        settle(&task, until);
    }
    let state = task.ok("get_browser_state", whole());
    let text = state["text"].as_str().expect("a page text").to_owned();
    task.ok("close", json!({}));
    mask(&text, &world.site)
}

fn whole() -> serde_json::Value {
    json!({"viewportExpansion": -1, "includeFrames": true, "includeElements": false})
}

fn mask(text: &str, site: &Site) -> String {
    let (a, b) = (site.addr_a.port().to_string(), site.addr_b.port().to_string());
    // The address of a frame may be cut inside of a port.
    let text = text.replace(&format!("127.0.0.1%3A{}…", &a[..1]), "127.0.0.1%3A…");
    text.replace(&a, "PORT-A").replace(&b, "PORT-B")
}

/// What is wrong with the text by the truth list of its scene.
fn against_truth(scene: &Scene, text: &str) -> Vec<String> {
    let mut left = scene.controls.clone();
    let mut wrong = Vec::new();
    for line in text.lines().filter_map(ControlLine::parse) {
        let found = left.iter_mut().find(|(control, count)| **count > 0 && line.is(control));
        if let Some((_, count)) = found {
            *count -= 1;
        } else if !scene.allowed.keys().any(|name| line.has_name(name)) {
            wrong.push(format!("nobody can operate {line:?}"));
        }
    }
    let missing = left.iter().filter(|(_, count)| **count > 0);
    wrong.extend(missing.map(|(control, count)| format!("{count} missing of {control}")));
    wrong
}

/// What is wrong with the text by its golden one.
fn against_golden(name: &str, text: &str) -> Vec<String> {
    let path = tests_folder("golden").join(format!("{name}.txt"));
    let text = format!("{text}\n");
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        return Vec::new();
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    if golden == text {
        return Vec::new();
    }
    let differs = golden.lines().zip(text.lines()).position(|(old, new)| old != new);
    let at = differs.unwrap_or_else(|| golden.lines().count().min(text.lines().count()));
    let line = |text: &str| text.lines().nth(at).unwrap_or("(the end)").to_owned();
    vec![format!(
        "line {} of the golden text is\n  {}\nand was read as\n  {}\n(UPDATE_GOLDEN=1 writes it anew)",
        at + 1,
        line(&golden),
        line(&text)
    )]
}

/// Reads the scenes whose names `belong` and compares each.
fn compare(belongs: impl Fn(&str) -> bool) {
    let world = World::new();
    let mut wrong = Vec::new();
    for name in names_in(&tests_folder("fixtures/truth"), ".json")
        .iter()
        .filter(|name| belongs(name))
    {
        let scene = scene(name);
        let text = read(&world, &scene);
        let mut found = against_truth(&scene, &text);
        found.extend(against_golden(name, &text));
        if !found.is_empty() {
            wrong.push(format!("{name}:\n{}", found.join("\n")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Folders of the bundled pages.
const LIBRARIES: [&str; 24] = [
    "antd",
    "antd-dnd",
    "antd-fields",
    "antd-overlays",
    "bootstrap",
    "codemirror",
    "downshift",
    "element-plus",
    "element-plus-overlays",
    "element-plus-upload",
    "jquery-ui",
    "layui",
    "lexical",
    "monaco",
    "mui",
    "quill",
    "select2",
    "slate",
    "sortable",
    "tinymce",
    "tiptap",
    "vue-fields",
    "vxe-modal",
    "vxe-table",
];

/// Library pages in which texts are written, and those in which choices are made.
const EDITORS: [&str; 7] = ["codemirror", "lexical", "monaco", "quill", "slate", "tinymce", "tiptap"];

fn belongs_to(name: &str, libraries: &[&str]) -> bool {
    libraries.iter().any(|library| name.starts_with(library))
}

#[test]
fn pages_of_antd_read_as_they_should() {
    compare(|name| name.starts_with("antd"));
}

#[test]
fn pages_of_element_plus_read_as_they_should() {
    compare(|name| name.starts_with("element-plus"));
}

#[test]
fn pages_of_vxe_table_read_as_they_should() {
    compare(|name| name.starts_with("vxe-table"));
}

#[test]
fn pages_of_editors_read_as_they_should() {
    compare(|name| belongs_to(name, &EDITORS));
}

#[test]
fn pages_of_other_libraries_read_as_they_should() {
    let own = ["antd", "element-plus", "vxe-table"];
    compare(|name| belongs_to(name, &LIBRARIES) && !belongs_to(name, &own) && !belongs_to(name, &EDITORS));
}

#[test]
fn plain_pages_read_as_they_should() {
    compare(|name| !belongs_to(name, &LIBRARIES));
}

/// Pages without anything to operate, each with the reason.
const WITHOUT_LIST: [(&str, &str); 4] = [
    ("replace", "it is gone before anybody sees it"),
    ("streams", "it shows a heading and a word"),
    ("wheel", "nothing in it can be operated but the page itself"),
    ("workers", "it shows words alone"),
];

#[test]
fn every_page_has_a_truth_list_and_every_list_a_golden_text() {
    let truth = names_in(&tests_folder("fixtures/truth"), ".json");
    assert_eq!(truth, names_in(&tests_folder("golden"), ".txt"));
    let read: BTreeSet<String> = truth.iter().map(|name| scene(name).page).collect();
    let mut pages: Vec<String> = LIBRARIES.iter().map(|library| format!("/{library}/")).collect();
    pages.extend(
        names_in(&tests_folder("fixtures/plain"), ".html")
            .iter()
            .filter(|name| !WITHOUT_LIST.iter().any(|(without, _)| without == name))
            .map(|name| format!("/plain/{name}.html")),
    );
    for page in pages {
        assert!(
            read.iter().any(|path| path.starts_with(&page)),
            "no truth list for {page}"
        );
    }
}

#[test]
fn a_missing_control_and_a_superfluous_one_are_found() {
    let scene = Scene {
        page: String::new(),
        setup: None,
        until: None,
        controls: BTreeMap::from([("button: Go".into(), 2), ("field: Name".into(), 1)]),
        allowed: BTreeMap::from([("Off".into(), "because".into())]),
    };
    let text = "[0]<button >Go/>\nName\n[1]<input value=''/>\n[2]<button disabled='true'>Off/>";
    let wrong = against_truth(&scene, text).join("\n");
    assert!(
        wrong.contains("1 missing of button: Go") && wrong.contains("1 missing of field: Name"),
        "{wrong}"
    );
    assert!(
        wrong.contains("nobody can operate") && !wrong.contains("Off"),
        "{wrong}"
    );
}
