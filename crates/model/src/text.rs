//! Text as people compare it, text of others within sentences of ours, and the macro for sets of named
//! bits.

use std::{borrow::Cow, fmt};

use unicode_normalization::UnicodeNormalization;

/// The longest text field that is printed or stored whole, in bytes. A longer one is cut at a
/// character and named in `cut_fields`.
pub const FIELD_LIMIT: usize = 64 * 1024;

/// `text` as it is compared: compatibility-normalised, lower case, without bidirectional marks,
/// white space folded to single spaces and trimmed. Folding twice is folding once.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return single_spaced(text.chars().map(|character| character.to_ascii_lowercase()));
    }
    // Marks go first, since one between a letter and its accent keeps them apart; and what lower
    // case makes of a letter may combine with what follows.
    let unmarked = text.chars().filter(|character| !is_bidi_mark(*character));
    single_spaced(unmarked.nfkc().flat_map(char::to_lowercase).nfkc())
}

fn single_spaced(characters: impl Iterator<Item = char>) -> String {
    let mut text = String::new();
    let mut pending_space = false;
    for character in characters {
        if character.is_whitespace() {
            pending_space = !text.is_empty();
            continue;
        }
        if pending_space {
            text.push(' ');
            pending_space = false;
        }
        text.push(character);
    }
    text
}

/// The longest prefix of `text` within [`FIELD_LIMIT`] that ends at a character, and whether
/// anything was cut.
pub fn cut(text: &str) -> (&str, bool) {
    if text.len() <= FIELD_LIMIT {
        return (text, false);
    }
    let end = (0..=FIELD_LIMIT).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    (&text[..end], true)
}

/// `text` in at most about `limit` bytes: of a longer one, its beginning and its end.
pub fn shortened(text: &str, limit: usize) -> Cow<'_, str> {
    if text.len() <= limit {
        return Cow::Borrowed(text);
    }
    let near = |at: usize| (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let (head, tail) = (near(limit / 4 * 3), near(text.len() - limit / 4));
    Cow::Owned(format!("{} … {}", &text[..head], &text[tail..]))
}

/// `text` as far as it serves to tell what is meant, for the details of an error: at most about 256 bytes.
pub fn brief(text: &str) -> String {
    shortened(text, 256).into_owned()
}

/// Text of somebody else (an application, its windows, its author, a caller) as it stands within a
/// sentence of ours: in double quotes, in at most about 80 bytes, and on one line. A quote in it and
/// whatever does not show or changes the direction of writing are escaped, so that nobody takes it for
/// our words.
pub fn quoted(text: &str) -> Quoted<'_> {
    Quoted(text)
}

/// What [`quoted`] returns.
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'a>(&'a str);

/// The longest text that is quoted whole, in bytes.
const QUOTED: usize = 80;

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", shortened(self.0, QUOTED))
    }
}

/// `text` as one word of a command that a caller may copy into a shell, which then runs nothing of it.
/// What would be a flag or people could not read or copy (control characters, more than 80 bytes) is
/// `NAME`, for the caller to fill in.
pub fn shell_word(text: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.,:/=@+".contains(c);
    if text.is_empty() || text.starts_with('-') || text.len() > QUOTED || text != one_line(text) {
        Cow::Borrowed("NAME")
    } else if text.chars().all(plain) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("'{}'", text.replace('\'', r"'\''")))
    }
}

/// `text` on one line, with whatever does not show or changes the direction of writing escaped.
pub fn one_line(text: &str) -> Cow<'_, str> {
    let as_it_is = |c: char| matches!(c, ' '..='~') || c.escape_debug().len() == 1;
    if text.chars().all(as_it_is) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match as_it_is(character) {
            true => line.push(character),
            false => line.extend(character.escape_debug()),
        }
    }
    Cow::Owned(line)
}

/// A number as a person writes it: without the digits by which machines miss a decimal.
pub fn number(number: f64) -> String {
    let rounded = format!("{number:.14e}").parse().unwrap_or(number);
    let rounded = if f64::is_finite(rounded) { rounded } else { number };
    match rounded.abs() {
        0.0 => "0".to_owned(),
        1e-6..1e15 => rounded.to_string(),
        _ => format!("{rounded:e}"),
    }
}

/// The numbers from `least` to `most`, for a message. What has no real limit says the largest number
/// that there is, of one size or another.
pub fn range(least: f64, most: f64) -> String {
    let is_limit = |number: f64| number.abs() < f64::from(f32::MAX);
    match (is_limit(least), is_limit(most)) {
        (true, true) => format!("a number from {} to {}", number(least), number(most)),
        (true, false) => format!("a number, {} or more", number(least)),
        (false, true) => format!("a number, {} or less", number(most)),
        (false, false) => "a number".to_owned(),
    }
}

/// A hash that is the same in every process and release (FNV-1a, 64 bits): for evidence that
/// outlives the process, not for adversaries.
pub fn stable_hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn is_bidi_mark(character: char) -> bool {
    matches!(
        character,
        '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
    )
}

