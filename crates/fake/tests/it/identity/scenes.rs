//! Random windows with what makes identity hard: twins, rows, tabs, lists that recycle their
//! places, elements without names, and a second window that looks like the first.

use proptest::{collection::vec, prelude::*, sample::Index};

/// A line of a scene with the lines below it.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    line: String,
    below: Vec<Self>,
}

/// An application with its windows, the first of which has the focus.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    reuses: bool,
    /// Every address is lasting, as in GTK 3.
    lasting: bool,
    window: Vec<Item>,
    other: Option<Vec<Item>>,
}

/// Label of the window that snapshots are taken of.
pub(crate) const WINDOW: &str = "window";

pub(crate) fn scene() -> impl Strategy<Value = Scene> {
    let regions = || vec(region(), 1..5);
    let lasting = proptest::bool::weighted(0.2);
    (any::<bool>(), lasting, regions(), proptest::option::weighted(0.2, regions()))
        .prop_map(|(reuses, lasting, window, other)| Scene { reuses, lasting, window, other })
}

/// Few names, so that twins are common.
pub(crate) fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[ab]", Just("Delete".to_owned()), Just("Open".to_owned()), "[c-h]"]
}

/// What applications add to a window while nobody looks.
pub(crate) fn piece() -> impl Strategy<Value = Item> {
    prop_oneof![button(), text(), row(false), field()]
}

pub(crate) fn rows() -> impl Strategy<Value = Vec<Item>> {
    vec(row(false), 0..3)
}

impl Scene {
    pub(crate) fn text(&self) -> String {
        let mut text = format!("app editor{}\n", if self.reuses { " reuses" } else { "" });
        text.push_str(&format!("  window \"Editor\" focused #{WINDOW}\n"));
        write_items(&mut text, &self.window, 2);
        if let Some(other) = &self.other {
            text.push_str("  window \"Editor\"\n");
            write_items(&mut text, other, 2);
        }
        if !self.lasting {
            return text;
        }
        let lasting = |line: &str| match line.strip_suffix(" recycles").unwrap_or(line) {
            line if line.starts_with("app") || line.ends_with(" lasting") => format!("{line}\n"),
            line => format!("{line} lasting\n"),
        };
        text.lines().map(lasting).collect()
    }
}

/// `items` as a scene of their own.
pub(crate) fn text_of(items: &[Item]) -> String {
    let mut text = String::new();
    write_items(&mut text, items, 0);
    text
}

fn region() -> impl Strategy<Value = Item> {
    let leaf = prop_oneof![
        3 => button(),
        1 => text(),
        2 => field(),
        4 => list(),
        2 => tabs(),
        1 => table(),
        1 => cells(),
        1 => menu(),
        2 => pages(),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        (vec(inner, 0..4), container()).prop_map(|(below, line)| Item { line, below })
    })
}

fn container() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => Just("group".to_owned()),
        2 => name().prop_map(|name| format!("group \"{name}\"")),
        1 => name().prop_map(|name| format!("tabpanel \"{name}\"")),
        1 => name().prop_map(|name| format!("group desc=\"{name}\"")),
        1 => Just("toolbar [Click]".to_owned()),
        1 => Just("scrollarea".to_owned()),
        1 => name().prop_map(|name| format!("webarea \"{name}\"")),
    ]
}

fn button() -> impl Strategy<Value = Item> {
    let extra = prop_oneof![
        6 => Just(String::new()),
        1 => "[xy]".prop_map(|id| format!(" id={id}")),
        1 => "[xy]".prop_map(|text| format!(" desc={text}")),
    ];
    let name = proptest::option::weighted(0.9, name());
    (name, extra).prop_map(|(name, extra)| {
        let name = name.map(|name| format!(" \"{name}\"")).unwrap_or_default();
        leaf(format!("button{name} [Click]{extra}"))
    })
}

fn text() -> impl Strategy<Value = Item> {
    name().prop_map(|name| leaf(format!("statictext \"{name}\"")))
}

fn field() -> impl Strategy<Value = Item> {
    prop_oneof![
        name().prop_map(|name| leaf(format!("textfield \"{name}\" value=x [SetValue]"))),
        name().prop_map(|name| leaf(format!("combobox \"{name}\" value=\"{name}\" volatile"))),
        name().prop_map(|name| leaf(format!("checkbox \"{name}\" [Toggle]"))),
        name().prop_map(|name| Item {
            line: "group".into(),
            below: vec![
                leaf(format!("statictext \"{name}\"")),
                leaf("textfield labelled value=x [SetValue]".into()),
            ],
        }),
    ]
}

