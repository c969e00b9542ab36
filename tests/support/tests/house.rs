//! The rules of the house, held against the whole tree: sizes, layers, panics, paths of a machine, lock files.
//!
//! Each rule is a function of text and has a test below that proves that it can fail.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests fail by panicking")]

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Ident, Item};

const MAX_LINES: usize = 600;
const MAX_TEST_LINES: usize = 800;
const MAX_FUNCTION: usize = 80;

/// Each layer with the layers that it may name.
const LAYERS: [(&str, &[&str]); 5] = [
    ("cdp", &[]),
    ("engine", &["cdp"]),
    ("service", &["engine"]),
    ("server", &["service"]),
    ("dsb", &["server", "service"]),
];

/// Folders that hold nothing written here, wherever they are.
const FOREIGN: [&str; 6] = [".git", "node_modules", "target", "dist", "corpus", "artifacts"];
/// Folders at the root into which running programs write.
const RUNTIME: [&str; 3] = ["data", "logs", "upload"];
/// What counts as code for the size of files.
const CODE: [&str; 9] = ["rs", "js", "mjs", "jsx", "ts", "tsx", "html", "css", "sh"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the root of the tree")
}

/// Every text file of the tree: path from the root → content.
fn tree() -> BTreeMap<String, String> {
    let root = root();
    let mut files = BTreeMap::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of the tree") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let runtime = folder == root && RUNTIME.contains(&name);
            let meta = std::fs::symlink_metadata(&path);
            // A file may go while others work in the tree; what is gone breaks no rule.
            let Ok(meta) = meta else { continue };
            if meta.is_dir() && !FOREIGN.contains(&name) && !runtime {
                folders.push(path);
            } else if meta.is_file()
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                let relative = path.strip_prefix(&root).expect("a path inside the tree");
                files.insert(relative.to_string_lossy().into_owned(), text);
            }
        }
    }
    assert!(files.contains_key("Cargo.toml"), "the walk has not found the tree");
    files
}

fn extension(path: &str) -> &str {
    Path::new(path)
        .extension()
        .and_then(|extension| extension.to_str())
        .unwrap_or_default()
}

fn is_test(path: &str) -> bool {
    let parts: Vec<_> = path.split('/').collect();
    let file = parts.last().copied().unwrap_or_default();
    parts
        .iter()
        .any(|part| ["tests", "benches", "fuzz", "examples"].contains(part))
        || file == "tests.rs"
        || file.ends_with("_tests.rs")
}

#[track_caller]
fn assert_none(rule: &str, findings: &[String]) {
    assert!(findings.is_empty(), "{rule}:\n  {}", findings.join("\n  "));
}

/// Checks each file of the tree with one of these extensions.
fn check(extensions: &[&str], rule: impl Fn(&str, &str) -> Vec<String>) -> Vec<String> {
    let files = tree();
    files
        .iter()
        .filter(|(path, _)| extensions.contains(&extension(path)))
        .flat_map(|(path, text)| rule(path, text))
        .collect()
}

// ---- sizes

fn long_file(path: &str, text: &str) -> Vec<String> {
    let limit = if is_test(path) { MAX_TEST_LINES } else { MAX_LINES };
    let lines = text.lines().count();
    if lines > limit {
        vec![format!("{path}: {lines} lines, allowed are {limit}")]
    } else {
        Vec::new()
    }
}

#[test]
fn no_file_is_too_long() {
    assert_none("files too long", &check(&CODE, long_file));
}

struct Functions<'a> {
    path: &'a str,
    found: Vec<String>,
}

impl Functions<'_> {
    fn measure(&mut self, name: &Ident, block: &Block) {
        let start = name.span().start().line;
        let lines = block.brace_token.span.close().end().line - start + 1;
        if lines > MAX_FUNCTION {
            self.found.push(format!(
                "{}:{start} fn {name}: {lines} lines, allowed are {MAX_FUNCTION}",
                self.path
            ));
        }
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.measure(&item.sig.ident, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.measure(&item.sig.ident, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.measure(&item.sig.ident, block);
        }
        visit::visit_trait_item_fn(self, item);
    }
}

