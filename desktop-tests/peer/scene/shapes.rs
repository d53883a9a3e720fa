//! The scenes by name, and what stands in each of them besides, to be acted on.

use super::{Child, Effect, NULL, Node, ROOT, Scene, TITLE, WINDOW, role, state};
use crate::serve::REGISTRY;

impl Scene {
    /// The scene called `shape`, perhaps with a number after a colon.
    pub(crate) fn new(
        application: &str,
        shape: &str,
        furnished: bool,
        actions: &str,
    ) -> Result<Self, String> {
        let (shape, number) = match shape.split_once(':') {
            Some((shape, number)) => (shape, number.parse().map_err(|_| "not a number")?),
            None => (shape, 100),
        };
        let mut scene = Self { nodes: Vec::new(), turning: Vec::new() };
        let root = scene.push(0, role::APPLICATION, application);
        let window = scene.push(root, role::FRAME, TITLE);
        scene.nodes[window].states |= state::ACTIVE;
        if furnished {
            scene.furnish(window);
        }
        scene.build(window, shape, number)?;
        for node in &mut scene.nodes {
            rename_actions(node, actions)?;
        }
        Ok(scene)
    }

    fn build(&mut self, window: usize, shape: &str, number: usize) -> Result<(), String> {
        match shape {
            "plain" => {
                self.push(window, role::BUTTON, "OK");
                self.push(window, role::LABEL, "Fine so far");
            }
            "empty" => {}
            "names" => {
                for name in hostile_names() {
                    self.push(window, role::BUTTON, &name);
                }
            }
            "long-names" => {
                for _ in 0..number {
                    self.push(window, role::BUTTON, &"long ".repeat(200 * 1024));
                }
            }
            "chain" => {
                let mut at = window;
                for _ in 0..number {
                    at = self.push(at, role::PANEL, "");
                }
                self.push(at, role::BUTTON, "Bottom");
            }
            "self-child" => {
                let panel = self.push(window, role::PANEL, "Ouroboros");
                self.nodes[panel].children.push(Child::Node(panel));
                self.push(window, role::BUTTON, "Beside");
            }
            "cycle" => {
                let first = self.push(window, role::PANEL, "First");
                let second = self.push(first, role::PANEL, "Second");
                self.push(second, role::BUTTON, "Within");
                self.nodes[second].children.push(Child::Node(first));
                self.nodes[second].children.push(Child::Node(window));
            }
            "clique" => {
                let name = |at| format!("Member {at}");
                let all: Vec<_> =
                    (0..number).map(|at| self.push(window, role::PANEL, &name(at))).collect();
                for member in &all {
                    self.nodes[*member].children = all.iter().map(|at| Child::Node(*at)).collect();
                }
            }
            "endless" => {
                let table = self.push(window, role::TABLE, "Sheet");
                self.nodes[table].states |= state::MANAGES_DESCENDANTS;
                self.nodes[table].claims = Some(i32::MAX);
                self.push(window, role::BUTTON, "Beside");
            }
            "endless-panel" => {
                let panel = self.push(window, role::PANEL, "Everything");
                self.nodes[panel].claims = Some(i32::MAX);
                self.push(window, role::BUTTON, "Beside");
            }
            "wide" => {
                for index in 0..number {
                    self.push(window, role::BUTTON, &format!("Button {index}"));
                }
            }
            "null-child" => {
                self.nodes[window].children.push(Child::Stray(None, NULL));
                self.push(window, role::BUTTON, "Beside");
            }
            "strays" => self.nodes[window].children.extend(STRAYS),
            "two-active" => {
                let other = self.push(0, role::FRAME, "Also misbehaving");
                self.nodes[other].states |= state::ACTIVE;
                self.nodes[other].extents = Some(WINDOW);
                self.push(other, role::BUTTON, "Over there");
            }
            "nowhere" => {
                let button = self.push(window, role::BUTTON, "Nowhere");
                self.nodes[button].extents = Some([100, 100, 0, 0]);
            }
            "sentinels" => {
                for (index, extents) in SENTINELS.into_iter().enumerate() {
                    let button = self.push(window, role::BUTTON, &format!("Far away {index}"));
                    self.nodes[button].extents = Some(extents);
                }
            }
            "twins" => {
                for index in 0..3 {
                    let twin = self.push(window, role::BUTTON, "Delete");
                    self.nodes[twin].identity = format!("Delete {index}");
                }
            }
            "rows" => self.rows(window),
            "paths" => {
                // What shows at the path of one of them is the other one, once it has turned; the
                // first is nowhere then.
                let button = self.push(window, role::BUTTON, "Harmless");
                let other = self.push(window, role::BUTTON, "Erase everything");
                self.nodes[window].children.pop();
                self.turning = vec![vec![button, other]];
            }
            "question" => {
                // The same button asks for something else, once it has turned.
                let dialog = self.push(window, role::PANEL, "Save the document?");
                let text = self.push(dialog, role::LABEL, "Save the document?");
                let yes = self.push(dialog, role::BUTTON, "Yes");
                let [other, other_text, other_yes] = [
                    (role::PANEL, "Erase the disk?"),
                    (role::LABEL, "Erase the disk?"),
                    (role::BUTTON, "Yes"),
                ]
                .map(|(role, name)| {
                    let node = self.push(dialog, role, name);
                    self.nodes[dialog].children.pop();
                    node
                });
                self.nodes[yes].identity = "Yes, save".into();
                self.nodes[other_yes].identity = "Yes, erase".into();
                self.turning =
                    vec![vec![dialog, other], vec![text, other_text], vec![yes, other_yes]];
            }
            other => return Err(format!("unknown shape {other}")),
        }
        Ok(())
    }

