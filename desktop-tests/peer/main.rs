//! An application on the accessibility bus that misbehaves as it is told, to show what the program
//! under test makes of it.
//!
//! ```text
//! misbehaving-peer [--name NAME] [--owns NAME] [--toolkit NAME/VERSION] [--cache] [--twice]
//!                  [--shape SHAPE[:N]] [--furnished] [--window] [--log FILE] [--on-word]
//!                  [--delay-ms N] [--hang-at K] [--vanish-at K] [--reborn-at K] [--leaves-on MEMBER]
//!                  [--wrong types|empty|paths[-inside]] [--flood N]
//!                  [--pressed WHAT] [--writes WHAT] [--numbers WHAT] [--actions WHAT]
//! ```
//!
//! What it shows (`scene`): `--shape` beside what everybody needs to act on (`--furnished`), and an X
//! window for it (`--window`). `--toolkit` is what it says it is made with, `--owns` a name that it
//! owns on the session bus; `--twice` puts it on the bus a second time.
//!
//! How it answers (`serve`): `--cache` serves the bulk call, `--delay-ms` sleeps before each answer,
//! `--hang-at` never answers the K-th call nor any later one, `--vanish-at` ends the process instead
//! of answering the K-th, `--reborn-at` leaves the bus instead and comes back with another name,
//! `--leaves-on` ends when that method is called. `--wrong` answers with values of another type, or
//! with none, or lists a child whose path is none (`-inside`: below its window only); `--flood` tells of so many events in a second. The registry's own calls do not count.
//!
//! What it does (`requests`): `--pressed` is what comes of an action: `nothing`, though it says that it
//! did (a button knows nothing else), `rename` (another name, which it does not tell of), `refuse`,
//! `hang` or `vanish`. `--writes` is what it makes of a text: `cut` keeps three characters, `nothing`.
//! `--numbers` is what it makes of a number: `nothing`, `other` keeps another one, `odd` shows what no
//! number is. `--actions` is how elements call what they do: `empty` or `hostile` (what does harm
//! stands first). Whatever it does is written to `--log`, with whom it was done to: an identity that
//! is never on the bus.
//!
//! Lines on standard input: `go` begins what `--on-word` has put off, `turn` gives objects other
//! content (`--shape rows`, `paths` or `question`), `sent` says how many bytes it has sent. It reads the session
//! bus's address from the environment and prints its bus name once it is there.

mod answer;
mod requests;
mod scene;
mod serve;
mod window;

