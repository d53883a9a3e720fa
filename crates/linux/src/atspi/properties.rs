//! What holds of the tree that is made of an application's answers, whatever they are. Tests and
//! `fuzz/` call the same function; it panics where a property does not hold.
//!
//! The application is made of bytes: each answer takes a few of them, which say whether it is one,
//! of which type, and what it tells. When they are used up nothing is answered any more.

#![allow(clippy::expect_used, reason = "a property panics where it does not hold")]

use std::collections::{HashMap, HashSet};

use agent_desktop_model::{
    state::State,
    tree::{Address, Field, FieldSet, Listing, NodeId, Tree},
};
use serde::Serialize;
use zbus::{DynamicType, Message, ObjectPath, Variant};

use super::{
    build,
    collect::{self, Details, Without},
    dialect::{self, Dialect},
    fill, names,
    placement::Placement,
};
use crate::bus::{Answer, Args, Call, CallError, Reply};

const APP: &str = ":1.7";

/// Toolkits whose answers are understood in different ways. The last ones are waited for, which
/// takes time, so little is said by them.
const TOOLKITS: [(&str, &str); 8] = [
    ("gtk", "3.24.38"),
    ("GTK", "4.8.3"),
    ("Qt", "5.15.8"),
    ("Qt", "6.4.2"),
    ("VCL", "7.4.7"),
    ("J2SE-access-bridge", "1.0"),
    ("Chromium", "156.0"),
    ("Gecko", "153.0"),
];
const PATIENT: usize = 6;
const SAID_TO_THE_PATIENT: usize = 200;

/// The tree of an application that answers as `bytes` say is finite, has every element once, says
/// when it is not whole, holds nothing that was not told, and no password; and the questions are
/// no more than a fixed number for each answer. Returns how many elements there are.
pub fn tree(bytes: &[u8]) -> usize {
    let [toolkit, begin, bytes @ ..] = bytes else { return 0 };
    let toolkit = usize::from(*toolkit) % TOOLKITS.len();
    let (name, version) = TOOLKITS[toolkit];
    let limit = if toolkit < PATIENT { usize::MAX } else { SAID_TO_THE_PATIENT };
    let dialect = dialect::of(name, version);
    let mut app = Application::of(bytes.get(..limit).unwrap_or(bytes));
    let root = app.details();
    let without = Without { cells: begin & 1 != 0, hidden: begin & 2 != 0, pages: begin & 4 != 0 };
    let collected = collect::collect(address(0), root, dialect, without, &mut |first, take| {
        app.talk(first, take);
    });
    assert!(collected.nodes.len() <= 1 + app.mentioned.len(), "elements that nobody mentioned");
    let mut tree = build::tree(collected, build::Around::default(), dialect);
    is_a_tree(&tree);
    filled(&mut tree, dialect, &mut app);
    is_a_tree(&tree);
    assert!(
        app.asked <= 64 * (bytes.len() + 64),
        "{} questions for {} bytes",
        app.asked,
        bytes.len()
    );
    let said: usize = tree.ids().map(|id| text_of(&tree, id)).sum();
    assert!(said <= 3 * app.said + 1_000, "{said} bytes of text, of {} that were said", app.said);
    tree.len()
}

fn is_a_tree(tree: &Tree) {
    let mut places: HashMap<NodeId, usize> = HashMap::new();
    let mut addresses = HashSet::new();
    for id in tree.ids() {
        let up = tree.ancestors(id).take(tree.len() + 1).count();
        assert!(up < tree.len(), "an element that is above itself");
        assert_eq!(up == 0, id == tree.root());
        for child in tree.children(id) {
            *places.entry(child).or_default() += 1;
            assert_eq!(tree.parent(child), Some(id));
        }
        let node = &tree[id];
        assert!(addresses.insert(node.address.clone()), "{:?} twice", node.address);
        assert!(!tree.complete || node.children != Listing::Cut, "a whole tree that is cut");
        if node.states.has(State::Secure) {
            let shown = node.value.as_deref().unwrap_or_default();
            assert_eq!(*names::without_dots(&node.name), *node.name, "a password in a name");
            assert_eq!(shown, "", "a password as a value");
        }
    }
    assert!(places.values().all(|places| *places == 1), "an element in two places");
    assert_eq!(tree.subtree(tree.root()).count(), tree.len());
}

fn filled(tree: &mut Tree, dialect: &'static Dialect, app: &mut Application<'_>) {
    const ALL: [Field; 6] =
        [Field::Capabilities, Field::Bounds, Field::Value, Field::Hint, Field::Area, Field::Room];
    let mut all = FieldSet::EMPTY;
    ALL.into_iter().for_each(|field| all.insert(field));
    let wants: Vec<_> = tree.ids().map(|id| (id, all)).collect();
    fill::fill(tree, &wants, &|_| dialect, &Placement::Window, &mut |first, take| {
        app.talk(first, take);
    });
}

