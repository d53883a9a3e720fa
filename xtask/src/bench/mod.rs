//! Measures the release build on real windows against the fewest bus calls that give the same
//! tree, in one run and by turns, so that what else the machine does hits both alike.

#![expect(clippy::print_stdout, reason = "the table is what this is for")]

mod clicks;
mod events;
mod floor;
mod measure;
mod reads;
mod release;
mod sample;
mod waits;

use std::error::Error;

type Failure = Box<dyn Error>;

/// What is measured, and how often.
pub(crate) struct Options {
    /// Only what has one of these in its title, if there are any.
    only: Vec<String>,
    /// How often a window is read that was read before.
    rounds: usize,
    /// How often an application is started anew to be read for the first time, by each side.
    starts: usize,
}

impl Options {
    pub(crate) fn parse(words: &[&str]) -> Result<Self, Failure> {
        let mut options = Self { only: Vec::new(), rounds: 20, starts: 5 };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut number =
                || Ok::<_, Failure>(words.next().ok_or("a number is missing")?.parse()?);
            match *word {
                "--rounds" => options.rounds = number()?,
                "--starts" => options.starts = number()?,
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
}

/// Builds the release, measures and prints.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    release::build()?;
    reads::run(options)?;
    clicks::run(options)?;
    waits::run(options)
}