/// Declares an enum of named flags and the set of them, printed as a list of names.
macro_rules! bit_set {
    (
        $(#[$one_doc:meta])* $one:ident,
        $(#[$set_doc:meta])* $set:ident: $bits:ty { $($variant:ident $token:literal,)* }
    ) => {
        $(#[$one_doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $one { $($variant,)* }

        impl $one {
            /// Every member, in printing order.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The token printed and accepted for this member.
            pub fn token(self) -> &'static str {
                match self { $(Self::$variant => $token,)* }
            }

            /// The member named by `token`, in any case.
            pub fn parse(token: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.token().eq_ignore_ascii_case(token))
            }
        }

        $(#[$set_doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $set($bits);

        impl $set {
            /// The set without members.
            pub const EMPTY: Self = Self(0);

            /// Whether the set has no members.
            pub fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Whether `one` is a member.
            pub fn has(self, one: $one) -> bool {
                self.0 & (1 << one as u32) != 0
            }

            /// Adds `one`.
            pub fn insert(&mut self, one: $one) {
                self.0 |= 1 << one as u32;
            }

            /// Takes `one` out.
            pub fn remove(&mut self, one: $one) {
                self.0 &= !(1 << one as u32);
            }

            /// The members in printing order.
            pub fn iter(self) -> impl Iterator<Item = $one> {
                $one::ALL.iter().copied().filter(move |one| self.has(*one))
            }
        }

        impl FromIterator<$one> for $set {
            fn from_iter<T: IntoIterator<Item = $one>>(members: T) -> Self {
                let mut set = Self::EMPTY;
                for one in members {
                    set.insert(one);
                }
                set
            }
        }

        impl Serialize for $set {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(self.iter().map($one::token))
            }
        }

        impl<'de> Deserialize<'de> for $set {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let tokens = <Vec<String>>::deserialize(deserializer)?;
                Ok(tokens.iter().filter_map(|token| $one::parse(token)).collect())
            }
        }
    };
}

pub(crate) use bit_set;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (machine, person) in [
            (0.0, "0"),
            (-0.0, "0"),
            (30.0, "30"),
            (0.1 + 0.2, "0.3"),
            (-2_147_483_648.0, "-2147483648"),
            (1e-9, "1e-9"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(number(machine), person);
        }
        for huge in [f64::MAX, f64::MIN, 1e300, 1e-300, f64::MIN_POSITIVE] {
            assert!(number(huge).len() < 25, "{}", number(huge));
        }
        assert_eq!(range(0.0, 100.0), "a number from 0 to 100");
        assert_eq!(range(0.0, f64::MAX), "a number, 0 or more");
        assert_eq!(range(f64::from(f32::MIN), 1.5), "a number, 1.5 or less");
        assert_eq!(range(f64::NEG_INFINITY, f64::INFINITY), "a number");
    }

    #[test]
    fn text_of_others_stays_between_its_quotes() {
        for (text, shown) in [
            ("Save", r#""Save""#),
            ("", r#""""#),
            ("\"; ignore\nthis", r#""\"; ignore\nthis""#),
            ("\u{1b}[31mred\u{202e}der", r#""\u{1b}[31mred\u{202e}der""#),
            // Tags that nothing shows and that models read all the same.
            ("a\u{e0041}\u{200b}", r#""a\u{e0041}\u{200b}""#),
            ("Öffnen 文件", "\"Öffnen 文件\""),
        ] {
            assert_eq!(quoted(text).to_string(), shown);
        }
        let long = quoted(&"\u{202e}".repeat(1 << 20)).to_string();
        assert!(long.len() < 500 && long.ends_with('"'), "{} bytes", long.len());
        assert_eq!(one_line("it's \"so\"\n\\ é\u{2028}"), "it's \"so\"\\n\\ é\\u{2028}");
    }

    #[test]
    fn a_name_in_a_command_runs_nothing() {
        for (name, word) in [
            ("gedit", "gedit"),
            ("org.gnome.Files", "org.gnome.Files"),
            ("my app", "'my app'"),
            ("$(reboot)`reboot`", "'$(reboot)`reboot`'"),
            ("it's; reboot", r"'it'\''s; reboot'"),
            ("--headed", "NAME"),
            ("a\nreboot", "NAME"),
            ("\u{202e}tob", "NAME"),
            ("", "NAME"),
        ] {
            assert_eq!(shell_word(name), word);
        }
        assert_eq!(shell_word(&"x".repeat(100)), "NAME");
    }

    #[test]
    fn folding_ignores_case_marks_forms_and_spacing() {
        assert_eq!(fold("  \u{200F}Öffnen\u{202C}\n  DATEI "), "öffnen datei");
        assert_eq!(fold("ﬁle"), "file");
        assert_eq!(fold("e\u{301}"), fold("é"));
    }

    #[test]
    fn a_long_text_keeps_its_beginning_and_its_end() {
        let text = format!("begin {} end", "ü".repeat(1_000));
        for limit in 20..60 {
            let short = shortened(&text, limit);
            assert!(short.starts_with("begin") && short.ends_with("end"), "{short}");
            assert!(short.len() <= limit + 8, "{} bytes of {limit}", short.len());
        }
        assert_eq!(shortened("as it is", 8), "as it is");
    }

    #[test]
    fn cuts_at_a_character() {
        let long = "é".repeat(FIELD_LIMIT);
        let (head, was_cut) = cut(&long);
        assert!(was_cut && head.len() <= FIELD_LIMIT && head.chars().all(|c| c == 'é'));
        assert_eq!(cut("short"), ("short", false));
    }
}
