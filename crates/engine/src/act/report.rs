//! What is printed of an action, as it grows.

use agent_desktop_model::{
    action::{Mechanism, Outcome, PostState, Status, Step},
    error::{Code, Delivery, Details, Error},
    reference::Ref,
    text::{number, quoted},
    tree::Node,
    wire::{Acted, ActionDetails, AutoWait, Surface, Via},
};

use super::{
    action::{Action, Promise},
    effect::{Effect, Verdict},
};
use crate::platform::{Answered, Deadline};

/// What will be printed.
pub(super) struct Report<'a> {
    action: &'static str,
    reference: &'a Ref,
    details: ActionDetails,
    pub(super) steps: Vec<Step>,
    post_state: Option<PostState>,
    delivery: Delivery,
    /// Whether the application told of anything by which something may have opened or closed.
    pub(super) stirred: bool,
    pub(super) surfaces: Option<Vec<Surface>>,
}

impl<'a> Report<'a> {
    pub(super) fn new(
        action: Action<'_>,
        reference: &'a Ref,
        via: Option<Via>,
        tries: u32,
    ) -> Self {
        let auto_wait = AutoWait {
            read_only_preflight_attempts: tries,
            read_only_resolve_attempts: tries,
            ..AutoWait::default()
        };
        Self {
            action: action.row().name,
            reference,
            details: ActionDetails {
                auto_wait,
                also_selected: Vec::new(),
                observed_change: false,
                receives_events: None,
                verification_scope: None,
                via,
            },
            steps: Vec::new(),
            post_state: None,
            delivery: Delivery::NotDelivered,
            stirred: false,
            surfaces: None,
        }
    }

    /// The answer to what is so already.
    pub(super) fn satisfied(mut self, node: &Node) -> Acted {
        self.skip("already as asked", node);
        self.finish()
    }

    pub(super) fn is_verified(&self) -> bool {
        self.delivery == Delivery::DeliveredVerified
    }

    /// What is chosen besides what was to be.
    pub(super) fn also_selected(&mut self, texts: Vec<String>) {
        self.details.also_selected = texts;
    }

    /// A step that was not needed.
    pub(super) fn skip(&mut self, label: &str, node: &Node) {
        self.steps.push(Step {
            label: label.to_owned(),
            mechanism: Mechanism::SemanticApi,
            outcome: Outcome::Skipped,
            verified: None,
        });
        self.post_state
            .get_or_insert_with(|| PostState::of(node.role, node.states, node.shown_value()));
    }

    /// What having the pointer and the keys took.
    pub(super) fn waited(&mut self, lease: AutoWait) {
        let AutoWait { lease_contention_count, lease_hold_ms, .. } = lease;
        let auto_wait = self.details.auto_wait;
        self.details.auto_wait = AutoWait { lease_contention_count, lease_hold_ms, ..auto_wait };
    }

    /// Whether it is known that nothing else of its window takes what is meant for the element.
    pub(super) fn aimed(&mut self, front: Status) {
        self.details.receives_events = (front == Status::Unknown).then_some(front);
    }

    pub(super) fn add(
        &mut self,
        label: String,
        mechanism: Mechanism,
        answer: &Answered,
        effect: &Effect,
    ) {
        let verified = effect.verdict == Verdict::Kept && !effect.replaced;
        let outcome = match answer {
            Answered::Accepted => Outcome::Succeeded,
            Answered::NotYet | Answered::Refused(_) if verified => Outcome::Succeeded,
            Answered::NotYet | Answered::Refused(_) => Outcome::Attempted,
        };
        let verified = Some(verified);
        self.steps.push(Step { label, mechanism, outcome, verified });
        self.post_state.clone_from(&effect.post_state);
        self.stirred |= effect.stirred;
        self.details.observed_change |= effect.changed && effect.verdict != Verdict::Kept;
    }

