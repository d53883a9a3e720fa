//! Windows written as text, and a desktop that has just one of them.
//!
//! A line is a node, indented by two spaces a level: `role "name" @address flags`. Flags: `lasting`,
//! `acts` (can be clicked), `area`, `closed=N`, `counted=N`, `cut`. Without an address a node gets
//! one that nobody else has.

#![allow(clippy::expect_used, reason = "what fails here fails the test")]

use std::cell::{Cell, RefCell};

use agent_desktop_model::{
    capability::Capability,
    evidence::digest,
    geometry::Point,
    role::Role,
    surface::SurfaceKind,
    tree::{Address, FieldSet, Listing, Node, NodeId, Position, Tree},
    wire::{Coordinates, Display},
};

use super::{Census, RefMap, allocate};
use crate::{
    observe::{Cut, Entry, View},
    platform::{
        Above, App, AppId, Arrangement, Capabilities, Captured, Cells, Clip, ClipKind, Content,
        Deadline, DesktopId, Failure, Handle, Input, Listener, Operator, Pasted, Platform, Probe,
        Process, Reach, Standing, Subject, Taken, Window,
    },
};

pub(super) const APP: &str = ":1.7";

/// The tree that `text` describes.
pub(super) fn tree(text: &str) -> Tree {
    let mut tree: Option<Tree> = None;
    let mut open: Vec<NodeId> = Vec::new();
    for (number, line) in text.lines().filter(|line| !line.trim().is_empty()).enumerate() {
        let depth = line.bytes().take_while(|byte| *byte == b' ').count() / 2;
        let node = node(line.trim(), number);
        match &mut tree {
            None => {
                let whole = Tree::new(node);
                open = vec![whole.root()];
                tree = Some(whole);
            }
            Some(tree) => {
                let base = open.len().min(depth);
                open.truncate(base.max(1));
                let id = tree.push(open[open.len() - 1], node);
                open.push(id);
            }
        }
    }
    let mut tree = tree.expect("a tree has a root");
    tree.complete = tree.ids().all(|id| tree[id].children != Listing::Cut);
    tree
}

fn node(line: &str, number: usize) -> Node {
    let mut node = Node::default();
    let (head, rest) = line.split_once('"').map_or((line, ""), |(head, rest)| (head, rest));
    let (name, tail) = rest.split_once('"').unwrap_or(("", rest));
    let mut words = head.split_whitespace().chain(tail.split_whitespace());
    node.role = Role::parse(words.next().expect("a role")).expect("a known role");
    node.name = name.into();
    let mut object = format!("/auto/{number}");
    for word in words {
        let count = |text: &str| text.parse().expect("a count");
        match word.split_once('=') {
            None if word.starts_with('@') => object = word[1..].to_owned(),
            None if word == "lasting" => node.lasting = true,
            None if word == "acts" => node.capabilities.insert(Capability::Click),
            None if word == "area" => {
                node.takes_room = true;
            }
            None if word == "cut" => node.children = Listing::Cut,
            Some(("closed", text)) => node.children = Listing::Closed(count(text)),
            Some(("counted", text)) => node.children = Listing::Counted(count(text)),
            _ => panic!("unknown flag {word}"),
        }
    }
    node.address = Address { app: APP.into(), object: object.into() };
    node.digest = digest(node.role as u32, "", &node.name, "");
    node
}

/// The node named `name`; of several, the one with the index after a `#`.
pub(super) fn named(tree: &Tree, name: &str) -> NodeId {
    let (name, skip) = match name.split_once('#') {
        Some((name, index)) => (name, index.parse().expect("an index")),
        None => (name, 0),
    };
    tree.ids().filter(|id| &*tree[*id].name == name).nth(skip).expect("a node of that name")
}

