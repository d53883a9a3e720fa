//! Whether a window manager is at work.

use std::time::Duration;

use agent_desktop_engine::platform::{Deadline, Failure};
use x11rb::{
    COPY_FROM_PARENT,
    connection::Connection,
    errors::ReplyError,
    protocol::xproto::{
        AtomEnum, ConfigureWindowAux, ConnectionExt as _, CreateWindowAux, WindowClass,
    },
};

use super::{Display, lost, refused, unidentified};

/// How long a manager gets to answer before it is asked anew: what is asked while it starts may
/// be lost.
const PATIENCE: Duration = Duration::from_millis(50);

impl Display {
    /// Whether a window manager runs and does its work.
    ///
    /// Its check window must name itself, as the specification asks, so that what a dead one left
    /// behind does not count. That is not enough: openbox 3.6.1 sets it up before it listens, and
    /// a window that is shown then is never managed. So it also has to act: a window of ours that
    /// is never shown asks for another size, which only the manager can grant.
    ///
    /// Only for displays of our own: a manager that answers after this has given up may resize a
    /// later window to which the server has given the same number.
    pub fn has_window_manager(&self, deadline: Deadline) -> Result<bool, Failure> {
        self.connection.stream().ends_at(deadline);
        if !self.names_a_manager()? {
            return Ok(false);
        }
        let probe = self.connection.generate_id().map_err(unidentified)?;
        let (class, look) = (WindowClass::INPUT_OUTPUT, CreateWindowAux::new());
        self.connection
            .create_window(0, probe, self.root, 0, 0, 1, 1, 0, class, COPY_FROM_PARENT, &look)
            .map_err(lost)?;
        let granted = self.is_resized(probe, deadline.within(PATIENCE));
        self.connection.destroy_window(probe).map_err(lost)?;
        self.connection.flush().map_err(lost)?;
        granted
    }

    /// Whether a manager says that it is there, and has not died since.
    pub(super) fn names_a_manager(&self) -> Result<bool, Failure> {
        let check = self.atoms._NET_SUPPORTING_WM_CHECK;
        let Some(&window) = self.root_list(check, AtomEnum::WINDOW)?.first() else {
            return Ok(false);
        };
        match self.list(window, check, AtomEnum::WINDOW)?.reply() {
            Ok(reply) => Ok(reply.value32().and_then(|mut ids| ids.next()) == Some(window)),
            Err(ReplyError::X11Error(_)) => Ok(false),
            Err(error) => Err(refused(error)),
        }
    }

    fn is_resized(&self, probe: u32, deadline: Deadline) -> Result<bool, Failure> {
        const WIDTH: u16 = 2;
        let wish = ConfigureWindowAux::new().width(u32::from(WIDTH));
        self.connection.configure_window(probe, &wish).map_err(lost)?;
        loop {
            let geometry = self.connection.get_geometry(probe).map_err(lost)?;
            if geometry.reply().map_err(refused)?.width == WIDTH {
                return Ok(true);
            }
            if deadline.passed() {
                return Ok(false);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}