    /// What the outcome of a step means for the whole.
    pub(super) fn judge(
        &mut self,
        effect: &Effect,
        answer: &Answered,
        promise: &Promise,
        deadline: Deadline,
    ) -> Result<(), Error> {
        let Effect { verdict, ref observed, .. } = *effect;
        match (verdict, answer) {
            // What ends as it is asked to says that it will.
            _ if effect.ended && (verdict, answer) != (Verdict::Kept, &Answered::Accepted) => {
                Err(self
                    .fail(
                        Code::AppNotFound,
                        Delivery::DeliveryUncertain,
                        "the application ended when the request was sent".to_owned(),
                        |post_state, steps| Details::ChainDeadline { post_state, steps },
                    )
                    .suggest(
                        "Start it again and look what became of it: the request may have been the \
                     last that it did.",
                    ))
            }
            (Verdict::Kept, _) => {
                self.delivery = Delivery::DeliveredVerified;
                Ok(())
            }
            // A refusal after which nothing changed: nothing was done.
            (_, Answered::Refused(words)) => Err(self
                .fail(
                    Code::ActionFailed,
                    Delivery::DeliveryUncertain,
                    "the application refused the request".to_owned(),
                    |post_state, steps| Details::PostActionVerification {
                        expected: described(promise),
                        observed: observed.clone(),
                        post_state,
                        steps,
                    },
                )
                .platform(words.clone())),
            (Verdict::Silent, _) | (_, Answered::NotYet) => Err(self.fail(
                Code::Timeout,
                Delivery::DeliveryUncertain,
                format!(
                    "the request was sent, and the application did not answer within {} ms",
                    deadline.limit_ms()
                ),
                |post_state, steps| Details::ChainDeadline { post_state, steps },
            )),
            (Verdict::Broken, Answered::Accepted)
                if !matches!(
                    promise,
                    Promise::AnyOwn | Promise::Opens | Promise::Carries | Promise::Shifted { .. }
                ) =>
            {
                Err(self.fail(
                    Code::ActionFailed,
                    Delivery::DeliveredUnverified,
                    format!(
                        "the application took the request, but {} was expected and {} is there",
                        described(promise),
                        observed.as_deref().unwrap_or("nothing of the kind"),
                    ),
                    |post_state, steps| {
                        let (expected, observed) = (described(promise), observed.clone());
                        match promise {
                            Promise::Moved { .. } => Details::ScrollAdvertisedButInert {
                                expected,
                                observed,
                                post_state,
                                steps,
                            },
                            _ => Details::PostActionVerification {
                                expected,
                                observed,
                                post_state,
                                steps,
                            },
                        }
                    },
                ))
            }
            (Verdict::Broken | Verdict::Pending | Verdict::Untold, Answered::Accepted) => {
                self.delivery = Delivery::DeliveredUnverified;
                self.details.verification_scope = match verdict {
                    Verdict::Untold => Some("unavailable"),
                    Verdict::Pending => Some("pending"),
                    _ => None,
                };
                Ok(())
            }
        }
    }

    /// The error of an action that was under way.
    pub(super) fn fail(
        &self,
        code: Code,
        delivery: Delivery,
        message: String,
        details: impl FnOnce(Option<PostState>, Vec<Step>) -> Details,
    ) -> Error {
        Error::new(code, message)
            .suggest(
                "Look at what is there now (`snapshot`) before anything else: repeating it may do \
                 it twice.",
            )
            .details(details(self.post_state.clone(), self.steps.clone()))
            .delivered(delivery)
    }

    pub(super) fn finish(self) -> Acted {
        Acted {
            action: self.action,
            details: self.details,
            disposition: self.delivery.into(),
            post_state: self.post_state,
            reference: self.reference.clone(),
            steps: self.steps,
            surfaces: self.surfaces,
        }
    }
}

/// A promise, for a message.
fn described(promise: &Promise) -> String {
    match promise {
        Promise::On(on) => if *on { "on" } else { "off" }.to_owned(),
        Promise::State(state, true) => state.token().to_owned(),
        Promise::State(state, false) => format!("not {}", state.token()),
        Promise::Opens => "something that opens".to_owned(),
        Promise::AnyOwn | Promise::Carries | Promise::Nothing => "a change".to_owned(),
        Promise::Shifted { .. } => "another place".to_owned(),
        Promise::Text(text) => format!("the text {}", quoted(text)),
        Promise::Number(wanted) => number(*wanted),
        Promise::Moved { from, up: true } => format!("more than {}", number(*from)),
        Promise::Moved { from, up: false } => format!("less than {}", number(*from)),
        Promise::Choice(text) => format!("the choice {}", quoted(text)),
    }
}
