//! The clipboard of an X server: a *selection*, whose content stays with the client that owns it
//! and is handed out on request, in whatever format is asked for (ICCCM, chapter 2).

pub(super) mod formats;
mod owner;
mod read;

use agent_desktop_engine::platform::{Clip, Deadline, Failure};
use x11rb::{
    COPY_FROM_PARENT,
    connection::Connection,
    errors::ReplyOrIdError,
    protocol::{
        Event,
        res::{self, ConnectionExt as _},
        xproto::{
            ConnectionExt as _, CreateWindowAux, EventMask, PropMode, Timestamp, Window,
            WindowClass,
        },
    },
    wrapper::ConnectionExt as _,
};

use super::{Display, lost, refused};
use crate::proc;
pub(crate) use owner::{Kind, Report, spelled};
pub use owner::{Plan, own};
use read::Converted;

x11rb::atom_manager! {
    Atoms: AtomsCookie {
        ATOM_PAIR,
        CLIPBOARD,
        INCR,
        MULTIPLE,
        NULL,
        SAVE_TARGETS,
        TARGETS,
        TIMESTAMP,
        // Where contents are put for a window of ours, and what tells us the server's time.
        _AGENT_DESKTOP_SELECTION,
    }
}

/// Takes part in handing the clipboard around: a window that never shows.
struct Party<'a> {
    display: &'a Display,
    atoms: Atoms,
    window: Window,
}

/// Who owns the clipboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) window: Window,
    /// What it is called, as far as that can be found out.
    pub(crate) name: String,
}

impl Display {
    /// Whether the clipboard of `window` holds just what `clip` was handed out as; none if that was
    /// not told in time.
    pub(crate) fn holds(
        &self,
        clip: &Clip,
        window: Window,
        deadline: Deadline,
    ) -> Result<Option<bool>, Failure> {
        let party = Party::new(self, deadline)?;
        let (target, bytes) = formats::main(clip);
        let told = match party.convert(target, deadline)? {
            Converted::Content { bytes: held, .. } => Some(held == *bytes),
            Converted::Refused | Converted::TooLarge | Converted::Gone => Some(false),
            Converted::Silent => None,
        };
        if party.owner()? != window { Ok(Some(false)) } else { Ok(told) }
    }

    /// Leaves the clipboard without an owner. Returns who has it all the same, and whether anybody
    /// had it before.
    pub(crate) fn clear_clipboard(
        &self,
        deadline: Deadline,
    ) -> Result<(bool, Option<Owner>), Failure> {
        let party = Party::new(self, deadline)?;
        if party.owner()? == x11rb::NONE {
            return Ok((false, None));
        }
        let now = party.now()?;
        let selection = party.atoms.CLIPBOARD;
        self.connection.set_selection_owner(x11rb::NONE, selection, now).map_err(lost)?;
        Ok((true, party.named_owner()?))
    }

    /// Who owns the clipboard, if anybody does.
    pub(crate) fn clipboard_owner(&self, deadline: Deadline) -> Result<Option<Owner>, Failure> {
        Party::new(self, deadline)?.named_owner()
    }
}

impl<'a> Party<'a> {
    fn new(display: &'a Display, deadline: Deadline) -> Result<Self, Failure> {
        let connection = &display.connection;
        connection.stream().ends_at(deadline);
        let atoms = Atoms::new(connection).map_err(lost)?;
        let window = connection.generate_id().map_err(|error| match error {
            ReplyOrIdError::ConnectionError(error) => lost(error),
            error => Failure::System(format!("X server: {error}")),
        })?;
        let look = CreateWindowAux::new().event_mask(EventMask::PROPERTY_CHANGE);
        let (class, parent) = (WindowClass::INPUT_ONLY, COPY_FROM_PARENT);
        connection
            .create_window(0, window, display.root, -1, -1, 1, 1, 0, class, parent, &look)
            .map_err(lost)?;
        Ok(Self { display, window, atoms: atoms.reply().map_err(refused)? })
    }

    /// The server's time, which every request about a selection has to name.
    fn now(&self) -> Result<Timestamp, Failure> {
        let connection = &self.display.connection;
        let own = self.atoms._AGENT_DESKTOP_SELECTION;
        // Adding nothing is a change as well, and every change is told with its time.
        connection
            .change_property32(PropMode::APPEND, self.window, own, self.atoms.NULL, &[])
            .map_err(lost)?;
        connection.flush().map_err(lost)?;
        loop {
            match connection.wait_for_event().map_err(lost)? {
                Event::PropertyNotify(told) if (told.window, told.atom) == (self.window, own) => {
                    connection.delete_property(self.window, own).map_err(lost)?;
                    return Ok(told.time);
                }
                _ => {}
            }
        }
    }

    fn owner(&self) -> Result<Window, Failure> {
        let question = self.display.connection.get_selection_owner(self.atoms.CLIPBOARD);
        Ok(question.map_err(lost)?.reply().map_err(refused)?.owner)
    }

    fn named_owner(&self) -> Result<Option<Owner>, Failure> {
        let window = self.owner()?;
        if window == x11rb::NONE {
            return Ok(None);
        }
        let name = match self.process_of(window).map(|pid| (pid, proc::name(pid))) {
            Some((pid, Some(name))) => format!("{name} (process {pid})"),
            Some((pid, None)) => format!("process {pid}"),
            None => "a program that does not say who it is".to_owned(),
        };
        Ok(Some(Owner { window, name }))
    }

    /// The process on this machine whose window it is, as the server itself knows.
    fn process_of(&self, window: Window) -> Option<u32> {
        let connection = &self.display.connection;
        let ask = [res::ClientIdSpec { client: window, mask: res::ClientIdMask::LOCAL_CLIENT_PID }];
        // Servers answer questions of the version that the client last named.
        connection.res_query_version(1, 2).ok()?.reply().ok()?;
        let told = connection.res_query_client_ids(&ask).ok()?.reply().ok()?;
        told.ids.into_iter().find_map(|id| id.value.first().copied()).filter(|pid| *pid != 0)
    }
}

impl Drop for Party<'_> {
    fn drop(&mut self) {
        // A connection that is lost has no windows any more.
        let _ = self.display.connection.destroy_window(self.window);
        let _ = self.display.connection.flush();
    }
}
