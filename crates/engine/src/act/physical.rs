//! Acting with the pointer and the keys, where that is permitted and either is meant by the command or
//! the only way that there is.
//!
//! The window gets the focus, and under the lease of the pointer the element is found and checked once
//! more. It has to be in front: what is at the point is asked of the display server and of the
//! application, before the pointer moves and after.

use std::time::Duration;

use agent_desktop_model::{
    action::{Check, Gate, Mechanism, Occluder, Status},
    capability::Capability,
    chord::{Chord, Key, Modifiers, Named},
    error::{Code, Delivery, Details, Error},
    geometry::{Point, Rect},
    reference::Ref,
    role::Role,
    state::State,
    tree::{Address, Field, FieldSet, Node, Tree},
    wire::{Acted, Operated},
};

use super::{
    Action, Attempt, Direction, Place, Promise, Report,
    action::{is_on, of_click},
    effect::{self, Seen},
    gates,
    ready::Ready,
    request::inserted,
};
use crate::{
    commands::Context,
    headed, layers,
    observe::called,
    platform::{
        Answered, Button, Click, Content, Deadline, Drag, Failure, FirstEffect, Input, Operator,
        Reach, Request, Turn, Under, Window,
    },
    wait,
};

/// What is done with the pointer and the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gesture<'a> {
    Click(Button, u32),
    Wheel(Direction, u32),
    /// Text where the caret is.
    Type(&'a str),
    /// Text in the place of all that is there.
    Overwrite(&'a str),
}

/// How long an element has to stand still, in two looks at it.
const STILL: Duration = Duration::from_millis(34);

/// How long it is waited for what is scrolled into view, or gets the focus.
const PATIENCE: Duration = Duration::from_millis(1_000);

/// Why the pointer does not get to an element that its window shows.
const OFF_SCREEN: &str = "it has no place on the screen";

const POLL: Duration = Duration::from_millis(20);

/// How often the pointer goes after an element that moves.
const TRIES: u32 = 3;

/// Whether `action` is done by hand first, where that is permitted.
pub(super) fn gesture(action: Action<'_>) -> Option<Gesture<'_>> {
    match action {
        Action::Click => Some(Gesture::Click(Button::Left, 1)),
        Action::RightClick => Some(Gesture::Click(Button::Right, 1)),
        Action::DoubleClick => Some(Gesture::Click(Button::Left, 2)),
        Action::TripleClick => Some(Gesture::Click(Button::Left, 3)),
        Action::Type(text) => Some(Gesture::Type(text)),
        Action::Scroll(direction, amount) => Some(Gesture::Wheel(direction, amount)),
        _ => None,
    }
}

/// What does `action` by hand where the application offers nothing for it.
pub(super) fn instead(action: Action<'_>) -> Option<Gesture<'_>> {
    match action {
        Action::SetValue(text) => Some(Gesture::Overwrite(text)),
        Action::Clear => Some(Gesture::Overwrite("")),
        Action::Toggle | Action::Check | Action::Uncheck | Action::Expand | Action::Collapse => {
            Some(Gesture::Click(Button::Left, 1))
        }
        _ => None,
    }
}

/// Does `gesture` to the element of `attempt`.
pub(super) fn run(
    attempt: &mut Attempt<'_>,
    action: Action<'_>,
    gesture: Gesture<'_>,
    context: &Context<'_>,
) -> Result<Acted, Error> {
    attempt.by_hand = true;
    let deadline = attempt.deadline;
    let platform = attempt.platform;
    let Ready { tree, node, .. } = attempt.ready(action, true)?;
    let mut report = Report::new(action, attempt.reference, None, attempt.tries);
    if super::is_satisfied(action, &tree[node]) {
        return Ok(report.satisfied(&tree[node]));
    }
    let mut operator = platform
        .operate(&tree[node].address.app, deadline)
        .map_err(|failure| attempt.about(failure))?;
    if tree[node].states.has(State::Offscreen) {
        attempt.bring_into_view(&mut *operator, &tree[node], deadline)?;
    }
    let window = platform
        .window(&attempt.map.window.id, deadline)
        .map_err(|failure| failure.about("the window", deadline))?;

    let mut input = headed::take(platform, deadline)?;
    // A menu or a list that opened is of no window that could get the focus.
    if window.handle.is_some() {
        headed::focus(&window, deadline, context)?;
    }
    // While it was waited for the pointer and the focus, anything may have happened.
    let Ready { tree, node, within, witnesses, .. } = attempt.ready(action, true)?;
    let node = &tree[node];
    let target = Target { window: &window, node, within: &within };
    let place = Place { address: &node.address, within: &within };
    attempt.witnesses = witnesses;

    let promise = match gesture {
        Gesture::Click(..) => of_gesture(action, node),
        Gesture::Wheel(..) => Promise::AnyOwn,
        Gesture::Type(text) => {
            attempt.give_focus(&mut *input, &mut *operator, &target, deadline)?;
            attempt.typed(text, node)?
        }
        Gesture::Overwrite(text) => {
            attempt.give_focus(&mut *input, &mut *operator, &target, deadline)?;
            attempt.overwritten(text, node)?
        }
    };
    let before = effect::look(platform, place, &promise, deadline)
        .map_err(|failure| attempt.about(failure))?;
    let app = match promise {
        Promise::Opens | Promise::Carries | Promise::AnyOwn => attempt.running_app()?,
        _ => None,
    };
    let before = Seen::before(platform, before, app, &promise, deadline)?;

    let label = match gesture {
        Gesture::Click(button, count) => {
            let Aim { at, front } = attempt.point(&mut *input, &target, deadline)?;
            report.aimed(front);
            let click = Click { button, count, modifiers: Modifiers::default() };
            attempt.sent(&report, input.click(at, click, deadline))?;
            format!("pointer click at {},{}", at.x, at.y)
        }
        Gesture::Wheel(direction, amount) => {
            let Aim { at, front } = attempt.point(&mut *input, &target, deadline)?;
            report.aimed(front);
            let amount = i32::try_from(amount).unwrap_or(i32::MAX);
            let (left, up) = match direction {
                Direction::Up => (0, amount),
                Direction::Down => (0, -amount),
                Direction::Left => (amount, 0),
                Direction::Right => (-amount, 0),
            };
            let turn = Turn { left, up, modifiers: Modifiers::default() };
            attempt.sent(&report, input.wheel(at, turn, deadline))?;
            format!("pointer wheel at {},{}", at.x, at.y)
        }
        Gesture::Type(text) => {
            headed::keys_reach(&mut *input, &window, deadline)?;
            let mut arrived = attempt.arrived(node, &promise, text);
            attempt.sent(&report, input.type_text(text, &mut arrived, deadline))?;
            "keys".to_owned()
        }
        Gesture::Overwrite(text) => {
            headed::keys_reach(&mut *input, &window, deadline)?;
            // Not ctrl+a: that is a letter, and not on every keyboard.
            let named = |key, ctrl, shift| {
                let modifiers = Modifiers { ctrl, shift, ..Modifiers::default() };
                Chord { modifiers, key: Key::Named(key) }
            };
            for chord in [named(Named::Home, true, false), named(Named::End, true, true)] {
                let mut taken = headed::answered(platform, attempt.app().ok(), deadline);
                attempt.sent(&report, input.press(&chord, &mut taken, deadline))?;
            }
            let mut taken = headed::answered(platform, attempt.app().ok(), deadline);
            let gone = named(Named::Delete, false, false);
            attempt.sent(&report, input.press(&gone, &mut taken, deadline))?;
            attempt.await_empty(node, deadline);
            if !text.is_empty() {
                let mut arrived = attempt.arrived(node, &promise, text);
                attempt.sent(&report, input.type_text(text, &mut arrived, deadline))?;
            }
            "keys in the place of what was there".to_owned()
        }
    };
    let waited = headed::waited(&*input);
    drop(input);

    report.waited(waited);
    let first =
        FirstEffect { earliest: Duration::ZERO, unchanged_until: None, ..operator.first_effect() };
    let effect = effect::wait(platform, &mut *operator, first, &before, place, &promise, deadline);
    report.add(label, Mechanism::PhysicalSynthetic, &Answered::Accepted, &effect);
    report.judge(&effect, &Answered::Accepted, &promise, deadline)?;
    if action.may_open() || report.stirred {
        if report.is_verified() {
            wait::settle(&mut *operator, deadline);
        }
        let open = |app: Option<&crate::platform::App>| match app {
            Some(app) => layers::open(platform, std::slice::from_ref(app), deadline),
            None => Ok(Vec::new()),
        };
        report.surfaces = attempt.running_app().and_then(open).ok();
    }
    Ok(report.finish())
}

/// Where a pointer goes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal<'a> {
    Element(&'a Ref),
    Point(Point),
}

/// Moves the pointer to `goal` and leaves it there.
pub(crate) fn hover(
    goal: Goal<'_>,
    deadline: Deadline,
    context: &Context<'_>,
) -> Result<Operated, Error> {
    let mut input = None;
    let Aim { at, front } = reach(goal, Focus::Taken, &mut input, deadline, context)?;
    let input = taken(&mut input, deadline, context)?;
    input.point(at, deadline).map_err(|failure| headed::under_way(failure, deadline))?;
    Ok(aimed(headed::pointed("hover", at, input, deadline, context), front))
}

/// Drags from one place to another. What is at the second is only looked at.
pub(crate) fn drag(
    (from, to): (Goal<'_>, Goal<'_>),
    (duration_ms, drop_delay_ms): (u64, u64),
    deadline: Deadline,
    context: &Context<'_>,
) -> Result<Operated, Error> {
    let mut input = None;
    let from = reach(from, Focus::Taken, &mut input, deadline, context)?;
    let to = reach(to, Focus::Left, &mut input, deadline, context)?;
    let input = taken(&mut input, deadline, context)?;
    let drag = Drag { from: from.at, to: to.at, duration_ms, drop_delay_ms };
    input.drag(drag, deadline).map_err(|failure| headed::under_way(failure, deadline))?;
    let front = if from.front == Status::Unknown { from.front } else { to.front };
    Ok(aimed(headed::pointed("drag", to.at, input, deadline, context), front))
}

fn aimed(mut operated: Operated, front: Status) -> Operated {
    if let Some(details) = &mut operated.details {
        details.receives_events = (front == Status::Unknown).then_some(front);
    }
    operated
}

/// A point that the pointer reaches.
#[derive(Clone, Copy, Debug)]
struct Aim {
    at: Point,
    /// Whether it is known that nothing of the same window is in front there.
    front: Status,
}

/// Whether the window of an element gets the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Focus {
    Taken,
    Left,
}

type Taken<'a> = Option<Box<dyn Input + 'a>>;

/// The pointer, taken once.
fn taken<'i, 'a>(
    input: &'i mut Taken<'a>,
    deadline: Deadline,
    context: &Context<'a>,
) -> Result<&'i mut (dyn Input + 'a), Error> {
    if input.is_none() {
        *input = Some(headed::take(context.platform, deadline)?);
    }
    match input {
        Some(input) => Ok(&mut **input),
        None => Err(Failure::Gone.about("the pointer", deadline)),
    }
}

/// A point of `goal` that the pointer reaches. For an element it is taken, once nothing else has to
/// be waited for.
fn reach<'a>(
    goal: Goal<'_>,
    focus: Focus,
    input: &mut Taken<'a>,
    deadline: Deadline,
    context: &Context<'a>,
) -> Result<Aim, Error> {
    let reference = match goal {
        Goal::Point(at) => {
            headed::on_a_display(at, deadline, context)?;
            return Ok(Aim { at, front: Status::Pass });
        }
        Goal::Element(reference) => reference,
    };
    let map = context.store.load(&reference.snapshot)?;
    let mut attempt = Attempt::new(context.platform, &map, reference, deadline);
    attempt.by_hand = true;
    let Ready { tree, node, .. } = attempt.ready(Action::Click, true)?;
    if tree[node].states.has(State::Offscreen) {
        let app = &tree[node].address.app;
        let operator = context.platform.operate(app, deadline);
        let mut operator = operator.map_err(|failure| attempt.about(failure))?;
        attempt.bring_into_view(&mut *operator, &tree[node], deadline)?;
    }
    let window = context
        .platform
        .window(&map.window.id, deadline)
        .map_err(|failure| failure.about("the window", deadline))?;
    let input = taken(input, deadline, context)?;
    if focus == Focus::Taken && window.handle.is_some() {
        headed::focus(&window, deadline, context)?;
    }
    let Ready { tree, node, within, .. } = attempt.ready(Action::Click, true)?;
    let target = Target { window: &window, node: &tree[node], within: &within };
    attempt.clear_point(input, &target, deadline)
}

