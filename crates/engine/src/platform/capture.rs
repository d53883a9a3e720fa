//! Pictures of what a desktop shows.

use agent_desktop_model::geometry::Rect;

use super::Handle;

/// What a picture is taken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The whole screen, whatever is on it.
    Everything,
    /// This part of the screen.
    Area(Rect),
    /// One window, without what is in front of it.
    Window(Handle),
}

/// A picture, a pixel of which is one of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// What of the screen it shows, in screen pixels.
    pub place: Rect,
    /// Red, green and blue of each pixel, row by row: three bytes for each pixel of `place`.
    pub rgb: Vec<u8>,
}

/// What became of a request for a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Captured {
    Picture(Picture),
    /// Part of the window is covered, and its application did not draw that when it was asked to.
    Unpainted,
}
