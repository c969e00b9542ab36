//! The catalogues against each other and against the sources that use them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::*;

const EN: &str = include_str!("../../../../locales/en.yml");
const ZH: &str = include_str!("../../../../locales/zh-CN.yml");

/// Key → sentence. Panics at a line that is not comment, blank or `key: "sentence"`, so that the
/// catalogues keep the form that this reader understands.
fn catalogue(text: &str) -> BTreeMap<&str, &str> {
    let mut entries = BTreeMap::new();
    for line in text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with(['#', '_']))
    {
        let (key, sentence) = line.split_once(": ").unwrap_or_else(|| panic!("not an entry: {line}"));
        let quoted = sentence.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let sentence = quoted.unwrap_or_else(|| panic!("not in double quotes: {line}"));
        assert!(
            key.chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "._".contains(c)),
            "{key}"
        );
        assert!(entries.insert(key, sentence).is_none(), "twice: {key}");
    }
    entries
}

fn placeholders(sentence: &str) -> BTreeSet<&str> {
    let names = sentence.split("%{").skip(1);
    names
        .map(|rest| rest.split_once('}').unwrap_or_else(|| panic!("unclosed: {sentence}")).0)
        .collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            sources(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            found.push(entry);
        }
    }
}

/// One `text!` call: its key and the names of its arguments.
#[derive(Debug, PartialEq)]
struct Call {
    key: String,
    args: BTreeSet<String>,
}

