//! From a point in a frame to the point in the tab: real input is given in coordinates of the main viewport, and a frame
//! can be covered by something that lies over it in a frame above. The browser itself tells where a frame's content is
//! drawn, so borders, padding, zoom and transforms need no reckoning of ours.

use cdp::protocol::{dom, runtime};
use futures_util::future::try_join_all;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::affine::Affine;
use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::state::{FrameOwner, Viewport};
use crate::tab::Tab;

/// Looks after which a frame that other processes draw must stand still: they scroll by messages, not at once.
const STEADY_LOOKS: usize = 20;

/// A point in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// Where a frame lies in the frame that holds it.
#[derive(Debug)]
pub(crate) struct Place {
    /// What the frame that holds it knows of its element.
    pub(crate) owner: FrameOwner,
    /// Size of its viewport.
    pub(crate) size: Viewport,
    /// From its viewport to that of the outermost frame of the process that draws its element; `None` when nothing of
    /// it is drawn.
    map: Option<Affine>,
    /// Handle of its element, to be released.
    pub(crate) element: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Through {
    outside: bool,
    cover: Option<Map<String, Value>>,
    close_hint: Option<Value>,
    #[serde(default)]
    quiet: bool,
}

impl Place {
    /// From the frame's viewport to that of the frame that holds it, whose own place is `holder` unless it is the
    /// outermost of its process.
    pub(crate) fn map_to_holder(&self, holder: Option<&Self>) -> Option<Affine> {
        match holder {
            None => self.map,
            // The browser gives a quad in the unit of the document that the node is in, which is that of the process's
            // outermost frame times the zoom of every frame element on the way.
            Some(holder) => {
                let zoom = holder.owner.zoom.unwrap_or(1.0);
                Some(self.map?.scaled(zoom).then(holder.map?.inverse()?))
            }
        }
    }
}

impl Tab {
    /// The place of a frame.
    ///
    /// # Errors
    /// [`EngineError::Navigating`] when one of the two is gone.
    pub(crate) async fn place(&self, frame: &Frame, holder: &Frame, deadline: Deadline) -> Result<Place> {
        let backend = self.owner_node(frame, holder, deadline).await?;
        let no_args = json!({});
        let (element, quad, size) = tokio::try_join!(
            self.owner_facts(backend, holder, deadline),
            self.content_quad(backend, holder, deadline),
            self.script::<Viewport>(frame, "frameSize", &no_args, deadline),
        )?;
        let (element, owner) = element;
        let map = quad.and_then(|quad| Affine::onto_quad(size.width, size.height, &quad));
        Ok(Place {
            owner,
            size,
            map,
            element,
        })
    }

    /// Handle and facts of a frame's element in the document that holds it.
    pub(crate) async fn frame_element(
        &self,
        frame: &Frame,
        holder: &Frame,
        deadline: Deadline,
    ) -> Result<(String, FrameOwner)> {
        let backend = self.owner_node(frame, holder, deadline).await?;
        self.owner_facts(backend, holder, deadline).await
    }

    async fn owner_facts(&self, backend: i64, holder: &Frame, deadline: Deadline) -> Result<(String, FrameOwner)> {
        let element = self.node_in_world(holder, backend, deadline).await?;
        let owner = self
            .script_on(&holder.session, &element, "frameOwner", &json!({}), deadline)
            .await?;
        Ok((element, owner))
    }

    async fn owner_node(&self, frame: &Frame, holder: &Frame, deadline: Deadline) -> Result<i64> {
        let owner = dom::GetFrameOwner {
            frame_id: frame.id.clone(),
        };
        let reply = self.call_on(&holder.session, owner, deadline).await;
        // The browser does not know a frame that has just gone.
        let reply = reply.map_err(|error| match error {
            EngineError::Protocol { .. } => EngineError::Navigating,
            other => other,
        });
        Ok(reply?.backend_node_id)
    }