fn parse(path: &str, text: &str) -> syn::File {
    syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn long_rust_functions(path: &str, text: &str) -> Vec<String> {
    let mut functions = Functions {
        path,
        found: Vec::new(),
    };
    functions.visit_file(&parse(path, text));
    functions.found
}

/// Named functions of formatted JavaScript: from the line that opens one to the closing brace at the same indentation.
fn long_script_functions(path: &str, text: &str) -> Vec<String> {
    let lines: Vec<_> = text.lines().collect();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let indent = &line[..line.len() - code.len()];
        let head = ["export ", "default ", "async "]
            .iter()
            .fold(code, |rest, word| rest.strip_prefix(word).unwrap_or(rest));
        if !head.starts_with("function") || !line.ends_with('{') {
            continue;
        }
        let end = lines[start..]
            .iter()
            .position(|line| line.strip_prefix(indent).is_some_and(|rest| rest.starts_with('}')));
        let length = end.map_or(lines.len() - start, |end| end + 1);
        if length > MAX_FUNCTION {
            found.push(format!(
                "{path}:{} {head} {length} lines, allowed are {MAX_FUNCTION}",
                start + 1
            ));
        }
    }
    found
}

#[test]
fn no_function_is_too_long() {
    assert_none("functions too long", &check(&["rs"], long_rust_functions));
    assert_none(
        "functions too long",
        &check(&["js", "mjs", "jsx", "ts", "tsx"], long_script_functions),
    );
}

// ---- panics

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        _ => &[],
    }
}

fn for_tests_only(item: &Item) -> bool {
    attributes(item).iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute
                .to_token_stream()
                .to_string()
                .replace(' ', "")
                .contains("cfg(test)")
    })
}

/// The lines on which something outside the tests may panic by design: `.unwrap()`, `.expect(…)`, `todo!`, `unimplemented!`.
/// Works on tokens, so that macro arguments are seen and strings and comments are not.
fn panics_in(tokens: TokenStream, lines: &mut Vec<usize>) {
    let tokens: Vec<_> = tokens.into_iter().collect();
    for (i, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => panics_in(group.stream(), lines),
            TokenTree::Ident(name) => {
                let dot = i > 0
                    && matches!(&tokens[i - 1], TokenTree::Punct(p) if p.as_char() == '.' && p.spacing() == Spacing::Alone);
                let call =
                    matches!(tokens.get(i + 1), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis);
                let bang = matches!(tokens.get(i + 1), Some(TokenTree::Punct(p)) if p.as_char() == '!');
                let name_text = name.to_string();
                let method =
                    ["unwrap", "expect", "unwrap_err", "expect_err"].contains(&name_text.as_str()) && dot && call;
                if method || (["todo", "unimplemented"].contains(&name_text.as_str()) && bang) {
                    lines.push(name.span().start().line);
                }
            }
            _ => {}
        }
    }
}

fn panics_of_items(items: Vec<Item>, lines: &mut Vec<usize>) {
    for item in items {
        match item {
            item if for_tests_only(&item) => {}
            Item::Mod(syn::ItemMod {
                content: Some((_, items)),
                ..
            }) => panics_of_items(items, lines),
            item => panics_in(item.into_token_stream(), lines),
        }
    }
}

/// A comment on the line itself is where the proof has to stand.
fn unproven_panics(path: &str, text: &str) -> Vec<String> {
    if is_test(path) || path.starts_with("tests/") {
        return Vec::new();
    }
    let mut lines = Vec::new();
    panics_of_items(parse(path, text).items, &mut lines);
    let source: Vec<_> = text.lines().collect();
    lines.retain(|line| !source[line - 1].contains("//"));
    lines
        .into_iter()
        .map(|line| format!("{path}:{line} {}", source[line - 1].trim()))
        .collect()
}

#[test]
fn nothing_panics_without_a_proof() {
    assert_none(
        "unwrap, expect, todo! or unimplemented! outside tests",
        &check(&["rs"], unproven_panics),
    );
}

// ---- layers

