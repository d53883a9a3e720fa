//! Scripted applications that answer like the real ones, and what is asked of them.

use std::collections::BTreeMap;

use agent_desktop_model::{
    state::State,
    tree::{Listing, NodeId, Tree},
};
use serde::Serialize;
use zbus::{DynamicType, Message, ObjectPath, Variant};

use super::*;
use crate::{
    atspi::{build, dialect, roles},
    bus::{Args, Reply},
};

mod tables;

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
    /// What is not listed at the moment, but something else in its place.
    unlisted: Option<(&'static str, &'static str)>,
    /// How many more times it answers as Firefox does before a page has arrived: its elements
    /// have neither names nor places.
    late: usize,
    /// What has no children yet the first so many times that they are asked for.
    blank: Option<(&'static str, usize)>,
    /// Where its documents come from.
    location: &'static str,
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
    /// It is of another application, which has ended.
    belongs_to_the_dead: bool,
    /// What it answers to this is of another kind than was asked for.
    senseless: Option<&'static str>,
    table: Option<tables::Table>,
    /// The cache has no place for it.
    unplaced: bool,
    /// Its parent lists its children in its place.
    skipped: bool,
    /// It has no extent.
    nowhere: bool,
    /// It has one, but no point is in it.
    behind: bool,
    /// The cache lacks its parent, which lists nothing.
    apart: bool,
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
        let collected =
            collect_up_to(limit, address("w"), details, line, Without::default(), &mut talk);
        build::tree(collected, build::Around::default(), line)
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
        if let Some(answer) = self.answer_of_table(&name, member, &call.args) {
            return answer;
        }
        let node = self.nodes.get(&name).cloned().ok_or(CallError::Absent)?;
        if node.fatal || node.belongs_to_the_dead {
            return Err(CallError::Gone);
        }
        if node.mute {
            return Err(CallError::Unanswered);
        }
        if node.gone {
            return Err(CallError::Absent);
        }
        Ok(match member {
            asked if node.senseless == Some(asked) => reply(&(7u32, "nonsense")),
            "GetRole" => reply(&node.role),
            "GetState" => reply(&words(node.states)),
            "Name" => reply(&Variant::from(node.name.as_str())),
            "GetAttributes" if self.late > 0 => {
                self.late -= 1;
                reply(&BTreeMap::<&str, &str>::new())
            }
            "GetAttributes" => reply(&BTreeMap::from([("display", "block"), ("id", "save")])),
            "GetExtents" if self.late > 0 => reply(&(-1, -1, -1, -1)),
            "GetExtents" => reply(&(0, 0, 10, 10)),
            "Contains" => reply(&(call.args == Args::Point(500, 500, 1) && !node.behind)),
            "Description" => reply(&Variant::from("")),
            "ChildCount" => reply(&Variant::from(node.claims.unwrap_or(node.true_count()))),
            "GetAttributeValue" => reply(&self.location),
            "GetChildren" if matches!(self.blank, Some((blank, 1..)) if blank == name) => {
                self.blank = self.blank.map(|(blank, times)| (blank, times - 1));
                reply(&Vec::<(&str, ObjectPath<'_>)>::new())
            }
            "GetChildren" => {
                for child in node.children.iter().filter(|_| self.lazy) {
                    self.nodes.get_mut(child).unwrap().cached = true;
                }
                let listed = node.children.iter().flat_map(|child| {
                    let inside = &self.nodes[child];
                    if inside.skipped { inside.children.clone() } else { vec![child.clone()] }
                });
                let instead = |child: String| match self.unlisted {
                    Some((gone, instead)) if child == gone => instead.to_owned(),
                    _ => child,
                };
                let listed = listed.map(instead).collect::<Vec<_>>();
                if self.lazy {
                    listed
                        .iter()
                        .for_each(|child| self.nodes.get_mut(child).unwrap().cached = true);
                }
                let of = |child: &String| {
                    let (app, path) = reference(child);
                    (if self.nodes[child].belongs_to_the_dead { ":1.9" } else { app }, path)
                };
                reply(&listed.iter().map(of).collect::<Vec<_>>())
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
            let parent = if node.apart { "page" } else { parent };
            let at = if node.unplaced { -1 } else { at };
            let interfaces = match node.skipped {
                true => vec!["org.a11y.atspi.Accessible"],
                false => vec!["org.a11y.atspi.Accessible", "org.a11y.atspi.Component"],
            };
            (
                reference(name),
                reference("root"),
                reference(parent),
                at,
                node.cached_claim.unwrap_or(node.count()),
                interfaces,
                if self.late > 0 { "" } else { node.name.as_str() },
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
fn what_has_no_place_in_a_cache_is_where_it_is_listed() {
    let mut script = Script::of("w: a b c\n c: d");
    script.node("c").unplaced = true;
    script.node("d").unplaced = true;
    let tree = script.read(GTK3.0, GTK3.1);
    assert_eq!(outline(&tree), "w a' b' c' d''");
    assert_eq!(script.asked("GetChildren"), 2);
}

#[test]
fn what_stands_in_the_place_of_another_is_there_though_as_many_are_cached() {
    let mut script = Script::of("w: page\n page: button");
    script.node("page").unplaced = true;
    script.unlisted = Some(("page", "dialog"));
    script.node("dialog").cached = false;
    let tree = script.read(GTK3.0, GTK3.1);
    assert_eq!(outline(&tree), "w dialog'");
}

#[test]
fn an_answer_of_another_kind_leaves_the_tree_incomplete() {
    for asked in ["GetRole", "GetState", "Name", "Description", "ChildCount", "GetChildren"] {
        let mut script = Script::of("w: a b\n a: c");
        script.node("a").senseless = Some(asked);
        let tree = script.read(QT.0, QT.1);
        assert!(!tree.complete, "{asked}");
        assert!(outline(&tree).contains(" b'"), "{asked}: {}", outline(&tree));
    }
}

#[test]
fn of_a_window_with_too_many_children_some_are_read() {
    let mut script = Script::of("w: a b c d");
    script.node("w").claims = Some(100_000);
    let tree = script.read_up_to(3, QT.0, QT.1);
    assert_eq!((outline(&tree).as_str(), tree.complete), ("w a' b'", false));
    script.node("w").claims = Some(i32::MAX);
    let tree = script.read(QT.0, QT.1);
    assert_eq!(tree[tree.root()].children, Listing::Counted(2_147_483_647));
}

#[test]
fn what_leads_out_of_a_window_is_no_part_of_it() {
    let root = calls::ROOT.trim_start_matches('/');
    let mut script = Script::of(&format!("w: a {root} other pane\n {root}: far\n pane: b"));
    script.node("other").belongs_to_the_dead = true;
    script.node("pane").role = roles::DESKTOP_FRAME;
    for role in [roles::DESKTOP_FRAME, roles::APPLICATION] {
        script.node(root).role = role;
        let tree = script.read(QT.0, QT.1);
        assert_eq!((outline(&tree).as_str(), tree.complete), ("w a' pane' b''", true));
    }
}

#[test]
fn a_long_list_is_asked_about_bit_by_bit_and_to_its_end() {
    let names: Vec<String> = (0..3_000).map(|at| format!("n{at:04}")).collect();
    let mut script = Script::of(&format!("w: {}", names.join(" ")));
    let tree = script.read(QT.0, QT.1);
    assert_eq!((tree.len(), tree.complete), (3_001, true));
    assert!(tree.children(tree.root()).map(|id| &*tree[id].name).eq(names.iter().map(|n| &**n)));
    assert_eq!(script.asked("GetRole"), 3_000);
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
fn a_page_of_a_stack_is_there_from_the_first_reading_on() {
    let mut script = Script::of("w: stack\n stack: page1 page2\n page1: a\n page2: b\n b: c");
    script.lazy = true;
    for node in script.nodes.values_mut() {
        node.skipped = node.name.starts_with("page");
        node.cached = node.skipped || node.name == "w";
    }
    for _ in 0..2 {
        let tree = script.read(GTK4.0, GTK4.1);
        assert_eq!(outline(&tree), "w stack' page1'' a''' page2'' b''' c''''");
        assert!(tree.complete);
    }
}

#[test]
fn what_is_behind_another_page_is_hidden_whether_it_was_in_front_before_or_not() {
    let lines = "w: stack x\n stack: p q r\n p: a\n q: b\n r: c\n a: k\n b: l\n c: m\n x: y";
    let mut script = Script::of(lines);
    script.lazy = true;
    for node in script.nodes.values_mut() {
        node.skipped = matches!(&*node.name, "p" | "q" | "r");
        node.behind = node.name == "b";
        node.nowhere = node.name == "c";
    }
    let hidden = |tree: &Tree| {
        let ids = tree.ids().filter(|id| tree[*id].states.has(State::Hidden));
        ids.map(|id| tree[id].name.to_string()).collect::<Vec<_>>().join(" ")
    };
    let tree = script.read(GTK4.0, GTK4.1);
    assert_eq!(hidden(&tree), "q b l r c m");
    assert_eq!((script.asked("GetExtents"), script.asked("Contains")), (3, 2));
    // The cache may lack the pages themselves.
    for name in ["p", "q", "r"] {
        script.nodes.remove(name);
    }
    let contents = ["a", "b", "c"];
    script.node("stack").children = contents.map(str::to_owned).to_vec();
    contents.into_iter().for_each(|name| script.node(name).apart = true);
    assert_eq!(hidden(&script.read(GTK4.0, GTK4.1)), "b l c m");
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
    for ((toolkit, version), cached) in [(GTK4, false), (QT, false), (GTK3, true)] {
        let mut script = Script::of("w: a b\n a: c d e\n b: f g h");
        script.cache_refused = !cached;
        let tree = script.read_up_to(6, toolkit, version);
        assert_eq!((tree.len(), tree.complete), (6, false), "{toolkit}: {}", outline(&tree));
    }
}

#[test]
fn a_page_that_answers_late_is_read_again_when_it_has_arrived() {
    let mut script = Script::of("w: page\npage: button");
    script.node("page").role = roles::DOCUMENT_WEB;
    script.node("button").name = "Save".into();
    script.late = 3;
    let tree = script.read("Gecko", "153.8.0");
    let button = tree.ids().last().unwrap();
    assert_eq!(&*tree[button].name, "Save");
    assert_eq!(&*tree[button].native_id.as_ref().unwrap().value, "save");
    assert_eq!(script.asked("GetItems"), 0);

    // One that has arrived costs a look.
    script.asked.clear();
    script.read("Gecko", "153.8.0");
    assert_eq!((script.asked("GetItems"), script.asked("GetExtents")), (0, 1));
}

#[test]
fn a_page_that_comes_late_is_waited_for() {
    let mut script = Script::of("w: frame\nframe: page\npage: button");
    script.node("frame").role = roles::INTERNAL_FRAME;
    script.node("page").role = roles::DOCUMENT_WEB;
    script.location = "https://example.org/";
    for blank in ["frame", "page"] {
        script.blank = Some((blank, 3));
        let tree = script.read("Gecko", "153.8.0");
        let last = tree.ids().last().unwrap();
        assert_eq!((tree.len(), &*tree[last].name), (4, "button"), "{blank}");
        assert!(tree.ids().all(|id| !tree[id].states.has(State::Busy)), "{blank}");
    }
    // A frame shows a page as soon as the page's process answers; a page may be meant blank.
    for (blank, location, busy, looks) in [
        ("frame", "https://example.org/", true, 50..),
        ("page", "https://example.org/", false, 10..),
        ("page", "about:blank", false, 2..),
    ] {
        script.blank = Some((blank, usize::MAX));
        script.location = location;
        script.asked.clear();
        let tree = script.read("Gecko", "153.8.0");
        let last = tree.ids().last().unwrap();
        let named = (&*tree[last].name, tree[last].states.has(State::Busy));
        assert_eq!(named, (blank, busy), "{location}");
        assert!(looks.contains(&script.asked("GetChildren")), "{blank} {location}");
    }
}

#[test]
fn a_label_around_a_field_is_not_known_by_what_is_written_there() {
    let mut script = Script::of("w: around before field several\naround: inside\nseveral: list");
    for name in ["around", "before", "several"] {
        script.node(name).role = roles::LABEL;
    }
    script.node("list").role = roles::LIST_BOX;
    for name in ["inside", "field"] {
        script.node(name).role = roles::ENTRY;
    }
    let tree = script.read("Gecko", "153.8.0");
    let changes = |id: &NodeId| tree[*id].volatile_name;
    let changing: Vec<&str> = tree.ids().filter(changes).map(|id| &*tree[id].name).collect();
    assert_eq!(changing, ["around", "several"]);
}

#[test]
fn a_list_of_tabs_that_is_called_as_one_of_them_changes_its_name() {
    let mut script = Script::of("w: one two\none: Interface Fonts\ntwo: Icons");
    for name in ["one", "two"] {
        script.node(name).role = 38;
    }
    for name in ["Interface", "Fonts", "Icons"] {
        script.node(name).role = roles::PAGE_TAB;
    }
    script.node("one").name = "Fonts".into();
    let tree = script.read("Qt", "6.4.2");
    let changes = |id: &NodeId| tree[*id].volatile_name;
    let changing: Vec<&str> = tree.ids().filter(changes).map(|id| &*tree[id].name).collect();
    assert_eq!(changing, ["Fonts"]);
}

#[test]
fn a_combo_box_knows_what_is_chosen_in_its_list_and_keeps_the_list_closed() {
    let mut script = Script::of("w: combo\ncombo: list\nlist: france italy");
    let (expandable, selected) = (1 << 9, 1 << 23);
    *script.node("combo") =
        Scripted { role: 11, states: SHOWN | expandable, ..script.node("combo").clone() };
    script.node("list").role = 33;
    for name in ["france", "italy"] {
        let item = script.node(name);
        (item.role, item.name) = (35, name.to_owned());
    }
    script.node("italy").states |= selected;
    let tree = script.read("gtk", "3.24.38");
    let [combo, list] = [1, 2].map(|at| tree.ids().nth(at).unwrap());
    assert_eq!(tree[combo].value.as_deref(), Some("italy"));
    assert_eq!(tree[list].children, Listing::Closed(2));

    let expanded = 1 << 10;
    script.node("combo").states |= expanded;
    let tree = script.read("gtk", "3.24.38");
    assert_eq!(tree[list].children, Listing::Whole);
}

/// A node of that role and of no more states than these.
fn node(script: &mut Script, name: &str, role: u32, states: u64) {
    *script.node(name) = Scripted { role, states, ..script.node(name).clone() };
}

#[test]
fn what_shows_its_menu_or_list_is_expanded_whether_it_says_so_or_not() {
    let expanded = |tree: &Tree, name: &str| {
        let is = |id: &NodeId| &*tree[*id].name == name;
        tree[tree.ids().find(is).unwrap()].states.has(State::Expanded)
    };
    const HIDDEN: u64 = 1 << 8 | 1 << 24;
    const CLOSED: u64 = HIDDEN | 1 << 30;
    const SELECTED: u64 = 1 << 22 | 1 << 23;
    for open in [false, true] {
        let (shown, highlit) = if open { (SHOWN, SELECTED) } else { (CLOSED, 0) };

        // GTK 3.24.38: a combo box, a menu and a submenu say nothing of it.
        let mut script = Script::of("w: combo menu\ncombo: list\nlist: apple\nmenu: wash");
        node(&mut script, "combo", roles::COMBO_BOX, SHOWN);
        node(&mut script, "list", roles::MENU, if open { SHOWN } else { HIDDEN });
        node(&mut script, "apple", 35, shown);
        node(&mut script, "menu", roles::MENU, SHOWN | highlit);
        node(&mut script, "wash", 35, shown);
        let tree = script.read("gtk", "3.24.38");
        assert_eq!((expanded(&tree, "combo"), expanded(&tree, "menu")), (open, open));

        // Qt 5.15.8: the popup in an item tells, empty or not; the list always says that it shows.
        for (version, version_says) in [("5.15.8", false), ("6.4.2", true)] {
            let mut script = Script::of("w: combo item\ncombo: list\nitem: popup");
            let says = if version_says && open { 1 << 10 } else { 0 };
            node(&mut script, "combo", roles::COMBO_BOX, SHOWN | says);
            node(&mut script, "list", roles::LIST, SHOWN);
            script.node("list").nowhere = !open;
            node(&mut script, "item", 35, SHOWN);
            node(&mut script, "popup", 41, if open { SHOWN } else { HIDDEN });
            let tree = script.read("Qt", version);
            let told = (expanded(&tree, "combo"), expanded(&tree, "item"));
            assert_eq!(told, (open, open), "{version}");
            let list = tree.ids().find(|id| &*tree[*id].name == "list").unwrap();
            assert_eq!(tree[list].surface.is_some(), open, "{version}");
        }
    }
}

#[test]
fn one_element_is_looked_into_only_as_far_as_that_tells_that_it_is_open() {
    let mut script = Script::of("menu: wash cook\ncook: fry");
    let selectable = 1 << 22;
    node(&mut script, "menu", roles::MENU, SHOWN | selectable);
    node(&mut script, "cook", roles::MENU, SHOWN | selectable);
    node(&mut script, "wash", 35, SHOWN);
    let line = dialect::of("gtk", "3.24.38");
    let details =
        |states| Details { role: roles::MENU, states, child_count: 2, ..Details::default() };
    assert!(!open::is_told_inside(&details(SHOWN | selectable), line));
    let lit = details(SHOWN | selectable | 1 << 23);
    assert!(open::is_told_inside(&lit, line));
    let mut talk = |first: Vec<(Step, Call)>, take: &mut Take<'_>| {
        let mut waiting = first;
        while let Some((step, call)) = waiting.pop() {
            take(step, script.answer(&call), &mut waiting);
        }
    };
    let tree = build::tree(
        open::near(address("menu"), lit, line, &mut talk),
        build::Around::default(),
        line,
    );
    assert!(tree[tree.root()].states.has(State::Expanded));
    assert_eq!((tree.len(), script.asked("GetChildren")), (3, 1), "{}", outline(&tree));
}
