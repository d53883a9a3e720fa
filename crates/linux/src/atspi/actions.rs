//! What can really be done to an element. Actions are known by name, never by their place in the
//! list: GTK 4.8 hands out its own in any order.

use agent_desktop_model::{
    capability::{Capability, CapabilitySet},
    role::Role,
};

use super::{
    dialect::{Combos, Dialect, MenusClose},
    interfaces::{Facts, Interfaces},
    roles, states,
};

/// The most actions of one element whose names are asked for.
pub(crate) const MOST: i64 = 32;

/// Whether the names of an element's actions are worth a question.
pub(crate) fn worth_asking(role: Role, facts: Facts, dialect: &Dialect) -> bool {
    // GTK 4.8.3 gives every label eight clipboard and link actions and every window and box those
    // of its action groups; none of them presses anything, but the panel in a row of a tree opens
    // the row. Chromium's own elements for pieces of text take no part in anything.
    (!dialect.action_groups || role.is_interactive() || states::expandable(facts.states))
        && !(dialect.idle_actions && facts.role == roles::STATIC)
}

/// Whether the name of an element's first action tells whether the others matter: of what is
/// inert, the context menu that everything has is not worth telling.
pub(crate) fn first_decides(role: Role, dialect: &Dialect) -> bool {
    dialect.idle_actions && !role.is_interactive()
}

/// The name of the second of `count` actions, where it goes without asking: what an element of
/// Chromium 156 can do is followed by its context menu, and then by how it scrolls, if it does
/// (600 elements of a page and of what is around it).
pub(crate) fn known_behind_the_first(count: i64, dialect: &Dialect) -> Option<&'static str> {
    (dialect.idle_actions && count == 2).then_some("showContextMenu")
}

/// Whether the action called `name` does nothing to the element itself.
pub(crate) fn is_idle(name: &str) -> bool {
    matches!(name, "doDefault" | "clickAncestor")
}

/// What an element offers, from the names of its actions, its interfaces and its states.
pub(crate) fn capabilities(
    role: Role,
    facts: Facts,
    parent: Option<Facts>,
    actions: &[Box<str>],
    dialect: &Dialect,
) -> CapabilitySet {
    use Capability as Can;
    let mut can = CapabilitySet::EMPTY;
    let interfaces = facts.interfaces.unwrap_or_default();
    let is_inert =
        |name: &str| dialect.cells_toggle_nothing && role == Role::Cell && name == "toggle";
    for action in actions.iter().filter(|name| !is_inert(name)) {
        for capability in meaning(&action.to_ascii_lowercase(), role, facts) {
            can.insert(*capability);
        }
    }
    // What opens and closes something is a toggle button to Chromium, but neither on nor off.
    let stays_down = facts.role == roles::TOGGLE_BUTTON && !states::expandable(facts.states);
    if can.has(Can::Click) && (role.is_toggleable() || stays_down) {
        can.insert(Can::Check);
        if role != Role::RadioButton {
            can.insert(Can::Toggle);
            can.insert(Can::Uncheck);
        }
    }
    if can.has(Can::Click) && opens_by_click(role, facts) {
        can.insert(Can::Expand);
        can.insert(Can::Collapse);
    }
    if can.has(Can::Click) && role == Role::Menu {
        can.insert(Can::Expand);
    }
    if can.has(Can::Expand)
        && match dialect.menus_close {
            MenusClose::Never => false,
            MenusClose::Again => matches!(role, Role::Menu | Role::MenuItem),
            // A menu bar cannot be selected, what opens a menu can.
            MenusClose::InMenus => {
                let opens =
                    |it: Facts| it.role == roles::MENU && it.states & states::SELECTABLE != 0;
                role == Role::Menu && parent.is_some_and(opens)
            }
        }
    {
        can.insert(Can::Collapse);
    }
    if dialect.writes_text
        && interfaces.has(Interfaces::EDITABLE_TEXT)
        && facts.states & states::EDITABLE != 0
    {
        can.insert(Can::SetValue);
        can.insert(Can::TypeText);
    }
    if interfaces.has(Interfaces::VALUE) && takes_number(role, dialect) {
        can.insert(Can::SetValue);
    }
    let selects = |it: Facts| it.interfaces.unwrap_or_default().has(Interfaces::SELECTION);
    // What is selected in a menu is only lit up.
    let in_selection = facts.states & states::SELECTABLE != 0
        && !matches!(role, Role::Separator | Role::Menu | Role::MenuItem)
        && parent.is_some_and(selects);
    let chooses = match (role, dialect.combos) {
        (Role::ComboBox, Combos::Nothing) => false,
        (Role::ComboBox, Combos::Themselves) => selects(facts),
        (Role::ComboBox, Combos::Options | Combos::Lists) => can.has(Can::Click),
        _ => {
            // What is selected in the list of a combo box is not chosen by that.
            let in_combo = parent.is_some_and(|parent| parent.role == roles::COMBO_BOX);
            let holds = selects(facts) || (dialect.options_act && !in_combo);
            // Of a cell that holds one for its icon and one for its text, each stands for it.
            let in_cell = role == Role::Cell
                && facts.states & states::SELECTABLE != 0
                && parent.is_some_and(|parent| parent.role == roles::TABLE_CELL);
            in_selection || in_cell || (role.holds_options() && holds)
        }
    };
    if chooses {
        can.insert(Can::Select);
    }
    if dialect.grabs_focus
        && facts.states & states::FOCUSABLE != 0
        && interfaces.has(Interfaces::COMPONENT)
    {
        can.insert(Can::SetFocus);
    }
    if role == Role::ScrollBar && interfaces.has(Interfaces::VALUE) {
        can.insert(Can::Scroll);
    }
    if dialect.scrolls_to && interfaces.has(Interfaces::COMPONENT) {
        can.insert(Can::ScrollTo);
    }
    can
}

