//! Reads what is printed or stored of some nodes: actions, bounds, value, hint.

use agent_desktop_model::{
    capability::Capability,
    geometry::Rect,
    role::Role,
    state::State,
    text,
    tree::{Address, Field, FieldSet, Node, NodeId, Tree},
};

use super::{
    actions, calls,
    calls::method,
    content,
    dialect::{Combos, Dialect, Native},
    interfaces::{Facts, Interfaces, SELECTION, VALUE},
    names,
    placement::{Placed, Placement},
    states,
};
use crate::bus::{Answer, Args, Call, CallError, Reply};

/// What an answer is about: which want, and which of its questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    want: usize,
    question: Question,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    Interfaces,
    /// What its first action is called, where that decides about the others.
    FirstAction,
    ActionCount,
    ActionName,
    Extents,
    ExtentsInWindow,
    Number,
    /// How a page writes a number.
    ValueText,
    TextLength,
    Text,
    /// How many children of a combo box are chosen that says which one.
    ChosenCount,
    /// Which child of a combo box is chosen.
    Selected,
    /// What that child is called.
    SelectedName,
    Attributes,
    Formula,
}

pub(crate) type Talk<'a> = dyn FnMut(Vec<(Step, Call)>, &mut Take<'_>) + 'a;
pub(crate) type Take<'a> = dyn FnMut(Step, Answer, &mut Vec<(Step, Call)>) + 'a;

/// Reads the wanted fields; how each node is to be read depends on its application. Returns
/// whether everything was answered.
pub(crate) fn fill(
    tree: &mut Tree,
    wants: &[(NodeId, FieldSet)],
    dialect: &dyn Fn(&Address) -> &'static Dialect,
    placement: &Placement,
    talk: &mut Talk<'_>,
) -> bool {
    let mut filling = Filling {
        wants: wants
            .iter()
            .map(|(id, fields)| Want {
                id: *id,
                fields: *fields,
                dialect: dialect(&tree[*id].address),
                text_of: *id,
                actions: Vec::new(),
                places: [None; 2],
                failed: FieldSet::EMPTY,
            })
            .collect(),
        tree,
        placement,
        has_met_password: false,
    };
    let mut first = Vec::new();
    for want in 0..wants.len() {
        filling.begin(want, &mut first);
    }
    talk(first, &mut |step, answer, more| filling.take(step, answer, more));
    if filling.has_met_password {
        names::hide_passwords(filling.tree);
    }
    filling.finish()
}

struct Filling<'a> {
    tree: &'a mut Tree,
    wants: Vec<Want>,
    placement: &'a Placement,
    /// Whether a text has turned out to be one.
    has_met_password: bool,
}

struct Want {
    id: NodeId,
    fields: FieldSet,
    dialect: &'static Dialect,
    /// Whose text is the value: the node itself, or the field in a combo box.
    text_of: NodeId,
    actions: Vec<Box<str>>,
    /// What it said of its place on the screen and in the window, so far.
    places: [Option<Option<Rect>>; 2],
    failed: FieldSet,
}

