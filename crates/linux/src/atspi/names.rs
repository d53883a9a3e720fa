//! Names as a person reads them.
//!
//! GTK 4.8.3 composes an accessible's name from its label property and the text of its children,
//! so a button that says `7` is called `7 7`, and one that has neither is called by its class
//! (gnome-calculator: `GtkButton` for π, `GtkMenuButton`, `AdwGizmo`). Both are undone here, but
//! only on the evidence of a label inside: a button truly called `bye bye` keeps its name.
//!
//! A field without a name is called by its label: what its toolkit says labels it, else a text
//! that stands just before it and ends with a colon.
//!
//! And whatever the toolkit, characters that stand for the content of a password field are taken
//! out of the names around it.

use agent_desktop_model::{
    evidence,
    role::Role,
    state::State,
    tree::{Address, NodeId, Tree},
};

use super::{collect::Details, dialect::Dialect, interfaces::Facts, roles, roles::FILLER, states};

/// How many descendants are looked at for a label.
const NEAR: usize = 32;

/// Undoes what GTK 4.8 does to names. A name that only a label inside tells goes into the digest:
/// the element itself does not say when it changes.
pub(crate) fn mend(tree: &mut Tree) {
    for id in tree.ids() {
        if tree[id].name.is_empty() {
            continue;
        }
        let Some(better) = mended(tree, id) else { continue };
        let node = &mut tree[id];
        if is_told_by_label(&node.name, Facts::unpack(node.platform).role, node.role) {
            node.digest ^= evidence::digest(node.role as u32, "", &better, "");
        }
        node.name = better;
    }
}

/// Whether GTK 4.8 says nothing of what an element is called, so that only a label inside does.
pub(crate) fn is_told_inside(details: &Details, dialect: &Dialect) -> bool {
    let role = roles::canonical(details.role, details.states);
    dialect.odd_names && is_told_by_label(&details.name, details.role, role)
}

