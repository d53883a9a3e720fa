//! What happened over all cases, for a person to read at the end.

use std::{collections::BTreeMap, io::Write};

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