fn text_of(tree: &Tree, id: NodeId) -> usize {
    let node = &tree[id];
    let optional =
        [&node.value, &node.hint, &node.formula].map(|it| it.as_ref().map_or(0, |it| it.len()));
    node.name.len() + node.description.len() + optional.iter().sum::<usize>()
}

/// Takes an answer, and may ask more.
type Take<'a, S> = dyn FnMut(S, Answer, &mut Vec<(S, Call)>) + 'a;

/// What answers.
struct Application<'a> {
    left: &'a [u8],
    asked: usize,
    /// Bytes of text in the answers.
    said: usize,
    mentioned: HashSet<Address>,
}

impl<'a> Application<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        Self { left: bytes, asked: 0, said: 0, mentioned: HashSet::new() }
    }

    fn details(&mut self) -> Details {
        Details {
            role: self.role(),
            states: self.states(),
            name: self.text().into(),
            child_count: self.number().into(),
            ..Details::default()
        }
    }

    /// Answers the last question first or the first one, as the bytes have it: the order in which
    /// answers come is the application's choice.
    fn talk<S>(&mut self, first: Vec<(S, Call)>, take: &mut Take<'_, S>) {
        let mut waiting = std::collections::VecDeque::from(first);
        let mut more = Vec::new();
        loop {
            let next = if self.byte() & 1 == 0 { waiting.pop_front() } else { waiting.pop_back() };
            let Some((step, call)) = next else { return };
            self.asked += 1;
            let answer = self.answer(&call);
            take(step, answer, &mut more);
            waiting.extend(more.drain(..));
        }
    }

    fn answer(&mut self, call: &Call) -> Answer {
        if self.left.is_empty() {
            return Err(CallError::Unanswered);
        }
        match self.byte() {
            0..4 => Err(CallError::Absent),
            4..6 => Err(CallError::Unanswered),
            6 => Err(CallError::Gone),
            7 => Err(CallError::Refused(self.text())),
            8 => Ok(reply(&self.states())),
            9 => Ok(reply(&self.text().as_str())),
            10 => Ok(reply(&Variant::from(self.number()))),
            11 => Ok(reply(&())),
            12 => Ok(reply(&vec![self.number(); 3])),
            _ => Ok(self.typed(call)),
        }
    }

    /// An answer of the right type.
    fn typed(&mut self, call: &Call) -> Reply {
        let member = match &call.args {
            Args::Property(_, name) => name,
            _ => call.member,
        };
        match member {
            "GetRole" => reply(&self.role()),
            "GetState" => reply(&self.words()),
            "Name" | "Description" | "AccessibleId" => reply(&Variant::from(self.text().as_str())),
            "ChildCount" | "NActions" | "NRows" | "NColumns" | "CharacterCount"
            | "NSelectedChildren" | "CaretOffset" => reply(&Variant::from(self.number())),
            "CurrentValue" => reply(&Variant::from(f64::from(self.number()) / 3.0)),
            "Parent"
            | "GetAccessibleAtPoint"
            | "GetAccessibleAt"
            | "GetColumnHeader"
            | "GetSelectedChild" => reply(&reference(&self.mention())),
            "GetChildren" => {
                let listed: Vec<_> = (0..self.byte() % 9).map(|_| self.mention()).collect();
                reply(&listed.iter().map(reference).collect::<Vec<_>>())
            }
            "GetItems" => self.items(),
            "GetInterfaces" => reply(&self.interfaces()),
            "GetAttributes" => {
                const KEYS: [&str; 6] =
                    ["display", "id", "xml-roles", "text-input-type", "valuetext", "Formula"];
                let keys = KEYS.into_iter().filter(|_| self.byte() & 1 == 0).collect::<Vec<_>>();
                let told: HashMap<_, _> = keys.into_iter().map(|key| (key, self.text())).collect();
                reply(&told)
            }
            "GetRelationSet" => {
                let told: Vec<_> =
                    (0..self.byte() % 4).map(|kind| (u32::from(kind), self.mention())).collect();
                let told: Vec<_> =
                    told.iter().map(|(kind, to)| (kind, vec![reference(to)])).collect();
                reply(&told)
            }
            "GetExtents" => reply(&(self.number(), self.number(), self.number(), self.number())),
            "Contains" => reply(&(self.byte() & 1 == 0)),
            "GetIndexInParent" | "GetRowAtIndex" | "GetColumnAtIndex" => reply(&self.number()),
            _ => reply(&self.text().as_str()),
        }
    }

    fn items(&mut self) -> Reply {
        type Parts = (Address, Address, i32, i32, Vec<&'static str>, String, u32, Vec<u32>);
        let items: Vec<Parts> = (0..self.byte() % 24)
            .map(|_| {
                let (this, parent) = (self.mention(), self.mention());
                let place = i32::from(self.byte() % 6) - 1;
                let (count, interfaces) = (self.number(), self.interfaces());
                (this, parent, place, count, interfaces, self.text(), self.role(), self.words())
            })
            .collect();
        let items: Vec<_> = items
            .iter()
            .map(|(this, parent, place, count, interfaces, name, role, states)| {
                let root = (APP, path("/org/a11y/atspi/accessible/root"));
                let (this, parent) = (reference(this), reference(parent));
                (this, root, parent, place, count, interfaces, name.as_str(), role, "", states)
            })
            .collect();
        reply(&items)
    }

    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.left.split_first() else { return 0 };
        self.left = rest;
        *first
    }

    /// The name of something that there may be.
    fn mention(&mut self) -> Address {
        let at = match self.byte() {
            255 => Address { app: APP.into(), object: "/org/a11y/atspi/null".into() },
            254 => Address { app: ":1.8".into(), object: "/0".into() },
            253 => Address { app: "".into(), object: "/0".into() },
            number => address(number % 40),
        };
        self.mentioned.insert(at.clone());
        at
    }

    fn number(&mut self) -> i32 {
        match self.byte() {
            255 => i32::MAX,
            254 => i32::MIN,
            253 => -1,
            252 => 1_001,
            251 => 50_001,
            250 => 1 << 20,
            small => i32::from(small % 12),
        }
    }

    fn role(&mut self) -> u32 {
        match self.byte() {
            255 => u32::MAX,
            number => u32::from(number) % 140,
        }
    }

    fn states(&mut self) -> u64 {
        let shown = 1_u64 << 8 | 1 << 24 | 1 << 25 | 1 << 30;
        match self.byte() {
            0..100 => shown,
            100..130 => shown | 1 << 21 | 1 << 31,
            _ => (0..8).fold(0, |bits, _| bits << 8 | u64::from(self.byte())),
        }
    }

    fn words(&mut self) -> Vec<u32> {
        let bits = self.states();
        vec![bits as u32, (bits >> 32) as u32]
    }

    fn interfaces(&mut self) -> Vec<&'static str> {
        const ALL: [&str; 8] = [
            "org.a11y.atspi.Action",
            "org.a11y.atspi.Component",
            "org.a11y.atspi.Text",
            "org.a11y.atspi.Selection",
            "org.a11y.atspi.Table",
            "org.a11y.atspi.TableCell",
            "org.a11y.atspi.Value",
            "org.a11y.atspi.EditableText",
        ];
        let which = self.byte();
        (0..8).filter(|bit| which & 1 << bit != 0).filter_map(|bit| ALL.get(bit).copied()).collect()
    }

    fn text(&mut self) -> String {
        const TEXTS: [&str; 12] = [
            "",
            "OK",
            "OK OK",
            "_OK OK",
            "●●●●",
            "Password ••",
            "GtkPopover",
            "GtkButton",
            "Name:",
            "grid switch",
            "\u{202e}x\0y\n",
            "time",
        ];
        let byte = self.byte();
        let text = match TEXTS.get(usize::from(byte)) {
            Some(text) => (*text).to_owned(),
            None if byte == 255 => "long ●".repeat(500),
            None => char::from(byte).to_string(),
        };
        self.said += text.len();
        text
    }
}