/// The layer that a file belongs to.
fn layer_of(path: &str) -> Option<(&'static str, &'static [&'static str])> {
    let name = path.strip_prefix("crates/")?.split('/').next()?;
    LAYERS.into_iter().find(|(layer, _)| *layer == name)
}

fn forbidden(layer: &str, allowed: &[&str], named: &str) -> bool {
    named != layer && !allowed.contains(&named) && LAYERS.iter().any(|(other, _)| *other == named)
}

/// Layers named by the dependency tables of a manifest, dotted keys and `[dependencies.x]` tables included.
fn wrong_dependencies(path: &str, text: &str) -> Vec<String> {
    let Some((layer, allowed)) = layer_of(path) else {
        return Vec::new();
    };
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        let mut named = line;
        if let Some(table) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            inside = table.ends_with("dependencies");
            named = table.rsplit_once("dependencies.").map_or("", |(_, name)| name);
        } else if !inside {
            continue;
        }
        let named = named.split(['.', '=', ' ', '"']).next().unwrap_or_default();
        if forbidden(layer, allowed, named) {
            found.push(format!("{path}: {layer} may not depend on {named}"));
        }
    }
    found
}

/// Layers named by `use` and `extern crate` lines.
fn wrong_uses(path: &str, text: &str) -> Vec<String> {
    let Some((layer, allowed)) = layer_of(path) else {
        return Vec::new();
    };
    let name_in = |line: &str| {
        let line = line.trim_start();
        let line = line.strip_prefix("pub ").unwrap_or(line);
        let rest = line
            .strip_prefix("use ")
            .or_else(|| line.strip_prefix("extern crate "))?;
        let rest = rest.trim_start_matches("::");
        Some(rest[..rest.find([':', ';', ' ']).unwrap_or(rest.len())].to_owned())
    };
    let named = text
        .lines()
        .enumerate()
        .filter_map(|(i, line)| Some((i + 1, name_in(line)?)));
    named
        .filter(|(_, named)| forbidden(layer, allowed, named))
        .map(|(line, named)| format!("{path}:{line} {layer} may not use {named}"))
        .collect()
}

#[test]
fn layers_import_only_downwards() {
    let files = tree();
    for (layer, _) in LAYERS {
        assert!(
            files.contains_key(&format!("crates/{layer}/Cargo.toml")),
            "no manifest of {layer}"
        );
    }
    let found: Vec<_> = check(&["toml"], wrong_dependencies)
        .into_iter()
        .chain(check(&["rs"], wrong_uses))
        .collect();
    assert_none("imports against the layers", &found);
}

// ---- paths of a machine

/// Absolute paths below somebody's own folders. They are put together here so that this file does not hold one itself.
fn machine_paths(path: &str, text: &str) -> Vec<String> {
    let roots = ["work", "root", "home"].map(|name| format!("/{name}"));
    let names_a_place = |line: &str, at: usize, root: &str| {
        let before = line[..at].chars().next_back();
        let rest = &line[at + root.len()..];
        // After a letter or a dot it is the middle of an address or of a relative path.
        let begins = !before.is_some_and(|c| c.is_alphanumeric() || "._-~})*/".contains(c));
        let below = rest
            .strip_prefix('/')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric()));
        let whole = !root.ends_with("home") && !rest.starts_with(|c: char| c.is_alphanumeric() || "/_-.".contains(c));
        begins && (below || whole)
    };
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut places = roots.iter().flat_map(|root| line.match_indices(root.as_str()));
        if places.any(|(at, root)| names_a_place(line, at, root)) {
            found.push(format!(
                "{path}:{} {}",
                number + 1,
                line.trim().chars().take(120).collect::<String>()
            ));
        }
    }
    found
}

#[test]
fn no_path_of_a_machine() {
    let found: Vec<_> = tree()
        .iter()
        .flat_map(|(path, text)| machine_paths(path, text))
        .collect();
    assert_none("paths of a machine", &found);
}

// ---- lock files

/// Lock files name versions and sums, never the place to download from: that is the business of who builds.
fn download_addresses(path: &str, text: &str) -> Vec<String> {
    let file = path.rsplit('/').next().unwrap_or_default();
    let wrong = |line: &str| match file {
        "package-lock.json" | "npm-shrinkwrap.json" => line.starts_with("\"resolved\""),
        "Cargo.lock" => line.starts_with("source") && !line.contains("/crates.io-index\""),
        ".npmrc" => line.contains("://") || line.starts_with("registry"),
        "yarn.lock" | "pnpm-lock.yaml" => true,
        _ => false,
    };
    let lines = text.lines().enumerate().filter(|(_, line)| wrong(line.trim()));
    lines
        .map(|(number, line)| format!("{path}:{} {}", number + 1, line.trim()))
        .collect()
}

