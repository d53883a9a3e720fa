//! The process that owns the clipboard after `clipboard-set` has ended, until another client does
//! or the X server ends. It serves every format of its one content, large ones in pieces.

use std::{
    collections::VecDeque,
    io::Write,
    path::PathBuf,
    rc::Rc,
    time::{Duration, Instant},
};

use agent_desktop_engine::platform::{Clip, ClipKind, Deadline, Failure};
use serde::{Deserialize, Serialize};
use x11rb::{
    connection::{Connection, RequestConnection},
    errors::ReplyError,
    protocol::{
        Event,
        xproto::{
            Atom, AtomEnum, ChangeWindowAttributesAux, ConnectionExt as _, DestroyNotifyEvent,
            EventMask, PropMode, Property, PropertyNotifyEvent, SELECTION_NOTIFY_EVENT,
            SelectionNotifyEvent, SelectionRequestEvent, Timestamp, Window,
        },
    },
    wrapper::ConnectionExt as _,
};

use super::{Party, formats};
use crate::{
    environment::Environment,
    helper,
    x11::{Display, lost, refused},
};

/// What an owner is asked to own; the content itself comes on its standard input, since arguments
/// can be read by everybody.
#[derive(Debug, Serialize, Deserialize)]
pub struct Plan {
    pub(crate) display: String,
    pub(crate) xauthority: Option<PathBuf>,
    pub(crate) kind: Kind,
    pub(crate) limit_ms: u64,
}

/// What the content is.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum Kind {
    Text,
    Image,
    /// URLs, a line each.
    FileUrls,
}

/// What it reports, on one line: the window by which it owns the clipboard; none if another client
/// took it at the same time.
pub(crate) type Report = Result<Option<u32>, String>;

/// What is larger is handed out in pieces of this size.
const PIECE: usize = 256 * 1024;

/// How long a client that takes pieces may rest.
const PATIENCE: Duration = Duration::from_secs(30);

/// How many clients may take pieces at a time.
const MOST_TRANSFERS: usize = 64;

/// How many formats one request may ask for.
const MOST_PAIRS: u32 = 64;

impl Kind {
    pub(crate) fn of(clip: &Clip) -> Self {
        match clip.kind() {
            ClipKind::Text => Self::Text,
            ClipKind::Image => Self::Image,
            ClipKind::FileUrls => Self::FileUrls,
        }
    }
}

/// The content as it goes through standard input.
pub(crate) fn spelled(clip: &Clip) -> Vec<u8> {
    match clip {
        Clip::Text(text) => text.clone().into_bytes(),
        Clip::Image(bytes) => bytes.clone(),
        Clip::FileUrls(urls) => urls.join("\n").into_bytes(),
    }
}

impl Plan {
    /// The plan that `text` spells; none if it is something else.
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    fn clip(&self, content: Vec<u8>) -> Result<Clip, String> {
        let text = |content| String::from_utf8(content).map_err(|error| error.to_string());
        Ok(match self.kind {
            Kind::Text => Clip::Text(text(content)?),
            Kind::Image => Clip::Image(content),
            Kind::FileUrls => Clip::FileUrls(text(content)?.lines().map(str::to_owned).collect()),
        })
    }
}

/// Owns the clipboard until it is over. `report` is told once whether it does, and then let go.
pub fn own(plan: &Plan, content: Vec<u8>, report: &mut dyn Write) -> Result<(), String> {
    let deadline = Deadline::after_ms(plan.limit_ms);
    let environment = Environment {
        display: Some(plan.display.clone()),
        xauthority: plan.xauthority.clone(),
        ..Environment::default()
    };
    let clip = plan.clip(content)?;
    let display = Display::connect(&environment, deadline).map_err(words)?;
    let taken = Owner::take(&display, &clip, deadline).map_err(words);
    drop(clip);
    let window = |owner: &Option<Owner<'_>>| owner.as_ref().map(|owner| owner.party.window);
    let told: Report = taken.as_ref().map(window).map_err(Clone::clone);
    let line = serde_json::to_string(&told).map_err(|error| error.to_string())?;
    // Whoever asked may have given up; what it asked for is done all the same.
    let _ = report.write_all((line + "\n").as_bytes()).and_then(|()| report.flush());
    let Some(mut owner) = taken? else { return Ok(()) };
    helper::let_go().map_err(|error| error.to_string())?;
    // It ends well when the X server does.
    while let Ok(true) = owner.serve() {}
    Ok(())
}

/// A content, and what it takes to hand it out.
struct Owner<'a> {
    party: Party<'a>,
    /// Since when it owns the clipboard.
    since: Timestamp,
    offers: Vec<Offer>,
    transfers: Vec<Transfer>,
    /// The most bytes that go out at once.
    piece: usize,
    /// Whether another client owns the clipboard now.
    is_over: bool,
}

