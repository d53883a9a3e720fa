//! The only place that prints: one write to standard output, ended by a newline.

use std::{
    ffi::OsString,
    io::{self, Write},
    panic,
    process::ExitCode,
};

use agent_desktop_model::{
    error::{Code, Delivery, Error},
    wire::Envelope,
};
use serde::Serialize;

use crate::argv;

/// Prints the envelope of `command` and tells the exit status.
pub(crate) fn envelope<T: Serialize>(command: &str, result: &Result<T, Error>) -> ExitCode {
    match line(command, result).and_then(|line| write(&line)) {
        Ok(()) if result.is_ok() => ExitCode::SUCCESS,
        Ok(()) => ExitCode::FAILURE,
        Err(error) => {
            log(&format!(
                "the answer of {command} could not be written to standard output ({error}); what was \
                 asked for may be done"
            ));
            ExitCode::FAILURE
        }
    }
}

/// Prints help, for people.
pub(crate) fn text(text: &str) -> ExitCode {
    match write(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Writes a line for people on standard error. That it cannot be written is no reason to fail.
pub(crate) fn log(line: &str) {
    let _ = writeln!(io::stderr(), "agent-desktop: {line}");
}

/// Makes a panic, which is always a defect of ours, end as an envelope and with status 1.
pub fn answer_panics(args: &[OsString]) {
    let args = args.to_vec();
    panic::set_hook(Box::new(move |panic| {
        log(&panic.to_string());
        let mut error = Error::new(Code::Internal, "the program met a defect of its own")
            .suggest("Report the command and the platform_detail; look before you repeat it.")
            .platform(panic.to_string());
        error.delivery = Delivery::Unknown;
        if let Ok(line) = line::<()>(&argv::command_in(&args), &Err(error)) {
            let _ = write(&line);
        }
        #[expect(clippy::exit, reason = "after a panic there is nowhere to return to")]
        std::process::exit(1);
    }));
}

pub(crate) fn line<T: Serialize>(command: &str, result: &Result<T, Error>) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(&Envelope::<T>::new(command, result))?;
    line.push(b'\n');
    Ok(line)
}

/// Writes past the standard library's buffer, whose lock a panicking thread may hold.
fn write(mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(io::stdout(), bytes) {
            Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
