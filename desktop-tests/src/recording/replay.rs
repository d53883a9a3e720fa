//! A bus on which only recorded applications are: it answers what was recorded, in whatever order.

use std::{
    collections::{BTreeMap, HashMap},
    io::{BufRead, BufReader, Write},
    os::unix::net::{UnixListener, UnixStream},
    path::Path,
    process::Command,
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, channel},
    },
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

use super::{Answer, Recording, kind, question};
use crate::{
    Outcome,
    bus::{Body, Error, Kind, Message},
    desktop,
};

/// In which order those answers come that are under way at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    AsAsked,
    LastFirst,
    /// In an order of chance, which this decides.
    Shuffled(u64),
    /// As asked, each later by so much.
    Late(Duration),
}

/// A bus that replays, and what was asked on it.
#[derive(Debug)]
pub struct Replay {
    directory: TempDir,
    told: Arc<Mutex<Told>>,
}

#[derive(Debug)]
struct Told {
    recording: Recording,
    order: Order,
    /// How often each question was asked, by object.
    asked: HashMap<(String, String, String), usize>,
    kinds: BTreeMap<String, usize>,
    missing: Vec<String>,
}

impl Replay {
    /// A bus on which `recording` is.
    pub fn start(recording: Recording, order: Order) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let listener = UnixListener::bind(directory.path().join("bus")).expect("a socket");
        let (asked, kinds, missing) = Default::default();
        let told = Told { recording, order, asked, kinds, missing };
        let told = Arc::new(Mutex::new(told));
        let shared = told.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let told = shared.clone();
                // A client that leaves is none of our business.
                thread::spawn(move || serve(stream, &told).is_ok());
            }
        });
        Self { directory, told }
    }

    /// Runs the program under test on this bus and nothing else.
    pub fn run(&self, arguments: &[&str]) -> Outcome {
        let bus = format!("unix:path={}", self.directory.path().join("bus").display());
        run(&bus, self.directory.path(), arguments)
    }

    /// How often each kind of question was asked since this was asked last, and those for which there
    /// is no answer.
    pub fn heard(&self) -> (BTreeMap<String, usize>, Vec<String>) {
        let mut told = self.told.lock().expect("a thread that lives");
        (std::mem::take(&mut told.kinds), std::mem::take(&mut told.missing))
    }
}

/// Runs the program under test on the accessibility bus at `bus`, where there is nothing else.
pub(super) fn run(bus: &str, state: &Path, arguments: &[&str]) -> Outcome {
    let mut command = Command::new("timeout");
    command
        .args(["--signal=KILL", "60"])
        .arg(desktop::binary())
        .args(arguments)
        .env_clear()
        .env("AGENT_DESKTOP_HOME", state.join("state"))
        .env("AT_SPI_BUS_ADDRESS", bus)
        // There is no such socket, and nobody asks for it: it says that this is a desktop.
        .env("WAYLAND_DISPLAY", "none");
    let start = Instant::now();
    let output = command.output().expect("timeout runs");
    let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
    Outcome::new(arguments, output, start.elapsed())
}

fn serve(mut stream: UnixStream, told: &Mutex<Told>) -> Result<(), Error> {
    let mut reader = BufReader::new(stream.try_clone()?);
    greet(&mut reader, &mut stream)?;
    let (send, arriving) = channel();
    thread::spawn(move || {
        while let Ok(call) = Message::decode(&mut reader) {
            if send.send(call).is_err() {
                break;
            }
        }
    });
    let mut serial = 0;
    let mut chance = match told.lock().expect("a thread that lives").order {
        Order::Shuffled(seed) => seed,
        _ => 0,
    };
    while let Some(mut calls) = burst(&arriving) {
        let order = told.lock().expect("a thread that lives").order;
        // What is answered is decided as it was asked; only when it is told differs.
        let mut answers = calls
            .drain(..)
            .map(|call| told.lock().expect("a thread that lives").answer(&call))
            .collect::<Result<Vec<_>, _>>()?;
        match order {
            Order::AsAsked => {}
            Order::LastFirst => answers.reverse(),
            Order::Shuffled(_) => shuffle(&mut answers, &mut chance),
            Order::Late(by) => thread::sleep(by),
        }
        for mut answer in answers {
            serial += 1;
            answer.serial = serial;
            stream.write_all(&answer.encode())?;
        }
    }
    Ok(())
}

/// What has been asked by the time that nothing more is; nothing once the client has left.
fn burst(arriving: &Receiver<Message>) -> Option<Vec<Message>> {
    let mut calls = vec![arriving.recv().ok()?];
    while let Ok(call) = arriving.recv_timeout(Duration::from_millis(1)) {
        calls.push(call);
    }
    Some(calls)
}

fn greet(reader: &mut impl BufRead, stream: &mut UnixStream) -> Result<(), Error> {
    reader.read_exact(&mut [0])?;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Err(Error::Shape("a client that leaves"));
        }
        match line.split_whitespace().next() {
            Some("AUTH") => stream.write_all(b"OK 5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e\r\n")?,
            Some("BEGIN") => return Ok(()),
            _ => stream.write_all(b"ERROR\r\n")?,
        }
    }
}

/// Puts `items` into an order of chance (Fisher and Yates).
fn shuffle<T>(items: &mut [T], chance: &mut u64) {
    for last in (1..items.len()).rev() {
        *chance =
            chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        items.swap(last, (*chance >> 33) as usize % (last + 1));
    }
}

impl Told {
    fn answer(&mut self, call: &Message) -> Result<Message, Error> {
        if call.member == "Hello" {
            let body = Body::default().text(":1.99");
            let (reply_to, sender) = (call.serial, call.destination.clone());
            return Ok(Message {
                kind: Kind::Return,
                reply_to,
                sender,
                body,
                ..Message::default()
            });
        }
        let question = question(call)?;
        *self.kinds.entry(kind(&question).to_owned()).or_default() += 1;
        let object = (call.destination.clone(), call.path.clone());
        let answers =
            self.recording.objects.get(&object).and_then(|questions| questions.get(&question));
        let key = (object.0, object.1, question);
        let before = self.asked.entry(key.clone()).or_default();
        let answer = answers.and_then(|answers| answers.get(*before).or(answers.last()));
        *before += 1;
        let Some(answer) = answer else {
            let (to, at, question) = key;
            let words = format!("no answer is recorded to {question} of {at} of {to}");
            self.missing.push(words.clone());
            let name = "org.freedesktop.DBus.Error.Failed".to_owned();
            return Answer::Refusal { name, words }.message(call);
        };
        answer.message(call)
    }
}
