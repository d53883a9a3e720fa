//! Whether a run is worse than the figures that were kept: by ratios and counts only, since times
//! are another machine's. What else the machine does makes single figures worse and never better, so
//! that the best of several counts.

use std::collections::BTreeMap;

use super::table::{Head, Table};

/// By how much something may be worse.
const ALLOWED: f64 = 1.2;

/// How rows compare with those that were kept.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// Of each figure that stands in both, by row and column: what was kept, and the best since.
    figures: BTreeMap<(String, &'static str), (f64, f64)>,
}

impl Comparison {
    /// Compares a row of the table with this head.
    pub(super) fn add(&mut self, kept: &[Table], head: &Head, row: &[String]) {
        let mut now = Table::of(head);
        now.put(row);
        let kept = kept.iter().find(|table| table.name() == now.name());
        let (Some(what), Some(kept)) = (row.first(), kept) else { return };
        for column in head.compared {
            let both = kept.number(what, column).zip(now.number(what, column));
            let Some((before, after)) = both else { continue };
            let figure = self.figures.entry((what.clone(), column));
            let (_, best) = figure.or_insert((before, after));
            *best = best.min(after);
        }
    }

    /// How many figures stand in both.
    pub(super) fn figures(&self) -> usize {
        self.figures.len()
    }

    /// What is worse, in words.
    pub(super) fn regressions(&self) -> Vec<String> {
        let worse = self.figures.iter().filter(|(_, (before, after))| *after > before * ALLOWED);
        let told = |((what, column), (before, after)): (&(String, &str), &(f64, f64))| {
            let more = (after / before - 1.0) * 100.0;
            format!("{what}: {column} was {before}, is {after}: {more:.0} % more")
        };
        worse.map(told).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: Head = Head {
        columns: &["window", "ours", "ratio", "messages"],
        compared: &["ratio", "messages"],
    };

    fn kept() -> Vec<Table> {
        super::super::table::read(
            "| window | ours | ratio | messages |\n|---|---|---|---|\n\
             | gedit | 10.0 (12.0) | **2.00** | 100 |\n| Calc | 50.0 (70.0) | – | 900 |\n",
        )
    }

    fn compared(cells: [&str; 4]) -> Comparison {
        let mut comparison = Comparison::default();
        comparison.add(&kept(), &HEAD, &cells.map(str::to_owned));
        comparison
    }

    fn found(cells: [&str; 4]) -> Vec<String> {
        compared(cells).regressions()
    }

    #[test]
    fn a_fifth_more_is_allowed_and_more_is_named() {
        assert_eq!(found(["gedit", "10.0 (12.0)", "2.40", "120"]), [""; 0]);
        assert_eq!(
            found(["gedit", "10.0 (12.0)", "**2.50**", "100"]),
            ["gedit: ratio was 2, is 2.5: 25 % more"]
        );
        assert_eq!(found(["gedit", "10.0 (12.0)", "3.00", "150"]).len(), 2);
    }

    #[test]
    fn times_are_not_compared() {
        let comparison = compared(["gedit", "99.0 (99.0)", "2.00", "100"]);
        assert_eq!((comparison.figures(), comparison.regressions()), (2, Vec::new()));
    }

    #[test]
    fn what_is_measured_again_counts_at_its_best() {
        let mut comparison = compared(["gedit", "10.0 (12.0)", "**3.00**", "150"]);
        assert_eq!(comparison.regressions().len(), 2);
        let again = ["gedit", "10.0 (12.0)", "2.10", "150"].map(str::to_owned);
        comparison.add(&kept(), &HEAD, &again);
        assert_eq!(comparison.figures(), 2);
        assert_eq!(comparison.regressions(), ["gedit: messages was 100, is 150: 50 % more"]);
    }

    #[test]
    fn what_is_better_new_or_without_a_number_is_no_regression() {
        assert_eq!(found(["gedit", "1.0 (1.0)", "0.50", "10"]), [""; 0]);
        assert_eq!(found(["Mousepad", "1.0 (1.0)", "9.00", "9000"]), [""; 0]);
        assert_eq!(found(["Calc", "1.0 (1.0)", "9.00", "900"]), [""; 0]);
        let without = compared(["gedit", "1.0 (1.0)", "–", "100"]);
        assert_eq!((without.figures(), without.regressions()), (1, Vec::new()));
    }

    #[test]
    fn columns_are_found_by_their_names() {
        const OTHER: Head = Head { columns: &["window", "messages"], compared: &["messages"] };
        let mut comparison = Comparison::default();
        comparison.add(&kept(), &OTHER, &["gedit", "130"].map(str::to_owned));
        assert_eq!(comparison.regressions().len(), 1);
    }
}
