//! Names as a person reads them.
//!
//! GTK 4.8.3 composes an accessible's name from its label property and the text of its children,
//! so a button that says `7` is called `7 7`, and one that has neither is called by its class
//! (gnome-calculator: `GtkButton` for π, `GtkMenuButton`, `AdwGizmo`). Both are undone here, but
//! only on the evidence of a label inside: a button truly called `bye bye` keeps its name.
//!
//! And whatever the toolkit, characters that stand for the content of a password field are taken
//! out of the names around it.

use agent_desktop_model::{
    role::Role,
    state::State,
    tree::{NodeId, Tree},
};

use super::{collect::Details, dialect::Dialect, interfaces::Facts, roles};

/// AT-SPI's number for GTK 4 widgets that have no role of their own.
const FILLER: u32 = 20;

/// How many descendants are looked at for a label.
const NEAR: usize = 32;

/// Undoes what GTK 4.8 does to names.
pub(crate) fn mend(tree: &mut Tree) {
    for id in tree.ids() {
        if tree[id].name.is_empty() {
            continue;
        }
        let Some(better) = mended(tree, id) else { continue };
        tree[id].name = better;
    }
}

fn mended(tree: &Tree, id: NodeId) -> Option<Box<str>> {
    let node = &tree[id];
    let name = &*node.name;
    let number = Facts::unpack(node.platform).role;
    let class_name = is_class_name(name, number);
    if class_name && !node.role.is_interactive() {
        return Some(Box::default());
    }
    let labels = labels(tree, id);
    if class_name {
        return match labels.as_slice() {
            // What says the class name in so many letters is truly called so.
            labels if labels.contains(&name) => None,
            [only] => Some((*only).into()),
            _ => Some(Box::default()),
        };
    }
    // GTK 4.8.3 calls every tab of a notebook `Tab`, in the user's language; what a person reads
    // on it is its label.
    if let (Role::Tab, [only]) = (node.role, labels.as_slice()) {
        return Some((*only).into());
    }
    labels.first().filter(|label| is_doubled(name, label)).map(|label| (*label).into())
}

/// Whether the name of a node, or what it is worth as evidence, hangs on what is inside it.
pub(crate) fn depends_on_what_is_inside(details: &Details, dialect: &Dialect) -> bool {
    let name = &*details.name;
    if details.child_count == 0 || name.is_empty() {
        return false;
    }
    let role = roles::canonical(details.role, true);
    let doubled = || {
        name.match_indices(' ')
            .filter_map(|(at, _)| name.get(at + 1..))
            .any(|second| is_doubled(name, second))
    };
    let class_name = || is_class_name(name, details.role) && role.is_interactive();
    (dialect.odd_names && (role == Role::Tab || class_name() || doubled()))
        || (role == Role::ComboBox && !dialect.combos_show_choice)
}

/// Takes out of a description what is not one: GTK 3.24.38 describes a scale by its formatted
/// value, which changes while the scale stays the same.
pub(crate) fn settle(details: &mut Details, dialect: &Dialect) {
    let text = details.description.trim();
    if dialect.scales_describe_value
        && details.role == roles::SLIDER
        && (text.is_empty() || text.parse::<f64>().is_ok())
    {
        details.description = Box::default();
    }
}

/// The texts of the labels inside a node, the first [`NEAR`] descendants considered.
fn labels(tree: &Tree, id: NodeId) -> Vec<&str> {
    tree.subtree(id)
        .skip(1)
        .take(NEAR)
        .map(|inner| &tree[inner])
        .filter(|inner| inner.role == Role::StaticText && !inner.name.is_empty())
        .map(|label| &*label.name)
        .collect()
}

/// Whether `name` says `label` twice, the first time perhaps with the mark of a mnemonic.
fn is_doubled(name: &str, label: &str) -> bool {
    name.strip_suffix(label)
        .and_then(|first| first.strip_suffix(' '))
        .is_some_and(|first| first == label || without_mnemonic(first) == label)
}

/// `text` as GTK shows it where underscores mark mnemonics.
fn without_mnemonic(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '_' => shown.extend(characters.next()),
            other => shown.push(other),
        }
    }
    shown
}

/// Whether `name` is the name of a widget class. Libraries are known by their prefix; an
/// application's own class shows only where the widget has no role that could have a name.
fn is_class_name(name: &str, number: u32) -> bool {
    const LIBRARIES: &[&str] = &["Gtk", "Adw", "Gdk", "Hdy", "Vte", "WebKit"];
    let words = name.chars().filter(char::is_ascii_uppercase).count();
    let identifier = words >= 2
        && name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.chars().all(|character| character.is_ascii_alphanumeric());
    identifier
        && (number == FILLER
            || LIBRARIES.iter().any(|library| {
                name.strip_prefix(library)
                    .is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_uppercase()))
            }))
}

