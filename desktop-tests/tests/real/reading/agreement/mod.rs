//! Our tree is the tree that libatspi reads: the same number of elements of each role, with the
//! same names after the name rules, as enabled and as checked, and in the same order.

mod accepted;
mod vocabulary;
mod walk;

use std::collections::BTreeMap;

use desktop_tests::{App, Desktop, applications::Application, reader::Node, tree};
use serde_json::Value;

pub(crate) use self::accepted::ACCEPTED;
use self::vocabulary::canonical;
pub(crate) use self::walk::compare_with_a_walk;

/// Differences by role: what only one side has.
type Differences = BTreeMap<String, Vec<String>>;

/// Compares the window of `app`, which is `application` after that turn; fails if more than one
/// of a hundred elements differ without a known cause.
#[track_caller]
pub(crate) fn compare(desktop: &Desktop, app: &App, application: &Application, after: &str) {
    // Ours first: the other reader's calls fill the application's caches.
    let window = app.window_id();
    let limit = ["--max-depth", "50", "--timeout-ms", "20000"];
    let run = desktop.run(&[&["snapshot", "--window-id", &window][..], &limit].concat());
    let ours = run.data();
    assert_eq!(ours["complete"], true, "{run}");
    let theirs = desktop.independent_tree(app);

    let mut tally = Tally::default();
    tally.add(&ours["tree"], &theirs);
    // A window is one, whatever Qt says of a plain widget or GTK 4.8 of a file dialog.
    if let Some((role, _)) = tally.theirs.first_mut().filter(|(role, _)| role == "group") {
        *role = if theirs.is("modal") { "dialog" } else { "window" }.to_owned();
    }
    let total = tally.theirs.len();
    let differences = tally.differences();
    let name = application.title;
    let mut unexplained = 0;
    for (role, lines) in &differences {
        let rows = ACCEPTED.iter().filter(|row| {
            row.application == name
                && (row.after.is_empty() || row.after == after)
                && row.role == role
        });
        let accepted: usize = rows.map(|row| row.most).sum();
        unexplained += lines.len().saturating_sub(accepted);
    }
    assert!(
        unexplained * 100 <= total,
        "{unexplained} of {total} elements of {name} after {after} differ without an accepted \
         cause: {differences:#?}"
    );
    for row in ACCEPTED.iter().filter(|row| row.application == name && row.after == after) {
        assert!(
            differences.contains_key(row.role),
            "no difference of {} after {after}, so {name} has outgrown {:?}",
            row.role,
            row.cause
        );
    }
    if differences.is_empty() {
        assert_eq!(tally.ours, tally.theirs, "{name} after {after} in document order");
    }
    assert!(
        total >= application.least,
        "{name} after {after}: only {total} elements were compared"
    );
}

/// What is compared of the elements of both, in document order.
#[derive(Debug, Default)]
struct Tally {
    ours: Vec<Look>,
    theirs: Vec<Look>,
}

/// Role, and what else is compared of an element.
type Look = (String, String);

impl Tally {
    /// Adds both elements and what is in them. What ours left out on purpose, saying how much, is
    /// checked against theirs and left out on that side too.
    fn add(&mut self, ours: &Value, theirs: &Node) {
        self.ours.push(our_look(ours));
        self.theirs.push(their_look(theirs));

        let none = Vec::new();
        let children = ours["children"].as_array().unwrap_or(&none);
        if let Some(left_out) = ours["children_count"].as_i64() {
            if theirs.is("manages-descendants") && theirs.child_count > 1_000 {
                // A sheet has more than it can say, and neither side lists all.
                let endless = theirs.child_count == i64::from(i32::MAX);
                assert!(left_out == theirs.child_count || endless, "{ours}");
                return;
            }
            assert!(children.is_empty(), "a cut element has children: {ours}");
            assert!(is_closed_menu(theirs), "left out without need: {ours}");
            assert_eq!(left_out, theirs.child_count, "{ours}");
            return;
        }
        let mut ours_left = children.iter();
        let mut theirs_left = theirs.children.iter();
        loop {
            match (ours_left.next(), theirs_left.next()) {
                (Some(one), Some(other)) => self.add(one, other),
                (Some(one), None) => self.ours.extend(tree::all(one).map(our_look)),
                (None, Some(other)) => self.add_theirs(other),
                (None, None) => return,
            }
        }
    }

    fn add_theirs(&mut self, node: &Node) {
        self.theirs.push(their_look(node));
        for child in &node.children {
            self.add_theirs(child);
        }
    }

    fn differences(&self) -> Differences {
        let mut balance: BTreeMap<&Look, i64> = BTreeMap::new();
        for look in &self.ours {
            *balance.entry(look).or_default() += 1;
        }
        for look in &self.theirs {
            *balance.entry(look).or_default() -= 1;
        }
        let mut differences = Differences::new();
        for ((role, look), balance) in balance {
            if balance != 0 {
                let side = if balance > 0 { "only ours" } else { "only theirs" };
                let count = usize::try_from(balance.unsigned_abs()).unwrap();
                let line = format!("{side}, {count} times: {look}");
                differences
                    .entry(role.clone())
                    .or_default()
                    .extend(std::iter::repeat_n(line, count));
            }
        }
        differences
    }
}

fn our_look(node: &Value) -> Look {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let is = |state: &str| node["states"].as_array().is_some_and(|all| all.contains(&state.into()));
    (text(&node["role"]), look(&text(&node["name"]), is("disabled"), is("checked")))
}

fn their_look(node: &Node) -> Look {
    // GTK 4.8 never says ENABLED, GTK 3 says of its tabs and LibreOffice of documents no more.
    let usable = node.is("enabled") || node.is("sensitive");
    let look = look(&node.name, !usable, node.is("checked"));
    (canonical(node).to_owned(), look)
}

fn look(name: &str, disabled: bool, checked: bool) -> String {
    let disabled = if disabled { ", disabled" } else { "" };
    let checked = if checked { ", checked" } else { "" };
    format!("{name:?}{disabled}{checked}")
}

fn is_closed_menu(node: &Node) -> bool {
    // Browsers say of the choice in a closed list that it shows.
    matches!(canonical(node), "menu" | "menuitem")
        && !node.children.iter().any(|item| item.is("showing") && !item.is("selected"))
}