impl Filling<'_> {
    fn begin(&mut self, index: usize, more: &mut Vec<(Step, Call)>) {
        let Some(want) = self.wants.get(index) else { return };
        let node = &self.tree[want.id];
        if Facts::unpack(node.platform).interfaces.is_some() {
            self.ask(index, more);
        } else {
            let step = Step { want: index, question: Question::Interfaces };
            more.push((step, calls::interfaces(&node.address)));
        }
    }

    /// The questions about a node whose interfaces are known.
    fn ask(&mut self, index: usize, more: &mut Vec<(Step, Call)>) {
        let Some(want) = self.wants.get(index) else { return };
        let node = &self.tree[want.id];
        let interfaces = Facts::unpack(node.platform).interfaces.unwrap_or_default();
        let mut push = |question, call| more.push((Step { want: index, question }, call));
        let facts = Facts::unpack(node.platform);
        if want.fields.has(Field::Capabilities)
            && interfaces.has(Interfaces::ACTION)
            && actions::worth_asking(node.role, facts, want.dialect)
        {
            if actions::first_decides(node.role, want.dialect) {
                push(Question::FirstAction, calls::action_name(&node.address, 0));
            } else {
                push(Question::ActionCount, calls::action_count(&node.address));
                if want.dialect.idle_actions {
                    push(Question::ActionName, calls::action_name(&node.address, 0));
                }
            }
        }
        let wants_bounds = want.fields.has(Field::Bounds);
        let wants_area = want.fields.has(Field::Area) && !want.dialect.sets_showing;
        let wants_room = want.fields.has(Field::Room);
        if (wants_bounds || wants_area || wants_room) && interfaces.has(Interfaces::COMPONENT) {
            push(Question::Extents, calls::extents(&node.address));
            if self.shift().is_some() {
                push(Question::ExtentsInWindow, calls::extents_in_window(&node.address));
            }
        }
        if want.fields.has(Field::Hint) && matches!(node.role, Role::TextField | Role::ComboBox) {
            push(Question::Attributes, calls::attributes(&node.address));
        }
        if want.fields.has(Field::Value) {
            self.ask_value(index, more);
        }
    }

    fn ask_value(&mut self, index: usize, more: &mut Vec<(Step, Call)>) {
        let Some(want) = self.wants.get_mut(index) else { return };
        let node = &self.tree[want.id];
        let interfaces = Facts::unpack(node.platform).interfaces.unwrap_or_default();
        let mut push = |question, call| more.push((Step { want: index, question }, call));
        let field = (node.role == Role::ComboBox)
            .then(|| {
                self.tree.children(want.id).find(|child| self.tree[*child].role == Role::TextField)
            })
            .flatten();
        want.text_of = field.unwrap_or(want.id);
        let source = &self.tree[want.text_of];
        // Nothing that could hold a password, or tell how long it is, is ever asked for.
        let secure = |id: NodeId| self.tree[id].states.has(State::Secure);
        if secure(want.text_of) || secure(want.id) || self.tree.ancestors(want.id).any(secure) {
            return;
        }
        // LibreOffice 7.4.7 gives every cell a number, 0 to those that hold a text.
        let is_written = want.dialect.endless_tables && node.role == Role::Cell;
        let combo = field.is_none() && node.role == Role::ComboBox;
        if combo && node.value.is_some() {
            // The list in it has told.
        } else if combo && node.volatile_name {
            // GTK 3.24.38 goes on to call one by its last choice when nothing is chosen any more.
            let chooses_itself = want.dialect.combos == Combos::Themselves;
            if chooses_itself && interfaces.has(Interfaces::SELECTION) {
                push(Question::ChosenCount, calls::selected_count(&node.address));
            }
            self.tree[want.id].value = Some(node.name.clone());
        } else if combo && interfaces.has(Interfaces::SELECTION) {
            let call = method(&node.address, SELECTION, "GetSelectedChild", Args::Int(0));
            push(Question::Selected, call);
        } else if field.is_none()
            && interfaces.has(Interfaces::VALUE)
            && !is_written
            && !is_switch(node.role)
        {
            if node.role == Role::Incrementor && want.dialect.native == Native::DomId {
                push(Question::ValueText, calls::attributes(&node.address));
            } else {
                push(Question::Number, number(&node.address));
            }
        } else if field.is_some()
            || (interfaces.has(Interfaces::TEXT) && (is_written || shows_text(node, want.dialect)))
        {
            if want.dialect.text_needs_count {
                push(Question::TextLength, calls::text_length(&source.address));
            } else {
                push(Question::Text, calls::text(&source.address, -1));
            }
        }
    }

    fn take(&mut self, step: Step, answer: Answer, more: &mut Vec<(Step, Call)>) {
        let Step { want: index, question } = step;
        let Some(want) = self.wants.get_mut(index) else { return };
        let reply = match answer {
            Ok(reply) => reply,
            Err(error) => {
                // Whatever the application refuses to tell, it does not have.
                if matches!(error, CallError::Unanswered | CallError::Gone) {
                    question.fields().iter().for_each(|field| want.failed.insert(field));
                } else if question == Question::Interfaces {
                    self.learn(index, Interfaces::default());
                }
                return;
            }
        };
        let id = want.id;
        match question {
            Question::Interfaces => {
                let names = reply.decode::<Vec<&str>>().unwrap_or_default();
                self.learn(index, Interfaces::of(names));
                self.ask(index, more);
            }
            Question::FirstAction => {
                let name = reply.decode::<&str>().filter(|name| !actions::is_idle(name));
                if let Some(name) = name {
                    want.actions.push(name.into());
                    let step = Step { want: index, question: Question::ActionCount };
                    more.push((step, calls::action_count(&self.tree[id].address)));
                }
            }
            Question::ActionCount => {
                let count = reply.integer().unwrap_or_default().clamp(0, actions::MOST);
                let address = &self.tree[id].address;
                let known = actions::known_behind_the_first(count, want.dialect);
                want.actions.extend(known.map(Box::from));
                let unknown = match (known, want.dialect.idle_actions) {
                    (Some(_), _) => count..count,
                    (None, first_is_asked) => first_is_asked.into()..count,
                };
                more.extend(unknown.filter_map(|at| {
                    let call = calls::action_name(address, i32::try_from(at).ok()?);
                    Some((Step { want: index, question: Question::ActionName }, call))
                }));
            }
            Question::ActionName => {
                want.actions.extend(reply.decode::<&str>().map(Box::from));
            }
            Question::Extents => {
                want.places[0] = Some(calls::rectangle(&reply));
                self.place(index);
            }
            Question::ExtentsInWindow => {
                want.places[1] = Some(calls::rectangle(&reply));
                self.place(index);
            }
            Question::Number => {
                self.tree[id].value = reply.number().map(written);
            }
            Question::ValueText => match calls::attribute(&reply, &["valuetext"]) {
                Some(text) => self.tree[id].value = Some(text),
                None => {
                    let step = Step { want: index, question: Question::Number };
                    more.push((step, number(&self.tree[id].address)));
                }
            },
            Question::TextLength => {
                let length = reply.integer().and_then(|length| i32::try_from(length).ok());
                let call = calls::text(&self.tree[want.text_of].address, length.unwrap_or(0));
                more.push((Step { want: index, question: Question::Text }, call));
            }
            Question::Text => {
                let dialect = want.dialect;
                self.set_text(id, &reply, dialect);
                let node = &self.tree[id];
                if node.anchored && node.value.is_some() {
                    let step = Step { want: index, question: Question::Formula };
                    more.push((step, calls::attributes(&node.address)));
                }
            }
            Question::Formula => {
                // LibreOffice 7.4.7 leaves out the sign that a formula is typed with.
                self.tree[id].formula = calls::attribute(&reply, &["Formula"]).map(|formula| {
                    match formula.starts_with(['=', '{']) {
                        true => formula,
                        false => format!("={formula}").into(),
                    }
                });
            }
            Question::ChosenCount => {
                if reply.integer() == Some(0) {
                    self.tree[id].value = None;
                }
            }
            Question::Selected => {
                let app = self.tree[id].address.app.clone();
                if let Some(chosen) = calls::reference(&reply, &app) {
                    let step = Step { want: index, question: Question::SelectedName };
                    more.push((step, calls::name(&chosen)));
                }
            }
            Question::SelectedName => {
                self.tree[id].value = reply.text().filter(|text| !text.is_empty());
            }
            Question::Attributes => {
                let node = &mut self.tree[id];
                node.hint = calls::attribute(&reply, &["placeholder-text", "placeholder"]);
                let is_secure = node.states.has(State::Secure);
                if node.role == Role::ComboBox && node.value.is_none() && !is_secure {
                    node.value = calls::attribute(&reply, &["valuetext"]);
                }
            }
        }
    }

    /// By how much elements that LibreOffice draws itself have to be moved, if at all.
    fn shift(&self) -> Option<(i32, i32)> {
        match self.placement {
            Placement::Screen(Placed { shift, .. }) => Some(*shift).filter(|by| *by != (0, 0)),
            Placement::Window | Placement::Unknown => None,
        }
    }

    /// Sets the bounds, once everything that they depend on was answered.
    fn place(&mut self, index: usize) {
        let shift = self.shift();
        let Some(want) = self.wants.get(index) else { return };
        let (found, in_window) = match want.places {
            [Some(found), Some(in_window)] => (found, in_window),
            [Some(found), None] if shift.is_none() => (found, None),
            _ => return,
        };
        let dialect = want.dialect;
        let in_page = dialect.pages_in_pixels
            && std::iter::once(want.id)
                .chain(self.tree.ancestors(want.id))
                .any(|id| self.tree[id].role == Role::WebArea);
        let node = &mut self.tree[want.id];
        node.takes_room = found.is_some_and(Rect::has_area);
        let has_no_area = found.is_some_and(|rect| !rect.has_area());
        if !dialect.sets_showing && has_no_area && !node.states.has(State::Hidden) {
            node.states.insert(State::Offscreen);
        }
        if !want.fields.has(Field::Bounds) {
            return;
        }
        node.bounds = match self.placement {
            Placement::Screen(Placed { window: Some((window, bounds)), .. })
                if *window == node.address =>
            {
                Some(*bounds)
            }
            Placement::Screen(_) if in_page => found,
            Placement::Screen(Placed { view, .. }) => found.map(|rect| {
                // LibreOffice 7.4.7 tells the same place on the screen and in the window of what
                // it draws itself, and only of that.
                let (x, y) = shift.filter(|_| found == in_window).unwrap_or_default();
                view.on_screen(Rect {
                    x: rect.x.saturating_add(x),
                    y: rect.y.saturating_add(y),
                    ..rect
                })
            }),
            Placement::Window => found,
            Placement::Unknown => None,
        };
    }

    fn learn(&mut self, index: usize, interfaces: Interfaces) {
        let Some(want) = self.wants.get(index) else { return };
        let node = &mut self.tree[want.id];
        let facts = Facts { interfaces: Some(interfaces), ..Facts::unpack(node.platform) };
        node.platform = facts.pack();
    }

    fn set_text(&mut self, id: NodeId, reply: &Reply, dialect: &Dialect) {
        let text = content::unpadded(reply.decode::<&str>().unwrap_or_default(), dialect);
        let text = &*text;
        let node = &mut self.tree[id];
        if names::is_all_dots(text) {
            node.states.insert(State::Secure);
            self.has_met_password = true;
            // What its list has told is the password, if it is the choice.
            node.value = None;
            return;
        }
        // What stands in a text beside letters is in the tree.
        let letters = text.replace(EMBEDDED, "");
        let field =
            matches!(node.role, Role::TextField | Role::ComboBox) && !text.contains(EMBEDDED);
        let news = !letters.trim().is_empty() && letters.trim() != node.name.trim();
        if field || news {
            node.value = Some(letters.into());
        }
    }

    /// Marks what was read, now that all answers are in.
    fn finish(self) -> bool {
        let mut whole = true;
        for want in self.wants {
            let facts = Facts::unpack(self.tree[want.id].platform);
            let parent = match self.tree.parent(want.id) {
                Some(parent) => Some(self.tree[parent].platform),
                None => self.tree.around,
            };
            let parent = parent.map(Facts::unpack);
            // An area is scrolled by its own bars.
            let scrolls = self.tree[want.id].role == Role::ScrollArea
                && self.tree.children(want.id).any(|child| is_live_bar(&self.tree[child]));
            let node = &mut self.tree[want.id];
            for field in want.fields.iter().filter(|field| !want.failed.has(*field)) {
                node.filled.insert(field);
            }
            if node.filled.has(Field::Capabilities) && want.fields.has(Field::Capabilities) {
                node.capabilities =
                    actions::capabilities(node.role, facts, parent, &want.actions, want.dialect);
                if scrolls {
                    node.capabilities.insert(Capability::Scroll);
                }
            }
            whole &= want.failed.is_empty();
        }
        whole
    }
}

