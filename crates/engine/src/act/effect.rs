//! What came of a request: the element read back and held against the promise, each time that the
//! application tells of a change.

use std::time::{Duration, Instant};

use agent_desktop_model::{
    action::PostState,
    error::Error,
    role::Role,
    state::State,
    text::{brief, fold, number},
    tree::{Address, Field, FieldSet, Node, Tree},
};

use super::action::{Promise, is_on};
use crate::{
    layers,
    platform::{
        Above, Answered, App, ChangeKind, Content, Deadline, Failure, FirstEffect, Operator,
        Platform,
    },
    wait::CALM,
};

/// What was seen of an element and its application at one moment.
#[derive(Debug)]
pub(super) struct Seen {
    /// None if it is gone.
    pub(super) tree: Option<Tree>,
    /// The application, unless it has ended or the promise is about the element alone.
    app: Option<App>,
    /// Ids of its windows, or of all surfaces, as far as the promise is about them.
    open: Vec<String>,
}

/// Where an element is that is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    pub(super) address: &'a Address,
    /// What it stands in, nearest first.
    pub(super) within: &'a [Above],
}

impl Place<'_> {
    fn is_in_page(self) -> bool {
        self.within.iter().any(|above| above.role == Role::WebArea)
    }
}

/// What came of a request.
#[derive(Debug)]
pub(super) struct Effect {
    pub(super) verdict: Verdict,
    /// The element as it was seen last; none if it is gone or did not answer.
    pub(super) post_state: Option<PostState>,
    /// What was found where the promise was looked for.
    pub(super) observed: Option<String>,
    /// Whether anything changed in the application.
    pub(super) changed: bool,
    /// Whether the application has ended.
    pub(super) ended: bool,
    /// Whether it told of anything by which something may have opened or closed.
    pub(super) stirred: bool,
    /// Whether another element had come in its place before the request did anything.
    pub(super) replaced: bool,
}

/// How what is there relates to what was promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Kept,
    Broken,
    /// Not kept so far, and nobody can tell whether it still will be.
    Pending,
    /// The application offers nothing to tell by.
    Untold,
    /// It did not answer.
    Silent,
}

/// Whether windows are counted again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Around {
    Asked,
    /// The application has told of nothing that opens or closes any.
    Unchanged,
}

/// How long a chain of changes is followed at most.
const CHAIN: Duration = Duration::from_millis(500);

/// How long what has arrived together is taken together.
const DRAIN: Duration = Duration::from_millis(1);

/// How often an element is read again although its application tells of no change.
const POLL: Duration = Duration::from_millis(100);

/// How long before the first effect it is asked last who the element is.
const LAST_ASK: Duration = Duration::from_millis(25);

/// How often that is asked at most because the application tells of something before.
const ASKS: u32 = 8;

/// How long one reading may take while a request is under way: the application may be deaf.
const GLANCE: Duration = Duration::from_secs(2);

/// The element at `place`, with what `promise` is about; none if it is gone.
pub(super) fn look(
    platform: &dyn Platform,
    place: Place<'_>,
    promise: &Promise,
    deadline: Deadline,
) -> Result<Option<Tree>, Failure> {
    let where_it_is = match promise {
        Promise::Shifted { .. } => Field::Bounds,
        _ => Field::Area,
    };
    let fields: FieldSet = [Field::Value, where_it_is].into_iter().collect();
    let read = || -> Result<Tree, Failure> {
        let mut tree = platform.read(place.address, place.within, deadline)?;
        let root = tree.root();
        match platform.fill(&mut tree, &[(root, fields)], deadline)? {
            true => Ok(tree),
            false => Err(Failure::Timeout),
        }
    };
    match read() {
        Ok(tree) => Ok(Some(tree)),
        Err(Failure::Gone) => Ok(None),
        Err(failure) => Err(failure),
    }
}

