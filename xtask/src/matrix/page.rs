//! What docs/robustness.md says of the cells; what stands above the mark is written by hand.

use std::{fmt::Write, time::Duration};

use desktop_tests::matrix::{Answer, COMMANDS, Cell, EXCUSED, SWITCHES};

use super::Failure;

const MARK: &str = "<!-- From here on written by `cargo xtask matrix`. -->\n";

/// `page` with what the cells came to.
pub(super) fn with(page: &str, cells: &[Cell], took: Duration) -> Result<String, Failure> {
    let (by_hand, _) = page.split_once(MARK).ok_or("docs/robustness.md has no mark")?;
    let mut out = format!("{by_hand}{MARK}");
    let faults = cells.iter().filter(|cell| !cell.faults.is_empty()).count();
    writeln!(
        out,
        "\n{} commands × {} switches in {:.0} minutes; {faults} cells are at fault.\n",
        COMMANDS.len(),
        SWITCHES.len(),
        took.as_secs_f64() / 60.0
    )?;
    table(&mut out, cells)?;
    switches(&mut out, cells)?;
    commands(&mut out, cells)?;
    writeln!(out, "\n## What is not in the matrix\n")?;
    for (name, reason) in EXCUSED {
        writeln!(out, "- `{name}`: {reason}.")?;
    }
    Ok(out)
}

/// A row a command, a column a switch.
fn table(out: &mut String, cells: &[Cell]) -> Result<(), Failure> {
    let width = COMMANDS.iter().map(|command| command.title.len()).max().unwrap_or(0);
    writeln!(out, "```text")?;
    for (divisor, what) in [(10, "switch"), (1, "")] {
        write!(out, "{what:width$}")?;
        for number in 1..=SWITCHES.len() {
            let digit = number / divisor % 10;
            match (divisor, digit) {
                (10, 0) => write!(out, "   ")?,
                _ => write!(out, " {digit} ")?,
            }
        }
        writeln!(out)?;
    }
    for command in COMMANDS {
        write!(out, "{:width$}", command.title)?;
        for switch in SWITCHES {
            let cell = find(cells, command.title, switch.name);
            write!(out, "{}", cell.map_or_else(|| "   ".to_owned(), symbol))?;
        }
        writeln!(out)?;
    }
    Ok(writeln!(out, "```")?)
}

fn find<'a>(cells: &'a [Cell], command: &str, switch: &str) -> Option<&'a Cell> {
    cells.iter().find(|cell| cell.command == command && cell.switch == switch)
}

/// Three characters: what was answered, what of the delivery, and whether something is wrong.
fn symbol(cell: &Cell) -> String {
    let (first, second) = match &cell.answer {
        Answer::NotShown => ('-', ' '),
        Answer::Garbled => ('#', ' '),
        Answer::Ok(delivery) => (
            match delivery.as_deref() {
                None => '.',
                Some("not_delivered") => '=',
                Some("delivered_verified") => 'v',
                Some(_) => 'u',
            },
            ' ',
        ),
        Answer::Failed(code, delivery) => (
            LETTERS.iter().find(|(known, ..)| known == code).map_or('#', |(_, letter)| *letter),
            match delivery.as_str() {
                "not_delivered" => ' ',
                "delivery_uncertain" => '?',
                _ => '+',
            },
        ),
    };
    let fault = if cell.faults.is_empty() { ' ' } else { '!' };
    format!("{fault}{first}{second}")
}

/// The letters of errors. The page explains them.
const LETTERS: [(&str, char); 12] = [
    ("TIMEOUT", 'T'),
    ("APP_UNRESPONSIVE", 'R'),
    ("APP_NOT_FOUND", 'A'),
    ("WINDOW_NOT_FOUND", 'W'),
    ("ELEMENT_NOT_FOUND", 'E'),
    ("STALE_REF", 'S'),
    ("AMBIGUOUS_TARGET", 'M'),
    ("ACTION_FAILED", 'F'),
    ("ACTION_NOT_SUPPORTED", 'N'),
    ("POLICY_DENIED", 'P'),
    ("PLATFORM_NOT_SUPPORTED", 'L'),
    ("INVALID_ARGS", 'I'),
];

fn switches(out: &mut String, cells: &[Cell]) -> Result<(), Failure> {
    writeln!(out, "\n## The switches\n")?;
    writeln!(out, "| | switch | the application | longest | most memory beyond | answers |")?;
    writeln!(out, "|---|---|---|---|---|---|")?;
    for (number, switch) in (1..).zip(SWITCHES) {
        let of_it: Vec<&Cell> = cells.iter().filter(|cell| cell.switch == switch.name).collect();
        let Some(worst) = Worst::of(&of_it, |cell| cell.command) else { continue };
        writeln!(
            out,
            "| {number} | {} | {} | {} | {} | {} |",
            switch.name,
            switch.about,
            worst.time,
            worst.memory,
            counts(&of_it)
        )?;
    }
    Ok(())
}

fn commands(out: &mut String, cells: &[Cell]) -> Result<(), Failure> {
    writeln!(out, "\n## The commands\n")?;
    writeln!(out, "| command | longest | most memory | most memory beyond |")?;
    writeln!(out, "|---|---|---|---|")?;
    for command in COMMANDS {
        let of_it: Vec<&Cell> = cells.iter().filter(|cell| cell.command == command.title).collect();
        let Some(worst) = Worst::of(&of_it, |cell| cell.switch) else { continue };
        let peak = of_it.iter().map(|cell| cell.peak).max().unwrap_or(0);
        writeln!(
            out,
            "| `{}` | {} | {} MB | {} |",
            command.title,
            worst.time,
            peak / 1024,
            worst.memory
        )?;
    }
    Ok(())
}

struct Worst {
    time: String,
    memory: String,
}

impl Worst {
    /// The worst of `cells`, with what else each of them is about.
    fn of<'a>(cells: &[&'a Cell], other: impl Fn(&'a Cell) -> &'static str) -> Option<Self> {
        let slowest = cells.iter().max_by_key(|cell| cell.elapsed)?;
        let largest = cells.iter().max_by_key(|cell| cell.beyond)?;
        let time = format!("{} ms ({})", slowest.elapsed.as_millis(), other(slowest));
        let memory = match largest.beyond / 1024 {
            0 => "under 1 MB".to_owned(),
            many => format!("{many} MB ({})", other(largest)),
        };
        Some(Self { time, memory })
    }
}

/// How often which answer was given, the most frequent first.
fn counts(cells: &[&Cell]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for cell in cells {
        let answer = match &cell.answer {
            Answer::NotShown => "not shown",
            Answer::Garbled => "garbled",
            Answer::Ok(_) => "ok",
            Answer::Failed(code, _) => code,
        };
        match counts.iter_mut().find(|(known, _)| *known == answer) {
            Some((_, many)) => *many += 1,
            None => counts.push((answer, 1)),
        }
    }
    counts.sort_by_key(|(_, many)| std::cmp::Reverse(*many));
    counts.iter().map(|(answer, many)| format!("{many} {answer}")).collect::<Vec<_>>().join(", ")
}
