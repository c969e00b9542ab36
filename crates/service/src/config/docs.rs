//! The table of keys as people read it.

use std::fmt::Write;

use super::key::{Key, keys};

/// The reference document of all keys, generated; a copy in the tree is held against it by a test.
pub fn markdown() -> String {
    let mut out = String::from(
        "# Configuration\n\n\
         Generated from the declarations in the service; edits here are lost.\n\n\
         Priority, high to low: `--key=value` on the command line, environment variable, `app.properties` and \
         then `browser.properties` in the working directory, default. Property files are UTF-8, one `key=value` a \
         line, `#` begins a comment. In paths `~` is the home directory, and what is relative starts at the working \
         directory. A value that is not valid is warned about at start and the default is used.\n",
    );
    let mut area = "";
    for key in keys() {
        if key.area() != area {
            area = key.area();
            // Writing to a String cannot fail.
            let _ = write!(
                out,
                "\n## {area}\n\n| Key | Default | Values | Meaning |\n| --- | --- | --- | --- |\n"
            );
        }
        let _ = writeln!(
            out,
            "| `{}`<br>`{}` | {} | {} | {} |",
            key.name,
            key.env_name(),
            shown_default(key, "–", "`"),
            values(key),
            meaning(key).replace('|', "\\|"),
        );
    }
    out
}

/// The list of keys for `--help`: one key and its default a line, its meaning below.
pub fn help() -> String {
    let mut out = String::new();
    for key in keys() {
        let _ = writeln!(
            out,
            "  --{}={}\n          {}",
            key.name,
            shown_default(key, "", ""),
            meaning(key)
        );
    }
    out
}

fn shown_default(key: &Key, none: &str, quote: &str) -> String {
    if key.default.is_empty() {
        none.to_owned()
    } else {
        format!("{quote}{}{quote}", key.default)
    }
}

fn values(key: &Key) -> String {
    match key.bounds {
        Some((low, high)) => format!("{} from {low} to {high}", key.kind),
        None => key.kind.to_owned(),
    }
}

fn meaning(key: &Key) -> String {
    match key.alias {
        Some(alias) => format!("{} `{alias}` is read when this key is set nowhere.", key.doc()),
        None => key.doc().to_owned(),
    }
}
