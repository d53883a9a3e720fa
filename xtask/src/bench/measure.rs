//! What one run of the program costs.

use std::{
    sync::LazyLock,
    time::{Duration, Instant},
};

use desktop_tests::Desktop;
use tiktoken_rs::CoreBPE;

use super::Failure;

/// A run that succeeded.
pub(super) struct Run {
    /// From exec to exit.
    pub(super) elapsed: Duration,
    pub(super) output: String,
}

/// What a run took of the machine.
pub(super) struct Usage {
    /// The most memory that it had at once.
    pub(super) peak_kib: u64,
    pub(super) processor: Duration,
}

/// Runs the program; it must succeed.
pub(super) fn timed(desktop: &Desktop, arguments: &[&str]) -> Result<Run, Failure> {
    let mut command = desktop.agent_desktop(arguments);
    let start = Instant::now();
    let output = command.output()?;
    let elapsed = start.elapsed();
    let text = String::from_utf8(output.stdout)?;
    if output.status.success() { Ok(Run { elapsed, output: text }) } else { Err(text.into()) }
}

/// How many tokens a text is to a model, in the vocabulary o200k.
#[expect(clippy::expect_used, reason = "the vocabulary is part of the crate")]
pub(super) fn tokens(text: &str) -> usize {
    static VOCABULARY: LazyLock<CoreBPE> =
        LazyLock::new(|| tiktoken_rs::o200k_base().expect("a vocabulary"));
    VOCABULARY.count_ordinary(text)
}

/// How many messages a run sends and receives on the accessibility bus.
pub(super) fn messages(desktop: &Desktop, arguments: &[&str]) -> Result<usize, Failure> {
    let monitor = desktop.monitor();
    timed(desktop, arguments)?;
    Ok(monitor.newcomers()?.1)
}

/// The system tells a parent of its children only, so a small parent is put between.
pub(super) fn usage(desktop: &Desktop, arguments: &[&str]) -> Result<Usage, Failure> {
    let script = "import resource, subprocess, sys\n\
        subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n\
        used = resource.getrusage(resource.RUSAGE_CHILDREN)\n\
        print(used.ru_maxrss, int((used.ru_utime + used.ru_stime) * 1e6))";
    let run = desktop.agent_desktop(arguments);
    let mut python = desktop.command("/usr/bin/python3");
    python.args(["-c", script]).arg(run.get_program()).args(run.get_args());
    for (name, value) in run.get_envs() {
        if let Some(value) = value {
            python.env(name, value);
        }
    }
    let output = python.output()?;
    let told = String::from_utf8_lossy(&output.stdout);
    let mut told = told.split_whitespace().map(str::parse::<u64>);
    match (told.next(), told.next()) {
        (Some(Ok(peak_kib)), Some(Ok(micros))) => {
            Ok(Usage { peak_kib, processor: Duration::from_micros(micros) })
        }
        _ => Err(String::from_utf8_lossy(&output.stderr).into()),
    }
}
