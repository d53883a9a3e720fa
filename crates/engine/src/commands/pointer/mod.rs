//! The commands that move the pointer to a place of the screen. They focus nothing, and refuse
//! without --headed.

use std::str::FromStr;

use agent_desktop_model::{
    chord::{Modifiers, NoChord},
    geometry::Point,
};

pub mod drag;
pub mod hover;
pub mod mouse_click;
pub mod mouse_move;
pub mod mouse_wheel;

/// A place as callers write it: `X,Y`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(pub Point);

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let place = text.split_once(',').and_then(|(x, y)| {
            Some(Point { x: x.trim().parse().ok()?, y: y.trim().parse().ok()? })
        });
        place.map(Self).ok_or_else(|| "a place is X,Y in screen pixels, such as 100,50".to_owned())
    }
}

/// Modifiers as callers write them: `ctrl+shift`.
fn modifiers(text: &str) -> Result<Modifiers, String> {
    Modifiers::parse(text).map_err(|NoChord(cause)| format!("{cause}; use ctrl, alt, shift, meta"))
}
