//! Measures the release build on real windows against the fewest bus calls that give the same
//! tree, in one run and by turns, so that what else the machine does hits both alike.

#![expect(clippy::print_stdout, reason = "the table is what this is for")]

mod check;
mod clicks;
mod events;
mod floor;
mod lists;
mod measure;
mod peers;
mod reads;
mod release;
mod report;
mod sample;
mod table;
mod waits;
mod warm;

use std::{
    error::Error,
    path::PathBuf,
    time::{Duration, Instant},
};

type Failure = Box<dyn Error>;

/// What is measured, and how often.
pub(crate) struct Options {
    /// Only what has one of these in its title, if there are any.
    only: Vec<String>,
    /// How often a window is read that was read before.
    rounds: usize,
    /// How often an application is started anew to be read for the first time, by each side.
    starts: usize,
    /// Where `scripts/peers` has put other programs; then they are measured, and nothing else is.
    peers: Option<PathBuf>,
    /// Whether the rows go into docs/performance.md.
    writes: bool,
    /// Whether to fail where the figures there are better by a fifth.
    checks: bool,
}

/// How long something is measured again and again, if it has been measured often enough.
const PATIENCE: Duration = Duration::from_secs(12);

impl Options {
    pub(crate) fn parse(words: &[&str]) -> Result<Self, Failure> {
        let mut options = Self {
            only: Vec::new(),
            rounds: 12,
            starts: 3,
            peers: None,
            writes: false,
            checks: false,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut next = || words.next().ok_or(format!("{word} what?"));
            match *word {
                "--rounds" => options.rounds = next()?.parse()?,
                "--starts" => options.starts = next()?.parse()?,
                "--peers" => options.peers = Some(std::path::absolute(next()?)?),
                "--write" => options.writes = true,
                "--check" => options.checks = true,
                flag if flag.starts_with('-') => return Err(format!("unknown: {flag}").into()),
                title => options.only.push(title.to_lowercase()),
            }
        }
        Ok(options)
    }

    fn wants(&self, title: &str) -> bool {
        let title = title.to_lowercase();
        self.only.is_empty() || self.only.iter().any(|only| title.contains(only))
    }

    /// The rounds of one measurement: as many as asked for, fewer of what takes long.
    fn rounds(&self) -> impl Iterator<Item = usize> {
        unless_slow(self.rounds, 3)
    }

    /// The same for starts.
    fn starts(&self) -> impl Iterator<Item = usize> {
        unless_slow(self.starts, 1)
    }
}

fn unless_slow(times: usize, least: usize) -> impl Iterator<Item = usize> {
    let start = Instant::now();
    (0..times).take_while(move |&time| time < least || start.elapsed() < PATIENCE)
}

/// Builds the release, measures and prints.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let release = release::build()?;
    let mut report = report::Report::new(options.writes, options.checks)?;
    match &options.peers {
        Some(directory) => peers::run(options, directory, &mut report)?,
        None => {
            reads::run(options, &release, &mut report);
            lists::run(options, &mut report);
            clicks::run(options, &mut report);
            waits::run(options, &mut report);
        }
    }
    report.print();
    report.judge()
}
