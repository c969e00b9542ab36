//! From a point in a frame to the point in the tab: real input is given in coordinates of the main viewport, and a frame
//! can be covered by something that lies over it in a frame above.

use cdp::protocol::{dom, runtime};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::evaluate::plain;
use crate::frames::Frame;
use crate::script::argument;
use crate::tab::Tab;

/// A point in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// Maps a point of the frame's content to the document that holds the frame's element (`this`), and looks what is hit
/// there. Written without helpers because it runs as a function of its own.
const IN_PARENT: &str = r"function (x, y) {
  const box = this.getBoundingClientRect();
  const style = getComputedStyle(this);
  const scaleX = this.offsetWidth ? box.width / this.offsetWidth : 1;
  const scaleY = this.offsetHeight ? box.height / this.offsetHeight : 1;
  const point = {
    x: box.left + (this.clientLeft + parseFloat(style.paddingLeft) + x) * scaleX,
    y: box.top + (this.clientTop + parseFloat(style.paddingTop) + y) * scaleY,
  };
  let hit = this.getRootNode().elementFromPoint(point.x, point.y);
  const outside = point.x < 0 || point.y < 0 || point.x >= innerWidth || point.y >= innerHeight;
  if (hit === this || outside) return { point, outside };
  const text = (hit && (hit.innerText || '') || '').replace(/\s+/g, ' ').trim().slice(0, 80);
  const cover = hit ? { tag: hit.localName, id: hit.id, className: String(hit.className || '').slice(0, 80), text } : null;
  return { point, outside, cover };
}";

#[derive(Deserialize)]
struct InParent {
    point: Point,
    outside: bool,
    cover: Option<Map<String, Value>>,
}

impl Tab {
    /// The point of the tab's viewport that lies over `point` of `frame`.
    ///
    /// # Errors
    /// `ELEMENT_OBSCURED` when a frame above has something else there; [`EngineError::Navigating`] when a frame on the
    /// way is gone.
    pub(crate) async fn to_viewport(
        &self,
        frame: &Frame,
        point: Point,
        check: bool,
        deadline: Deadline,
    ) -> Result<Point> {
        let (mut frame, mut point) = (frame.clone(), point);
        while let Some(parent_id) = frame.parent.clone() {
            let parent = self
                .state()
                .frames
                .get(&parent_id)
                .cloned()
                .ok_or(EngineError::Navigating)?;
            let mapped = self.in_parent(&frame, &parent, point, deadline).await?;
            if check {
                refuse_covered(&mapped)?;
            }
            point = mapped.point;
            frame = parent;
        }
        Ok(point)
    }

    async fn in_parent(&self, frame: &Frame, parent: &Frame, point: Point, deadline: Deadline) -> Result<InParent> {
        let owner = dom::GetFrameOwner {
            frame_id: frame.id.clone(),
        };
        let (owner, world) = tokio::try_join!(
            self.call_on(&parent.session, owner, deadline),
            self.world(parent, deadline)
        )?;
        let resolve = dom::ResolveNode {
            backend_node_id: Some(owner.backend_node_id),
            execution_context_id: Some(world),
            ..Default::default()
        };
        let object_id = self.call_on(&parent.session, resolve, deadline).await?.object.object_id;

        let call = runtime::CallFunctionOn {
            function_declaration: IN_PARENT.into(),
            object_id: object_id.clone(),
            arguments: Some(vec![argument(&point.x)?, argument(&point.y)?]),
            return_by_value: Some(true),
            ..Default::default()
        };
        let reply = self.call_on(&parent.session, call, deadline).await?;
        if let Some(object_id) = object_id {
            parent.session.notify(runtime::ReleaseObject { object_id });
        }
        let mapped = reply.result.value.as_deref().and_then(plain);
        mapped.ok_or_else(|| EngineError::Protocol {
            method: "frame geometry".into(),
            message: "no answer".into(),
        })
    }
}

fn refuse_covered(mapped: &InParent) -> Result<()> {
    let mut facts = Map::new();
    let reason = match (&mapped.cover, mapped.outside) {
        (_, true) => "frame-outside-viewport",
        (Some(cover), false) => {
            facts.insert("coveredBy".into(), Value::Object(cover.clone()));
            "frame-covered"
        }
        (None, false) => return Ok(()),
    };
    Err(EngineError::Refused {
        code: "ELEMENT_OBSCURED".into(),
        reason: reason.into(),
        facts,
    })
}
