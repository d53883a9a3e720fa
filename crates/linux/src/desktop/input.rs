//! The pointer and the keys.

use agent_desktop_engine::platform::{Deadline, Failure, Input};

use super::Linux;

impl Linux {
    pub(super) fn take_input(&self, deadline: Deadline) -> Result<Box<dyn Input + '_>, Failure> {
        let Some(display) = self.x11(deadline)? else {
            return Err(Failure::Unsupported {
                cause: "there is no X display, and on Wayland the pointer and the keys are not \
                        moved yet"
                    .into(),
                remedy: "Leave --headed out, or use an X11 session or a private desktop: \
                         `agent-desktop sandbox start`."
                    .into(),
            });
        };
        let input = display.input(self.program.as_deref(), deadline);
        self.told_by_x11(input, deadline).map(|input| Box::new(input) as Box<dyn Input>)
    }
}
