//! Scripted tables: what shows of them is found by asking for points and places.

use agent_desktop_model::tree::NodeId;

use super::*;

/// A table with rows of 20 and columns of 80 pixels, below a header of 30.
#[derive(Clone)]
pub(super) struct Table {
    rows: i32,
    columns: i32,
    /// The first row and column that show, counted from 0, and how many of each do.
    first: (i32, i32),
    shown: (i32, i32),
    /// Whether cells are called by their place and are other objects for every question.
    is_sheet: bool,
    /// Whether it does not answer for its cells.
    is_silent: bool,
}

const CALC: Table = Table {
    rows: 1_048_576,
    columns: 16_384,
    first: (99, 24),
    shown: (3, 4),
    is_sheet: true,
    is_silent: false,
};
const TREE_VIEW: Table = Table {
    rows: 10_000,
    columns: 3,
    first: (5_000, 0),
    shown: (6, 3),
    is_sheet: false,
    is_silent: false,
};
const HEADER: i32 = 30;

impl Script {
    /// What the script's table and its cells answer; none to what every element is asked.
    pub(super) fn answer_of_table(&self, name: &str, member: &str, args: &Args) -> Option<Answer> {
        let table = self.nodes.values().find_map(|node| node.table.as_ref());
        if let Some((table, (row, column))) = table.zip(place(name)) {
            return Some(Ok(table.answer_of_cell(row, column, member)));
        }
        let node = self.nodes.get(name)?;
        match (&node.table, member) {
            (Some(table), "GetAccessibleAt") if table.is_silent => Some(Err(CallError::Unanswered)),
            (Some(table), _) => {
                let serial = self.asked.values().sum::<usize>();
                table.answer(member, args, serial).map(Ok)
            }
            (None, "NRows" | "NColumns") => Some(Err(CallError::Absent)),
            (None, "GetExtents") if self.nodes.get(name).is_some_and(|node| node.nowhere) => {
                Some(Ok(reply(&(0, 0, 0, 0))))
            }
            (None, "GetExtents") => Some(Ok(reply(&(0, 0, 1_000, 1_000)))),
            (None, _) => None,
        }
    }
}

impl Table {
    fn answer(&self, member: &str, args: &Args, serial: usize) -> Option<Reply> {
        let cell = |row: i32, column: i32| {
            let exists = (0..self.rows).contains(&row) && (0..self.columns).contains(&column);
            match (exists, self.is_sheet) {
                (false, _) => reply(&reference("null")),
                (true, true) => reply(&reference(&format!("cell_{row}_{column}_{serial}"))),
                (true, false) => reply(&reference(&format!("cell_{row}_{column}"))),
            }
        };
        Some(match (member, args) {
            ("NRows", _) => reply(&Variant::from(self.rows)),
            ("NColumns", _) => reply(&Variant::from(self.columns)),
            ("GetExtents", _) => reply(&(10, 10, self.shown.1 * 80, HEADER + self.shown.0 * 20)),
            ("GetAccessibleAtPoint", Args::Point(x, y, 0)) => match y - 10 - HEADER {
                ..0 => reply(&reference("null")),
                y => cell(self.first.0 + y / 20, self.first.1 + (x - 10) / 80),
            },
            ("GetAccessibleAt", Args::Ints(row, column)) => cell(*row, *column),
            ("GetColumnHeader", _) => reply(&reference("null")),
            // As in GTK 3, whose headers are the first children.
            ("GetRowAtIndex", Args::Int(index)) => reply(&(index / self.columns - 1)),
            ("GetColumnAtIndex", Args::Int(index)) => reply(&(index % self.columns)),
            _ => return None,
        })
    }

    fn answer_of_cell(&self, row: i32, column: i32, member: &str) -> Reply {
        let letters = |column: i32| match (column / 26, char::from(b'A' + (column % 26) as u8)) {
            (0, last) => last.to_string(),
            (first, last) => format!("{}{last}", char::from(b'A' + first as u8 - 1)),
        };
        match member {
            "GetRole" => reply(&56_u32),
            "GetState" => reply(&words(SHOWN)),
            "Name" if self.is_sheet => {
                reply(&Variant::from(format!("{}{}", letters(column), row + 1)))
            }
            "Name" => reply(&Variant::from("content")),
            "Description" => reply(&Variant::from("")),
            "ChildCount" => reply(&Variant::from(0)),
            "GetInterfaces" => reply(&vec!["org.a11y.atspi.Text"]),
            "GetIndexInParent" => reply(&((row + 1) * self.columns + column)),
            other => panic!("nobody should ask a cell for {other}"),
        }
    }
}

