//! Other programs that read windows, by turns with ours. `scripts/peers` installs them.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, Output},
    time::{Duration, Instant},
};

use desktop_tests::{
    App, Desktop,
    applications::{Application, dense, libreoffice},
};

use super::{
    Failure, Options,
    measure::tokens,
    reads::{SNAPSHOT, of_window, windows},
    report::Report,
    sample::Sample,
    table::{Head, Row},
};

/// A ratio is of ours to the fastest peer that read at least half of the window.
const TIMES: Head = Head {
    columns: &[
        "beside peers",
        "ours",
        "xa11y",
        "agent-desktop 0.1.3",
        "computer-use-linux",
        "libatspi",
        "ratio to the fastest",
    ],
    compared: &["ratio to the fastest"],
};

/// How much they print, in tokens.
const TOKENS: Head = Head {
    columns: &[
        "tokens printed",
        "ours",
        "xa11y",
        "agent-desktop 0.1.3",
        "computer-use-linux",
        "libatspi",
    ],
    compared: &[],
};

/// How long a peer may take to read a window.
const LIMIT: Duration = Duration::from_secs(20);

/// A program that reads all of an application.
struct Peer {
    /// Where it is in the directory of the peers.
    program: &'static str,
    arguments: fn(&Application, &App) -> Vec<String>,
    /// How many elements its output tells of.
    elements: fn(&str) -> usize,
}

/// In the order of the columns.
const PEERS: [Peer; 4] = [
    Peer {
        program: "python/bin/xa11y",
        arguments: |_, app| vec!["tree".into(), "--pid".into(), app.pid.to_string()],
        elements: |output| output.lines().count(),
    },
    Peer {
        program: "bin/agent-desktop",
        arguments: |_, app| {
            let everything = ["--include-hidden", "--max-depth", "100", "--max-elements", "100000"];
            let this = ["observe".into(), "--pid".into(), app.pid.to_string()];
            this.into_iter().chain(everything.map(str::to_owned)).collect()
        },
        elements: |output| output.matches("\"role\"").count(),
    },
    Peer {
        program: "bin/computer-use-linux",
        arguments: |application, _| vec!["state".into(), application.name.into()],
        elements: |output| output.matches("\"role\"").count(),
    },
    Peer {
        program: "/usr/bin/python3",
        arguments: |_, app| {
            let script = concat!(env!("CARGO_MANIFEST_DIR"), "/src/bench/walk.py");
            vec![script.into(), app.pid.to_string(), app.window.clone()]
        },
        elements: |output| output.lines().count(),
    },
];

/// What a peer's turn came to.
enum Turn {
    /// It is not installed.
    Absent,
    /// It failed, in these words.
    Failed(String),
    Read {
        times: Sample,
        output: String,
        elements: usize,
    },
}

/// Reads every window with every peer that is installed in `directory`.
pub(super) fn run(options: &Options, directory: &Path, report: &mut Report) -> Result<(), Failure> {
    let programs = PEERS.each_ref().map(|peer| {
        let program = directory.join(peer.program);
        program.exists().then_some(program)
    });
    if programs.iter().flatten().count() < 2 {
        return Err(format!("no peer is in {}: see scripts/peers", directory.display()).into());
    }
    // Calc answers none of them in a minute; the largest page takes them minutes.
    let left_out = [libreoffice::CALC.title, dense::PAGE_20_000.title];
    let windows = windows().filter(|one| !left_out.contains(&one.title));
    for application in windows.filter(|application| options.wants(application.title)) {
        let what = format!("{}, beside peers", application.title);
        report.attempt(&what, || measure(application, options, &programs));
    }
    Ok(())
}

