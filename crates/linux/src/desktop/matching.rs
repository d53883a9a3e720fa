//! Which X window an accessible window is. Nothing on the bus says so, hence this rule, applied
//! to the windows of one process:
//!
//! 1. Windows with the same title are the same window, where exactly one on each side has it.
//! 2. Of those that are left, windows of the same size are, where exactly one on each side has it.
//! 3. If then exactly one is left on each side, they are the same.
//!
//! Whatever is still open is not matched: without exactly one candidate there is none.

use agent_desktop_model::geometry::Rect;

use crate::x11;

/// An accessible window, as far as matching is concerned.
#[derive(Clone, Debug)]
pub(super) struct Candidate<'a> {
    pub(super) pid: u32,
    pub(super) title: &'a str,
    pub(super) extents: Option<Rect>,
}

/// For each of `windows`, the index of its X window.
pub(super) fn matched(windows: &[Candidate<'_>], shown: &[x11::Window]) -> Vec<Option<usize>> {
    let mut found = vec![None; windows.len()];
    let by_title = |window: &Candidate<'_>, shown: &x11::Window| window.title == shown.title;
    let by_size = |window: &Candidate<'_>, shown: &x11::Window| {
        window.extents.is_some_and(|extents| {
            (extents.width, extents.height) == (shown.bounds.width, shown.bounds.height)
        })
    };
    pair(windows, shown, &mut found, by_title);
    pair(windows, shown, &mut found, by_size);
    pair(windows, shown, &mut found, |_, _| true);
    found
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

    fn at(width: i32) -> Rect {
        Rect { x: 0, y: 0, width, height: 100 }
    }

    fn accessible(pid: u32, title: &'static str, width: i32) -> Candidate<'static> {
        Candidate { pid, title, extents: Some(at(width)) }
    }

    fn shown(pid: u32, title: &str, width: i32) -> x11::Window {
        let (title, bounds) = (title.to_owned(), at(width));
        x11::Window { xid: 1, pid: Some(pid), title, bounds, visible: true }
    }

    #[test]
    fn the_title_decides_and_then_the_size() {
        let windows = [accessible(1, "a", 10), accessible(1, "", 20), accessible(1, "", 30)];
        let x = [shown(1, "c", 30), shown(1, "a", 30), shown(1, "b", 20)];
        assert_eq!(matched(&windows, &x), [Some(1), Some(2), Some(0)]);
    }

    #[test]
    fn the_only_windows_of_a_process_are_the_same_whatever_they_are_called() {
        assert_eq!(matched(&[accessible(1, "", 10)], &[shown(1, "a", 20)]), [Some(0)]);
    }

    #[test]
    fn twins_are_not_told_apart_by_guessing() {
        let twins = [accessible(1, "a", 10), accessible(1, "a", 10)];
        assert_eq!(matched(&twins, &[shown(1, "a", 10), shown(1, "a", 10)]), [None, None]);
        assert_eq!(matched(&twins, &[shown(1, "a", 10)]), [None, None]);
        let one = [accessible(1, "b", 20)];
        assert_eq!(matched(&one, &[shown(1, "a", 10), shown(1, "a", 10)]), [None]);
    }

    #[test]
    fn another_process_is_never_meant() {
        assert_eq!(matched(&[accessible(1, "a", 10)], &[shown(2, "a", 10)]), [None]);
    }
}