/// The place in the path of a scripted cell.
fn place(name: &str) -> Option<(i32, i32)> {
    let mut parts = name.strip_prefix("cell_")?.split('_');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

fn script_of(table: Table) -> Script {
    let mut script = Script::of("w: pane\n pane: table");
    let node = script.node("table");
    node.role = roles::TABLE;
    node.states |= states::MANAGES_DESCENDANTS;
    node.claims = Some(table.rows.saturating_mul(table.columns));
    node.table = Some(table);
    script
}

/// Names and places of the table's children.
fn cells(tree: &Tree) -> String {
    let table = tree.ids().find(|id| &*tree[*id].address.object == "/table").unwrap();
    let cell = |id: NodeId| {
        let at = tree[id].position.unwrap();
        let anchored = if tree[id].anchored { "!" } else { "" };
        format!("{}@{},{}{anchored}", tree[id].name, at.row, at.column)
    };
    tree.children(table).map(cell).collect::<Vec<_>>().join(" ")
}

fn listing(tree: &Tree) -> Listing {
    let table = tree.ids().find(|id| &*tree[*id].address.object == "/table").unwrap();
    tree[table].children
}

#[test]
fn of_a_sheet_only_what_shows_is_asked_for() {
    let mut script = script_of(CALC);
    let tree = script.read(LIBREOFFICE.0, LIBREOFFICE.1);
    assert_eq!(
        cells(&tree),
        "Y100@100,25! Z100@100,26! AA100@100,27! AB100@100,28! Y101@101,25! Z101@101,26! \
         AA101@101,27! AB101@101,28! Y102@102,25! Z102@102,26! AA102@102,27! AB102@102,28!"
    );
    assert_eq!(listing(&tree), Listing::Counted(1_048_576 * 16_384), "not 2³¹ - 1");
    let asked = |member: &str| script.asked(member);
    assert_eq!((asked("GetAccessibleAt"), asked("GetChildren")), (12, 2));
    assert!(asked("Name") <= asked("GetAccessibleAtPoint"), "names are spelled, not asked");
    assert!(tree.complete);
}

#[test]
fn cells_of_a_tree_view_are_placed_below_its_headers() {
    let tree = script_of(TREE_VIEW).read(GTK3.0, GTK3.1);
    let cells = cells(&tree);
    assert!(cells.starts_with("content@5001,1 content@5001,2 content@5001,3 content@5002,1"));
    assert!(cells.ends_with("content@5006,3"), "{cells}");
    assert_eq!(listing(&tree), Listing::Counted(30_000));
    let table = tree.ids().find(|id| tree[*id].extent.is_some()).unwrap();
    assert_eq!(tree[table].extent, Some(Extent { rows: 10_000, columns: 3 }));
}

#[test]
fn a_small_table_of_libreoffice_is_asked_for_every_place_and_never_listed() {
    // The part of a Writer table that stands on one page begins where the last one ended.
    let table = Table { rows: 2, columns: 3, is_sheet: false, ..CALC };
    let mut script = script_of(table);
    let tree = script.read(LIBREOFFICE.0, LIBREOFFICE.1);
    assert_eq!(cells(&tree).split(' ').count(), 6);
    assert_eq!(listing(&tree), Listing::Whole);
    assert_eq!(script.asked("GetChildren"), 2, "the window and its pane");
    assert_eq!(script.asked("GetItems"), 0);
}

#[test]
fn a_table_that_does_not_answer_is_unknown() {
    let mut script = script_of(Table { is_silent: true, ..CALC });
    let tree = script.read(LIBREOFFICE.0, LIBREOFFICE.1);
    assert_eq!((listing(&tree), tree.complete), (Listing::Cut, false));
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
fn closed_menus_of_libreoffice_are_counted() {
    let mut script = Script::of("w: bar\n bar: file edit\n file: new\n edit: undo redo");
    for menu in ["file", "edit"] {
        script.node(menu).role = roles::MENU;
    }
    let tree = script.read(LIBREOFFICE.0, LIBREOFFICE.1);
    assert_eq!(outline(&tree), "w bar' file'' edit''");
    let edit = tree.ids().last().unwrap();
    assert_eq!((tree[edit].children, tree.complete), (Listing::Closed(2), true));
    script.node("edit").states |= states::SELECTED;
    let tree = script.read(LIBREOFFICE.0, LIBREOFFICE.1);
    assert_eq!(outline(&tree), "w bar' file'' edit'' undo''' redo'''", "an open one");
}