fn is_live_bar(node: &Node) -> bool {
    let interfaces = Facts::unpack(node.platform).interfaces.unwrap_or_default();
    node.role == Role::ScrollBar
        && interfaces.has(Interfaces::VALUE)
        && !node.states.has(State::Hidden)
}

impl Question {
    /// The fields that are not known while the question is not answered.
    fn fields(self) -> FieldSet {
        match self {
            Self::Interfaces => Field::ALL.iter().copied().collect(),
            Self::FirstAction | Self::ActionCount | Self::ActionName => {
                [Field::Capabilities].into_iter().collect()
            }
            Self::Extents | Self::ExtentsInWindow => {
                [Field::Bounds, Field::Area, Field::Room].into_iter().collect()
            }
            Self::Attributes => [Field::Hint].into_iter().collect(),
            Self::Number
            | Self::ValueText
            | Self::TextLength
            | Self::Text
            | Self::ChosenCount
            | Self::Selected
            | Self::SelectedName
            | Self::Formula => [Field::Value].into_iter().collect(),
        }
    }
}

/// What texts of ATK hold where another element stands in them.
const EMBEDDED: char = '\u{FFFC}';

/// Whether what a role is set to is one of its states. Swing says it once more as a number, of every
/// button (OpenJDK 17 with java-atk-wrapper 0.40).
fn is_switch(role: Role) -> bool {
    matches!(
        role,
        Role::Button
            | Role::Checkbox
            | Role::RadioButton
            | Role::Switch
            | Role::Menu
            | Role::MenuItem
    )
}

