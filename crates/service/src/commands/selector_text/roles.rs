//! The roles of WAI-ARIA 1.2 (and `suggestion`, `mark` of 1.3) that an element can be asked for by.

use crate::failure::Failure;
use crate::text;

const ROLES: [&str; 84] = [
    "alert",
    "alertdialog",
    "application",
    "article",
    "banner",
    "blockquote",
    "button",
    "caption",
    "cell",
    "checkbox",
    "code",
    "columnheader",
    "combobox",
    "complementary",
    "contentinfo",
    "definition",
    "deletion",
    "dialog",
    "directory",
    "document",
    "emphasis",
    "feed",
    "figure",
    "form",
    "generic",
    "grid",
    "gridcell",
    "group",
    "heading",
    "img",
    "insertion",
    "link",
    "list",
    "listbox",
    "listitem",
    "log",
    "main",
    "mark",
    "marquee",
    "math",
    "menu",
    "menubar",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "meter",
    "navigation",
    "none",
    "note",
    "option",
    "paragraph",
    "presentation",
    "progressbar",
    "radio",
    "radiogroup",
    "region",
    "row",
    "rowgroup",
    "rowheader",
    "scrollbar",
    "search",
    "searchbox",
    "separator",
    "slider",
    "spinbutton",
    "status",
    "strong",
    "subscript",
    "suggestion",
    "superscript",
    "switch",
    "tab",
    "table",
    "tablist",
    "tabpanel",
    "term",
    "textbox",
    "time",
    "timer",
    "toolbar",
    "tooltip",
    "tree",
    "treegrid",
    "treeitem",
];

/// The role in the spelling of the standard.
pub(super) fn known_role(given: &str) -> Result<&'static str, Failure> {
    let wanted = given.trim().to_ascii_lowercase();
    let wanted = if wanted == "image" { "img" } else { wanted.as_str() };
    if let Some(role) = ROLES.into_iter().find(|role| *role == wanted) {
        return Ok(role);
    }
    Err(Failure::invalid(text!(
        "action.unknown_role",
        given = given,
        known = ROLES.join(", ")
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_known_in_any_case_and_others_refused() {
        assert_eq!(known_role(" Button ").unwrap(), "button");
        assert_eq!(known_role("image").unwrap(), "img");
        assert!(known_role("buton").is_err() && known_role("").is_err());
        assert!(ROLES.is_sorted());
    }
}
