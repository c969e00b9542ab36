//! The frames of a tab. A frame is keyed by its frame id, which stays when it moves between processes; the session that
//! reaches it is an attribute.

use std::collections::HashMap;

use cdp::Session;

/// One frame.
#[derive(Debug, Clone)]
pub struct Frame {
    /// Protocol id; for an out-of-process frame also its target id.
    pub id: String,
    /// Frame that holds it; `None` for the main frame.
    pub parent: Option<String>,
    /// Address of its document.
    pub url: String,
    /// `name` of the frame element or window.
    pub name: String,
    /// Loader of its document; a new value means a new document.
    pub loader_id: String,
    /// Security origin of its document.
    pub origin: String,
    /// Address that could not be reached, when the document is the browser's error page.
    pub unreachable: Option<String>,
    /// Session that its document lives in.
    pub session: Session,
    /// Order of arrival, for siblings.
    pub born: u64,
}

/// All frames of a tab.
#[derive(Debug, Default)]
pub struct FrameTree {
    frames: HashMap<String, Frame>,
    main: Option<String>,
    births: u64,
    /// Ids in the order in which a reading last numbered them, the main frame first; empty for a new main document.
    numbered: Vec<String>,
}

impl FrameTree {
    /// The main frame, once known.
    #[must_use]
    pub fn main(&self) -> Option<&Frame> {
        self.frames.get(self.main.as_deref()?)
    }

    /// Looks a frame up.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Frame> {
        self.frames.get(id)
    }

    /// True for the main frame's id.
    #[must_use]
    pub fn is_main(&self, id: &str) -> bool {
        self.main.as_deref() == Some(id)
    }

    /// The frame that `wanted` names: an ordinal of the frame list, else a part of an address or a name; the main frame
    /// when absent or empty.
    #[must_use]
    pub fn named(&self, wanted: Option<&str>) -> Option<Frame> {
        let Some(wanted) = wanted.map(str::trim).filter(|wanted| !wanted.is_empty()) else {
            return self.main().cloned();
        };
        let ordinal = wanted.parse::<usize>().ok();
        let found = self.by_number().into_iter().find(|(number, frame)| match ordinal {
            Some(ordinal) => *number == ordinal,
            None => frame.url.contains(wanted) || frame.name.contains(wanted),
        });
        found.map(|(_, frame)| frame)
    }

    /// A frame element appeared; its document follows.
    pub fn attach(&mut self, id: &str, parent: Option<&str>, session: &Session) {
        if self.frames.contains_key(id) {
            return;
        }
        self.births += 1;
        if parent.is_none() {
            self.main = Some(id.to_owned());
        }
        self.frames.insert(
            id.to_owned(),
            Frame {
                id: id.to_owned(),
                parent: parent.map(str::to_owned),
                url: String::from("about:blank"),
                name: String::new(),
                loader_id: String::new(),
                origin: String::new(),
                unreachable: None,
                session: session.clone(),
                born: self.births,
            },
        );
    }

    /// A document was committed in a frame (known or new).
    pub fn commit(&mut self, frame: &cdp::protocol::page::Frame, session: &Session) {
        self.attach(&frame.id, frame.parent_id.as_deref(), session);
        if let Some(known) = self.frames.get_mut(&frame.id) {
            known.url = format!("{}{}", frame.url, frame.url_fragment.as_deref().unwrap_or_default());
            known.name = frame.name.clone().unwrap_or_default();
            known.loader_id.clone_from(&frame.loader_id);
            known.origin = frame.security_origin.clone();
            known.unreachable.clone_from(&frame.unreachable_url);
            known.session = session.clone();
        }
        if self.is_main(&frame.id) {
            self.numbered.clear();
        }
        // Children of the old document are gone with it; the browser announces each, but not before their contexts go.
        self.remove_children(&frame.id);
    }

    /// The document of a frame changed its address without being replaced.
    pub fn rename(&mut self, id: &str, url: &str) {
        if let Some(frame) = self.frames.get_mut(id) {
            url.clone_into(&mut frame.url);
        }
    }

    /// A frame moved to another process: same frame, other session.
    pub fn move_to(&mut self, id: &str, session: &Session) {
        if let Some(frame) = self.frames.get_mut(id) {
            frame.session = session.clone();
        }
    }

    /// A frame element was removed, with everything below it.
    pub fn detach(&mut self, id: &str) {
        self.remove_children(id);
        self.frames.remove(id);
    }

    fn remove_children(&mut self, parent: &str) {
        let below: Vec<String> = self
            .frames
            .values()
            .filter(|frame| frame.parent.as_deref() == Some(parent))
            .map(|frame| frame.id.clone())
            .collect();
        for id in below {
            self.detach(&id);
        }
    }

    /// Frames in depth-first order, the main frame first, each with its depth.
    #[must_use]
    pub fn ordered(&self) -> Vec<(Frame, usize)> {
        let mut out = Vec::with_capacity(self.frames.len());
        if let Some(main) = self.main() {
            self.walk(main, 0, &mut out);
        }
        out
    }

    /// Takes up the order in which a reading has numbered the frames.
    pub fn number(&mut self, ids: Vec<String>) {
        self.numbered = ids;
    }

    /// Frames with the number that callers know them by. A frame keeps the number of the last reading, also when one
    /// before it goes; frames that came since follow.
    #[must_use]
    pub fn by_number(&self) -> Vec<(usize, Frame)> {
        let known = |id: &str| self.numbered.iter().position(|numbered| numbered == id);
        let mut next = self.numbered.len();
        let number = |(frame, _depth): (Frame, usize)| {
            let number = known(&frame.id).unwrap_or_else(|| {
                next += 1;
                next - 1
            });
            (number, frame)
        };
        let mut out: Vec<(usize, Frame)> = self.ordered().into_iter().map(number).collect();
        out.sort_by_key(|(number, _)| *number);
        out
    }

    /// A frame and those that hold it, innermost first; `None` when one of them is gone.
    #[must_use]
    pub fn chain(&self, id: &str) -> Option<Vec<Frame>> {
        let mut chain = vec![self.frames.get(id)?.clone()];
        while let Some(parent) = chain.last().and_then(|frame| frame.parent.as_deref()) {
            chain.push(self.frames.get(parent)?.clone());
        }
        Some(chain)
    }

    fn walk(&self, frame: &Frame, depth: usize, out: &mut Vec<(Frame, usize)>) {
        out.push((frame.clone(), depth));
        let mut children: Vec<&Frame> = self
            .frames
            .values()
            .filter(|child| child.parent.as_deref() == Some(frame.id.as_str()))
            .collect();
        children.sort_by_key(|child| child.born);
        for child in children {
            self.walk(child, depth + 1, out);
        }
    }
}