/// Takes the dots of a password out of the names of the field, of what is in it, beside it and
/// around it: a web page's label that wraps its field is named by both.
pub(crate) fn hide_passwords(tree: &mut Tree) {
    let secure = tree.ids().filter(|id| tree[*id].states.has(State::Secure)).collect::<Vec<_>>();
    for field in secure {
        let around = tree
            .subtree(field)
            .chain(tree.ancestors(field))
            .chain(tree.parent(field).into_iter().flat_map(|parent| tree.children(parent)))
            .collect::<Vec<_>>();
        for id in around {
            let node = &mut tree[id];
            node.name = without_dots(&node.name);
            node.description = without_dots(&node.description);
        }
    }
}

/// `text` without the characters that toolkits show in place of a password, so that neither its
/// content nor its length is told.
pub(crate) fn without_dots(text: &str) -> Box<str> {
    if text.contains(is_dot) { text.replace(is_dot, "").trim().into() } else { text.into() }
}

/// Whether `text` is nothing but a hidden password, whatever role its element has.
pub(crate) fn is_all_dots(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_dot)
}

fn is_dot(character: char) -> bool {
    // GTK and Firefox show ●, Chromium •, Qt either by style.
    matches!(character, '\u{25CF}' | '\u{2022}' | '\u{26AB}')
}

#[cfg(test)]
mod tests {
    use agent_desktop_model::tree::Node;

    use super::*;

    fn named(role: Role, number: u32, name: &str) -> Node {
        let platform = Facts { states: 0, role: number, interfaces: None }.pack();
        let mut node = Node::default();
        (node.role, node.name, node.platform) = (role, name.into(), platform);
        node
    }

    /// The mended name of a button that is called `name` and has a box with `labels` inside.
    fn button(name: &str, labels: &[&str]) -> String {
        let mut tree = Tree::new(named(Role::Button, 43, name));
        let inner = tree.push(tree.root(), named(Role::Group, 39, ""));
        for label in labels {
            tree.push(inner, named(Role::StaticText, 29, label));
        }
        mend(&mut tree);
        tree[tree.root()].name.to_string()
    }

    #[test]
    fn a_doubled_name_is_halved_when_a_label_says_the_half() {
        assert_eq!(button("7 7", &["7"]), "7");
        assert_eq!(button("a b a b", &["a b"]), "a b");
        assert_eq!(button("7 7", &[]), "7 7");
        assert_eq!(button("7 7", &["8"]), "7 7");
    }

    #[test]
    fn a_button_truly_called_twice_the_same_keeps_its_name() {
        assert_eq!(button("bye bye", &["bye bye"]), "bye bye");
        assert_eq!(button("bye bye bye bye", &["bye bye"]), "bye bye");
    }

    #[test]
    fn the_mark_of_a_mnemonic_goes_with_the_double() {
        assert_eq!(button("_Cancel Cancel", &["Cancel"]), "Cancel");
        assert_eq!(button("snake__case snake_case", &["snake_case"]), "snake_case");
        assert_eq!(button("_Cancel", &[]), "_Cancel");
    }

    #[test]
    fn a_tab_is_called_by_its_label() {
        let mut tree = Tree::new(named(Role::Tab, 37, "Tab"));
        tree.push(tree.root(), named(Role::StaticText, 29, "Sunset"));
        mend(&mut tree);
        assert_eq!(&*tree[tree.root()].name, "Sunset");
    }

    #[test]
    fn a_class_name_becomes_the_label_or_nothing() {
        assert_eq!(button("GtkButton", &["π"]), "π");
        assert_eq!(button("GtkImage", &[]), "");
        assert_eq!(button("GtkMenuButton", &["one", "two"]), "");
    }

    #[test]
    fn what_is_labelled_with_a_class_name_is_called_so() {
        assert_eq!(button("GtkButton", &["GtkButton"]), "GtkButton");
        assert_eq!(button("GitHub", &[]), "GitHub");
        assert_eq!(button("Gtkmm", &[]), "Gtkmm");
    }

    #[test]
    fn an_application_class_shows_only_in_a_widget_without_a_role() {
        let mut tree = Tree::new(named(Role::Group, FILLER, "HistoryView"));
        tree.push(tree.root(), named(Role::StaticText, 29, "HistoryViews"));
        mend(&mut tree);
        assert_eq!(&*tree[tree.root()].name, "");
        assert_eq!(button("HistoryView", &[]), "HistoryView");
    }

    #[test]
    fn a_password_leaks_through_no_name_around_it() {
        let mut tree = Tree::new(named(Role::Window, 23, "• Sign in"));
        let form = tree.push(tree.root(), named(Role::Form, 87, "Password ●●●●"));
        let label = tree.push(form, named(Role::StaticText, 29, "Password ●●●●"));
        let mut field = named(Role::TextField, roles::PASSWORD_TEXT, "●●●●");
        field.states.insert(State::Secure);
        let field = tree.push(form, field);
        let inner = tree.push(field, named(Role::StaticText, 116, "••••"));
        hide_passwords(&mut tree);
        let name = |id| &*tree[id].name;
        assert_eq!([name(form), name(label)], ["Password", "Password"]);
        assert_eq!([name(field), name(inner)], ["", ""]);
    }
}
