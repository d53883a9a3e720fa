//! What is to be seen on the screen of a desktop, pixel by pixel: taken by xwd, which knows
//! nothing of accessibility.

use crate::Desktop;

/// A picture, of the whole screen unless it is said otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
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

    /// Reads a file in the format PNG with three colours of eight bits.
    #[track_caller]
    pub fn of_png(bytes: &[u8]) -> Self {
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a PNG");
        let mut rgb = vec![0; reader.output_buffer_size().expect("a size")];
        let frame = reader.next_frame(&mut rgb).expect("a whole picture");
        assert_eq!(
            (frame.color_type, frame.bit_depth),
            (png::ColorType::Rgb, png::BitDepth::Eight)
        );
        let pixel = |rgb: &[u8]| u32::from_be_bytes([0, rgb[0], rgb[1], rgb[2]]);
        let width = usize::try_from(frame.width).expect("a width");
        Self { width, pixels: rgb.chunks_exact(3).map(pixel).collect() }
    }

    /// The part at left, top, width and height, all of which has to be in it.
    #[track_caller]
    pub fn part(&self, area: [i32; 4]) -> Self {
        let [left, top, width, height] =
            area.map(|it| usize::try_from(it).expect("in the picture"));
        let rows = self.pixels.chunks_exact(self.width).skip(top).take(height);
        let pixels: Vec<u32> = rows.flat_map(|row| &row[left..left + width]).copied().collect();
        assert_eq!(pixels.len(), width * height, "{area:?} is not in the picture");
        Self { width, pixels }
    }

    /// Width and height.
    pub fn size(&self) -> [usize; 2] {
        [self.width, self.pixels.len() / self.width]
    }

    /// The colour of a pixel.
    pub fn at(&self, x: usize, y: usize) -> u32 {
        self.pixels[y * self.width + x]
    }

    /// How many pixels differ from those of another picture of the same size.
    #[track_caller]
    pub fn differing(&self, other: &Self) -> usize {
        assert_eq!(self.size(), other.size());
        self.pixels.iter().zip(&other.pixels).filter(|(one, other)| one != other).count()
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
