//! An application that was read often is still there, and no larger than before.

use std::{env, fs};

use desktop_tests::{App, Desktop, applications::Application};

/// How often, unless `AGENT_DESKTOP_READS` says otherwise: few enough for every run of the tests.
/// `AGENT_DESKTOP_READS=1000` is for an evening.
const READS: usize = 30;

/// What an application may grow by, in kilobytes, once it has been read for a while.
const GROWTH: u64 = 2_048;

/// What the ATK wrapper of Java loses with each reading of the Swing window, in kilobytes: it went
/// on linearly through 150 readings, with a heap of 24 MB that is full at once.
const LOST_BY_JAVA: u64 = 400;

pub(super) const ALL: &[&[&str]] = &[
    &["snapshot", "-i"],
    &["find", "--role", "button", "--count"],
    &["snapshot", "--skeleton", "--include-bounds"],
];

/// Each cell of a sheet that is asked for costs LibreOffice 7.4.7 seven kilobytes for good, whoever
/// asks, so what needs no cells must ask for none.
pub(super) const WITHOUT_CELLS: &[&[&str]] = &[
    &["find", "--role", "button", "--count"],
    &["snapshot", "--skeleton", "--include-bounds"],
    &["find", "--role", "tab", "--first"],
];

/// Reads a window again and again, in the state in which it is: with a menu open, if it has one.
#[track_caller]
pub(super) fn read_often(
    desktop: &Desktop,
    app: &App,
    application: &Application,
    commands: &[&[&str]],
) {
    let reads = env::var("AGENT_DESKTOP_READS").ok().and_then(|reads| reads.parse().ok());
    let reads = reads.unwrap_or(READS);
    let window = app.window_id();
    let here = ["--window-id", &window, "--timeout-ms", "20000"];
    let read = |times: usize| {
        for (arguments, reading) in commands.iter().cycle().zip(1..=times) {
            let outcome = desktop.run(&[arguments, &here[..]].concat());
            let lives = fs::exists(format!("/proc/{}", app.pid)).expect("/proc");
            assert_eq!(
                outcome.status,
                Some(0),
                "{}, which lives: {lives}, was read {reading} times: {outcome}",
                application.title
            );
        }
    };
    read(reads / 3);
    let warm = resident(app.pid);
    read(reads - reads / 3);
    let grown = resident(app.pid).saturating_sub(warm);
    let title = application.title;
    let loses = application.program == "java";
    let lost = if loses { LOST_BY_JAVA * u64::try_from(reads).unwrap() } else { 0 };
    assert!(
        grown <= GROWTH.max(warm / 50) + lost,
        "{title} grew from {warm} kB by {grown} kB in {reads} reads"
    );
    let apps = desktop.run(&["list-apps"]).data();
    let still = apps["apps"].as_array().unwrap().iter().find(|one| one["pid"] == app.pid);
    assert!(still.is_some_and(|one| one["responding"] == true), "{title} has left: {apps}");
}

/// Memory of a process that is in use, in kilobytes.
fn resident(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("it lives");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a size");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}
