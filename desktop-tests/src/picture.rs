//! What is to be seen on the screen of a desktop, pixel by pixel: taken by xwd, which knows
//! nothing of accessibility.

use crate::Desktop;

/// A picture of the whole screen.
#[derive(Debug)]
pub struct Picture {
    width: usize,
    /// A row after the other, each pixel as 0xRRGGBB.
    pixels: Vec<u32>,
}

impl Desktop {
    /// Takes a picture of the screen.
    #[track_caller]
    pub fn picture(&self) -> Picture {
        let output = self.command("xwd").args(["-root", "-silent"]).output().expect("xwd runs");
        assert!(output.status.success(), "xwd: {}", String::from_utf8_lossy(&output.stderr));
        Picture::read(&output.stdout)
    }
}

impl Picture {
    /// Reads the format of xwd: a header of numbers, a colour map, then rows of 32 bits a pixel.
    fn read(bytes: &[u8]) -> Self {
        let number = |at: usize| {
            let bytes = bytes[4 * at..][..4].try_into().expect("four bytes");
            usize::try_from(u32::from_be_bytes(bytes)).expect("a small number")
        };
        let [header, version, width, height] = [0, 1, 4, 5].map(number);
        let [bits, line, colours] = [11, 12, 19].map(number);
        // With a window of another depth on the screen, xwd packs a pixel into three bytes.
        let size = bits / 8;
        assert!(version == 7 && matches!(size, 3 | 4), "another kind of picture");
        let rows = bytes[header + 12 * colours..].chunks_exact(line).take(height);
        assert_eq!(number(7), 0, "the lowest byte comes first");
        let pixel = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]);
        let row =
            |bytes: &[u8]| bytes.chunks_exact(size).take(width).map(pixel).collect::<Vec<_>>();
        Self { width, pixels: rows.flat_map(row).collect() }
    }

    /// Left, top, width and height of the smallest rectangle around all pixels of a colour.
    pub fn area_of(&self, colour: u32) -> Option<[i32; 4]> {
        let found = self.pixels.iter().enumerate().filter(|(_, pixel)| **pixel == colour);
        let places = found.map(|(at, _)| (at % self.width, at / self.width));
        let (mut left, mut top, mut right, mut bottom) = (usize::MAX, usize::MAX, 0, 0);
        for (x, y) in places {
            (left, top) = (left.min(x), top.min(y));
            (right, bottom) = (right.max(x + 1), bottom.max(y + 1));
        }
        let small = |number: usize| i32::try_from(number).expect("a screen is small");
        (right > 0).then(|| [left, top, right - left, bottom - top].map(small))
    }

    /// Left, top, width and height of that part of `area` that is on the screen, if any is.
    pub fn visible_part(&self, [left, top, width, height]: [i32; 4]) -> Option<[i32; 4]> {
        let small = |number: usize| i32::try_from(number).expect("a screen is small");
        let (screen_width, rows) = (small(self.width), small(self.pixels.len() / self.width));
        let (right, bottom) = ((left + width).min(screen_width), (top + height).min(rows));
        let (left, top) = (left.max(0), top.max(0));
        (right > left && bottom > top).then_some([left, top, right - left, bottom - top])
    }
}
