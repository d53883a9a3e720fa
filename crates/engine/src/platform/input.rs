//! The pointer and the keys of a display server.

use std::time::Instant;

use agent_desktop_model::{
    chord::{Chord, Modifiers},
    geometry::{Point, Rect},
};

use super::{Deadline, Failure, Handle};

/// The pointer and the keys. Of all programs like this one on a display server, one has them at a
/// time: until this is dropped, which also lets go of whatever is held down.
pub trait Input {
    /// How they were come by.
    fn lease(&self) -> Lease;

    /// What a click at `point` would go to.
    fn under(&mut self, point: Point, deadline: Deadline) -> Result<Under, Failure>;

    /// Where keys would go.
    fn keyboard(&mut self, deadline: Deadline) -> Result<Keyboard, Failure>;

    /// Moves the pointer.
    fn point(&mut self, to: Point, deadline: Deadline) -> Result<(), Failure>;

    /// Clicks `count` times where `at` is.
    fn click(&mut self, at: Point, click: Click, deadline: Deadline) -> Result<(), Failure>;

    /// Presses the left button, moves in steps and lets go.
    fn drag(&mut self, drag: Drag, deadline: Deadline) -> Result<(), Failure>;

    /// Turns the wheel where `at` is.
    fn wheel(&mut self, at: Point, turn: Turn, deadline: Deadline) -> Result<(), Failure>;

    /// Presses keys together and lets go of them.
    fn press(
        &mut self,
        chord: &Chord,
        arrived: Arrived<'_>,
        deadline: Deadline,
    ) -> Result<(), Failure>;

    /// Types any text on any keyboard layout.
    fn type_text(
        &mut self,
        text: &str,
        arrived: Arrived<'_>,
        deadline: Deadline,
    ) -> Result<(), Failure>;
}

/// Whether the application is known to have taken this many characters of what was sent; of none,
/// whether it has answered a question just now. Keys may be given another meaning for the time being, which applications
/// look up when they get to them.
pub type Arrived<'a> = &'a mut dyn FnMut(usize) -> bool;

/// How the pointer and the keys were come by.
#[derive(Clone, Copy, Debug)]
pub struct Lease {
    /// How often another program had them.
    pub contention: u32,
    pub since: Instant,
}

/// What is at a place of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Under {
    /// No window.
    Nothing,
    Window(Handle),
    /// A window that no window manager manages, such as a menu.
    Popup {
        /// The process that it says it is of.
        pid: Option<u32>,
        name: String,
        bounds: Rect,
    },
}

/// Where keys go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keyboard {
    /// The window with the focus.
    pub window: Option<Handle>,
    /// Whether somebody has taken all keys to himself, such as an open menu, whatever has the focus.
    pub grabbed: bool,
    /// Whether somebody holds a modifier down, which would change what keys mean.
    pub held: bool,
}

/// Clicks in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Click {
    pub button: Button,
    pub count: u32,
    pub modifiers: Modifiers,
}

/// A button of the pointer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Button {
    #[default]
    Left,
    Middle,
    Right,
}

/// A way of the pointer with its left button down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drag {
    pub from: Point,
    pub to: Point,
    /// How long the way takes, in milliseconds.
    pub duration_ms: u64,
    /// How long it stays at its end before the button is let go, in milliseconds.
    pub drop_delay_ms: u64,
}

/// Notches of the wheel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// To the left, where positive.
    pub left: i32,
    /// Up, where positive.
    pub up: i32,
    pub modifiers: Modifiers,
}
