//! What a toolkit tells of a whole application at once is the tree that its elements tell one by
//! one: the same elements in the same places, with the same of everything that is read of them.

use std::{collections::HashMap, time::Duration};

use agent_desktop_engine::platform::{Above, Cells, Deadline, Platform};
use agent_desktop_linux::{Linux, environment::Environment};
use agent_desktop_model::{
    state::State,
    tree::{Address, Field, FieldSet, Listing, Node, NodeId, Tree},
};
use desktop_tests::{
    App, Desktop,
    applications::Application,
    bus::{Call, Reader},
    wait,
};

/// Compares the window of `app`, which is `application` after that turn.
#[track_caller]
pub(crate) fn compare_with_a_walk(
    desktop: &Desktop,
    app: &App,
    application: &Application,
    after: &str,
) {
    let title = application.title;
    let has_pages = application.toolkit.starts_with("GTK 4");
    wait::until("a window that stands still", Duration::from_secs(60), || {
        // The walk comes second: its questions fill the caches that the other way is about.
        let at_once = at_once(desktop, app);
        let differences = differences(&at_once, &walked(desktop, app, has_pages)).join("\n");
        let total = at_once.len();
        assert!(total >= application.least, "{title} after {after}: only {total} elements");
        if differences.is_empty() {
            return Ok(());
        }
        // What fades or is being loaded is another window by now.
        assert!(
            at_once != self::at_once(desktop, app),
            "{title} after {after} is not what its elements say one by one:\n{differences}"
        );
        Err(differences)
    });
}

/// The window as the program reads it, an element a line.
fn at_once(desktop: &Desktop, app: &App) -> Vec<String> {
    let platform = platform(desktop);
    let mut tree = observe(&platform, app);
    fill(&platform, &mut tree);
    lines(&tree, &HashMap::new())
}

/// The same, each element asked itself.
fn walked(desktop: &Desktop, app: &App, has_pages: bool) -> Vec<String> {
    let platform = platform(desktop).walked();
    let mut tree = observe(&platform, app);
    let pages = if has_pages { pages(desktop, &platform, &tree) } else { HashMap::new() };
    for content in pages.iter().filter(|(_, page)| page.states.has(State::Hidden)) {
        let inside: Vec<_> = tree.subtree(*content.0).collect();
        for id in inside {
            tree[id].states.remove(State::Offscreen);
            tree[id].states.insert(State::Hidden);
        }
    }
    fill(&platform, &mut tree);
    lines(&tree, &pages)
}

/// The desktop as a process sees it that has asked nothing yet.
fn platform(desktop: &Desktop) -> Linux {
    let (display, cookies) = desktop.display();
    Linux::new(
        Environment {
            display: Some(display),
            xauthority: Some(cookies),
            session_bus: Some(desktop.session_address()),
            ..Environment::default()
        },
        None,
    )
}

fn limit() -> Deadline {
    Deadline::after(Duration::from_secs(30))
}

fn observe(platform: &Linux, app: &App) -> Tree {
    let window = Address { app: app.bus_name.as_str().into(), object: app.window.as_str().into() };
    let tree = platform.observe(&window, &[], Cells::Shown, limit()).unwrap();
    assert!(tree.complete);
    tree
}

fn fill(platform: &Linux, tree: &mut Tree) {
    let all: FieldSet = Field::ALL.iter().copied().collect();
    let wants: Vec<_> = tree.ids().map(|id| (id, all)).collect();
    assert!(platform.fill(tree, &wants, limit()).unwrap());
}

