//! Moving the pointer, its buttons and its wheel.

use std::time::{Duration, Instant};

use agent_desktop_engine::platform::{Button, Click, Deadline, Drag, Failure, Handle, Turn, Under};
use agent_desktop_model::{
    chord::Modifiers,
    geometry::{Point, Rect},
};
use x11rb::{
    connection::Connection,
    protocol::xproto::{
        BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ConnectionExt as _, KEY_PRESS_EVENT,
        KEY_RELEASE_EVENT, Keycode, MOTION_NOTIFY_EVENT,
    },
};

use super::{Device, Display, journal::Journal, keys};
use crate::x11::{lost, refused};

/// How far apart two steps of a drag are in time: a frame of the screen.
const STEP: Duration = Duration::from_millis(16);

/// A drag has at least so many steps: toolkits begin one only once the pointer has moved some way, and
/// tell what it is over only as it moves there.
const STEPS: u32 = 12;

/// How long the pointer may take to where it is sent, and how often it is asked for meanwhile.
const ARRIVAL: Duration = Duration::from_secs(1);
const AGAIN: Duration = Duration::from_millis(5);

const BETWEEN_CLICKS: Duration = Duration::from_millis(10);

const WHEEL_UP: u8 = 4;
const WHEEL_DOWN: u8 = 5;
const WHEEL_LEFT: u8 = 6;
const WHEEL_RIGHT: u8 = 7;

impl Display {
    /// The window that takes a click at `point`, where shapes of windows let it.
    pub(super) fn under(&self, point: Point, deadline: Deadline) -> Result<Under, Failure> {
        self.connection.stream().ends_at(deadline);
        let windows = self.windows(deadline)?;
        let (x, y) = (short(point.x), short(point.y));
        let mut at = self.root;
        let mut outermost = None;
        loop {
            let place = self.connection.translate_coordinates(self.root, at, x, y).map_err(lost)?;
            let child = match place.reply() {
                Ok(place) => place.child,
                // It went away meanwhile.
                Err(x11rb::errors::ReplyError::X11Error(_)) => x11rb::NONE,
                Err(error) => return Err(refused(error)),
            };
            if child == x11rb::NONE {
                break;
            }
            if windows.iter().any(|window| window.xid == child) {
                return Ok(Under::Window(Handle(child.into())));
            }
            outermost.get_or_insert(child);
            at = child;
        }
        let Some(popup) = outermost else { return Ok(Under::Nothing) };
        let known = self.window(popup)?;
        Ok(match known {
            // The frame of a window, which is the window manager's.
            Some(_) if let Some(framed) = self.framed_by(popup, &windows)? => Under::Window(framed),
            Some(window) => {
                Under::Popup { pid: window.pid, name: window.title, bounds: window.bounds }
            }
            None => Under::Popup { pid: None, name: String::new(), bounds: Rect::default() },
        })
    }

    /// The managed window that `frame` is drawn around.
    fn framed_by(
        &self,
        frame: u32,
        windows: &[crate::x11::Window],
    ) -> Result<Option<Handle>, Failure> {
        for window in windows {
            if let Ok(tree) = self.connection.query_tree(window.xid).map_err(lost)?.reply()
                && tree.parent == frame
            {
                return Ok(Some(Handle(window.xid.into())));
            }
        }
        Ok(None)
    }
}

