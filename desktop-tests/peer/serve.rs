//! Answers calls one at a time, as a toolkit's main loop does, as long as it is told to.

use std::{
    io::Write,
    os::unix::net::UnixStream,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use desktop_tests::bus::{Body, Connection, Error, Kind, Message};

use crate::{Peer, answer, requests, scene};

pub(crate) const REGISTRY: &str = "org.a11y.atspi.Registry";

/// An error name and its text.
pub(crate) type Refusal = (&'static str, String);

/// How all of it speaks: whole messages, one after the other.
pub(crate) struct Voice<'a> {
    peer: &'a Peer,
    stream: Mutex<UnixStream>,
    serial: AtomicU32,
    /// Whether the connection is still its own.
    open: AtomicBool,
}

/// Serves until it shall leave the bus, or the bus goes away. Calls of `registry` do not count.
pub(crate) fn serve(bus: Connection, registry: &str, peer: &Arc<Peer>) -> Result<(), Error> {
    let voice = Voice {
        peer,
        stream: Mutex::new(bus.writer()?),
        // Behind those of the greeting.
        serial: AtomicU32::new(1_000),
        open: AtomicBool::new(true),
    };
    thread::scope(|scope| {
        if peer.manners.flood > 0 {
            scope.spawn(|| flood(&voice));
        }
        let end = answer_calls(bus, registry, &voice);
        voice.open.store(false, Ordering::SeqCst);
        end
    })
}

fn answer_calls(mut bus: Connection, registry: &str, voice: &Voice<'_>) -> Result<(), Error> {
    let peer = voice.peer;
    let manners = &peer.manners;
    loop {
        let message = bus.next(None)?;
        if message.kind != Kind::Call {
            continue;
        }
        let misbehaves = message.sender != registry && peer.going.load(Ordering::SeqCst);
        if misbehaves {
            let calls = peer.calls.fetch_add(1, Ordering::SeqCst) + 1;
            let is_time = |at: Option<u64>| at.is_some_and(|at| calls >= at);
            if is_time(manners.vanish_at) || message.member == manners.leaves_on {
                vanish();
            }
            if is_time(manners.hang_at) {
                hang();
            }
            if manners.reborn_at == Some(calls) {
                return Ok(());
            }
            thread::sleep(manners.delay);
        }
        let mut result = {
            let mut scene = peer.scene.lock().unwrap_or_else(PoisonError::into_inner);
            match requests::carry_out(&mut scene, voice, &message) {
                Some(requests::Outcome::Hangs) => {
                    drop(scene);
                    hang();
                }
                Some(requests::Outcome::Vanishes) => vanish(),
                Some(requests::Outcome::Answers(result)) => result,
                None => match answer::answer(&scene, manners, peer.corner(), &bus.name, &message) {
                    Some(result) => result,
                    None => {
                        drop(scene);
                        hang();
                    }
                },
            }
        };
        if misbehaves && let Ok(body) = &mut result {
            match manners.wrong.strip_suffix("-inside") {
                None => answer::spoil(body, &manners.wrong),
                Some(how) if scene::is_inside(&message.path) => answer::spoil(body, how),
                Some(_) => {}
            }
        }
        if !message.no_reply {
            voice.say(reply(&message, result))?;
        }
    }
}

/// What an application does that never comes back.
pub(crate) fn hang() -> ! {
    // Parking may end spuriously.
    loop {
        thread::park();
    }
}

/// Ends at once, whatever its threads do.
#[expect(clippy::exit, reason = "what a crash is to everybody else")]
fn vanish() -> ! {
    std::process::exit(0)
}

impl<'a> Voice<'a> {
    pub(crate) fn peer(&self) -> &'a Peer {
        self.peer
    }

    /// Sends `message` with a number of its own.
    pub(crate) fn say(&self, mut message: Message) -> Result<(), Error> {
        message.serial = self.serial.fetch_add(1, Ordering::SeqCst);
        self.utter(&message.encode())
    }

    fn utter(&self, bytes: &[u8]) -> Result<(), Error> {
        self.peer.sent.fetch_add(bytes.len() as u64, Ordering::SeqCst);
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(stream.write_all(bytes)?)
    }

    /// Tells of a change of the node `index`.
    pub(crate) fn tell(&self, index: usize, member: &str, detail: &str, on: bool) {
        // An application goes on when nobody hears it.
        _ = self.say(event(index, member, detail, on));
    }
}

/// An event as at-spi2 2.46 sends it.
fn event(index: usize, member: &str, detail: &str, on: bool) -> Message {
    let body = Body::default()
        .text(detail)
        .i32(on.into())
        .i32(0)
        .variant(&Body::default().i32(0))
        .array("{sv}", 8, [(); 0], |_, ()| {});
    Message {
        kind: Kind::Signal,
        no_reply: true,
        path: scene::path(index),
        interface: "org.a11y.atspi.Event.Object".into(),
        member: member.into(),
        body,
        ..Message::default()
    }
}

/// Tells of so many events in a second, or of as many as the bus takes, in bursts of 10 ms.
fn flood(voice: &Voice<'_>) {
    const BURST: Duration = Duration::from_millis(10);
    let many = voice.peer.manners.flood / 100;
    while voice.open.load(Ordering::SeqCst) {
        let start = Instant::now();
        if voice.peer.going.load(Ordering::SeqCst) {
            let mut bytes = Vec::new();
            let first = voice.serial.fetch_add(many, Ordering::SeqCst);
            for nth in 0..many {
                let (member, detail) = [
                    ("StateChanged", "focused"),
                    ("TextChanged", "insert"),
                    ("ChildrenChanged", "add"),
                    ("PropertyChange", "accessible-name"),
                    ("StateChanged", "showing"),
                ][nth as usize % 5];
                let serial = first + nth;
                let event = event(1 + nth as usize % 3, member, detail, nth % 2 == 0);
                bytes.extend(Message { serial, ..event }.encode());
            }
            if voice.utter(&bytes).is_err() {
                return;
            }
        }
        thread::sleep(BURST.saturating_sub(start.elapsed()));
    }
}

fn reply(call: &Message, result: Result<Body, Refusal>) -> Message {
    let reply =
        Message { reply_to: call.serial, destination: call.sender.clone(), ..Message::default() };
    match result {
        Ok(body) => Message { kind: Kind::Return, body, ..reply },
        Err((name, text)) => Message {
            kind: Kind::Error,
            error: format!("org.freedesktop.DBus.Error.{name}"),
            body: Body::default().text(&text),
            ..reply
        },
    }
}
