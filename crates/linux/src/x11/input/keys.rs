//! Pressing keys and typing text.

use std::{collections::HashMap, time::Duration};

use agent_desktop_engine::platform::{Arrived, Deadline, Failure, Handle, Keyboard};
use agent_desktop_model::{
    chord::{Chord, Modifiers},
    geometry::Point,
};
use x11rb::{
    connection::Connection,
    protocol::{
        Event,
        xproto::{
            AtomEnum, ClientMessageEvent, ConnectionExt as _, EventMask, GrabMode, GrabStatus,
            KEY_PRESS_EVENT, KEY_RELEASE_EVENT, Keycode, Keysym,
        },
    },
};
use xkeysym::key;

use super::{
    Device, Display,
    journal::Journal,
    keymap::{Keymap, Stroke, keysym, keysym_of},
};
use crate::x11::{Window, lost, refused};

/// How long an application gets that says it answers.
const PATIENCE: Duration = Duration::from_secs(2);

/// How many keys may be under way.
const PIECE: usize = 100;

/// How many turns that takes, at least.
const TURNS: u32 = 2;

const POLL: Duration = Duration::from_millis(5);

/// How long an application that cannot be asked gets to take keys before they lose their meaning.
const BLIND: Duration = Duration::from_millis(200);

impl Display {
    /// Where keys go.
    pub(super) fn keyboard(&self, deadline: Deadline) -> Result<Keyboard, Failure> {
        self.connection.stream().ends_at(deadline);
        let focus = self.connection.get_input_focus().map_err(lost)?.reply().map_err(refused)?;
        let keymap = self.keymap()?;
        let windows = self.windows(deadline)?;
        Ok(Keyboard {
            window: self.managed(focus.focus, &windows)?,
            grabbed: self.keys_are_taken()?,
            held: keymap.held != 0,
        })
    }

    /// The managed window that `inner` is or is in.
    fn managed(&self, inner: u32, windows: &[Window]) -> Result<Option<Handle>, Failure> {
        /// No toolkit nests windows that deep.
        const HIGHEST: usize = 50;
        let mut at = inner;
        for _ in 0..HIGHEST {
            // None, and the one under the pointer, are no windows.
            if at <= 1 || at == self.root {
                return Ok(None);
            }
            if windows.iter().any(|window| window.xid == at) {
                return Ok(Some(Handle(at.into())));
            }
            match self.connection.query_tree(at).map_err(lost)?.reply() {
                Ok(tree) => at = tree.parent,
                Err(x11rb::errors::ReplyError::X11Error(_)) => return Ok(None),
                Err(error) => return Err(refused(error)),
            }
        }
        Ok(None)
    }

    /// Whether another client has taken all keys, as open menus do: then this one cannot. If it can,
    /// it gives them back in the same breath.
    fn keys_are_taken(&self) -> Result<bool, Failure> {
        let grab = self
            .connection
            .grab_keyboard(true, self.root, x11rb::CURRENT_TIME, GrabMode::ASYNC, GrabMode::ASYNC)
            .map_err(lost)?;
        self.connection.ungrab_keyboard(x11rb::CURRENT_TIME).map_err(lost)?;
        Ok(grab.reply().map_err(refused)?.status == GrabStatus::ALREADY_GRABBED)
    }
}

