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
pub(super) struct Journal {
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

    /// Writes it down. What follows on the same connection comes later.
    pub(super) fn write(&self, display: &Display) -> Result<(), Failure> {
        let entries = |kind: u32, numbers: &[u8]| -> Vec<u32> {
            numbers.iter().map(|number| kind | u32::from(*number)).collect()
        };
        let mut all = entries(BORROWED, &self.borrowed);
        all.extend(entries(KEY, &self.keys));
        all.extend(entries(BUTTON, &self.buttons));
        if self.locks != 0 {
            all.push(LOCKS | u32::from(self.locks));
        }
        let name = display.atoms._AGENT_DESKTOP_INPUT;
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
    let mut borrowed = Vec::new();
    for entry in entries {
        let low = u16::try_from(entry & 0xffff).unwrap_or_default();
        let number = u8::try_from(low).unwrap_or_default();
        let nowhere = Point::default();
        match entry & !0xffff {
            KEY => display.fake(KEY_RELEASE_EVENT, number, nowhere)?,
            BUTTON => display.fake(BUTTON_RELEASE_EVENT, number, nowhere)?,
            BORROWED => borrowed.push((number, NO_SYMBOL)),
            LOCKS => display.lock(low, low)?,
            _ => {}
        }
    }
    display.lend(&mut borrowed)?;
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
