//! Maps between the coordinates of frames: shifts, scales, rotations and skews, as CSS can give them to a frame's
//! element. Pure arithmetic in CSS pixels.

use crate::geometry::Point;
use crate::state::ElementRecord;

/// An axis-parallel rectangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rect {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Rect {
    /// The part that two rectangles share; `None` when there is none.
    pub(crate) fn shared(self, other: Self) -> Option<Self> {
        let shared = Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        };
        (shared.right > shared.left && shared.bottom > shared.top).then_some(shared)
    }
}

/// `(x, y) → (a·x + c·y + e, b·x + d·y + f)`, as the six numbers of a CSS `matrix()`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Affine {
    a: f64,
    b: f64,
    c: f64,
    d: f64,
    e: f64,
    f: f64,
}

impl Affine {
    pub(crate) const IDENTITY: Self = Self {
        a: 1.0,
        b: 0.0,
        c: 0.0,
        d: 1.0,
        e: 0.0,
        f: 0.0,
    };

    /// The map of a box of `width` × `height` onto a quad given clockwise from the upper left corner (the protocol's
    /// `DOM.Quad`). `None` for a box without an area. Exact for every transform without perspective.
    pub(crate) fn onto_quad(width: f64, height: f64, quad: &[f64]) -> Option<Self> {
        let [x1, y1, x2, y2, _, _, x4, y4] = *quad else {
            return None;
        };
        (width > 0.0 && height > 0.0).then(|| Self {
            a: (x2 - x1) / width,
            b: (y2 - y1) / width,
            c: (x4 - x1) / height,
            d: (y4 - y1) / height,
            e: x1,
            f: y1,
        })
    }

    pub(crate) fn apply(self, point: Point) -> Point {
        Point {
            x: self.a.mul_add(point.x, self.c.mul_add(point.y, self.e)),
            y: self.b.mul_add(point.x, self.d.mul_add(point.y, self.f)),
        }
    }

    /// This map onto a plane of another unit: both coordinates times `factor`.
    pub(crate) fn scaled(self, factor: f64) -> Self {
        self.then(Self {
            a: factor,
            d: factor,
            ..Self::IDENTITY
        })
    }

    /// First this map, then `next`.
    pub(crate) fn then(self, next: Self) -> Self {
        let origin = next.apply(Point { x: self.e, y: self.f });
        Self {
            a: next.a * self.a + next.c * self.b,
            b: next.b * self.a + next.d * self.b,
            c: next.a * self.c + next.c * self.d,
            d: next.b * self.c + next.d * self.d,
            e: origin.x,
            f: origin.y,
        }
    }

    /// The way back; `None` for a map that flattens everything to a line or a point.
    pub(crate) fn inverse(self) -> Option<Self> {
        let determinant = self.a * self.d - self.b * self.c;
        if determinant.abs() < 1e-9 {
            return None;
        }
        let (a, b) = (self.d / determinant, -self.b / determinant);
        let (c, d) = (-self.c / determinant, self.a / determinant);
        Some(Self {
            a,
            b,
            c,
            d,
            e: -(a * self.e + c * self.f),
            f: -(b * self.e + d * self.f),
        })
    }

    /// The smallest upright rectangle around the image of a rectangle.
    pub(crate) fn bounds(self, rect: Rect) -> Rect {
        let corners = [
            (rect.left, rect.top),
            (rect.right, rect.top),
            (rect.right, rect.bottom),
            (rect.left, rect.bottom),
        ]
        .map(|(x, y)| self.apply(Point { x, y }));
        let fold = |of: fn(&Point) -> f64, pick: fn(f64, f64) -> f64, start| corners.iter().map(of).fold(start, pick);
        Rect {
            left: fold(|point| point.x, f64::min, f64::INFINITY),
            top: fold(|point| point.y, f64::min, f64::INFINITY),
            right: fold(|point| point.x, f64::max, f64::NEG_INFINITY),
            bottom: fold(|point| point.y, f64::max, f64::NEG_INFINITY),
        }
    }
}

