//! Arranging one window: choose it, ask its window manager once, see whether it did it, say so.

use std::time::Duration;

use agent_desktop_model::{
    error::{Code, Delivery, Details, Error},
    wire::{Operated, Target, WindowName},
};

use crate::{
    commands::Context,
    platform::{Arrangement, Deadline, Failure, Handle, Standing, Window},
    wait::{Ended, until_every},
};

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    Focus,
    Size {
        width: i32,
        height: i32,
    },
    Place {
        x: i32,
        y: i32,
    },
    Minimize,
    Maximize,
    /// The way it was before it was minimised or maximised.
    Restore,
}

/// How long a window manager gets to do what it was asked for. They do it at once, but for
/// animations, and not at all where they do not want to.
const PATIENCE: Duration = Duration::from_secs(2);

/// The widest border that a window has of its own, in pixels.
const BORDER: i32 = 10;

/// How often it is looked whether it is done, and how long a window stands still that has settled.
const POLL: Duration = Duration::from_millis(20);

/// Does `wish` to `window`.
pub(crate) fn run(
    operation: &'static str,
    wish: Wish,
    window: &Window,
    deadline: Deadline,
    context: &Context<'_>,
) -> Result<Operated, Error> {
    let platform = context.platform;
    let about = |failure: Failure| failure.about(&format!("window {}", window.id), deadline);
    let handle = window.handle.ok_or_else(|| unmatched(window))?;
    let before = platform.standing(handle, deadline).map_err(about)?;
    let Some(change) = wish.change(&before) else {
        return Ok(report(operation, wish, window, &before, Delivery::NotDelivered));
    };
    platform.arrange(handle, change, deadline).map_err(about)?;
    let mut sent = change;

    let confirming = deadline.within(PATIENCE);
    let mut now = before;
    // States are told before the window has its new place, so it has to have settled, too.
    let is_done = || {
        let seen = match standing(context, handle, window, deadline) {
            // There was no time to look, which is nobody's fault.
            Err(_) if deadline.passed() => return Ok(None),
            seen => seen?,
        };
        let last = std::mem::replace(&mut now, seen);
        if now != last {
            return Ok(None);
        }
        // A second request does no more than the first one was to.
        if let Some(better) = change.corrected(&now, sent) {
            sent = better;
            platform.arrange(handle, better, deadline).map_err(about)?;
        }
        Ok(change.is_done(&now).then_some(()))
    };
    match until_every(POLL, None, confirming, is_done) {
        Ok(()) => Ok(report(operation, wish, window, &now, Delivery::DeliveredVerified)),
        Err(Ended::Late(_)) => Err(refused(change, &now)),
        Err(Ended::Failed(error)) => Err(error.delivered(Delivery::DeliveryUncertain)),
    }
}

fn standing(
    context: &Context<'_>,
    handle: Handle,
    window: &Window,
    deadline: Deadline,
) -> Result<Standing, Error> {
    let standing = context.platform.standing(handle, deadline);
    standing.map_err(|failure| failure.about(&format!("window {}", window.id), deadline))
}

impl Wish {
    /// What has to be asked for; nothing where it is so already.
    fn change(self, now: &Standing) -> Option<Arrangement> {
        let change = match self {
            Self::Focus => Arrangement::Focus,
            Self::Size { width, height } => Arrangement::Size { width, height },
            Self::Place { x, y } => Arrangement::Place { x, y },
            Self::Minimize => Arrangement::Minimize,
            Self::Maximize => Arrangement::Maximize,
            Self::Restore if now.minimized => Arrangement::Unminimize,
            Self::Restore => Arrangement::Unmaximize,
        };
        (!change.is_done(now)).then_some(change)
    }
}

impl Arrangement {
    fn is_done(self, now: &Standing) -> bool {
        match self {
            Self::Focus => now.focused,
            Self::Size { width, height } => {
                (now.bounds.width, now.bounds.height) == (width, height)
            }
            Self::Place { x, y } => (now.bounds.x, now.bounds.y) == (x, y),
            Self::Minimize => now.minimized,
            Self::Unminimize => !now.minimized,
            Self::Maximize => now.maximized,
            Self::Unmaximize => !now.maximized,
        }
    }