fn address(number: u8) -> Address {
    Address { app: APP.into(), object: format!("/{number}").into() }
}

fn path(path: &str) -> ObjectPath<'_> {
    ObjectPath::try_from(path).expect("a path")
}

fn reference(to: &Address) -> (&str, ObjectPath<'_>) {
    (&to.app, path(&to.object))
}

fn reply(body: &(impl Serialize + DynamicType)) -> Reply {
    Reply::new(&Message::method_call("/", "Answer").build(body).expect("a message"))
}

#[cfg(test)]
mod tests {
    use proptest::{prelude::*, test_runner::RngSeed};

    use super::*;

    fn config(cases: u32) -> ProptestConfig {
        ProptestConfig {
            failure_persistence: None,
            rng_seed: RngSeed::Fixed(1),
            ..ProptestConfig::with_cases(cases)
        }
    }

    #[test]
    fn whatever_is_answered_a_tree_is_made_of_it() {
        let largest = std::cell::Cell::new(0);
        proptest!(config(3_000), |(
            toolkit in 0..PATIENT as u8,
            bytes in proptest::collection::vec(any::<u8>(), 0..3_000),
        )| {
            largest.set(tree(&[&[toolkit][..], &bytes].concat()).max(largest.get()));
        });
        assert!(largest.get() > 20, "no tree had more than {} elements", largest.get());
    }

    #[test]
    fn so_it_is_where_pages_are_waited_for() {
        proptest!(config(30), |(
            toolkit in PATIENT as u8..TOOLKITS.len() as u8,
            bytes in proptest::collection::vec(any::<u8>(), 0..SAID_TO_THE_PATIENT),
        )| {
            tree(&[&[toolkit][..], &bytes].concat());
        });
    }
}
