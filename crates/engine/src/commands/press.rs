//! `press`: see its arguments.

use agent_desktop_model::{
    chord::{Chord, NoChord},
    error::{Code, Delivery, Details, Error},
    text::quoted,
    wire,
};

use super::{Context, target};
use crate::{
    arrange, headed, layers,
    platform::{Deadline, Window},
    wait::settle,
};

/// Press keys in the focused window
///
/// A key, or keys joined by `+`, of which the last one is the key and the others are held: `return`,
/// `ctrl+s`, `alt+f`, `shift+tab`. Modifiers are ctrl, alt, shift and meta (cmd). Keys are letters and
/// all other characters, return, escape, tab, space, backspace, delete, insert, home, end, pageup,
/// pagedown, up, down, left, right, menu, printscreen and f1 to f12, whatever the keyboard layout.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Keys joined by `+`, such as `ctrl+shift+s`
    #[arg(value_name = "COMBO", allow_hyphen_values = true)]
    pub combo: String,

    /// Name of the application that has to have the focus; with --headed it is given to it first
    #[arg(long, value_name = "NAME")]
    pub app: Option<String>,

    /// Id of the window that has to have the focus; with --headed it is given to it first
    #[arg(long, value_name = "ID")]
    pub window_id: Option<String>,

    /// Press even what may end the session, switch away from it or close what is in front
    #[arg(long)]
    pub force: bool,

    /// Time for finding the window and waiting until keys reach it
    #[arg(long, value_name = "MS", default_value_t = 5_000)]
    pub timeout_ms: u64,
}

/// The data of `press`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Operated, Error> {
    let chord: Chord = args.combo.parse().map_err(|NoChord(cause)| {
        Error::new(Code::InvalidArgs, format!("{} cannot be pressed: {cause}", quoted(&args.combo)))
            .suggest(
                "Join modifiers and one key by `+`, such as `ctrl+shift+s`; `type` is for longer \
                 texts.",
            )
    })?;
    if headed::is_dangerous(&chord) && !args.force {
        return Err(Error::new(
            Code::PolicyDenied,
            format!("{chord} may end the session, switch away from it or close what is in front"),
        )
        .suggest(format!(
            "If that is wanted, run `agent-desktop press {chord} --force`; a menu item may do \
             what is meant."
        )));
    }
    let deadline = Deadline::after_ms(args.timeout_ms);
    let platform = context.platform;
    let named = target::Named {
        app: args.app.as_deref(),
        window_id: args.window_id.as_deref(),
        title: None,
    };
    let window = target::shown(platform, &named, deadline)?;
    if !window.focused && !context.headed {
        return Err(Error::new(
            Code::PolicyDenied,
            format!("window {} does not have the focus, and taking it is not permitted", window.id),
        )
        .suggest("If the user allows it, repeat it with --headed, which focuses it first."));
    }
    let app = window.address.is_some().then_some(&window.app);
    let mut listener = app.and_then(|app| platform.listen(Some(&app.id), deadline).ok());

    let mut input = headed::take(platform, deadline)?;
    if !window.focused {
        headed::focus(&window, deadline, context)?;
    }
    // Escape is how an open menu is closed, which takes all keys for itself.
    match chord.is_escape() {
        true => headed::keys_reach_or_menu(&mut *input, &window, deadline)?,
        false => headed::keys_reach(&mut *input, &window, deadline)?,
    }
    let mut arrived = headed::answered(platform, app, deadline);
    let pressed = input.press(&chord, &mut arrived, deadline);
    pressed.map_err(|failure| headed::under_way(failure, deadline))?;
    let waited = headed::waited(&*input);
    drop(input);
    stayed(&window, deadline, context)?;

    let surfaces = match (&mut listener, app) {
        (Some(listener), Some(app)) => {
            settle(&mut **listener, deadline);
            layers::open(platform, std::slice::from_ref(app), deadline).ok()
        }
        _ => None,
    };
    let target = arrange::target(&window, deadline, context);
    Ok(headed::done("press", target, waited, surfaces))
}

/// The keys went elsewhere if `window` lost the focus before they came, which cannot be told from its
/// having lost it by them: so that is no error, unless it is another application that has it now and
/// the window is still there.
fn stayed(window: &Window, deadline: Deadline, context: &Context<'_>) -> Result<(), Error> {
    let now = context.platform.focused_window(deadline);
    let Ok(Some(now)) = now else { return Ok(()) };
    let is_same = now.handle == window.handle || now.app.process == window.app.process;
    let still_there = window.handle.is_some_and(|handle| {
        let standing = context.platform.standing(handle, deadline);
        standing.is_ok_and(|standing| standing.visible)
    });
    if is_same || !still_there {
        return Ok(());
    }
    Err(Error::new(
        Code::ActionFailed,
        format!(
            "window {} of {} has the focus now, and may have taken the keys",
            now.id, now.app.name
        ),
    )
    .suggest("Look at both windows (`snapshot --window-id`) before anything else.")
    .details(Details::PostActionVerification {
        expected: window.id.clone(),
        observed: Some(now.id),
        post_state: None,
        steps: Vec::new(),
    })
    .delivered(Delivery::DeliveryUncertain))
}
