//! Scripted applications that answer like the real ones, and what is asked of them.

use std::collections::BTreeMap;

use agent_desktop_model::tree::{Listing, Tree};
use serde::Serialize;
use zbus::{DynamicType, Message, ObjectPath, Variant};

use super::*;
use crate::{
    atspi::{build, dialect},
    bus::{Args, Reply},
};

const APP: &str = ":1.7";
const SHOWN: u64 = 1 << 8 | 1 << 24 | 1 << 25 | 1 << 30;

/// An application with its accessibles by path.
#[derive(Default)]
struct Script {
    nodes: BTreeMap<String, Scripted>,
    /// How often each member was called.
    asked: BTreeMap<String, usize>,
    /// Whether listing children puts them into the cache.
    lazy: bool,
    cache_refused: bool,
}

#[derive(Clone, Default)]
struct Scripted {
    role: u32,
    states: u64,
    name: String,
    children: Vec<String>,
    /// What it says its child count is, where that is not the truth.
    claims: Option<i32>,
    cached: bool,
    cached_claim: Option<i32>,
    mute: bool,
    gone: bool,
    /// The whole application leaves when this is asked.
    fatal: bool,
}

impl Script {
    /// A tree written as `parent: child child`, one line each; all of it cached.
    fn of(lines: &str) -> Self {
        let mut script = Self::default();
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (parent, children) = line.split_once(':').unwrap();
            let children = children.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            for child in &children {
                script.node(child);
            }
            script.node(parent).children = children;
        }
        script
    }

    fn node(&mut self, name: &str) -> &mut Scripted {
        self.nodes.entry(name.to_owned()).or_insert_with(|| Scripted {
            role: 43,
            states: SHOWN,
            name: name.to_owned(),
            cached: true,
            ..Scripted::default()
        })
    }

    fn read(&mut self, toolkit: &str, version: &str) -> Tree {
        self.read_up_to(NODES, toolkit, version)
    }

    fn read_up_to(&mut self, limit: usize, toolkit: &str, version: &str) -> Tree {
        let line = dialect::of(toolkit, version);
        let root = self.node("w").clone();
        let details = Details {
            role: 23,
            states: root.states,
            child_count: root.count().into(),
            ..Details::default()
        };
        let mut talk = |first: Vec<(Step, Call)>, take: &mut Take<'_>| {
            let mut waiting = first;
            while let Some((step, call)) = waiting.pop() {
                let answer = self.answer(&call);
                take(step, answer, &mut waiting);
            }
        };
        let collected = collect_up_to(limit, address("w"), details, line, &mut talk);
        build::tree(collected, &[], line)
    }

    fn answer(&mut self, call: &Call) -> Answer {
        let member = match &call.args {
            Args::Property(_, name) => name,
            _ => call.member,
        };
        *self.asked.entry(member.to_owned()).or_default() += 1;
        if member == "GetItems" {
            return if self.cache_refused { Err(CallError::Absent) } else { Ok(self.items()) };
        }
        if member == "GetApplicationBusAddress" {
            return Ok(reply(&""));
        }
        let name = call.path.trim_start_matches('/').to_owned();
        let node = self.nodes.get(&name).cloned().ok_or(CallError::Absent)?;
        if node.fatal {
            return Err(CallError::Gone);
        }
        if node.mute {
            return Err(CallError::Unanswered);
        }
        if node.gone {
            return Err(CallError::Absent);
        }
        Ok(match member {
            "GetRole" => reply(&node.role),
            "GetState" => reply(&words(node.states)),
            "Name" => reply(&Variant::from(node.name.as_str())),
            "Description" => reply(&Variant::from("")),
            "ChildCount" => reply(&Variant::from(node.claims.unwrap_or(node.true_count()))),
            "GetChildren" => {
                for child in node.children.iter().filter(|_| self.lazy) {
                    self.nodes.get_mut(child).unwrap().cached = true;
                }
                let list = node.children.iter().map(|child| reference(child)).collect::<Vec<_>>();
                reply(&list)
            }
            other => panic!("nobody should ask for {other}"),
        })
    }

    fn items(&self) -> Reply {
        let parents = self.nodes.iter().flat_map(|(name, node)| {
            node.children.iter().zip(0..).map(move |(child, at)| (child.as_str(), (name, at)))
        });
        let parents = parents.collect::<BTreeMap<_, _>>();
        let items = self.nodes.iter().filter(|(_, node)| node.cached).map(|(name, node)| {
            let (parent, at) =
                parents.get(name.as_str()).map_or(("root", 0), |(name, at)| (name.as_str(), *at));
            let interfaces: Vec<&str> = Vec::new();
            (
                reference(name),
                reference("root"),
                reference(parent),
                at,
                node.cached_claim.unwrap_or(node.count()),
                interfaces,
                node.name.as_str(),
                node.role,
                "",
                words(node.states),
            )
        });
        reply(&items.collect::<Vec<_>>())
    }

    fn asked(&self, member: &str) -> usize {
        self.asked.get(member).copied().unwrap_or_default()
    }
}