use std::{
    env,
    io::{BufRead, Write},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

use desktop_tests::bus::{self, Body, Call, Connection};

use crate::{requests::Log, scene::Scene, window::Window};

/// How it behaves.
#[derive(Debug, Default)]
pub(crate) struct Manners {
    /// Name and version.
    pub(crate) toolkit: (String, String),
    pub(crate) cache: bool,
    pub(crate) delay: Duration,
    pub(crate) hang_at: Option<u64>,
    pub(crate) vanish_at: Option<u64>,
    pub(crate) reborn_at: Option<u64>,
    pub(crate) leaves_on: String,
    pub(crate) wrong: String,
    pub(crate) flood: u32,
    pub(crate) pressed: String,
    pub(crate) writes: String,
    pub(crate) numbers: String,
}

/// What all threads of it share.
#[derive(Debug)]
pub(crate) struct Peer {
    pub(crate) manners: Manners,
    pub(crate) scene: Mutex<Scene>,
    pub(crate) log: Log,
    window: Option<Window>,
    /// Whether it misbehaves by now.
    pub(crate) going: AtomicBool,
    /// Calls that count.
    pub(crate) calls: AtomicU64,
    /// Bytes.
    pub(crate) sent: AtomicU64,
}

impl Peer {
    /// Where the corner of its window is on the screen.
    pub(crate) fn corner(&self) -> (i32, i32) {
        let [left, top, ..] = scene::WINDOW;
        self.window.as_ref().and_then(Window::corner).unwrap_or((left, top))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut name = "misbehaving-peer".to_owned();
    let (mut shape, mut actions) = ("plain".to_owned(), String::new());
    let (mut owns, mut log) = (None, Log::default());
    let (mut furnished, mut shows_window, mut twice, mut on_word) = (false, false, false, false);
    let mut manners =
        Manners { toolkit: ("misbehaving".into(), "2.1".into()), ..Manners::default() };
    let mut switches = env::args().skip(1);
    while let Some(switch) = switches.next() {
        let mut argument = || switches.next().ok_or(format!("{switch} needs an argument"));
        match switch.as_str() {
            "--name" => name = argument()?,
            "--owns" => owns = Some(argument()?),
            "--shape" => shape = argument()?,
            "--toolkit" => {
                let toolkit = argument()?;
                let (name, version) = toolkit.split_once('/').ok_or("no version")?;
                manners.toolkit = (name.into(), version.into());
            }
            "--cache" => manners.cache = true,
            "--twice" => twice = true,
            "--furnished" => furnished = true,
            "--window" => shows_window = true,
            "--log" => log = Log::create(argument()?.as_ref())?,
            "--on-word" => on_word = true,
            "--delay-ms" => manners.delay = Duration::from_millis(argument()?.parse()?),
            "--hang-at" => manners.hang_at = Some(argument()?.parse()?),
            "--vanish-at" => manners.vanish_at = Some(argument()?.parse()?),
            "--reborn-at" => manners.reborn_at = Some(argument()?.parse()?),
            "--leaves-on" => manners.leaves_on = argument()?,
            "--wrong" => manners.wrong = argument()?,
            "--flood" => manners.flood = argument()?.parse()?,
            "--pressed" => manners.pressed = argument()?,
            "--writes" => manners.writes = argument()?,
            "--numbers" => manners.numbers = argument()?,
            "--actions" => actions = argument()?,
            other => return Err(format!("unknown switch {other}").into()),
        }
    }
    let scene = Scene::new(&name, &shape, furnished, &actions)?;
    let session = env::var("DBUS_SESSION_BUS_ADDRESS")?;
    // Held for as long as it runs.
    let mut own = Connection::open(&session)?;
    if let Some(owns) = owns {
        own.call(Call::bus("RequestName").with(Body::default().text(&owns).u32(0)))?;
    }
    let window = if shows_window { Some(Window::show()?) } else { None };
    let peer = Arc::new(Peer {
        manners,
        scene: Mutex::new(scene),
        log,
        window,
        going: AtomicBool::new(!on_word),
        calls: AtomicU64::new(0),
        sent: AtomicU64::new(0),
    });
    let heeding = peer.clone();
    thread::spawn(move || heeding.window.as_ref().map(|window| window.heed(&heeding)));
    if twice {
        let (peer, session) = (peer.clone(), session.clone());
        thread::spawn(move || live(&peer, &session, |_| ()).map_err(|error| error.to_string()));
    }
    let listening = peer.clone();
    live(&peer, &session, |name| {
        if on_word {
            // Whoever listens no longer has ended.
            _ = writeln!(std::io::stdout(), "{name}");
            let peer = listening.clone();
            thread::spawn(move || obey(&peer));
        }
    })
}

/// Is an application until it shall not be one any more, or the bus goes away.
fn live(
    peer: &Arc<Peer>,
    session: &str,
    there: impl FnOnce(&str),
) -> Result<(), Box<dyn std::error::Error>> {
    let mut there = Some(there);
    loop {
        let (mut bus, _) = bus::accessibility_bus(session)?;
        let embed = Call::new(serve::REGISTRY, scene::ROOT, "org.a11y.atspi.Socket", "Embed")
            .with(Body::default().accessible(&bus.name, scene::ROOT));
        // The registry waits for nothing from us before it answers, so this cannot lock up.
        let registry = bus.call(embed)?.sender;
        if let Some(there) = there.take() {
            there(&bus.name);
        }
        // It ends by ending the process, else it was reborn.
        serve::serve(bus, &registry, peer)?;
    }
}

/// Does what it is told on standard input, and says so.
fn obey(peer: &Peer) {
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let mut said = "done".to_owned();
        match line.as_str() {
            "go" => {
                peer.calls.store(0, Ordering::SeqCst);
                peer.going.store(true, Ordering::SeqCst);
            }
            "turn" => {
                if let Ok(mut scene) = peer.scene.lock() {
                    scene.turn();
                }
            }
            "sent" => said = peer.sent.load(Ordering::SeqCst).to_string(),
            other => said = format!("cannot {other}"),
        }
        if writeln!(std::io::stdout(), "{said}").is_err() {
            return;
        }
    }
}
