//! Acting on one element: find it, check it, send one request, see what came of it, say so.
//!
//! Nothing else in the engine changes anything. A request that may have arrived is never sent
//! again and never replaced by another one.

mod action;
mod effect;
mod gates;
mod physical;
mod ready;
mod report;
mod request;
mod scroll;
mod select;

use std::cell::OnceCell;

use agent_desktop_model::{
    action::Mechanism,
    capability::Capability,
    error::{Code, Delivery, Details, Error},
    reference::Ref,
    role::Role,
    state::State,
    text::fold,
    tree::Node,
    wire::Acted,
};

pub(crate) use action::{Action, Direction};
use action::{Promise, is_on};
use effect::{Place, Seen};
pub(crate) use physical::{Goal, drag, hover};
use ready::Ready;
use report::Report;

use crate::{
    commands::Context,
    headed, layers,
    platform::{App, Deadline, Failure, Operator, Platform, Request, Sent, Witness},
    refs::RefMap,
    wait,
};

/// Does `action` to the element of `reference`.
pub(crate) fn run(
    action: Action<'_>,
    reference: &Ref,
    deadline: Deadline,
    context: &Context<'_>,
) -> Result<Acted, Error> {
    let map = context.store.load(&reference.snapshot)?;
    let Context { platform, headed: permitted, .. } = *context;

    let mut attempt = Attempt::new(platform, &map, reference, deadline);
    if let Some(gesture) = physical::gesture(action).filter(|_| permitted && platform.has_input()) {
        return physical::run(&mut attempt, action, gesture, context);
    }
    let outcome = attempt.ready(action, permitted);
    // What its application offers nothing for is done by hand, where that is permitted.
    if let Err(refusal) = &outcome
        && refusal.code == Code::ActionNotSupported
        && let Some(gesture) =
            physical::instead(action).filter(|_| permitted && platform.has_input())
    {
        return physical::run(&mut attempt, action, gesture, context);
    }
    let Ready { tree, node, within, witnesses, via } = outcome?;
    attempt.witnesses = witnesses;
    let mut report = Report::new(action, reference, via, attempt.tries);
    // Where a button inside opens a combo box, it is the combo box that says that it is open.
    let opens = matches!(action, Action::Expand | Action::Collapse);
    let subject = match opens && tree[tree.root()].role == Role::ComboBox {
        true => tree.root(),
        false => node,
    };
    if is_satisfied(action, &tree[subject]) {
        return Ok(report.satisfied(&tree[subject]));
    }

    if action == Action::Focus && platform.has_input() {
        let window = platform.window(&map.window.id, deadline);
        let window = window.map_err(|failure| failure.about("the window", deadline))?;
        headed::focus(&window, deadline, context)?;
    }
    let app = tree[node].address.app.clone();
    let mut operator =
        platform.operate(&app, deadline).map_err(|failure| attempt.about(failure))?;
    let inner = node;
    let node = &tree[inner];
    match action {
        Action::Select(wanted) => {
            let list = select::List { node, within: &within };
            select::choose(&attempt, &mut *operator, list, wanted, &mut report)?;
        }
        Action::Scroll(direction, amount) => {
            let target = scroll::Target { node, within: &within };
            scroll::scroll(&attempt, &mut *operator, target, (direction, amount), &mut report)?;
        }
        _ => {
            let (request, mut promise) = attempt.request(action, node)?;
            let request = request.as_request();
            let mut place = Place { address: &node.address, within: &within };
            if subject != inner {
                let around = within.iter().position(|above| above.address == tree[subject].address);
                let around = around.and_then(|at| within.get(at + 1..)).unwrap_or_default();
                place = Place { address: &tree[subject].address, within: around };
            }
            // A click on an option is to make its combo box show it.
            if action == Action::Click
                && matches!(node.role, Role::Option | Role::MenuItem)
                && let Some(at) = within.iter().position(|above| above.role == Role::ComboBox)
                && let (Some(combo), Some(around)) = (within.get(at), within.get(at + 1..))
            {
                promise = Promise::Choice(node.name.to_string());
                place = Place { address: &combo.address, within: around };
            }
            let is_choice = promise == Promise::State(State::Selected, true)
                || action == Action::Click && node.role == Role::Option;
            let others = is_choice.then(|| attempt.others(&node.address, &within)).flatten();
            attempt.act(&mut *operator, node, &request, place, &promise, &mut report)?;
            if let Some(others) = others {
                attempt.tell_others(&others, &node.address, &mut report);
            }
        }
    }
    if action.may_open() || report.stirred {
        let open = |app: Option<&App>| match app {
            Some(app) => layers::open(platform, std::slice::from_ref(app), deadline),
            None => Ok(Vec::new()),
        };
        // One that has shown its effect at once may be about to open something.
        if report.is_verified() {
            wait::settle(&mut *operator, deadline);
        }
        report.surfaces = attempt.running_app().and_then(open).ok();
    }
    Ok(report.finish())
}

/// Whether `action` to the element of `reference` would be sent now, whatever is permitted. What
/// waiting cannot change is an error.
pub(crate) fn is_possible(
    action: Action<'_>,
    map: &RefMap,
    reference: &Ref,
    deadline: Deadline,
    platform: &dyn Platform,
) -> Result<bool, Error> {
    Attempt::new(platform, map, reference, deadline)
        .look(action, true)
        .map(|outcome| outcome.is_ok())
}