impl ElementRecord {
    /// The record with its rectangle seen through a map: the smallest upright one around it, to a tenth of a pixel.
    pub(crate) fn through(mut self, map: Affine) -> Self {
        let [x, y, width, height] = self.rect;
        let seen = map.bounds(Rect {
            left: x,
            top: y,
            right: x + width,
            bottom: y + height,
        });
        let sides = [seen.left, seen.top, seen.right - seen.left, seen.bottom - seen.top];
        self.rect = sides.map(|side| (side * 10.0).round() / 10.0);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(a: Point, b: Point) -> bool {
        (a.x - b.x).abs() < 1e-3 && (a.y - b.y).abs() < 1e-3
    }

    #[test]
    fn maps_a_frame_onto_its_quad() {
        // 200 × 100 px of content shown twice as large at (10, 20).
        let quad = [10.0, 20.0, 410.0, 20.0, 410.0, 220.0, 10.0, 220.0];
        let map = Affine::onto_quad(200.0, 100.0, &quad).unwrap();
        assert_eq!(map.apply(Point { x: 50.0, y: 25.0 }), Point { x: 110.0, y: 70.0 });
        // A quarter turn: the upper left corner of the content is the upper right one of the quad.
        let turned = Affine::onto_quad(200.0, 100.0, &[100.0, 0.0, 100.0, 200.0, 0.0, 200.0, 0.0, 0.0]).unwrap();
        assert_eq!(turned.apply(Point { x: 200.0, y: 0.0 }), Point { x: 100.0, y: 200.0 });
        assert_eq!(Affine::onto_quad(0.0, 100.0, &quad), None);
        assert_eq!(Affine::onto_quad(1.0, 1.0, &quad[..6]), None);
    }

    #[test]
    fn a_flat_map_has_no_way_back() {
        let flat = Affine::onto_quad(10.0, 10.0, &[0.0, 0.0, 5.0, 0.0, 5.0, 0.0, 0.0, 0.0]).unwrap();
        assert_eq!(flat.inverse(), None);
    }

    fn any_map() -> impl Strategy<Value = Affine> {
        let part = || -4.0..4.0f64;
        let maps = (part(), part(), part(), part(), -900.0..900.0f64, -900.0..900.0f64);
        let steep = |(a, b, c, d, e, f)| Affine { a, b, c, d, e, f };
        maps.prop_map(steep)
            .prop_filter("has an area", |map| (map.a * map.d - map.b * map.c).abs() > 0.05)
    }

    proptest! {
        #[test]
        fn the_way_back_leads_back(map in any_map(), x in -900.0..900.0f64, y in -900.0..900.0f64) {
            let point = Point { x, y };
            prop_assert!(close(map.inverse().unwrap().apply(map.apply(point)), point));
            prop_assert!(close(map.then(map.inverse().unwrap()).apply(point), point));
        }

        #[test]
        fn maps_compose(first in any_map(), next in any_map(), x in -90.0..90.0f64, y in -90.0..90.0f64) {
            let point = Point { x, y };
            prop_assert!(close(first.then(next).apply(point), next.apply(first.apply(point))));
        }

        #[test]
        fn bounds_hold_every_inner_point(map in any_map(), u in 0.0..1.0f64, v in 0.0..1.0f64) {
            let bounds = map.bounds(Rect { left: 10.0, top: -5.0, right: 90.0, bottom: 45.0 });
            let inner = map.apply(Point { x: 10.0 + 80.0 * u, y: -5.0 + 50.0 * v });
            prop_assert!(inner.x >= bounds.left - 1e-6 && inner.x <= bounds.right + 1e-6);
            prop_assert!(inner.y >= bounds.top - 1e-6 && inner.y <= bounds.bottom + 1e-6);
        }
    }
}
