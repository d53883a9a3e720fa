//! The clipboard, which on an X server is a selection.

use std::time::Duration;

use agent_desktop_engine::platform::{Clip, ClipKind, Deadline, Failure, Pasted, Taken};

use super::Linux;
use crate::{
    helper,
    x11::{self, selection},
};

impl Linux {
    pub(super) fn paste(&self, kinds: &[ClipKind], deadline: Deadline) -> Result<Pasted, Failure> {
        self.told_by_x11(self.clipboards(deadline)?.paste(kinds, deadline), deadline)
    }

    pub(super) fn copy(&self, clip: &Clip, deadline: Deadline) -> Result<Taken, Failure> {
        let display = self.clipboards(deadline)?;
        // Half of a second is enough for a server that answers at all.
        let reached = display.clipboard_owner(deadline.within(Duration::from_millis(500)));
        self.told_by_x11(reached, deadline)?;
        let program = self
            .program
            .as_deref()
            .ok_or_else(|| Failure::System("this program's own file cannot be found".to_owned()))?;
        let system = |error: &dyn std::fmt::Display| {
            Failure::System(format!("the process that is to own the clipboard: {error}"))
        };
        let plan = selection::Plan {
            display: self.environment.display.clone().unwrap_or_default(),
            xauthority: self.environment.xauthority.clone(),
            kind: selection::Kind::of(clip),
            limit_ms: u64::try_from(deadline.remaining().as_millis()).unwrap_or(u64::MAX),
        };
        let plan = serde_json::to_string(&plan).map_err(|error| system(&error))?;
        let content = selection::spelled(clip);
        let (mut child, mut output) =
            helper::start(program, helper::CLIPBOARD, &plan, &content).map_err(|e| system(&e))?;
        let window = match helper::read_line(&mut output, deadline) {
            Ok(Some(line)) => serde_json::from_str::<selection::Report>(&line)
                .map_err(|error| system(&error))?
                .map_err(|words| system(&words))?,
            Ok(None) => {
                // It must not do later what nobody expects any more. If it has ended, that is as well.
                let _ = child.kill();
                let _ = child.wait();
                return Ok(Taken::Late);
            }
            Err(_) => {
                let status = child.wait().map(|status| status.to_string()).unwrap_or_default();
                return Err(system(&format!("it ended with {status}")));
            }
        };
        let held = match window {
            Some(window) => display.holds(clip, window, deadline),
            None => Ok(Some(false)),
        };
        match held {
            Ok(Some(true)) => Ok(Taken::Verified),
            Ok(Some(false)) => {
                let owner = display.clipboard_owner(Deadline::after(Duration::from_millis(500)));
                let other = owner.ok().flatten().filter(|owner| Some(owner.window) != window);
                Ok(Taken::Replaced { owner: other.map(|owner| owner.name) })
            }
            // It was there, whatever has become of the server since.
            Ok(None) | Err(_) => Ok(Taken::Unread),
        }
    }

    pub(super) fn empty_clipboard(&self, deadline: Deadline) -> Result<Taken, Failure> {
        let display = self.clipboards(deadline)?;
        Ok(match self.told_by_x11(display.clear_clipboard(deadline), deadline)? {
            (false, _) => Taken::Already,
            (true, None) => Taken::Verified,
            (true, Some(owner)) => Taken::Replaced { owner: Some(owner.name) },
        })
    }

    /// The X server whose clipboard it is.
    fn clipboards(&self, deadline: Deadline) -> Result<&x11::Display, Failure> {
        if self.environment.display.is_none() && self.environment.wayland_display.is_some() {
            return Err(Failure::Unsupported {
                cause: "the clipboard of a Wayland session without an X server cannot be reached"
                    .into(),
                remedy: "Use an X11 session, or a private desktop: `agent-desktop sandbox start`."
                    .into(),
            });
        }
        self.x11(deadline)?.ok_or_else(x11::no_display)
    }
}
