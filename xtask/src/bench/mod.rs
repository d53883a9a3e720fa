//! Measures the release build on real windows against the fewest bus calls that give the same
//! tree, in one run and by turns, so that what else the machine does hits both alike.

#![expect(clippy::print_stdout, reason = "the table is what this is for")]

mod floor;
mod sample;

use std::{error::Error, process::Command};

use desktop_tests::{App, Desktop, reader::Node};

use floor::{Floor, Toolkit};
use sample::Sample;

/// How often a window is read that was read before.
const ROUNDS: usize = 30;

/// How often an application is started anew to be read for the first time, by each side.
const STARTS: usize = 7;

type Failure = Box<dyn Error>;

struct Subject {
    name: &'static str,
    toolkit: Toolkit,
}

const SUBJECTS: &[Subject] = &[
    Subject { name: "gnome-calculator", toolkit: Toolkit::Gtk4 },
    Subject { name: "gtk3-widget-factory", toolkit: Toolkit::Gtk3 },
];

/// Builds the release, measures and prints.
pub(crate) fn run() -> Result<(), Failure> {
    build_release()?;
    let desktop = Desktop::start();
    // What is to be read, and what it is compared with.
    println!("{:<46} {}  messages  peak KiB", "", sample::HEADING);
    for subject in SUBJECTS {
        never_read(&desktop, subject)?;
        read_before(&desktop, subject)?;
    }
    println!(
        "\nours: from exec to exit. floor: connect to the session bus, ask for the accessibility \
         bus, connect, and\nthe fewest calls known for the same tree, without starting a process. \
         goal: 1.5 x floor + 5 ms."
    );
    Ok(())
}

fn never_read(desktop: &Desktop, subject: &Subject) -> Result<(), Failure> {
    let (mut ours, mut floors) = (Sample::default(), Sample::default());
    for _ in 0..STARTS {
        let app = desktop.launch(subject.name, &[]);
        ours.add(timed(desktop, &snapshot(subject))?);
        drop(app);
        let app = desktop.launch(subject.name, &[]);
        floors.add(floor_of(desktop, subject, &app)?.elapsed);
    }
    println!("{:<46} {}", format!("{} snapshot, never read", subject.name), ours.against(&floors));
    Ok(())
}

fn read_before(desktop: &Desktop, subject: &Subject) -> Result<(), Failure> {
    let app = desktop.launch(subject.name, &[]);
    let find = ["find", "--app", subject.name, "--role", "button", "--first"];
    let snapshot = snapshot(subject);
    timed(desktop, &snapshot)?;
    let (mut snapshots, mut finds, mut floors) =
        (Sample::default(), Sample::default(), Sample::default());
    let mut floor = floor_of(desktop, subject, &app)?;
    for _ in 0..ROUNDS {
        floor = floor::read(&desktop.session_address(), subject.name, subject.toolkit)?;
        floors.add(floor.elapsed);
        snapshots.add(timed(desktop, &snapshot)?);
        finds.add(timed(desktop, &find)?);
    }
    for (what, arguments, sample) in
        [("snapshot", &snapshot[..], snapshots), ("find", &find[..], finds)]
    {
        println!(
            "{:<46} {}  {:>8}  {:>8}",
            format!("{} {what}, read before", subject.name),
            sample.against(&floors),
            messages(desktop, arguments)?,
            peak_kib(desktop, arguments)?
        );
    }
    println!("{:<46} {} nodes, {} calls", "  its floor", floor.nodes, floor.calls);
    Ok(())
}

fn snapshot(subject: &Subject) -> [&'static str; 5] {
    ["snapshot", "--app", subject.name, "-i", "--compact"]
}

/// The floor, after checking that it sees the tree that libatspi sees.
fn floor_of(desktop: &Desktop, subject: &Subject, app: &App) -> Result<Floor, Failure> {
    let floor = floor::read(&desktop.session_address(), subject.name, subject.toolkit)?;
    let nodes = count(&desktop.independent_tree(app.process.id()));
    if floor.nodes != nodes {
        let name = subject.name;
        return Err(format!("the floor reads {} of {nodes} nodes of {name}", floor.nodes).into());
    }
    Ok(floor)
}

fn count(node: &Node) -> usize {
    1 + node.children.iter().map(count).sum::<usize>()
}

/// How long a run takes from exec to exit; it must succeed.
fn timed(desktop: &Desktop, arguments: &[&str]) -> Result<std::time::Duration, Failure> {
    let mut command = desktop.agent_desktop(arguments);
    let start = std::time::Instant::now();
    let output = command.output()?;
    let elapsed = start.elapsed();
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stdout).into());
    }
    Ok(elapsed)
}

/// How many messages a run sends and receives on the accessibility bus.
fn messages(desktop: &Desktop, arguments: &[&str]) -> Result<usize, Failure> {
    let monitor = desktop.monitor();
    timed(desktop, arguments)?;
    Ok(monitor.newcomers()?.1)
}

/// The most memory that a run had at once. The system tells a parent of its children only, so a
/// small parent is put between.
fn peak_kib(desktop: &Desktop, arguments: &[&str]) -> Result<u64, Failure> {
    let script = "import resource, subprocess, sys\n\
        subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n\
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)";
    let run = desktop.agent_desktop(arguments);
    let mut python = desktop.command("/usr/bin/python3");
    python.args(["-c", script]).arg(run.get_program()).args(run.get_args());
    let output = python.output()?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    String::from_utf8_lossy(&output.stdout).trim().parse().map_err(|_| complaint.into())
}

fn build_release() -> Result<(), Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["build", "--release", "--package", "agent-desktop"];
    let output = Command::new(cargo)
        .args(arguments)
        .args(["--message-format", "json-render-diagnostics"])
        .stderr(std::process::Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err("the release does not build".into());
    }
    let messages = String::from_utf8(output.stdout)?;
    let binary = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .find_map(|message| {
            let ours = message["target"]["name"] == "agent-desktop";
            message["executable"].as_str().filter(|_| ours).map(std::path::PathBuf::from)
        });
    desktop_tests::put_to_the_test(binary.ok_or("cargo built no program")?);
    Ok(())
}
