//! Reads what is printed or stored of some nodes: actions, bounds, value, hint.

use agent_desktop_model::{
    geometry::Rect,
    role::Role,
    state::State,
    tree::{Address, Field, FieldSet, NodeId, Tree},
};

use super::{
    actions, calls,
    calls::method,
    dialect::Dialect,
    interfaces::{Facts, Interfaces, SELECTION, VALUE},
    names,
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
    ActionCount,
    ActionName,
    Extents,
    Number,
    TextLength,
    Text,
    /// Which child of a combo box is chosen.
    Selected,
    /// What that child is called.
    SelectedName,
    Attributes,
}

pub(crate) type Talk<'a> = dyn FnMut(Vec<(Step, Call)>, &mut Take<'_>) + 'a;
pub(crate) type Take<'a> = dyn FnMut(Step, Answer, &mut Vec<(Step, Call)>) + 'a;

/// Where a window's own coordinates are on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Add this to get there.
    At(i32, i32),
    /// There is no common screen: coordinates stay the window's.
    Window,
    /// Not known, so that nothing can be said.
    Unknown,
}

/// Reads the wanted fields; how each node is to be read depends on its application. Returns
/// whether everything was answered.
pub(crate) fn fill(
    tree: &mut Tree,
    wants: &[(NodeId, FieldSet)],
    dialect: &dyn Fn(&Address) -> &'static Dialect,
    origin: Origin,
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
                failed: FieldSet::EMPTY,
            })
            .collect(),
        tree,
        origin,
    };
    let mut first = Vec::new();
    for want in 0..wants.len() {
        filling.begin(want, &mut first);
    }
    talk(first, &mut |step, answer, more| filling.take(step, answer, more));
    filling.finish()
}

struct Filling<'a> {
    tree: &'a mut Tree,
    wants: Vec<Want>,
    origin: Origin,
}

