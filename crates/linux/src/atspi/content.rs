//! What an element holds that can be written, and offsets in the unit of its toolkit.

use std::{borrow::Cow, ops::Range};

use agent_desktop_engine::platform::Content;
use agent_desktop_model::role::Role;

use super::dialect::Dialect;
use crate::bus::{Answer, CallError};

/// A text as it is, without what its toolkit adds to it.
pub(crate) fn unpadded<'t>(text: &'t str, dialect: &Dialect) -> Cow<'t, str> {
    const MARK: char = '\u{feff}';
    if !dialect.pads_wide || !text.contains(MARK) {
        return Cow::Borrowed(text);
    }
    let mut after_wide = false;
    let own = text.chars().filter(|character| {
        let is_added = after_wide && *character == MARK;
        after_wide = character.len_utf16() > 1;
        !is_added
    });
    Cow::Owned(own.collect())
}

/// A text with its caret and selection, in characters.
pub(crate) fn text(
    text: &str,
    caret: Option<i64>,
    selection: Option<(i32, i32)>,
    dialect: &Dialect,
) -> Content {
    let at = |offset: i64| to_characters(text, usize::try_from(offset).ok()?, dialect);
    let selection = selection.and_then(|(from, to)| {
        let range = at(from.min(to).into())?..at(from.max(to).into())?;
        (!range.is_empty()).then_some(range)
    });
    Content::Text { text: text.into(), caret: caret.and_then(at), selection }
}

/// The number among the answers to `calls::range`. Of `<input type=number>` without limits Chromium
/// 156 and Firefox 153 refuse to tell the least and call the most 0.
pub(crate) fn number(answers: &[Answer], role: Role) -> Result<Content, CallError> {
    let number = |index: usize| match answers.get(index) {
        Some(Ok(reply)) => Ok(reply.number()),
        Some(Err(error)) => Err(error.clone()),
        None => Ok(None),
    };
    let limit = |index: usize, none: f64| match number(index) {
        Err(CallError::Refused(_) | CallError::Absent) => Ok(none),
        told => told.map(|told| told.unwrap_or(none)),
    };
    let least = limit(1, f64::MIN)?;
    let most = match limit(2, f64::MAX)? {
        0.0 if role == Role::Incrementor && (least >= 0.0 || least == f64::MIN) => f64::MAX,
        most => most,
    };
    // Infinite ones are none, and neither is a range that ends before it begins.
    let (least, most) = (least.max(f64::MIN), most.min(f64::MAX));
    let (least, most) = if least <= most { (least, most) } else { (f64::MIN, f64::MAX) };
    let step = number(3).ok().flatten().filter(|step| *step > 0.0);
    Ok(match number(0)? {
        Some(now) => Content::Number { now, least, most, step },
        None => Content::Nothing,
    })
}

/// A range of characters of `text` in the unit of its toolkit.
pub(crate) fn to_offsets(text: &str, range: &Range<usize>, dialect: &Dialect) -> (i32, i32) {
    let offset = |characters: usize| {
        let units = match dialect.counts_utf16 {
            true => text.chars().take(characters).map(char::len_utf16).sum(),
            false => characters,
        };
        i32::try_from(units).unwrap_or(i32::MAX)
    };
    (offset(range.start), offset(range.end))
}

/// How long `text` is where it is inserted, in the unit of its toolkit.
pub(crate) fn length(text: &str, dialect: &Dialect) -> i32 {
    if dialect.inserts_bytes {
        return i32::try_from(text.len()).unwrap_or(i32::MAX);
    }
    to_offsets(text, &(0..text.chars().count()), dialect).1
}

fn to_characters(text: &str, offset: usize, dialect: &Dialect) -> Option<usize> {
    if !dialect.counts_utf16 {
        return (offset <= text.chars().count()).then_some(offset);
    }
    let mut units = 0;
    for (index, character) in text.chars().enumerate() {
        if units == offset {
            return Some(index);
        }
        units += character.len_utf16();
    }
    (units == offset).then(|| text.chars().count())
}

