//! A window of the X server whose accessibles are made by AccessKit, which toolkits without any of
//! their own (egui, Slint, Bevy) use. It draws nothing: only what it says of itself, and what it does
//! about what it is asked, is tested.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use accesskit::{
    Action, ActionData, ActionHandler, ActionRequest, ActivationHandler, DeactivationHandler, Node,
    NodeId, Rect, Role, Toggled, TreeId, TreeInfo, TreeUpdate,
};
use accesskit_unix::Adapter;
use x11rb::{
    COPY_FROM_PARENT,
    connection::Connection,
    protocol::{
        Event,
        xproto::{
            AtomEnum, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, PropMode,
            Window, WindowClass,
        },
    },
    rust_connection::RustConnection,
    wrapper::ConnectionExt as _,
};

const TITLE: &str = "AccessKit window";
const WIDTH: u16 = 320;
const HEIGHT: u16 = 240;

/// What is in the window.
struct Content {
    presses: u32,
    chosen: bool,
    name: String,
    volume: f64,
    fruit: Option<&'static str>,
}

const FRUIT: [&str; 2] = ["Apples", "Pears"];

/// The elements that do something.
const PRESS: NodeId = NodeId(101);
const CHOOSE: NodeId = NodeId(102);
const NAME: NodeId = NodeId(103);
const VOLUME: NodeId = NodeId(104);
const FIRST_FRUIT: u64 = 105;

#[derive(Clone)]
struct Handler {
    content: Arc<Mutex<Content>>,
    connection: Arc<RustConnection>,
    window: Window,
}

impl Handler {
    fn content(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tree(&self) -> TreeUpdate {
        tree(&self.content())
    }
}

impl ActivationHandler for Handler {
    fn request_initial_tree(&mut self) -> Option<TreeUpdate> {
        Some(self.tree())
    }
}

impl ActionHandler for Handler {
    fn do_action(&mut self, request: ActionRequest) {
        let mut content = self.content();
        match (request.target_node, request.action, request.data) {
            (PRESS, Action::Click, _) => content.presses += 1,
            (CHOOSE, Action::Click, _) => content.chosen = !content.chosen,
            (NAME, Action::SetValue, Some(ActionData::Value(text))) => content.name = text.into(),
            (VOLUME, Action::SetValue, Some(ActionData::NumericValue(volume))) => {
                content.volume = volume;
            }
            (NodeId(item), Action::Click, _) => {
                let at = item.checked_sub(FIRST_FRUIT).and_then(|at| usize::try_from(at).ok());
                content.fruit = at.and_then(|at| FRUIT.get(at)).copied().or(content.fruit);
            }
            _ => {}
        }
        drop(content);
        // The loop of the window tells what has changed.
        let wake = ClientMessageEvent::new(32, self.window, AtomEnum::STRING, [0; 5]);
        let _ = self.connection.send_event(false, self.window, EventMask::NO_EVENT, wake);
        let _ = self.connection.flush();
    }
}

impl DeactivationHandler for Handler {
    fn deactivate_accessibility(&mut self) {}
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (connection, screen) = x11rb::connect(None)?;
    let connection = Arc::new(connection);
    let root = connection.setup().roots[screen].root;
    let window = connection.generate_id()?;
    let look = CreateWindowAux::new()
        .event_mask(EventMask::FOCUS_CHANGE | EventMask::STRUCTURE_NOTIFY | EventMask::EXPOSURE);
    let class = WindowClass::INPUT_OUTPUT;
    connection.create_window(
        COPY_FROM_PARENT as u8,
        window,
        root,
        0,
        0,
        WIDTH,
        HEIGHT,
        0,
        class,
        COPY_FROM_PARENT,
        &look,
    )?;
    let atom = |name: &str| -> Result<u32, Box<dyn std::error::Error>> {
        Ok(connection.intern_atom(false, name.as_bytes())?.reply()?.atom)
    };
    let replace = PropMode::REPLACE;
    let text = AtomEnum::STRING;
    connection.change_property8(
        replace,
        window,
        atom("_NET_WM_NAME")?,
        atom("UTF8_STRING")?,
        TITLE.as_bytes(),
    )?;
    connection.change_property8(
        replace,
        window,
        AtomEnum::WM_CLASS,
        text,
        b"accesskit-window\0AccessKit\0",
    )?;
    connection.change_property32(
        replace,
        window,
        atom("_NET_WM_PID")?,
        AtomEnum::CARDINAL,
        &[std::process::id()],
    )?;
    connection.map_window(window)?;
    connection.flush()?;