/// Which of an element's actions does what `wanted` names; none if none does. The best comes first
/// that does nothing else.
pub(crate) fn that_does(
    wanted: Capability,
    actions: &[Box<str>],
    role: Role,
    facts: Facts,
) -> Option<usize> {
    let meanings = actions.iter().map(|name| meaning(&name.to_ascii_lowercase(), role, facts));
    let by_click = matches!(wanted, Capability::Expand | Capability::Collapse)
        && (opens_by_click(role, facts) || matches!(role, Role::Menu | Role::MenuItem));
    meanings
        .enumerate()
        .filter_map(|(index, means)| {
            let cost = match means {
                [only] if *only == wanted => 0,
                several if several.contains(&wanted) => 1,
                // Pressing opens and closes what has no action for that of its own.
                [Capability::Click, ..] if by_click => 2,
                _ => return None,
            };
            Some((cost, index))
        })
        .min()
        .map(|(_, index)| index)
}

/// What the action called `name`, in lower case, does to an element.
fn meaning(name: &str, role: Role, facts: Facts) -> &'static [Capability] {
    use Capability as Can;
    let opens_menu = matches!(
        role,
        Role::Menu | Role::MenuItem | Role::MenuButton | Role::Button | Role::ComboBox
    );
    match name {
        // Return in a text field submits it, which is not what a click does.
        "activate" if matches!(role, Role::TextField | Role::Incrementor) => &[],
        // Of a cell of GTK 3 it is what a double click does.
        "activate" if role == Role::Cell => &[],
        "click" | "press" | "activate" | "jump" | "open" | "toggle" | "check" | "uncheck"
        | "dodefault" => &[Can::Click],
        // Firefox: of a check box that is neither on nor off, and of a tab.
        "cycle" | "switch" => &[Can::Click],
        "close" if role == Role::ComboBox => &[Can::Click],
        "select" if role == Role::RadioButton => &[Can::Click, Can::Select],
        "select" => &[Can::Select],
        "setfocus" => &[Can::SetFocus],
        "expand or contract" if states::expandable(facts.states) => &[Can::Expand, Can::Collapse],
        // Pressing such a button is all that there is to do to it.
        "expand" if role == Role::Button => &[Can::Click, Can::Expand],
        "collapse" if role == Role::Button => &[Can::Click, Can::Collapse],
        "expand" | "listitem.expand" => &[Can::Expand],
        "collapse" | "contract" | "listitem.collapse" => &[Can::Collapse],
        // Qt opens a menu by it, or the context menu where there is no other.
        "showmenu" if opens_menu => &[Can::Click, Can::Expand],
        "showmenu" | "showcontextmenu" => &[Can::RightClick],
        "menu.popup" if role == Role::TextField => &[Can::RightClick],
        _ => &[],
    }
}

/// Whether a click opens and closes an element that can be open. It selects a cell of Qt 5.15.8.
fn opens_by_click(role: Role, facts: Facts) -> bool {
    role == Role::ComboBox || (states::expandable(facts.states) && role != Role::Cell)
}

/// Whether a number sets the element, rather than reports on it.
pub(crate) fn takes_number(role: Role, dialect: &Dialect) -> bool {
    // LibreOffice 7.4.7 writes a number into a cell that is given one; it takes no text.
    let in_sheet = dialect.endless_tables && role == Role::Cell;
    in_sheet || matches!(role, Role::Slider | Role::Incrementor | Role::ScrollBar | Role::Splitter)
}

#[cfg(test)]
mod tests {
    use super::{super::dialect, *};

    fn offered(toolkit: &str, role: u32, bits: u64, names: &[&str], actions: &[&str]) -> String {
        let facts =
            Facts { states: bits, role, interfaces: Some(Interfaces::of(names.iter().copied())) };
        let version = if toolkit == "GTK" { "4.8.3" } else { "3.24.38" };
        let actions = actions.iter().map(|name| (*name).into()).collect::<Vec<_>>();
        let role = roles::canonical(role, bits);
        let can = capabilities(role, facts, None, &actions, dialect::of(toolkit, version));
        can.iter().map(Capability::token).collect::<Vec<_>>().join(" ")
    }

