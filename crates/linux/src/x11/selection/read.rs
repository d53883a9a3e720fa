//! Asking the owner of the clipboard for its content.

use agent_desktop_engine::platform::{CLIP_LIMIT, ClipKind, Deadline, Failure, Pasted};
use x11rb::{
    connection::Connection,
    protocol::{
        Event,
        xproto::{
            Atom, AtomEnum, ChangeWindowAttributesAux, ConnectionExt as _, EventMask,
            GetPropertyReply, Property, Window,
        },
    },
};

use super::{Party, formats};
use crate::x11::{Display, lost, refused};

/// What a request for a content came to.
pub(super) enum Converted {
    Content {
        bytes: Vec<u8>,
        kind: Atom,
    },
    /// The owner does not have it in that format.
    Refused,
    /// Nobody owns the clipboard any more.
    Gone,
    /// The owner did not answer in time.
    Silent,
    TooLarge,
}

/// How many names of formats are told.
const MOST_NAMES: usize = 64;

impl Display {
    /// What the clipboard holds of the first of `kinds` that it is offered in.
    pub(crate) fn paste(&self, kinds: &[ClipKind], deadline: Deadline) -> Result<Pasted, Failure> {
        let party = Party::new(self, deadline)?;
        let Some(owner) = party.named_owner()? else {
            return Ok(Pasted::Absent { offered: Vec::new() });
        };
        let silent = || Ok(Pasted::Silent { owner: owner.name.clone() });
        let targets = match party.convert("TARGETS", deadline)? {
            Converted::Content { bytes, .. } => Some(party.names(&bytes)?),
            // Not every owner says what it has; then each format is asked for.
            Converted::Refused | Converted::TooLarge => None,
            Converted::Gone => return Ok(Pasted::Absent { offered: Vec::new() }),
            Converted::Silent => return silent(),
        };
        for &kind in kinds {
            for target in formats::wanted(kind) {
                let offered = targets.as_ref().is_none_or(|all| all.iter().any(|it| it == target));
                if !offered {
                    continue;
                }
                match party.convert(target, deadline)? {
                    Converted::Content { bytes, kind: told } => {
                        let is_latin = told == u32::from(AtomEnum::STRING);
                        let found = formats::understood(target, is_latin, kind, bytes);
                        if let Some((clip, lossy)) = found {
                            return Ok(Pasted::Found { clip, lossy });
                        }
                    }
                    Converted::Refused => {}
                    Converted::Gone => return Ok(Pasted::Absent { offered: Vec::new() }),
                    Converted::Silent => return silent(),
                    Converted::TooLarge => return Ok(Pasted::TooLarge),
                }
            }
        }
        const ABOUT: [&str; 5] = ["TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "DELETE"];
        let mut offered = targets.unwrap_or_default();
        offered.retain(|name| !ABOUT.contains(&name.as_str()));
        offered.truncate(MOST_NAMES);
        Ok(Pasted::Absent { offered })
    }
}

impl Party<'_> {
    /// Asks the owner for its content in the format `target`.
    pub(super) fn convert(&self, target: &str, deadline: Deadline) -> Result<Converted, Failure> {
        match self.converted(target) {
            // Time ran out: the server's answers come at once, so it was the owner's.
            Err(Failure::Timeout) if deadline.passed() => Ok(Converted::Silent),
            other => other,
        }
    }

    fn converted(&self, target: &str) -> Result<Converted, Failure> {
        let connection = &self.display.connection;
        let target = connection.intern_atom(false, target.as_bytes()).map_err(lost)?;
        let target = target.reply().map_err(refused)?.atom;
        let mut owner = self.owner()?;
        loop {
            if owner == x11rb::NONE {
                return Ok(Converted::Gone);
            }
            self.ask(owner, target)?;
            // It may have gone before its end could be heard.
            match self.owner()? {
                now if now == owner => break,
                now => owner = now,
            }
        }
        match self.answer(owner, target)? {
            Some(x11rb::NONE) => return Ok(Converted::Refused),
            None => return Ok(Converted::Gone),
            Some(_) => {}
        }
        let first = self.take(CLIP_LIMIT)?;
        if first.type_ != self.atoms.INCR {
            return Ok(match first.bytes_after {
                0 => Converted::Content { bytes: first.value, kind: first.type_ },
                _ => Converted::TooLarge,
            });
        }
        self.pieces(owner)
    }

