//! Times, and how two series of them compare.

use std::time::Duration;

/// A series of times of the same thing.
#[derive(Debug)]
pub(super) struct Sample(Vec<Duration>);

impl Sample {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    pub(super) fn add(&mut self, time: Duration) {
        self.0.push(time);
        self.0.sort();
    }

    /// Median and 95th percentile in milliseconds, as `12.3 (14.5)`; a dash if there are none.
    pub(super) fn told(&self) -> String {
        match self.0.is_empty() {
            true => "–".to_owned(),
            false => format!("{:.1} ({:.1})", self.median(), self.milliseconds(95)),
        }
    }

    /// How many times as long as `other` this takes.
    pub(super) fn against(&self, other: &Self) -> String {
        let ratio = self.median() / other.median();
        if ratio.is_nan() { "–".to_owned() } else { format!("{ratio:.2}") }
    }

    /// The same, in bold where it misses 1.5 × floor + 5 ms.
    pub(super) fn against_floor(&self, floor: &Self) -> String {
        let ratio = self.against(floor);
        let misses = self.median() > 1.5 * floor.median() + 5.0;
        if misses { format!("**{ratio}**") } else { ratio }
    }

    pub(super) fn median(&self) -> f64 {
        self.milliseconds(50)
    }

    fn milliseconds(&self, percent: usize) -> f64 {
        let at = (self.0.len() * percent).div_ceil(100).saturating_sub(1);
        self.0.get(at).map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0)
    }
}
