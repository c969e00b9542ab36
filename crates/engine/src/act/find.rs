//! Elements found by what a person knows of them: their text, or their role and name. Invariant: nothing is waited for,
//! and what does not exist is told at once.

use cdp::protocol::accessibility::{AxNode, QueryAxTree};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::target::{Named, Target};
use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::evaluate::plain;
use crate::frames::Frame;
use crate::tab::Tab;

/// Matches of a role that are looked at, to find one that can be seen.
const SCANNED: usize = 40;

/// How an element was chosen by its text.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct TextChoice {
    /// Innermost elements that contain the text.
    pub candidates: u64,
    /// The chosen element says just that.
    pub exact: bool,
    /// It, or what holds it, can be clicked.
    pub clickable: bool,
    /// Length of its text.
    pub length: u64,
    visible: bool,
    r#ref: Option<u32>,
    doc: String,
}

/// How an element was chosen by its role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoleChoice {
    /// Elements of that role and name, in all frames.
    pub matched: usize,
    /// The chosen one can be seen.
    pub visible: bool,
}

/// What came of scrolling to a text.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct TextSeen {
    /// It is in the page and can be seen.
    pub found: bool,
    /// It is in the page, but nothing of it is shown.
    pub hidden: bool,
    /// The page had to be scrolled.
    pub scrolled: bool,
    /// It is in view now.
    pub seen: bool,
    /// The element that says it.
    pub target: Option<Map<String, Value>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Adopted {
    visible: bool,
    r#ref: Option<u32>,
    doc: String,
}

impl Tab {
    /// The best element for a visible text, in the main frame, else in the other frames.
    ///
    /// # Errors
    /// `ELEMENT_NOT_FOUND` when no frame shows the text.
    pub async fn find_by_text(&self, text: &str, deadline: Deadline) -> Result<(Target, TextChoice)> {
        let mut hidden = None;
        for (frame, _) in self.frames() {
            // A frame that cannot be asked has no say in what the others show.
            let asked = self
                .script::<TextChoice>(&frame, "findText", &json!({"text": text}), deadline)
                .await;
            let choice = match asked {
                Ok(choice) => choice,
                Err(error) if frame.parent.is_none() => return Err(error),
                Err(_) => continue,
            };
            let Some(local) = choice.r#ref else { continue };
            let target = Target::Element(Named {
                frame: frame.id.clone(),
                doc: choice.doc.clone(),
                local: local.into(),
            });
            if choice.visible {
                return Ok((target, choice));
            }
            hidden = hidden.or(Some((target, choice)));
        }
        hidden.ok_or_else(|| not_found("text-not-found", json!({"text": text})))
    }

    /// Brings the first element that shows a text into view.
    ///
    /// # Errors
    /// `ELEMENT_NOT_FOUND` when no frame shows it.
    pub async fn scroll_to_text(&self, text: &str, deadline: Deadline) -> Result<TextSeen> {
        let mut hidden = false;
        for (frame, _) in self.frames() {
            let asked = self
                .script::<TextSeen>(&frame, "scrollToText", &json!({"text": text}), deadline)
                .await;
            match asked {
                Ok(seen) if seen.found => return Ok(seen),
                Ok(seen) => hidden |= seen.hidden,
                Err(error) if frame.parent.is_none() => return Err(error),
                Err(_) => {}
            }
        }
        Err(not_found("text-not-found", json!({"text": text, "hidden": hidden})))
    }

    /// The first element of that ARIA role that can be seen and whose accessible name contains `name` (any case), by the
    /// browser's own accessibility tree.
    ///
    /// # Errors
    /// `ELEMENT_NOT_FOUND` when no frame has one.
    pub async fn find_by_role(
        &self,
        role: &str,
        name: Option<&str>,
        deadline: Deadline,
    ) -> Result<(Target, RoleChoice)> {
        let (mut matched, mut first, mut names) = (0, None, Vec::new());
        for (frame, _) in self.frames() {
            let nodes = match self.nodes_of_role(&frame, role, deadline).await {
                Ok(nodes) => nodes,
                Err(error) if frame.parent.is_none() => return Err(error),
                Err(_) => continue,
            };
            let fitting: Vec<&AxNode> = nodes.iter().filter(|node| fits(node, name, &mut names)).collect();
            matched += fitting.len();
            for node in fitting.into_iter().take(SCANNED) {
                let Some((target, visible)) = self.adopt_node(&frame, node, deadline).await else {
                    continue;
                };
                if visible {
                    return Ok((target, RoleChoice { matched, visible }));
                }
                first = first.or(Some(target));
            }
        }
        let target =
            first.ok_or_else(|| not_found("role-not-found", json!({"role": role, "name": name, "names": names})))?;
        Ok((
            target,
            RoleChoice {
                matched,
                visible: false,
            },
        ))
    }

    fn frames(&self) -> Vec<(Frame, usize)> {
        self.state().frames.ordered()
    }

    async fn nodes_of_role(&self, frame: &Frame, role: &str, deadline: Deadline) -> Result<Vec<AxNode>> {
        let documents = self.handles(frame, "documents", &Value::Null, deadline).await?;
        let document = documents.ids.iter().flatten().next().cloned();
        let query = QueryAxTree {
            object_id: document,
            // The browser's own word for it.
            role: Some(if role == "img" { "image" } else { role }.to_owned()),
            ..Default::default()
        };
        let reply = self.call_on(&frame.session, query, deadline).await;
        self.let_go(frame, documents);
        Ok(reply?.nodes.into_iter().filter(|node| !node.ignored).collect())
    }

    /// An element of the tree as a target; `None` for one of another document.
    async fn adopt_node(&self, frame: &Frame, node: &AxNode, deadline: Deadline) -> Option<(Target, bool)> {
        let object = self
            .node_in_world(frame, node.backend_dom_node_id?, deadline)
            .await
            .ok()?;
        let adopted = self
            .script_on::<Adopted>(&frame.session, &object, "adopt", &json!({}), deadline)
            .await;
        self.release(&frame.session, &object);
        let adopted = adopted.ok()?;
        let found = Named {
            frame: frame.id.clone(),
            doc: adopted.doc,
            local: adopted.r#ref?.into(),
        };
        Some((Target::Element(found), adopted.visible))
    }
}

/// True when the node's name contains the wanted one; some of the names that do not are kept for the message.
fn fits(node: &AxNode, wanted: Option<&str>, names: &mut Vec<String>) -> bool {
    let Some(wanted) = wanted else { return true };
    let name = node
        .name
        .as_ref()
        .and_then(|name| name.value.as_deref())
        .and_then(plain::<String>);
    let name = name.unwrap_or_default();
    if fold(&name).contains(&fold(wanted)) {
        return true;
    }
    if names.len() < 10 && !name.is_empty() {
        names.push(name.chars().take(80).collect());
    }
    false
}

fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn not_found(reason: &str, facts: Value) -> EngineError {
    EngineError::refused("ELEMENT_NOT_FOUND", reason, facts)
}
