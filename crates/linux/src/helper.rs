//! Processes of this same program that go on when a command has ended. They are started with a
//! plan as their one argument, told everything private on standard input, and report once, on one
//! line of standard output.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, Write},
    os::fd::AsFd,
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
};

use agent_desktop_engine::platform::Deadline;
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::{MemfdFlags, memfd_create},
    io::Errno,
    process::setsid,
};

/// The first two arguments of the process that owns the clipboard.
pub const CLIPBOARD: [&str; 2] = ["clipboard", "own"];

/// Those of the process that watches over one that has the pointer and the keys.
pub const GUARD: [&str; 2] = ["input", "guard"];

/// Starts `program` with `words` and `plan`, and `content` on its standard input. What it says on
/// its standard output is a pipe; it says nothing elsewhere.
pub(crate) fn start(
    program: &Path,
    words: [&str; 2],
    plan: &str,
    content: &[u8],
) -> io::Result<(Child, ChildStdout)> {
    // All of it is there before anybody reads, so that writing it never waits.
    let mut input = File::from(memfd_create("agent-desktop", MemfdFlags::CLOEXEC)?);
    input.write_all(content)?;
    input.rewind()?;
    let mut child = command(program)
        .args(words)
        .arg(plan)
        .current_dir("/")
        .stdin(input)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let output = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
    Ok((child, output))
}

/// A command that does not keep open what this process was handed besides its standard streams. A
/// program that reads from a pipe to its end, as test harnesses do, would wait for the helper.
pub(crate) fn command(program: &Path) -> Command {
    const CLOSES_ITSELF: u32 = 0o2_000_000;
    let is_handed_on = |descriptor: &u8| {
        let about = fs::read_to_string(format!("/proc/self/fdinfo/{descriptor}"));
        let about = about.unwrap_or_default();
        let flags = about.lines().find_map(|line| line.strip_prefix("flags:"));
        let flags = flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok());
        flags.is_some_and(|flags| flags & CLOSES_ITSELF == 0)
    };
    // Shells hand out single digits, and more than those a shell cannot close.
    let handed_on: Vec<u8> = (3..=9).filter(is_handed_on).collect();
    if handed_on.is_empty() {
        return Command::new(program);
    }
    let close: String = handed_on.iter().map(|descriptor| format!(" {descriptor}>&-")).collect();
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &format!("exec \"$@\"{close}"), "sh"]).arg(program);
    shell
}

/// Makes this process one that the caller's terminal and shell do not end. For its beginning.
pub fn detach() {
    // This fails only for the leader of a process group, which then is alone in it already.
    let _ = setsid();
}

/// Lets go of whatever was on standard input and output, so that nobody waits for their end.
pub(crate) fn let_go() -> io::Result<()> {
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::stdio::dup2_stdout(&nothing)?;
    Ok(())
}

/// Reads one line; none if the deadline passes first, an error if the pipe is closed before.
pub(crate) fn read_line(
    pipe: &mut (impl Read + AsFd),
    deadline: Deadline,
) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    loop {
        let limit = Timespec::try_from(deadline.remaining()).map_err(io::Error::other)?;
        let ready = match poll(&mut [PollFd::new(pipe, PollFlags::IN)], Some(&limit)) {
            Err(Errno::INTR) => continue,
            ready => ready?,
        };
        if ready == 0 {
            return Ok(None);
        }
        let mut byte = [0];
        if pipe.read(&mut byte)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if byte == *b"\n" {
            return Ok(Some(String::from_utf8_lossy(&line).trim().to_owned()));
        }
        line.extend(byte);
    }
}