    const COMPONENT: &str = "org.a11y.atspi.Component";
    const EDITABLE_TEXT: &str = "org.a11y.atspi.EditableText";

    #[test]
    fn the_place_of_an_action_means_nothing() {
        let hostile = ["buffer.delete-line", "link.open", "click", "win.undo"];
        assert_eq!(offered("GTK", 43, 0, &[], &hostile), "Click");
        assert_eq!(offered("GTK", 43, 0, &[], &["window.close", "default.activate"]), "");
    }

    #[test]
    fn a_check_box_without_an_action_cannot_be_toggled() {
        assert_eq!(offered("gtk", 7, 0, &[], &["click"]), "Click Toggle Check Uncheck");
        assert_eq!(offered("gtk", 44, 0, &[], &["click"]), "Click Check");
        assert_eq!(offered("GTK", 7, 0, &[], &[]), "");
    }

    #[test]
    fn text_is_written_only_where_it_is_editable() {
        let field = |bits| offered("gtk", 61, bits, &[EDITABLE_TEXT, COMPONENT], &["activate"]);
        let both = states::EDITABLE | states::FOCUSABLE;
        assert_eq!(field(both), "SetValue TypeText SetFocus");
        assert_eq!(field(states::FOCUSABLE), "SetFocus");
        assert_eq!(
            offered("Gecko", 61, both, &[EDITABLE_TEXT, COMPONENT], &[]),
            "ScrollTo SetFocus"
        );
    }

    #[test]
    fn what_stands_in_a_list_is_chosen_where_that_changes_anything() {
        const SELECTION: &str = "org.a11y.atspi.Selection";
        assert_eq!(offered("gtk", 11, 0, &[SELECTION], &["press"]), "Click Expand Collapse Select");
        assert_eq!(offered("GTK", 11, 0, &[SELECTION], &[]), "");
        assert_eq!(offered("Qt", 11, 0, &[], &["ShowMenu"]), "Click Expand Collapse");
        assert_eq!(offered("Gecko", 11, 0, &[], &["open"]), "Click Expand Collapse Select");
        assert_eq!(offered("GTK", 31, 0, &[SELECTION], &["list.select-all"]), "Select");
        assert_eq!(offered("Qt", 31, 0, &[], &[]), "Select");
        assert_eq!(offered("gtk", 33, 0, &[SELECTION], &["click"]), "Click Expand");
    }

    #[test]
    fn a_row_opens_only_by_what_says_so() {
        let opens = 1 << 9;
        assert_eq!(offered("Qt", 56, opens, &[], &["Toggle"]), "Click");
        let cell = ["expand or contract", "edit", "activate"];
        assert_eq!(offered("gtk", 56, opens, &[], &cell), "Expand Collapse");
        let marked = ["toggle", "Activates the cell"];
        assert_eq!(offered("gtk", 56, 0, &[], &marked), "");
        let panel = ["listitem.toggle-expand", "listitem.collapse", "listitem.expand"];
        assert_eq!(offered("GTK", 39, opens, &[], &panel), "Expand Collapse");
    }

    #[test]
    fn a_menu_is_closed_where_something_closes_it() {
        let around = |role, bits| Some(Facts { states: bits, role, interfaces: None });
        let can_close = |toolkit, role, parent, actions: &[&str]| {
            let facts = Facts { states: 0, role, interfaces: None };
            let actions = actions.iter().map(|name| (*name).into()).collect::<Vec<_>>();
            let line = dialect::of(toolkit, "3.24.38");
            let can = capabilities(roles::canonical(role, 0), facts, parent, &actions, line);
            can.has(Capability::Collapse)
        };
        assert!(can_close("Qt", 35, around(roles::MENU_BAR, 0), &["ShowMenu"]));
        assert!(!can_close("Qt", 35, around(41, 0), &["Press"]));
        for toolkit in ["gtk", "VCL"] {
            let outer = around(roles::MENU, states::SELECTABLE);
            assert!(can_close(toolkit, roles::MENU, outer, &["click"]));
            for bar in [roles::MENU_BAR, roles::MENU] {
                assert!(!can_close(toolkit, roles::MENU, around(bar, 0), &["click"]));
            }
        }
    }

    #[test]
    fn gtk_4_8_refuses_to_grab_the_focus() {
        assert_eq!(offered("GTK", 43, states::FOCUSABLE, &[COMPONENT], &["click"]), "Click");
        assert_eq!(
            offered("gtk", 43, states::FOCUSABLE, &[COMPONENT], &["click"]),
            "Click SetFocus"
        );
    }
}