#[test]
fn no_download_address_in_a_lock_file() {
    let files = tree();
    assert!(files.contains_key("tests/fixtures/package-lock.json") && files.contains_key("Cargo.lock"));
    let found: Vec<_> = files
        .iter()
        .flat_map(|(path, text)| download_addresses(path, text))
        .collect();
    assert_none("download addresses", &found);
}

// ---- the rules can fail

#[test]
fn sizes_are_measured() {
    let lines = "x\n".repeat(700);
    assert_eq!(long_file("crates/a/src/b.rs", &lines).len(), 1);
    assert!(long_file("crates/a/tests/b.rs", &lines).is_empty());
    let long = format!(
        "impl A {{\n    pub async fn long() {{\n{}    }}\n}}\nfn short() {{}}\n",
        "        one();\n".repeat(79)
    );
    assert_eq!(
        long_rust_functions("a.rs", &long),
        ["a.rs:2 fn long: 81 lines, allowed are 80"]
    );
    let script = format!(
        "  async function long() {{\n{}  }}\n  function short() {{\n  }}\n",
        "    one();\n".repeat(79)
    );
    assert_eq!(
        long_script_functions("a.js", &script),
        ["a.js:1 function long() { 81 lines, allowed are 80"]
    );
}

#[test]
fn panics_are_seen_outside_tests_only() {
    let text = r#"
        fn a() { b().unwrap(); }
        fn c() { format!("{}", d().expect("x")); "e().unwrap()"; }
        fn f() { g().unwrap(); } // cannot fail: g is constant
        fn h() { i().unwrap_or_default(); todo!() }
        mod inner { fn j() { k().expect_err("x"); } }
        #[cfg(test)]
        mod tests { fn l() { m().unwrap(); } }
    "#;
    let lines: Vec<_> = unproven_panics("crates/a/src/a.rs", text)
        .iter()
        .map(|f| f.split(' ').next().unwrap().to_owned())
        .collect();
    assert_eq!(lines, [2, 3, 5, 6].map(|line| format!("crates/a/src/a.rs:{line}")));
    assert!(unproven_panics("crates/a/tests/a.rs", text).is_empty());
}

#[test]
fn layers_are_held() {
    let manifest = "[package]\nname = \"engine\"\n[dependencies]\ncdp.workspace = true\nservice.workspace = true\n[dev-dependencies.dsb]\npath = \"x\"\n";
    assert_eq!(wrong_dependencies("crates/engine/Cargo.toml", manifest).len(), 2);
    assert!(
        wrong_dependencies(
            "crates/cdp/Cargo.toml",
            "[package]\nserver = 1\n[dependencies]\nserver-x = 1\n"
        )
        .is_empty()
    );
    let source = "use cdp::Session;\n    pub use server::Route;\nuse crate::service::X;\nextern crate dsb;\n";
    let found = wrong_uses("crates/engine/src/a.rs", source);
    assert_eq!(
        found,
        [
            "crates/engine/src/a.rs:2 engine may not use server",
            "crates/engine/src/a.rs:4 engine may not use dsb"
        ]
    );
    assert_eq!(
        wrong_uses("crates/server/src/a.rs", "use engine::Tab;").len(),
        1,
        "a layer may not be jumped over"
    );
}

#[test]
fn paths_and_addresses_are_found() {
    let path = |name: &str| format!("cd /{name}/someone/x");
    for name in ["work", "root", "home"] {
        assert_eq!(machine_paths("a.md", &path(name)).len(), 1, "{name}");
    }
    let alone = ["work", "root"].map(|name| format!("HOME=/{name}"));
    assert!(alone.iter().all(|text| machine_paths("a.md", text).len() == 1));
    assert!(
        machine_paths(
            "a.md",
            "http://127.0.0.1/work/x, $HOME/work/x, ./home/x, /home, /rooted/x, a/root"
        )
        .is_empty()
    );
    assert_eq!(
        download_addresses(
            "x/package-lock.json",
            "  \"resolved\": \"somewhere\",\n  \"version\": \"1\""
        )
        .len(),
        1
    );
    assert_eq!(download_addresses("Cargo.lock", "source = \"git+somewhere\"").len(), 1);
    assert!(download_addresses("Cargo.lock", "source = \"registry+x/crates.io-index\"").is_empty());
}
