//! Which frames are read, and which part of each. Frames that nobody can see are left out with the reason; a frame that
//! shows in part is read in part.

use futures_util::future::join_all;
use serde_json::json;

use super::{FrameRead, StateOptions};
use crate::affine::{Affine, Rect};
use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::geometry::Place;
use crate::state::{FrameOwner, PageSnapshot, Viewport};
use crate::tab::Tab;

/// Frames that are read at most.
const MAX_FRAMES: usize = 30;
/// Depth of frames that are read at most.
const MAX_DEPTH: usize = 5;

/// A frame, and what is to become of it.
pub(super) struct Planned {
    pub(super) frame: Frame,
    pub(super) read: FrameRead,
    /// What the frame that holds it knows of its element.
    pub(super) owner: Option<FrameOwner>,
    /// The part of its viewport that is read; `None` for all of it.
    pub(super) clip: Option<[f64; 4]>,
    /// From its viewport to the tab's.
    pub(super) map: Affine,
    /// It could not even be found.
    pub(super) failed: Option<EngineError>,
}

enum Found {
    Main(Viewport),
    Placed(Box<Place>),
    OwnerOnly(FrameOwner),
    Lost(EngineError),
}

impl Tab {
    /// The frames of the tab, each after the one that holds it.
    pub(super) async fn plan(&self, options: &StateOptions, deadline: Deadline) -> Result<Vec<Planned>> {
        let main = self.main_frame()?;
        let ordered = self.state().frames.ordered();
        let mut planned: Vec<Planned> = Vec::with_capacity(ordered.len());
        for (at, (frame, depth)) in ordered.into_iter().enumerate() {
            let holder = planned
                .iter()
                .find(|holder| Some(&holder.frame.id) == frame.parent.as_ref());
            let skipped = holder
                .and_then(|holder| holder.read.skipped)
                .or_else(|| left_out(&frame, &main, at, depth, options));
            planned.push(Planned::new(frame, depth, skipped));
        }
        let deadline = deadline.within(super::FRAME_PATIENCE);
        let found = join_all(planned.iter().map(|one| self.look_for(one, &planned, deadline))).await;
        self.settle(&mut planned, found, options.expansion);
        Ok(planned)
    }

    async fn look_for(&self, one: &Planned, all: &[Planned], deadline: Deadline) -> Found {
        let holder = all
            .iter()
            .find(|holder| Some(&holder.frame.id) == one.frame.parent.as_ref());
        let Some(holder) = holder.map(|holder| &holder.frame) else {
            return self.look_for_main(one, all.len() > 1, deadline).await;
        };
        if one.read.skipped.is_some() {
            return match self.frame_element(&one.frame, holder, deadline).await {
                Ok((element, owner)) => {
                    self.release(&holder.session, &element);
                    Found::OwnerOnly(owner)
                }
                Err(error) => Found::Lost(error),
            };
        }
        match self.place(&one.frame, holder, deadline).await {
            Ok(place) => {
                self.release(&holder.session, &place.element);
                Found::Placed(Box::new(place))
            }
            Err(error) => Found::Lost(error),
        }
    }

    /// The size of the main viewport matters only to frames below it.
    async fn look_for_main(&self, main: &Planned, has_frames: bool, deadline: Deadline) -> Found {
        if !has_frames {
            return Found::Main(Viewport::default());
        }
        match self.script(&main.frame, "frameSize", &json!({}), deadline).await {
            Ok(size) => Found::Main(size),
            Err(error) => Found::Lost(error),
        }
    }

    /// Turns places into what is read of each frame, from the outside in.
    fn settle(&self, planned: &mut [Planned], found: Vec<Found>, expansion: i64) {
        let mut shown: Vec<Option<Rect>> = Vec::with_capacity(planned.len());
        let mut places: Vec<Option<Box<Place>>> = Vec::with_capacity(planned.len());
        for (at, found) in found.into_iter().enumerate() {
            let (before, rest) = planned.split_at_mut(at);
            let Some(one) = rest.first_mut() else { break };
            let holder = before
                .iter()
                .position(|holder| Some(&holder.frame.id) == one.frame.parent.as_ref());
            let (place, area) = match (found, holder) {
                (Found::Placed(place), Some(holder)) if before[holder].read.skipped.is_some() => {
                    one.read.skipped = before[holder].read.skipped;
                    one.owner = Some(place.owner.clone());
                    (Some(place), None)
                }
                (Found::Placed(place), Some(holder)) => {
                    let above = places[holder]
                        .as_deref()
                        .filter(|_| !self.starts_session(&before[holder].frame));
                    let area = one.fit(&place, above, before[holder].map, shown[holder], expansion);
                    (Some(place), area)
                }
                (Found::OwnerOnly(owner), _) => {
                    one.owner = Some(owner);
                    (None, None)
                }
                (Found::Lost(error), _) => {
                    one.failed = Some(error);
                    (None, None)
                }
                (Found::Main(size), _) => {
                    let area = viewport_range(size.width, size.height, expansion);
                    (None, (expansion >= 0).then_some(area))
                }
                (Found::Placed(_), None) => (None, None),
            };
            places.push(place);
            shown.push(area);
        }
    }
}

