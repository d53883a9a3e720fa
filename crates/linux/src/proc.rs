//! What the kernel tells about processes, through /proc. A process that is gone, or that one may
//! not look into, is `None`.

use std::{ffi::OsString, fs, os::unix::ffi::OsStringExt, os::unix::fs::MetadataExt};

/// When the process started, in clock ticks since boot. Together with the pid it names one
/// process for as long as the machine runs. A zombie counts as gone.
pub fn start_time(pid: u32) -> Option<u64> {
    let stat = stat(pid)?;
    let mut fields = fields(&stat)?;
    (!matches!(fields.next()?, "Z" | "X" | "x")).then_some(())?;
    fields.nth(18)?.parse().ok()
}

/// The process that started this one, or that took it over when that one ended.
pub fn parent(pid: u32) -> Option<u32> {
    fields(&stat(pid)?)?.nth(1)?.parse().ok()
}

/// The name of the program, as `ps` shows it, or the whole of it where that was cut at 15 bytes.
pub fn name(pid: u32) -> Option<String> {
    let comm = fs::read(format!("/proc/{pid}/comm")).ok()?;
    let comm = String::from_utf8_lossy(&comm).trim_end().to_owned();
    if comm.len() < COMM_LIMIT {
        return Some(comm);
    }
    let program = fs::read_link(format!("/proc/{pid}/exe")).ok();
    let whole = program.and_then(|program| {
        let file = program.file_name()?.to_str()?.to_owned();
        Some(file.strip_suffix(" (deleted)").unwrap_or(&file).to_owned())
    });
    Some(whole.filter(|whole| whole.starts_with(&comm)).unwrap_or(comm))
}

/// Where the kernel cuts a program's name.
const COMM_LIMIT: usize = 15;

/// The variables that the process was started with, `KEY=VALUE` each. Only processes of the user
/// who asks are looked into, also when that user is root.
pub fn environ(pid: u32) -> Option<Vec<OsString>> {
    let directory = format!("/proc/{pid}");
    if fs::metadata(&directory).ok()?.uid() != rustix::process::geteuid().as_raw() {
        return None;
    }
    let block = fs::read(directory + "/environ").ok()?;
    Some(block.split(|byte| *byte == 0).map(|entry| OsString::from_vec(entry.to_vec())).collect())
}

/// Every process that can be seen.
pub fn pids() -> Vec<u32> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect()
}

fn stat(pid: u32) -> Option<String> {
    // The program's name need not be valid UTF-8.
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    Some(String::from_utf8_lossy(&stat).into_owned())
}

/// What follows the program's name, which stands in parentheses and may itself hold spaces and
/// parentheses.
fn fields(stat: &str) -> Option<impl Iterator<Item = &str>> {
    Some(stat.rsplit_once(") ")?.1.split(' '))
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use agent_desktop_engine::platform::Deadline;

    use super::*;

    #[test]
    fn a_child_is_seen_until_it_has_ended() {
        let mut child = Command::new("cat")
            .env("AGENT_DESKTOP_TEST", "a b")
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let pid = child.id();
        let own = start_time(std::process::id()).unwrap();
        assert!(start_time(pid).unwrap() >= own);
        assert!(pids().contains(&pid));
        assert_eq!(parent(pid), Some(std::process::id()));
        // A program is spawned before the kernel has laid out its name and variables.
        let given = OsString::from("AGENT_DESKTOP_TEST=a b");
        let laid_out = || {
            name(pid).as_deref() == Some("cat")
                && environ(pid).is_some_and(|variables| variables.contains(&given))
        };
        let deadline = Deadline::after_ms(10_000);
        while !laid_out() {
            assert!(!deadline.passed(), "{:?} {:?}", name(pid), environ(pid));
            std::thread::yield_now();
        }
        drop(child.stdin.take());
        // Reaped, its entry is gone.
        child.wait().unwrap();
        assert_eq!(start_time(pid), None);
        assert_eq!(environ(pid), None);
    }
}
