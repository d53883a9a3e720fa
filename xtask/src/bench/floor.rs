//! The fewest calls we know of that rebuild a window's tree with what `snapshot -i --compact`
//! prints, written by hand for each toolkit. What the program really sends plays no part here.

use std::{
    collections::{HashMap, HashSet},
    time::{Duration, Instant},
};

use desktop_tests::bus::{self, Body, Call, Connection, Error, Message, Reader};

const ROOT: &str = "/org/a11y/atspi/accessible/root";
const CACHE: &str = "/org/a11y/atspi/cache";
const ACCESSIBLE: &str = "org.a11y.atspi.Accessible";

/// One run of the floor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Floor {
    pub(crate) nodes: usize,
    pub(crate) calls: usize,
    pub(crate) elapsed: Duration,
}

/// A toolkit, as far as reading it differs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Toolkit {
    /// Serves its cache once asked for its private bus; leaves out what stands in tables, lists
    /// and icon views.
    Gtk3,
    /// Serves of its cache what somebody has listed before, and nothing else.
    Gtk4,
}

#[derive(Debug, Default)]
struct Item {
    parent: String,
    /// What the toolkit says, which may be −1 for "do not know".
    child_count: i32,
    interfaces: Vec<String>,
    role: u32,
    showing: bool,
}

struct Conversation {
    bus: Connection,
    calls: usize,
}

/// Finds the application called `name` and reads its first window.
pub(crate) fn read(session: &str, name: &str, toolkit: Toolkit) -> Result<Floor, Error> {
    let start = Instant::now();
    let (bus, _) = bus::accessibility_bus(session)?;
    // Two greetings and the question for the address.
    let mut talk = Conversation { bus, calls: 3 };
    let app = talk.application(name)?;
    let mut items = HashMap::new();
    match toolkit {
        Toolkit::Gtk3 => {
            let wake =
                Call::new(&app, ROOT, "org.a11y.atspi.Application", "GetApplicationBusAddress");
            let answers = talk.ask(&[wake, get_items(&app)])?;
            add_items(&mut items, answers.last())?;
            talk.fill_atk(&app, &mut items)?;
        }
        Toolkit::Gtk4 => {
            let answers = talk.ask(&[get_items(&app)])?;
            add_items(&mut items, answers.last())?;
            if talk.list_gtk4(&app, &items)? {
                let answers = talk.ask(&[get_items(&app)])?;
                add_items(&mut items, answers.last())?;
            }
        }
    }
    let nodes = below_window(&items);
    talk.details(&app, nodes.iter().filter_map(|path| Some((*path, items.get(*path)?))))?;
    Ok(Floor { nodes: nodes.len(), calls: talk.calls, elapsed: start.elapsed() })
}

impl Conversation {
    fn ask(&mut self, calls: &[Call]) -> Result<Vec<Option<Message>>, Error> {
        self.calls += calls.len();
        Ok(self.bus.call_all(calls)?.into_iter().map(Result::ok).collect())
    }

