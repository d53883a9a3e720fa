//! What the peer shows: nodes in a list, the application first, its window second.

pub(crate) const ROOT: &str = "/org/a11y/atspi/accessible/root";
const BELOW: &str = "/org/a11y/atspi/accessible/";

/// Where the child is that some toolkits list for "none" (Qt 5.15 and 6.4).
const NULL: &str = "/org/a11y/atspi/null";

/// AT-SPI numbers of roles.
pub(crate) mod role {
    pub(crate) const FRAME: u32 = 23;
    pub(crate) const LABEL: u32 = 29;
    pub(crate) const PANEL: u32 = 39;
    pub(crate) const BUTTON: u32 = 43;
    pub(crate) const TABLE: u32 = 55;
    pub(crate) const APPLICATION: u32 = 75;
}

/// AT-SPI bits of states.
mod state {
    pub(super) const ACTIVE: u64 = 1 << 1;
    pub(super) const ENABLED: u64 = 1 << 8;
    pub(super) const FOCUSABLE: u64 = 1 << 11;
    pub(super) const SENSITIVE: u64 = 1 << 24;
    pub(super) const SHOWING: u64 = 1 << 25;
    pub(super) const VISIBLE: u64 = 1 << 30;
    pub(super) const MANAGES_DESCENDANTS: u64 = 1 << 31;
}

#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) nodes: Vec<Node>,
}

#[derive(Debug, Default)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) role: u32,
    pub(crate) states: u64,
    pub(crate) parent: usize,
    pub(crate) children: Vec<Child>,
    /// More children than anybody can list: how many it says there are.
    pub(crate) claims: Option<i32>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Child {
    Node(usize),
    /// The placeholder that Qt lists.
    Null,
}

impl Scene {
    /// The scene called `shape`, perhaps with a number after a colon.
    pub(crate) fn new(application: &str, shape: &str) -> Result<Self, String> {
        let (shape, number) = match shape.split_once(':') {
            Some((shape, number)) => (shape, number.parse().map_err(|_| "not a number")?),
            None => (shape, 100),
        };
        let mut scene = Self { nodes: Vec::new() };
        let root = scene.push(0, role::APPLICATION, application);
        scene.nodes[root].children.clear();
        let window = scene.push(root, role::FRAME, "Misbehaving");
        scene.nodes[window].states |= state::ACTIVE;
        match shape {
            "plain" => {
                scene.push(window, role::BUTTON, "OK");
                scene.push(window, role::LABEL, "Fine so far");
            }
            "empty" => {}
            "names" => {
                for name in hostile_names() {
                    scene.push(window, role::BUTTON, &name);
                }
            }
            "chain" => {
                let mut at = window;
                for _ in 0..number {
                    at = scene.push(at, role::PANEL, "");
                }
                scene.push(at, role::BUTTON, "Bottom");
            }
            "self-child" => {
                let panel = scene.push(window, role::PANEL, "Ouroboros");
                scene.nodes[panel].children.push(Child::Node(panel));
                scene.push(window, role::BUTTON, "Beside");
            }
            "cycle" => {
                let first = scene.push(window, role::PANEL, "First");
                let second = scene.push(first, role::PANEL, "Second");
                scene.push(second, role::BUTTON, "Within");
                scene.nodes[second].children.push(Child::Node(first));
                scene.nodes[second].children.push(Child::Node(window));
            }
            "endless" => {
                let table = scene.push(window, role::TABLE, "Sheet");
                scene.nodes[table].states |= state::MANAGES_DESCENDANTS;
                scene.nodes[table].claims = Some(i32::MAX);
                scene.push(window, role::BUTTON, "Beside");
            }
            "wide" => {
                for index in 0..number {
                    scene.push(window, role::BUTTON, &format!("Button {index}"));
                }
            }
            "null-child" => {
                scene.nodes[window].children.push(Child::Null);
                scene.push(window, role::BUTTON, "Beside");
            }
            other => return Err(format!("unknown shape {other}")),
        }
        Ok(scene)
    }

    fn push(&mut self, parent: usize, role: u32, name: &str) -> usize {
        let states = state::ENABLED | state::SENSITIVE | state::SHOWING | state::VISIBLE;
        let focusable = if role == role::BUTTON { state::FOCUSABLE } else { 0 };
        let index = self.nodes.len();
        self.nodes.push(Node {
            name: name.into(),
            role,
            states: states | focusable,
            parent,
            ..Node::default()
        });
        self.nodes[parent].children.push(Child::Node(index));
        index
    }

    pub(crate) fn at(&self, path: &str) -> Option<usize> {
        if path == ROOT {
            return Some(0);
        }
        path.strip_prefix(BELOW)?.parse().ok().filter(|index| *index < self.nodes.len())
    }
}

impl Node {
    pub(crate) fn child_count(&self) -> i32 {
        self.claims.unwrap_or_else(|| i32::try_from(self.children.len()).unwrap_or(i32::MAX))
    }

    pub(crate) fn has_action(&self) -> bool {
        self.role == role::BUTTON
    }
}

pub(crate) fn path(index: usize) -> String {
    if index == 0 { ROOT.into() } else { format!("{BELOW}{index}") }
}

impl Child {
    pub(crate) fn path(self) -> String {
        match self {
            Self::Node(index) => path(index),
            Self::Null => NULL.into(),
        }
    }
}

/// Names that break whoever pastes text together.
fn hostile_names() -> Vec<String> {
    vec![
        r#"say "hi" \ 'bye'"#.into(),
        "two\nlines\r\nand\ttabs".into(),
        "\u{1}\u{1b}[31mred\u{7f}\u{85}\u{2028}\u{2029}".into(),
        "\u{202e}txt.exe\u{202c} \u{2067}עברית\u{2069}".into(),
        "👩🏽‍💻 e\u{301} 𝔘𝔫𝔦 \u{fffd}\u{feff}".into(),
        "</script>{\"ok\":true}\u{0}".trim_end_matches('\u{0}').into(),
        " ".into(),
        "ü".repeat(512 * 1024),
    ]
}
