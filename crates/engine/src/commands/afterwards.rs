//! `--wait-for` and `--wait-for-gone`: what `snapshot` and the actions on a ref wait for once they
//! are done. After an action, its own window counts and whatever else its application has open. What
//! was so before the action as well ends the wait, and is told to have been: it may have stayed on
//! purpose, and may as well be what the effect of the action has not replaced yet.

use std::time::Duration;

use agent_desktop_model::{
    error::{Code, Details, Error},
    selector::{Pattern, Predicate, Selector, StateTest},
    state::State,
    surface::SurfaceKind,
    text::quoted,
    tree::{Address, Node},
    wire::{Awaited, Done, TargetAbsent},
};

use super::{Context, find, snapshot, target};
use crate::{
    layers, observe,
    platform::{Cells, Deadline, Failure, Window},
    region,
    wait::{Ended, until},
};

/// The flags that say what is waited for afterwards.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// After `snapshot` or an action on a ref, wait until there is such an element: ROLE,
    /// ROLE:TEXT or :TEXT, the text being part of its name, value or description
    #[arg(
        short,
        long,
        global = true,
        value_name = "SELECTOR",
        conflicts_with = "wait_for_gone",
        allow_hyphen_values = true
    )]
    pub wait_for: Option<String>,

    /// The same, until there is none
    #[arg(long, global = true, value_name = "SELECTOR", allow_hyphen_values = true)]
    pub wait_for_gone: Option<String>,

    /// Milliseconds that such a wait may take; a day at most
    #[arg(
        long,
        global = true,
        value_name = "MS",
        default_value_t = 30_000,
        value_parser = clap::value_parser!(u64).range(..=super::DAY_MS)
    )]
    pub wait_timeout: u64,
}

/// How long one look at the windows may take.
const LOOK: Duration = Duration::from_secs(3);

/// How long the last look may take, whose snapshot goes with the error.
const LAST_LOOK: Duration = Duration::from_millis(600);

impl Args {
    /// The flag that asks for a wait, if one does.
    pub fn asked(&self) -> Option<&'static str> {
        match (&self.wait_for, &self.wait_for_gone) {
            (Some(_), _) => Some("--wait-for"),
            (None, Some(_)) => Some("--wait-for-gone"),
            (None, None) => None,
        }
    }
}

/// The data of a `snapshot` that waits: its window, as soon as that is as it is wanted.
pub fn snapshot(
    args: &snapshot::Args,
    waits: &Args,
    context: &Context<'_>,
) -> Result<Awaited, Error> {
    let wanted = Wanted::of(waits)?;
    if args.root.is_some() {
        return Err(Error::new(Code::InvalidArgs, "--root cannot be combined with a wait")
            .suggest("Wait with `snapshot --app` or `snapshot --window-id`, then drill."));
    }
    snapshot::check(args)?;
    let platform = context.platform;
    let cells = match find::cells_for(&wanted.selector) {
        Cells::Shown => Cells::Shown,
        Cells::Counted => snapshot::cells(args),
    };
    let look = |deadline| match target::scope(platform, &args.target, cells, || deadline) {
        Ok((scope, _)) => Ok(Sight::Open { scopes: vec![scope], own: true }),
        Err(error) if wanted.gone && is_absence(error.code) => Ok(Sight::Closed),
        Err(error) => Err(error),
    };
    let deadline = Deadline::after_ms(waits.wait_timeout);
    let app = target::window(platform, &args.target, deadline).ok().map(|window| window.app.id);
    let listener = platform.listen(app.as_ref(), deadline).ok();
    let outcome = until(listener, deadline, || wanted.question(look, context, deadline));
    wanted.answer(outcome, look, args, None, deadline, context)
}

/// The data of an action on the ref `token` after which something is waited for.
pub fn action<T: Into<Done>>(
    waits: &Args,
    token: Option<&str>,
    context: &Context<'_>,
    act: impl FnOnce(&Context<'_>) -> Result<T, Error>,
) -> Result<Awaited, Error> {
    let mut wanted = Wanted::of(waits)?;
    let token = token.ok_or_else(|| {
        Error::new(Code::InvalidArgs, "nothing tells in which window to wait after this")
            .suggest("Name an element by its ref instead of a place, or use `wait` afterwards.")
    })?;
    let reference = target::reference(token)?;
    let window = context.store.load(&reference.snapshot)?.window;
    let platform = context.platform;
    let cells = find::cells_for(&wanted.selector);
    let look = |deadline: Deadline| {
        let app = match platform.app(&window.app_id, deadline) {
            Ok(app) => app,
            Err(Failure::Gone) => return Ok(Sight::Closed),
            Err(failure) => return Err(failure.about("the application", deadline)),
        };
        let mut windows = layers::windows(platform, &[app], deadline)?;
        windows.sort_by_key(|other| other.id != window.id);
        let own = windows.first().is_some_and(|first| first.id == window.id);
        let readable = windows.into_iter().filter(|window| window.address.is_some());
        let scopes = readable.map(|window| whole(window, cells, context, deadline));
        Ok(Sight::Open { scopes: scopes.collect::<Result<_, _>>()?, own })
    };
    let before = Deadline::after_ms(waits.wait_timeout).within(LOOK);
    wanted.before = wanted.seen(look, context, before).ok();
    let acted = act(context)?;
    let deadline = Deadline::after_ms(waits.wait_timeout);
    let listener = platform.listen(Some(&window.app_id), deadline).ok();
    let outcome = until(listener, deadline, || wanted.question(look, context, deadline));
    let args = snapshot::Args::default();
    wanted.answer(outcome, look, &args, Some(Box::new(acted.into())), deadline, context)
}

/// What is waited for.
struct Wanted<'a> {
    /// As it was given.
    text: &'a str,
    selector: Selector,
    gone: bool,
    /// What matched before the action, where that is known.
    before: Option<Vec<Match>>,
}

