//! What the keys of a keyboard mean, and giving meaning to those that have none.

use agent_desktop_engine::platform::Failure;
use agent_desktop_model::chord::{Key, Named};
use x11rb::protocol::{
    xkb::ConnectionExt as _,
    xproto::{ConnectionExt as _, Keycode, Keysym, ModMask},
};
use xkeysym::key;

use super::{CORE_KEYBOARD, Display};
use crate::x11::{lost, refused};

/// The keyboard as it is set now.
pub(super) struct Keymap {
    first: Keycode,
    per_keycode: usize,
    keysyms: Vec<Keysym>,
    /// Of several layouts, the one in use.
    group: usize,
    /// Modifiers that somebody holds, or that count for the next key.
    pub(super) held: u16,
    /// Modifiers that stay on until they are pressed again.
    pub(super) locked: u16,
}

/// A key and whether shift is held with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stroke {
    pub(super) keycode: Keycode,
    pub(super) shift: bool,
}

impl Display {
    pub(super) fn keymap(&self) -> Result<Keymap, Failure> {
        let setup = x11rb::connection::Connection::setup(&self.connection);
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let count = last.saturating_sub(first).saturating_add(1);
        let mapping = self.connection.get_keyboard_mapping(first, count).map_err(lost)?;
        let state = self.connection.xkb_get_state(CORE_KEYBOARD).map_err(lost)?;
        let mapping = mapping.reply().map_err(refused)?;
        let state = state.reply().map_err(refused)?;
        Ok(Keymap {
            first,
            per_keycode: usize::from(mapping.keysyms_per_keycode).max(1),
            keysyms: mapping.keysyms,
            group: usize::from(u8::from(state.group)),
            held: u16::from(state.base_mods) | u16::from(state.latched_mods),
            locked: u16::from(state.locked_mods),
        })
    }

    /// Gives keysyms to keys that have none, whether shift is held or not; none takes them away
    /// again. Every request has all clients ask for the keyboard, and window managers take their
    /// time over it, so neighbours go into one.
    pub(super) fn lend(&self, meanings: &mut [(Keycode, Keysym)]) -> Result<(), Failure> {
        meanings.sort_unstable();
        let neighbours =
            |a: &(Keycode, Keysym), b: &(Keycode, Keysym)| a.0.checked_add(1) == Some(b.0);
        for run in meanings.chunk_by(neighbours) {
            let Some((first, _)) = run.first() else { continue };
            let keysyms: Vec<Keysym> =
                run.iter().flat_map(|(_, keysym)| [*keysym, *keysym]).collect();
            let count = u8::try_from(run.len()).unwrap_or(u8::MAX);
            let width = if keysyms.iter().all(|keysym| *keysym == 0) { 1 } else { 2 };
            let keysyms =
                keysyms.get(..usize::from(count) * usize::from(width)).unwrap_or_default();
            self.connection.change_keyboard_mapping(count, *first, width, keysyms).map_err(lost)?;
        }
        Ok(())
    }
}

impl Keymap {
    /// Keys that have no meaning, those last that are numbered low.
    pub(super) fn spare(&self) -> Vec<Keycode> {
        let mut spare: Vec<Keycode> = self
            .keys()
            .filter(|(_, keysyms)| keysyms.iter().all(|keysym| *keysym == 0))
            .map(|(keycode, _)| keycode)
            .collect();
        spare.reverse();
        spare
    }

    /// The key that types `keysym` as the keyboard is set, alone or with shift.
    pub(super) fn stroke(&self, keysym: Keysym) -> Option<Stroke> {
        let character = xkeysym::Keysym::new(keysym).key_char();
        let fits = |of: Keysym| {
            of == keysym
                || character.is_some_and(|it| xkeysym::Keysym::new(of).key_char() == Some(it))
        };
        [false, true].into_iter().find_map(|shift| {
            let mut keys = self.keys();
            let found = keys.find(|(_, keysyms)| {
                // Two are told of each layout; what only the first one has counts in all.
                let at = 2 * self.group + usize::from(shift);
                let own = keysyms.get(at).copied().filter(|own| *own != 0);
                let alone = keysyms.get(2 * self.group).is_none_or(|own| *own == 0);
                let first = keysyms.get(usize::from(shift)).copied().filter(|_| alone);
                let keypad =
                    keysyms.iter().any(|keysym| (key::KP_Space..=key::KP_9).contains(keysym));
                self.group < 2 && !keypad && own.or(first).is_some_and(fits)
            });
            found.map(|(keycode, _)| Stroke { keycode, shift })
        })
    }

    /// The key that has `keysym` anywhere.
    pub(super) fn key_of(&self, keysym: Keysym) -> Option<Keycode> {
        let mut keys = self.keys();
        keys.find(|(_, keysyms)| keysyms.contains(&keysym)).map(|(keycode, _)| keycode)
    }

    fn keys(&self) -> impl Iterator<Item = (Keycode, &[Keysym])> {
        (self.first..=Keycode::MAX).zip(self.keysyms.chunks_exact(self.per_keycode))
    }

    /// Whether Caps Lock is on.
    pub(super) fn caps(&self) -> bool {
        self.locked & u16::from(ModMask::LOCK) != 0
    }
}

/// What types `character`: one of the keysyms of ISO Latin 1, or one made of its code point.
pub(super) fn keysym_of(character: char) -> Keysym {
    match character {
        '\n' | '\r' => key::Return,
        '\t' => key::Tab,
        '\u{8}' => key::BackSpace,
        '\u{1b}' => key::Escape,
        ' '..='~' | '\u{a0}'..='\u{ff}' => u32::from(character),
        _ => 0x0100_0000 | u32::from(character),
    }
}

/// The keysym of a key.
pub(super) fn keysym(key: Key) -> Keysym {
    match key {
        Key::Character(character) => keysym_of(character),
        Key::Function(number) => key::F1 + u32::from(number.saturating_sub(1)),
        Key::Named(named) => match named {
            Named::Return => key::Return,
            Named::Escape => key::Escape,
            Named::Tab => key::Tab,
            Named::Space => key::space,
            Named::Backspace => key::BackSpace,
            Named::Delete => key::Delete,
            Named::Insert => key::Insert,
            Named::Home => key::Home,
            Named::End => key::End,
            Named::PageUp => key::Page_Up,
            Named::PageDown => key::Page_Down,
            Named::Up => key::Up,
            Named::Down => key::Down,
            Named::Left => key::Left,
            Named::Right => key::Right,
            Named::Menu => key::Menu,
            Named::PrintScreen => key::Print,
            Named::ControlAlone => key::Control_L,
            Named::AltAlone => key::Alt_L,
            Named::ShiftAlone => key::Shift_L,
            Named::MetaAlone => key::Super_L,
        },
    }
}