fn number(at: &Address) -> Call {
    calls::property(at, VALUE, "CurrentValue")
}

/// A number as a person writes it. Chromium 156 keeps numbers in 32 bits, so that 0.7 arrives as
/// 0.699999988079071.
fn written(number: f64) -> Box<str> {
    let short = number as f32;
    if f64::from(short) == number && number.abs() < 1e6 {
        short.to_string().into()
    } else {
        text::number(number).into()
    }
}

/// Whether the text of an element is its value: what is written in a field, and what a nameless
/// element says, unless the elements in it say the same.
fn shows_text(node: &Node, dialect: &Dialect) -> bool {
    let editable = Facts::unpack(node.platform).states & states::EDITABLE != 0;
    match node.role {
        Role::TextField => true,
        Role::ComboBox if editable => true,
        _ if dialect.texts_are_elements => false,
        Role::ComboBox => true,
        _ => node.name.is_empty() || is_named_apart(node.role),
    }
}

/// Whether the name of such an element is not made of the text in it, as that of a button is.
fn is_named_apart(role: Role) -> bool {
    matches!(
        role,
        Role::Alert
            | Role::AlertDialog
            | Role::Article
            | Role::Banner
            | Role::Complementary
            | Role::ContentInfo
            | Role::Dialog
            | Role::Form
            | Role::Group
            | Role::Log
            | Role::Main
            | Role::Navigation
            | Role::Note
            | Role::Region
            | Role::Search
            | Role::Status
            | Role::TabPanel
            | Role::Timer
            | Role::WebArea
    )
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use zbus::{DynamicType, Message, Variant};

    use super::{
        super::{
            dialect::{self, Coordinates},
            placement::{Area, View},
        },
        *,
    };

    const INTERFACES: &str = "org.a11y.atspi.";

    fn node(role: Role, number: u32, interfaces: &[&str]) -> Node {
        let names = interfaces.iter().map(|name| format!("{INTERFACES}{name}")).collect::<Vec<_>>();
        let interfaces = Some(Interfaces::of(names.iter().map(String::as_str)));
        let mut node = Node::default();
        node.role = role;
        node.platform = Facts { states: 0, role: number, interfaces }.pack();
        node
    }

    fn reply(body: &(impl Serialize + DynamicType)) -> Answer {
        Ok(Reply::new(&Message::method_call("/", "Answer").build(body).unwrap()))
    }

    /// Fills all fields of the only node and returns it with the members that were asked for.
    fn filled(
        node: Node,
        toolkit: (&str, &str),
        answer: impl Fn(&str, &Args) -> Answer,
    ) -> (Tree, Vec<String>, bool) {
        let mut tree = Tree::new(node);
        let line = dialect::of(toolkit.0, toolkit.1);
        let mut asked = Vec::new();
        let wants = [(tree.root(), Field::ALL.iter().copied().collect())];
        let window = Rect { x: 100, y: 200, width: 300, height: 400 };
        let own = Rect { x: 0, y: 0, width: 300, height: 400 };
        let area = Area { client: window, outer: window, inner: window };
        let view = View::of(Coordinates::Inside, own, area);
        let placement = Placement::Screen(Placed { view, window: None, shift: (0, 0) });
        let whole = fill(&mut tree, &wants, &|_| line, &placement, &mut |first, take| {
            let mut waiting = first;
            waiting.reverse();
            while let Some((step, call)) = waiting.pop() {
                let member = match &call.args {
                    Args::Property(_, name) => name,
                    _ => call.member,
                };
                asked.push(member.to_owned());
                let mut more = Vec::new();
                take(step, answer(member, &call.args), &mut more);
                waiting.extend(more.into_iter().rev());
            }
        });
        (tree, asked, whole)
    }

    const GTK3: (&str, &str) = ("gtk", "3.24.38");
    const GTK4: (&str, &str) = ("GTK", "4.8.3");

    #[test]
    fn of_a_password_neither_text_nor_length_is_asked_for() {
        for toolkit in [GTK3, GTK4] {
            let mut field = node(Role::TextField, 40, &["Text", "EditableText", "Value"]);
            field.states.insert(State::Secure);
            let (tree, asked, whole) = filled(field, toolkit, |_, _| Err(CallError::Absent));
            assert_eq!(asked, ["GetAttributes"]);
            assert!(whole && tree[tree.root()].value.is_none());
        }
    }

    #[test]
    fn a_text_of_nothing_but_dots_is_a_password() {
        let mut entry = node(Role::TextField, 61, &["Text"]);
        entry.name = "Word \u{25CF}\u{25CF}".into();
        let (tree, _, _) = filled(entry, GTK3, |member, _| match member {
            "GetText" => reply(&"\u{25CF}\u{25CF}\u{25CF}"),
            _ => Err(CallError::Absent),
        });
        let root = &tree[tree.root()];
        assert!(root.states.has(State::Secure) && root.value.is_none());
        assert_eq!(&*root.name, "Word");
    }

    #[test]
    fn a_combo_box_that_hides_its_text_has_no_value_whoever_tells_it() {
        for attributes_come_first in [true, false] {
            let mut combo = node(Role::ComboBox, 11, &["Text"]);
            combo.value = (!attributes_come_first).then(|| "rosebud".into());
            let mut tree = Tree::new(combo);
            tree.push(tree.root(), node(Role::TextField, 61, &["Text"]));
            let wants = [(tree.root(), Field::ALL.iter().copied().collect())];
            let line = dialect::of("", "");
            let placement = Placement::Unknown;
            fill(&mut tree, &wants, &|_| line, &placement, &mut |mut waiting, take| {
                let attributes = |call: &Call| call.member == "GetAttributes";
                waiting.sort_by_key(|(_, call)| attributes(call) == attributes_come_first);
                while let Some((step, call)) = waiting.pop() {
                    let answer = match call.member {
                        "GetAttributes" => {
                            reply(&std::collections::HashMap::from([("valuetext", "rosebud")]))
                        }
                        "GetText" => reply(&"\u{25CF}\u{25CF}"),
                        _ => Err(CallError::Absent),
                    };
                    take(step, answer, &mut waiting);
                }
            });
            let root = &tree[tree.root()];
            assert!(root.states.has(State::Secure));
            assert_eq!(root.value, None, "attributes first: {attributes_come_first}");
        }
    }

    #[test]
    fn a_combo_box_in_which_nothing_is_chosen_any_more_has_no_value() {
        for (chosen, value) in [(0, None), (1, Some("Item 3"))] {
            let mut combo = node(Role::ComboBox, 11, &["Selection"]);
            combo.name = "Item 3".into();
            combo.volatile_name = true;
            let (tree, _, _) = filled(combo, GTK3, |member, _| match member {
                "NSelectedChildren" => reply(&Variant::from(chosen)),
                _ => Err(CallError::Absent),
            });
            assert_eq!(tree[tree.root()].value.as_deref(), value);
        }
    }

    #[test]
    fn gtk_4_is_asked_for_the_length_of_a_text_first() {
        let entry = node(Role::TextField, 61, &["Text"]);
        let (tree, asked, _) = filled(entry, GTK4, |member, args| match (member, args) {
            ("CharacterCount", _) => reply(&Variant::from(5)),
            ("GetText", Args::Ints(0, 5)) => reply(&"hello"),
            _ => Err(CallError::Absent),
        });
        assert_eq!(tree[tree.root()].value.as_deref(), Some("hello"));
        assert_eq!(asked, ["GetAttributes", "CharacterCount", "GetText"]);
    }

    #[test]
    fn actions_are_counted_and_named_one_by_one() {
        let button = node(Role::Button, 43, &["Action", "Component"]);
        let (tree, asked, whole) = filled(button, GTK4, |member, args| match (member, args) {
            ("NActions", _) => reply(&Variant::from(2)),
            ("GetName", Args::Int(0)) => reply(&"window.close"),
            ("GetName", Args::Int(1)) => reply(&"click"),
            ("GetExtents", _) => reply(&(1, 2, 3, 4)),
            _ => Err(CallError::Absent),
        });
        let root = &tree[tree.root()];
        assert_eq!(root.capabilities.iter().map(|one| one.token()).collect::<Vec<_>>(), ["Click"]);
        assert_eq!(root.bounds, Some(Rect { x: 101, y: 202, width: 3, height: 4 }));
        assert_eq!(asked, ["NActions", "GetName", "GetName", "GetExtents"]);
        assert!(whole && Field::ALL.iter().all(|field| root.filled.has(*field)));
    }

    #[test]
    fn what_is_not_answered_is_not_filled() {
        let button = node(Role::Button, 43, &["Action", "Component"]);
        let (tree, _, whole) = filled(button, GTK3, |member, _| match member {
            "GetExtents" => reply(&(i32::MIN, i32::MIN, 1, 1)),
            _ => Err(CallError::Unanswered),
        });
        let root = &tree[tree.root()];
        assert!(!whole && !root.filled.has(Field::Capabilities) && root.filled.has(Field::Bounds));
        assert_eq!(root.bounds, None);
    }

    #[test]
    fn interfaces_are_asked_for_where_they_are_not_known() {
        let mut slider = Node::default();
        slider.role = Role::Slider;
        let (tree, asked, _) = filled(slider, GTK3, |member, _| match member {
            "GetInterfaces" => reply(&vec!["org.a11y.atspi.Value"]),
            "CurrentValue" => reply(&Variant::from(0.5)),
            _ => Err(CallError::Absent),
        });
        assert_eq!(asked, ["GetInterfaces", "CurrentValue"]);
        assert_eq!(tree[tree.root()].value.as_deref(), Some("0.5"));
    }

    const CHROMIUM: (&str, &str) = ("Chromium", "1.0");

    #[test]
    fn what_is_idle_in_a_page_offers_nothing() {
        let container = |actions: &'static [&'static str]| {
            filled(node(Role::Group, 85, &["Action"]), CHROMIUM, move |member, args| {
                match (member, args) {
                    ("GetName", Args::Int(at)) => reply(&actions[*at as usize]),
                    ("NActions", _) => reply(&Variant::from(actions.len() as i32)),
                    _ => Err(CallError::Absent),
                }
            })
        };
        let (tree, asked, _) = container(&["clickAncestor", "showContextMenu"]);
        assert!(tree[tree.root()].capabilities.is_empty());
        assert_eq!(asked, ["GetName"]);
        let (tree, _, _) = container(&["click", "showContextMenu"]);
        let can = tree[tree.root()].capabilities;
        assert_eq!(can.iter().map(|one| one.token()).collect::<Vec<_>>(), ["Click", "RightClick"]);
    }

    #[test]
    fn a_page_says_how_a_number_is_written() {
        let day = || node(Role::Incrementor, 52, &["Value", "Text"]);
        let (tree, asked, _) = filled(day(), ("Gecko", "153.8.0"), |member, _| match member {
            "GetAttributes" => reply(&std::collections::BTreeMap::from([("valuetext", "07")])),
            _ => Err(CallError::Absent),
        });
        assert_eq!(tree[tree.root()].value.as_deref(), Some("07"));
        assert_eq!(asked, ["GetAttributes"]);
        assert_eq!(&*written(0.699_999_988_079_071), "0.7");
        assert_eq!(&*written(40.0), "40");
        assert_eq!(&*written(1.0 / 3.0), "0.333333333333333");
    }

    #[test]
    fn the_place_of_another_element_is_no_letter() {
        let says = |role, number, text: &'static str| {
            let (tree, _, _) =
                filled(node(role, number, &["Text"]), ("Gecko", "153"), |member, _| {
                    if member == "GetText" { reply(&text) } else { Err(CallError::Absent) }
                });
            tree[tree.root()].value.clone()
        };
        assert_eq!(says(Role::Group, 85, "\u{FFFC}\u{FFFC} ").as_deref(), None);
        assert_eq!(says(Role::Paragraph, 73, "See \u{FFFC}.").as_deref(), Some("See ."));
        assert_eq!(says(Role::TextField, 79, "").as_deref(), Some(""));
        assert_eq!(says(Role::TabPanel, 49, "Panel").as_deref(), Some("Panel"));
        // What is written in it stands in its paragraphs; it is not empty.
        assert_eq!(says(Role::TextField, 79, "\u{FFFC}").as_deref(), None);
    }
}
