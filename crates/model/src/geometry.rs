//! Rectangles in pixels.

use serde::{Deserialize, Serialize};

/// A rectangle in pixels. Whose pixels is said where one is handed over: in output they are
/// screen coordinates on X11 and window coordinates where a platform has no global ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rect {
    pub height: i32,
    pub width: i32,
    pub x: i32,
    pub y: i32,
}

/// A point in pixels, of the screen unless said otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    pub x: i32,
    pub y: i32,
}

impl Rect {
    /// Whether `point` is in it.
    pub fn holds(self, point: Point) -> bool {
        let within = |at: i32, start: i32, length: i32| {
            at >= start && i64::from(at) < i64::from(start) + i64::from(length)
        };
        within(point.x, self.x, self.width) && within(point.y, self.y, self.height)
    }

    /// The point in its middle.
    pub fn middle(self) -> Point {
        let half = |start: i32, length: i32| start.saturating_add(length / 2);
        Point { x: half(self.x, self.width), y: half(self.y, self.height) }
    }

    /// Whether the rectangle covers any pixel.
    pub fn has_area(self) -> bool {
        self.width > 0 && self.height > 0
    }

    /// What the two have in common; without area if that is nothing.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        let common = |start: i32, length: i32, other_start: i32, other_length: i32| {
            let from = start.max(other_start);
            let end = start.saturating_add(length).min(other_start.saturating_add(other_length));
            (from, end.saturating_sub(from).max(0))
        };
        let (x, width) = common(self.x, self.width, other.x, other.width);
        let (y, height) = common(self.y, self.height, other.y, other.height);
        Self { height, width, x, y }
    }

    /// Whether the two rectangles share a pixel.
    pub fn overlaps(self, other: Self) -> bool {
        let apart = |start: i32, length: i32, other_start: i32, other_length: i32| {
            i64::from(start) + i64::from(length) <= i64::from(other_start)
                || i64::from(other_start) + i64::from(other_length) <= i64::from(start)
        };
        self.has_area()
            && other.has_area()
            && !apart(self.x, self.width, other.x, other.width)
            && !apart(self.y, self.height, other.y, other.height)
    }
}