fn row(lasting: bool) -> impl Strategy<Value = Item> {
    let line = prop_oneof![
        3 => Just("row".to_owned()),
        1 => name().prop_map(|name| format!("row \"{name}\"")),
        1 => name().prop_map(|name| format!("treeitem \"{name}\"")),
    ];
    let below = vec(prop_oneof![text(), button(), button()], 0..4);
    (line, below).prop_map(move |(line, below)| {
        let row = Item { line, below };
        if lasting { row.lasting() } else { row }
    })
}

fn list() -> impl Strategy<Value = Item> {
    prop_oneof![
        vec(row(false), 0..5).prop_map(|below| Item { line: "list".into(), below }),
        vec(row(false), 0..5).prop_map(|below| Item { line: "list recycles".into(), below }),
        vec(row(true), 0..5).prop_map(|below| Item { line: "list lasting".into(), below }),
    ]
}

fn tabs() -> impl Strategy<Value = Item> {
    let tab = name().prop_map(|name| leaf(format!("tab \"{name}\" [Click]")));
    (any::<bool>(), vec(tab, 1..4)).prop_map(|(recycles, below)| {
        let line = if recycles { "tablist recycles" } else { "tablist" };
        Item { line: line.into(), below }
    })
}

/// The documents of an editor, of which one shows: their controls are equal, and often their tabs.
fn pages() -> impl Strategy<Value = Item> {
    let page = |text: String| Item {
        line: "region".into(),
        below: vec![
            leaf(format!("statictext \"{text}\"")),
            leaf("textfield value=x [SetValue]".into()),
            leaf("button \"Delete\" [Click]".into()),
        ],
    };
    let pages = vec((name(), prop_oneof![Just("a".to_owned()), name()]), 1..4);
    let kind = prop_oneof![Just(""), Just(" recycles"), Just(" lasting")];
    (pages, any::<Index>(), kind).prop_map(move |(pages, shown, kind)| {
        let shown = shown.index(pages.len());
        let tabs = pages.iter().map(|(name, _)| leaf(format!("tab \"{name}\" [Click]")));
        let tabs = Item { line: "tablist recycles".into(), below: tabs.collect() };
        let pages = pages.iter().enumerate().map(|(at, (_, text))| {
            let page = page(text.clone());
            let page = if at == shown { page } else { page.with(" hidden") };
            if kind == " lasting" { page.with(kind) } else { page }
        });
        let stack = Item { line: format!("group{kind}"), below: pages.collect() };
        Item { line: "group".into(), below: vec![tabs, stack] }
    })
}

fn table() -> impl Strategy<Value = Item> {
    let cell = name().prop_map(|name| leaf(format!("cell \"{name}\"")));
    let row = vec(cell, 1..3).prop_map(|below| Item { line: "row".into(), below });
    vec(row, 1..3).prop_map(|below| Item { line: "table".into(), below })
}

/// The cells of all rows, one by one, below their headers.
fn cells() -> impl Strategy<Value = Item> {
    let cell = prop_oneof![
        4 => name().prop_map(|name| leaf(format!("cell \"{name}\""))),
        1 => Just(leaf("cell".into())),
        1 => name().prop_map(|name| Item {
            line: "cell".into(),
            below: vec![leaf("cell".into()), leaf(format!("cell \"{name}\""))],
        }),
    ];
    (1..4_usize, vec(cell, 0..12), any::<bool>()).prop_map(|(columns, cells, lasting)| {
        let rows = cells.len() / columns;
        let headers = (0..columns).map(|column| leaf(format!("column \"{column}\"")));
        let below = headers.chain(cells.into_iter().take(rows * columns)).collect();
        let table = Item { line: "table".into(), below };
        if lasting { table.lasting() } else { table }
    })
}

fn menu() -> impl Strategy<Value = Item> {
    let item = name().prop_map(|name| leaf(format!("menuitem \"{name}\" [Click]")));
    (name(), any::<bool>(), vec(item, 1..3)).prop_map(|(name, closed, below)| {
        let line = format!("menu \"{name}\"{}", if closed { " closed" } else { "" });
        Item { line, below }
    })
}

impl Item {
    fn lasting(self) -> Self {
        self.with(" lasting")
    }

    fn with(self, words: &str) -> Self {
        let below = self.below.into_iter().map(|item| item.with(words)).collect();
        Self { line: self.line + words, below }
    }
}

fn leaf(line: String) -> Item {
    Item { line, below: Vec::new() }
}

fn write_items(text: &mut String, items: &[Item], depth: usize) {
    for item in items {
        text.push_str(&format!("{}{}\n", "  ".repeat(depth), item.line));
        write_items(text, &item.below, depth + 1);
    }
}
