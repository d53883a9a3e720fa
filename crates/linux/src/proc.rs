//! What the kernel tells about processes, through /proc. A process that is gone, or that one may
//! not look into, is `None`.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::Read,
    os::unix::{ffi::OsStringExt, fs::MetadataExt},
    path::{Path, PathBuf},
};

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

/// The session that it is in: the process that began it.
pub(crate) fn session(pid: u32) -> Option<u32> {
    fields(&stat(pid)?)?.nth(3)?.parse().ok()
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

/// The program and the arguments that the process was started with, as far as they are text. One
/// that has rewritten them as a title, with blanks between, gives the words of that.
pub fn arguments(pid: u32) -> Option<Vec<String>> {
    let line = fs::read(format!("/proc/{pid}/cmdline")).ok().filter(|line| !line.is_empty())?;
    let is_title = line.iter().filter(|byte| **byte == 0).count() <= 1;
    let arguments = line.split(|byte| *byte == 0 || (is_title && *byte == b' '));
    Some(arguments.map(|argument| String::from_utf8_lossy(argument).into_owned()).collect())
}

/// The user whose process it is.
pub(crate) fn owner(pid: u32) -> Option<u32> {
    fs::metadata(format!("/proc/{pid}")).ok().map(|metadata| metadata.uid())
}

/// The file of its program.
pub(crate) fn program(pid: u32) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{pid}/exe")).ok()
}

/// The letter of its state, such as `T` for one that was stopped.
pub(crate) fn state(pid: u32) -> Option<char> {
    fields(&stat(pid)?)?.next()?.chars().next()
}

/// The names of the files that are mapped into it, its libraries among them.
pub(crate) fn mapped_files(pid: u32) -> Option<Vec<String>> {
    let maps = fs::read(format!("/proc/{pid}/maps")).ok()?;
    let maps = String::from_utf8_lossy(&maps);
    let files = maps.lines().filter_map(|line| line.split_once(" /")?.1.rsplit('/').next());
    let mut files: Vec<String> = files.map(str::to_owned).collect();
    files.sort_unstable();
    files.dedup();
    Some(files)
}

/// Whether the file of a program contains `text`; the first 256 MiB are looked at.
pub(crate) fn contains(program: &Path, text: &[u8]) -> bool {
    const MOST: u64 = 256 << 20;
    let Ok(file) = File::open(program) else { return false };
    let mut file = file.take(MOST);
    let mut buffer = Vec::with_capacity(1 << 20);
    loop {
        // What may be the beginning of the text is looked at again with what follows it.
        let kept = buffer.len().min(text.len().saturating_sub(1));
        buffer.drain(..buffer.len() - kept);
        match (&mut file).take((1 << 20) - kept as u64).read_to_end(&mut buffer) {
            Ok(0) | Err(_) => return false,
            Ok(_) if buffer.windows(text.len()).any(|part| part == text) => return true,
            Ok(_) => {}
        }
    }
}

/// The soft limit of the size of files that the process may write; none if there is no limit.
pub(crate) fn file_size_limit(pid: u32) -> Option<u64> {
    let limits = fs::read_to_string(format!("/proc/{pid}/limits")).ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max file size"))?;
    line.split_whitespace().next()?.parse().ok()
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