/// What clicks promise of `node` as it is before.
fn of_gesture(action: Action<'_>, node: &Node) -> Promise {
    match action {
        Action::Click => of_click(node),
        Action::RightClick => Promise::Opens,
        Action::Check => Promise::On(true),
        Action::Uncheck => Promise::On(false),
        Action::Toggle => Promise::On(!is_on(node)),
        Action::Expand => Promise::State(State::Expanded, true),
        Action::Collapse => Promise::State(State::Expanded, false),
        _ => Promise::AnyOwn,
    }
}

/// What the pointer is to reach.
struct Target<'a> {
    window: &'a Window,
    node: &'a Node,
    within: &'a [crate::platform::Above],
}

impl Target<'_> {
    /// Whether it may stand in something that opened and has a window of its own.
    fn in_popup(&self) -> bool {
        let opens =
            |role| matches!(role, Role::Menu | Role::Popover | Role::ListBox | Role::ComboBox);
        self.window.handle.is_none() || self.within.iter().any(|above| opens(above.role))
    }
}

impl Attempt<'_> {
    /// The answer to something that was sent, or may have been.
    fn sent(&self, report: &Report<'_>, outcome: Result<(), Failure>) -> Result<(), Error> {
        outcome.map_err(|failure| match report.steps.is_empty() {
            true => headed::under_way(failure, self.deadline),
            false => self.under_way(report, failure),
        })
    }

    /// Has what is scrolled away come into view.
    fn bring_into_view(
        &self,
        operator: &mut dyn Operator,
        node: &Node,
        deadline: Deadline,
    ) -> Result<(), Error> {
        if !node.capabilities.has(Capability::ScrollTo) {
            return Err(self.scrolled_away());
        }
        operator
            .send(node, &self.witnesses, &Request::ScrollIntoView, deadline)
            .map_err(|failure| self.unsent(failure))?;
        let patience = deadline.within(PATIENCE);
        wait::until_every(POLL, None, patience, || {
            let tree = self.again(&node.address, &[], deadline)?;
            Ok((!tree[tree.root()].states.has(State::Offscreen)).then_some(()))
        })
        .map_err(|_| self.scrolled_away().delivered(Delivery::DeliveredUnverified))
    }

    fn scrolled_away(&self) -> Error {
        let message = format!("{} is scrolled away, or behind what it stands in", self.reference);
        Error::new(Code::ActionFailed, message).suggest(
            "Bring it into view first: `scroll-to` it, or `scroll` what it stands in; then repeat.",
        )
    }

    /// The element as it is now, with its place.
    fn again(
        &self,
        address: &Address,
        within: &[crate::platform::Above],
        deadline: Deadline,
    ) -> Result<Tree, Error> {
        let fields: FieldSet = [Field::Bounds, Field::Area, Field::Value].into_iter().collect();
        let read = || {
            let mut tree = self.platform.read(address, within, deadline)?;
            let root = tree.root();
            self.platform.fill(&mut tree, &[(root, fields)], deadline)?;
            Ok(tree)
        };
        read().map_err(|failure| self.about(failure))
    }

    /// A point of the element that a click reaches, with the pointer there.
    fn point(
        &self,
        input: &mut dyn Input,
        target: &Target<'_>,
        deadline: Deadline,
    ) -> Result<Aim, Error> {
        for _ in 0..TRIES {
            let Aim { at, .. } = self.clear_point(input, target, deadline)?;
            input.point(at, deadline).map_err(|failure| headed::under_way(failure, deadline))?;
            // Something may open under a pointer that comes, or move away from it.
            let front = self.uncovered(input, target, at, deadline)?;
            let tree = self.again(&target.node.address, target.within, deadline)?;
            let now = &tree[tree.root()];
            if now.digest != target.node.digest {
                break;
            }
            if now.bounds.is_some_and(|bounds| bounds.holds(at)) {
                return Ok(Aim { at, front });
            }
        }
        Err(self.restless(target))
    }

    /// A point of the element that a click would reach.
    fn clear_point(
        &self,
        input: &mut dyn Input,
        target: &Target<'_>,
        deadline: Deadline,
    ) -> Result<Aim, Error> {
        let bounds = self.still(target, deadline)?;
        let around = target.window.bounds.filter(|_| target.window.handle.is_some());
        let visible = around.map_or(bounds, |around| around.intersection(bounds));
        // A pointer that is sent off the screen stays at its edge, over something else.
        let displays = self.platform.displays(deadline);
        let displays = displays.map_err(|failure| failure.about("the displays", deadline))?;
        let on_screen = displays.iter().map(|display| display.bounds.intersection(visible));
        let area = |rect: &Rect| i64::from(rect.width) * i64::from(rect.height);
        let visible = on_screen.max_by_key(area).unwrap_or_default();
        if !visible.has_area() {
            return Err(self.unreachable(target, None));
        }
        let at = visible.middle();
        let front = self.uncovered(input, target, at, deadline)?;
        if !target.in_popup() {
            headed::free(input, deadline)?;
        }
        Ok(Aim { at, front })
    }

    /// Where the element is, once it has stood still.
    fn still(&self, target: &Target<'_>, deadline: Deadline) -> Result<Rect, Error> {
        let mut last = None;
        let patience = deadline.within(PATIENCE);
        wait::until_every(STILL, None, patience, || {
            let tree = self.again(&target.node.address, target.within, deadline)?;
            let now = tree[tree.root()].bounds;
            let before = last.replace(now);
            Ok(now.filter(|_| before == Some(now)))
        })
        .map_err(|_| self.unreachable(target, None))
    }

    /// Refuses a point at which something else would take the click.
    fn uncovered(
        &self,
        input: &mut dyn Input,
        target: &Target<'_>,
        at: Point,
        deadline: Deadline,
    ) -> Result<Status, Error> {
        let about = |failure: Failure| failure.about("what is under the pointer", deadline);
        let under = input.under(at, deadline).map_err(about)?;
        let pid = target.window.app.process.map(|process| process.pid);
        let cover = match under {
            Under::Window(handle) if Some(handle) == target.window.handle => {
                return self.uncovered_within(target, at, deadline);
            }
            Under::Popup { pid: of, .. } if of == pid && target.in_popup() => {
                return Ok(Status::Pass);
            }
            Under::Window(handle) => self.cover(handle, deadline),
            Under::Popup { name, bounds, .. } => Occluder {
                bounds: Some(bounds),
                name: (!name.is_empty()).then_some(name),
                role: Role::Popover,
            },
            Under::Nothing => {
                Occluder { bounds: None, name: Some("the desktop".to_owned()), role: Role::Unknown }
            }
        };
        Err(self.unreachable(target, Some(cover)))
    }

    fn cover(&self, handle: crate::platform::Handle, deadline: Deadline) -> Occluder {
        let unknown = || Occluder { bounds: None, name: None, role: Role::Window };
        let apps = self.platform.apps(deadline).unwrap_or_default();
        let mut windows = self.platform.windows(&apps, deadline).unwrap_or_default().0;
        windows.extend(self.platform.windows(&[], deadline).unwrap_or_default().0);
        let window = windows.into_iter().find(|window| window.handle == Some(handle));
        window.map_or_else(unknown, |window| Occluder {
            bounds: window.bounds,
            name: Some(window.title).filter(|title| !title.is_empty()),
            role: Role::Window,
        })
    }

    /// Refuses a point at which something else of the same window is in front of the element.
    fn uncovered_within(
        &self,
        target: &Target<'_>,
        at: Point,
        deadline: Deadline,
    ) -> Result<Status, Error> {
        let about = |failure: Failure| self.about(failure);
        let reach = self.platform.reach(target.node, target.within, at, deadline).map_err(about)?;
        let cover = match reach {
            Reach::Clear => return Ok(Status::Pass),
            Reach::Unknown => return Ok(Status::Unknown),
            Reach::Clipped => return Err(self.scrolled_away()),
            Reach::Covered(cover) => cover,
        };
        let window = target.within.last().map(std::slice::from_ref).unwrap_or_default();
        let cover = match self.again(&cover, window, deadline) {
            Ok(tree) => {
                let node = &tree[tree.root()];
                let name = (!node.name.is_empty()).then(|| node.name.to_string());
                Occluder { bounds: node.bounds, name, role: node.role }
            }
            Err(_) => Occluder { bounds: None, name: None, role: Role::Unknown },
        };
        Err(self.unreachable(target, Some(cover)))
    }

    /// The element moves about, or becomes another one.
    fn restless(&self, target: &Target<'_>) -> Error {
        Error::new(
            Code::ActionFailed,
            format!(
                "{} ({}) does not stand still, so that a click could meet another element",
                self.reference,
                called(target.node.role, &target.node.name)
            ),
        )
        .suggest("Wait until its window has come to rest, then take a new snapshot.")
    }

    fn unreachable(&self, target: &Target<'_>, cover: Option<Occluder>) -> Error {
        let row = Action::Click.row();
        let is_covered = cover.is_some();
        let mut checks = vec![Check::pass(Gate::Visible), Check::unknown(Gate::ReceivesEvents)];
        match cover {
            Some(cover) => gates::uncovered(&mut checks, Some(cover)),
            None => checks = vec![Check::fail(Gate::Visible, OFF_SCREEN)],
        }
        let error = gates::not_ready(&row, target.node, checks, self.reference, self.deadline);
        match is_covered {
            true => error,
            false => error.suggest(
                "Bring it onto the screen: `scroll-to` it, or `move-window` what it stands in; then \
                 repeat.",
            ),
        }
    }

    /// Gives the element the focus within its window: by asking for it, else by a click.
    fn give_focus(
        &self,
        input: &mut dyn Input,
        operator: &mut dyn Operator,
        target: &Target<'_>,
        deadline: Deadline,
    ) -> Result<(), Error> {
        let focused = |patience: Deadline| {
            wait::until_every(POLL, None, patience, || {
                let tree = self.again(&target.node.address, target.within, deadline)?;
                Ok(tree[tree.root()].states.has(State::Focused).then_some(()))
            })
            .is_ok()
        };
        if target.node.states.has(State::Focused) {
            return Ok(());
        }
        if target.node.capabilities.has(Capability::SetFocus)
            && operator.send(target.node, &self.witnesses, &Request::Focus, deadline).is_ok()
            && focused(deadline.within(PATIENCE))
        {
            return Ok(());
        }
        let Aim { at, .. } = self.point(input, target, deadline)?;
        let click = Click { button: Button::Left, count: 1, modifiers: Modifiers::default() };
        input.click(at, click, deadline).map_err(|failure| headed::under_way(failure, deadline))?;
        if focused(deadline.within(PATIENCE)) {
            return Ok(());
        }
        Err(Error::new(
            Code::ActionFailed,
            format!("{} did not take the focus, so that keys would go elsewhere", self.reference),
        )
        .suggest("Look what has the focus (`find --state focused`); a dialog may be in front.")
        .details(Details::PostActionVerification {
            expected: State::Focused.token().to_owned(),
            observed: None,
            post_state: None,
            steps: Vec::new(),
        })
        .delivered(Delivery::DeliveredUnverified))
    }

    /// Tells whether characters that are typed, the first so many of `text`, have arrived in `node`.
    fn arrived<'t>(
        &'t self,
        node: &'t Node,
        promise: &'t Promise,
        text: &'t str,
    ) -> impl FnMut(usize) -> bool + 't {
        let Self { platform, deadline, .. } = *self;
        let mut answered = headed::answered(platform, self.app().ok(), deadline);
        let length = text.chars().count();
        move |sent| match promise {
            _ if sent == 0 => answered(0),
            Promise::Text(wanted) => match platform.content(node, deadline) {
                Ok(Content::Text { text: now, .. }) => {
                    // Less than all of it is told by how much there is.
                    let missing = wanted.chars().count().saturating_sub(now.chars().count());
                    if sent < length { missing <= length - sent } else { *now == **wanted }
                }
                _ => false,
            },
            _ => answered(sent),
        }
    }

    /// Waits until nothing is in `node` any more, as far as that can be told: what is typed next is
    /// known to have arrived by how much is there.
    fn await_empty(&self, node: &Node, deadline: Deadline) {
        let patience = deadline.within(PATIENCE);
        // What is there in the end is held against the promise.
        let _ = wait::until_every(POLL, None, patience, || {
            let content = self.platform.content(node, deadline);
            Ok(match content.map_err(|failure| self.about(failure))? {
                Content::Text { text, .. } => text.is_empty().then_some(()),
                Content::Number { .. } | Content::Nothing => Some(()),
            })
        });
    }

    /// What typing promises of `node`.
    fn typed(&self, text: &str, node: &Node) -> Result<Promise, Error> {
        if node.states.has(State::Secure) {
            return Ok(Promise::Nothing);
        }
        let content = self.platform.content(node, self.deadline);
        Ok(match content.map_err(|failure| self.about(failure))? {
            Content::Text { text: now, caret, selection } => {
                Promise::Text(inserted(&now, text, caret, selection).1)
            }
            Content::Number { .. } | Content::Nothing => Promise::Nothing,
        })
    }

    /// What typing in the place of everything promises of `node`.
    fn overwritten(&self, text: &str, node: &Node) -> Result<Promise, Error> {
        if node.states.has(State::Secure) {
            return Ok(Promise::Nothing);
        }
        let content = self.platform.content(node, self.deadline);
        Ok(match content.map_err(|failure| self.about(failure))? {
            Content::Text { .. } => Promise::Text(text.to_owned()),
            Content::Number { .. } => text.trim().parse().map_or(Promise::Nothing, Promise::Number),
            Content::Nothing => Promise::Nothing,
        })
    }
}