/// An element that matched, as it was then.
#[derive(Debug, PartialEq, Eq)]
struct Match {
    address: Address,
    digest: u64,
    value: Option<Box<str>>,
}

/// What there is to look for an element in.
enum Sight {
    /// The windows, the one that is meant first, if it is there.
    Open { scopes: Vec<target::Scope>, own: bool },
    /// The application or the window is not there.
    Closed,
}

/// What a wait ended with.
enum Found {
    /// The window that is as it is wanted, and whether it was so before the action.
    Window {
        scope: Box<target::Scope>,
        already: bool,
    },
    TargetAbsent,
}

impl<'a> Wanted<'a> {
    fn of(waits: &'a Args) -> Result<Self, Error> {
        let gone = waits.wait_for_gone.is_some();
        let text = waits.wait_for.as_deref().or(waits.wait_for_gone.as_deref()).unwrap_or_default();
        let (role, part) = text.split_once(':').unwrap_or((text, ""));
        if role.is_empty() && part.is_empty() {
            return Err(Error::new(
                Code::InvalidArgs,
                format!("{} does not say what to wait for", quoted(text)),
            )
            .suggest("Use ROLE, ROLE:TEXT or :TEXT, such as `button:Submit` or `:Saved`."));
        }
        let role = match role {
            "" => None,
            // A text that was meant as one has no colon before it.
            token => Some(find::role(token).map_err(|error| {
                let roles = error.suggestion.clone().unwrap_or_default();
                error.suggest(format!("For a text alone put a colon before it. {roles}"))
            })?),
        };
        // What nobody sees is not there.
        let shown = StateTest { predicate: Predicate::Has(State::Hidden), wanted: false };
        let selector = Selector {
            role,
            text: (!part.is_empty()).then(|| Pattern::new(part, false)),
            states: vec![shown],
            ..Selector::default()
        };
        Ok(Self { text, selector, gone, before: None })
    }

    /// What matches now.
    fn seen(
        &self,
        look: impl Fn(Deadline) -> Result<Sight, Error>,
        context: &Context<'_>,
        deadline: Deadline,
    ) -> Result<Vec<Match>, Error> {
        let Sight::Open { mut scopes, .. } = look(deadline)? else { return Ok(Vec::new()) };
        let mut all = Vec::new();
        for target::Scope { tree, top, .. } in &mut scopes {
            let found = find::below(context.platform, tree, *top, &self.selector, deadline)?;
            all.extend(found.into_iter().map(|id| Match::of(&tree[id])));
        }
        Ok(all)
    }

    /// Whether what matches now matched before the action as well; of nothing, whether nothing did.
    fn was_so(&self, now: &[Match]) -> bool {
        self.before.as_ref().is_some_and(|before| match now {
            [] => before.is_empty(),
            now => now.iter().all(|one| before.contains(one)),
        })
    }

    /// Whether it is so by now, and where.
    fn question(
        &self,
        look: impl Fn(Deadline) -> Result<Sight, Error>,
        context: &Context<'_>,
        deadline: Deadline,
    ) -> Result<Option<Found>, Error> {
        let deadline = deadline.within(LOOK);
        let Sight::Open { mut scopes, own } = look(deadline)? else {
            return Ok(Some(Found::TargetAbsent));
        };
        let mut matching = None;
        let mut now = Vec::new();
        for (index, scope) in scopes.iter_mut().enumerate() {
            let target::Scope { tree, top, .. } = scope;
            let found = find::below(context.platform, tree, *top, &self.selector, deadline)?;
            if !found.is_empty() {
                // The first window, unless what is in another one is new.
                let matches: Vec<Match> = found.iter().map(|id| Match::of(&tree[*id])).collect();
                if matching.is_none() || self.was_so(&now) && !self.was_so(&matches) {
                    matching = Some(index);
                }
                now.extend(matches);
            } else if self.gone && !tree.complete {
                return Err(region::incomplete(tree, deadline));
            }
        }
        Ok(match (self.gone, matching) {
            (false, None) | (true, Some(_)) => None,
            (false, Some(index)) => Some(Found::Window {
                scope: Box::new(scopes.swap_remove(index)),
                already: self.was_so(&now),
            }),
            (true, None) if own && !scopes.is_empty() => Some(Found::Window {
                scope: Box::new(scopes.swap_remove(0)),
                already: self.was_so(&now),
            }),
            (true, None) => Some(Found::TargetAbsent),
        })
    }

