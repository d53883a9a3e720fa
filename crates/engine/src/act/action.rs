//! The table of actions: what each needs, what has to hold first, and what it promises.

use agent_desktop_model::{
    action::Gate, capability::Capability, role::Role, state::State, tree::Node,
};

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action<'a> {
    Click,
    RightClick,
    DoubleClick,
    TripleClick,
    Focus,
    Type(&'a str),
    SetValue(&'a str),
    Clear,
    Select(&'a str),
    Toggle,
    Check,
    Uncheck,
    Expand,
    Collapse,
    Scroll(Direction, u32),
    ScrollTo,
}

/// A way to scroll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Up,
    Down,
    Left,
    Right,
}

/// One line of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// The command.
    pub(super) name: &'static str,
    /// What the element must be able to do: any one of these, the first being the best.
    pub(super) needs: &'static [Capability],
    pub(super) gates: &'static [Gate],
}

/// What an action promises, so what it is verified by.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Promise {
    /// On or off: checked, or pressed in.
    On(bool),
    /// A state that will be there or not.
    State(State, bool),
    /// Something of its own opens: a menu, a list, a popover.
    Opens,
    /// An item of a menu changes, or its menu closes, or something opens.
    Carries,
    /// The element itself changes or goes, or a window comes or goes.
    AnyOwn,
    /// The whole text afterwards.
    Text(String),
    Number(f64),
    /// A number that is no longer `from`, but more or less.
    Moved {
        from: f64,
        up: bool,
    },
    /// Another place, in that direction.
    Shifted {
        x: i32,
        y: i32,
    },
    /// The text that is shown as chosen.
    Choice(String),
    /// Nothing that may be looked at: what a password field holds.
    Nothing,
}

impl Action<'_> {
    /// Whether what opens by it may open without being told of.
    pub(super) fn may_open(self) -> bool {
        matches!(
            self,
            Self::Click
                | Self::RightClick
                | Self::DoubleClick
                | Self::TripleClick
                | Self::Expand
                | Self::Collapse
                | Self::Select(_)
        )
    }

    pub(super) fn row(self) -> Row {
        use Capability as Can;
        const OPERATE: &[Gate] =
            &[Gate::Visible, Gate::Enabled, Gate::SupportedAction, Gate::ReceivesEvents];
        const EDIT: &[Gate] = &[
            Gate::Visible,
            Gate::Enabled,
            Gate::SupportedAction,
            Gate::Editable,
            Gate::ReceivesEvents,
        ];
        let (name, needs, gates): (_, &[Capability], _) = match self {
            Self::Click => ("click", &[Can::Click, Can::Select], OPERATE),
            Self::RightClick => ("right-click", &[Can::RightClick], OPERATE),
            Self::DoubleClick => ("double-click", &[Can::Click], &[Gate::Policy] as &[Gate]),
            Self::TripleClick => ("triple-click", &[Can::Click], &[Gate::Policy] as &[Gate]),
            Self::Focus => ("focus", &[Can::SetFocus], &[Gate::Policy] as &[Gate]),
            Self::Type(_) => ("type", &[Can::TypeText], EDIT),
            Self::SetValue(_) => ("set-value", &[Can::SetValue], EDIT),
            Self::Clear => ("clear", &[Can::SetValue], EDIT),
            Self::Select(_) => ("select", &[Can::Select], OPERATE),
            Self::Toggle => ("toggle", &[Can::Toggle], OPERATE),
            Self::Check => ("check", &[Can::Check, Can::Toggle], OPERATE),
            Self::Uncheck => ("uncheck", &[Can::Uncheck, Can::Toggle], OPERATE),
            Self::Expand => ("expand", &[Can::Expand], OPERATE),
            Self::Collapse => ("collapse", &[Can::Collapse], OPERATE),
            Self::Scroll(..) => ("scroll", &[Can::Scroll, Can::ScrollTo], OPERATE),
            Self::ScrollTo => ("scroll-to", &[Can::ScrollTo], &[Gate::SupportedAction] as &[Gate]),
        };
        Row { name, needs, gates }
    }
}

impl Action<'_> {
    /// The same, where the pointer or the keys do it: they need no more than to reach the element.
    pub(super) fn row_by_hand(self) -> Row {
        const REACH: &[Gate] = &[Gate::Visible, Gate::Enabled, Gate::ReceivesEvents];
        const WRITE: &[Gate] =
            &[Gate::Visible, Gate::Enabled, Gate::Editable, Gate::ReceivesEvents];
        let gates = match self {
            Self::Type(_) | Self::SetValue(_) | Self::Clear => WRITE,
            _ => REACH,
        };
        Row { needs: &[], gates, ..self.row() }
    }
}

/// Whether an element that can be on is on. Toolkits differ in what they call it: a toggle button
/// is checked in GTK 3.24 and pressed in GTK 4.8.
pub(super) fn is_on(node: &Node) -> bool {
    node.states.has(State::Checked) || node.states.has(State::Pressed)
}

/// What a click promises of `node` as it is before.
pub(super) fn of_click(node: &Node) -> Promise {
    match node.role {
        Role::RadioButton => Promise::On(true),
        _ if node.capabilities.has(Capability::Toggle) => Promise::On(!is_on(node)),
        Role::Tab | Role::Option => Promise::State(State::Selected, true),
        Role::Menu | Role::MenuButton | Role::ComboBox => Promise::Opens,
        Role::MenuItem => Promise::Carries,
        _ if node.states.has(State::HasPopup) => Promise::Opens,
        _ => Promise::AnyOwn,
    }
}
