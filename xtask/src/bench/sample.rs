//! Times, and how two series of them compare.

use std::time::Duration;

pub(super) const HEADING: &str =
    "    ours ms       (p95)   floor ms       (p95)   ratio       goal        ";

/// A series of times of the same thing.
#[derive(Debug, Default)]
pub(super) struct Sample(Vec<Duration>);

impl Sample {
    pub(super) fn add(&mut self, time: Duration) {
        self.0.push(time);
        self.0.sort();
    }

    /// One row of the table: this series beside the floor's.
    pub(super) fn against(&self, floor: &Self) -> String {
        let (ours, least) = (self.milliseconds(50), floor.milliseconds(50));
        let goal = 1.5 * least + 5.0;
        format!(
            "{ours:>11.1} {:>11.1} {least:>10.1} {:>11.1} {:>7.2} {goal:>10.1} {}",
            self.milliseconds(95),
            floor.milliseconds(95),
            ours / least,
            if ours <= goal { "reached" } else { "missed " }
        )
    }

    fn milliseconds(&self, percent: usize) -> f64 {
        let at = (self.0.len() * percent).div_ceil(100).saturating_sub(1);
        self.0.get(at).map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0)
    }
}