impl Device<'_> {
    pub(super) fn press_chord(
        &mut self,
        chord: &Chord,
        arrived: Arrived<'_>,
        deadline: Deadline,
    ) -> Result<(), Failure> {
        let display = self.display;
        display.connection.stream().ends_at(deadline);
        let keymap = display.keymap()?;
        let wanted = keysym(chord.key);
        let mut lent = Lent::new(&keymap);
        let stroke = match keymap.stroke(wanted) {
            Some(stroke) => stroke,
            None => lent.stroke(wanted)?,
        };
        let mut held = held(chord.modifiers, &keymap)?;
        if stroke.shift && !chord.modifiers.shift {
            held.push(keymap.key_of(key::Shift_L).ok_or_else(|| no_key("Shift"))?);
        }
        let mut keys = held.clone();
        keys.push(stroke.keycode);
        // All of it goes out at once, so that nobody who is killed leaves a key down.
        if lent.is_empty() && !keymap.caps() {
            self.strike(&held, stroke.keycode)?;
            return display.sync();
        }
        self.begin(lent.journal(keys, &keymap), deadline)?;
        lent.apply(display, &keymap)?;
        self.await_noticed(arrived, deadline)?;
        self.strike(&held, stroke.keycode)?;
        self.await_taken(&mut || arrived(1), By::Either, deadline)?;
        self.end()
    }

    pub(super) fn type_whole(
        &mut self,
        text: &str,
        arrived: Arrived<'_>,
        deadline: Deadline,
    ) -> Result<(), Failure> {
        let display = self.display;
        display.connection.stream().ends_at(deadline);
        let keymap = display.keymap()?;
        let shift = keymap.key_of(key::Shift_L).ok_or_else(|| no_key("Shift"))?;
        let focus = self.focus()?;
        let mut rest = text.chars().peekable();
        let mut sent = 0;
        // As many characters at a time as there are keys for: window managers take their time over
        // every change of the keyboard.
        while rest.peek().is_some() {
            let mut lent = Lent::new(&keymap);
            let mut strokes = Vec::new();
            while let Some(character) = rest.peek() {
                let wanted = keysym_of(*character);
                match keymap.stroke(wanted).map_or_else(|| lent.stroke(wanted), Ok) {
                    Ok(stroke) => strokes.push((stroke, is_wide(*character))),
                    Err(_) if !strokes.is_empty() => break,
                    Err(failure) => return Err(failure),
                }
                rest.next();
            }
            let mut keys: Vec<Keycode> = strokes.iter().map(|(stroke, _)| stroke.keycode).collect();
            keys.push(shift);
            keys.sort_unstable();
            keys.dedup();
            self.begin(lent.journal(keys, &keymap), deadline)?;
            lent.apply(display, &keymap)?;
            if !lent.is_empty() {
                self.await_noticed(arrived, deadline)?;
            }
            // LibreOffice 7.4 (gtk3) takes what is wide at once, and others some turns after it has
            // answered.
            let narrow = |(_, one): &(Stroke, bool), (_, next): &(Stroke, bool)| !one && !next;
            for piece in strokes.chunk_by(narrow).flat_map(|run| run.chunks(PIECE)) {
                if self.focus()? != focus {
                    return Err(Failure::Stopped(
                        "another window took the focus while keys were sent".to_owned(),
                    ));
                }
                for (Stroke { keycode, shift: with_shift }, _) in piece {
                    let held = if *with_shift { std::slice::from_ref(&shift) } else { &[] };
                    self.strike(held, *keycode)?;
                }
                sent += piece.len();
                let taken = self.await_taken(&mut || arrived(sent), By::Text, deadline)?;
                if !taken && sent < text.chars().count() {
                    return Err(Failure::Stopped(format!(
                        "the application is not known to have taken all of the first {sent} characters"
                    )));
                }
            }
            self.end()?;
        }
        Ok(())
    }

    /// The X window that keys go to.
    fn focus(&self) -> Result<u32, Failure> {
        let focus = self.display.connection.get_input_focus().map_err(lost)?;
        Ok(focus.reply().map_err(refused)?.focus)
    }

    /// One key while others are held.
    fn strike(&self, held: &[Keycode], keycode: Keycode) -> Result<(), Failure> {
        let nowhere = Point::default();
        for key in held.iter().chain([&keycode]) {
            self.display.fake(KEY_PRESS_EVENT, *key, nowhere)?;
        }
        for key in [&keycode].into_iter().chain(held.iter().rev()) {
            self.display.fake(KEY_RELEASE_EVENT, *key, nowhere)?;
        }
        Ok(())
    }

    /// Waits until the application with the focus has noticed that keys have another meaning: Chromium
    /// 156 asks for them only some turns after it was told.
    fn await_noticed(&self, arrived: Arrived<'_>, deadline: Deadline) -> Result<(), Failure> {
        for _ in 0..TURNS {
            self.await_taken(&mut || arrived(0), By::Either, deadline)?;
        }
        Ok(())
    }

    /// Waits until the application with the focus has taken the keys that were sent: it looks up what
    /// a key means when it gets to it. Most answer `_NET_WM_PING` in the same order; Qt 5.15 and 6.4
    /// list it and do not. Tells whether it has.
    fn await_taken(
        &self,
        arrived: &mut dyn FnMut() -> bool,
        by: By,
        deadline: Deadline,
    ) -> Result<bool, Failure> {
        let display = self.display;
        display.sync()?;
        let ping = display.ping(deadline)?;
        let patience = deadline.within(if ping.is_some() { PATIENCE } else { BLIND });
        loop {
            while let Some(event) = display.connection.poll_for_event().map_err(lost)? {
                if let Event::ClientMessage(event) = event
                    && event.type_ == display.atoms.WM_PROTOCOLS
                    && event.window == display.root
                    && event.data.as_data32().get(1).copied() == ping
                    && by == By::Either
                {
                    return Ok(true);
                }
            }
            if arrived() {
                return Ok(true);
            }
            if patience.passed() {
                return Ok(false);
            }
            std::thread::sleep(POLL.min(patience.remaining()));
        }
    }
}

