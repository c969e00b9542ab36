//! Compares the declarations of `cdp::protocol` with the published protocol: every name exists, every parameter that
//! the protocol requires is always sent, nothing is read as always there that may be missing, and a message with every
//! member that the protocol describes can be read.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test may panic")]

use cdp::protocol::NAMES;
use cdp::protocol::names::{Entry, Shape};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

struct Published {
    domains: BTreeMap<String, Value>,
}

impl Published {
    fn load() -> Self {
        let mut domains = BTreeMap::new();
        for text in [
            include_str!("protocol/browser_protocol.json"),
            include_str!("protocol/js_protocol.json"),
        ] {
            let mut file: Value = serde_json::from_str(text).unwrap();
            for domain in file["domains"].as_array_mut().unwrap() {
                domains.insert(domain["domain"].as_str().unwrap().to_owned(), domain.take());
            }
        }
        Self { domains }
    }

    fn item(&self, entry: &Entry) -> Option<&Value> {
        let (list, key) = match entry.kind {
            "command" => ("commands", "name"),
            "event" => ("events", "name"),
            _ => ("types", "id"),
        };
        let items = self.domains.get(entry.domain)?[list].as_array()?;
        items.iter().find(|item| item[key] == entry.name)
    }

    /// An object with all the members of `list`; below `depth` levels only with the required ones.
    fn sample_members(&self, domain: &str, list: &Value, depth: u32) -> Value {
        let members = list.as_array().into_iter().flatten();
        let wanted = members.filter(|member| depth > 0 || member["optional"] != true);
        let samples = wanted.map(|member| {
            let name = member["name"].as_str().unwrap().to_owned();
            (name, self.sample(domain, member, depth.saturating_sub(1)))
        });
        Value::Object(samples.collect::<Map<_, _>>())
    }

    /// A value of a published type. A number is a fraction, so that it does not fit an integer.
    fn sample(&self, domain: &str, described: &Value, depth: u32) -> Value {
        if let Some(reference) = described["$ref"].as_str() {
            let (domain, id) = reference.split_once('.').unwrap_or((domain, reference));
            let types = self.domains[domain]["types"].as_array().unwrap();
            let target = types.iter().find(|candidate| candidate["id"] == id).unwrap();
            return self.sample(domain, target, depth);
        }
        match described["type"].as_str().unwrap() {
            "string" | "binary" => json!("text"),
            "integer" => json!(-7),
            "number" => json!(1.5),
            "boolean" => json!(true),
            "array" if described["items"].is_object() => json!([self.sample(domain, &described["items"], depth)]),
            "array" => json!([]),
            "object" if described["properties"].is_array() => {
                self.sample_members(domain, &described["properties"], depth)
            }
            "object" => json!({ "member": "text" }),
            "any" => json!({ "any": [1, null] }),
            other => panic!("a new kind of type: {other}"),
        }
    }
}

/// Name and whether it is optional, of each member in a list of the published protocol.
fn members(list: &Value) -> BTreeMap<&str, bool> {
    let members = list.as_array().into_iter().flatten();
    members
        .map(|member| (member["name"].as_str().unwrap(), member["optional"] == true))
        .collect()
}

fn unknown_members(shape: &Shape, published: &BTreeMap<&str, bool>) -> Vec<String> {
    let unknown = shape.fields().iter().filter(|name| !published.contains_key(**name));
    unknown.map(|name| format!("{name} is not in the protocol")).collect()
}

fn required_but_left_out(shape: &Shape, published: &BTreeMap<&str, bool>) -> Vec<String> {
    let sent = shape.always_present();
    let required = published.iter().filter(|(_, optional)| !**optional);
    let missing = required.filter(|(name, _)| !sent.iter().any(|sent| sent == *name));
    missing
        .map(|(name, _)| format!("{name} is required but may be left out"))
        .collect()
}

fn read_but_optional(shape: &Shape, published: &BTreeMap<&str, bool>) -> Vec<String> {
    let read = shape
        .always_present()
        .into_iter()
        .filter(|name| published.get(&**name) == Some(&true));
    read.map(|name| format!("{name} is optional but read as always there"))
        .collect()
}

/// Members with types that do not fit.
fn unreadable(published: &Published, domain: &str, shape: &Shape, list: &Value) -> Option<String> {
    let sample = published.sample_members(domain, list, 4);
    shape.read(&sample).err().map(|error| format!("{error} in {sample}"))
}

fn complaints(published: &Published, entry: &Entry) -> Vec<String> {
    let path = format!("{}.{}", entry.domain, entry.name);
    let Some(item) = published.item(entry) else {
        return vec![format!("{path}: no such {}", entry.kind)];
    };
    let list = if entry.kind == "object" {
        "properties"
    } else {
        "parameters"
    };
    let own = members(&item[list]);
    let mut found = unknown_members(&entry.shape, &own);
    if entry.kind == "command" {
        found.extend(required_but_left_out(&entry.shape, &own));
    }
    found.extend(read_but_optional(&entry.shape, &own));
    found.extend(unreadable(published, entry.domain, &entry.shape, &item[list]));
    for reply in entry.reply {
        let returned = members(&item["returns"]);
        found.extend(unknown_members(reply, &returned));
        found.extend(read_but_optional(reply, &returned));
        found.extend(unreadable(published, entry.domain, reply, &item["returns"]));
    }
    found.into_iter().map(|text| format!("{path}: {text}")).collect()
}

#[test]
fn every_name_is_in_the_published_protocol() {
    let published = Published::load();
    let found: Vec<String> = NAMES
        .iter()
        .copied()
        .flatten()
        .flat_map(|entry| complaints(&published, entry))
        .collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn the_lists_hold_what_is_declared() {
    let count = |kind| {
        NAMES
            .iter()
            .copied()
            .flatten()
            .filter(|entry| entry.kind == kind)
            .count()
    };
    assert!(
        count("command") >= 90 && count("event") >= 35,
        "{} commands, {} events",
        count("command"),
        count("event")
    );
    let navigate = NAMES
        .iter()
        .copied()
        .flatten()
        .find(|entry| entry.name == "navigate")
        .unwrap();
    assert_eq!(
        navigate.shape.fields(),
        ["url", "referrer", "transitionType", "frameId", "referrerPolicy"]
    );
    assert_eq!(navigate.shape.always_present(), ["url"]);
    assert_eq!(
        navigate.reply[0].fields(),
        ["frameId", "loaderId", "errorText", "isDownload"]
    );
}

#[test]
fn a_wrong_name_would_be_found() {
    let published = Published::load();
    let navigate = NAMES
        .iter()
        .copied()
        .flatten()
        .find(|entry| entry.name == "navigate")
        .unwrap();
    let renamed = Entry {
        name: "navigateTo",
        ..*navigate
    };
    assert_eq!(complaints(&published, &renamed), ["Page.navigateTo: no such command"]);
    let reload = Entry {
        name: "reload",
        ..*navigate
    };
    assert!(complaints(&published, &reload).contains(&"Page.reload: url is not in the protocol".to_owned()));
}