    /// The corners of the frame's content; `None` for an element that is not drawn.
    async fn content_quad(&self, backend: i64, holder: &Frame, deadline: Deadline) -> Result<Option<dom::Quad>> {
        let model = dom::GetBoxModel {
            backend_node_id: Some(backend),
            ..Default::default()
        };
        match self.call_on(&holder.session, model, deadline).await {
            Ok(reply) => Ok(Some(reply.model.content)),
            Err(EngineError::Protocol { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// From a frame's viewport to the tab's; `None` when nothing of the frame is drawn.
    ///
    /// # Errors
    /// [`EngineError::Navigating`] when a frame on the way is gone.
    pub(crate) async fn frame_map(&self, frame: &Frame, deadline: Deadline) -> Result<Option<Affine>> {
        let chain = self.state().frames.chain(&frame.id).ok_or(EngineError::Navigating)?;
        let places = try_join_all(chain.windows(2).map(|pair| self.place(&pair[0], &pair[1], deadline))).await?;
        let mut map = Some(Affine::IDENTITY);
        for (at, place) in places.iter().enumerate() {
            let above = places.get(at + 1).filter(|_| !self.starts_session(&chain[at + 1]));
            map = map.and_then(|map| Some(map.then(place.map_to_holder(above)?)));
            self.release(&chain[at + 1].session, &place.element);
        }
        Ok(map)
    }

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
        let chain = self.state().frames.chain(&frame.id).ok_or(EngineError::Navigating)?;
        let (Some(main), true) = (chain.last(), chain.len() > 1) else {
            return Ok(point);
        };
        let mut found = self.look_through(&chain, point, check, deadline).await;
        if chain.iter().all(|frame| frame.session.id() == main.session.id()) {
            if !is_outside(&found) {
                return found;
            }
            // What shows of a turned frame is only known by its bounds.
            self.reveal_frames(&chain, deadline).await?;
            self.script::<()>(main, "nextFrame", &json!({}), deadline).await?;
            return self.look_through(&chain, point, check, deadline).await;
        }
        for look in 0..STEADY_LOOKS {
            self.script::<()>(main, "nextFrame", &json!({}), deadline).await?;
            if look == STEADY_LOOKS / 2 && is_outside(&found) {
                self.reveal_frames(&chain, deadline).await?;
            }
            let again = self.look_through(&chain, point, check, deadline).await;
            if matches!((&found, &again), (Ok(before), Ok(now)) if before == now) {
                return again;
            }
            found = again;
        }
        found
    }

    async fn look_through(&self, chain: &[Frame], point: Point, check: bool, deadline: Deadline) -> Result<Point> {
        let places = try_join_all(chain.windows(2).map(|pair| self.place(&pair[0], &pair[1], deadline))).await?;
        let mut point = point;
        for (at, place) in places.iter().enumerate() {
            let holder = &chain[at + 1];
            let above = places.get(at + 1).filter(|_| !self.starts_session(holder));
            let map = place
                .map_to_holder(above)
                .ok_or_else(|| refusal("frame-hidden", None, None))?;
            point = map.apply(point);
            let seen = self.through(holder, &place.element, point, check, deadline).await;
            if let Some(refused) = seen? {
                return Err(refused);
            }
        }
        Ok(point)
    }

    /// Looks what a pointer would hit in `holder`, and lets the frame's element go.
    async fn through(
        &self,
        holder: &Frame,
        element: &str,
        point: Point,
        check: bool,
        deadline: Deadline,
    ) -> Result<Option<EngineError>> {
        let args = json!({"x": point.x, "y": point.y});
        let seen = match check {
            true => self
                .script_on::<Through>(&holder.session, element, "frameHit", &args, deadline)
                .await
                .map(Some),
            false => Ok(None),
        };
        self.release(&holder.session, element);
        Ok(match seen? {
            Some(Through { outside: true, .. }) => Some(refusal("frame-outside-viewport", None, None)),
            Some(Through {
                cover: Some(cover),
                close_hint,
                quiet,
                ..
            }) => {
                let mut refused = refusal("frame-covered", Some(cover), close_hint);
                if let EngineError::Refused { facts, .. } = &mut refused {
                    facts.insert("quiet".into(), quiet.into());
                }
                Some(self.index_close_hint(holder, refused))
            }
            _ => None,
        })
    }

    /// Lets the browser forget a handle.
    pub(crate) fn release(&self, session: &cdp::Session, object_id: &str) {
        session.notify(runtime::ReleaseObject {
            object_id: object_id.to_owned(),
        });
    }

    /// Brings the elements of the frames into view, outermost first.
    async fn reveal_frames(&self, chain: &[Frame], deadline: Deadline) -> Result<()> {
        for pair in chain.windows(2).rev() {
            let (element, _) = self.frame_element(&pair[0], &pair[1], deadline).await?;
            self.script_on::<()>(&pair[1].session, &element, "revealFrame", &json!({}), deadline)
                .await?;
            self.release(&pair[1].session, &element);
        }
        Ok(())
    }
}

fn is_outside(found: &Result<Point>) -> bool {
    matches!(found, Err(EngineError::Refused { reason, .. }) if reason == "frame-outside-viewport")
}

fn refusal(reason: &str, cover: Option<Map<String, Value>>, close_hint: Option<Value>) -> EngineError {
    let cover = cover.map(|cover| ("coveredBy".to_owned(), Value::Object(cover)));
    let close_hint = close_hint.map(|hint| ("closeHint".to_owned(), hint));
    EngineError::Refused {
        code: "ELEMENT_OBSCURED".into(),
        reason: reason.into(),
        facts: cover.into_iter().chain(close_hint).collect(),
    }
}