impl Scripted {
    fn true_count(&self) -> i32 {
        i32::try_from(self.children.len()).unwrap()
    }

    fn count(&self) -> i32 {
        self.claims.unwrap_or(self.true_count())
    }
}

fn address(name: &str) -> Address {
    Address { app: APP.into(), object: format!("/{name}").into() }
}

fn reference(name: &str) -> (&'static str, ObjectPath<'static>) {
    let path = match name {
        "null" => "/org/a11y/atspi/null".to_owned(),
        name => format!("/{name}"),
    };
    (APP, ObjectPath::try_from(path).unwrap())
}

fn words(bits: u64) -> Vec<u32> {
    vec![bits as u32, (bits >> 32) as u32]
}

fn reply(body: &(impl Serialize + DynamicType)) -> Reply {
    Reply::new(&Message::method_call("/", "Answer").build(body).unwrap())
}

/// The names in document order, indented.
fn outline(tree: &Tree) -> String {
    let mut text = String::new();
    for id in tree.ids() {
        let name = tree[id].address.object.trim_start_matches('/');
        let depth = tree.ancestors(id).count();
        text += &format!("{}{name}", if depth == 0 { "" } else { " " });
        text += &"'".repeat(depth);
    }
    text
}

const GTK3: (&str, &str) = ("gtk", "3.24.38");
const GTK4: (&str, &str) = ("GTK", "4.8.3");
const QT: (&str, &str) = ("Qt", "5.15.8");
const LIBREOFFICE: (&str, &str) = ("VCL", "7.4.7");

#[test]
fn a_whole_cache_is_read_with_one_question_and_in_document_order() {
    let mut script = Script::of("w: b a\n b: d c\n other: e");
    let tree = script.read(GTK3.0, GTK3.1);
    assert_eq!(outline(&tree), "w b' d'' c'' a'");
    assert!(tree.complete);
    assert_eq!(script.asked("GetItems"), 1);
    assert_eq!(script.asked("GetApplicationBusAddress"), 1);
    assert_eq!(script.asked.values().sum::<usize>(), 2);
}

#[test]
fn only_where_counts_differ_children_are_asked_for() {
    let mut script = Script::of("w: a b\n a: c\n b: d e");
    script.node("e").cached = false;
    let tree = script.read(GTK3.0, GTK3.1);
    assert_eq!(outline(&tree), "w a' c'' b' d'' e''");
    assert_eq!(script.asked("GetChildren"), 1);
    assert_eq!(script.asked("GetRole"), 1);
}

#[test]
fn a_node_that_manages_its_descendants_says_how_many_before_it_lists_them() {
    let mut script = Script::of("w: list table\n list: row");
    script.node("row").cached = false;
    for name in ["list", "table"] {
        script.node(name).states |= states::MANAGES_DESCENDANTS;
        script.node(name).cached_claim = Some(-1);
    }
    script.node("table").claims = Some(3_001);
    let tree = script.read(GTK3.0, GTK3.1);
    assert_eq!(outline(&tree), "w list' row'' table'");
    let table = tree.ids().last().unwrap();
    assert_eq!(tree[table].children, Listing::Counted(3_001));
    assert_eq!((script.asked("ChildCount"), script.asked("GetChildren")), (3, 1));
    assert!(tree.complete);
}

#[test]
fn two_billion_children_are_counted_and_never_listed() {
    let mut script = Script::of("w: sheet");
    script.node("sheet").claims = Some(i32::MAX);
    for (toolkit, version) in [GTK3, QT, LIBREOFFICE] {
        script.asked.clear();
        let tree = script.read(toolkit, version);
        let sheet = tree.ids().last().unwrap();
        assert_eq!(tree[sheet].children, Listing::Counted(2_147_483_647), "{toolkit}");
        let root_only = usize::from(toolkit != "gtk");
        assert_eq!(script.asked("GetChildren"), root_only, "{toolkit}");
    }
}