impl Device<'_> {
    /// Moves the pointer, and waits until it is there: a hand on the mouse or a grab that confines it may
    /// keep it elsewhere.
    pub(super) fn move_to(&mut self, to: Point, deadline: Deadline) -> Result<(), Failure> {
        self.display.connection.stream().ends_at(deadline);
        self.display.fake(MOTION_NOTIFY_EVENT, 0, to)?;
        self.await_pointer(to, deadline)
    }

    fn await_pointer(&self, to: Point, deadline: Deadline) -> Result<(), Failure> {
        let patience = deadline.within(ARRIVAL);
        loop {
            let root = self.display.root;
            let at = self.display.connection.query_pointer(root).map_err(lost)?;
            let at = at.reply().map_err(refused)?;
            let at = Point { x: at.root_x.into(), y: at.root_y.into() };
            if at == to {
                return Ok(());
            }
            if patience.passed() {
                return Err(Failure::Stopped(format!(
                    "the pointer was sent to {},{} and is at {},{}: somebody else moves it or holds \
                     it there",
                    to.x, to.y, at.x, at.y
                )));
            }
            std::thread::sleep(AGAIN);
        }
    }

    pub(super) fn click_at(
        &mut self,
        at: Point,
        Click { button, count, modifiers }: Click,
        deadline: Deadline,
    ) -> Result<(), Failure> {
        self.display.connection.stream().ends_at(deadline);
        let held = self.hold(modifiers)?;
        let button = number(button);
        self.move_to(at, deadline)?;
        for nth in 0..count {
            // Chromium 156 takes a second click in the same millisecond for the first one again.
            if nth > 0 {
                std::thread::sleep(BETWEEN_CLICKS);
            }
            self.with_held(&held, |display| {
                display.fake(BUTTON_PRESS_EVENT, button, at)?;
                display.fake(BUTTON_RELEASE_EVENT, button, at)
            })?;
        }
        Ok(())
    }

    pub(super) fn turn_wheel(
        &mut self,
        at: Point,
        Turn { left, up, modifiers }: Turn,
        deadline: Deadline,
    ) -> Result<(), Failure> {
        self.display.connection.stream().ends_at(deadline);
        let held = self.hold(modifiers)?;
        self.move_to(at, deadline)?;
        let notches = [
            (if up > 0 { WHEEL_UP } else { WHEEL_DOWN }, up.unsigned_abs()),
            (if left > 0 { WHEEL_LEFT } else { WHEEL_RIGHT }, left.unsigned_abs()),
        ];
        self.with_held(&held, |display| {
            for (button, notches) in notches {
                for _ in 0..notches {
                    display.fake(BUTTON_PRESS_EVENT, button, at)?;
                    display.fake(BUTTON_RELEASE_EVENT, button, at)?;
                }
            }
            Ok(())
        })
    }

    pub(super) fn drag_along(&mut self, drag: Drag, deadline: Deadline) -> Result<(), Failure> {
        let Drag { from, to, duration_ms, drop_delay_ms } = drag;
        self.move_to(from, deadline)?;
        let left = number(Button::Left);
        self.begin(Journal { buttons: vec![left], ..Journal::default() }, deadline)?;
        self.display.fake(BUTTON_PRESS_EVENT, left, from)?;
        self.display.sync()?;
        let duration = Duration::from_millis(duration_ms);
        let frames = duration.as_millis() / STEP.as_millis();
        let steps = u32::try_from(frames).unwrap_or(u32::MAX).max(STEPS);
        let start = Instant::now();
        for step in 1..=steps {
            let along = |from: i32, to: i32| {
                let way = i64::from(to) - i64::from(from);
                let so_far = way * i64::from(step) / i64::from(steps);
                i32::try_from(i64::from(from) + so_far).unwrap_or(to)
            };
            let at = Point { x: along(from.x, to.x), y: along(from.y, to.y) };
            self.display.fake(MOTION_NOTIFY_EVENT, 0, at)?;
            self.display.sync()?;
            let due = duration * step / steps;
            let pause = due.saturating_sub(start.elapsed());
            if !pause.is_zero() {
                std::thread::sleep(pause.min(deadline.remaining()));
            }
        }
        let delay = Duration::from_millis(drop_delay_ms);
        std::thread::sleep(delay.min(deadline.remaining()));
        let arrived = self.await_pointer(to, deadline);
        self.end()?;
        arrived
    }

    /// The keys of modifiers that are to be held.
    fn hold(&mut self, modifiers: Modifiers) -> Result<Vec<Keycode>, Failure> {
        match modifiers.any() {
            true => keys::held(modifiers, &self.display.keymap()?),
            false => Ok(Vec::new()),
        }
    }

    /// Does something while keys are held. All of it goes out at once, so that nobody who is killed
    /// leaves a key or a button down.
    fn with_held(
        &mut self,
        held: &[Keycode],
        act: impl FnOnce(&Display) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let nowhere = Point::default();
        for key in held {
            self.display.fake(KEY_PRESS_EVENT, *key, nowhere)?;
        }
        act(self.display)?;
        for key in held.iter().rev() {
            self.display.fake(KEY_RELEASE_EVENT, *key, nowhere)?;
        }
        self.display.connection.flush().map_err(lost)?;
        self.display.sync()
    }
}

fn number(button: Button) -> u8 {
    match button {
        Button::Left => 1,
        Button::Middle => 2,
        Button::Right => 3,
    }
}

fn short(number: i32) -> i16 {
    i16::try_from(number).unwrap_or(if number < 0 { i16::MIN } else { i16::MAX })
}