/// The `text!` calls in a source text. Comments and this crate's own macro definition are skipped.
fn calls(source: &str) -> Vec<Call> {
    let code: String = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n");
    let starts = code
        .match_indices("text!")
        .filter(|(at, _)| !code[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_'));
    starts
        .filter_map(|(at, _)| call(code[at + "text!".len()..].trim_start()))
        .collect()
}

fn call(after_name: &str) -> Option<Call> {
    let body = after_name.strip_prefix(['(', '{', '['])?;
    let parts = top_level_parts(body);
    let key = parts.first()?.trim().strip_prefix('"')?.strip_suffix('"')?.to_owned();
    let name = |part: &String| Some(part.split_once('=')?.0.trim().to_owned());
    Some(Call {
        key,
        args: parts[1..].iter().filter_map(name).collect(),
    })
}

/// The comma-separated parts of a macro call up to its closing bracket; strings and inner brackets
/// are passed over.
fn top_level_parts(body: &str) -> Vec<String> {
    let (mut parts, mut depth, mut in_string, mut escaped) = (vec![String::new()], 0, false, false);
    for letter in body.chars() {
        match letter {
            '"' if !escaped => in_string = !in_string,
            '(' | '[' | '{' if !in_string => depth += 1,
            ')' | ']' | '}' if !in_string && depth == 0 => break,
            ')' | ']' | '}' if !in_string => depth -= 1,
            ',' if !in_string && depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        escaped = in_string && letter == '\\' && !escaped;
        parts.last_mut().unwrap().push(letter);
    }
    parts
}

fn all_calls() -> Vec<(PathBuf, Call)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for name in ["service", "server", "dsb"] {
        let folder = crates.join(name).join("src");
        if folder.is_dir() {
            sources(&folder, &mut files);
        }
    }
    let ours = Path::new("messages").join("tests.rs");
    let files = files.into_iter().filter(|path| !path.ends_with(&ours));
    files
        .flat_map(|path| {
            let found = calls(&std::fs::read_to_string(&path).unwrap());
            found.into_iter().map(move |call| (path.clone(), call))
        })
        .collect()
}

#[test]
fn both_catalogues_say_the_same_things() {
    let (en, zh) = (catalogue(EN), catalogue(ZH));
    assert_eq!(en.keys().collect::<Vec<_>>(), zh.keys().collect::<Vec<_>>());
    for (key, sentence) in &en {
        assert_eq!(placeholders(sentence), placeholders(zh[key]), "placeholders of {key}");
    }
}

#[test]
fn every_text_in_the_sources_has_a_sentence_with_its_arguments() {
    let en = catalogue(EN);
    let mut wrong = Vec::new();
    for (path, call) in all_calls() {
        let wanted = en.get(call.key.as_str()).map(|sentence| placeholders(sentence));
        let given: BTreeSet<&str> = call.args.iter().map(String::as_str).collect();
        if wanted.as_ref() != Some(&given) {
            wrong.push(format!(
                "{}: {} wants {wanted:?}, has {given:?}",
                path.display(),
                call.key
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn no_sentence_is_left_without_a_use() {
    let used: BTreeSet<String> = all_calls().into_iter().map(|(_, call)| call.key).collect();
    let unused: Vec<_> = catalogue(EN).into_keys().filter(|key| !used.contains(*key)).collect();
    assert!(unused.is_empty(), "{unused:?}");
}

#[test]
fn the_scanner_sees_calls_as_the_compiler_does() {
    let source = r#"
        // text!("a.comment", x = 1)
        let a = text!("a.one");
        let b = crate::text!(
            "a.two", name = f(x, "),"), reason = text!("a.inner", deep = [1, 2]),
        );
        mytext!("a.other");
    "#;
    let call = |key: &str, args: &[&str]| Call {
        key: key.to_owned(),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
    };
    let expected = [
        call("a.one", &[]),
        call("a.two", &["name", "reason"]),
        call("a.inner", &["deep"]),
    ];
    assert_eq!(calls(source), expected);
}

#[test]
fn every_sentence_can_be_rendered_in_every_language() {
    for language in Language::ALL {
        for (key, sentence) in catalogue(if language == Language::En { EN } else { ZH }) {
            let unescaped: String = serde_json::from_str(&format!("\"{sentence}\"")).unwrap();
            assert_eq!(catalogue::template(language.tag(), key), Some(unescaped));
        }
    }
}

#[test]
fn nested_texts_take_the_language_of_the_outer_one() {
    let inner = Text::new(
        "config.unknown_key",
        vec![("key", Arg::Plain("a".into())), ("source", Arg::Plain("b".into()))],
    );
    let outer = Text::new(
        "config.unreadable_file",
        vec![("source", "%{reason}".into_arg()), ("reason", inner.into_arg())],
    );
    let english = outer.render(Language::En);
    assert!(english.starts_with("%{reason} could not be read"), "{english}");
    assert!(
        english.ends_with("a (b) is not a known key and was ignored."),
        "{english}"
    );
    assert!(outer.render(Language::ZhCn).contains("不是已知的配置项"));
    assert_eq!(Text::new("no.such", vec![]).render(Language::En), "no.such");
}

#[test]
fn accept_language_is_weighed() {
    let of = |header| Language::from_accept_language(Some(header), Language::En);
    assert_eq!(of("zh-CN,zh;q=0.9,en;q=0.8"), Language::ZhCn);
    assert_eq!(of("en;q=0.2, zh-TW;q=0.7"), Language::ZhCn);
    assert_eq!(of("zh;q=0, en"), Language::En);
    assert_eq!(of("fr, zh;q=0.1"), Language::ZhCn);
    assert_eq!(of("zh;q=abc"), Language::En);
    assert_eq!(of("*"), Language::En);
    assert_eq!(Language::from_accept_language(None, Language::ZhCn), Language::ZhCn);
    assert_eq!(
        Language::from_accept_language(Some("fr"), Language::ZhCn),
        Language::ZhCn
    );
}

proptest! {
    #[test]
    fn filling_without_placeholders_changes_nothing(text in "[^%]{0,60}") {
        prop_assert_eq!(fill(&text, |_| Some("x".into())), text);
    }

    #[test]
    fn values_are_never_scanned_again(value in ".{0,30}") {
        prop_assert_eq!(fill("<%{a}|%{a}>", |_| Some(value.clone())), format!("<{value}|{value}>"));
    }

    #[test]
    fn any_header_is_survived(header in ".{0,60}") {
        Language::from_accept_language(Some(&header), Language::En);
    }
}
