//! From the coordinates that a toolkit speaks to pixels of the screen. Toolkits count in units of
//! their own where a scale is set, and each has another idea of where it counts from; what the X
//! server knows of the window settles both.

use agent_desktop_model::{
    geometry::{Point, Rect},
    tree::Address,
};

use super::dialect::Coordinates;

/// How the coordinates of the elements in one window become pixels of the screen.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Placement {
    Screen(Placed),
    /// There is no common screen: coordinates stay the window's.
    Window,
    /// Not known, so that nothing can be said.
    Unknown,
}

/// A window whose place on the screen is known.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Placed {
    pub(crate) view: View,
    /// The window itself and its bounds; a toolkit may count its frame or its shadow in.
    pub(crate) window: Option<(Address, Rect)>,
    /// What LibreOffice's own elements lack, in the toolkit's units.
    pub(crate) shift: (i32, i32),
}

/// Where `from` in the toolkit's coordinates is `to` on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    from: (i32, i32),
    to: (i32, i32),
    scale: f64,
}

/// What the X server knows of a window, in pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Area {
    /// The X window that the application made.
    pub(crate) client: Rect,
    /// With the frame that the window manager draws around it.
    pub(crate) outer: Rect,
    /// Without the shadow that the application draws itself.
    pub(crate) inner: Rect,
}

impl View {
    /// Coordinates that are pixels of the screen already.
    pub(crate) const IDENTITY: Self = Self::scaled(1.0);

    /// Coordinates of the whole screen in units of `scale` pixels.
    pub(crate) const fn scaled(scale: f64) -> Self {
        Self { from: (0, 0), to: (0, 0), scale }
    }

    /// The view of a window that its toolkit says is at `own`.
    pub(crate) fn of(coordinates: Coordinates, own: Rect, area: Area) -> Self {
        let Area { client, outer, inner } = area;
        match coordinates {
            Coordinates::Screen => {
                let scale = whole_scale(outer.width, own.width);
                // Toolkits take the whole units before the corner.
                let units = |pixels: i32| pixels / scale;
                let from = (units(client.x), units(client.y));
                Self { from, to: (client.x, client.y), scale: scale.into() }
            }
            Coordinates::Own => Self {
                from: (own.x, own.y),
                to: (client.x, client.y),
                scale: scale(client.width, own.width),
            },
            Coordinates::Inside => {
                let scale = whole_scale(inner.width, own.width);
                let border = |pixels: i32, units: i32| (pixels - units.saturating_mul(scale)) / 2;
                let left = inner.x + border(inner.width, own.width);
                let top = inner.y + border(inner.height, own.height);
                Self { from: (own.x, own.y), to: (left, top), scale: scale.into() }
            }
        }
    }

    pub(crate) fn scale(&self) -> f64 {
        self.scale
    }

    /// A point of the screen in the toolkit's coordinates.
    pub(crate) fn off_screen(&self, point: Point) -> Point {
        let at = |pixels: i32, from: i32, to: i32| {
            ((f64::from(pixels) - f64::from(to)) / self.scale + f64::from(from)).floor() as i32
        };
        Point { x: at(point.x, self.from.0, self.to.0), y: at(point.y, self.from.1, self.to.1) }
    }

    pub(crate) fn on_screen(&self, rect: Rect) -> Rect {
        // Each side is rounded, so that neighbours stay neighbours.
        let at = |position: i32, from: i32, to: i32| {
            let pixels = (f64::from(position) - f64::from(from)) * self.scale;
            (pixels + f64::from(to)).round() as i32
        };
        let (x, y) = (at(rect.x, self.from.0, self.to.0), at(rect.y, self.from.1, self.to.1));
        let right = at(rect.x.saturating_add(rect.width), self.from.0, self.to.0);
        let bottom = at(rect.y.saturating_add(rect.height), self.from.1, self.to.1);
        Rect { x, y, width: right.saturating_sub(x), height: bottom.saturating_sub(y) }
    }
}

/// Pixels a unit where only whole numbers occur; a frame of some pixels does not matter.
pub(crate) fn whole_scale(pixels: i32, units: i32) -> i32 {
    (f64::from(pixels) / f64::from(units.max(1))).round().clamp(1.0, 16.0) as i32
}

