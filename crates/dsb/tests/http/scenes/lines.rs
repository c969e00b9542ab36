//! What an agent makes of a line with an index: which kind of control it is, and what it is called.

/// An indexed line, taken apart.
#[derive(Debug)]
pub struct ControlLine {
    tag: String,
    attributes: Vec<(String, String)>,
    text: String,
}

/// Attributes that name a control.
const NAMING: [&str; 6] = ["label", "aria-label", "title", "alt", "placeholder", "value"];

impl ControlLine {
    /// `None` for a line without an index.
    pub fn parse(line: &str) -> Option<Self> {
        let rest = line.trim_start_matches('\t');
        let rest = rest.strip_prefix('*').unwrap_or(rest).strip_prefix('[')?;
        let (index, rest) = rest.split_once("]<")?;
        index.parse::<u32>().ok()?;
        let (tag, mut rest) = rest.split_once(' ')?;
        let mut attributes = Vec::new();
        while let Some((name, after)) = rest.split_once("='").filter(|(name, _)| !name.contains(['>', '/'])) {
            let (value, after) = after.split_once('\'')?;
            attributes.push((name.trim().to_owned(), unescape(value)));
            rest = after;
        }
        let text = rest.strip_suffix("/>")?;
        Some(Self {
            tag: tag.to_owned(),
            attributes,
            text: text.strip_prefix('>').unwrap_or_default().to_owned(),
        })
    }

    /// Whether it is the control that a truth list calls `kind: name`.
    pub fn is(&self, control: &str) -> bool {
        let (kind, name) = control.split_once(": ").expect("a control is `kind: name`");
        self.has_name(name) && self.kinds().contains(&kind)
    }

    /// Whether the line itself says this name; "" for a control that the page gives no name.
    pub fn has_name(&self, name: &str) -> bool {
        let named = self.attributes.iter().filter(|(key, _)| self.names(key));
        if name.is_empty() {
            return self.text.is_empty() && named.count() == 0;
        }
        self.text == name || named.into_iter().any(|(_, value)| value == name)
    }

    // A value names a button; that of a field is what stands in it.
    fn names(&self, key: &str) -> bool {
        NAMING.contains(&key) && (key != "value" || matches!(self.attribute("type"), "submit" | "reset" | "button"))
    }

    fn attribute(&self, name: &str) -> &str {
        let found = self.attributes.iter().find(|(key, _)| key == name);
        found.map_or("", |(_, value)| value)
    }

    /// The kinds that the line can be taken for: by role, else by type, else by tag.
    fn kinds(&self) -> &'static [&'static str] {
        match (self.attribute("role"), self.attribute("type"), self.tag.as_str()) {
            ("button", ..) => &["button"],
            ("link", ..) => &["link"],
            ("tab", ..) => &["tab"],
            ("menuitem" | "menuitemcheckbox" | "menuitemradio", ..) => &["menuitem"],
            ("treeitem", ..) => &["treeitem"],
            ("option", ..) => &["option"],
            ("slider", ..) | (_, "range", _) => &["slider"],
            ("switch", ..) => &["switch"],
            ("checkbox", ..) | (_, "checkbox", _) => &["checkbox", "switch"],
            ("radio", ..) | (_, "radio", _) => &["radio"],
            ("combobox", ..) => &["choice", "field"],
            ("textbox" | "searchbox" | "spinbutton", ..) => &["field"],
            (_, "file", _) => &["file"],
            (_, "submit" | "reset" | "button" | "image", _) | (_, _, "button") => &["button"],
            (_, _, "input" | "textarea") => &["field"],
            (_, _, "select") => &["choice"],
            (_, _, "a" | "area") => &["link"],
            (_, _, "option") => &["option"],
            (_, _, "summary") => &["summary"],
            (_, _, "th") => &["column"],
            (_, _, "td") => &["day"],
            (_, _, "label") => &[],
            _ if self.attribute("editable") == "true" => &["field"],
            // What a page makes clickable without saying what it is.
            _ => &["area", "button", "option", "choice", "checkbox", "sorter", "item"],
        }
    }
}

fn unescape(value: &str) -> String {
    let plain = value.replace("&lt;", "<").replace("&gt;", ">").replace("&#39;", "'");
    plain.replace("&amp;", "&")
}

#[test]
fn lines_are_taken_apart() {
    let line =
        ControlLine::parse("\t*[12]<input type='checkbox' checked='false' label='It&#39;s &lt;on&gt;'/>").unwrap();
    assert!(line.is("checkbox: It's <on>") && !line.is("radio: It's <on>") && !line.is("checkbox: It's"));
    let line = ControlLine::parse("[3]<button title='T'>a='b' > c/>").unwrap();
    assert!(line.is("button: a='b' > c") && line.is("button: T") && !line.has_name("c"));
    assert!(ControlLine::parse("[0]<input value='x'/>").unwrap().is("field: "));
    for plain in ["[draft] <a >", "<button >x/>", "Text", "\\[5]<button >x/>"] {
        assert!(ControlLine::parse(plain).is_none(), "{plain}");
    }
}