    fn ask(&self, owner: Window, target: Atom) -> Result<(), Failure> {
        let connection = &self.display.connection;
        // An owner that dies while it is asked never answers; its window goes with it. One that is
        // gone already is an error that nobody waits for.
        let hear = ChangeWindowAttributesAux::new().event_mask(EventMask::STRUCTURE_NOTIFY);
        connection.change_window_attributes(owner, &hear).map_err(lost)?;
        let (selection, property) = (self.atoms.CLIPBOARD, self.atoms._AGENT_DESKTOP_SELECTION);
        let now = self.now()?;
        connection
            .convert_selection(self.window, selection, target, property, now)
            .map_err(lost)?;
        connection.flush().map_err(lost)
    }

    /// The property that the owner put the content into; nothing if it is gone.
    fn answer(&self, owner: Window, target: Atom) -> Result<Option<Atom>, Failure> {
        loop {
            match self.display.connection.wait_for_event().map_err(lost)? {
                Event::SelectionNotify(told)
                    if (told.requestor, told.target) == (self.window, target) =>
                {
                    return Ok(Some(told.property));
                }
                Event::DestroyNotify(told) if told.window == owner => return Ok(None),
                _ => {}
            }
        }
    }

    /// What comes in pieces: each is put into the property once the one before was taken out, and
    /// an empty one is the end.
    fn pieces(&self, owner: Window) -> Result<Converted, Failure> {
        let property = self.atoms._AGENT_DESKTOP_SELECTION;
        let mut bytes = Vec::new();
        loop {
            match self.display.connection.wait_for_event().map_err(lost)? {
                Event::PropertyNotify(told)
                    if (told.window, told.atom) == (self.window, property)
                        && told.state == Property::NEW_VALUE => {}
                Event::DestroyNotify(told) if told.window == owner => return Ok(Converted::Gone),
                _ => continue,
            }
            let piece = self.take(CLIP_LIMIT - bytes.len())?;
            if piece.bytes_after > 0 {
                return Ok(Converted::TooLarge);
            }
            if piece.value.is_empty() {
                // A change that was told late finds the property gone, and is no end.
                if piece.type_ == x11rb::NONE {
                    continue;
                }
                return Ok(Converted::Content { bytes, kind: piece.type_ });
            }
            bytes.extend(piece.value);
        }
    }

    /// Takes what was put into the property, of `limit` bytes at most, out of it.
    fn take(&self, limit: usize) -> Result<GetPropertyReply, Failure> {
        let property = self.atoms._AGENT_DESKTOP_SELECTION;
        let units = u32::try_from(limit / 4).unwrap_or(u32::MAX);
        let question = self.display.connection.get_property(
            true,
            self.window,
            property,
            AtomEnum::ANY,
            0,
            units,
        );
        question.map_err(lost)?.reply().map_err(refused)
    }

    /// The names of a list of atoms.
    fn names(&self, atoms: &[u8]) -> Result<Vec<String>, Failure> {
        let connection = &self.display.connection;
        let atoms = atoms
            .chunks_exact(4)
            .filter_map(|bytes| Some(u32::from_ne_bytes(bytes.try_into().ok()?)));
        let questions = atoms
            .map(|atom| connection.get_atom_name(atom))
            .collect::<Result<Vec<_>, _>>()
            .map_err(lost)?;
        // An owner may list what is no atom; that has no name.
        let names = questions.into_iter().filter_map(|name| name.reply().ok());
        Ok(names.map(|name| String::from_utf8_lossy(&name.name).into_owned()).collect())
    }
}
