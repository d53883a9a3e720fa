//! Tables of LibreOffice, which are asked for cells by place: a small one for all of them, a sheet for
//! those on the screen, of which only what is filled is an element of the tree.

use desktop_tests::bus::{Body, Call, Error, Message, Reader};

use super::{ACCESSIBLE, Conversation};

const TABLE: &str = "org.a11y.atspi.Table";
const COMPONENT: &str = "org.a11y.atspi.Component";

/// A table of more cells is not read whole.
const SMALL: i32 = 1_000;

/// The cells of a table.
pub(super) enum Cells {
    /// All of them, none of which has been read.
    All(Vec<String>),
    /// So many are filled of those that show.
    Filled(usize),
}

/// Finds the cells of a table, and reads those of a sheet.
pub(super) fn cells(talk: &mut Conversation, app: &str, table: &str) -> Result<Cells, Error> {
    let size = ["NRows", "NColumns"].map(|name| Call::property(app, table, TABLE, name));
    let size = talk.ask(&size)?;
    let mut size = size.iter().map(|answer| {
        let mut value = Reader::new(&answer.as_ref()?.body.bytes);
        value.variant().ok()?;
        value.i32().ok()
    });
    let (Some(Some(rows)), Some(Some(columns))) = (size.next(), size.next()) else {
        return Err(Error::Shape("a table without a size"));
    };
    if rows.saturating_mul(columns) <= SMALL {
        return Ok(Cells::All(at(talk, app, table, (0, 0), (rows - 1, columns - 1))?));
    }
    let (first, last) = corners(talk, app, table)?;
    let cells = at(talk, app, table, first, last)?;
    let text = |cell: &String| {
        let body = Body::default().i32(0).i32(-1);
        Call::new(app, cell, "org.a11y.atspi.Text", "GetText").with(body)
    };
    let texts = talk.ask(&cells.iter().map(text).collect::<Vec<_>>())?;
    let filled = cells.iter().zip(&texts).filter(|(_, text)| !says(text).is_empty());
    let states: Vec<_> =
        filled.map(|(cell, _)| Call::new(app, cell, ACCESSIBLE, "GetState")).collect();
    Ok(Cells::Filled(talk.ask(&states)?.len()))
}

type Place = (i32, i32);

/// The cells from one place to another.
fn at(
    talk: &mut Conversation,
    app: &str,
    table: &str,
    (top, left): Place,
    (bottom, right): Place,
) -> Result<Vec<String>, Error> {
    let places = (top..=bottom).flat_map(|row| (left..=right).map(move |column| (row, column)));
    let calls = places.map(|(row, column)| {
        Call::new(app, table, TABLE, "GetAccessibleAt").with(Body::default().i32(row).i32(column))
    });
    Ok(referred(&talk.ask(&calls.collect::<Vec<_>>())?))
}

/// The places of the first and the last cell that show, by the names of what is in two corners.
fn corners(talk: &mut Conversation, app: &str, table: &str) -> Result<(Place, Place), Error> {
    /// A corner is taken up by lines and the border.
    const INSET: i32 = 3;
    let screen = Body::default().u32(0);
    let extents = talk.ask(&[Call::new(app, table, COMPONENT, "GetExtents").with(screen)])?;
    let [Some(extents)] = &extents[..] else { return Err(Error::Shape("no extents")) };
    let mut rect = Reader::new(&extents.body.bytes);
    let (x, y, width, height) = (rect.i32()?, rect.i32()?, rect.i32()?, rect.i32()?);
    let points = [(x + INSET, y + INSET), (x + width - INSET, y + height - INSET)];
    let calls = points.map(|(x, y)| {
        let body = Body::default().i32(x).i32(y).u32(0);
        Call::new(app, table, COMPONENT, "GetAccessibleAtPoint").with(body)
    });
    let found = referred(&talk.ask(&calls)?);
    let names: Vec<_> =
        found.iter().map(|cell| Call::property(app, cell, ACCESSIBLE, "Name")).collect();
    let places = talk.ask(&names)?;
    let place = |answer: &Option<Message>| {
        let mut value = Reader::new(&answer.as_ref()?.body.bytes);
        value.variant().ok()?;
        place(&value.text().ok()?)
    };
    match &places.iter().map(place).collect::<Vec<_>>()[..] {
        [Some(first), Some(last)] => Ok((*first, *last)),
        _ => Err(Error::Shape("no cells in the corners of a sheet")),
    }
}

/// The place that a cell's name spells, counted from 0.
fn place(name: &str) -> Option<Place> {
    let (letters, digits) = name.split_at(name.find(|one: char| one.is_ascii_digit())?);
    let column = letters.bytes().fold(0, |sum, letter| sum * 26 + i32::from(letter - b'A') + 1);
    Some((digits.parse::<i32>().ok()? - 1, column - 1))
}

fn referred(answers: &[Option<Message>]) -> Vec<String> {
    let path = |answer: &Option<Message>| {
        Some(Reader::new(&answer.as_ref()?.body.bytes).accessible().ok()?.1)
    };
    answers.iter().filter_map(path).collect()
}

fn says(answer: &Option<Message>) -> String {
    let text = answer.as_ref().and_then(|message| Reader::new(&message.body.bytes).text().ok());
    text.unwrap_or_default()
}
