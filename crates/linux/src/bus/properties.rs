//! What holds of whatever arrives from a bus. Tests and `fuzz/` call the same function; it panics
//! where a property does not hold.

#![allow(clippy::expect_used, reason = "a property panics where it does not hold")]

use std::{
    io::{BufRead, BufReader, Read, Write},
    os::{
        linux::net::SocketAddrExt,
        unix::net::{SocketAddr, UnixListener, UnixStream},
    },
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Instant,
};

use agent_desktop_engine::platform::Deadline;

use super::{Args, Bus, Call, Flight, Reply};
use crate::atspi::calls;

/// How long everything may take. A bus that says nothing more has closed its end by then.
const LIMIT_MS: u64 = 10_000;

const QUESTIONS: usize = 24;

/// Signatures of bodies; the first ones are those that are asked for.
const SIGNATURES: [&str; 16] = [
    "(so)",
    "a(so)",
    "a((so)(so)(so)iiassusau)",
    "v",
    "s",
    "u",
    "au",
    "i",
    "(iiii)",
    "a{ss}",
    "a(ua(so))",
    "as",
    "",
    "a{sv}",
    "av",
    "(",
];

/// Answers of any form are decoded or are none; nothing that is said keeps a reader waiting beyond
/// its deadline. `bytes` say what follows what, the answers themselves included. Returns how many were
/// understood.
pub fn conversation(bytes: &[u8]) -> usize {
    let name = format!("agent-desktop-test-{}-{}", std::process::id(), fresh());
    let place = SocketAddr::from_abstract_name(&name).expect("an address");
    let listener = UnixListener::bind_addr(&place).expect("a socket");
    let start = Instant::now();
    let mut understood = 0;
    thread::scope(|scope| {
        scope.spawn(|| {
            let (stream, _) = listener.accept().expect("a client");
            // The client may have had enough, which is its right.
            let _ = say(stream, bytes);
        });
        let deadline = Deadline::after_ms(LIMIT_MS);
        let address = format!("unix:abstract={name}");
        let bus = Bus::connect_peer(&address, deadline).expect("a connection");
        let questions = (0..QUESTIONS).map(|number| (number, question())).collect();
        let mut answers = 0;
        bus.pump(questions, Flight::All, deadline, |_, answer, _| {
            answers += 1;
            understood += usize::from(answer.is_ok_and(|reply| is_understood(&reply)));
        });
        assert_eq!(answers, QUESTIONS, "questions without an end");
    });
    assert!(start.elapsed().as_millis() < u128::from(LIMIT_MS) + 2_000);
    understood
}

pub(super) fn question() -> Call {
    let (to, path): (Arc<str>, Arc<str>) = (":1.7".into(), "/0".into());
    Call { to, path, interface: "org.a11y.atspi.Accessible", member: "GetRole", args: Args::None }
}

/// Whether an answer has any of the forms that are ever asked for.
fn is_understood(reply: &Reply) -> bool {
    let near: Arc<str> = ":1.7".into();
    [
        reply.text().is_some(),
        reply.integer().is_some(),
        reply.number().is_some(),
        reply.switch().is_some(),
        calls::references(reply, &near).is_some(),
        calls::reference(reply, &near).is_some(),
        !calls::related(reply, calls::LABELLED_BY, &near).is_empty(),
        calls::rectangle(reply).is_some(),
        calls::attribute(reply, &["id"]).is_some(),
        reply.decode::<Vec<calls::Item<'_>>>().is_some(),
        reply.decode::<Vec<u32>>().is_some(),
        reply.decode::<Vec<&str>>().is_some(),
        reply.decode::<&str>().is_some(),
        reply.decode::<u32>().is_some(),
        reply.decode::<i32>().is_some(),
    ]
    .contains(&true)
}

fn fresh() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed)
}

/// Lets a client in, as a bus does, and gives what follows of it.
pub(super) fn greet(stream: &mut UnixStream) -> std::io::Result<BufReader<UnixStream>> {
    let mut reader = BufReader::new(stream.try_clone()?);
    reader.read_exact(&mut [0])?;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(reader);
        }
        match line.split_whitespace().next() {
            Some("AUTH") => stream.write_all(b"OK 00112233445566778899aabbccddeeff\r\n")?,
            Some("NEGOTIATE_UNIX_FD") => stream.write_all(b"AGREE_UNIX_FD\r\n")?,
            Some("BEGIN") => return Ok(reader),
            _ => stream.write_all(b"ERROR\r\n")?,
        }
    }
}

/// Says after a greeting what `bytes` say.
fn say(mut stream: UnixStream, mut bytes: &[u8]) -> std::io::Result<()> {
    let mut reader = greet(&mut stream)?;
    let asked =
        (0..QUESTIONS).map(|_| serial_of(&mut reader)).collect::<std::io::Result<Vec<_>>>()?;
    let mut serials = asked.into_iter().cycle();
    while let Some((kind, rest)) = bytes.split_first() {
        bytes = rest;
        match kind {
            // Nothing that is a message.
            0..8 => {
                let (said, rest) = some(bytes);
                bytes = rest;
                stream.write_all(said)?;
            }
            _ => {
                let serial = serials.next().unwrap_or_default();
                let (body, rest) = some(bytes);
                bytes = rest;
                let signature = SIGNATURES[usize::from(*kind) % SIGNATURES.len()];
                stream.write_all(&message(*kind, serial, signature, body))?;
            }
        }
    }
    Ok(())
}