    let content =
        Content { presses: 0, chosen: true, name: "Ada".to_owned(), volume: 30.0, fruit: None };
    let content = Arc::new(Mutex::new(content));
    let handler = Handler { content, connection: connection.clone(), window };
    let mut adapter = Adapter::new(handler.clone(), handler.clone(), handler.clone());
    loop {
        match connection.wait_for_event()? {
            Event::FocusIn(_) => adapter.update_window_focus_state(true),
            Event::FocusOut(_) => adapter.update_window_focus_state(false),
            Event::ClientMessage(_) => adapter.update_if_active(|| handler.tree()),
            Event::ConfigureNotify(_) | Event::Expose(_) => {
                let origin = connection.translate_coordinates(window, root, 0, 0)?.reply()?;
                let (x, y) = (f64::from(origin.dst_x), f64::from(origin.dst_y));
                let place = Rect::new(x, y, x + f64::from(WIDTH), y + f64::from(HEIGHT));
                adapter.set_root_window_bounds(place, place);
            }
            _ => {}
        }
    }
}

/// What is in the window, from its title down.
fn tree(content: &Content) -> TreeUpdate {
    let mut nodes: Vec<(NodeId, Node)> = Vec::new();
    let mut add = |role, name: &str, id: Option<NodeId>, change: &dyn Fn(&mut Node)| {
        let place = nodes.len() as u64 + 1;
        let id = id.unwrap_or(NodeId(place));
        let mut node = Node::new(role);
        match role {
            Role::Label => node.set_value(name),
            Role::TextRun => {}
            _ => node.set_label(name),
        }
        let top = 20.0 * (place - 1) as f64;
        node.set_bounds(Rect::new(10.0, top, 110.0, top + 18.0));
        change(&mut node);
        nodes.push((id, node));
        id
    };
    let run = add(Role::TextRun, "", None, &|node| {
        node.set_value(content.name.as_str());
        let lengths = content.name.chars().map(|one| u8::try_from(one.len_utf8()).unwrap_or(1));
        node.set_character_lengths(lengths.collect::<Vec<_>>());
    });
    let items: Vec<NodeId> = FRUIT
        .iter()
        .zip(FIRST_FRUIT..)
        .map(|(name, id)| {
            add(Role::ListBoxOption, name, Some(NodeId(id)), &|node| {
                node.add_action(Action::Click);
                node.set_selected(content.fruit == Some(name));
            })
        })
        .collect();
    let pressed = format!("Pressed {} times", content.presses);
    let children = vec![
        add(Role::Label, "A window of AccessKit", None, &|_| {}),
        add(Role::Label, &pressed, None, &|_| {}),
        add(Role::Button, "Press", Some(PRESS), &|node| {
            node.add_action(Action::Click);
            node.add_action(Action::Focus);
            node.set_author_id("press");
        }),
        add(Role::Button, "Out of order", None, &|node| node.set_disabled()),
        add(Role::CheckBox, "Choose", Some(CHOOSE), &|node| {
            node.add_action(Action::Click);
            node.set_toggled(if content.chosen { Toggled::True } else { Toggled::False });
        }),
        add(Role::TextInput, "Name", Some(NAME), &|node| {
            node.add_action(Action::Focus);
            node.add_action(Action::SetValue);
            node.set_value(content.name.as_str());
            node.set_children([run]);
        }),
        add(Role::PasswordInput, "Secret", None, &|node| {
            node.set_value("\u{2022}\u{2022}\u{2022}")
        }),
        add(Role::Slider, "Volume", Some(VOLUME), &|node| {
            node.add_action(Action::SetValue);
            node.set_numeric_value(content.volume);
            node.set_min_numeric_value(0.0);
            node.set_max_numeric_value(100.0);
        }),
        add(Role::ListBox, "Fruit", None, &|node| node.set_children(items.clone())),
    ];
    let root = add(Role::Window, TITLE, None, &|node| {
        node.set_children(children.clone());
        node.set_bounds(Rect::new(0.0, 0.0, WIDTH.into(), HEIGHT.into()));
    });
    let mut info = TreeInfo::new(root);
    info.toolkit_name = Some("window of the tests".to_owned());
    info.toolkit_version = Some("1.0".to_owned());
    TreeUpdate { nodes, tree: Some(info), tree_id: TreeId::ROOT, focus: root }
}