    /// What of `scope` it is that matches, for a message.
    fn named_in(&self, scope: &mut target::Scope, context: &Context<'_>) -> String {
        let target::Scope { tree, top, .. } = scope;
        let limit = Deadline::after(LAST_LOOK);
        let found = find::below(context.platform, tree, *top, &self.selector, limit);
        let first = found.ok().and_then(|found| found.first().copied());
        first
            .map(|id| format!(" ({})", observe::called(tree[id].role, &tree[id].name)))
            .unwrap_or_default()
    }

    fn answer(
        &self,
        outcome: Result<Found, Ended>,
        look: impl Fn(Deadline) -> Result<Sight, Error>,
        args: &snapshot::Args,
        after_action: Option<Box<Done>>,
        deadline: Deadline,
        context: &Context<'_>,
    ) -> Result<Awaited, Error> {
        let elapsed_ms = deadline.elapsed_ms();
        let delivery = after_action.as_ref().map(|done| done.delivery()).unwrap_or_default();
        let capture = |scope, limit| snapshot::capture(args, scope, limit, context);
        let matched_selector = self.text.to_owned();
        match outcome {
            Ok(Found::Window { scope, already }) => {
                let captured = capture(*scope, Deadline::after_ms(args.timeout_ms))
                    .map_err(|error| error.delivered(delivery))?;
                Ok(Awaited::Window(Box::new(agent_desktop_model::wire::Snapshot {
                    after_action,
                    already,
                    elapsed_ms: Some(elapsed_ms),
                    gone: self.gone,
                    matched_selector: Some(matched_selector),
                    ..captured
                })))
            }
            Ok(Found::TargetAbsent) if self.gone => Ok(Awaited::Absent(TargetAbsent {
                after_action,
                elapsed_ms,
                gone: true,
                matched_selector,
                target_absent: true,
            })),
            Ok(Found::TargetAbsent) => Err(Error::new(
                Code::AppNotFound,
                format!("the application has ended, so {} cannot come", quoted(self.text)),
            )
            .suggest("See what runs with `list-apps`.")
            .delivered(delivery)),
            Err(Ended::Failed(error)) => Err(error.delivered(delivery)),
            Err(Ended::Late(error)) => {
                let mut last =
                    look(Deadline::after(LAST_LOOK)).ok().and_then(|sight| match sight {
                        Sight::Open { scopes, .. } => scopes.into_iter().next(),
                        Sight::Closed => None,
                    });
                let what = match last.as_mut().filter(|_| self.gone) {
                    Some(scope) => format!("is still there{}", self.named_in(scope, context)),
                    None if self.gone => "is still there".to_owned(),
                    None => "has not come".to_owned(),
                };
                let last = last.and_then(|scope| capture(scope, Deadline::after(LAST_LOOK)).ok());
                Err(Error::new(
                    Code::Timeout,
                    format!("{} {what} after {} ms", quoted(self.text), deadline.limit_ms()),
                )
                .suggest(error.as_ref().and_then(|error| error.suggestion.clone()).unwrap_or_else(
                    || {
                        "Look at what is there (`snapshot`), or wait longer with --wait-timeout."
                            .to_owned()
                    },
                ))
                .details(Details::WaitTimeout {
                    after_action,
                    elapsed_ms,
                    last_error: error.map(|error| error.message),
                    last_observed: None,
                    predicate: "selector",
                    snapshot_id: last.map(|last| last.snapshot_id),
                    timeout_ms: deadline.limit_ms(),
                })
                .delivered(delivery))
            }
        }
    }
}

impl Match {
    fn of(node: &Node) -> Self {
        let value = node.shown_value().map(Into::into);
        Self { address: node.address.clone(), digest: node.digest, value }
    }
}

/// `window` as a whole.
fn whole(
    window: Window,
    cells: Cells,
    context: &Context<'_>,
    deadline: Deadline,
) -> Result<target::Scope, Error> {
    let (address, tree) = layers::observe(context.platform, &window, cells, deadline)?;
    let top = tree.root();
    let others = Vec::new();
    Ok(target::Scope { window, others, address, surface: SurfaceKind::Window, tree, top })
}

/// Whether an error says that there is no such application, window or surface.
fn is_absence(code: Code) -> bool {
    matches!(code, Code::AppNotFound | Code::WindowNotFound | Code::ElementNotFound)
}
