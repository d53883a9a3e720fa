//! The cells that show of a table too large to be listed.
//!
//! A Calc sheet has 17 billion cells and no list of those on the screen. So the table is asked what
//! is at points along its edges, and the cells between the outermost ones are asked for by row and
//! column. What that costs depends on the screen alone.

use std::ops::RangeInclusive;

use agent_desktop_model::{
    geometry::Rect,
    tree::{Address, Extent, Position},
};

use super::{
    ALL, Children, Details, Found, MANAGED_CHILDREN, NAME, Raw, Reader, STATE, Step, Talk, calls,
    details,
};
use crate::{
    atspi::interfaces::Interfaces,
    bus::{Answer, Call, CallError},
};

/// The most cells of one table that are read. A Calc of 1920 × 1080 pixels shows 1,150.
const CELLS: i64 = 2_000;

/// How far from an edge cells are looked for, in pixels: a table may begin with a header.
const INSETS: [i32; 6] = [2, 12, 24, 36, 48, 64];

/// Rows and columns counted from 0, as the interface counts them.
type Area = (RangeInclusive<i32>, RangeInclusive<i32>);

/// An answer that everything else depends on did not come.
struct Unanswered;

impl Reader<'_> {
    /// Reads what shows of each table whose children were only counted.
    pub(super) fn look_into_tables(&mut self, talk: &mut Talk<'_>) {
        for at in std::mem::take(&mut self.tables) {
            if let Err(Unanswered) = self.look_into(at, talk)
                && let Some(node) = self.nodes.get_mut(at as usize)
            {
                node.children = Children::Unknown;
            }
        }
    }

    fn look_into(&mut self, at: u32, talk: &mut Talk<'_>) -> Result<(), Unanswered> {
        let Some(node) = self.nodes.get(at as usize) else { return Ok(()) };
        let (table, claimed) = (node.address.clone(), node.details.child_count);
        let size = ask(talk, calls::table_size(&table))?;
        let mut size = size.into_iter().map(|answer| answer.ok()?.integer().filter(|it| *it > 0));
        let (Some(Some(rows)), Some(Some(columns))) = (size.next(), size.next()) else {
            return Ok(());
        };
        let all = rows.saturating_mul(columns);
        let is_small = all <= MANAGED_CHILDREN;
        let area = if is_small {
            Some((0..=last(rows), 0..=last(columns)))
        } else if self.dialect.endless_tables && self.without.cells {
            None
        } else {
            self.visible_area(at, &table, talk)?
        };
        let cells = match area {
            Some(area) => self.cells_of(at, &table, area, talk)?,
            None => Vec::new(),
        };
        if let Some(node) = self.nodes.get_mut(at as usize) {
            node.extent = u32::try_from(rows)
                .ok()
                .zip(u32::try_from(columns).ok())
                .map(|(rows, columns)| Extent { rows, columns });
            if !is_small {
                // A sheet of LibreOffice claims 2³¹ - 1 children, for want of a larger number.
                let total = if claimed == i64::from(i32::MAX) { all } else { claimed };
                node.children = Children::Shown(total.unsigned_abs(), cells.clone());
            }
        }
        if self.dialect.endless_tables && !is_small {
            self.describe_sheet(&cells, talk)?;
        } else {
            self.describe_cells(&cells, talk);
        }
        if self.dialect.endless_tables && is_small {
            // The first row of a table that is split over pages is not row 1; its cells' names say.
            for cell in cells {
                let Some(node) = self.nodes.get_mut(cell as usize) else { continue };
                node.position = place_in_name(&node.details.name).or(node.position);
            }
        }
        Ok(())
    }

    /// Puts the cells of an area, and the headers above them, into the tree.
    fn cells_of(
        &mut self,
        at: u32,
        table: &Address,
        (rows, columns): Area,
        talk: &mut Talk<'_>,
    ) -> Result<Vec<u32>, Unanswered> {
        let headers = columns.clone().map(|column| (None, calls::column_header(table, column)));
        let cells = rows.flat_map(|row| {
            columns.clone().map(move |column| {
                let place = u32::try_from(row).ok().zip(u32::try_from(column).ok());
                (place, calls::cell_at(table, row, column))
            })
        });
        let (places, questions): (Vec<_>, Vec<_>) = headers.chain(cells).unzip();
        let mut found = Vec::with_capacity(places.len());
        for (place, answer) in places.into_iter().zip(ask(talk, questions)?) {
            // A cell that spans several places stands at the first of them.
            let Some(address) = self.referred(answer).filter(|it| !self.index.contains_key(it))
            else {
                continue;
            };
            let mut cell = Raw::new(address, Details::default(), ALL, Found::Cached);
            cell.position =
                place.map(|(row, column)| Position { row: row + 1, column: column + 1 });
            found.push(self.add(cell));
        }
        Ok(self.place(at, found))
    }

    fn describe_cells(&mut self, cells: &[u32], talk: &mut Talk<'_>) {
        let questions = cells
            .iter()
            .filter_map(|cell| Some(details(*cell, &self.nodes.get(*cell as usize)?.address)))
            .flatten()
            .collect();
        talk(questions, &mut |step, answer, more| self.take(step, answer, more));
    }

    /// Asks each cell of a sheet only for what differs from cell to cell and cannot be known: there
    /// may be a thousand, each question of which takes LibreOffice 7.4.7 a tenth of a millisecond.
    fn describe_sheet(&mut self, cells: &[u32], talk: &mut Talk<'_>) -> Result<(), Unanswered> {
        let node = |at: Option<&u32>| self.nodes.get(*at? as usize);
        let (Some(first), Some(last)) = (node(cells.first()), node(cells.last())) else {
            return Ok(());
        };
        let (one, other) = (&first.address, &last.address);
        let samples =
            [calls::role(one), calls::interfaces(one), calls::name(one), calls::name(other)];
        let mut samples = ask(talk, samples)?.into_iter().map(Result::ok);
        let mut sample = || samples.next().flatten();
        let role = sample().and_then(|reply| reply.decode()).unwrap_or_default();
        let interfaces = sample().and_then(|it| Some(Interfaces::of(it.decode::<Vec<&str>>()?)));
        let named = |node: &Raw| node.position.map(name_of_place);
        let names = [named(first), named(last)];
        let are_named_by_place =
            names.into_iter().all(|name| sample().and_then(|it| it.text()) == name);
        let mut questions = Vec::with_capacity(2 * cells.len());
        for cell in cells {
            let Some(node) = self.nodes.get_mut(*cell as usize) else { continue };
            node.details.role = role;
            node.details.interfaces = interfaces;
            node.missing = STATE;
            node.anchored = are_named_by_place;
            questions.push((Step::State(*cell), calls::state(&node.address)));
            if let Some(place) = node.position.filter(|_| are_named_by_place) {
                node.details.name = name_of_place(place);
            } else {
                node.missing |= NAME;
                questions.push((Step::Name(*cell), calls::name(&node.address)));
            }
        }
        talk(questions, &mut |step, answer, more| self.take(step, answer, more));
        Ok(())
    }

    /// The area between the outermost cells that show; none where no cell does.
    fn visible_area(
        &self,
        at: u32,
        table: &Address,
        talk: &mut Talk<'_>,
    ) -> Result<Option<Area>, Unanswered> {
        let Some(visible) = self.visible_rect(at, talk)? else { return Ok(None) };
        let points = points(visible).into_iter().map(|(x, y)| calls::at_point(table, x, y));
        let mut found: Vec<Address> =
            ask(talk, points)?.into_iter().filter_map(|answer| self.referred(answer)).collect();
        found.sort_unstable_by(|one, other| one.object.cmp(&other.object));
        found.dedup();
        let places = if self.dialect.endless_tables {
            named_places(&found, talk)?
        } else {
            indexed_places(table, &found, talk)?
        };
        let range = |of: fn(&(i32, i32)) -> i32| {
            Some((places.iter().map(of).min()?, places.iter().map(of).max()?))
        };
        let Some((rows, columns)) = range(|it| it.0).zip(range(|it| it.1)) else {
            return Ok(None);
        };
        let columns = columns.0..=columns.1.min(columns.0.saturating_add(last(CELLS)));
        let wide = i64::from(columns.end() - columns.start()) + 1;
        let rows = rows.0..=rows.1.min(rows.0.saturating_add(last((CELLS / wide).max(1))));
        Ok(Some((rows, columns)))
    }

    /// Where a table shows: its own extents, as far as what it stands in does not hide them.
    fn visible_rect(&self, at: u32, talk: &mut Talk<'_>) -> Result<Option<Rect>, Unanswered> {
        let around = std::iter::successors(Some(at), |at| self.nodes.get(*at as usize)?.parent)
            .filter_map(|at| self.nodes.get(at as usize));
        let extents = ask(talk, around.map(|node| calls::extents(&node.address)))?;
        let mut rects = extents
            .into_iter()
            .map(|answer| answer.ok().and_then(|reply| calls::rectangle(&reply)));
        let Some(Some(own)) = rects.next() else { return Ok(None) };
        let visible = rects.flatten().filter(|rect| rect.has_area()).fold(own, Rect::intersection);
        Ok(Some(visible).filter(|rect| rect.has_area()))
    }

    /// What an answer refers to.
    fn referred(&self, answer: Answer) -> Option<Address> {
        calls::reference(&answer.ok()?, &self.app)
    }
}

