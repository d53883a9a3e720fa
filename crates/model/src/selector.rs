//! One selector engine for every place that looks for elements by what they are.

use crate::{
    capability::CapabilitySet,
    role::Role,
    state::{State, StateSet},
    text::fold,
    tree::{NativeId, Node},
};

/// What an element must be to match. Texts are folded when the selector is built.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selector {
    pub role: Option<Role>,
    pub name: Option<Pattern>,
    pub value: Option<Pattern>,
    pub description: Option<Pattern>,
    /// Matches the name, the value or the description.
    pub text: Option<Pattern>,
    pub native_id: Option<String>,
    pub states: Vec<StateTest>,
}

/// A text to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    folded: String,
    exact: bool,
}

/// A demand on one state or derived predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateTest {
    pub predicate: Predicate,
    pub wanted: bool,
}

/// A state of the vocabulary, or one that is derived from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Predicate {
    Has(State),
    /// Not disabled.
    Enabled,
    /// Neither hidden nor offscreen, which is what has no area in GTK 4.
    Visible,
}

impl Pattern {
    /// A pattern for `text`: equality when `exact`, otherwise a substring; case, Unicode form,
    /// bidirectional marks and runs of white space never matter.
    pub fn new(text: &str, exact: bool) -> Self {
        Self { folded: fold(text), exact }
    }

    /// Whether `text` matches.
    pub fn matches(&self, text: &str) -> bool {
        let text = fold(text);
        if self.exact { text == self.folded } else { text.contains(&self.folded) }
    }
}

impl StateTest {
    /// Parses `TOKEN`, `TOKEN=true` or `TOKEN=false`.
    pub fn parse(text: &str) -> Option<Self> {
        let (token, wanted) = match text.split_once('=') {
            None => (text, true),
            Some((token, "true")) => (token, true),
            Some((token, "false")) => (token, false),
            Some(_) => return None,
        };
        let predicate = match token.to_ascii_lowercase().as_str() {
            "enabled" => Predicate::Enabled,
            "visible" => Predicate::Visible,
            other => Predicate::Has(State::parse(other)?),
        };
        Some(Self { predicate, wanted })
    }

    /// Whether `states` meet the demand.
    pub fn holds(self, states: StateSet) -> bool {
        let is = match self.predicate {
            Predicate::Has(state) => states.has(state),
            Predicate::Enabled => !states.has(State::Disabled),
            Predicate::Visible => !states.has(State::Hidden) && !states.has(State::Offscreen),
        };
        is == self.wanted
    }
}

impl Selector {
    /// Whether the selector can only be judged once values were read.
    pub fn needs_value(&self) -> bool {
        self.value.is_some() || self.text.is_some()
    }

    /// Whether it can only be judged once it is known what has an area.
    pub fn needs_area(&self) -> bool {
        self.states.iter().any(|test| test.predicate == Predicate::Visible)
    }

    /// Whether `node` can still match, judged without its value and its area.
    pub fn admits(&self, node: &Node) -> bool {
        self.role.is_none_or(|role| is_a(node, role))
            && self.name.as_ref().is_none_or(|name| name.matches(&node.name))
            && self
                .description
                .as_ref()
                .is_none_or(|description| description.matches(&node.description))
            && self.native_id.as_ref().is_none_or(|wanted| is_native_id(node, wanted))
            && self
                .states
                .iter()
                .all(|test| test.predicate == Predicate::Visible || test.holds(node.states))
    }

    /// Whether `node`, of which everything needed was read, matches.
    pub fn matches(&self, node: &Node) -> bool {
        let value = node.shown_value().unwrap_or_default();
        self.admits(node)
            && self.states.iter().all(|test| test.holds(node.states))
            && self.value.as_ref().is_none_or(|pattern| pattern.matches(value))
            && self.text.as_ref().is_none_or(|pattern| {
                [&*node.name, value, &*node.description].iter().any(|text| pattern.matches(text))
            })
    }
}

/// Whether `node` gets a ref of its own wherever it is listed: an interactive role, or something
/// to do beyond taking the focus.
pub fn is_refable(role: Role, capabilities: CapabilitySet) -> bool {
    role.is_interactive() || capabilities.beyond_focus()
}

/// Whether `node` is of the kind `wanted`. Alerts and dialogs are told apart by no toolkit in the
/// same way, and what is a sheet among surfaces is a modal dialog among elements: each goes by the
/// names of what it is as well.
fn is_a(node: &Node, wanted: Role) -> bool {
    let is_modal = node.states.has(State::Modal);
    match (wanted, node.role) {
        (wanted, role) if wanted == role => true,
        (Role::Alert | Role::Dialog, Role::AlertDialog) | (Role::Dialog, Role::Sheet) => true,
        (Role::Dialog | Role::AlertDialog, Role::Alert) => is_modal,
        (Role::Sheet, Role::Dialog | Role::AlertDialog | Role::Alert) => is_modal,
        _ => false,
    }
}

fn is_native_id(node: &Node, wanted: &str) -> bool {
    matches!(&node.native_id, Some(NativeId { value, .. }) if **value == *wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn substring_unless_exact() {
        assert!(Pattern::new("SAVE", false).matches("_Save as…"));
        assert!(!Pattern::new("save", true).matches("Save as"));
        assert!(Pattern::new("é", true).matches("E\u{301}"));
        assert!(Pattern::new("é", true).matches("e\u{200e}\u{301}"));
    }

    #[test]
    fn state_tests() {
        let disabled: StateSet = [State::Disabled].into_iter().collect();
        assert!(StateTest::parse("disabled").unwrap().holds(disabled));
        assert!(StateTest::parse("enabled=false").unwrap().holds(disabled));
        assert!(!StateTest::parse("enabled").unwrap().holds(disabled));
        assert!(StateTest::parse("Visible").unwrap().holds(disabled));
        assert_eq!(StateTest::parse("shiny"), None);
        assert_eq!(StateTest::parse("checked=maybe"), None);
    }
}