/// Pixels a unit. Sizes in units are rounded, so that the fraction that people set is the one that
/// comes to the same size.
fn scale(pixels: i32, units: i32) -> f64 {
    if units <= 0 || pixels <= 0 {
        return 1.0;
    }
    let (pixels, units) = (f64::from(pixels), f64::from(units));
    let ratio = pixels / units;
    [1.0, 4.0, 5.0, 6.0, 8.0]
        .into_iter()
        .map(|parts| (ratio * parts).round() / parts)
        .find(|likely| (units - pixels / likely).abs() <= 1.0)
        .unwrap_or(ratio)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn rect(x: i32, y: i32, width: i32, height: i32) -> Rect {
        Rect { height, width, x, y }
    }

    /// Numbers of a window with a button, measured on Debian 12 under openbox: what the toolkit
    /// says of the window and of the button, what X says, and where the button was drawn.
    #[test]
    fn what_was_measured_is_where_it_was_drawn() {
        let framed = |x, y, width, height, left, top| {
            let outer = rect(x - left, y - top, width + 2 * left, height + top + 5 * left);
            let client = rect(x, y, width, height);
            Area { client, outer, inner: client }
        };
        let shadowed = |x, y, width, height, [left, right, top, bottom]: [i32; 4]| {
            let client = rect(x, y, width, height);
            let inner = rect(x + left, y + top, width - left - right, height - top - bottom);
            Area { client, outer: client, inner }
        };
        use Coordinates::{Inside, Own, Screen};
        let cases = [
            // GTK 3.24.38, framed by the manager, at scale 1 and 2.
            (Screen, rect(809, 417, 302, 245), framed(810, 437, 300, 220, 1, 20), 1),
            (Screen, rect(329, 153, 302, 233), framed(660, 327, 600, 440, 1, 20), 2),
            // The same with a header bar and a shadow of its own.
            (Screen, rect(304, 110, 352, 320), shadowed(608, 221, 704, 638, [52, 52, 46, 58]), 2),
            // GTK 4.8.3 with a header bar: a plain border, then shadows.
            (Inside, rect(0, 0, 359, 266), shadowed(775, 402, 369, 276, [0; 4]), 1),
            (Inside, rect(0, 0, 361, 267), shadowed(765, 392, 389, 296, [14, 14, 12, 17]), 1),
            (Inside, rect(0, 0, 361, 267), shadowed(571, 244, 778, 592, [28, 28, 24, 34]), 2),
            // Qt 6.4.2.
            (Own, rect(330, 164, 300, 220), framed(660, 327, 600, 440, 1, 20), 2),
        ];
        let buttons = [
            (rect(898, 524, 123, 21), rect(898, 524, 123, 21)),
            (rect(449, 163, 61, 33), rect(898, 327, 122, 66)),
            (rect(449, 180, 61, 33), rect(898, 361, 122, 66)),
            (rect(149, 46, 61, 33), rect(929, 453, 61, 33)),
            (rect(150, 47, 61, 33), rect(929, 451, 61, 33)),
            (rect(150, 47, 61, 33), rect(899, 362, 122, 66)),
            (rect(341, 180, 61, 33), rect(682, 359, 122, 66)),
        ];
        for ((coordinates, own, area, scale), (said, drawn)) in cases.into_iter().zip(buttons) {
            let view = View::of(coordinates, own, area);
            assert_eq!(view.scale(), f64::from(scale), "{area:?}");
            assert_eq!(view.on_screen(said), drawn, "{area:?}");
        }
    }

    #[test]
    fn scales_are_those_that_people_set() {
        for (pixels, units, expected) in [
            (375, 300, 1.25),
            (1575, 1050, 1.5),
            (1001, 572, 1.75),
            (300, 300, 1.0),
            (330, 300, 1.1),
        ] {
            assert!((scale(pixels, units) - expected).abs() < 1e-9, "{pixels} of {units}");
        }
        assert_eq!((scale(0, 10), scale(10, 0), whole_scale(5, 0)), (1.0, 1.0, 5));
    }
}