/// The rows and columns of cells that are named by them.
fn named_places(cells: &[Address], talk: &mut Talk<'_>) -> Result<Vec<(i32, i32)>, Unanswered> {
    let place = |answer: Answer| {
        let Position { row, column } = place_in_name(&answer.ok()?.text()?)?;
        Some((i32::try_from(row).ok()? - 1, i32::try_from(column).ok()? - 1))
    };
    Ok(ask(talk, cells.iter().map(calls::name))?.into_iter().filter_map(place).collect())
}

/// The rows and columns of cells by their place among the children of their table.
fn indexed_places(
    table: &Address,
    cells: &[Address],
    talk: &mut Talk<'_>,
) -> Result<Vec<(i32, i32)>, Unanswered> {
    let number = |answer: &Answer| answer.as_ref().ok()?.decode::<i32>().filter(|it| *it >= 0);
    let indices = ask(talk, cells.iter().map(calls::index_in_parent))?;
    let indices = indices.iter().filter_map(number);
    let places = ask(talk, indices.flat_map(|index| calls::place_of_index(table, index)))?;
    Ok(places
        .chunks_exact(2)
        .filter_map(|pair| number(pair.first()?).zip(number(pair.last()?)))
        .collect())
}

/// Asks all of `questions` and waits for the answers.
fn ask(
    talk: &mut Talk<'_>,
    questions: impl IntoIterator<Item = Call>,
) -> Result<Vec<Answer>, Unanswered> {
    let numbered = questions.into_iter().zip(0..).map(|(call, at)| (Step::Nth(at), call));
    let questions: Vec<_> = numbered.collect();
    let mut answers: Vec<Answer> = questions.iter().map(|_| Err(CallError::Unanswered)).collect();
    if !questions.is_empty() {
        talk(questions, &mut |step, answer, _| {
            if let Some(slot) = answers.get_mut(step.node()) {
                *slot = answer;
            }
        });
    }
    let silent = |it: &Answer| matches!(it, Err(CallError::Unanswered | CallError::Gone));
    if answers.iter().any(silent) { Err(Unanswered) } else { Ok(answers) }
}

