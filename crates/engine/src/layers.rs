//! What is open of an application: its windows, read whole, and the menus, popovers and dialogs in
//! them.

use std::collections::{HashMap, HashSet};

use agent_desktop_model::{
    error::{Code, Details, Error},
    role::Role,
    state::State,
    surface::SurfaceKind,
    text::quoted,
    tree::{Address, Tree},
    wire,
};

use crate::{
    observe::surfaces,
    platform::{App, Cells, Deadline, Failure, Platform, Why, Window},
};

/// A window that was read, and the surfaces that are open in it.
#[derive(Debug)]
pub(crate) struct Layers {
    pub(crate) window: Window,
    pub(crate) address: Address,
    pub(crate) tree: Tree,
    pub(crate) found: Vec<surfaces::Found>,
}

/// Every open surface of `apps`.
pub(crate) fn open(
    platform: &dyn Platform,
    apps: &[App],
    deadline: Deadline,
) -> Result<Vec<wire::Surface>, Error> {
    let windows = windows(platform, apps, deadline)?;
    let outline = |window: &Window, address: &Address| {
        in_time(window, deadline, |reading| platform.outline(address, reading))
    };
    let mut listed = Vec::new();
    for Layers { window, tree, found, .. } in each(windows, outline)? {
        let overlays = found.iter().map(|surface| {
            let node = &tree[surface.node];
            wire::Surface {
                grabs_input: match surface.kind {
                    SurfaceKind::Menu => tree.menus_grab,
                    SurfaceKind::Popover => tree.popovers_grab,
                    _ => false,
                },
                id: surfaces::id(surface.kind, &node.address),
                item_count: Some(surface.items),
                title: (!node.name.is_empty()).then(|| node.name.to_string()),
                kind: surface.kind.token(),
            }
        });
        // A minimised window is one still; Qt also keeps dialogs that were closed.
        let root = &tree[tree.root()];
        let is_closed = root.role != Role::Window && root.states.has(State::Hidden);
        let is_unused = window.role == Role::Popover && !window.visible;
        if !is_closed && !is_unused && !surfaces::is_overlay(&tree, &found) {
            listed.push(wire::Surface {
                grabs_input: false,
                id: window.id,
                item_count: None,
                title: Some(window.title),
                kind: SurfaceKind::Window.token(),
            });
        }
        listed.extend(overlays);
    }
    Ok(listed)
}

/// Reads every window of `windows` that can be read.
pub(crate) fn read(
    platform: &dyn Platform,
    windows: Vec<Window>,
    cells: Cells,
    deadline: Deadline,
) -> Result<Vec<Layers>, Error> {
    each(windows, |window, address| {
        in_time(window, deadline, |reading| platform.observe(address, &[], cells, reading))
    })
}

/// What `read` makes of each of `windows` that can be read, and the surfaces in it.
fn each(
    windows: Vec<Window>,
    read: impl Fn(&Window, &Address) -> Result<Tree, Error>,
) -> Result<Vec<Layers>, Error> {
    let mut layers = Vec::with_capacity(windows.len());
    for window in windows {
        let Some(address) = window.address.clone() else { continue };
        let tree = read(&window, &address)?;
        let found = surfaces::find(&tree);
        layers.push(Layers { window, address, tree, found });
    }
    Ok(once(layers))
}

/// The same without the windows that are what another one lists, too: an open menu of a combo box of
/// GTK 3.24 stands in the combo box and in a window of its own, a question of Chromium 156 in the
/// window that it is about and beside it.
fn once(layers: Vec<Layers>) -> Vec<Layers> {
    let is_popup = |layer: &Layers| surfaces::is_popup(&layer.tree, &layer.found);
    let mut listed: HashMap<Address, HashSet<Address>> = HashMap::new();
    for layer in layers.iter().filter(|layer| !is_popup(layer)) {
        for found in &layer.found {
            let surface = layer.tree[found.node].address.clone();
            listed.entry(surface).or_default().insert(layer.address.clone());
        }
    }
    let is_listed_elsewhere = |layer: &Layers| {
        let what = match layer.found.first() {
            Some(menu) if is_popup(layer) => &layer.tree[menu.node].address,
            _ => &layer.address,
        };
        listed.get(what).is_some_and(|by| by.iter().any(|window| *window != layer.address))
    };
    let keep: Vec<bool> = layers.iter().map(|layer| !is_listed_elsewhere(layer)).collect();
    layers.into_iter().zip(keep).filter_map(|(layer, keep)| keep.then_some(layer)).collect()
}

/// Reads a whole window, of which a part of the time is left for the fields of what is listed:
/// elements without their actions would be of little use.
pub(crate) fn observe(
    platform: &dyn Platform,
    window: &Window,
    cells: Cells,
    deadline: Deadline,
) -> Result<(Address, Tree), Error> {
    let Some(address) = &window.address else {
        return Err(unreadable(window));
    };
    let tree = in_time(window, deadline, |reading| platform.observe(address, &[], cells, reading))?;
    Ok((address.clone(), tree))
}

/// What `read` makes of `window` in its part of the time.
fn in_time(
    window: &Window,
    deadline: Deadline,
    read: impl FnOnce(Deadline) -> Result<Tree, Failure>,
) -> Result<Tree, Error> {
    read(deadline.within(deadline.remaining() * 3 / 4)).map_err(|failure| match failure {
        Failure::Gone => ended(window),
        failure => failure.about(&format!("window {}", quoted(&window.title)), deadline),
    })
}

/// The windows of `apps`, for a command that looks into each.
pub(crate) fn windows(
    platform: &dyn Platform,
    apps: &[App],
    deadline: Deadline,
) -> Result<Vec<Window>, Error> {
    let (windows, silent) = platform
        .windows(apps, deadline)
        .map_err(|failure| failure.about("the list of windows", deadline))?;
    match silent.first() {
        Some(app) if windows.is_empty() => {
            let (app, why) = (app.name.clone(), app.silence.clone());
            Err(Failure::Unresponsive { app, why }.about("the list of windows", deadline))
        }
        _ => Ok(windows),
    }
}

/// That a window offers no accessibles, with the cause and the remedy.
pub(crate) fn unreadable(window: &Window) -> Error {
    let Window { id, title, reason, .. } = window;
    let (cause, remedy) = match reason {
        Some(Why { cause, remedy }) => (&**cause, &**remedy),
        None => (
            "its application offers no accessibles",
            "Name another window: `list-windows` tells which are accessible.",
        ),
    };
    Error::new(
        Code::ActionNotSupported,
        format!("window {} cannot be read: {cause}", quoted(title)),
    )
    .suggest(remedy)
    .details(Details::WindowWithoutAccessibilityElement { window_id: id.clone() })
}

/// That a window which was just found is not there any more.
fn ended(window: &Window) -> Error {
    let Window { title, app, .. } = window;
    let (window, app) = (quoted(title), quoted(&app.name));
    let message = format!("window {window} is gone: {app} closed it or ended");
    Error::new(Code::WindowNotFound, message)
        .suggest("List what there is with `list-windows`, then snapshot again.")
}