    /// One of everything that commands act on.
    fn furnish(&mut self, window: usize) {
        self.push(window, role::BUTTON, "Press me");
        let switch = self.push(window, role::CHECK_BOX, "Agree");
        self.nodes[switch].actions = vec![("toggle".into(), Effect::Check)];
        self.nodes[switch].states |= state::CHECKABLE | state::FOCUSABLE;
        let field = self.push(window, role::ENTRY, "Surname");
        self.nodes[field].text = Some("Smith".into());
        self.nodes[field].states |= state::EDITABLE | state::FOCUSABLE;
        let slider = self.push(window, role::SLIDER, "Volume");
        self.nodes[slider].number = Some(50.0);
        let choice = self.push(window, role::COMBO_BOX, "Colour");
        self.nodes[choice].chosen = Some(Some(0));
        for colour in ["Red", "Green", "Blue"] {
            let item = self.push(choice, role::LIST_ITEM, colour);
            self.nodes[item].states |= state::SELECTABLE;
        }
        let branch = self.push(window, role::TREE_ITEM, "Branch");
        self.nodes[branch].actions = vec![("expand or contract".into(), Effect::Expand)];
        self.nodes[branch].states |= state::EXPANDABLE;
    }

    /// A list whose rows are given to others when it turns.
    fn rows(&mut self, window: usize) {
        let list = self.push(window, role::LIST, "Orders");
        let mut rings = [Vec::new(), Vec::new(), Vec::new()];
        for index in 1..=5 {
            let item = self.push(list, role::LIST_ITEM, "");
            let label = self.push(item, role::LABEL, &format!("Order {index}"));
            let button = self.push(item, role::BUTTON, "Delete");
            self.nodes[button].identity = format!("Delete of order {index}");
            for (ring, node) in rings.iter_mut().zip([item, label, button]) {
                ring.push(node);
            }
        }
        self.turning = rings.into();
    }
}

/// References that lead to no element of this application, or out of it.
const STRAYS: [Child; 6] = [
    Child::Stray(None, "/org/a11y/atspi/accessible/999999999"),
    Child::Stray(None, "/"),
    Child::Stray(Some("no bus name at all"), ROOT),
    Child::Stray(Some(":1.4294967295"), "/org/a11y/atspi/accessible/2"),
    Child::Stray(Some("org.freedesktop.DBus"), "/org/freedesktop/DBus"),
    // It lists all applications, this one included.
    Child::Stray(Some(REGISTRY), ROOT),
];

/// Rectangles that say "nowhere", or should.
const SENTINELS: [[i32; 4]; 7] = [
    [i32::MIN, i32::MIN, 80, 20],
    [-1, -1, -1, -1],
    [i32::MAX, i32::MAX, i32::MAX, i32::MAX],
    [0, 0, i32::MAX, i32::MAX],
    [i32::MIN, 0, i32::MAX, 20],
    [-32_768, -32_768, 80, 20],
    [0, 0, 0, 0],
];

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

/// Calls what a node does as `how` says.
fn rename_actions(node: &mut Node, how: &str) -> Result<(), String> {
    match how {
        "" => {}
        "empty" => node.actions.iter_mut().for_each(|(name, _)| name.clear()),
        "hostile" => {
            if !node.actions.is_empty() {
                let harm = ["delete", "", "clipboard.cut", "Click ", "clickAncestor"];
                let harm = harm.map(|name| (name.to_owned(), Effect::Harm));
                node.actions.splice(0..0, harm);
                node.actions.push(("app.quit".to_owned(), Effect::Harm));
            }
        }
        other => return Err(format!("unknown actions {other}")),
    }
    Ok(())
}