fn measure(
    application: &Application,
    options: &Options,
    programs: &[Option<PathBuf>; PEERS.len()],
) -> Result<Vec<Row>, Failure> {
    let mut ours = Sample::new();
    let mut our_output = String::new();
    let mut turns = Vec::new();
    let mut most = 0;
    for (peer, program) in PEERS.iter().zip(programs) {
        let Some(program) = program else {
            turns.push(Turn::Absent);
            continue;
        };
        // What a peer does to an application is not the next one's trouble.
        let desktop = Desktop::start();
        let app = desktop.open(application);
        let window = app.window_id();
        let snapshot = of_window(&SNAPSHOT, &window);
        let our = || desktop.agent_desktop(&snapshot);
        let its = || {
            let mut command = desktop.command(program);
            command.args((peer.arguments)(application, &app));
            command
        };
        let turn = alternate(options, &mut ours, &mut our_output, our, its, peer)?;
        if let Turn::Read { elements, .. } = turn {
            most = most.max(elements);
        }
        turns.push(turn);
    }

    let is_whole = |elements: usize| 2 * elements >= most;
    let medians = turns.iter().filter_map(|turn| match turn {
        Turn::Read { times, elements, .. } if is_whole(*elements) => Some(times),
        _ => None,
    });
    let fastest = medians.min_by(|one, other| one.median().total_cmp(&other.median()));
    let title = || application.title.to_owned();
    let mut times = vec![title(), ours.told()];
    let mut printed = vec![title(), tokens(&our_output).to_string()];
    for turn in &turns {
        let (time, size) = match turn {
            Turn::Absent => ("–".to_owned(), "–".to_owned()),
            Turn::Failed(words) => (words.clone(), "–".to_owned()),
            Turn::Read { times, output, elements } if is_whole(*elements) => {
                (times.told(), tokens(output).to_string())
            }
            Turn::Read { times, output, elements } => (
                format!("{}, {elements} elements of {most}", times.told()),
                tokens(output).to_string(),
            ),
        };
        times.push(time);
        printed.push(size);
    }
    times.push(fastest.map_or("–".to_owned(), |fastest| ours.against(fastest)));
    Ok(vec![(&TIMES, times), (&TOKENS, printed)])
}

/// Runs ours and the peer's by turns. The first round shows whether they work and wakes what
/// sleeps; it is not counted.
fn alternate(
    options: &Options,
    ours: &mut Sample,
    our_output: &mut String,
    our: impl Fn() -> Command,
    its: impl Fn() -> Command,
    peer: &Peer,
) -> Result<Turn, Failure> {
    let mut times = Sample::new();
    let mut output = String::new();
    for round in std::iter::once(None).chain(options.rounds().map(Some)) {
        match limited(our())? {
            Ok((elapsed, text)) => {
                *our_output = text;
                if round.is_some() {
                    ours.add(elapsed);
                }
            }
            Err(words) => return Err(words.into()),
        }
        match limited(its())? {
            Ok((elapsed, text)) => {
                output = text;
                if round.is_some() {
                    times.add(elapsed);
                }
            }
            Err(words) => return Ok(Turn::Failed(words)),
        }
    }
    Ok(Turn::Read { times, elements: (peer.elements)(&output), output })
}

/// Runs a command that is ended when its time is over: how long it took and what it printed, or
/// what became of it.
fn limited(command: Command) -> Result<Result<(Duration, String), String>, Failure> {
    let mut timeout = Command::new("timeout");
    let limit = LIMIT.as_secs().to_string();
    timeout.args(["--signal=KILL", &limit]).arg(command.get_program()).args(command.get_args());
    timeout.env_clear();
    let given =
        |(name, value): (&OsStr, Option<&OsStr>)| Some((name.to_owned(), value?.to_owned()));
    timeout.envs(command.get_envs().filter_map(given));
    let start = Instant::now();
    let Output { status, stdout, stderr } = timeout.output()?;
    let elapsed = start.elapsed();
    Ok(match status.code() {
        Some(0) => Ok((elapsed, String::from_utf8_lossy(&stdout).into_owned())),
        _ if elapsed >= LIMIT => Err(format!("no answer in {limit} s")),
        _ => {
            let said = String::from_utf8_lossy(if stderr.is_empty() { &stdout } else { &stderr });
            let line =
                said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("silently");
            let line: String = line.trim().replace('|', "/").chars().take(60).collect();
            Err(format!("failed: {line}"))
        }
    })
}
