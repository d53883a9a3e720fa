//! Runs every command of the program against every way in which the misbehaving peer misbehaves,
//! and writes what comes of it into docs/robustness.md.

mod page;

use std::{collections::BTreeSet, error::Error, fs, path::PathBuf, time::Instant};

use desktop_tests::matrix::{self, COMMANDS, EXCUSED, SWITCHES};

type Failure = Box<dyn Error>;

/// Runs the switches with these names, or all of them; then what they came to is written, too.
pub(crate) fn run(only: &[&str]) -> Result<(), Failure> {
    if let Some(missing) = missing().first() {
        return Err(format!("`{missing}` is not in the matrix").into());
    }
    if let Some(unknown) = only.iter().find(|name| SWITCHES.iter().all(|one| one.name != **name)) {
        return Err(format!("there is no switch `{unknown}`").into());
    }
    let start = Instant::now();
    let is_chosen = |name: &str| only.is_empty() || only.contains(&name);
    let chosen: Vec<_> = SWITCHES.iter().filter(|one| is_chosen(one.name)).collect();
    let results = matrix::run(&chosen);
    if only.is_empty() {
        let path = page_path();
        let old = fs::read_to_string(&path)?;
        fs::write(path, page::with(&old, &results.cells, start.elapsed())?)?;
    }
    #[expect(clippy::print_stdout, reason = "who asks for some wants to see them")]
    for cell in results.cells.iter().filter(|cell| only.contains(&cell.switch)) {
        println!("{cell}");
    }
    let faults = results.faults();
    match faults.len() {
        0 => Ok(()),
        many => {
            Err(format!("{}\n{many} of {} cells", faults.join("\n"), results.cells.len()).into())
        }
    }
}

/// Commands of the program that are neither in the matrix nor excused.
fn missing() -> Vec<String> {
    let known: BTreeSet<&str> =
        COMMANDS.iter().map(|one| one.name()).chain(EXCUSED.map(|(name, _)| name)).collect();
    let program = agent_desktop_cli::command();
    let names = program.get_subcommands().map(clap::Command::get_name);
    names.filter(|name| !known.contains(name)).map(str::to_owned).collect()
}

fn page_path() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "docs", "robustness.md"].iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_of_the_program_is_in_the_matrix() {
        assert_eq!(missing(), Vec::<String>::new());
    }

    #[test]
    fn every_command_that_takes_a_timeout_gets_one() {
        let program = agent_desktop_cli::command();
        for command in COMMANDS {
            let of_program = program.find_subcommand(command.name()).unwrap();
            let takes = of_program
                .get_arguments()
                .any(|one| matches!(one.get_long(), Some("timeout-ms" | "timeout")));
            assert_eq!(command.timeouts() > 0, takes, "{}", command.title);
        }
    }

    #[test]
    fn the_page_tells_of_every_command_and_switch() {
        let page = fs::read_to_string(page_path()).unwrap();
        for command in COMMANDS {
            assert!(page.contains(&format!("\n{} ", command.title)), "{}", command.title);
        }
        for switch in SWITCHES {
            assert!(page.contains(&format!("| {} |", switch.name)), "{}", switch.name);
        }
    }
}