/// The content in one format.
struct Offer {
    target: Atom,
    /// What the bytes are called.
    kind: Atom,
    bytes: Rc<[u8]>,
}

/// A content on its way, piece by piece.
struct Transfer {
    requestor: Window,
    property: Atom,
    kind: Atom,
    bytes: Rc<[u8]>,
    sent: usize,
    /// When the client last took something.
    taken: Instant,
}

impl<'a> Owner<'a> {
    /// Takes the clipboard; none if another client has it afterwards.
    fn take(
        display: &'a Display,
        clip: &Clip,
        deadline: Deadline,
    ) -> Result<Option<Self>, Failure> {
        let party = Party::new(display, deadline)?;
        let connection = &display.connection;
        let formats = formats::of(clip);
        let names = formats.iter().map(|(name, _)| connection.intern_atom(false, name.as_bytes()));
        let atoms = names.collect::<Result<VecDeque<_>, _>>().map_err(lost)?;
        let utf8 = display.atoms.UTF8_STRING;
        let mut offers = Vec::with_capacity(formats.len());
        for ((name, bytes), atom) in formats.into_iter().zip(atoms) {
            let target = atom.reply().map_err(refused)?.atom;
            // Only this format is told by what comes of it.
            let kind = if name == "TEXT" { utf8 } else { target };
            offers.push(Offer { target, kind, bytes });
        }
        let since = party.now()?;
        let (window, selection) = (party.window, party.atoms.CLIPBOARD);
        connection.set_selection_owner(window, selection, since).map_err(lost)?;
        if party.owner()? != window {
            return Ok(None);
        }
        // A request has a header besides the data.
        let piece = PIECE.min(connection.maximum_request_bytes().saturating_sub(1024));
        Ok(Some(Self { party, since, offers, transfers: Vec::new(), piece, is_over: false }))
    }

    /// Waits for something to do and does it. Returns whether there may be more.
    fn serve(&mut self) -> Result<bool, Failure> {
        let connection = &self.party.display.connection;
        connection.flush().map_err(lost)?;
        connection.stream().ends_at(Deadline::after(PATIENCE));
        let event = match connection.wait_for_event().map_err(lost) {
            Ok(event) => Some(event),
            Err(Failure::Timeout) => None,
            Err(failure) => return Err(failure),
        };
        // An answer of the server comes at once, or the server is as good as gone.
        connection.stream().ends_at(Deadline::after(PATIENCE));
        let selection = self.party.atoms.CLIPBOARD;
        match event {
            Some(Event::SelectionRequest(request)) if request.selection == selection => {
                self.answer(&request)?;
            }
            Some(Event::SelectionClear(told)) if told.selection == selection => {
                self.is_over = true;
            }
            Some(Event::PropertyNotify(told)) => self.go_on(&told)?,
            Some(Event::DestroyNotify(DestroyNotifyEvent { window, .. })) => {
                self.transfers.retain(|transfer| transfer.requestor != window);
            }
            // Errors among them: of windows that went before they were answered.
            _ => {}
        }
        self.transfers.retain(|transfer| transfer.taken.elapsed() < PATIENCE);
        // Who has begun to take the content gets all of it.
        Ok(!self.is_over || !self.transfers.is_empty())
    }

