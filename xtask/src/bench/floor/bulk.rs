//! Toolkits that tell of all their elements at once.

use std::collections::{HashMap, HashSet};

use desktop_tests::bus::{Call, Error, Message, Reader};

use super::{ACCESSIBLE, Conversation, ROOT, accessibles, details, is_showing};

const CACHE: &str = "/org/a11y/atspi/cache";

/// Reads the window of an application with the ATK bridge; how many elements it has.
pub(super) fn read_atk(talk: &mut Conversation, app: &str, window: &str) -> Result<usize, Error> {
    let mut items = HashMap::new();
    let wake = Call::new(app, ROOT, "org.a11y.atspi.Application", "GetApplicationBusAddress");
    let answers = talk.ask(&[wake, get_items(app)])?;
    add_items(&mut items, answers.last())?;
    fill_atk(talk, app, &mut items)?;
    ask_details(talk, app, &below(window, &items), &items)
}

/// Reads the window of an application made with GTK 4; how many elements it has.
pub(super) fn read_gtk4(talk: &mut Conversation, app: &str, window: &str) -> Result<usize, Error> {
    let mut items = HashMap::new();
    let answers = talk.ask(&[get_items(app)])?;
    add_items(&mut items, answers.last())?;
    if list_gtk4(talk, app, &items)? {
        let answers = talk.ask(&[get_items(app)])?;
        add_items(&mut items, answers.last())?;
    }
    ask_details(talk, app, &below(window, &items), &items)
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

/// Lists the children that ATK's cache does not hold, and reads them.
fn fill_atk(
    talk: &mut Conversation,
    app: &str,
    items: &mut HashMap<String, Item>,
) -> Result<(), Error> {
    let mut cached: HashMap<&str, i32> = HashMap::new();
    for item in items.values() {
        *cached.entry(&item.parent).or_default() += 1;
    }
    let mut holes: Vec<String> = items
        .iter()
        .filter(|(path, item)| cached.get(path.as_str()).copied().unwrap_or(0) != item.child_count)
        .map(|(path, _)| path.clone())
        .collect();
    while !holes.is_empty() {
        let calls: Vec<_> =
            holes.iter().map(|path| Call::new(app, path, ACCESSIBLE, "GetChildren")).collect();
        let answers = talk.ask(&calls)?;
        let mut fresh = Vec::new();
        for (parent, answer) in holes.iter().zip(&answers) {
            let children = accessibles(answer.as_ref()).unwrap_or_default();
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
        let answers = talk.ask(&calls)?;
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
fn list_gtk4(
    talk: &mut Conversation,
    app: &str,
    items: &HashMap<String, Item>,
) -> Result<bool, Error> {
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
        let answers = talk.ask(&calls)?;
        level.clear();
        for answer in &answers {
            let children = accessibles(answer.as_ref()).unwrap_or_default();
            level.extend(children.into_iter().map(|(_, path)| path));
        }
        level.retain(|path| !items.contains_key(path));
    }
    Ok(listed)
}

/// Asks for what is printed of the elements beyond the bulk answer.
fn ask_details(
    talk: &mut Conversation,
    app: &str,
    nodes: &[&str],
    items: &HashMap<String, Item>,
) -> Result<usize, Error> {
    const MENU: u32 = 33;
    let mut calls = Vec::new();
    let mut closed = HashSet::new();
    for (path, item) in nodes.iter().filter_map(|path| Some((*path, items.get(*path)?))) {
        // A closed menu is printed as one element.
        if closed.contains(item.parent.as_str()) || (item.role == MENU && !item.showing) {
            closed.insert(path);
        } else if is_listed(item.role) {
            calls.extend(details(app, path, &item.interfaces));
        }
    }
    talk.ask(&calls)?;
    Ok(nodes.len())
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

/// The window and everything that hangs on it.
fn below<'a>(window: &'a str, items: &'a HashMap<String, Item>) -> Vec<&'a str> {
    let mut children: HashMap<&str, Vec<&str>> = HashMap::new();
    for (path, item) in items {
        children.entry(&item.parent).or_default().push(path);
    }
    let mut found = vec![window];
    let mut at = 0;
    while let Some(path) = found.get(at) {
        found.extend(children.get(path).into_iter().flatten());
        at += 1;
    }
    found
}

/// Whether the AT-SPI role is one of those that `-i` lists; what else is in a window of these
/// toolkits has no action of its own. Push, toggle and radio button, check box, combo box, menu and
/// its items, page tab, password and other text, scroll bar, slider, spin button, table cell, entry,
/// list item, link.
fn is_listed(role: u32) -> bool {
    matches!(
        role,
        43 | 62 | 44 | 7 | 11 | 8 | 33 | 35 | 45 | 37 | 40 | 61 | 48 | 51 | 52 | 56 | 79 | 32 | 88
    )
}