struct Want {
    id: NodeId,
    fields: FieldSet,
    dialect: &'static Dialect,
    /// Whose text is the value: the node itself, or the field in a combo box.
    text_of: NodeId,
    actions: Vec<Box<str>>,
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
        if want.fields.has(Field::Capabilities)
            && interfaces.has(Interfaces::ACTION)
            && actions::worth_asking(node.role, want.dialect)
        {
            push(Question::ActionCount, calls::action_count(&node.address));
        }
        if want.fields.has(Field::Bounds) && interfaces.has(Interfaces::COMPONENT) {
            push(Question::Extents, calls::extents(&node.address));
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
        if field.is_none() && node.role == Role::ComboBox && node.volatile_name {
            self.tree[want.id].value = Some(node.name.clone());
        } else if field.is_none()
            && node.role == Role::ComboBox
            && interfaces.has(Interfaces::SELECTION)
        {
            let call = method(&node.address, SELECTION, "GetSelectedChild", Args::Int(0));
            push(Question::Selected, call);
        } else if field.is_none() && interfaces.has(Interfaces::VALUE) {
            push(Question::Number, calls::property(&node.address, VALUE, "CurrentValue"));
        } else if field.is_some()
            || (interfaces.has(Interfaces::TEXT)
                && (node.role == Role::TextField || node.name.is_empty()))
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
            Question::ActionCount => {
                let count = reply.integer().unwrap_or_default().clamp(0, actions::MOST);
                let address = &self.tree[id].address;
                more.extend((0..count).filter_map(|at| {
                    let call = calls::action_name(address, i32::try_from(at).ok()?);
                    Some((Step { want: index, question: Question::ActionName }, call))
                }));
            }
            Question::ActionName => {
                want.actions.extend(reply.decode::<&str>().map(Box::from));
            }
            Question::Extents => {
                let found = calls::rectangle(&reply);
                let dialect = want.dialect;
                let node = &mut self.tree[id];
                if !dialect.sets_showing && found.is_some_and(|rect| !rect.has_area()) {
                    node.states.insert(State::Offscreen);
                }
                node.bounds = found.and_then(|rect| on_screen(rect, dialect, self.origin));
            }
            Question::Number => {
                self.tree[id].value = reply.number().map(|number| number.to_string().into());
            }
            Question::TextLength => {
                let length = reply.integer().and_then(|length| i32::try_from(length).ok());
                let call = calls::text(&self.tree[want.text_of].address, length.unwrap_or(0));
                more.push((Step { want: index, question: Question::Text }, call));
            }
            Question::Text => self.set_text(id, &reply),
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
                self.tree[id].hint = calls::attribute(&reply, &["placeholder-text", "placeholder"]);
            }
        }
    }

    fn learn(&mut self, index: usize, interfaces: Interfaces) {
        let Some(want) = self.wants.get(index) else { return };
        let node = &mut self.tree[want.id];
        let facts = Facts { interfaces: Some(interfaces), ..Facts::unpack(node.platform) };
        node.platform = facts.pack();
    }

    fn set_text(&mut self, id: NodeId, reply: &Reply) {
        let text = reply.decode::<&str>().unwrap_or_default();
        let node = &mut self.tree[id];
        if names::is_all_dots(text) {
            node.states.insert(State::Secure);
        } else if node.role == Role::TextField || !text.is_empty() {
            node.value = Some(text.into());
        }
    }

    /// Marks what was read, now that all answers are in.
    fn finish(self) -> bool {
        let mut whole = true;
        for want in self.wants {
            let facts = Facts::unpack(self.tree[want.id].platform);
            let parent = self.tree.parent(want.id);
            let parent = parent.map(|parent| Facts::unpack(self.tree[parent].platform));
            let node = &mut self.tree[want.id];
            for field in want.fields.iter().filter(|field| !want.failed.has(*field)) {
                node.filled.insert(field);
            }
            if node.filled.has(Field::Capabilities) && want.fields.has(Field::Capabilities) {
                node.capabilities =
                    actions::capabilities(node.role, facts, parent, &want.actions, want.dialect);
            }
            whole &= want.failed.is_empty();
        }
        whole
    }
}

impl Question {
    /// The fields that are not known while the question is not answered.
    fn fields(self) -> FieldSet {
        match self {
            Self::Interfaces => Field::ALL.iter().copied().collect(),
            Self::ActionCount | Self::ActionName => [Field::Capabilities].into_iter().collect(),
            Self::Extents => [Field::Bounds].into_iter().collect(),
            Self::Attributes => [Field::Hint].into_iter().collect(),
            Self::Number | Self::TextLength | Self::Text | Self::Selected | Self::SelectedName => {
                [Field::Value].into_iter().collect()
            }
        }
    }
}

/// A rectangle as its application gives it, moved to the screen.
fn on_screen(rect: Rect, dialect: &Dialect, origin: Origin) -> Option<Rect> {
    if !dialect.window_extents {
        return Some(rect);
    }
    match origin {
        Origin::At(x, y) => {
            Some(Rect { x: rect.x.saturating_add(x), y: rect.y.saturating_add(y), ..rect })
        }
        Origin::Window => Some(rect),
        Origin::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use agent_desktop_model::tree::Node;
    use serde::Serialize;
    use zbus::{DynamicType, Message, Variant};

    use super::{super::dialect, *};

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
        let origin = Origin::At(100, 200);
        let whole = fill(&mut tree, &wants, &|_| line, origin, &mut |first, take| {
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
        let entry = node(Role::TextField, 61, &["Text"]);
        let (tree, _, _) = filled(entry, GTK3, |member, _| match member {
            "GetText" => reply(&"\u{25CF}\u{25CF}\u{25CF}"),
            _ => Err(CallError::Absent),
        });
        let root = &tree[tree.root()];
        assert!(root.states.has(State::Secure) && root.value.is_none());
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
}
