//! What a window manager does to windows.

use agent_desktop_engine::platform::{Arrangement, Deadline, Failure, Handle, Standing};

use super::Linux;
use crate::x11;

impl Linux {
    pub(super) fn standing_of(
        &self,
        window: Handle,
        deadline: Deadline,
    ) -> Result<Standing, Failure> {
        let shown = self.shown(deadline)?.ok_or_else(no_manager)?;
        let found = shown.windows.iter().find(|one| super::windows::handle(one) == window);
        let found = found.ok_or(Failure::Gone)?;
        Ok(Standing {
            bounds: found.inner,
            focused: shown.active == Some(found.xid),
            visible: found.visible,
            minimized: found.minimized,
            maximized: found.maximized,
        })
    }

    pub(super) fn arrange_window(
        &self,
        window: Handle,
        change: Arrangement,
        deadline: Deadline,
    ) -> Result<(), Failure> {
        let (display, found) = self.window_of(window, deadline)?;
        self.told_by_x11(display.arrange(&found, change, deadline), deadline)
    }

    /// The X window with this handle, as it is now.
    pub(super) fn window_of(
        &self,
        window: Handle,
        deadline: Deadline,
    ) -> Result<(&x11::Display, x11::Window), Failure> {
        let display = self.x11(deadline)?.ok_or_else(no_manager)?;
        let windows = self.told_by_x11(display.windows(deadline), deadline)?;
        let found = windows.into_iter().find(|one| super::windows::handle(one) == window);
        Ok((display, found.ok_or(Failure::Gone)?))
    }
}

/// That windows cannot be arranged here.
fn no_manager() -> Failure {
    Failure::Unsupported {
        cause: "there is no X display, and Wayland tells no other program about windows".into(),
        remedy: "Use an X11 session, or a private desktop: `agent-desktop sandbox start`.".into(),
    }
}