/// Everything below `top` listed, but what is below the nodes called in `cuts`.
pub(super) fn view(tree: &Tree, top: NodeId, cuts: &[NodeId]) -> View {
    let mut entries: Vec<Entry> = Vec::new();
    let mut pending = vec![(top, None)];
    while let Some((node, parent)) = pending.pop() {
        let index = entries.len();
        let children = tree.children(node).count() as u64;
        let cut = cuts.contains(&node).then_some(Cut::Depth { children });
        if cut.is_none() {
            let first = pending.len();
            pending.extend(tree.children(node).map(|child| (child, Some(index))));
            pending[first..].reverse();
        }
        entries.push(Entry { node, parent, cut });
    }
    View { entries }
}

/// A snapshot of everything in the window, and the number of the element named `name`.
pub(super) fn snapshot(desktop: &Desktop, name: &str) -> (RefMap, u32) {
    let tree = desktop.tree();
    let mut map = desktop.empty_map();
    let census = Census::of_window(&tree);
    let node = named(&tree, name);
    let view = view(&tree, tree.root(), &[]);
    let numbers = allocate(&mut map, &tree, &census, &view);
    let entry = view.entries.iter().position(|entry| entry.node == node).expect("listed");
    (map, numbers[entry].expect("a ref"))
}

/// A desktop with one window of one application.
#[derive(Debug)]
pub(super) struct Desktop {
    pub(super) scene: RefCell<String>,
    pub(super) id: &'static str,
    pub(super) process: Cell<Process>,
    /// Whether the window is still there.
    pub(super) open: Cell<bool>,
    /// Whether probes are left unanswered.
    pub(super) silent: Cell<bool>,
    /// How often the whole window was read.
    pub(super) reads: Cell<u32>,
}

impl Desktop {
    pub(super) fn new(scene: &str) -> Self {
        Self {
            scene: RefCell::new(scene.to_owned()),
            id: "guid-1",
            process: Cell::new(Process { pid: 100, started: 5 }),
            open: Cell::new(true),
            silent: Cell::new(false),
            reads: Cell::new(0),
        }
    }

    pub(super) fn becomes(&self, scene: &str) {
        *self.scene.borrow_mut() = scene.to_owned();
    }

    pub(super) fn tree(&self) -> Tree {
        tree(&self.scene.borrow())
    }

    pub(super) fn empty_map(&self) -> RefMap {
        let window = self.the_window();
        let address = window.address.clone().expect("an accessible window");
        RefMap::new(self.id.to_owned(), &window, address, SurfaceKind::Window)
    }

    fn the_window(&self) -> Window {
        let tree = self.tree();
        let root = &tree[tree.root()];
        Window {
            id: "w-1.7-1".to_owned(),
            app: App {
                id: APP.into(),
                name: "demo".to_owned(),
                aliases: Vec::new(),
                process: Some(self.process.get()),
                toolkit: None,
                responding: true,
                silence: None,
            },
            handle: None,
            address: Some(root.address.clone()),
            role: root.role,
            title: root.name.to_string(),
            bounds: None,
            focused: true,
            visible: true,
            maximized: false,
            minimized: false,
            modal: false,
            reason: None,
        }
    }
}

impl Platform for Desktop {
    fn desktop(&self, _: Deadline) -> Result<DesktopId, Failure> {
        Ok(DesktopId(self.id.to_owned()))
    }

    fn window(&self, _id: &str, _deadline: Deadline) -> Result<Window, Failure> {
        if self.open.get() { Ok(self.the_window()) } else { Err(Failure::Gone) }
    }

    fn observe(&self, _: &Address, _: &[Above], _: Cells, _: Deadline) -> Result<Tree, Failure> {
        self.reads.set(self.reads.get() + 1);
        Ok(self.tree())
    }

    fn outline(&self, _: &Address, _: Deadline) -> Result<Tree, Failure> {
        unimplemented!("resolution does not look for what is open")
    }

    fn around_pages(&self, _: &Address, _: Deadline) -> Result<Option<Tree>, Failure> {
        unimplemented!("resolution does not look for what is open")
    }