/// Points of a rectangle near its edges and in its middle.
fn points(rect: Rect) -> Vec<(i32, i32)> {
    let near = INSETS.iter().flat_map(|inset| [*inset, rect.height - 1 - inset]);
    let heights = near.chain([rect.height / 2]).filter(|at| (0..rect.height).contains(at));
    // Cells of one row are as high as each other, so three of them tell all.
    let across = [2, rect.width / 2, rect.width - 3];
    heights
        .flat_map(|y| across.map(|x| (rect.x.saturating_add(x), rect.y.saturating_add(y))))
        .collect()
}

/// The place that a cell's name spells: `B6` is row 6 of column 2.
fn place_in_name(name: &str) -> Option<Position> {
    let digits = name.find(|character: char| character.is_ascii_digit())?;
    let (letters, digits) = name.split_at_checked(digits)?;
    let is_column =
        (1..=4).contains(&letters.len()) && letters.bytes().all(|it| it.is_ascii_uppercase());
    let is_row = digits.bytes().all(|it| it.is_ascii_digit()) && !digits.starts_with('0');
    if !is_column || !is_row {
        return None;
    }
    // Four letters are no more than 26⁵.
    let column = letters.bytes().fold(0, |sum, letter| sum * 26 + u32::from(letter - b'A') + 1);
    Some(Position { row: digits.parse().ok()?, column })
}

/// The name that spells a place, as [`place_in_name`] reads it.
fn name_of_place(place: Position) -> Box<str> {
    let mut letters = Vec::new();
    let mut rest = place.column;
    while rest > 0 {
        letters.push(char::from(b'A' + ((rest - 1) % 26) as u8));
        rest = (rest - 1) / 26;
    }
    let letters: String = letters.into_iter().rev().collect();
    format!("{letters}{}", place.row).into()
}

/// The last of so many, counted from 0.
fn last(count: i64) -> i32 {
    i32::try_from(count - 1).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_cells_spell_their_places() {
        let place = |name| place_in_name(name).map(|it| (it.row, it.column));
        assert_eq!(place("A1"), Some((1, 1)));
        assert_eq!(place("Z26"), Some((26, 26)));
        assert_eq!(place("AA27"), Some((27, 27)));
        assert_eq!(place("XFD1048576"), Some((1_048_576, 16_384)));
        for column in 1..20_000 {
            let place = Position { row: 7, column };
            assert_eq!(place_in_name(&name_of_place(place)), Some(place));
        }
        for other in [
            "",
            "1",
            "A",
            "a1",
            "A0",
            "A1.1.1",
            "A1 ",
            "R1C1",
            "ABCDE1",
            "A99999999999",
            " 1",
            "é1",
            "Word 6.0",
            "WinWord 1/2/5",
            "Word 2007–365 ",
            "ZZZZZZZZZZ1",
        ] {
            assert_eq!(place(other), None, "{other}");
        }
    }
}
