//! What the peer shows: nodes in a list, the application first, its window second.

mod shapes;

pub(crate) const ROOT: &str = "/org/a11y/atspi/accessible/root";
const BELOW: &str = "/org/a11y/atspi/accessible/";

/// Where the child is that some toolkits list for "none" (Qt 5.15 and 6.4).
pub(crate) const NULL: &str = "/org/a11y/atspi/null";

/// What its window is called, and where it is on the screen: left, top, width, height.
pub(crate) const TITLE: &str = "Misbehaving";
pub(crate) const WINDOW: [i32; 4] = [40, 60, 640, 480];

/// AT-SPI numbers of roles.
pub(crate) mod role {
    pub(crate) const CHECK_BOX: u32 = 7;
    pub(crate) const COMBO_BOX: u32 = 11;
    pub(crate) const FRAME: u32 = 23;
    pub(crate) const LABEL: u32 = 29;
    pub(crate) const LIST: u32 = 31;
    pub(crate) const LIST_ITEM: u32 = 32;
    pub(crate) const PANEL: u32 = 39;
    pub(crate) const BUTTON: u32 = 43;
    pub(crate) const SLIDER: u32 = 51;
    pub(crate) const TABLE: u32 = 55;
    pub(crate) const APPLICATION: u32 = 75;
    pub(crate) const ENTRY: u32 = 79;
    pub(crate) const TREE_ITEM: u32 = 91;
}

/// AT-SPI bits of states.
pub(crate) mod state {
    pub(crate) const ACTIVE: u64 = 1 << 1;
    pub(crate) const CHECKED: u64 = 1 << 4;
    pub(crate) const EDITABLE: u64 = 1 << 7;
    pub(crate) const ENABLED: u64 = 1 << 8;
    pub(crate) const EXPANDABLE: u64 = 1 << 9;
    pub(crate) const EXPANDED: u64 = 1 << 10;
    pub(crate) const FOCUSABLE: u64 = 1 << 11;
    pub(crate) const FOCUSED: u64 = 1 << 12;
    pub(crate) const SELECTABLE: u64 = 1 << 22;
    pub(crate) const SENSITIVE: u64 = 1 << 24;
    pub(crate) const SHOWING: u64 = 1 << 25;
    pub(crate) const VISIBLE: u64 = 1 << 30;
    pub(crate) const MANAGES_DESCENDANTS: u64 = 1 << 31;
    pub(crate) const CHECKABLE: u64 = 1 << 41;
}

#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) nodes: Vec<Node>,
    /// Rings of nodes that give their content to each other when it turns: each takes the next one's.
    turning: Vec<Vec<usize>>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    /// What it is to the person before the screen. Never on the bus.
    pub(crate) identity: String,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) role: u32,
    pub(crate) states: u64,
    pub(crate) parent: usize,
    pub(crate) children: Vec<Child>,
    /// More children than anybody can list: how many it says there are.
    pub(crate) claims: Option<i32>,
    /// What its actions are called, and what they do.
    pub(crate) actions: Vec<(String, Effect)>,
    pub(crate) text: Option<String>,
    pub(crate) number: Option<f64>,
    /// Which child is chosen, where one can be.
    pub(crate) chosen: Option<Option<usize>>,
    /// Where it says it is on the screen and in the window, if not where its number puts it.
    pub(crate) extents: Option<[i32; 4]>,
}

/// What an action does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Press,
    Check,
    Expand,
    /// What nobody has asked for.
    Harm,
}

#[derive(Clone, Debug)]
pub(crate) enum Child {
    Node(usize),
    /// A reference to something else: bus name, none for its own, and path.
    Stray(Option<&'static str>, &'static str),
}

impl Scene {
    fn push(&mut self, parent: usize, role: u32, name: &str) -> usize {
        let states = state::ENABLED | state::SENSITIVE | state::SHOWING | state::VISIBLE;
        let is_button = role == role::BUTTON;
        let focusable = if is_button { state::FOCUSABLE } else { 0 };
        let index = self.nodes.len();
        self.nodes.push(Node {
            identity: name.into(),
            name: name.into(),
            role,
            states: states | focusable,
            parent,
            actions: if is_button { vec![("click".into(), Effect::Press)] } else { Vec::new() },
            ..Node::default()
        });
        if index > 0 {
            self.nodes[parent].children.push(Child::Node(index));
        }
        index
    }

    pub(crate) fn at(&self, path: &str) -> Option<usize> {
        if path == ROOT {
            return Some(0);
        }
        path.strip_prefix(BELOW)?.parse().ok().filter(|index| *index < self.nodes.len())
    }

    /// Gives objects the content of others, as lists do that recycle their rows. Where they stand
    /// in the tree stays.
    pub(crate) fn turn(&mut self) {
        for ring in self.turning.clone() {
            let Some(first) = ring.first() else { continue };
            let mut content = self.nodes[*first].clone();
            for at in ring.iter().rev() {
                let node = &mut self.nodes[*at];
                let stays = (node.parent, node.children.clone());
                std::mem::swap(node, &mut content);
                (node.parent, node.children) = stays;
            }
        }
    }
}

impl Node {
    pub(crate) fn child_count(&self) -> i32 {
        self.claims.unwrap_or_else(|| i32::try_from(self.children.len()).unwrap_or(i32::MAX))
    }
}

/// Whether a path is neither that of the application nor that of its window.
pub(crate) fn is_inside(path: &str) -> bool {
    path != ROOT && path != self::path(1)
}

pub(crate) fn path(index: usize) -> String {
    if index == 0 { ROOT.into() } else { format!("{BELOW}{index}") }
}

impl Child {
    /// Bus name and path, seen from the application called `me`.
    pub(crate) fn reference<'a>(&'a self, me: &'a str) -> (&'a str, String) {
        match self {
            Self::Node(index) => (me, path(*index)),
            Self::Stray(app, path) => (app.unwrap_or(me), (*path).into()),
        }
    }
}