impl Seen {
    /// An element that is there as `tree`, before anything is sent, and what is open of `app` as
    /// far as `promise` is about it.
    pub(super) fn before(
        platform: &dyn Platform,
        tree: Option<Tree>,
        app: Option<&App>,
        promise: &Promise,
        deadline: Deadline,
    ) -> Result<Self, Error> {
        let app = app.cloned();
        let open = Self::open(platform, app.as_slice(), promise, deadline)?;
        Ok(Self { tree, app, open })
    }

    /// What is there after it was as `self`.
    fn now(
        &self,
        platform: &dyn Platform,
        place: Place<'_>,
        promise: &Promise,
        around: Around,
        deadline: Deadline,
    ) -> Option<Self> {
        let tree = look(platform, place, promise, deadline).ok()?;
        let open = match around {
            Around::Asked => Self::open(platform, self.app.as_slice(), promise, deadline).ok()?,
            Around::Unchanged => self.open.clone(),
        };
        Some(Self { tree, app: self.app.clone(), open })
    }

    /// The ids of what is open of `apps`, as far as `promise` is about it.
    fn open(
        platform: &dyn Platform,
        apps: &[App],
        promise: &Promise,
        deadline: Deadline,
    ) -> Result<Vec<String>, Error> {
        Ok(match promise {
            _ if apps.is_empty() => Vec::new(),
            Promise::Opens | Promise::Carries => {
                let open = layers::open(platform, apps, deadline)?;
                open.into_iter().map(|surface| surface.id).collect()
            }
            Promise::AnyOwn => {
                let (windows, _) = platform
                    .windows(apps, deadline)
                    .map_err(|failure| failure.about("the application", deadline))?;
                windows.into_iter().map(|window| window.id).collect()
            }
            _ => Vec::new(),
        })
    }

    fn node(&self) -> Option<&Node> {
        self.tree.as_ref().map(|tree| &tree[tree.root()])
    }
}

/// Waits for `promise` to be kept by the element that was `before`, no longer than its toolkit may
/// take.
pub(super) fn wait(
    platform: &dyn Platform,
    operator: &mut dyn Operator,
    first: FirstEffect,
    before: &Seen,
    place: Place<'_>,
    promise: &Promise,
    deadline: Deadline,
) -> Effect {
    let start = Instant::now();
    let FirstEffect { earliest, latest, patience, is_final, unchanged_until } = first;
    let last_ask = earliest.saturating_sub(LAST_ASK);
    let mut ask_at = unchanged_until;
    let mut told_early = 0;
    let mut replaced = false;
    let limit = match promise {
        Promise::AnyOwn | Promise::Nothing => latest,
        _ => patience,
    };
    let mut until = deadline.within(limit);
    let mut changed = false;
    let mut stirred = false;
    let mut last = false;
    let judge = |around| judge(platform, before, place, promise, around, deadline);
    // What is promised of a click on anything is told by the windows only if nothing else does.
    let in_passing = |stirred: bool| match *promise == Promise::AnyOwn && !stirred {
        true => Around::Unchanged,
        false => Around::Asked,
    };
    let mut effect = judge(in_passing(stirred));
    loop {
        if ask_at.is_some_and(|at| at <= start.elapsed()) {
            ask_at = (start.elapsed() < last_ask).then_some(last_ask);
            replaced = operator.is_still_same(deadline) == Some(false);
            if replaced {
                break;
            }
        }
        let over_early = start.elapsed() < earliest && *promise == Promise::AnyOwn;
        if effect.verdict == Verdict::Kept && !over_early {
            break;
        }
        let in_chain = changed && *promise == Promise::AnyOwn;
        // Nothing is to be seen before the toolkit's first effect, unless it tells of it.
        let idle = earliest.saturating_sub(start.elapsed());
        let pause = if in_chain { CALM } else { POLL.max(idle) };
        let pause = ask_at.map_or(pause, |at| pause.min(at.saturating_sub(start.elapsed())));
        match operator.next_change(until.within(pause)) {
            Some(change) => {
                if unchanged_until.is_some() && start.elapsed() < earliest && told_early < ASKS {
                    told_early += 1;
                    ask_at = Some(Duration::ZERO);
                }
                stirred |= change.kind.may_open();
                if change.kind != ChangeKind::Other && start.elapsed() >= earliest {
                    if !in_chain && *promise == Promise::AnyOwn {
                        until = deadline.within(CHAIN);
                    }
                    changed = true;
                }
                let drained = Deadline::after(DRAIN);
                while let Some(change) = operator.next_change(drained)
                    && !drained.passed()
                {
                    stirred |= change.kind.may_open();
                }
                // One that never stops telling of changes is not waited for longer than others.
                last = until.passed() && (deadline.passed() || !is_silent(operator, &effect));
            }
            None if ask_at.is_some_and(|at| at <= start.elapsed()) => continue,
            // Where nothing is answered, neither the request nor a question, all the time that
            // there is may be needed.
            None if until.passed() && !deadline.passed() && is_silent(operator, &effect) => {
                until = deadline.within(patience);
            }
            None if until.passed() || in_chain => {
                if in_passing(stirred) == Around::Unchanged {
                    effect = judge(Around::Asked);
                }
                break;
            }
            None => {}
        }
        effect = judge(if last { Around::Asked } else { in_passing(stirred) });
        if last || effect.ended || effect.verdict == Verdict::Untold && *promise == Promise::Nothing
        {
            break;
        }
    }
    if effect.verdict == Verdict::Broken && !is_final {
        effect.verdict = Verdict::Pending;
    }
    effect.changed |= changed;
    effect.stirred = stirred;
    effect.replaced = replaced;
    effect
}