    fn answer(&mut self, request: &SelectionRequestEvent) -> Result<(), Failure> {
        let &SelectionRequestEvent { requestor, selection, target, time, .. } = request;
        // Clients from before X11R4 name no property, and mean that of the format's name.
        let property = if request.property == x11rb::NONE { target } else { request.property };
        let is_meant = time == x11rb::CURRENT_TIME || !is_before(time, self.since);
        let multiple = target == self.party.atoms.MULTIPLE;
        let granted = is_meant
            && match multiple {
                true if request.property == x11rb::NONE => false,
                true => self.hand_out_several(requestor, property)?,
                false => self.hand_out(requestor, target, property)?,
            };
        let note = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time,
            requestor,
            selection,
            target,
            property: if granted { property } else { x11rb::NONE },
        };
        let connection = &self.party.display.connection;
        connection.send_event(false, requestor, EventMask::NO_EVENT, note).map_err(lost)?;
        Ok(())
    }

    /// Puts the content in the format `target` into the property. Returns whether there is one.
    fn hand_out(
        &mut self,
        requestor: Window,
        target: Atom,
        property: Atom,
    ) -> Result<bool, Failure> {
        let connection = &self.party.display.connection;
        let atoms = &self.party.atoms;
        let numbers = |kind: Atom, numbers: &[u32]| {
            let (replace, property) = (PropMode::REPLACE, property);
            let put = connection.change_property32(replace, requestor, property, kind, numbers);
            put.map(|_| true).map_err(lost)
        };
        if target == atoms.TARGETS {
            let own = [atoms.TARGETS, atoms.TIMESTAMP, atoms.MULTIPLE];
            let all = own.into_iter().chain(self.offers.iter().map(|offer| offer.target));
            return numbers(AtomEnum::ATOM.into(), &all.collect::<Vec<_>>());
        }
        if target == atoms.TIMESTAMP {
            return numbers(AtomEnum::INTEGER.into(), &[self.since]);
        }
        if target == atoms.SAVE_TARGETS {
            // A clipboard manager says that it has all it wants. Nothing is to be done: the content
            // stays here until somebody else owns the clipboard.
            return numbers(atoms.NULL, &[]);
        }
        let Some(offer) = self.offers.iter().find(|offer| offer.target == target) else {
            return Ok(false);
        };
        let (kind, bytes) = (offer.kind, offer.bytes.clone());
        if bytes.len() <= self.piece {
            let replace = PropMode::REPLACE;
            let put = connection.change_property8(replace, requestor, property, kind, &bytes);
            put.map_err(lost)?;
            return Ok(true);
        }
        let is_same = |it: &Transfer| (it.requestor, it.property) == (requestor, property);
        self.transfers.retain(|transfer| !is_same(transfer));
        if self.transfers.len() >= MOST_TRANSFERS {
            return Ok(false);
        }
        let hear = EventMask::PROPERTY_CHANGE | EventMask::STRUCTURE_NOTIFY;
        let hear = ChangeWindowAttributesAux::new().event_mask(hear);
        connection.change_window_attributes(requestor, &hear).map_err(lost)?;
        let size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        numbers(atoms.INCR, &[size])?;
        let taken = Instant::now();
        self.transfers.push(Transfer { requestor, property, kind, bytes, sent: 0, taken });
        Ok(true)
    }

    /// Serves a request for several formats at once: the property lists pairs of a format and a
    /// property, of which those that cannot be served are struck out.
    fn hand_out_several(&mut self, requestor: Window, property: Atom) -> Result<bool, Failure> {
        let connection = &self.party.display.connection;
        let pairs = self.party.atoms.ATOM_PAIR;
        let list = connection
            .get_property(false, requestor, property, AtomEnum::ANY, 0, 2 * MOST_PAIRS)
            .map_err(lost)?
            .reply();
        let list = match list {
            Ok(list) => list,
            // The client is gone.
            Err(ReplyError::X11Error(_)) => return Ok(false),
            Err(error) => return Err(refused(error)),
        };
        let Some(atoms) = list.value32() else { return Ok(false) };
        let mut atoms: Vec<u32> = atoms.collect();
        for pair in atoms.chunks_exact_mut(2) {
            let [target, into] = pair else { continue };
            // One list in another would never end.
            let is_plain = *target != self.party.atoms.MULTIPLE && *into != x11rb::NONE;
            if !(is_plain && self.hand_out(requestor, *target, *into)?) {
                *into = x11rb::NONE;
            }
        }
        let connection = &self.party.display.connection;
        connection
            .change_property32(PropMode::REPLACE, requestor, property, pairs, &atoms)
            .map_err(lost)?;
        Ok(true)
    }

    /// Hands out the next piece to a client that has taken the one before. An empty one is the end.
    fn go_on(&mut self, told: &PropertyNotifyEvent) -> Result<(), Failure> {
        if told.state != Property::DELETE {
            return Ok(());
        }
        let is_it = |it: &Transfer| (it.requestor, it.property) == (told.window, told.atom);
        let Some(at) = self.transfers.iter().position(is_it) else { return Ok(()) };
        let Some(transfer) = self.transfers.get_mut(at) else { return Ok(()) };
        let connection = &self.party.display.connection;
        let left = transfer.bytes.get(transfer.sent..).unwrap_or_default();
        let piece = left.get(..self.piece).unwrap_or(left);
        let &mut Transfer { requestor, property, kind, .. } = transfer;
        connection
            .change_property8(PropMode::REPLACE, requestor, property, kind, piece)
            .map_err(lost)?;
        transfer.sent += piece.len();
        transfer.taken = Instant::now();
        if piece.is_empty() {
            self.transfers.remove(at);
            if !self.transfers.iter().any(|transfer| transfer.requestor == told.window) {
                let hear = ChangeWindowAttributesAux::new().event_mask(EventMask::NO_EVENT);
                connection.change_window_attributes(told.window, &hear).map_err(lost)?;
            }
        }
        Ok(())
    }
}

/// Whether a time of the server, which begins anew every 50 days, is before another.
fn is_before(time: Timestamp, other: Timestamp) -> bool {
    time.wrapping_sub(other) > u32::MAX / 2
}

fn words(failure: Failure) -> String {
    match failure {
        Failure::NoDesktop { cause, .. } => cause,
        Failure::System(words) => words,
        other => format!("{other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_begin_anew() {
        assert!(is_before(1, 2) && !is_before(2, 1) && !is_before(2, 2));
        assert!(is_before(u32::MAX, 5) && !is_before(5, u32::MAX));
    }
}
