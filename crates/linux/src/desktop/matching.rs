//! Which X window an accessible window is. Nothing on the bus says so, hence this rule, applied
//! to the windows of one process:
//!
//! 1. Windows with the same title at the same place are the same window, where exactly one on each
//!    side is like that.
//! 2. Of those that are left, so are windows with the same title, which nothing is no title for,
//! 3. then windows at the same place, as far as the toolkit knows places,
//! 4. then windows of the same size.
//! 5. then, of windows that do not know their place, the one that has the focus.
//! 6. If then exactly one is left on each side, they are the same.
//!
//! Whatever is still open is not matched: without exactly one candidate there is none.

use agent_desktop_model::geometry::Rect;

use crate::{
    atspi::{dialect::Coordinates, placement::whole_scale},
    x11,
};

/// An accessible window, as far as matching is concerned.
#[derive(Clone, Debug)]
pub(super) struct Candidate<'a> {
    pub(super) pid: u32,
    pub(super) title: &'a str,
    /// Where its toolkit says it is.
    pub(super) extents: Option<Rect>,
    /// What that is counted from.
    pub(super) coordinates: Coordinates,
    /// Whether its toolkit says that it has the focus.
    pub(super) active: bool,
}

/// For each of `windows`, the index of its X window. `focused` is the X window with the focus.
pub(super) fn matched(
    windows: &[Candidate<'_>],
    shown: &[x11::Window],
    focused: Option<u32>,
) -> Vec<Option<usize>> {
    let mut found = vec![None; windows.len()];
    // Where GTK 3.24.38 names an untitled window, its accessible has the name and the X window of a
    // message none, or the other way round.
    let by_title = |window: &Candidate<'_>, shown: &x11::Window| {
        !window.title.is_empty() && window.title == shown.title
    };
    let by_place = |window: &Candidate<'_>, shown: &x11::Window| {
        let told = window.coordinates != Coordinates::Inside;
        told && [shown.bounds, shown.outer].into_iter().any(|area| {
            window.extents.is_some_and(|own| is_near(own, area) && is_as_large(own, area))
        })
    };
    let by_size = |window: &Candidate<'_>, shown: &x11::Window| {
        [shown.bounds, shown.outer, shown.inner]
            .into_iter()
            .any(|area| window.extents.is_some_and(|own| is_as_large(own, area)))
    };
    pair(windows, shown, &mut found, |window, x| window.title == x.title && by_place(window, x));
    pair(windows, shown, &mut found, by_title);
    pair(windows, shown, &mut found, by_place);
    pair(windows, shown, &mut found, by_size);
    // Only GTK 4 does not know places, and it is right about the focus.
    pair(windows, shown, &mut found, |window, x| {
        let placeless = window.coordinates == Coordinates::Inside;
        placeless && window.active && Some(x.xid) == focused
    });
    pair(windows, shown, &mut found, |_, _| true);
    found
}

/// Whether both have the same corner, where `own` may count units of several pixels.
fn is_near(own: Rect, area: Rect) -> bool {
    let scale = whole_scale(area.width, own.width);
    is_about(own.x, area.x, scale) && is_about(own.y, area.y, scale)
}

/// Whether both have the same size, where `own` may count units of several pixels.
fn is_as_large(own: Rect, area: Rect) -> bool {
    let scale = whole_scale(area.width, own.width);
    is_about(own.width, area.width, scale) && is_about(own.height, area.height, scale)
}

fn is_about(units: i32, pixels: i32, scale: i32) -> bool {
    let (units, pixels, scale) = (i64::from(units), i64::from(pixels), i64::from(scale));
    (units * scale - pixels).abs() <= scale
}

