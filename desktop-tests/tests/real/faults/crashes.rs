//! The program is killed, and many of it run at once; what is saved stays whole.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use desktop_tests::{Desktop, Process, tree};
use rustix::process::Signal;

const KILLS: u32 = 200;

#[test]
fn two_hundred_kills_leave_a_store_that_the_next_command_reads() {
    let desktop = Desktop::start();
    let _calculator = desktop.launch("gnome-calculator", &[]);
    let snapshot = ["snapshot", "--app", "gnome-calculator", "-i"];
    desktop.run(&snapshot).data();
    // How long it takes varies with what else the machine does, so the estimate follows: kills
    // that come too late shorten it, those that meet a process lengthen it.
    let mut usual = desktop.run(&snapshot).elapsed;

    let mut cut_short = 0;
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..KILLS {
        // Half of the kills anywhere, half towards the end, where it writes.
        let share = if round % 2 == 0 { random.share() } else { 0.6 + 0.5 * random.share() };
        let mut process = Process::spawn(&mut desktop.agent_desktop(&snapshot)).unwrap();
        let kill_at = Instant::now() + usual.mul_f64(share);
        while Instant::now() < kill_at {
            std::hint::spin_loop();
        }
        let met = process.ended().is_none();
        cut_short += u32::from(met);
        usual = usual.mul_f64(if met { 1.02 } else { 0.96 });
        process.signal(Signal::KILL);
        drop(process);

        let status = desktop.run(&["status"]).data();
        let latest = status["snapshot_id"].as_str().expect("a latest snapshot");
        let reference = format!("@{latest}:e1");
        let role = desktop.run(&["get", &reference, "--property", "role"]);
        assert!(role.data()["value"].is_string(), "kill {round}: {role}");
    }
    assert!(cut_short > KILLS / 3, "only {cut_short} of {KILLS} kills met a running process");

    // Whatever the kills left behind goes with the next eviction, which keeps 96 of 129.
    let kept = until_eviction(&desktop, &snapshot);
    assert!((96..=97).contains(&kept.len()), "{} snapshots are kept", kept.len());
    for directory in &kept {
        let files = names(directory);
        assert_eq!(files, ["refmap.json"], "in {}", directory.display());
    }
    let orphans: Vec<_> =
        everything(&desktop.state_root()).into_iter().filter(|path| is_temporary(path)).collect();
    assert!(orphans.is_empty(), "{orphans:#?}");
}

/// Random kills seldom meet the moment between making a file and naming it, so these wait for it.
#[test]
fn what_a_kill_in_the_middle_of_saving_leaves_is_gone_with_the_next_snapshot() {
    let desktop = Desktop::start();
    let _dialog = desktop.launch("zenity", &["--info", "--text=Saved"]);
    let snapshot = ["snapshot", "--app", "zenity", "-i"];
    desktop.run(&snapshot).data();
    let directory = desktop.state_root().join("snapshots");
    let orphans = || names(&directory).into_iter().filter(|name| name.contains(".tmp")).count();
    let mut left = 0;
    for _ in 0..KILLS {
        let mut process = Process::spawn(&mut desktop.agent_desktop(&snapshot)).unwrap();
        while orphans() == 0 && process.ended().is_none() {}
        process.signal(Signal::KILL);
        drop(process);
        left += u32::from(orphans() > 0);
        desktop.run(&snapshot).data();
        assert_eq!(orphans(), 0, "after {left} were left");
        if left == 3 {
            return;
        }
    }
    panic!("only {left} of {KILLS} kills met a snapshot that was being saved");
}

#[test]
fn eight_snapshots_at_once_are_all_whole() {
    let desktop = Desktop::start();
    let _calculator = desktop.launch("gnome-calculator", &[]);
    let snapshot = ["snapshot", "--app", "gnome-calculator", "-i", "--timeout-ms", "20000"];
    let runs: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..8).map(|_| scope.spawn(|| desktop.run(&snapshot).data())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let ids: HashSet<_> = runs.iter().map(|run| run["snapshot_id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 8);
    for run in &runs {
        assert_eq!(run["complete"], true);
        assert_eq!(tree::count(&run["tree"]), tree::count(&runs[0]["tree"]));
        let references: Vec<_> =
            tree::all(&run["tree"]).filter_map(|node| node["ref_id"].as_str()).collect();
        assert!(references.len() >= 30, "{} refs", references.len());
        let mut twins = 0;
        for reference in &references {
            let envelope = desktop.run(&["get", reference, "--property", "role"]).envelope();
            // An identical twin is refused for what it is; any other refusal is a loss.
            if envelope["ok"] != true {
                let kind = &envelope["error"]["details"]["kind"];
                assert_eq!(kind, "identity_not_unique", "{envelope:#}");
                twins += 1;
            }
        }
        assert!(twins * 10 <= references.len(), "{twins} of {} refused", references.len());
    }
}

/// Takes snapshots until some are evicted; the directories of those that are left.
fn until_eviction(desktop: &Desktop, snapshot: &[&str]) -> Vec<PathBuf> {
    let directory = desktop.state_root().join("snapshots");
    let kept =
        || -> Vec<PathBuf> { names(&directory).iter().map(|name| directory.join(name)).collect() };
    let mut before = kept().len();
    for _ in 0..140 {
        desktop.run(snapshot).data();
        let now = kept();
        if now.len() < before {
            return now;
        }
        before = now.len();
    }
    panic!("{before} snapshots and nothing is evicted");
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn everything(top: &Path) -> Vec<PathBuf> {
    let mut found = vec![top.to_owned()];
    let mut at = 0;
    while let Some(path) = found.get(at).cloned() {
        if path.is_dir() {
            found.extend(names(&path).iter().map(|name| path.join(name)));
        }
        at += 1;
    }
    found
}

fn is_temporary(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().contains(".tmp"))
}

/// A sequence that is the same in every run (xorshift).
struct Random(u64);

impl Random {
    /// From 0 to 1.
    fn share(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        f64::from(u32::try_from(self.0 >> 32).unwrap()) / f64::from(u32::MAX)
    }
}