    /// What to ask for once more, where a window was put beside the place that was asked for:
    /// openbox 3.6.1 counts the border that a window such as xterm's had before it got its frame.
    fn corrected(self, now: &Standing, sent: Self) -> Option<Self> {
        let Self::Place { x, y } = self else { return None };
        let (right, down) = (now.bounds.x - x, now.bounds.y - y);
        let beside = (right, down) != (0, 0) && right.abs().max(down.abs()) <= BORDER;
        (beside && sent == self).then_some(Self::Place { x: x - right, y: y - down })
    }

    /// What it is to become, and what it is, for a message.
    fn compared(self, now: &Standing) -> (String, String) {
        let bounds = now.bounds;
        let either = |is: bool, word: &str| match is {
            true => word.to_owned(),
            false => format!("not {word}"),
        };
        match self {
            Self::Focus => (either(true, "focused"), either(now.focused, "focused")),
            Self::Size { width, height } => {
                (format!("{width}x{height}"), format!("{}x{}", bounds.width, bounds.height))
            }
            Self::Place { x, y } => (format!("{x},{y}"), format!("{},{}", bounds.x, bounds.y)),
            Self::Minimize => (either(true, "minimized"), either(now.minimized, "minimized")),
            Self::Unminimize => (either(false, "minimized"), either(now.minimized, "minimized")),
            Self::Maximize => (either(true, "maximized"), either(now.maximized, "maximized")),
            Self::Unmaximize => (either(false, "maximized"), either(now.maximized, "maximized")),
        }
    }
}

fn report(
    operation: &'static str,
    wish: Wish,
    window: &Window,
    now: &Standing,
    delivery: Delivery,
) -> Operated {
    let focused = (wish == Wish::Focus)
        .then(|| WindowName { id: window.id.clone(), title: window.title.clone() });
    Operated {
        details: None,
        disposition: delivery.into(),
        focused,
        operation,
        surfaces: None,
        target: described(window, now),
    }
}

/// `window`, as it stands now if that can be told.
pub(crate) fn target(window: &Window, deadline: Deadline, context: &Context<'_>) -> Target {
    let now = window.handle.and_then(|handle| context.platform.standing(handle, deadline).ok());
    let then = Standing {
        bounds: window.bounds.unwrap_or_default(),
        focused: window.focused,
        visible: window.visible,
        minimized: window.minimized,
        maximized: window.maximized,
    };
    described(window, &now.unwrap_or(then))
}

fn described(window: &Window, now: &Standing) -> Target {
    Target::Window {
        app_name: window.app.name.clone(),
        bounds: now.bounds,
        id: window.id.clone(),
        is_focused: now.focused,
        maximized: now.maximized,
        minimized: now.minimized,
        title: window.title.clone(),
        visible: now.visible,
    }
}

/// The window manager was asked and did something else, or nothing.
fn refused(change: Arrangement, now: &Standing) -> Error {
    let (expected, observed) = change.compared(now);
    let suggestion = match change {
        Arrangement::Size { .. } | Arrangement::Place { .. } if now.maximized => {
            "It is maximized; `restore` it first."
        }
        Arrangement::Size { .. } => {
            "Applications limit the sizes of their windows, and terminals only take whole lines; \
             take the size that it has now, or ask for a larger one."
        }
        Arrangement::Place { .. } => {
            "Window managers keep windows within reach; take the place that it has now, or ask for \
             one on the screen (`list-displays`)."
        }
        Arrangement::Focus => {
            "The window manager keeps the focus where it is; a dialog of the same application may \
             be in front (`list-windows`)."
        }
        _ => "Not every window can be; `list-windows` shows how it stands.",
    };
    Error::new(
        Code::ActionFailed,
        format!("the window was to be {expected}, and the window manager has it {observed}"),
    )
    .suggest(suggestion)
    .details(Details::PostActionVerification {
        expected,
        observed: Some(observed),
        post_state: None,
        steps: Vec::new(),
    })
    .delivered(Delivery::DeliveredUnverified)
}

/// Not exactly one window of the display server is the one that is meant.
fn unmatched(window: &Window) -> Error {
    Error::new(
        Code::ActionNotSupported,
        format!(
            "it is not certain which window of the display server window {} is, so that it cannot \
             be arranged",
            window.id
        ),
    )
    .suggest(
        "Windows of one application with the same title, place and size are not told apart: close \
         one of them, or move one by hand; on Wayland no window can be arranged.",
    )
}