/// The number of the next message, which is little endian, as all of ours are.
fn serial_of(reader: &mut impl Read) -> std::io::Result<u32> {
    let mut head = [0; 16];
    reader.read_exact(&mut head)?;
    let number = |at: usize| head[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    let rest = u64::from(number(12).next_multiple_of(8)) + u64::from(number(4));
    std::io::copy(&mut reader.take(rest), &mut std::io::sink())?;
    Ok(number(8))
}

/// As many bytes as the first one of them says, and what follows.
fn some(bytes: &[u8]) -> (&[u8], &[u8]) {
    let Some((length, rest)) = bytes.split_first() else { return (&[], &[]) };
    rest.split_at(usize::from(*length).min(rest.len()))
}

/// An answer, an error or a signal, well formed but for its body, which may claim to be longer.
fn message(kind: u8, serial: u32, signature: &str, body: &[u8]) -> Vec<u8> {
    let (form, claim) = match kind {
        8..12 => (4, 0),
        12..24 => (3, 0),
        24..28 => (2, 1 << 20),
        28..32 => (2, u32::MAX / 2),
        _ => (2, 0),
    };
    let mut fields = Vec::new();
    let mut field = |code: u8, kind: &[u8], value: &[u8]| {
        while fields.len() % 8 != 0 {
            fields.push(0);
        }
        fields.extend([code, kind.len() as u8]);
        fields.extend(kind);
        fields.push(0);
        while fields.len() % 4 != 0 && kind != b"g" {
            fields.push(0);
        }
        fields.extend(value);
    };
    let text = |text: &str| [&(text.len() as u32).to_le_bytes(), text.as_bytes(), &[0]].concat();
    match form {
        4 => {
            field(1, b"o", &text("/0"));
            field(2, b"s", &text("org.a11y.atspi.Event.Object"));
            field(3, b"s", &text("StateChanged"));
        }
        3 => field(4, b"s", &text("org.freedesktop.DBus.Error.Failed")),
        _ => {}
    }
    if form != 4 {
        field(5, b"u", &serial.to_le_bytes());
    }
    if !signature.is_empty() {
        field(8, b"g", &[&[signature.len() as u8], signature.as_bytes(), &[0]].concat());
    }
    let length = (body.len() as u32).saturating_add(claim);
    let mut message = vec![b'l', form, 0, 1];
    message.extend(length.to_le_bytes());
    message.extend(serial.to_le_bytes());
    message.extend((fields.len() as u32).to_le_bytes());
    message.extend(fields);
    while message.len() % 8 != 0 {
        message.push(0);
    }
    message.extend(body);
    message
}

#[cfg(test)]
mod tests {
    use proptest::{prelude::*, test_runner::RngSeed};
    use serde::Serialize;
    use zbus::{DynamicType, Message, Variant};

    use super::*;

    /// The body of a message, as it travels.
    fn travelling(body: &(impl Serialize + DynamicType)) -> Vec<u8> {
        let message = Message::method_call("/", "Answer").build(body).unwrap();
        let body = message.body();
        body.data().bytes().to_vec()
    }

    /// Bodies of the first signatures, right ones.
    fn bodies() -> Vec<(u8, Vec<u8>)> {
        let path = || zbus::ObjectPath::try_from("/1").unwrap();
        let one = || (":1.7", path());
        let item = (one(), one(), one(), 0, 2, vec!["a.b"], "name", 43_u32, "", vec![1_u32, 2]);
        let told = std::collections::HashMap::from([("id", "save")]);
        let bodies = [
            travelling(&one()),
            travelling(&vec![one(), one()]),
            travelling(&vec![item]),
            travelling(&Variant::from("text")),
            travelling(&"text"),
            travelling(&7_u32),
            travelling(&vec![1_u32, 2]),
            travelling(&7_i32),
            travelling(&(1, 2, 3, 4)),
            travelling(&told),
            travelling(&vec![(2_u32, vec![one()])]),
            travelling(&vec!["a", "b"]),
        ];
        // Kinds from 32 on are plain answers; their remainder chooses the signature.
        (0..).map(|at| 32 + at).zip(bodies).collect()
    }

    /// What has an answer of that kind said.
    fn said(kind: u8, body: &[u8]) -> Vec<u8> {
        [&[kind, body.len() as u8], body].concat()
    }

    fn conversations() -> impl Strategy<Value = Vec<u8>> {
        let right = proptest::sample::select(bodies());
        let wrong = (right.clone(), any::<proptest::sample::Index>(), any::<u8>());
        let wrong = wrong.prop_map(|((kind, mut body), at, byte)| {
            let at = at.index(body.len());
            body[at] = byte;
            (kind, body)
        });
        let any_kind = (any::<u8>(), proptest::collection::vec(any::<u8>(), 0..60));
        let piece = prop_oneof![3 => right, 3 => wrong, 2 => any_kind];
        let piece = piece.prop_map(|(kind, body)| said(kind, &body));
        proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
    }

    proptest! {
           #![proptest_config(ProptestConfig {
               failure_persistence: None,
    rng_seed: RngSeed::Fixed(1),
               ..ProptestConfig::with_cases(300)
           })]

           #[test]
           fn whatever_a_bus_says_is_an_answer_or_none(said in conversations()) {
               conversation(&said);
           }
       }

    #[test]
    fn right_answers_are_understood() {
        let bodies = bodies();
        let said = bodies.iter().map(|(kind, body)| said(*kind, body)).collect::<Vec<_>>();
        assert_eq!(conversation(&said.concat()), bodies.len());
    }
}
