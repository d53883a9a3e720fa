//! The pointer and the keys of an X server, through XTEST.
//!
//! One program like this one has them at a time. What says so is on the server itself, so that it
//! holds for every user, container and state root, and ends with the connection of whoever had
//! them: only one client at a time may select `ResizeRedirect` on a window, and nobody resizes the
//! root window by that.
//!
//! What a killed holder leaves behind, held keys and borrowed keycodes, is written down before on the
//! root window, and put in order by the next one, see [`journal`].

mod guard;
pub(super) mod journal;
mod keymap;
mod keys;
mod pointer;

use std::{
    path::Path,
    time::{Duration, Instant},
};

use agent_desktop_engine::platform::{
    Arrived, Click, Deadline, Drag, Failure, Input, Keyboard, Lease, Turn, Under,
};
use agent_desktop_model::{chord::Chord, geometry::Point};
use x11rb::{
    connection::RequestConnection,
    errors::ReplyError,
    protocol::{
        ErrorKind,
        xkb::{self, ConnectionExt as _},
        xproto::{ChangeWindowAttributesAux, ConnectionExt as _, EventMask},
        xtest::{self, ConnectionExt as _},
    },
};

use super::{Display, lost, refused};
pub use guard::{Plan, watch};

/// The pointer and the keys, until this is dropped.
pub struct Device<'a> {
    display: &'a Display,
    lease: Lease,
    /// What is started to watch over this program, so that what it holds is let go of if it is killed.
    guard: Option<&'a Path>,
    watched: Option<guard::Guard>,
    journal: journal::Journal,
}

/// How often somebody who has them is asked whether that is over.
const PATIENCE: Duration = Duration::from_millis(5);

/// How much longer the server is waited for than whoever has them.
const GRACE: Duration = Duration::from_secs(1);

/// The device on which the user's own keyboard and all others act.
const CORE_KEYBOARD: u16 = 0x100;

impl Display {
    /// Waits until nobody else has the pointer and the keys, and takes them.
    pub fn input<'a>(
        &'a self,
        guard: Option<&'a Path>,
        deadline: Deadline,
    ) -> Result<Device<'a>, Failure> {
        self.connection.stream().ends_at(deadline);
        self.connection
            .prefetch_extension_information(xtest::X11_EXTENSION_NAME)
            .and_then(|()| self.connection.prefetch_extension_information(xkb::X11_EXTENSION_NAME))
            .map_err(lost)?;
        // The server answers late at worst; who has them is told all the same.
        self.connection.stream().ends_at(Deadline::after(deadline.remaining() + GRACE));
        let mut contention = 0;
        while !self.select(EventMask::RESIZE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY)? {
            contention += 1;
            if deadline.passed() {
                return Err(Failure::Occupied);
            }
            std::thread::sleep(PATIENCE.min(deadline.remaining()));
        }
        self.connection.stream().ends_at(deadline);
        let lease = Lease { contention, since: Instant::now() };
        let device =
            Device { display: self, lease, guard, watched: None, journal: Default::default() };
        for extension in [xtest::X11_EXTENSION_NAME, xkb::X11_EXTENSION_NAME] {
            if self.connection.extension_information(extension).map_err(lost)?.is_none() {
                return Err(Failure::Unsupported {
                    cause: format!("the X server lacks the extension {extension}"),
                    remedy: "Use an X server that takes input from programs, such as Xorg or Xvfb."
                        .into(),
                });
            }
        }
        self.connection.xtest_get_version(2, 2).map_err(lost)?.reply().map_err(refused)?;
        self.connection.xkb_use_extension(1, 0).map_err(lost)?.reply().map_err(refused)?;
        // Programs that take the server for themselves do not keep what is sent here waiting.
        self.connection.xtest_grab_control(true).map_err(lost)?;
        journal::clear(self)?;
        Ok(device)
    }

    /// Selects events of the root window; false where another client has what only one may have.
    fn select(&self, mask: EventMask) -> Result<bool, Failure> {
        let wish = ChangeWindowAttributesAux::new().event_mask(mask);
        let answer = self.connection.change_window_attributes(self.root, &wish).map_err(lost)?;
        match answer.check() {
            Ok(()) => Ok(true),
            Err(ReplyError::X11Error(error)) if error.error_kind == ErrorKind::Access => Ok(false),
            Err(error) => Err(refused(error)),
        }
    }

    /// One event of the keyboard or the pointer.
    fn fake(&self, kind: u8, detail: u8, at: Point) -> Result<(), Failure> {
        let short = |number: i32| i16::try_from(number).unwrap_or(i16::MAX);
        let (x, y) = (short(at.x), short(at.y));
        self.connection.xtest_fake_input(kind, detail, 0, self.root, x, y, 0).map_err(lost)?;
        Ok(())
    }
}

impl Device<'_> {
    /// Writes down what will be held or borrowed, and has somebody watch until that is over.
    fn begin(&mut self, journal: journal::Journal, deadline: Deadline) -> Result<(), Failure> {
        if self.watched.is_none() {
            let environment = &self.display.environment;
            let start = |program| guard::Guard::start(program, environment, deadline);
            self.watched = self.guard.map(start).transpose()?;
        }
        journal.write(self.display)?;
        self.journal = journal;
        Ok(())
    }

    /// Undoes what was begun.
    fn end(&mut self) -> Result<(), Failure> {
        std::mem::take(&mut self.journal);
        journal::clear(self.display)
    }
}

impl Input for Device<'_> {
    fn lease(&self) -> Lease {
        self.lease
    }

    fn under(&mut self, point: Point, deadline: Deadline) -> Result<Under, Failure> {
        self.display.under(point, deadline)
    }

    fn keyboard(&mut self, deadline: Deadline) -> Result<Keyboard, Failure> {
        self.display.keyboard(deadline)
    }

    fn point(&mut self, to: Point, deadline: Deadline) -> Result<(), Failure> {
        self.move_to(to, deadline)
    }

    fn click(&mut self, at: Point, click: Click, deadline: Deadline) -> Result<(), Failure> {
        self.click_at(at, click, deadline)
    }

    fn drag(&mut self, drag: Drag, deadline: Deadline) -> Result<(), Failure> {
        self.drag_along(drag, deadline)
    }

    fn wheel(&mut self, at: Point, turn: Turn, deadline: Deadline) -> Result<(), Failure> {
        self.turn_wheel(at, turn, deadline)
    }

    fn press(
        &mut self,
        chord: &Chord,
        arrived: Arrived<'_>,
        deadline: Deadline,
    ) -> Result<(), Failure> {
        self.press_chord(chord, arrived, deadline)
    }

    fn type_text(
        &mut self,
        text: &str,
        arrived: Arrived<'_>,
        deadline: Deadline,
    ) -> Result<(), Failure> {
        self.type_whole(text, arrived, deadline)
    }
}

impl Drop for Device<'_> {
    fn drop(&mut self) {
        self.display.connection.stream().ends_at(Deadline::after(Duration::from_secs(1)));
        // Whoever takes them next does the same, should the server not answer now.
        if !self.journal.is_empty() {
            let _ = self.end();
        }
        let _ = self.display.select(EventMask::NO_EVENT);
    }
}

impl std::fmt::Debug for Device<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Device").field("lease", &self.lease).finish_non_exhaustive()
    }
}