#[test]
fn a_table_of_libreoffice_is_not_listed_however_small() {
    let mut script = Script::of("w: table\n table: cell");
    script.node("table").states |= states::MANAGES_DESCENDANTS;
    let tree = script.read(LIBREOFFICE.0, LIBREOFFICE.1);
    assert_eq!(outline(&tree), "w table'");
    assert_eq!(script.asked("GetItems"), 0);
    assert_eq!(script.asked("GetChildren"), 1);
}

#[test]
fn a_lazy_cache_is_filled_by_listing_and_then_describes_everything() {
    let mut script = Script::of("w: a b\n a: c d\n b: e f");
    script.lazy = true;
    for node in script.nodes.values_mut() {
        node.cached = node.name == "w";
    }
    let tree = script.read(GTK4.0, GTK4.1);
    assert_eq!(outline(&tree), "w a' c'' d'' b' e'' f''");
    assert_eq!(&*tree[tree.ids().last().unwrap()].name, "f");
    assert_eq!((script.asked("GetItems"), script.asked("GetRole")), (2, 0));
    assert!(tree.complete);
    script.asked.clear();
    script.read(GTK4.0, GTK4.1);
    assert_eq!(script.asked.values().sum::<usize>(), 1);
}

#[test]
fn an_application_that_serves_no_cache_is_walked() {
    let mut script = Script::of("w: a b\n a: c");
    script.cache_refused = true;
    for (toolkit, version) in [GTK3, GTK4, QT] {
        assert_eq!(outline(&script.read(toolkit, version)), "w a' c'' b'", "{toolkit}");
    }
}

#[test]
fn a_cycle_ends_and_each_node_comes_once() {
    for (toolkit, version) in [GTK3, GTK4, QT] {
        let mut script = Script::of("w: a a b\n a: a b w\n b: a w null");
        script.cache_refused = true;
        let tree = script.read(toolkit, version);
        assert_eq!(tree.len(), 3, "{toolkit}: {}", outline(&tree));
        assert!(tree.complete, "{toolkit}");
    }
}

#[test]
fn what_is_not_answered_is_unknown_and_what_is_refused_is_absent() {
    let mut script = Script::of("w: mute gone fine\n mute: x");
    script.node("mute").mute = true;
    script.node("gone").gone = true;
    let tree = script.read(QT.0, QT.1);
    assert_eq!(outline(&tree), "w fine'");
    assert_eq!(tree[tree.root()].children, Listing::Cut);
    assert!(!tree.complete);
    script.node("mute").mute = false;
    let tree = script.read(QT.0, QT.1);
    assert_eq!(outline(&tree), "w mute' x'' fine'");
    assert_eq!(tree[tree.root()].children, Listing::Whole);
    assert!(tree.complete);
}

#[test]
fn an_application_that_leaves_in_the_middle_leaves_no_whole_tree() {
    let mut script = Script::of("w: a b\n b: c");
    script.node("b").fatal = true;
    script.cache_refused = true;
    for (toolkit, version) in [GTK3, GTK4, QT] {
        let tree = script.read(toolkit, version);
        assert!(!tree.complete, "{toolkit}: {}", outline(&tree));
    }
}

#[test]
fn a_chain_of_twenty_thousand_is_read_to_its_end() {
    for ((toolkit, version), deep) in [(GTK3, 20_000), (QT, 1_000)] {
        let mut script = Script::default();
        let names = std::iter::once("w".to_owned()).chain((1..=deep).map(|at| format!("n{at}")));
        let names = names.collect::<Vec<_>>();
        for pair in names.windows(2) {
            script.node(&pair[0]).children = vec![pair[1].clone()];
            script.node(&pair[1]);
        }
        let tree = script.read(toolkit, version);
        assert_eq!((tree.len(), tree.complete), (deep + 1, true), "{toolkit}");
    }
}

#[test]
fn a_window_that_is_too_large_is_read_in_part() {
    for (toolkit, version) in [GTK4, QT] {
        let mut script = Script::of("w: a b\n a: c d e\n b: f g h");
        script.cache_refused = true;
        let tree = script.read_up_to(6, toolkit, version);
        assert_eq!((tree.len(), tree.complete), (6, false), "{toolkit}: {}", outline(&tree));
    }
}
