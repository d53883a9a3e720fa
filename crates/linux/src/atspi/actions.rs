//! What can really be done to an element. Actions are known by name, never by their place in the
//! list: GTK 4.8 hands out its own in any order.

use agent_desktop_model::{
    capability::{Capability, CapabilitySet},
    role::Role,
};

use super::{
    dialect::Dialect,
    interfaces::{Facts, Interfaces},
    roles, states,
};

/// The most actions of one element whose names are asked for.
pub(crate) const MOST: i64 = 32;

/// Whether the names of an element's actions are worth a question.
pub(crate) fn worth_asking(role: Role, dialect: &Dialect) -> bool {
    // GTK 4.8.3 gives every label eight clipboard and link actions and every window and box those
    // of its action groups; none of them presses anything.
    !dialect.action_groups || role.is_interactive()
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
    for action in actions {
        for capability in meaning(&action.to_ascii_lowercase(), role, facts) {
            can.insert(*capability);
        }
    }
    if can.has(Can::Click) && (role.is_toggleable() || facts.role == roles::TOGGLE_BUTTON) {
        can.insert(Can::Check);
        if role != Role::RadioButton {
            can.insert(Can::Toggle);
            can.insert(Can::Uncheck);
        }
    }
    if can.has(Can::Click) && (role == Role::ComboBox || states::expandable(facts.states)) {
        can.insert(Can::Expand);
        can.insert(Can::Collapse);
    }
    if can.has(Can::Click) && role == Role::Menu {
        can.insert(Can::Expand);
    }
    if interfaces.has(Interfaces::EDITABLE_TEXT) && facts.states & states::EDITABLE != 0 {
        can.insert(Can::SetValue);
        can.insert(Can::TypeText);
    }
    if interfaces.has(Interfaces::VALUE) && is_range(role) {
        can.insert(Can::SetValue);
    }
    let selects = |it: Facts| it.interfaces.unwrap_or_default().has(Interfaces::SELECTION);
    let in_selection = facts.states & states::SELECTABLE != 0
        && role != Role::Separator
        && parent.is_some_and(selects);
    if in_selection || (role == Role::ComboBox && selects(facts)) {
        can.insert(Can::Select);
    }
    if dialect.grabs_focus
        && facts.states & states::FOCUSABLE != 0
        && interfaces.has(Interfaces::COMPONENT)
    {
        can.insert(Can::SetFocus);
    }
    can
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
        "click" | "press" | "activate" | "jump" | "open" | "toggle" | "check" | "uncheck"
        | "dodefault" => &[Can::Click],
        "select" => &[Can::Select],
        "setfocus" => &[Can::SetFocus],
        "expand or contract" if states::expandable(facts.states) => &[Can::Expand, Can::Collapse],
        "expand" => &[Can::Expand],
        "collapse" | "contract" => &[Can::Collapse],
        // Qt opens a menu by it, or the context menu where there is no other.
        "showmenu" if opens_menu => &[Can::Click, Can::Expand],
        "showmenu" | "showcontextmenu" => &[Can::RightClick],
        "menu.popup" if role == Role::TextField => &[Can::RightClick],
        _ => &[],
    }
}

/// Whether a number sets the element, rather than reports on it.
fn is_range(role: Role) -> bool {
    matches!(role, Role::Slider | Role::Incrementor | Role::ScrollBar | Role::Splitter)
}

#[cfg(test)]
mod tests {
    use super::{super::dialect, *};

    fn offered(toolkit: &str, role: u32, bits: u64, names: &[&str], actions: &[&str]) -> String {
        let facts =
            Facts { states: bits, role, interfaces: Some(Interfaces::of(names.iter().copied())) };
        let version = if toolkit == "GTK" { "4.8.3" } else { "3.24.38" };
        let actions = actions.iter().map(|name| (*name).into()).collect::<Vec<_>>();
        let role = roles::canonical(role, bits & states::SELECTABLE != 0);
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
        // Firefox offers EditableText on every node.
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