fn is_told_by_label(name: &str, number: u32, role: Role) -> bool {
    role == Role::Tab || role.is_interactive() && is_class_name(name, number)
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

/// Whether the name of a node, what it is worth as evidence, or its value hangs on what is inside
/// it.
pub(crate) fn depends_on_what_is_inside(details: &Details, dialect: &Dialect) -> bool {
    let name = &*details.name;
    let role = roles::canonical(details.role, states::SELECTABLE);
    let shows_choice = role == Role::ComboBox && !dialect.combos_show_choice;
    if details.child_count == 0 || name.is_empty() {
        return shows_choice && details.child_count != 0;
    }
    let told_inside = || is_told_by_label(name, details.role, role);
    let doubled = || {
        name.match_indices(' ')
            .filter_map(|(at, _)| name.get(at + 1..))
            .any(|second| is_doubled(name, second))
    };
    (dialect.odd_names && (told_inside() || doubled())) || shows_choice
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

/// The texts of the labels that are parts of a node, the first [`NEAR`] descendants considered.
fn labels(tree: &Tree, id: NodeId) -> Vec<&str> {
    tree.parts(id)
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

/// Whether `name` is the name of a widget class. Libraries are known by their prefix, classes of
/// an application by the kind of widget that they end with, or because the widget has no role
/// that could have a name (gnome-calculator: `HistoryView`; gnome-text-editor: `EditorSourceView`;
/// nautilus: `NautilusGridCell`). What can be named by its author, such as a button, is not taken
/// for a class on such thin evidence.
fn is_class_name(name: &str, number: u32) -> bool {
    const LIBRARIES: &[&str] = &["Gtk", "Adw", "Gdk", "Hdy", "Vte", "WebKit"];
    const KINDS: &[&str] = &[
        "Area", "Bar", "Bin", "Box", "Cell", "Column", "Editor", "Entry", "Frame", "Grid", "Item",
        "List", "Page", "Pane", "Panel", "Row", "Table", "Toolbar", "View", "Widget",
    ];
    const UNNAMED: &[u32] = &[
        FILLER,
        roles::LIST,
        roles::LIST_ITEM,
        roles::PANEL,
        roles::TABLE,
        roles::TABLE_CELL,
        roles::TABLE_ROW,
        roles::TEXT,
        roles::ENTRY,
        roles::TOOL_BAR,
    ];
    let words = name.chars().filter(char::is_ascii_uppercase).count();
    let identifier = words >= 2
        && name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.chars().all(|character| character.is_ascii_alphanumeric());
    let of_library = || {
        LIBRARIES.iter().any(|library| {
            name.strip_prefix(library)
                .is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_uppercase()))
        })
    };
    let of_kind = || UNNAMED.contains(&number) && KINDS.iter().any(|kind| name.ends_with(kind));
    identifier && (number == FILLER || of_library() || of_kind())
}

/// Whether what has this role and no name of its own is called by its label.
pub(crate) fn is_labelled(role: Role) -> bool {
    matches!(role, Role::TextField | Role::ComboBox | Role::Incrementor | Role::Slider)
}

/// Marks labels around a field, whose names hold what is in it: those of Firefox 153 are made of all
/// that is in them, `Name Ada` of `<label>Name <input value=Ada></label>`.
pub(crate) fn mark_labels_around_fields(tree: &mut Tree) {
    let is_label = |id: &NodeId| tree[*id].role == Role::StaticText;
    let is_field = |role: Role| is_labelled(role) || role == Role::ListBox;
    let fields = tree.ids().filter(|id| is_field(tree[*id].role));
    let labels: Vec<NodeId> =
        fields.flat_map(|field| tree.ancestors(field).filter(is_label)).collect();
    for label in labels {
        tree[label].volatile_name = true;
    }
}

/// Calls fields that have no name, and are not hidden, by their labels; `told` are those that
/// the application told. What is written into a combo box goes by its label.
pub(crate) fn label_fields(tree: &mut Tree, told: &[(NodeId, Address)]) {
    let nameless = |tree: &Tree, id: NodeId| {
        let node = &tree[id];
        is_labelled(node.role) && node.name.is_empty() && !node.states.has(State::Hidden)
    };
    if !tree.ids().any(|id| nameless(tree, id)) {
        return;
    }
    let before = siblings_before(tree);
    for id in tree.ids() {
        if !nameless(tree, id) {
            continue;
        }
        let told = told.iter().find(|(field, _)| *field == id).and_then(|(_, label)| {
            tree.ids().find(|id| tree[*id].address == *label && !tree[*id].name.is_empty())
        });
        let of_combo = || {
            let combo = tree.parent(id).filter(|up| tree[*up].role == Role::ComboBox)?;
            tree[combo].labelled_by
        };
        let Some(label) = told.or_else(of_combo).or_else(|| label_before(tree, &before, id)) else {
            continue;
        };
        tree[id].name = tree[label].name.clone();
        tree[id].labelled_by = Some(label);
    }
}

/// For each node, the one before it among its parent's children.
fn siblings_before(tree: &Tree) -> Vec<Option<NodeId>> {
    let mut before = vec![None; tree.len()];
    for parent in tree.ids() {
        let mut last = None;
        for child in tree.children(parent) {
            if let Some(slot) = before.get_mut(child.index()) {
                *slot = last.replace(child);
            }
        }
    }
    before
}

/// How far up a label may stand: LibreOffice 7.4.7 puts the field of Find & Replace two boxes
/// deeper than its label.
const BOXES: usize = 4;

/// The text that ends with a colon just before a field, hidden elements aside. Where something else
/// stands between, or around both, it is not the field's.
fn label_before(tree: &Tree, before: &[Option<NodeId>], field: NodeId) -> Option<NodeId> {
    let hidden = |id: NodeId| tree[id].states.has(State::Hidden);
    let previous = |id: NodeId| before.get(id.index()).copied().flatten();
    let is_box = |id: NodeId| {
        let node = &tree[id];
        matches!(node.role, Role::Group | Role::Unknown) && node.name.is_empty()
    };
    let mut at = field;
    for _ in 0..BOXES {
        let shown = std::iter::successors(previous(at), |id| previous(*id)).find(|id| !hidden(*id));
        if let Some(mut last) = shown {
            while is_box(last)
                && let Some(inner) = tree.children(last).filter(|id| !hidden(*id)).last()
            {
                last = inner;
            }
            let ends = tree[last].name.trim_end().ends_with([':', '\u{FF1A}']);
            return (tree[last].role == Role::StaticText && ends).then_some(last);
        }
        at = tree.parent(at).filter(|up| is_box(*up))?;
    }
    None
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
    fn a_button_that_shows_its_menu_is_called_as_before() {
        let mut tree = Tree::new(named(Role::MenuButton, 43, "GtkMenuButton"));
        let toggle = tree.push(tree.root(), named(Role::Button, 43, "Basic"));
        tree.push(toggle, named(Role::StaticText, 29, "Basic"));
        let menu = tree.push(tree.root(), named(Role::Menu, 33, ""));
        tree.push(menu, named(Role::StaticText, 29, "Advanced"));
        mend(&mut tree);
        assert_eq!(&*tree[tree.root()].name, "Basic");
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
    fn a_name_that_only_a_label_tells_is_in_the_digest() {
        let digest = |name: &str, label: &str| {
            let mut tree = Tree::new(named(Role::Button, 43, name));
            let button = tree.root();
            tree[button].digest = 1;
            tree.push(button, named(Role::StaticText, 29, label));
            mend(&mut tree);
            tree[button].digest
        };
        let told = digest("GtkMenuButton", "Basic");
        assert_eq!(told, digest("GtkMenuButton", "Basic"));
        assert_ne!(told, digest("GtkMenuButton", "Advanced"));
        assert_ne!(told, 1);
        assert_eq!(digest("7 7", "7"), 1, "which the element itself would tell");
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
    fn a_file_in_a_grid_is_called_by_its_label() {
        let mut tree = Tree::new(named(Role::Cell, roles::TABLE_CELL, "NautilusGridCell"));
        tree.push(tree.root(), named(Role::StaticText, 29, "one.txt"));
        mend(&mut tree);
        assert_eq!(&*tree[tree.root()].name, "one.txt");
    }

    #[test]
    fn a_field_is_not_called_by_its_class_but_may_be_called_git_hub() {
        for (name, mended) in [("EditorSourceView", ""), ("GitHub", "GitHub")] {
            let mut tree = Tree::new(named(Role::TextField, roles::TEXT, name));
            mend(&mut tree);
            assert_eq!(&*tree[tree.root()].name, mended);
        }
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
