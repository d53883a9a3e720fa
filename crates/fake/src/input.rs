//! The pointer and the keys of a scripted desktop: what is in front takes clicks, what has the
//! focus takes keys. Windows that come later are in front, and the focused one is in front of all.

use std::time::Instant;

use agent_desktop_engine::platform::{
    Above, Arrived, Button, Click, Deadline, Drag, Failure, Handle, Input, Keyboard, Lease, Reach,
    Request, Turn, Under,
};
use agent_desktop_model::{
    chord::{self, Chord, Named},
    geometry::Point,
    state::State,
    tree::Address,
};

use crate::{
    Desktop,
    desktop::{Key, World},
    operate::Received,
};

pub(crate) struct Device<'a> {
    desktop: &'a Desktop,
    since: Instant,
}

impl Desktop {
    pub(crate) fn device(&self) -> Device<'_> {
        Device { desktop: self, since: Instant::now() }
    }
}

impl Device<'_> {
    /// Has what is at `at` receive what was done to it, and do what a click does.
    fn strike(&self, at: Point, what: String, activates: u32) {
        let mut world = self.desktop.world_mut();
        let Some(key) = world.innermost_at(at) else { return };
        let by = world.element(key).identity.clone();
        world.received.push(Received { by, request: what });
        for _ in 0..activates {
            let edits = world.effect(key, &Request::Activate);
            for edit in edits {
                let _ = world.apply(&edit);
            }
        }
    }

    fn with_focus(&self, what: String) -> Option<Key> {
        let mut world = self.desktop.world_mut();
        let focused = world.focused_element()?;
        let by = world.element(focused).identity.clone();
        world.received.push(Received { by, request: what });
        Some(focused)
    }
}

impl Input for Device<'_> {
    fn lease(&self) -> Lease {
        Lease { contention: 0, since: self.since }
    }

    fn under(&mut self, point: Point, _: Deadline) -> Result<Under, Failure> {
        let world = self.desktop.world();
        Ok(world.window_at(point).map_or(Under::Nothing, |key| Under::Window(Handle(key as u64))))
    }

    fn keyboard(&mut self, _: Deadline) -> Result<Keyboard, Failure> {
        let world = self.desktop.world();
        let window = world.focused_window().map(|key| Handle(key as u64));
        Ok(Keyboard { window, grabbed: world.limits.keys_taken, held: false })
    }

    fn point(&mut self, to: Point, _: Deadline) -> Result<(), Failure> {
        self.strike(to, "pointer".to_owned(), 0);
        Ok(())
    }

    fn click(&mut self, at: Point, click: Click, _: Deadline) -> Result<(), Failure> {
        let button = match click.button {
            Button::Left => "left",
            Button::Middle => "middle",
            Button::Right => "right",
        };
        let activates = if click.button == Button::Left { click.count } else { 0 };
        self.strike(at, format!("{button} click {}", click.count), activates);
        Ok(())
    }

    fn drag(&mut self, drag: Drag, _: Deadline) -> Result<(), Failure> {
        self.strike(drag.from, "drag from".to_owned(), 0);
        self.strike(drag.to, "drop".to_owned(), 0);
        Ok(())
    }

    fn wheel(&mut self, at: Point, turn: Turn, _: Deadline) -> Result<(), Failure> {
        self.strike(at, format!("wheel {},{}", turn.left, turn.up), 0);
        Ok(())
    }

    fn press(&mut self, keys: &Chord, _: Arrived<'_>, _: Deadline) -> Result<(), Failure> {
        let focused = self.with_focus(format!("press {keys}"));
        // The whole text is selected as soon as anything is.
        let mut world = self.desktop.world_mut();
        match (keys.key, focused) {
            (chord::Key::Named(Named::End), _) if keys.modifiers.shift => world.all_selected = true,
            (chord::Key::Named(Named::Delete), Some(focused)) if world.all_selected => {
                world.all_selected = false;
                world.element_mut(focused).face.value = Some(String::new());
            }
            _ => world.all_selected = false,
        }
        Ok(())
    }

    fn type_text(&mut self, text: &str, _: Arrived<'_>, _: Deadline) -> Result<(), Failure> {
        if let Some(focused) = self.with_focus(format!("type {text:?}")) {
            let mut world = self.desktop.world_mut();
            let face = &mut world.element_mut(focused).face;
            face.value = Some(format!("{}{text}", face.value.as_deref().unwrap_or_default()));
        }
        Ok(())
    }
}

impl World {
    /// What is in an element takes a click for it, and so does what it stands in.
    pub(crate) fn reach(&self, target: &Address, within: &[Above], point: Point) -> Reach {
        let Some(found) = self.innermost_at(point) else { return Reach::Clear };
        let is_target = |key: Key| self.address(key) == *target;
        let at = self.address(found);
        let is_inside = std::iter::successors(Some(found), |key| self.element(*key).parent);
        match is_inside.into_iter().any(is_target) || within.iter().any(|above| above.address == at)
        {
            true => Reach::Clear,
            false => Reach::Covered(at),
        }
    }

    fn focused_window(&self) -> Option<Key> {
        let mut all = self.apps.iter().flat_map(|app| app.windows.iter().copied());
        all.find(|key| self.element(*key).face.states.has(State::Focused))
    }

    /// The element that has the focus in the focused window; the window itself if none has.
    fn focused_element(&self) -> Option<Key> {
        let window = self.focused_window()?;
        let is_focused = |key: &Key| self.element(*key).face.states.has(State::Focused);
        Some(self.subtree(window).filter(is_focused).last().unwrap_or(window))
    }

    fn window_at(&self, point: Point) -> Option<Key> {
        let holds = |key: &Key| {
            let face = &self.element(*key).face;
            let shows = !face.minimized && !face.states.has(State::Hidden);
            shows && face.bounds.is_some_and(|bounds| bounds.holds(point))
        };
        let all = self.apps.iter().flat_map(|app| app.windows.iter().copied());
        let focused = self.focused_window().filter(holds);
        focused.or_else(|| all.rev().find(holds))
    }

    fn innermost_at(&self, point: Point) -> Option<Key> {
        let holds = |key: &Key| {
            let face = &self.element(*key).face;
            let shows = !face.states.has(State::Hidden);
            shows && face.bounds.is_some_and(|bounds| bounds.holds(point))
        };
        self.subtree(self.window_at(point)?).filter(holds).last()
    }
}
