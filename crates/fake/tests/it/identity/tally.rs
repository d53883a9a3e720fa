//! What happened over all cases, for a person to read at the end.

use std::{collections::BTreeMap, io::Write};

use super::Verdict;

#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) cases: usize,
    pub(crate) same: usize,
    pub(crate) recreated: usize,
    pub(crate) disguised: usize,
    pub(crate) drilled: usize,
    refusals: BTreeMap<String, Refusals>,
}

#[derive(Debug, Default)]
struct Refusals {
    all: usize,
    needless: usize,
    /// The shortest story of a needless one.
    example: Option<String>,
}

/// Whom requests reached.
#[derive(Debug, Default)]
pub(crate) struct Landings {
    pub(crate) cases: usize,
    /// Requests in the middle of which the window changed.
    pub(crate) struck: usize,
    /// Those of them that reached another element, and said so.
    pub(crate) told_of_another: usize,
    /// Those that reached another without a word, since only something further away had changed.
    pub(crate) unnoticed: usize,
    /// Those that said so though they had reached the one that was meant.
    pub(crate) told_in_vain: usize,
    verdicts: BTreeMap<String, usize>,
}

impl Landings {
    pub(crate) fn took(&mut self, verdict: &Verdict, untroubled: bool) {
        let verdict = match verdict {
            Verdict::Same => "reached the element".to_owned(),
            Verdict::Recreated => "reached one made anew that is equal".to_owned(),
            Verdict::Disguised => "reached one that looks as the element did".to_owned(),
            Verdict::Wrong(_) => "reached another".to_owned(),
            Verdict::Refused { reason, needless } => match *needless && untroubled {
                true => format!("refused, needlessly: {reason}"),
                false => format!("refused: {reason}"),
            },
        };
        *self.verdicts.entry(verdict).or_default() += 1;
    }

    /// Written to standard error itself, which the test harness does not swallow.
    pub(crate) fn report(&self) {
        let Self { cases, struck, told_of_another, unnoticed, told_in_vain, verdicts } = self;
        let mut report = format!(
            "{cases} windows changed before, {struck} during an action; {told_of_another} requests \
             reached another element and said so, {unnoticed} without a word, {told_in_vain} said so \
             in vain:\n"
        );
        for (verdict, count) in verdicts {
            report.push_str(&format!("  {count:6} {verdict}\n"));
        }
        let _ = std::io::stderr().write_all(report.as_bytes());
    }
}

impl Tally {
    pub(crate) fn refused(&mut self, reason: String, needless: bool, story: impl Fn() -> String) {
        let refusals = self.refusals.entry(reason).or_default();
        refusals.all += 1;
        if needless {
            refusals.needless += 1;
            let story = story();
            if refusals.example.as_ref().is_none_or(|example| story.len() < example.len()) {
                refusals.example = Some(story);
            }
        }
    }

    /// Written to standard error itself, which the test harness does not swallow.
    pub(crate) fn report(&self) {
        let mut report = format!(
            "{} cases: {} answers about the same element, {} about one made anew that is equal, \
             {} about one that looks as the element did before it changed beyond recognition, \
             {} drills; refusals (of these needless):\n",
            self.cases, self.same, self.recreated, self.disguised, self.drilled
        );
        for (reason, Refusals { all, needless, .. }) in &self.refusals {
            report.push_str(&format!("  {all:6} ({needless:5}) {reason}\n"));
        }
        if std::env::var_os("NEEDLESS").is_some() {
            for (reason, refusals) in &self.refusals {
                if let Some(example) = &refusals.example {
                    report.push_str(&format!("needless {reason}:\n{example}\n"));
                }
            }
        }
        let _ = std::io::stderr().write_all(report.as_bytes());
    }
}
