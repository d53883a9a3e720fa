//! Smaller pictures.

use super::Pixels;

impl Pixels {
    /// The picture with its longer side no longer than `most`, in the same proportions.
    #[must_use]
    pub(crate) fn fitted(self, most: u32) -> Self {
        let longer = self.width.max(self.height);
        if longer <= most || most == 0 {
            return self;
        }
        let scaled = |side: u32| {
            let side = u64::from(side) * u64::from(most);
            u32::try_from((side + u64::from(longer) / 2) / u64::from(longer)).unwrap_or(most).max(1)
        };
        let (width, height) = (scaled(self.width), scaled(self.height));
        let mut rgb = Vec::with_capacity(width as usize * height as usize * 3);
        for row in 0..height {
            let rows = span(row, height, self.height);
            for column in 0..width {
                let columns = span(column, width, self.width);
                rgb.extend(self.mean(rows.clone(), columns));
            }
        }
        Self { width, height, rgb }
    }

    /// The mean colour of a part.
    fn mean(&self, rows: std::ops::Range<usize>, columns: std::ops::Range<usize>) -> [u8; 3] {
        let count = (rows.len() * columns.len()).max(1) as u64;
        let mut sums = [0_u64; 3];
        for row in rows {
            let start = row * self.width as usize;
            let part = self.rgb.get(3 * (start + columns.start)..3 * (start + columns.end));
            for pixel in part.unwrap_or_default().chunks_exact(3) {
                for (sum, level) in sums.iter_mut().zip(pixel) {
                    *sum += u64::from(*level);
                }
            }
        }
        sums.map(|sum| u8::try_from((sum + count / 2) / count).unwrap_or(u8::MAX))
    }
}

/// Which of `length` pixels become the pixel `at` of `scaled`: at least one.
fn span(at: u32, scaled: u32, length: u32) -> std::ops::Range<usize> {
    let place = |at: u32| (u64::from(at) * u64::from(length) / u64::from(scaled)) as usize;
    let start = place(at);
    start..place(at + 1).max(start + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longer_side_fits_and_colours_are_mixed() {
        let rgb = [[0, 0, 0], [100, 0, 9], [200, 0, 0], [200, 0, 0]].concat();
        let wide = Pixels { width: 4, height: 1, rgb };
        assert_eq!(wide.clone().fitted(4), wide);
        let small = wide.fitted(2);
        assert_eq!((small.width, small.height), (2, 1));
        assert_eq!(small.rgb, [50, 0, 5, 200, 0, 0]);
        let large = Pixels { width: 300, height: 200, rgb: vec![7; 3 * 300 * 200] };
        let small = large.fitted(100);
        assert_eq!((small.width, small.height), (100, 67));
        assert!(small.rgb.iter().all(|level| *level == 7));
    }
}
