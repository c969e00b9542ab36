//! Finding a control in the indexed text of a page, as an agent does: by the line that carries its name.
//!
//! Invariant: an index comes from the text that was read and from nowhere else; a name that fits no line, or two, is
//! an error that lists what there is.

use std::fmt;

/// One line of a page's text that begins with an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Control {
    /// The number to act with.
    pub index: u64,
    /// Element name.
    pub tag: String,
    /// Attributes in the order printed.
    pub attributes: Vec<(String, String)>,
    /// The element's text; empty when it has none.
    pub text: String,
}

impl Control {
    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    fn is_called(&self, name: &str) -> bool {
        self.text == name
            || ["label", "aria-label", "placeholder"]
                .iter()
                .any(|key| self.attribute(key) == Some(name))
    }
}

impl fmt::Display for Control {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.attribute("label").unwrap_or(&self.text);
        write!(out, "[{}]<{}> {name}", self.index, self.tag)
    }
}

/// The one control of an element kind with a name.
///
/// # Errors
/// The sentence for the user.
pub fn find(text: &str, tag: &str, name: &str) -> Result<Control, String> {
    let all = controls(text);
    let mut fitting = all
        .iter()
        .filter(|control| control.tag == tag && control.is_called(name));
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => Ok(only.clone()),
        (Some(_), Some(_)) => Err(format!("the page has more than one {tag} named {name:?}")),
        (None, _) => {
            let offered: Vec<_> = all.iter().map(Control::to_string).collect();
            Err(format!(
                "the page has no {tag} named {name:?}; it has: {}",
                offered.join(", ")
            ))
        }
    }
}

/// Every line with an index, in the order of the page.
pub fn controls(text: &str) -> Vec<Control> {
    text.lines().filter_map(control).collect()
}

fn control(line: &str) -> Option<Control> {
    let line = line.trim_start_matches('\t');
    let numbered = line.strip_prefix('*').unwrap_or(line).strip_prefix('[')?;
    let (index, rest) = numbered.split_once("]<")?;
    let (tag, mut rest) = rest.split_once(' ')?;
    let mut attributes = Vec::new();
    while let Some((name, value, after)) = attribute(rest) {
        attributes.push((name.to_owned(), unescape(value)));
        rest = after;
    }
    let text = match rest.strip_prefix('>') {
        Some(text) => text.strip_suffix("/>")?,
        None => rest.strip_prefix("/>").map(|_| "")?,
    };
    Some(Control {
        index: index.parse().ok()?,
        tag: tag.to_owned(),
        attributes,
        text: text.to_owned(),
    })
}

fn attribute(text: &str) -> Option<(&str, &str, &str)> {
    let text = text.trim_start_matches(' ');
    let (name, rest) = text.split_once("='")?;
    if name.contains(['>', '/', ' ']) {
        return None;
    }
    let (value, after) = rest.split_once('\'')?;
    Some((name, value, after))
}

fn unescape(value: &str) -> String {
    value
        .replace("&#39;", "'")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "Orders\n[0]<button aria-expanded='false'>New order/>\n\t[3]<input type='text' value='it&#39;s \
                        &lt;b&gt;' label='Customer' required='true'/>\n\t*[7]<select value=''>Choose… Assam/>\n\
                        <button disabled='true'>New order/>\n[9]<a >a='b' > c/>\n[10]<a />\nplain [4]<button >x/>";

    #[test]
    fn reads_indexed_lines_and_no_others() {
        let read = controls(PAGE);
        assert_eq!(
            read.iter().map(|control| control.index).collect::<Vec<_>>(),
            [0, 3, 7, 9, 10]
        );
        assert_eq!(read[1].attribute("value"), Some("it's <b>"));
        assert_eq!((read[3].text.as_str(), read[3].attributes.len()), ("a='b' > c", 0));
        assert_eq!(read[4].text, "");
    }

    #[test]
    fn finds_by_text_or_label_and_says_what_there_is() {
        assert_eq!(find(PAGE, "button", "New order").unwrap().index, 0);
        assert_eq!(find(PAGE, "input", "Customer").unwrap().index, 3);
        let error = find(PAGE, "button", "Customer").unwrap_err();
        assert!(error.contains("[3]<input> Customer"), "{error}");
        let twice = "[0]<a >x/>\n[1]<a >x/>";
        assert!(find(twice, "a", "x").unwrap_err().contains("more than one"));
    }
}
