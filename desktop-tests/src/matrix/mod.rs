//! Every command of the program against every way in which the misbehaving peer misbehaves.
//!
//! A cell is one command while one switch is on. `stage` runs it and collects what others say of
//! it: the clock, the kernel, and the peer's log of whom a request reached. `judge` says what is
//! wrong with it. The same plan (`commands`, `switches`) serves the tests and `cargo xtask matrix`.

mod commands;
mod judge;
mod stage;
mod switches;

use std::{
    collections::HashMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crate::Desktop;

pub use commands::{COMMANDS, Command, EXCUSED};
pub use switches::{Class, SWITCHES, Switch};

/// Milliseconds that every command gets that takes a timeout.
pub const TIMEOUT_MS: u64 = 300;

/// What one command came to while one switch was on.
#[derive(Debug)]
pub struct Cell {
    /// The command, as [`Command::title`].
    pub command: &'static str,
    pub switch: &'static str,
    pub answer: Answer,
    pub elapsed: Duration,
    /// The most memory that it had, in kilobytes, and what of that is neither the program's own nor
    /// the size of what it was told.
    pub peak: u64,
    pub beyond: u64,
    /// Whom its requests reached, as the peer has it.
    pub reached: Vec<String>,
    /// What is wrong with it.
    pub faults: Vec<String>,
}

/// What a command answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There was nothing that it could have been aimed at.
    NotShown,
    /// Success, with the delivery that it tells of, if it tells of one.
    Ok(Option<String>),
    /// An error's code, and its delivery.
    Failed(String, String),
    /// Nothing that could be read.
    Garbled,
}

/// The most memory that each command has with a peer that behaves, in kilobytes.
type Baseline = HashMap<&'static str, u64>;

/// What came of it all.
#[derive(Debug, Default)]
pub struct Results {
    /// In the order of the plan.
    pub cells: Vec<Cell>,
    /// What could not even be tried.
    pub failures: Vec<String>,
}

/// Desktops that are used at once.
const DESKTOPS: usize = 2;

/// Runs every command while each of `switches` is on, and first with a peer that behaves, which is
/// what the others are compared with.
pub fn run(switches: &[&'static Switch]) -> Results {
    let Some((well, _)) = SWITCHES.split_first() else { return Results::default() };
    let first = of_switch(well, &Baseline::default());
    let baseline: Baseline = first.iter().flatten().map(|cell| (cell.command, cell.peak)).collect();
    let others: Vec<_> = switches.iter().filter(|one| one.name != well.name).collect();
    let results = Mutex::new(vec![(0, first)]);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..DESKTOPS {
            scope.spawn(|| {
                while let Some(switch) = others.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let at = SWITCHES.iter().position(|one| one.name == switch.name);
                    let cells = of_switch(switch, &baseline);
                    let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                    results.push((at.unwrap_or_default(), cells));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(at, _)| *at);
    let mut all = Results::default();
    for (_, result) in results {
        match result {
            Ok(cells) => all.cells.extend(cells),
            Err(failure) => all.failures.push(failure),
        }
    }
    all
}

impl Results {
    /// What could not be tried, and the cells at fault, a line each.
    pub fn faults(&self) -> Vec<String> {
        let cells = self.cells.iter().filter(|cell| !cell.faults.is_empty());
        self.failures.iter().cloned().chain(cells.map(Cell::to_string)).collect()
    }
}

/// The cells of one switch, on a desktop of their own.
fn of_switch(switch: &'static Switch, baseline: &Baseline) -> Result<Vec<Cell>, String> {
    let start = Instant::now();
    // A desktop that does not come up panics.
    let run = || {
        let desktop = Desktop::start();
        let mut stage = stage::Stage::new(&desktop, switch);
        COMMANDS.iter().map(|command| stage.run(command, baseline)).collect::<Vec<Cell>>()
    };
    let cells = catch_unwind(AssertUnwindSafe(run)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        format!("`{}`: {text}", switch.name)
    });
    #[expect(clippy::print_stderr, reason = "for whoever waits")]
    {
        let faults = cells.iter().flatten().filter(|cell| !cell.faults.is_empty()).count();
        eprintln!("{}: {faults} faults, {:.0} s", switch.name, start.elapsed().as_secs_f64());
    }
    cells
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "`{}` × `{}`: {:?} after {} ms, {} KB, reached {:?}: {}",
            self.command,
            self.switch,
            self.answer,
            self.elapsed.as_millis(),
            self.peak,
            self.reached,
            self.faults.join("; ")
        )
    }
}