/// One command's try at one element.
struct Attempt<'a> {
    platform: &'a dyn Platform,
    map: &'a RefMap,
    reference: &'a Ref,
    deadline: Deadline,
    /// Whether the pointer or the keys are going to do it.
    by_hand: bool,
    /// How often the ref was resolved and the element checked.
    tries: u32,
    /// By what it was told that it is the element.
    witnesses: Vec<Witness>,
    app: OnceCell<App>,
}

impl<'a> Attempt<'a> {
    fn new(
        platform: &'a dyn Platform,
        map: &'a RefMap,
        reference: &'a Ref,
        deadline: Deadline,
    ) -> Self {
        let (by_hand, tries, witnesses, app) = (false, 0, Vec::new(), OnceCell::new());
        Self { by_hand, platform, map, reference, deadline, tries, witnesses, app }
    }

    /// The element's application, asked who it is once.
    fn app(&self) -> Result<&App, Failure> {
        if self.app.get().is_none() {
            let app = self.platform.app(&self.map.window.app_id, self.deadline)?;
            return Ok(self.app.get_or_init(|| app));
        }
        self.app.get().ok_or(Failure::Gone)
    }

    /// The same; none if it has ended.
    fn running_app(&self) -> Result<Option<&App>, Error> {
        match self.app() {
            Ok(app) => Ok(Some(app)),
            Err(Failure::Gone) => Ok(None),
            Err(failure) => Err(failure.about("the application", self.deadline)),
        }
    }

    /// Sends `request` to `node` once, sees what comes of it at `place` and adds the step to the
    /// report.
    fn act(
        &self,
        operator: &mut dyn Operator,
        node: &Node,
        request: &Request<'_>,
        place: Place<'_>,
        promise: &Promise,
        report: &mut Report<'_>,
    ) -> Result<(), Error> {
        let tree = effect::look(self.platform, place, promise, self.deadline)
            .map_err(|failure| self.about(failure))?;
        // What is so already is no effect: something has to change to tell of one.
        let is_so = tree.as_ref().is_some_and(|tree| effect::is_so(promise, &tree[tree.root()]));
        let promise = if is_so { &Promise::AnyOwn } else { promise };
        let app = match promise {
            Promise::Opens | Promise::Carries | Promise::AnyOwn => self.running_app()?,
            _ => None,
        };
        let before = Seen::before(self.platform, tree, app, promise, self.deadline)?;
        if self.deadline.passed() {
            return Err(self.about(Failure::Timeout));
        }
        // What the first step opened may well have changed what told where the element stands.
        let witnesses = if report.steps.is_empty() { &*self.witnesses } else { &[] };
        let Sent { mechanism, same } = operator
            .send(node, witnesses, request, self.deadline)
            .map_err(|failure| self.unsent(failure))?;
        let first = operator.first_effect();
        let effect =
            effect::wait(self.platform, operator, first, &before, place, promise, self.deadline);
        let answer = operator.answer();
        report.add(mechanism, Mechanism::SemanticApi, &answer, &effect);
        if same == Some(false) || effect.replaced {
            return Err(report.fail(
                Code::ActionFailed,
                Delivery::DeliveryUncertain,
                format!("{} became another element as the request arrived", self.reference),
                |post_state, steps| Details::IdentityChanged {
                    post_state,
                    r#ref: self.reference.to_string(),
                    steps,
                },
            ));
        }
        report.judge(&effect, &answer, promise, self.deadline)
    }

    fn about(&self, failure: Failure) -> Error {
        failure.about(&self.reference.to_string(), self.deadline)
    }

    /// The error of a failure between the steps of an action.
    fn under_way(&self, report: &Report<'_>, failure: Failure) -> Error {
        match report.steps.is_empty() {
            true => self.about(failure),
            false => report.fail(
                Code::Timeout,
                Delivery::DeliveryUncertain,
                format!("the application did not answer within {} ms", self.deadline.limit_ms()),
                |post_state, steps| Details::ChainDeadline { post_state, steps },
            ),
        }
    }

    /// The error of a request that was not sent.
    fn unsent(&self, failure: Failure) -> Error {
        match failure {
            Failure::Unsupported { cause, remedy } => {
                Error::new(Code::ActionNotSupported, cause).suggest(remedy)
            }
            Failure::Gone => Error::new(
                Code::StaleRef,
                format!("the element of {} vanished before anything was sent", self.reference),
            )
            .suggest("Take a new snapshot and use its refs.")
            .details(Details::SavedRefAbsent { r#ref: self.reference.to_string() }),
            other => self.about(other),
        }
    }
}

/// Whether there is nothing to do. Asking for what is so already delivers nothing.
fn is_satisfied(action: Action<'_>, node: &Node) -> bool {
    match action {
        Action::Check => is_on(node),
        Action::Uncheck => !is_on(node) && !node.states.has(State::Indeterminate),
        Action::Expand => node.states.has(State::Expanded),
        // Toolkits have one action for both ways, which would open what is closed.
        Action::Collapse => !node.states.has(State::Expanded),
        Action::ScrollTo => !node.states.has(State::Offscreen),
        // Its click is a choice, and it is chosen.
        Action::Click => {
            !node.capabilities.has(Capability::Click) && node.states.has(State::Selected)
        }
        Action::Select(wanted) => {
            node.shown_value().is_some_and(|shown| fold(shown) == fold(wanted))
        }
        _ => false,
    }
}

/// Whether `node` is to be closed, and is: then nothing is needed that could close it.
fn is_closed_anyway(action: Action<'_>, node: &Node) -> bool {
    action == Action::Collapse
        && node.capabilities.has(Capability::Expand)
        && !node.states.has(State::Expanded)
}
