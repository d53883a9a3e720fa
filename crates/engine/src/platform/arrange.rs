//! Windows as the display server and its window manager have them.

use agent_desktop_model::geometry::Rect;

/// What the display server calls a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handle(pub u64);

/// How a window stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Screen pixels, counted as those of [`super::Window`] are.
    pub bounds: Rect,
    pub focused: bool,
    /// Whether it is on the screen, however much is in front of it.
    pub visible: bool,
    pub minimized: bool,
    /// In both directions.
    pub maximized: bool,
}

/// What a window manager can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    Focus,
    /// Screen pixels.
    Size {
        width: i32,
        height: i32,
    },
    /// Its upper left corner, in screen pixels.
    Place {
        x: i32,
        y: i32,
    },
    Minimize,
    Unminimize,
    Maximize,
    Unmaximize,
}
