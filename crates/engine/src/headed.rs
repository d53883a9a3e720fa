//! Taking the pointer and the keys, and making sure that they go where they are meant to.

use std::time::Duration;

use agent_desktop_model::{
    chord::{Chord, Key, Named},
    error::{Code, Delivery, Details, Error},
    geometry::Point,
    wire::{AutoWait, Operated, OperationDetails, Surface, Target, WindowName},
};

use crate::{
    arrange::{self, Wish},
    commands::Context,
    platform::{App, Deadline, Failure, Handle, Input, Keyboard, Platform, Under, Window},
    wait::{Ended, until_every},
};

/// How often it is asked whether keys would arrive.
const POLL: Duration = Duration::from_millis(20);

/// Long enough for a menu that is closing, and for a finger on its way up.
const PATIENCE: Duration = Duration::from_secs(1);

/// The pointer and the keys.
pub(crate) fn take<'a>(
    platform: &'a dyn Platform,
    deadline: Deadline,
) -> Result<Box<dyn Input + 'a>, Error> {
    platform.input(deadline).map_err(|failure| failure.about("the pointer", deadline))
}

/// Refuses what takes the pointer or the focus where neither is permitted.
pub(crate) fn permitted(command: &str, context: &Context<'_>) -> Result<(), Error> {
    match context.headed {
        true => Ok(()),
        false => Err(Error::new(
            Code::PolicyDenied,
            format!("{command} moves the user's pointer, which is not permitted"),
        )
        .suggest("If the user allows it, repeat it with --headed.")),
    }
}

/// Gives `window` the focus, unless it has it.
pub(crate) fn focus(
    window: &Window,
    deadline: Deadline,
    context: &Context<'_>,
) -> Result<(), Error> {
    arrange::run("focus-window", Wish::Focus, window, deadline, context).map(drop)
}

/// Waits until keys go to `window` and mean what they do by themselves. What waiting does not change
/// in time is refused.
pub(crate) fn keys_reach(
    input: &mut dyn Input,
    window: &Window,
    deadline: Deadline,
) -> Result<(), Error> {
    await_keys(input, window, false, deadline)
}

/// The same, where it does not matter that an open menu of the window takes them.
pub(crate) fn keys_reach_or_menu(
    input: &mut dyn Input,
    window: &Window,
    deadline: Deadline,
) -> Result<(), Error> {
    await_keys(input, window, true, deadline)
}

fn await_keys(
    input: &mut dyn Input,
    window: &Window,
    or_menu: bool,
    deadline: Deadline,
) -> Result<(), Error> {
    let mut last = None;
    let patience = deadline.within(PATIENCE);
    let reached = until_every(POLL, None, patience, || {
        let now = input.keyboard(deadline);
        let now = now.map_err(|failure| failure.about("the keyboard", deadline))?;
        let fits = now.window == window.handle && (or_menu || !now.grabbed) && !now.held;
        last = Some(now);
        Ok(fits.then_some(()))
    });
    match (reached, last) {
        (Ok(()), _) => Ok(()),
        (Err(Ended::Failed(error) | Ended::Late(Some(error))), _) => Err(error),
        (Err(Ended::Late(None)), last) => Err(unreached(window, last)),
    }
}

/// Waits until nothing that is open, such as a menu, takes all clicks for itself: one beside it would
/// only close it.
pub(crate) fn free(input: &mut dyn Input, deadline: Deadline) -> Result<(), Error> {
    let patience = deadline.within(PATIENCE);
    let mut last = None;
    let free = until_every(POLL, None, patience, || {
        let now = input.keyboard(deadline);
        let now = now.map_err(|failure| failure.about("the pointer", deadline))?;
        last = Some(now);
        Ok((!now.grabbed && !now.held).then_some(()))
    });
    free.map_err(|ended| match ended {
        Ended::Failed(error) | Ended::Late(Some(error)) => error,
        Ended::Late(None) if last.is_some_and(|now| now.held) => Error::new(
            Code::ActionFailed,
            "somebody holds a modifier key down, which would change what a click means",
        )
        .suggest("Wait until the user lets go of the keyboard, then repeat."),
        Ended::Late(None) => Error::new(
            Code::ActionFailed,
            "something that is open, such as a menu, takes all clicks for itself",
        )
        .suggest(
            "Click what is in it, or close it first with `press escape`; `list-surfaces` shows what is \
             open.",
        ),
    })
}

fn unreached(window: &Window, keyboard: Option<Keyboard>) -> Error {
    let error = |message: String| Error::new(Code::ActionFailed, message);
    match keyboard {
        Some(Keyboard { grabbed: true, .. }) => {
            error("something that is open, such as a menu, takes all keys for itself".to_owned())
                .suggest(
                    "Choose an item of it with `click`, which needs no keys, or close it with \
                     `press escape`; `list-surfaces` shows what is open.",
                )
        }
        Some(Keyboard { held: true, .. }) => {
            error("somebody holds a modifier key down, which would change what is typed".to_owned())
                .suggest("Wait until the user lets go of the keyboard, then repeat.")
        }
        _ => error(format!("the keys would not go to window {}", window.id)).suggest(
            "Another window has the focus; give it to this one with `focus-window`, or repeat \
             with --headed, which does that first.",
        ),
    }
}