impl Planned {
    fn new(frame: Frame, depth: usize, skipped: Option<&'static str>) -> Self {
        let read = FrameRead {
            depth,
            url: frame.url.clone(),
            name: frame.name.clone(),
            skipped,
            ..FrameRead::default()
        };
        Self {
            frame,
            read,
            owner: None,
            clip: None,
            map: Affine::IDENTITY,
            failed: None,
        }
    }

    /// Takes up the frame's place. `above` is the place of its holder within the same process, `outer` the map from the
    /// holder to the tab, `shown` the part of the holder that shows. Returns the part of this frame that shows.
    fn fit(
        &mut self,
        place: &Place,
        above: Option<&Place>,
        outer: Affine,
        shown: Option<Rect>,
        expansion: i64,
    ) -> Option<Rect> {
        self.owner = Some(place.owner.clone());
        let hidden = skip_reason(&place.owner.hidden);
        let map = place.map_to_holder(above);
        let back = map.and_then(Affine::inverse);
        let (Some(map), Some(back), None) = (map, back, hidden) else {
            self.read.skipped = self.read.skipped.or(hidden).or(Some("zero-size"));
            return None;
        };
        self.map = map.then(outer);
        if expansion < 0 {
            return None;
        }
        let own = viewport_range(place.size.width, place.size.height, expansion);
        let part = match shown {
            Some(shown) => own.shared(back.bounds(shown)),
            None => Some(own),
        };
        match part {
            Some(part) => self.clip = Some([part.left, part.top, part.right, part.bottom]),
            None => self.read.skipped = self.read.skipped.or(Some("outside-viewport")),
        }
        part
    }
}

#[allow(
    clippy::cast_precision_loss,
    reason = "pixels around a viewport, bounded by the command"
)]
fn viewport_range(width: f64, height: f64, expansion: i64) -> Rect {
    let around = expansion as f64;
    Rect {
        left: -around,
        top: -around,
        right: width + around,
        bottom: height + around,
    }
}

/// Why a frame is not even looked for.
fn left_out(frame: &Frame, main: &Frame, at: usize, depth: usize, options: &StateOptions) -> Option<&'static str> {
    let foreign = frame.session.id() != main.session.id() || !same_origin(frame, main);
    match frame {
        _ if at == 0 => None,
        _ if foreign && !options.include_frames => Some("cross-origin"),
        _ if depth > MAX_DEPTH => Some("too-deep"),
        _ if at >= MAX_FRAMES => Some("too-many"),
        _ => None,
    }
}

/// A document without an address of its own (`about:blank`, `srcdoc`) belongs to the page that made it.
fn same_origin(frame: &Frame, main: &Frame) -> bool {
    frame.origin == main.origin || frame.url.starts_with("about:")
}

/// The page script's word for what cannot be seen, as one of ours.
fn skip_reason(hidden: &str) -> Option<&'static str> {
    ["zero-size", "hidden", "inert", "covered"]
        .into_iter()
        .find(|known| *known == hidden)
}

/// With a selector, frames whose elements lie outside of its match are left out.
pub(super) fn leave_out_others(planned: &mut [Planned], main: &PageSnapshot, options: &StateOptions) {
    if options.selector.is_none() {
        return;
    }
    let main_id = planned.first().map(|main| main.frame.id.clone());
    let mut out: Vec<String> = Vec::new();
    for one in planned.iter_mut().skip(1) {
        let inside = one
            .owner
            .as_ref()
            .is_some_and(|owner| main.frames.iter().any(|known| known.local == owner.local));
        let child_of_main = one.frame.parent == main_id;
        let below = one.frame.parent.as_ref().is_some_and(|parent| out.contains(parent));
        if below || (child_of_main && !inside) {
            one.read.skipped = one.read.skipped.or(Some("outside-selector"));
            out.push(one.frame.id.clone());
        }
    }
}