#[cfg(test)]
mod tests {
    use super::{super::dialect, *};
    use crate::bus::Reply;

    #[test]
    fn what_a_toolkit_adds_to_a_text_is_not_of_it() {
        let firefox = dialect::of("Gecko", "153.0");
        assert_eq!(unpadded("a😀\u{feff}b\u{feff}", firefox), "a😀b\u{feff}");
        assert_eq!(unpadded("😀\u{feff}", dialect::of("gtk", "3.24.38")), "😀\u{feff}");
        let text = |caret| text(&unpadded("a😀\u{feff}b", firefox), Some(caret), None, firefox);
        let caret = |content| match content {
            Content::Text { caret, .. } => caret,
            _ => None,
        };
        assert_eq!([0, 1, 3, 4].map(|at| caret(text(at))), [Some(0), Some(1), Some(2), Some(3)]);
    }

    #[test]
    fn a_limit_that_is_not_told_is_none() {
        let reply = |value: f64| {
            let value = zbus::Variant::from(value);
            Ok(Reply::new(&zbus::Message::method_call("/", "Answer").build(&value).unwrap()))
        };
        let refused = || Err(CallError::Refused("Unknown error".to_owned()));
        let of = |role, least, most| match number(&[reply(3.0), least, most, refused()], role) {
            Ok(Content::Number { least, most, .. }) => Some((least, most)),
            _ => None,
        };
        let limits = |least, most| of(Role::Incrementor, least, most);
        assert_eq!(limits(reply(1.0), reply(9.0)), Some((1.0, 9.0)));
        assert_eq!(limits(refused(), reply(9.0)), Some((f64::MIN, 9.0)));
        assert_eq!(limits(reply(1.0), Err(CallError::Absent)), Some((1.0, f64::MAX)));
        assert_eq!(limits(refused(), reply(0.0)), Some((f64::MIN, f64::MAX)));
        let infinite = f64::INFINITY;
        for (least, most) in
            [(infinite, -infinite), (-infinite, infinite), (f64::NAN, f64::NAN), (9.0, 1.0)]
        {
            assert_eq!(limits(reply(least), reply(most)), Some((f64::MIN, f64::MAX)), "{least}");
        }
        assert_eq!(limits(reply(1.0), reply(0.0)), Some((1.0, f64::MAX)));
        assert_eq!(limits(reply(0.0), reply(0.0)), Some((0.0, f64::MAX)));
        assert_eq!(limits(reply(-5.0), reply(0.0)), Some((-5.0, 0.0)));
        assert_eq!(of(Role::ScrollBar, reply(0.0), reply(0.0)), Some((0.0, 0.0)));
        assert_eq!(limits(Err(CallError::Unanswered), reply(9.0)), None);
        assert!(number(&[refused(), reply(1.0), reply(9.0)], Role::Slider).is_err());
    }

    #[test]
    fn offsets_are_in_the_unit_of_the_toolkit() {
        let (gtk, qt) = (dialect::of("gtk", "3.24.38"), dialect::of("Qt", "5.15.8"));
        let said = "ab😀cd";
        assert_eq!(to_offsets(said, &(2..3), gtk), (2, 3));
        assert_eq!(to_offsets(said, &(2..3), qt), (2, 4));
        // ATK passes on what it is told, and GTK counts bytes: 2 would be half of a character.
        assert_eq!((length(said, gtk), length(said, qt)), (8, 6));
        assert_eq!(length(said, dialect::of("", "")), 5);
        let of = |caret, dialect| match text(said, Some(caret), Some((4, 2)), dialect) {
            Content::Text { caret, selection, .. } => (caret, selection),
            other => panic!("{other:?}"),
        };
        assert_eq!(of(4, gtk), (Some(4), Some(2..4)));
        assert_eq!(of(4, qt), (Some(3), Some(2..3)));
        // The middle of a character is nowhere.
        assert_eq!(of(3, qt).0, None);
        assert_eq!(of(99, gtk).0, None);
    }
}