/// Whether a press of `chord` may end the session, switch away from it or close what is in front.
pub(crate) fn is_dangerous(chord: &Chord) -> bool {
    let modifiers = chord.modifiers;
    let (ctrl, alt, meta) = (modifiers.ctrl, modifiers.alt, modifiers.meta);
    match chord.key {
        Key::Function(4) if alt => true,
        // Text consoles.
        Key::Function(_) if ctrl && alt => true,
        Key::Named(Named::Delete | Named::Backspace) if ctrl && alt => true,
        Key::Named(Named::Tab | Named::Escape) if alt || meta => true,
        Key::Named(Named::Up | Named::Down | Named::Left | Named::Right) if ctrl && alt => true,
        Key::Named(Named::PrintScreen) if alt => true,
        Key::Character('q') if ctrl => true,
        // What window managers and desktops have for themselves.
        Key::Named(Named::MetaAlone) => true,
        _ => meta,
    }
}

/// That a point is on no display.
pub(crate) fn on_a_display(
    point: Point,
    deadline: Deadline,
    context: &Context<'_>,
) -> Result<(), Error> {
    let displays = context.platform.displays(deadline);
    let displays = displays.map_err(|failure| failure.about("the displays", deadline))?;
    if displays.iter().any(|display| display.bounds.holds(point)) {
        return Ok(());
    }
    let areas = displays.iter().map(|display| {
        let bounds = display.bounds;
        format!("{},{} {}x{}", bounds.x, bounds.y, bounds.width, bounds.height)
    });
    Err(Error::new(Code::InvalidArgs, format!("{},{} is on no display", point.x, point.y))
        .suggest(format!("There are: {}.", areas.collect::<Vec<_>>().join("; "))))
}

/// What is told of something that was done with the pointer.
pub(crate) fn pointed(
    operation: &'static str,
    at: Point,
    input: &mut dyn Input,
    deadline: Deadline,
    context: &Context<'_>,
) -> Operated {
    let waited = waited(input);
    let under = input.under(at, deadline).unwrap_or(Under::Nothing);
    let window = match under {
        Under::Window(handle) => named(handle, deadline, context),
        _ => None,
    };
    let target = Target::Pointer { window, x: at.x, y: at.y };
    done(operation, target, waited, None)
}

/// The window with this handle, if it is easily told.
fn named(handle: Handle, deadline: Deadline, context: &Context<'_>) -> Option<WindowName> {
    let platform = context.platform;
    let apps = platform.apps(deadline).ok()?;
    let (mut windows, _) = platform.windows(&apps, deadline).ok()?;
    let (others, _) = platform.windows(&[], deadline).ok()?;
    windows.extend(others);
    let window = windows.into_iter().find(|window| window.handle == Some(handle))?;
    Some(WindowName { id: window.id, title: window.title })
}

/// What is told of something that was done, of which nobody knows what came of it.
pub(crate) fn done(
    operation: &'static str,
    target: Target,
    auto_wait: AutoWait,
    surfaces: Option<Vec<Surface>>,
) -> Operated {
    Operated {
        details: Some(OperationDetails { auto_wait, ..OperationDetails::default() }),
        disposition: Delivery::DeliveredUnverified.into(),
        focused: None,
        operation,
        surfaces,
        target,
    }
}

/// What having the pointer and the keys took so far.
pub(crate) fn waited(input: &dyn Input) -> AutoWait {
    let lease = input.lease();
    AutoWait {
        lease_contention_count: lease.contention,
        lease_hold_ms: u64::try_from(lease.since.elapsed().as_millis()).unwrap_or(u64::MAX),
        ..AutoWait::default()
    }
}

/// Tells that an application has taken keys by its having answered, some times, since they were sent:
/// it goes on with both in turn.
pub(crate) fn answered<'a>(
    platform: &'a dyn Platform,
    app: Option<&'a App>,
    deadline: Deadline,
) -> impl FnMut(usize) -> bool + 'a {
    const ROUNDS: u32 = 3;
    let mut rounds = 0;
    move |sent| {
        let answers = app.is_some_and(|app| platform.app(&app.id, deadline).is_ok());
        rounds += u32::from(answers);
        if sent == 0 { answers } else { rounds >= ROUNDS }
    }
}

/// The error of a failure after something may have been sent.
pub(crate) fn under_way(failure: Failure, deadline: Deadline) -> Error {
    let kind = matches!(failure, Failure::Timeout)
        .then(|| Details::ChainDeadline { post_state: None, steps: Vec::new() });
    let delivery = match failure {
        Failure::Unsupported { .. } | Failure::Occupied => Delivery::NotDelivered,
        _ => Delivery::DeliveryUncertain,
    };
    let error = failure.about("the pointer or the keys", deadline).delivered(delivery);
    match kind {
        Some(kind) => Error {
            message: format!("keys or pointer were not done within {} ms", deadline.limit_ms()),
            ..error.details(kind).suggest(
                "Look at what is there now (`snapshot`) before anything else: a part may have arrived.",
            )
        },
        None => error,
    }
}
