//! What a program has borrowed of the keyboard or holds down, written on the root window before it
//! does so. Should it be killed, whoever takes the pointer and the keys next puts that in order: as a
//! rule the process that watches over it, within a moment.

use agent_desktop_engine::platform::Failure;
use agent_desktop_model::geometry::Point;
use x11rb::{
    connection::Connection,
    protocol::xproto::{
        AtomEnum, BUTTON_RELEASE_EVENT, ConnectionExt as _, KEY_RELEASE_EVENT, PropMode,
    },
    wrapper::ConnectionExt as _,
};

use super::{CORE_KEYBOARD, Display};
use crate::x11::lost;

/// What is held or borrowed, each a number on the root window: its kind and its own number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::x11) struct Journal {
    /// Keycodes that had no meaning and have been given one.
    pub(super) borrowed: Vec<u8>,
    /// Keycodes that are down, now or soon.
    pub(super) keys: Vec<u8>,
    /// Buttons of the pointer that are.
    pub(super) buttons: Vec<u8>,
    /// Modifiers that were locked and are not for the time being.
    pub(super) locks: u16,
}

/// What a key means that means nothing.
const NO_SYMBOL: u32 = 0;

const BORROWED: u32 = 1 << 16;
const KEY: u32 = 2 << 16;
const BUTTON: u32 = 3 << 16;
const LOCKS: u32 = 4 << 16;

impl Journal {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What `entries` say; those that say nothing are left out.
    pub(in crate::x11) fn of(entries: &[u32]) -> Self {
        let mut journal = Self::default();
        for entry in entries {
            let low = u16::try_from(entry & 0xffff).unwrap_or_default();
            let Ok(number) = u8::try_from(low) else {
                if entry & !0xffff == LOCKS {
                    journal.locks |= low;
                }
                continue;
            };
            match entry & !0xffff {
                BORROWED => journal.borrowed.push(number),
                KEY => journal.keys.push(number),
                BUTTON => journal.buttons.push(number),
                LOCKS => journal.locks |= low,
                _ => {}
            }
        }
        journal
    }

    /// How it is written down.
    pub(in crate::x11) fn entries(&self) -> Vec<u32> {
        let kinds = [(BORROWED, &self.borrowed), (KEY, &self.keys), (BUTTON, &self.buttons)];
        let numbers = kinds.into_iter().flat_map(|(kind, numbers)| {
            numbers.iter().map(move |number| kind | u32::from(*number))
        });
        let locks = (self.locks != 0).then_some(LOCKS | u32::from(self.locks));
        numbers.chain(locks).collect()
    }

    /// Writes it down. What follows on the same connection comes later.
    pub(super) fn write(&self, display: &Display) -> Result<(), Failure> {
        let name = display.atoms._AGENT_DESKTOP_INPUT;
        let all = self.entries();
        display
            .connection
            .change_property32(PropMode::REPLACE, display.root, name, AtomEnum::CARDINAL, &all)
            .map_err(lost)?;
        Ok(())
    }
}

/// Undoes everything that is written down on the root window.
pub(super) fn clear(display: &Display) -> Result<(), Failure> {
    let name = display.atoms._AGENT_DESKTOP_INPUT;
    let entries = display.root_list(name, AtomEnum::CARDINAL)?;
    if entries.is_empty() {
        return Ok(());
    }
    let nowhere = Point::default();
    let Journal { borrowed, keys, buttons, locks } = Journal::of(&entries);
    for key in keys {
        display.fake(KEY_RELEASE_EVENT, key, nowhere)?;
    }
    for button in buttons {
        display.fake(BUTTON_RELEASE_EVENT, button, nowhere)?;
    }
    if locks != 0 {
        display.lock(locks, locks)?;
    }
    display.lend(&mut borrowed.into_iter().map(|key| (key, NO_SYMBOL)).collect::<Vec<_>>())?;
    display.connection.delete_property(display.root, name).map_err(lost)?;
    display.sync()
}

impl Display {
    /// Locks and unlocks modifiers, as Caps Lock does.
    pub(super) fn lock(&self, affected: u16, locked: u16) -> Result<(), Failure> {
        use x11rb::protocol::{xkb::ConnectionExt as _, xproto::ModMask};
        let none = ModMask::from(0u16);
        self.connection
            .xkb_latch_lock_state(
                CORE_KEYBOARD,
                ModMask::from(affected),
                ModMask::from(locked),
                false,
                0u8.into(),
                none,
                false,
                0,
            )
            .map_err(lost)?;
        self.connection.flush().map_err(lost)
    }
}
