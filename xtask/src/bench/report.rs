//! What a run comes to: its tables, what could not be measured, and how it compares with the
//! figures in docs/performance.md.

use std::{
    any::Any,
    fs,
    panic::{self, AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    time::Instant,
};

use super::{
    Failure,
    check::Comparison,
    table::{self, Row, Table},
};

/// What has been measured so far.
pub(super) struct Report {
    tables: Vec<Table>,
    failures: Vec<String>,
    /// The tables as the page had them when the run began.
    kept: Vec<Table>,
    comparison: Comparison,
    /// Whether rows go into the page.
    writes: bool,
    /// Whether what is worse is measured again.
    checks: bool,
}

/// How often something is measured that seems worse each time.
const TRIES: u32 = 3;

impl Report {
    pub(super) fn new(writes: bool, checks: bool) -> Result<Self, Failure> {
        let kept = table::read(&fs::read_to_string(page())?);
        let (tables, failures, comparison) = Default::default();
        Ok(Self { tables, failures, kept, comparison, writes, checks })
    }

    /// Measures one thing. What goes wrong with it leaves the others their rows, and what has been
    /// measured is in the page before the next begins.
    pub(super) fn attempt(
        &mut self,
        what: &str,
        mut measure: impl FnMut() -> Result<Vec<Row>, Failure>,
    ) {
        let worse = self.comparison.regressions().len();
        for _ in 0..TRIES {
            self.once(what, &mut measure);
            if !self.checks || self.comparison.regressions().len() <= worse {
                break;
            }
        }
    }

    fn once(&mut self, what: &str, measure: &mut dyn FnMut() -> Result<Vec<Row>, Failure>) {
        let start = Instant::now();
        // The tests' own harness panics when an application does not come up.
        panic::set_hook(Box::new(|_| {}));
        let outcome = catch_unwind(AssertUnwindSafe(measure));
        drop(panic::take_hook());
        let rows = outcome.unwrap_or_else(|panic| Err(said_by(&*panic).into()));
        let outcome = rows.and_then(|rows| rows.iter().try_for_each(|row| self.take(row)));
        let said = match outcome {
            Ok(()) => "measured".to_owned(),
            Err(failure) => {
                self.failures.push(format!("{what}: {failure}"));
                failure.to_string()
            }
        };
        #[expect(clippy::print_stderr, reason = "a tool for people")]
        {
            eprintln!("{what}: {said}, {:.0} s", start.elapsed().as_secs_f64());
        }
    }

    fn take(&mut self, row: &Row) -> Result<(), Failure> {
        let (head, cells) = row;
        let fresh = Table::of(head);
        match self.tables.iter_mut().find(|table| table.columns == fresh.columns) {
            Some(table) => table.put(cells),
            None => {
                let mut table = fresh;
                table.put(cells);
                self.tables.push(table);
            }
        }
        self.comparison.add(&self.kept, head, cells);
        if self.writes {
            let name = head.columns.first().unwrap_or(&"");
            let old = fs::read_to_string(page())?;
            let missing = || format!("docs/performance.md has no table of what is {name:?}");
            fs::write(page(), table::write(&old, row).ok_or_else(missing)?)?;
        }
        Ok(())
    }

    pub(super) fn print(&self) {
        for table in &self.tables {
            println!("{table}");
        }
    }

    /// Fails if something could not be measured, or, where that is asked, if something is worse
    /// than it was kept.
    pub(super) fn judge(self) -> Result<(), Failure> {
        let mut wrong = self.failures;
        if self.checks {
            let (figures, regressions) = (self.comparison.figures(), self.comparison.regressions());
            println!("{figures} figures compared, {} worse", regressions.len());
            if figures == 0 {
                wrong.push("docs/performance.md has none of these figures".to_owned());
            }
            wrong.extend(regressions);
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
    }
}

fn said_by(panic: &(dyn Any + Send)) -> String {
    let literal = panic.downcast_ref::<&str>().map(|&text| text.to_owned());
    panic.downcast_ref().cloned().or(literal).unwrap_or_default()
}

fn page() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/performance.md"))
}