fn is_silent(operator: &dyn Operator, effect: &Effect) -> bool {
    effect.verdict == Verdict::Silent || operator.answer() == Answered::NotYet
}

/// Holds what is there now against the promise.
fn judge(
    platform: &dyn Platform,
    before: &Seen,
    place: Place<'_>,
    promise: &Promise,
    around: Around,
    deadline: Deadline,
) -> Effect {
    let of = |verdict, changed| Effect {
        verdict,
        post_state: None,
        observed: None,
        changed,
        ended: false,
        stirred: false,
        replaced: false,
    };
    let glance = deadline.within(GLANCE);
    let app = &place.address.app;
    let Some(now) = before.now(platform, place, promise, around, glance) else {
        return of(Verdict::Silent, false);
    };
    let Some(node) = now.node() else {
        // An element that is gone has closed with what it stood in, which is what a click on it
        // may do; a state or text that was promised cannot be told any more. What is in a page
        // is drawn anew at every turn.
        let ended = matches!(platform.app(app, glance), Err(Failure::Gone));
        let verdict = match promise {
            Promise::AnyOwn if place.is_in_page() && !ended && now.open == before.open => {
                Verdict::Broken
            }
            Promise::Carries | Promise::AnyOwn => Verdict::Kept,
            Promise::Opens if !ended => Verdict::Kept,
            _ => Verdict::Untold,
        };
        return Effect { ended, ..of(verdict, true) };
    };
    let (verdict, observed) = verdict(platform, promise, before, &now, (place, node), glance);
    let post_state = PostState::of(node.role, node.states, node.shown_value());
    let changed = before.node().is_some_and(|then| differs(then, node));
    Effect { post_state: Some(post_state), observed, ..of(verdict, changed) }
}

