//! Tables of Markdown: what a run prints and what docs/performance.md keeps. The figures stand
//! nowhere else, so the page is read as well as written.

use std::fmt;

/// What a table is about. Its first column says of what a row is; it names the table, too.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) columns: &'static [&'static str],
    /// The columns that can be compared with those of another run, on another machine: ratios and
    /// counts, of which less is better.
    pub(super) compared: &'static [&'static str],
}

/// A row of the table with that head.
pub(super) type Row = (&'static Head, Vec<String>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn of(head: &Head) -> Self {
        let columns = head.columns.iter().map(|&column| column.to_owned()).collect();
        Self { columns, rows: Vec::new() }
    }

    /// Which table it is.
    pub(super) fn name(&self) -> &str {
        self.columns.first().map_or("", String::as_str)
    }

    /// Takes a row in, in the place of the one of the same thing if there is one.
    pub(super) fn put(&mut self, row: &[String]) {
        match self.rows.iter_mut().find(|old| old.first() == row.first()) {
            Some(old) => *old = row.to_vec(),
            None => self.rows.push(row.to_vec()),
        }
    }

    /// The number in a column of the row about `what`; none where there is a dash or words.
    pub(super) fn number(&self, what: &str, column: &str) -> Option<f64> {
        let at = self.columns.iter().position(|one| one == column)?;
        let row = self.rows.iter().find(|row| row.first().is_some_and(|first| first == what))?;
        row.get(at)?.trim_matches('*').parse().ok()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| {} |", self.columns.join(" | "))?;
        writeln!(f, "|{}", "---|".repeat(self.columns.len()))?;
        self.rows.iter().try_for_each(|row| writeln!(f, "| {} |", row.join(" | ")))
    }
}

/// The tables of a page, in the order in which they stand in it.
pub(super) fn read(page: &str) -> Vec<Table> {
    spans(page).into_iter().filter_map(|(from, to)| parse(page.get(from..to)?)).collect()
}

/// `page` with `row` in the table that has its head, where the other rows stay as they are. Rows
/// under other columns say other things, so that they go. None if there is no such table.
pub(super) fn write(page: &str, (head, row): &Row) -> Option<String> {
    let mut fresh = Table::of(head);
    let is_it = |(from, to): &(usize, usize)| {
        let table = parse(page.get(*from..*to)?).filter(|table| table.name() == fresh.name());
        table.map(|table| (*from, *to, table))
    };
    let (from, to, old) = spans(page).iter().find_map(is_it)?;
    if old.columns == fresh.columns {
        fresh = old;
    }
    fresh.put(row);
    Some(format!("{}{fresh}{}", page.get(..from)?, page.get(to..)?))
}

/// From where to where tables are: lines one after another that begin with a bar.
fn spans(page: &str) -> Vec<(usize, usize)> {
    let mut spans: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    for line in page.split_inclusive('\n') {
        let end = at + line.len();
        if line.starts_with('|') {
            match spans.last_mut().filter(|(_, to)| *to == at) {
                Some((_, to)) => *to = end,
                None => spans.push((at, end)),
            }
        }
        at = end;
    }
    spans
}

fn parse(text: &str) -> Option<Table> {
    let cells = |line: &str| {
        let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
        Some(inner.split('|').map(|cell| cell.trim().to_owned()).collect())
    };
    let mut lines = text.lines();
    let columns = cells(lines.next()?)?;
    Some(Table { columns, rows: lines.skip(1).filter_map(cells).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: Head = Head { columns: &["window", "ratio"], compared: &["ratio"] };
    const PAGE: &str = "\
# A page

| clicked | ours |
|---|---|
| it | 1 |

Words | with a bar.

| window | ratio |
|---|---|
| one | 1.10 |
| two | **2.20** |

More words.
";

    fn row(cells: &[&str]) -> Row {
        (&HEAD, cells.iter().map(|&cell| cell.to_owned()).collect())
    }

    #[test]
    fn a_page_holds_tables() {
        let [clicks, windows] = &read(PAGE)[..] else { panic!("{:?}", read(PAGE)) };
        assert_eq!((clicks.name(), windows.name()), ("clicked", "window"));
        assert_eq!(windows.number("one", "ratio"), Some(1.1));
        assert_eq!(
            windows.number("two", "ratio"),
            Some(2.2),
            "what misses its goal is a number too"
        );
        assert_eq!(windows.number("two", "window"), None);
        assert_eq!(windows.number("three", "ratio"), None);
        assert_eq!(windows.number("one", "other"), None);
        assert!(PAGE.contains(&windows.to_string()), "{windows}");
    }

    #[test]
    fn a_row_takes_the_place_of_the_one_of_the_same_thing() {
        let written = write(PAGE, &row(&["one", "1.30"])).unwrap();
        assert_eq!(written, PAGE.replace("1.10", "1.30"));
        let written = write(PAGE, &row(&["three", "–"])).unwrap();
        assert_eq!(written, PAGE.replace("**2.20** |\n", "**2.20** |\n| three | – |\n"));
    }

    #[test]
    fn rows_under_other_columns_go() {
        const WIDER: Head = Head { columns: &["window", "elements", "ratio"], compared: &[] };
        let cells = ["one", "5", "1.00"].map(str::to_owned).to_vec();
        let written = write(PAGE, &(&WIDER, cells)).unwrap();
        let tables = read(&written);
        assert_eq!(tables[1].columns, WIDER.columns);
        assert_eq!(tables[1].rows, [["one", "5", "1.00"]]);
        assert_eq!(tables[0], read(PAGE)[0], "and no other table is touched");
    }

    #[test]
    fn a_table_that_is_not_there_is_not_made() {
        const OTHER: Head = Head { columns: &["waited in", "ours"], compared: &[] };
        assert_eq!(write(PAGE, &(&OTHER, vec!["it".into(), "1".into()])), None);
    }
}