    fn application(&mut self, name: &str) -> Result<String, Error> {
        let registry = Call::new("org.a11y.atspi.Registry", ROOT, ACCESSIBLE, "GetChildren");
        let apps = accessibles(self.ask(&[registry])?.first())?;
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

    /// Lists the children that ATK's cache does not hold, and reads them.
    fn fill_atk(&mut self, app: &str, items: &mut HashMap<String, Item>) -> Result<(), Error> {
        let mut cached: HashMap<&str, i32> = HashMap::new();
        for item in items.values() {
            *cached.entry(&item.parent).or_default() += 1;
        }
        let mut holes: Vec<String> = items
            .iter()
            .filter(|(path, item)| {
                cached.get(path.as_str()).copied().unwrap_or(0) != item.child_count
            })
            .map(|(path, _)| path.clone())
            .collect();
        while !holes.is_empty() {
            let calls: Vec<_> =
                holes.iter().map(|path| Call::new(app, path, ACCESSIBLE, "GetChildren")).collect();
            let answers = self.ask(&calls)?;
            let mut fresh = Vec::new();
            for (parent, answer) in holes.iter().zip(&answers) {
                let children = accessibles(Some(answer)).unwrap_or_default();
                fresh.extend(children.into_iter().map(|(_, path)| (parent.clone(), path)));
            }
            // The cache says of a combo box's menu that it hangs on nothing; the list is right.
            fresh.retain(|(parent, path)| match items.get_mut(path) {
                Some(known) => {
                    known.parent.clone_from(parent);
                    false
                }
                None => true,
            });
            let calls: Vec<_> = fresh
                .iter()
                .flat_map(|(_, path)| {
                    [
                        Call::new(app, path, ACCESSIBLE, "GetRole"),
                        Call::property(app, path, ACCESSIBLE, "ChildCount"),
                        Call::new(app, path, ACCESSIBLE, "GetInterfaces"),
                        Call::new(app, path, ACCESSIBLE, "GetState"),
                        Call::property(app, path, ACCESSIBLE, "Name"),
                        Call::property(app, path, ACCESSIBLE, "Description"),
                    ]
                })
                .collect();
            let answers = self.ask(&calls)?;
            holes.clear();
            for ((parent, path), answers) in fresh.into_iter().zip(answers.chunks(6)) {
                let [Some(role), Some(count), Some(interfaces), Some(states), ..] = answers else {
                    continue;
                };
                let mut count = Reader::new(&count.body.bytes);
                count.variant()?;
                let item = Item {
                    parent,
                    child_count: count.i32()?,
                    interfaces: Reader::new(&interfaces.body.bytes).array(4, Reader::text)?,
                    role: Reader::new(&role.body.bytes).u32()?,
                    showing: is_showing(&mut Reader::new(&states.body.bytes))?,
                };
                if item.child_count != 0 {
                    holes.push(path.clone());
                }
                items.insert(path, item);
            }
        }
        Ok(())
    }

    /// Lists, level by level, what GTK 4's cache does not hold, which puts it there. Returns
    /// whether there was anything.
    fn list_gtk4(&mut self, app: &str, items: &HashMap<String, Item>) -> Result<bool, Error> {
        let mut cached: HashMap<&str, i32> = HashMap::new();
        for item in items.values() {
            *cached.entry(&item.parent).or_default() += 1;
        }
        let mut level: Vec<String> = items
            .iter()
            .filter(|(path, item)| {
                path.as_str() != ROOT
                    && cached.get(path.as_str()).copied().unwrap_or(0) != item.child_count
            })
            .map(|(path, _)| path.clone())
            .collect();
        let listed = !level.is_empty();
        while !level.is_empty() {
            let calls: Vec<_> =
                level.iter().map(|path| Call::new(app, path, ACCESSIBLE, "GetChildren")).collect();
            let answers = self.ask(&calls)?;
            level.clear();
            for answer in &answers {
                let children = accessibles(Some(answer)).unwrap_or_default();
                level.extend(children.into_iter().map(|(_, path)| path));
            }
            level.retain(|path| !items.contains_key(path));
        }
        Ok(listed)
    }

    /// What is printed of an element beyond the bulk answer: its action and its value.
    fn details<'a>(
        &mut self,
        app: &str,
        nodes: impl Iterator<Item = (&'a str, &'a Item)>,
    ) -> Result<(), Error> {
        const MENU: u32 = 33;
        let mut calls = Vec::new();
        let mut closed = HashSet::new();
        for (path, item) in nodes {
            // A closed menu is printed as one element.
            if closed.contains(item.parent.as_str()) || (item.role == MENU && !item.showing) {
                closed.insert(path);
                continue;
            }
            let has = |name: &str| item.interfaces.iter().any(|i| i.ends_with(name));
            // Labels and fillers are not listed by `-i`, whatever they offer.
            if is_listed(item.role) && has(".Action") {
                let action = "org.a11y.atspi.Action";
                calls.push(Call::property(app, path, action, "NActions"));
                calls.push(Call::new(app, path, action, "GetName").with(Body::default().i32(0)));
            }
            if is_listed(item.role) && has(".Value") {
                calls.push(Call::property(app, path, "org.a11y.atspi.Value", "CurrentValue"));
            }
            if is_listed(item.role) && has(".EditableText") {
                calls.push(
                    Call::new(app, path, "org.a11y.atspi.Text", "GetText")
                        .with(Body::default().i32(0).i32(-1)),
                );
            }
        }
        self.ask(&calls)?;
        Ok(())
    }
}

/// Whether the AT-SPI role is one of those that `-i` lists: push, toggle and radio button, check
/// box, combo box, menu and its items, page tab, password and other text, scroll bar, slider, spin
/// button, table cell, entry, list item, link.
fn is_listed(role: u32) -> bool {
    matches!(
        role,
        43 | 62 | 44 | 7 | 11 | 8 | 33 | 35 | 45 | 37 | 40 | 61 | 48 | 51 | 52 | 56 | 79 | 32 | 88
    )
}

fn get_items(app: &str) -> Call {
    Call::new(app, CACHE, "org.a11y.atspi.Cache", "GetItems")
}

fn add_items(
    items: &mut HashMap<String, Item>,
    answer: Option<&Option<Message>>,
) -> Result<(), Error> {
    let Some(Some(message)) = answer else { return Err(Error::Shape("no bulk answer")) };
    let entries = Reader::new(&message.body.bytes).array(8, |entry| {
        entry.align(8);
        let (_, path) = entry.accessible()?;
        entry.accessible()?;
        let (_, parent) = entry.accessible()?;
        entry.i32()?;
        let child_count = entry.i32()?;
        let interfaces = entry.array(4, Reader::text)?;
        entry.text()?;
        let role = entry.u32()?;
        entry.text()?;
        let showing = is_showing(entry)?;
        Ok((path, Item { parent, child_count, interfaces, role, showing }))
    })?;
    items.extend(entries);
    Ok(())
}

fn is_showing(states: &mut Reader<'_>) -> Result<bool, Error> {
    const SHOWING: u32 = 1 << 25;
    let halves = states.array(4, Reader::u32)?;
    Ok(halves.first().is_some_and(|low| low & SHOWING != 0))
}

/// The first window and everything that hangs on it.
fn below_window(items: &HashMap<String, Item>) -> Vec<&str> {
    const FRAME: u32 = 23;
    let mut children: HashMap<&str, Vec<&str>> = HashMap::new();
    for (path, item) in items {
        children.entry(&item.parent).or_default().push(path);
    }
    let windows = items.iter().filter(|(_, item)| item.role == FRAME && item.parent == ROOT);
    let mut found: Vec<&str> = windows.map(|(path, _)| path.as_str()).take(1).collect();
    let mut at = 0;
    while let Some(path) = found.get(at) {
        found.extend(children.get(path).into_iter().flatten());
        at += 1;
    }
    found
}

fn accessibles(answer: Option<&Option<Message>>) -> Result<Vec<(String, String)>, Error> {
    let Some(Some(message)) = answer else { return Err(Error::Shape("no list of children")) };
    Reader::new(&message.body.bytes).array(8, Reader::accessible)
}
