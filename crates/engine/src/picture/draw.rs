//! Boxes with numbers on pictures.

use agent_desktop_model::geometry::Rect;

use super::Pixels;

type Colour = [u8; 3];

/// Colours that white stands out from, and that differ from their neighbours in the list.
const COLOURS: [Colour; 6] =
    [[214, 39, 40], [31, 119, 180], [24, 128, 56], [148, 70, 189], [176, 90, 0], [200, 30, 130]];
const WHITE: Colour = [255; 3];

/// Glyphs of five columns and seven rows, a row a byte, the leftmost column in bit 4.
const E: [u8; 7] = [0, 0, 0b01110, 0b10001, 0b11111, 0b10000, 0b01110];
const DIGITS: [[u8; 7]; 10] = [
    [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
    [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
    [0b01110, 0b10001, 0b00001, 0b00110, 0b00001, 0b10001, 0b01110],
    [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
    [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
    [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
    [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
    [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
    [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
];
const GLYPH: (i32, i32) = (5, 7);

impl Pixels {
    /// Draws a box around `bounds` with the label `e<number>` at its upper left corner. What lies
    /// outside of the picture is not drawn.
    pub(crate) fn mark(&mut self, bounds: Rect, number: u32) {
        let colour = COLOURS.get(number as usize % COLOURS.len()).copied().unwrap_or_default();
        let Rect { x, y, width, height } = bounds;
        let line = 2.min(width).min(height);
        for side in [
            Rect { x, y, width, height: line },
            Rect { x, y: y + height - line, width, height: line },
            Rect { x, y, width: line, height },
            Rect { x: x + width - line, y, width: line, height },
        ] {
            self.fill(side, colour);
        }
        let digits = number.to_string();
        let glyphs: Vec<[u8; 7]> = std::iter::once(E)
            .chain(
                digits
                    .bytes()
                    .filter_map(|digit| DIGITS.get(usize::from(digit.wrapping_sub(b'0'))).copied()),
            )
            .collect();
        let count = i32::try_from(glyphs.len()).unwrap_or_default();
        let (wide, high) = (count * (GLYPH.0 + 1) + 1, GLYPH.1 + 2);
        // A small element is labelled beside it, above where there is room.
        let top = match height < 2 * high && y >= high {
            true => y - high,
            false => y,
        };
        let left = x.min(i32::try_from(self.width).unwrap_or(i32::MAX) - wide).max(0);
        let top = top.min(i32::try_from(self.height).unwrap_or(i32::MAX) - high).max(0);
        self.fill(Rect { x: left, y: top, width: wide, height: high }, colour);
        let mut left = left + 1;
        for glyph in glyphs {
            for (row, bits) in (0..).zip(glyph) {
                for column in (0..GLYPH.0).filter(|column| bits >> (GLYPH.0 - 1 - column) & 1 == 1)
                {
                    let (x, y) = (left + column, top + row + 1);
                    self.fill(Rect { x, y, width: 1, height: 1 }, WHITE);
                }
            }
            left += GLYPH.0 + 1;
        }
    }

    fn fill(&mut self, area: Rect, colour: Colour) {
        let side = |side: u32| i32::try_from(side).unwrap_or(i32::MAX);
        let (width, height) = (side(self.width), side(self.height));
        let part = area.intersection(Rect { x: 0, y: 0, width, height });
        let number = |number: i32| usize::try_from(number).unwrap_or_default();
        for row in self
            .rgb
            .chunks_exact_mut(3 * number(width).max(1))
            .skip(number(part.y))
            .take(number(part.height))
        {
            let pixels = row.chunks_exact_mut(3).skip(number(part.x)).take(number(part.width));
            for pixel in pixels {
                pixel.copy_from_slice(&colour);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The picture as text: `#` for white, `.` for the colour of the box, blanks elsewhere.
    fn drawn(bounds: Rect, number: u32) -> String {
        let (width, height) = (30, 12);
        let mut pixels = Pixels { width, height, rgb: vec![0; (3 * width * height) as usize] };
        pixels.mark(bounds, number);
        let rows = pixels.rgb.chunks_exact(3 * width as usize).map(|row| {
            let row: String = row
                .chunks_exact(3)
                .map(|pixel| match pixel {
                    [0, 0, 0] => ' ',
                    [255, 255, 255] => '#',
                    _ => '.',
                })
                .collect();
            format!("{}\n", row.trim_end())
        });
        rows.collect()
    }

    #[test]
    fn a_box_has_its_number() {
        let bounds = Rect { x: 1, y: 0, width: 28, height: 12 };
        let drawn = drawn(bounds, 64);
        assert_eq!(drawn.lines().count(), 12);
        let white = drawn.matches('#').count();
        let of = |glyph: [u8; 7]| glyph.iter().map(|row| row.count_ones() as usize).sum::<usize>();
        assert_eq!(white, of(E) + of(DIGITS[6]) + of(DIGITS[4]), "{drawn}");
        assert!(drawn.starts_with(" ............................\n"), "{drawn}");
        assert!(drawn.ends_with(" ............................\n"), "{drawn}");
    }

    #[test]
    fn what_lies_outside_is_left_out() {
        for (x, y, width, height) in [
            (-90, -90, 20, 20),
            (25, 10, 900, 900),
            (i32::MIN, 0, i32::MAX, 5),
            (5, 5, 0, 0),
            (29, 11, 1, 1),
        ] {
            drawn(Rect { x, y, width, height }, u32::MAX);
        }
    }
}
