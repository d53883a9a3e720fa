//! The way into web contents that a Chromium offers to debuggers: asked for when it is started, and
//! looked for until it is there. Nobody here speaks what is spoken over it.

use std::{
    io::{self, ErrorKind, Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    time::Duration,
};

use agent_desktop_model::{
    error::{Code, Delivery, Details, Error},
    text::{quoted, shell_word},
    wire::Cdp,
};
use serde::Deserialize;

use crate::platform::Deadline;

/// Switches that say where a debugger comes in; what we set must be the only word on that.
const SWITCHES: [&str; 4] = [
    "remote-debugging-port",
    "remote-debugging-pipe",
    "remote-debugging-address",
    "remote-allow-origins",
];

/// How often it is asked whether it is there, and how long one question may take.
const POLL: Duration = Duration::from_millis(100);
const QUESTION: Duration = Duration::from_secs(1);

/// What is kept of the time for looking, at most.
const RESERVE: Duration = Duration::from_secs(5);

/// An answer has some hundred bytes.
const LONGEST: u64 = 64 << 10;

/// What the endpoint says of itself.
#[derive(Debug, Deserialize)]
struct Version {
    #[serde(rename = "Browser", default)]
    product: String,
    #[serde(rename = "webSocketDebuggerUrl")]
    websocket_url: Option<String>,
}

/// Refuses arguments that say themselves where a debugger comes in.
pub(super) fn check_arguments(arguments: &[String]) -> Result<(), Error> {
    let name = |argument: &str| {
        let name = argument.trim_start_matches('-').split('=').next().unwrap_or_default();
        SWITCHES.into_iter().find(|switch| argument.starts_with('-') && *switch == name)
    };
    match arguments.iter().find_map(|argument| name(argument)) {
        None => Ok(()),
        Some(switch) => Err(Error::new(
            Code::InvalidArgs,
            format!("--cdp and the argument --{switch} both say where a debugger comes in"),
        )
        .suggest(
            "Leave the argument out: --cdp PORT chooses the port, always of this machine alone.",
        )
        .details(Details::CdpSwitchConflict { switch })),
    }
}

/// The port that is meant: that one, if it is free, or any free one for 0.
pub(super) fn free_port(wanted: u16) -> Result<u16, Error> {
    let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, wanted)).and_then(|one| one.local_addr());
    bound.map(|address| address.port()).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => {
            Error::new(Code::InvalidArgs, format!("port {wanted} is in use already"))
                .suggest("Give --cdp another port, or none for one that is free.")
                .details(Details::CdpPortInUse { port: wanted })
        }
        _ => Error::new(Code::InvalidArgs, format!("port {wanted} cannot be used: {error}"))
            .suggest("Give --cdp a port from 1024 on, or none for one that is free.")
            .platform(error.to_string()),
    })
}

/// What makes a Chromium listen on `port`, to this machine alone.
pub(super) fn arguments(port: u16) -> [String; 2] {
    [
        format!("--remote-debugging-port={port}"),
        format!("--remote-debugging-address={}", Ipv4Addr::LOCALHOST),
    ]
}

/// The part of `deadline` that may be spent before it is looked for.
pub(super) fn before(deadline: Deadline) -> Deadline {
    let left = deadline.remaining();
    deadline.within(left.saturating_sub(RESERVE.min(left / 4)))
}

/// Waits until it is there.
pub(super) fn awaited(port: u16, deadline: Deadline) -> Result<Cdp, Error> {
    let mut last;
    loop {
        match version(port, deadline.within(QUESTION)) {
            Ok(Version { product, websocket_url: Some(websocket_url) }) => {
                let http_endpoint = format!("http://{}:{port}", Ipv4Addr::LOCALHOST);
                return Ok(Cdp { http_endpoint, port, product, websocket_url });
            }
            Ok(_) => last = "it names no webSocketDebuggerUrl".to_owned(),
            Err(error) => last = error.to_string(),
        }
        if deadline.passed() {
            break;
        }
        std::thread::sleep(deadline.within(POLL).remaining());
    }
    Err(Error::new(
        Code::ActionFailed,
        format!("the application was started and runs, but port {port} leads to no debugger"),
    )
    .suggest(
        "Chromium offers none for the user's own profile: end it, and add \
         --arg=--user-data-dir=DIR with a directory of its own. What is not made with Chromium has none.",
    )
    .platform(last)
    .details(Details::CdpEndpointUnavailable { port })
    .delivered(Delivery::DeliveredUnverified))
}