    fn cell(&self, _: &Address, _: Position, _: Deadline) -> Result<Address, Failure> {
        unimplemented!("no scene here has a spreadsheet")
    }

    fn probe(&self, addresses: &[Address], _: Deadline) -> Result<Vec<Probe>, Failure> {
        let tree = self.tree();
        let probe = |address: &Address| {
            let Some(id) = tree.ids().find(|id| tree[*id].address == *address) else {
                return Probe::Gone;
            };
            let parent = tree.parent(id).map(|parent| tree[parent].address.clone());
            Probe::Alive { digest: tree[id].digest, parent }
        };
        if self.silent.get() {
            return Ok(vec![Probe::Unknown; addresses.len()]);
        }
        Ok(addresses.iter().map(probe).collect())
    }

    fn content(&self, _: &Node, _: Deadline) -> Result<Content, Failure> {
        unimplemented!("resolution reads no contents")
    }

    fn listen(&self, _: Option<&AppId>, _: Deadline) -> Result<Box<dyn Listener + '_>, Failure> {
        unimplemented!("resolution waits for nothing")
    }

    fn operate(&self, _: &AppId, _: Deadline) -> Result<Box<dyn Operator + '_>, Failure> {
        unimplemented!("resolution changes nothing")
    }

    fn capture(&self, _: Subject, _: Deadline) -> Result<Captured, Failure> {
        unimplemented!("resolution takes no pictures")
    }

    fn clipboard(&self, _: &[ClipKind], _: Deadline) -> Result<Pasted, Failure> {
        unimplemented!("resolution reads no clipboard")
    }

    fn set_clipboard(&self, _: &Clip, _: Deadline) -> Result<Taken, Failure> {
        unimplemented!("resolution changes nothing")
    }

    fn clear_clipboard(&self, _: Deadline) -> Result<Taken, Failure> {
        unimplemented!("resolution changes nothing")
    }

    fn programs(&self) -> &dyn crate::platform::Programs {
        unimplemented!("resolution starts nothing")
    }

    fn capabilities(&self) -> Capabilities {
        unimplemented!("resolution does not ask")
    }

    fn apps(&self, _: Deadline) -> Result<Vec<App>, Failure> {
        unimplemented!("resolution does not ask")
    }

    fn app(&self, _: &AppId, _: Deadline) -> Result<App, Failure> {
        unimplemented!("resolution does not ask")
    }

    fn windows(&self, _: &[App], _: Deadline) -> Result<(Vec<Window>, Vec<App>), Failure> {
        Ok((vec![self.the_window()], Vec::new()))
    }

    fn focused_window(&self, _: Deadline) -> Result<Option<Window>, Failure> {
        unimplemented!("resolution does not ask")
    }

    fn has_input(&self) -> bool {
        false
    }

    fn input(&self, _: Deadline) -> Result<Box<dyn Input + '_>, Failure> {
        unimplemented!("resolution does not ask")
    }

    fn reach(&self, _: &Node, _: &[Above], _: Point, _: Deadline) -> Result<Reach, Failure> {
        unimplemented!("resolution does not ask")
    }

    fn standing(&self, _: Handle, _: Deadline) -> Result<Standing, Failure> {
        unimplemented!("resolution does not ask")
    }

    fn arrange(&self, _: Handle, _: Arrangement, _: Deadline) -> Result<(), Failure> {
        unimplemented!("resolution does not ask")
    }

    fn coordinates(&self) -> Coordinates {
        unimplemented!("resolution does not ask")
    }

    fn displays(&self, _: Deadline) -> Result<Vec<Display>, Failure> {
        unimplemented!("resolution does not ask")
    }

    fn read(&self, _: &Address, _: &[Above], _: Deadline) -> Result<Tree, Failure> {
        unimplemented!("resolution does not ask")
    }

    fn fill(&self, _: &mut Tree, _: &[(NodeId, FieldSet)], _: Deadline) -> Result<bool, Failure> {
        unimplemented!("resolution does not ask")
    }
}
