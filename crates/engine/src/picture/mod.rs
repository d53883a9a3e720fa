//! Pictures: scaling, drawing on them, and the format in which they are handed out.

mod base64;
mod draw;
pub(crate) mod png;
mod scale;

use agent_desktop_model::geometry::Rect;

use crate::platform;

pub(crate) use base64::base64;

/// Red, green and blue of each pixel, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pixels {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) rgb: Vec<u8>,
}

impl Pixels {
    /// The pixels of a picture; none if it has fewer than it says.
    pub(crate) fn of(picture: platform::Picture) -> Option<Self> {
        let Rect { width, height, .. } = picture.place;
        let (width, height) = (u32::try_from(width).ok()?, u32::try_from(height).ok()?);
        let whole = u64::from(width) * u64::from(height) * 3 == picture.rgb.len() as u64;
        let pixels = Self { width, height, rgb: picture.rgb };
        (whole && width > 0 && height > 0).then_some(pixels)
    }
}
