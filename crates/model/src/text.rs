//! Text as people compare it, and the macro for sets of named bits.

use unicode_normalization::UnicodeNormalization;

/// The longest text field that is printed or stored whole, in bytes. A longer one is cut at a
/// character and named in `cut_fields`.
pub const FIELD_LIMIT: usize = 64 * 1024;

/// `text` as it is compared: compatibility-normalised, lower case, without bidirectional marks,
/// white space folded to single spaces and trimmed.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut pending_space = false;
    for character in text.nfkc().filter(|c| !is_bidi_mark(*c)).flat_map(char::to_lowercase) {
        if character.is_whitespace() {
            pending_space = !folded.is_empty();
            continue;
        }
        if pending_space {
            folded.push(' ');
            pending_space = false;
        }
        folded.push(character);
    }
    folded
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
    fn folding_ignores_case_marks_forms_and_spacing() {
        assert_eq!(fold("  \u{200F}Öffnen\u{202C}\n  DATEI "), "öffnen datei");
        assert_eq!(fold("ﬁle"), "file");
        assert_eq!(fold("e\u{301}"), fold("é"));
    }

    #[test]
    fn cuts_at_a_character() {
        let long = "é".repeat(FIELD_LIMIT);
        let (head, was_cut) = cut(&long);
        assert!(was_cut && head.len() <= FIELD_LIMIT && head.chars().all(|c| c == 'é'));
        assert_eq!(cut("short"), ("short", false));
    }
}
