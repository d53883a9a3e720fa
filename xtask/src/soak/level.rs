//! What must not grow: memory and descriptors of servers and of applications that stay, files and
//! locks of the state root, processes of the program itself.

use std::{
    collections::{BTreeMap, HashSet},
    fmt, fs,
    os::unix::fs::MetadataExt,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use desktop_tests::Desktop;

use super::crowd::Crowd;

/// What is looked at.
pub(super) struct Watch<'a> {
    desktop: &'a Desktop,
    /// How many processes of the program belong to the desktop itself.
    own: usize,
}

/// Figures at one moment.
pub(super) type Sample = BTreeMap<String, u64>;

/// One figure, judged.
pub(super) struct Line {
    what: String,
    first: u64,
    last: u64,
    pub(super) is_level: bool,
}

/// How often it is looked.
const PAUSE: Duration = Duration::from_secs(2);

/// The servers of a private desktop, as the kernel calls them.
const SERVERS: [&str; 5] = ["Xvfb", "dbus-daemon", "at-spi-bus-laun", "at-spi2-registr", "openbox"];

impl<'a> Watch<'a> {
    pub(super) fn begin(desktop: &'a Desktop) -> Self {
        Self { desktop, own: desktop.processes_of_ours().len() }
    }

    /// Looks again and again until it is `over`.
    pub(super) fn samples(&self, crowd: &Crowd, over: &AtomicBool) -> Vec<Sample> {
        let mut samples = Vec::new();
        while !over.load(Ordering::Relaxed) {
            samples.push(self.sample(crowd));
            let next = Instant::now() + PAUSE;
            while Instant::now() < next && !over.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(50));
            }
        }
        samples
    }

    fn sample(&self, crowd: &Crowd) -> Sample {
        let mut sample = Sample::new();
        for (pid, name) in self.desktop.members() {
            if SERVERS.contains(&name.as_str()) {
                *sample.entry(format!("{name}, KB")).or_default() += memory(pid);
                *sample.entry(format!("{name}, descriptors")).or_default() += descriptors(pid);
            }
        }
        // One that a click has ended is another one when it was started again.
        for (name, pid) in crowd.steady().into_iter().filter(|(_, pid)| memory(*pid) > 0) {
            sample.insert(format!("{name} as process {pid}, KB"), memory(pid));
            sample.insert(format!("{name} as process {pid}, descriptors"), descriptors(pid));
        }
        let files = files(&self.desktop.state_root());
        sample.insert("files of the state root".to_owned(), files.len() as u64);
        sample.insert("locks that are held there".to_owned(), locks(&files));
        sample
    }

    /// Compares the first third of what was seen with the last one. What was too short `is_long` not:
    /// then only what cannot be excused by a beginning is judged.
    pub(super) fn judge(&self, samples: &[Sample], is_long: bool) -> Vec<Line> {
        let third = samples.len() / 3;
        let (Some(first), Some(last)) =
            (samples.get(..third), samples.get(samples.len() - third..))
        else {
            return Vec::new();
        };
        let names: BTreeMap<&String, ()> =
            samples.iter().flat_map(BTreeMap::keys).map(|name| (name, ())).collect();
        let of = |part: &[Sample], name: &String| {
            let mut values: Vec<u64> = part.iter().filter_map(|it| it.get(name)).copied().collect();
            values.sort_unstable();
            values.get(values.len() / 2).copied().unwrap_or_default()
        };
        let has = |part: &[Sample], name: &String| part.iter().any(|it| it.contains_key(name));
        let lasting = names.into_keys().filter(|name| has(first, name) && has(last, name));
        let judged = lasting.map(|name| {
            let (first, last) = (of(first, name), of(last, name));
            let is_level = !is_long || last <= first + first / 5 + slack(name);
            Line { what: name.clone(), first, last, is_level }
        });
        judged.collect()
    }

    /// What of the program is there after its last command: one process may keep the clipboard.
    pub(super) fn left_over(&self, desktop: &Desktop) -> Vec<Line> {
        let own = self.own as u64;
        let start = Instant::now();
        loop {
            let last = desktop.processes_of_ours().len() as u64;
            let locks = locks(&files(&desktop.state_root()));
            let is_level = last <= own + 1;
            if is_level || start.elapsed() > Duration::from_secs(10) {
                let what = "processes of the program, at the end".to_owned();
                let held = "locks that are held, at the end".to_owned();
                return vec![
                    Line { what, first: own, last, is_level },
                    Line { what: held, first: 0, last: locks, is_level: locks <= own },
                ];
            }
            thread::sleep(Duration::from_millis(100));
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let judgement = if self.is_level { "level" } else { "**not level**" };
        write!(f, "| {} | {} | {} | {judgement} |", self.what, self.first, self.last)
    }
}

/// What a figure may gain beyond a fifth: what one command has open while it is looked.
fn slack(name: &str) -> u64 {
    match name {
        name if name.ends_with("KB") => 8 * 1024,
        name if name.ends_with("descriptors") => 12,
        name if name.starts_with("files") => 40,
        _ => 4,
    }
}

/// Resident memory in kilobytes.
fn memory(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or_default()
}

fn descriptors(pid: u32) -> u64 {
    fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, |all| all.count() as u64)
}

/// The inodes of all files below `directory`.
fn files(directory: &Path) -> HashSet<u64> {
    let mut found = HashSet::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let Ok(metadata) = entry.path().symlink_metadata() else { continue };
            if metadata.is_dir() {
                open.push(entry.path());
            } else {
                found.insert(metadata.ino());
            }
        }
    }
    found
}

/// How many locks are held on `files`, by their inodes.
fn locks(files: &HashSet<u64>) -> u64 {
    let all = fs::read_to_string("/proc/locks").unwrap_or_default();
    let is_ours = |line: &&str| {
        let place = line.split_whitespace().find(|word| word.matches(':').count() == 2);
        let inode = place.and_then(|place| place.rsplit(':').next()?.parse().ok());
        inode.is_some_and(|inode| files.contains(&inode))
    };
    all.lines().filter(is_ours).count() as u64
}
