//! The pointer and the keys, and what is under the pointer.

use agent_desktop_engine::platform::{Deadline, Failure, Input};
use agent_desktop_model::{geometry::Point, tree::Address};

use super::Linux;
use crate::atspi::{calls, placement::Placement};

/// How deep elements are nested that are looked for at a point.
const DEEPEST: usize = 100;

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

    /// The innermost element at a point of the screen. Where a toolkit goes by the order of its
    /// elements rather than by what is in front, nothing is said.
    pub(super) fn element_under(
        &self,
        window: &Address,
        point: Point,
        deadline: Deadline,
    ) -> Result<Option<Address>, Failure> {
        let dialect = self.dialect_of(&window.app);
        if !dialect.picks {
            return Ok(None);
        }
        let bus = self.bus(deadline)?;
        let Placement::Screen(placed) = self.placement(bus, window, dialect, deadline) else {
            return Ok(None);
        };
        let own = placed.view.off_screen(point);
        let mut at = window.clone();
        for _ in 0..DEEPEST {
            let answer = bus.call(calls::at_point(&at, own.x, own.y), deadline);
            let Some(inner) = answer.ok().and_then(|reply| calls::reference(&reply, &window.app))
            else {
                break;
            };
            if inner == at {
                break;
            }
            at = inner;
        }
        Ok((at != *window).then_some(at))
    }
}