fn verdict(
    platform: &dyn Platform,
    promise: &Promise,
    before: &Seen,
    now: &Seen,
    (place, node): (Place<'_>, &Node),
    deadline: Deadline,
) -> (Verdict, Option<String>) {
    let kept = |kept: bool| if kept { Verdict::Kept } else { Verdict::Broken };
    let same_open = now.open == before.open;
    match promise {
        Promise::Nothing => (Verdict::Untold, None),
        Promise::On(on) => (kept(is_on(node) == *on), Some(on_or_off(is_on(node)).to_owned())),
        Promise::State(state, wanted) => {
            let is = node.states.has(*state);
            let observed =
                if is { state.token().to_owned() } else { format!("not {}", state.token()) };
            (kept(is == *wanted), Some(observed))
        }
        // That something has closed is none: a click beside an open menu does that.
        Promise::Opens => {
            let opened = now.open.iter().any(|one| !before.open.contains(one));
            (kept(opened || gained(before, node, State::Expanded)), None)
        }
        Promise::Carries | Promise::AnyOwn => {
            // Chromium 156 answers for a page that may be 50 ms further on, where what is clicked may
            // have been called otherwise by then, whatever the click did.
            let differs = if place.is_in_page() { differs_in_state } else { differs };
            let changed = before.node().is_none_or(|then| differs(then, node));
            (kept(changed || !same_open), None)
        }
        Promise::Text(text) => match platform.content(node, deadline) {
            Ok(Content::Text { text: now, .. }) => (kept(*now == **text), Some(brief(&now))),
            Ok(Content::Number { .. } | Content::Nothing) => (Verdict::Untold, None),
            Err(_) => (Verdict::Silent, None),
        },
        Promise::Number(wanted) => match platform.content(node, deadline) {
            Ok(Content::Number { now, .. }) => {
                (kept((now - wanted).abs() < 1e-6 * wanted.abs().max(1.0)), Some(number(now)))
            }
            Ok(Content::Text { .. } | Content::Nothing) => (Verdict::Untold, None),
            Err(_) => (Verdict::Silent, None),
        },
        Promise::Moved { from, up } => match platform.content(node, deadline) {
            Ok(Content::Number { now, .. }) => {
                let moved = if *up { now > *from } else { now < *from };
                (kept(moved), Some(number(now)))
            }
            Ok(Content::Text { .. } | Content::Nothing) => (Verdict::Untold, None),
            Err(_) => (Verdict::Silent, None),
        },
        Promise::Shifted { x, y } => {
            let then = before.node().and_then(|node| node.bounds);
            let shifted = then.zip(node.bounds).map(|(then, now)| {
                let along = |wanted: i32, then: i32, now: i32| {
                    wanted == 0 || (now - then).signum() == wanted.signum()
                };
                along(*x, then.x, now.x) && along(*y, then.y, now.y)
            });
            (shifted.map_or(Verdict::Untold, kept), None)
        }
        Promise::Choice(wanted) => match node.shown_value() {
            Some(shown) => (kept(fold(shown) == fold(wanted)), Some(shown.to_owned())),
            None => (Verdict::Untold, None),
        },
    }
}

/// Whether what `promise` says of an element is so without anything having been done.
pub(super) fn is_so(promise: &Promise, node: &Node) -> bool {
    match promise {
        Promise::On(on) => is_on(node) == *on,
        Promise::State(state, wanted) => node.states.has(*state) == *wanted,
        Promise::Choice(wanted) => {
            node.shown_value().is_some_and(|shown| fold(shown) == fold(wanted))
        }
        _ => false,
    }
}

fn gained(before: &Seen, node: &Node, state: State) -> bool {
    node.states.has(state) && before.node().is_some_and(|then| !then.states.has(state))
}

/// Whether an element says something else of itself than before.
fn differs(then: &Node, now: &Node) -> bool {
    then.name != now.name || differs_in_state(then, now)
}

/// That it has the focus is no news: pages give it to whatever is pressed.
fn differs_in_state(then: &Node, now: &Node) -> bool {
    let states = |node: &Node| {
        let mut states = node.states;
        states.remove(State::Focused);
        states
    };
    (states(then), then.shown_value()) != (states(now), now.shown_value())
}

fn on_or_off(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}
