//! Keys that are pressed together, as callers write them: `ctrl+shift+s`.

use std::{fmt, str::FromStr};

/// One key with the modifiers that are held meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chord {
    pub modifiers: Modifiers,
    /// None where a modifier alone is pressed.
    pub key: Key,
}

/// Which modifiers are held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers {
    pub ctrl: bool,
    pub alt: bool,
    pub shift: bool,
    /// The key with the logo: Super, Windows or Command.
    pub meta: bool,
}

/// A key, by what it means and not by where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// The key that types this.
    Character(char),
    Named(Named),
    /// F1 to F12.
    Function(u8),
}

macro_rules! named {
    ($($variant:ident $($token:literal)+,)*) => {
        /// A key that types nothing.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Named { $($variant,)* }

        impl Named {
            /// Every one with its names, the usual one first.
            pub const ALL: &[(Self, &[&str])] = &[$((Self::$variant, &[$($token),+]),)*];
        }
    };
}

named! {
    Return "return" "enter",
    Escape "escape" "esc",
    Tab "tab",
    Space "space",
    Backspace "backspace",
    Delete "delete" "del",
    Insert "insert",
    Home "home",
    End "end",
    PageUp "pageup" "page-up",
    PageDown "pagedown" "page-down",
    Up "up",
    Down "down",
    Left "left",
    Right "right",
    Menu "menu",
    PrintScreen "printscreen" "print",
    ControlAlone "ctrl" "control",
    AltAlone "alt" "option",
    ShiftAlone "shift",
    MetaAlone "meta" "cmd" "super" "win",
}

/// What a text that names no chord has instead of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoChord(pub String);

impl Modifiers {
    /// Whether any is held.
    pub fn any(self) -> bool {
        self != Self::default()
    }

    /// The modifiers that `words` name, joined by `+`.
    pub fn parse(words: &str) -> Result<Self, NoChord> {
        let mut all = Self::default();
        for word in words.split('+') {
            if !all.add(word) {
                return Err(NoChord(format!("{word:?} is no modifier")));
            }
        }
        Ok(all)
    }

    fn add(&mut self, word: &str) -> bool {
        let slot = match word.to_lowercase().as_str() {
            "ctrl" | "control" => &mut self.ctrl,
            "alt" | "option" => &mut self.alt,
            "shift" => &mut self.shift,
            "cmd" | "meta" | "super" | "win" => &mut self.meta,
            _ => return false,
        };
        *slot = true;
        true
    }
}

impl FromStr for Chord {
    type Err = NoChord;

    fn from_str(text: &str) -> Result<Self, NoChord> {
        // `ctrl++` is the plus with ctrl.
        let (before, last) = match text.strip_suffix('+') {
            Some("") => ("", "+"),
            Some(rest) if rest.ends_with('+') => (&rest[..rest.len() - 1], "+"),
            Some(_) => return Err(NoChord("no key stands after the last `+`".to_owned())),
            None => text.rsplit_once('+').unwrap_or(("", text)),
        };
        let mut modifiers = match before {
            "" => Modifiers::default(),
            words => Modifiers::parse(words)?,
        };
        let key = Key::parse(last).ok_or_else(|| match last {
            "" => NoChord("it names no key".to_owned()),
            _ => NoChord(format!("{last:?} is no key")),
        })?;
        // An `A` is typed with shift, an `a` is not, whatever else is held.
        if let Key::Character(character) = key
            && character.is_uppercase()
            && modifiers.any()
        {
            modifiers.shift = true;
        }
        let key = match key {
            Key::Character(character) if modifiers.any() => {
                let mut lower = character.to_lowercase();
                Key::Character(lower.next().filter(|_| lower.next().is_none()).unwrap_or(character))
            }
            key => key,
        };
        Ok(Self { modifiers, key })
    }
}

impl Key {
    fn parse(word: &str) -> Option<Self> {
        let mut characters = word.chars();
        if let (Some(only), None) = (characters.next(), characters.next()) {
            return (!only.is_control()).then_some(match only {
                ' ' => Self::Named(Named::Space),
                only => Self::Character(only),
            });
        }
        let word = word.to_lowercase();
        let number = word.strip_prefix('f').and_then(|number| number.parse().ok());
        if let Some(number) = number.filter(|number| (1..=12).contains(number)) {
            return Some(Self::Function(number));
        }
        let is_it = |(_, names): &&(Named, &[&str])| names.contains(&word.as_str());
        Named::ALL.iter().find(is_it).map(|(named, _)| Self::Named(*named))
    }
}

impl Chord {
    /// Whether it is nothing but Escape.
    pub fn is_escape(&self) -> bool {
        self.key == Key::Named(Named::Escape) && !self.modifiers.any()
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Modifiers { ctrl, alt, shift, meta } = self.modifiers;
        for (word, held) in [("ctrl", ctrl), ("alt", alt), ("shift", shift), ("meta", meta)] {
            if held {
                write!(f, "{word}+")?;
            }
        }
        match self.key {
            Key::Character(character) => write!(f, "{character}"),
            Key::Function(number) => write!(f, "f{number}"),
            Key::Named(named) => {
                let name = Named::ALL.iter().find(|(one, _)| *one == named);
                f.write_str(name.and_then(|(_, names)| names.first()).unwrap_or(&""))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_chord_and_how_it_is_written() {
        for (text, written) in [
            ("ctrl+s", "ctrl+s"),
            ("Shift+Control+S", "ctrl+shift+s"),
            ("ctrl+S", "ctrl+shift+s"),
            ("A", "A"),
            ("é", "é"),
            ("cmd+space", "meta+space"),
            ("esc", "escape"),
            ("F12", "f12"),
            ("+", "+"),
            ("ctrl++", "ctrl++"),
            ("alt+enter", "alt+return"),
            ("shift", "shift"),
            (" ", "space"),
            ("del", "delete"),
        ] {
            assert_eq!(
                text.parse::<Chord>().map(|chord| chord.to_string()),
                Ok(written.to_owned())
            );
        }
    }

    #[test]
    fn what_is_none() {
        for text in ["", "ctrl+", "hyper+a", "f13", "f0", "abc", "a+b", "ctrl+\u{7}", "++a"] {
            assert!(text.parse::<Chord>().is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for (named, names) in Named::ALL {
            for name in *names {
                let chord: Chord = name.parse().unwrap();
                assert_eq!(chord.key, Key::Named(*named));
                assert_eq!(chord.to_string().parse(), Ok(chord));
            }
        }
    }
}