/// The pages that GTK 4.8 leaves out where it lists what is in a stack, though each is the parent
/// of what fills it: by that element.
fn pages(desktop: &Desktop, platform: &Linux, tree: &Tree) -> HashMap<NodeId, Node> {
    let ids: Vec<NodeId> = tree.ids().filter(|id| tree.parent(*id).is_some()).collect();
    let parent = |id: &NodeId| {
        let Address { app, object } = &tree[*id].address;
        Call::property(app, object, "org.a11y.atspi.Accessible", "Parent")
    };
    let questions: Vec<_> = ids.iter().map(parent).collect();
    let answers = desktop.accessibility_bus().call_all(&questions).unwrap();
    let mut pages = HashMap::new();
    for (id, answer) in ids.into_iter().zip(answers) {
        let answer = answer.unwrap();
        let mut value = Reader::new(&answer.body.bytes);
        value.variant().unwrap();
        let (app, object) = value.accessible().unwrap();
        let says = Address { app: app.into(), object: object.into() };
        let lister = tree.parent(id).unwrap();
        if says == tree[lister].address {
            continue;
        }
        let above = |id| Above { address: tree[id].address.clone(), role: tree[id].role };
        let mut within: Vec<Above> = tree.ancestors(id).map(above).collect();
        let mut page = platform.read(&says, &within, limit()).unwrap();
        fill(platform, &mut page);
        let root = page.root();
        let mut page = std::mem::take(&mut page[root]);
        page.children = Listing::Whole;
        within.insert(0, Above { address: says, role: page.role });
        // Only what fills a page has a place, by which it is known whether the page is in front.
        let content = platform.read(&tree[id].address, &within, limit()).unwrap();
        if content[content.root()].states.has(State::Hidden) {
            page.states.insert(State::Hidden);
        }
        pages.insert(id, page);
    }
    pages
}

/// An element a line, in document order; `pages` stand between their content and what lists it.
fn lines(tree: &Tree, pages: &HashMap<NodeId, Node>) -> Vec<String> {
    let mut lines = Vec::new();
    for id in tree.subtree(tree.root()) {
        let above = tree.ancestors(id);
        let depth = above.map(|id| 1 + usize::from(pages.contains_key(&id))).sum::<usize>();
        let page = pages.get(&id);
        lines.extend(page.map(|page| line(depth, page, tree)));
        lines.push(line(depth + usize::from(page.is_some()), &tree[id], tree));
    }
    lines
}

fn line(depth: usize, node: &Node, tree: &Tree) -> String {
    let states: Vec<_> = node.states.iter().collect();
    let can: Vec<_> = node.capabilities.iter().map(|one| one.token()).collect();
    format!(
        "{:depth$}{} {:?} {:?} {:?} {states:?} {:?} {can:?} {:?} {:?} {:?} {:?} {:?} {:?} {} {} {}",
        "",
        node.role,
        node.name,
        node.description,
        node.native_id,
        node.children,
        // Where it is, is always asked itself, and moves.
        node.bounds.is_some(),
        node.value,
        node.hint,
        node.surface,
        (node.extent, node.position, &node.formula),
        node.labelled_by.map(|label| &tree[label].name),
        node.lasting,
        node.volatile_name,
        node.digest,
    )
}

/// What only one of them has, in order.
fn differences(at_once: &[String], walked: &[String]) -> Vec<String> {
    let (mut left, mut right) = (at_once, walked);
    let mut found = Vec::new();
    loop {
        let same = left.iter().zip(right).take_while(|(one, other)| one == other).count();
        (left, right) = (&left[same..], &right[same..]);
        if left.is_empty() && right.is_empty() {
            return found;
        }
        // The nearest place from which both go on alike.
        let (only_left, only_right) = (0..left.len() + right.len())
            .flat_map(|apart| (0..=apart).map(move |one| (one, apart - one)))
            .find(|(one, other)| left.get(*one).is_some_and(|line| right.get(*other) == Some(line)))
            .unwrap_or((left.len(), right.len()));
        found.extend(left[..only_left].iter().map(|line| format!("at once: {line}")));
        found.extend(right[..only_right].iter().map(|line| format!("walked:  {line}")));
        (left, right) = (&left[only_left..], &right[only_right..]);
    }
}