/// Why an application that runs cannot be given one.
pub(super) fn needs_fresh_launch(name: &str, pid: u32) -> Error {
    Error::new(
        Code::ActionFailed,
        format!(
            "{} runs already (pid {pid}); a debugger is let in only from the start",
            quoted(name)
        ),
    )
    .suggest(format!(
        "End it first (`close-app {}`), or start another one beside it by hand, with a profile of its own.",
        shell_word(name)
    ))
    .details(Details::CdpRequiresFreshLaunch { pid })
}

fn version(port: u16, deadline: Deadline) -> io::Result<Version> {
    let limit = || deadline.remaining().max(Duration::from_millis(1));
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut stream = TcpStream::connect_timeout(&address, limit())?;
    stream.set_write_timeout(Some(limit()))?;
    let request =
        format!("GET /json/version HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    let mut part = [0; 4096];
    // Chromium 156 keeps the connection open all the same, so the end of the text is looked for.
    loop {
        if let Some(version) = understood(&answer) {
            return Ok(version);
        }
        if deadline.passed() || answer.len() as u64 > LONGEST {
            return Err(ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(limit()))?;
        match stream.read(&mut part)? {
            0 => return Err(io::Error::other("it answers something else than a debugger does")),
            count => answer.extend(part.iter().take(count)),
        }
    }
}

/// What a whole answer says.
fn understood(answer: &[u8]) -> Option<Version> {
    let text = std::str::from_utf8(answer).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let is_ok = head.split(' ').nth(1) == Some("200");
    serde_json::from_str(body).ok().filter(|_| is_ok)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn only_the_switches_of_debugging_conflict() {
        let check = |argument: &str| check_arguments(&[argument.to_owned()]);
        for argument in
            ["--remote-debugging-port=1", "-remote-debugging-pipe", "--remote-allow-origins=*"]
        {
            assert_eq!(check(argument).unwrap_err().code, Code::InvalidArgs, "{argument}");
        }
        for argument in [
            "--remote-debugging-portal",
            "remote-debugging-port",
            "https://x/--remote-debugging-port",
        ] {
            assert!(check(argument).is_ok(), "{argument}");
        }
    }

    #[test]
    fn a_port_in_use_is_refused() {
        let held = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = held.local_addr().unwrap().port();
        let error = free_port(port).unwrap_err();
        assert_eq!(error.details.as_deref(), Some(&Details::CdpPortInUse { port }));
        assert_ne!(free_port(0).unwrap(), port);
    }

    /// A server that answers `text` to everybody, and keeps the connection open.
    fn serve(text: &'static str) -> u16 {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || {
            let mut held = Vec::new();
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let _ = stream.write_all(text.as_bytes());
                held.push(stream);
            }
        });
        port
    }

    #[test]
    fn what_answers_like_a_debugger_is_one() {
        let port = serve(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n\
             {\"Browser\": \"Chrome/1\", \"webSocketDebuggerUrl\": \"ws://127.0.0.1:1/devtools\"}",
        );
        let found = awaited(port, Deadline::after_ms(5_000)).unwrap();
        assert_eq!(found.websocket_url, "ws://127.0.0.1:1/devtools");
        assert_eq!((found.product.as_str(), found.port), ("Chrome/1", port));
        for other in ["HTTP/1.1 404 No\r\n\r\n{}", "", "HTTP/1.1 200 OK\r\n\r\n{}", "SSH-2.0\r\n"] {
            let started = std::time::Instant::now();
            let error = awaited(serve(other), Deadline::after_ms(200)).unwrap_err();
            assert!(started.elapsed() < Duration::from_secs(2), "{other:?}");
            assert!(matches!(
                error.details.as_deref(),
                Some(Details::CdpEndpointUnavailable { .. })
            ));
        }
    }
}
