//! An application on the accessibility bus that misbehaves as it is told, to show what the program
//! under test makes of it.
//!
//! ```text
//! misbehaving-peer [--name NAME] [--owns NAME] [--toolkit NAME/VERSION] [--shape SHAPE[:N]] [--cache]
//!                  [--delay-ms N] [--hang-at K] [--vanish-at K] [--pressed WHAT]
//! ```
//!
//! `--shape` chooses what it shows (see `scene.rs`) and `--toolkit` what it says it is made with;
//! `--owns` is a name that it owns on the session bus;
//! the other switches choose how it answers: `--cache` serves the bulk call, `--delay-ms` sleeps before each answer, `--hang-at` never answers the
//! K-th call nor any later one, `--vanish-at` ends the process instead of answering the K-th. The
//! registry's own calls do not count. `--pressed` is what a button does: `nothing`, though it says that
//! it did (so it is without the switch), `rename` (another name, which it does not tell of), `refuse`,
//! `hang` or `vanish`. It reads the session bus's address from the environment.

mod scene;
mod serve;

use std::{env, time::Duration};

use desktop_tests::bus::{self, Body, Call, Connection};

use crate::scene::Scene;

/// How it answers.
#[derive(Debug, Default)]
pub(crate) struct Manners {
    /// Name and version.
    pub(crate) toolkit: (String, String),
    pub(crate) cache: bool,
    pub(crate) delay: Duration,
    pub(crate) hang_at: Option<u64>,
    pub(crate) vanish_at: Option<u64>,
    pub(crate) pressed: String,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut name = "misbehaving-peer".to_owned();
    let mut owns = None;
    let mut shape = "plain".to_owned();
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
            "--delay-ms" => manners.delay = Duration::from_millis(argument()?.parse()?),
            "--hang-at" => manners.hang_at = Some(argument()?.parse()?),
            "--pressed" => manners.pressed = argument()?,
            "--vanish-at" => manners.vanish_at = Some(argument()?.parse()?),
            other => return Err(format!("unknown switch {other}").into()),
        }
    }
    let mut scene = Scene::new(&name, &shape)?;

    let session = env::var("DBUS_SESSION_BUS_ADDRESS")?;
    // Held for as long as it runs.
    let mut own = Connection::open(&session)?;
    if let Some(owns) = owns {
        own.call(Call::bus("RequestName").with(Body::default().text(&owns).u32(0)))?;
    }
    let (mut bus, _) = bus::accessibility_bus(&session)?;
    let embed = Call::new(serve::REGISTRY, scene::ROOT, "org.a11y.atspi.Socket", "Embed")
        .with(Body::default().accessible(&bus.name, scene::ROOT));
    // The registry waits for nothing from us before it answers, so this cannot lock up.
    let registry = bus.call(embed)?.sender;
    Ok(serve::serve(bus, &registry, &mut scene, &manners)?)
}
