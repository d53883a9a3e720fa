//! The fewest calls we know of that rebuild a window's tree with what `snapshot -i --compact`
//! prints, written by hand for each toolkit. What the program really sends plays no part here.

mod bulk;
mod lists;
mod sheet;
mod walk;

use std::time::{Duration, Instant};

use desktop_tests::bus::{self, Body, Call, Connection, Error, Message, Reader};

const ROOT: &str = "/org/a11y/atspi/accessible/root";
const ACCESSIBLE: &str = "org.a11y.atspi.Accessible";

/// One run of the floor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Floor {
    pub(super) nodes: usize,
    pub(super) calls: usize,
    pub(super) elapsed: Duration,
}

/// How a toolkit is best read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// It serves its cache once asked for its private bus; the cache leaves out what stands in
    /// tables, lists and icon views.
    Atk,
    /// It serves of its cache what somebody has listed before, and nothing else.
    Gtk4,
    /// Element by element.
    Walk,
    /// The same, but for what LibreOffice must not or need not be asked.
    Office,
}

impl Way {
    /// The way for a toolkit, by the name and version that it says.
    pub(super) fn of(toolkit: &str) -> Self {
        match toolkit.split([' ', '.']).next() {
            Some("gtk" | "Chromium") => Self::Atk,
            Some("GTK") => Self::Gtk4,
            _ => Self::Walk,
        }
    }
}

/// Finds the application called `name` and reads its window at that path.
pub(super) fn read(session: &str, name: &str, window: &str, way: Way) -> Result<Floor, Error> {
    run(session, |talk| {
        let app = talk.application(name)?;
        match way {
            Way::Atk => bulk::read_atk(talk, &app, window),
            Way::Gtk4 => bulk::read_gtk4(talk, &app, window),
            Way::Walk => walk::read(talk, &app, window),
            Way::Office => walk::read_office(talk, &app, window),
        }
    })
}

/// Lists the applications of a desktop.
pub(super) fn applications(session: &str) -> Result<Floor, Error> {
    run(session, lists::applications)
}

/// Lists the windows of a desktop.
pub(super) fn windows(session: &str) -> Result<Floor, Error> {
    run(session, lists::windows)
}

fn run(
    session: &str,
    read: impl FnOnce(&mut Conversation) -> Result<usize, Error>,
) -> Result<Floor, Error> {
    let start = Instant::now();
    let (bus, _) = bus::accessibility_bus(session)?;
    // Two greetings and the question for the address.
    let mut talk = Conversation { bus, calls: 3 };
    let nodes = read(&mut talk)?;
    Ok(Floor { nodes, calls: talk.calls, elapsed: start.elapsed() })
}

struct Conversation {
    bus: Connection,
    calls: usize,
}

impl Conversation {
    fn ask(&mut self, calls: &[Call]) -> Result<Vec<Option<Message>>, Error> {
        self.calls += calls.len();
        Ok(self.bus.call_all(calls)?.into_iter().map(Result::ok).collect())
    }

    fn application(&mut self, name: &str) -> Result<String, Error> {
        let registry = Call::new("org.a11y.atspi.Registry", ROOT, ACCESSIBLE, "GetChildren");
        let apps = accessibles(self.ask(&[registry])?.first().and_then(Option::as_ref))?;
        let names: Vec<_> =
            apps.iter().map(|(app, path)| Call::property(app, path, ACCESSIBLE, "Name")).collect();
        let answers = self.ask(&names)?;
        let wanted = answers.iter().position(|answer| {
            let Some(message) = answer else { return false };
            let mut value = Reader::new(&message.body.bytes);
            value.variant().is_ok() && value.text().is_ok_and(|text| text == name)
        });
        let (app, _) = wanted
            .and_then(|at| apps.into_iter().nth(at))
            .ok_or(Error::Shape("the application is not on the bus"))?;
        Ok(app)
    }
}

/// What is asked of an element beyond what tells what it is: its action and its value.
fn details(app: &str, path: &str, interfaces: &[String]) -> Vec<Call> {
    const TEXT: &str = "org.a11y.atspi.Text";
    let has = |name: &str| interfaces.iter().any(|one| one.ends_with(name));
    let mut calls = Vec::new();
    if has(".Action") {
        let action = "org.a11y.atspi.Action";
        calls.push(Call::property(app, path, action, "NActions"));
        calls.push(Call::new(app, path, action, "GetName").with(Body::default().i32(0)));
    }
    if has(".Value") {
        calls.push(Call::property(app, path, "org.a11y.atspi.Value", "CurrentValue"));
    }
    if has(".EditableText") {
        calls.push(Call::new(app, path, TEXT, "GetText").with(Body::default().i32(0).i32(-1)));
    }
    calls
}

fn accessibles(answer: Option<&Message>) -> Result<Vec<(String, String)>, Error> {
    let message = answer.ok_or(Error::Shape("no list of children"))?;
    Reader::new(&message.body.bytes).array(8, Reader::accessible)
}

const SHOWING: u32 = 1 << 25;

fn is_showing(states: &mut Reader<'_>) -> Result<bool, Error> {
    Ok(low_states(states)? & SHOWING != 0)
}

/// The first 32 states, one a bit.
fn low_states(states: &mut Reader<'_>) -> Result<u32, Error> {
    let halves = states.array(4, Reader::u32)?;
    halves.first().copied().ok_or(Error::Shape("no states"))
}
