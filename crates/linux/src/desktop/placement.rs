//! Where the elements of a window are on the screen: what is asked for it. What follows from the
//! answers is in [`crate::atspi::placement`].

use agent_desktop_engine::platform::{Above, Deadline};
use agent_desktop_model::{role::Role, tree::Address};

use super::{Linux, windows::Described};
use crate::{
    atspi::{
        calls,
        dialect::{Coordinates, Dialect},
        placement::{Area, Placed, Placement, View},
        roles,
    },
    bus::Bus,
    x11,
};

/// How far up a window is looked for.
const HIGHEST: usize = 200;

/// How far below a window LibreOffice's own drawing begins.
const DEEPEST_PANE: usize = 4;

impl Linux {
    /// How to place what is in the same window as `inner`.
    pub(super) fn placement(
        &self,
        bus: &Bus,
        inner: &Address,
        dialect: &Dialect,
        deadline: Deadline,
    ) -> Placement {
        if self.environment.display.is_none() {
            return Placement::Window;
        }
        let around = |top: Top| Some((self.windows_around(&top.window, deadline).ok()?, top));
        let met = self.tops.borrow().get(inner).cloned();
        let known = met.and_then(around).or_else(|| {
            let top = climb(bus, inner, deadline)?;
            self.tops.borrow_mut().insert(inner.clone(), top.clone());
            around(top)
        });
        let Some((windows, top)) = known else {
            // What ran out of time is not known; a tree that leads to no window tells what it can.
            return match deadline.passed() || dialect.coordinates == Coordinates::Inside {
                true => Placement::Unknown,
                false => {
                    Placement::Screen(Placed { view: View::IDENTITY, window: None, shift: (0, 0) })
                }
            };
        };
        let view = |window: &Described| {
            Some(View::of(dialect.coordinates, window.own?, area(window.shown.as_ref()?)))
        };
        let this = windows.iter().find(|one| one.window.address.as_ref() == Some(&top.window));
        let view = match this.and_then(view) {
            _ if top.in_page && dialect.pages_in_pixels => View::IDENTITY,
            Some(view) => view,
            None if dialect.coordinates == Coordinates::Inside => return Placement::Unknown,
            // The window manager does not know menus; they have the scale of what they belong to.
            None => windows
                .iter()
                .find_map(view)
                .map_or(View::IDENTITY, |other| View::scaled(other.scale())),
        };
        let bounds = this.and_then(|this| Some(this.shown.as_ref()?.inner));
        let shift = match dialect.panes_misplaced {
            true => pane_shift(bus, &top.window, deadline).unwrap_or_default(),
            false => (0, 0),
        };
        Placement::Screen(Placed { view, window: bounds.map(|at| (top.window, at)), shift })
    }
}

fn area(window: &x11::Window) -> Area {
    Area { client: window.bounds, outer: window.outer, inner: window.inner }
}

/// The window that an element stands in.
#[derive(Clone)]
pub(super) struct Top {
    window: Address,
    /// Whether there is a page in between.
    in_page: bool,
}

impl Top {
    /// Where the element stands that has these ancestors, the nearest first.
    pub(super) fn of(within: &[Above]) -> Option<Self> {
        let in_page = within.iter().any(|above| above.role == Role::WebArea);
        Some(Self { window: within.last()?.address.clone(), in_page })
    }
}

fn climb(bus: &Bus, inner: &Address, deadline: Deadline) -> Option<Top> {
    let mut at = inner.clone();
    let mut in_page = false;
    for _ in 0..HIGHEST {
        let answers = bus.call_many(vec![calls::parent(&at), calls::role(&at)], deadline);
        let mut answers = answers.into_iter().map(Result::ok);
        let parent = calls::reference(&answers.next()??, &at.app)?;
        let role = answers.next()?.and_then(|reply| reply.decode::<u32>());
        in_page |= role == Some(roles::DOCUMENT_WEB);
        if &*parent.object == calls::ROOT {
            return Some(Top { window: at, in_page });
        }
        at = parent;
    }
    None
}

/// By how much what LibreOffice draws itself is off. Its outermost pane fills the widget that it
/// stands in, but says that it begins where the window does.
fn pane_shift(bus: &Bus, window: &Address, deadline: Deadline) -> Option<(i32, i32)> {
    let mut level = vec![window.clone()];
    for _ in 0..DEEPEST_PANE {
        let listed = bus.call_many(level.iter().map(calls::children).collect(), deadline);
        let pairs: Vec<(Address, Address)> = level
            .iter()
            .zip(listed)
            .filter_map(|(parent, reply)| {
                Some((parent, calls::references(&reply.ok()?, &parent.app)?))
            })
            .flat_map(|(parent, children)| {
                children.into_iter().map(|child| (parent.clone(), child))
            })
            .collect();
        let roles =
            bus.call_many(pairs.iter().map(|(_, child)| calls::role(child)).collect(), deadline);
        let is_pane = |answer: &crate::bus::Answer| {
            answer.as_ref().is_ok_and(|reply| reply.decode::<u32>() == Some(roles::ROOT_PANE))
        };
        if let Some((parent, pane)) = roles.iter().position(is_pane).and_then(|at| pairs.get(at)) {
            let questions = vec![calls::extents(parent), calls::extents(pane)];
            let places = bus.call_many(questions, deadline);
            let mut places = places.iter().map(|answer| calls::rectangle(answer.as_ref().ok()?));
            let (around, own) = (places.next()??, places.next()??);
            let same_size = (around.width, around.height) == (own.width, own.height);
            return same_size.then_some((around.x - own.x, around.y - own.y));
        }
        level = pairs.into_iter().map(|(_, child)| child).collect();
    }
    None
}