/// Matches those that are alike and have no match yet, where each is the only one for the other.
fn pair(
    windows: &[Candidate<'_>],
    shown: &[x11::Window],
    found: &mut [Option<usize>],
    alike: impl Fn(&Candidate<'_>, &x11::Window) -> bool,
) {
    let alike = |window: &Candidate<'_>, shown: &x11::Window| {
        shown.pid == Some(window.pid) && alike(window, shown)
    };
    let free = (0..shown.len()).filter(|at| !found.contains(&Some(*at))).collect::<Vec<_>>();
    let open = (0..windows.len()).filter(|at| found.get(*at) == Some(&None)).collect::<Vec<_>>();
    let fits = |window: &usize, x: &usize| {
        windows.get(*window).zip(shown.get(*x)).is_some_and(|(window, shown)| alike(window, shown))
    };
    for window in &open {
        let mut mine = free.iter().filter(|x| fits(window, x));
        let (Some(only), None) = (mine.next(), mine.next()) else { continue };
        if open.iter().filter(|other| fits(other, only)).count() == 1
            && let Some(slot) = found.get_mut(*window)
        {
            *slot = Some(*only);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: i32, width: i32) -> Rect {
        Rect { x, y: 0, width, height: 100 }
    }

    fn accessible(pid: u32, title: &'static str, extents: Rect) -> Candidate<'static> {
        let coordinates = Coordinates::Screen;
        Candidate { pid, title, extents: Some(extents), coordinates, active: false }
    }

    fn shown(pid: u32, title: &str, bounds: Rect) -> x11::Window {
        let title = title.to_owned();
        let (outer, inner, xid) = (bounds, bounds, bounds.x.unsigned_abs());
        x11::Window {
            xid,
            pid: Some(pid),
            title,
            class: Vec::new(),
            bounds,
            outer,
            inner,
            visible: true,
            minimized: false,
            maximized: false,
            modal: false,
        }
    }

    fn matched(windows: &[Candidate<'_>], shown: &[x11::Window]) -> Vec<Option<usize>> {
        super::matched(windows, shown, None)
    }

    #[test]
    fn the_title_decides_and_then_the_size() {
        let windows = [(1, "a", at(0, 10)), (1, "", at(0, 20)), (1, "", at(0, 30))].map(
            |(pid, title, at)| Candidate {
                coordinates: Coordinates::Inside,
                ..accessible(pid, title, at)
            },
        );
        let x = [shown(1, "c", at(5, 30)), shown(1, "a", at(5, 30)), shown(1, "b", at(5, 20))];
        assert_eq!(matched(&windows, &x), [Some(1), Some(2), Some(0)]);
    }

    #[test]
    fn no_title_is_no_title() {
        let windows = [accessible(1, "", at(0, 90)), accessible(1, "Information", at(20, 30))];
        let x = [shown(1, "", at(20, 30)), shown(1, "factory", at(0, 90))];
        assert_eq!(matched(&windows, &x), [Some(1), Some(0)]);
    }

    #[test]
    fn twins_at_different_places_are_told_apart_in_any_scale() {
        let twins = [accessible(1, "a", at(40, 50)), accessible(1, "a", at(90, 50))];
        let x = [shown(1, "a", at(90, 50)), shown(1, "a", at(40, 50))];
        assert_eq!(matched(&twins, &x), [Some(1), Some(0)]);
        let twice = |rect: Rect| Rect { y: 0, x: rect.x * 2 + 1, width: 100, height: 200 };
        let x = [shown(1, "a", twice(at(90, 50))), shown(1, "a", twice(at(40, 50)))];
        assert_eq!(matched(&twins, &x), [Some(1), Some(0)]);
    }

    #[test]
    fn of_twins_that_know_no_place_the_one_with_the_focus_is_known_and_so_the_last_one() {
        let mut twins = [accessible(1, "a", at(0, 50)), accessible(1, "a", at(0, 50))];
        for twin in &mut twins {
            twin.coordinates = Coordinates::Inside;
        }
        let x = [shown(1, "a", at(90, 50)), shown(1, "a", at(40, 50))];
        assert_eq!(super::matched(&twins, &x, Some(40)), [None, None]);
        twins[0].active = true;
        assert_eq!(super::matched(&twins, &x, Some(40)), [Some(1), Some(0)]);
        assert_eq!(super::matched(&twins, &x, Some(7)), [None, None]);
    }

    #[test]
    fn the_only_windows_of_a_process_are_the_same_whatever_they_are_called() {
        let window = accessible(1, "", at(0, 10));
        assert_eq!(matched(&[window], &[shown(1, "a", at(5, 20))]), [Some(0)]);
    }

    #[test]
    fn twins_are_not_told_apart_by_guessing() {
        let twin = || accessible(1, "a", at(0, 10));
        let other = || shown(1, "a", at(0, 10));
        assert_eq!(matched(&[twin(), twin()], &[other(), other()]), [None, None]);
        assert_eq!(matched(&[twin(), twin()], &[other()]), [None, None]);
        let one = [accessible(1, "b", at(0, 20))];
        assert_eq!(matched(&one, &[other(), other()]), [None]);
    }

    #[test]
    fn another_process_is_never_meant() {
        let x = [shown(2, "a", at(0, 10))];
        assert_eq!(matched(&[accessible(1, "a", at(0, 10))], &x), [None]);
    }
}