impl Display {
    /// Asks the application with the focus to answer once it has got so far; none if it does not say
    /// that it would. By the number that is returned its answer is known.
    fn ping(&self, deadline: Deadline) -> Result<Option<u32>, Failure> {
        let atoms = &self.atoms;
        let focus = self.connection.get_input_focus().map_err(lost)?.reply().map_err(refused)?;
        let client = self.managed(focus.focus, &self.windows(deadline)?)?;
        let Some(client) = client.and_then(|Handle(xid)| u32::try_from(xid).ok()) else {
            return Ok(None);
        };
        let protocols = self.list(client, atoms.WM_PROTOCOLS, AtomEnum::ATOM)?.reply();
        let answers = protocols.is_ok_and(|reply| {
            reply.value32().is_some_and(|mut known| known.any(|one| one == atoms._NET_WM_PING))
        });
        if !answers {
            return Ok(None);
        }
        let time = self.time()?;
        let data = [atoms._NET_WM_PING, time, client, 0, 0];
        let ping = ClientMessageEvent::new(32, client, atoms.WM_PROTOCOLS, data);
        self.connection.send_event(false, client, EventMask::NO_EVENT, ping).map_err(lost)?;
        self.connection.flush().map_err(lost)?;
        Ok(Some(time))
    }
}

/// By what it is known that keys were taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Text,
    /// By that, or by the answer to a ping.
    Either,
}

/// Whether a character is more than one unit in UTF-16.
fn is_wide(character: char) -> bool {
    character.len_utf16() > 1
}

/// Keys that had no meaning, with the one that they get.
struct Lent {
    free: Vec<Keycode>,
    given: HashMap<Keysym, Keycode>,
}

impl Lent {
    fn new(keymap: &Keymap) -> Self {
        Self { free: keymap.spare(), given: HashMap::new() }
    }

    fn is_empty(&self) -> bool {
        self.given.is_empty()
    }

    /// The key that will type `keysym`.
    fn stroke(&mut self, keysym: Keysym) -> Result<Stroke, Failure> {
        let keycode = match self.given.get(&keysym) {
            Some(keycode) => *keycode,
            None => {
                let keycode = self.free.pop().ok_or_else(|| no_key("free"))?;
                self.given.insert(keysym, keycode);
                keycode
            }
        };
        Ok(Stroke { keycode, shift: false })
    }

    fn journal(&self, keys: Vec<Keycode>, keymap: &Keymap) -> Journal {
        let borrowed = self.given.values().copied().collect();
        let locks = if keymap.caps() { keymap.locked } else { 0 };
        Journal { borrowed, keys, buttons: Vec::new(), locks }
    }

    /// Gives the keys their meaning. Caps Lock would change it.
    fn apply(&self, display: &Display, keymap: &Keymap) -> Result<(), Failure> {
        if keymap.caps() {
            display.lock(keymap.locked, 0)?;
        }
        let given = self.given.iter().map(|(keysym, keycode)| (*keycode, *keysym));
        display.lend(&mut given.collect::<Vec<_>>())
    }
}

/// The keys of modifiers.
pub(super) fn held(modifiers: Modifiers, keymap: &Keymap) -> Result<Vec<Keycode>, Failure> {
    let Modifiers { ctrl, alt, shift, meta } = modifiers;
    let wanted = [
        (ctrl, key::Control_L, "Control"),
        (alt, key::Alt_L, "Alt"),
        (shift, key::Shift_L, "Shift"),
        (meta, key::Super_L, "Super"),
    ];
    let wanted = wanted.into_iter().filter(|(held, ..)| *held);
    wanted.map(|(_, keysym, name)| keymap.key_of(keysym).ok_or_else(|| no_key(name))).collect()
}

fn no_key(name: &str) -> Failure {
    Failure::Unsupported {
        cause: format!("the keyboard of this X server has no {name} key"),
        remedy: "Set a usual keyboard layout, for example with `setxkbmap us`.".into(),
    }
}
