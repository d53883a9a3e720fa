//! Pictures of the desktop, which only an X server gives so far.

use agent_desktop_engine::platform::{Captured, Deadline, Failure, Subject};

use super::Linux;
use crate::x11;

impl Linux {
    pub(super) fn picture_of(
        &self,
        subject: Subject,
        deadline: Deadline,
    ) -> Result<Captured, Failure> {
        if self.environment.display.is_none() && self.environment.wayland_display.is_some() {
            return Err(Failure::Unsupported {
                cause: "a Wayland session without an X server cannot be pictured".into(),
                remedy: "Use an X11 session, or a private desktop: `agent-desktop sandbox start`."
                    .into(),
            });
        }
        let area = match subject {
            Subject::Everything => None,
            Subject::Area(area) => Some(area),
            Subject::Window(window) => {
                let (display, window) = self.window_of(window, deadline)?;
                return self.told_by_x11(display.capture_window(&window, deadline), deadline);
            }
        };
        let display = self.x11(deadline)?.ok_or_else(x11::no_display)?;
        let picture = display.capture_screen(area, deadline);
        self.told_by_x11(picture, deadline).map(Captured::Picture)
    }
}
