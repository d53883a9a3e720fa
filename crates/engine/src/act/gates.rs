//! The conditions for acting: what has to hold before anything is sent.

use agent_desktop_model::{
    action::{Check, Gate, Occluder, Status},
    capability::Capability,
    error::{Code, Details, Error},
    reference::Ref,
    role::Role,
    state::State,
    tree::Node,
};

use super::action::Row;
use crate::{
    by_hand::{self, NO_ACTION},
    observe::called,
    platform::Deadline,
};

/// Every condition of `row`, held against the element as it is now. Whether something stands in
/// front of it is left open, see [`uncovered`].
pub(super) fn check(row: &Row, node: &Node, headed: bool) -> Vec<Check> {
    row.gates.iter().map(|gate| one(*gate, row, node, headed)).collect()
}

/// Enters what stands in front of the element, if anything does.
pub(super) fn uncovered(checks: &mut [Check], occluder: Option<Occluder>) {
    for check in checks.iter_mut().filter(|check| check.check == Gate::ReceivesEvents) {
        *check = match &occluder {
            None => Check::pass(Gate::ReceivesEvents),
            Some(occluder) => Check {
                occluder: Some(occluder.clone()),
                ..Check::fail(
                    Gate::ReceivesEvents,
                    format!(
                        "occluded by {}",
                        called(occluder.role, occluder.name.as_deref().unwrap_or_default())
                    ),
                )
            },
        };
    }
}

/// Whether none of them fails.
pub(super) fn none_fails(checks: &[Check]) -> bool {
    checks.iter().all(|check| check.status != Status::Fail)
}

/// The refusal of what waiting cannot change, if there is any among `checks`.
pub(super) fn terminal(row: &Row, node: &Node, checks: &[Check], reference: &Ref) -> Option<Error> {
    let failed =
        |gate| checks.iter().find(|check| check.check == gate && check.status == Status::Fail);
    let what = format!("{reference} ({})", called(node.role, &node.name));
    if failed(Gate::Policy).is_some() {
        return Some(
            Error::new(
                Code::PolicyDenied,
                format!("{} takes the focus or the pointer, which is not permitted", row.name),
            )
            .suggest(by_hand::NOT_PERMITTED)
            .details(blocked(checks)),
        );
    }
    if failed(Gate::SupportedAction).is_some() {
        let can: Vec<&str> = node.capabilities.iter().map(Capability::token).collect();
        let mut suggestion = match can.is_empty() {
            _ if row.needs.contains(&Capability::Scroll) => {
                format!("Nothing scrolls it in this direction by itself. {NO_ACTION}")
            }
            _ if row.needs.contains(&Capability::Collapse)
                && matches!(node.role, Role::Menu | Role::MenuItem) =>
            {
                format!(
                    "Nothing closes it but what is in it: `click` an item of it, which does what \
                     the item says, or leave it open. {NO_ACTION}"
                )
            }
            true => format!("Act on what is in it or around it (`snapshot --root`). {NO_ACTION}"),
            // A menu item that does not say that it can be toggled may be all the same.
            false
                if row.needs.contains(&Capability::Toggle)
                    && node.capabilities.has(Capability::Click) =>
            {
                format!("It can do this: {}. `click` may do what is meant.", can.join(", "))
            }
            false => format!("It can do this: {}. {NO_ACTION}", can.join(", ")),
        };
        if row.gates.contains(&Gate::Editable) && node.role == Role::TextField {
            suggestion = format!("{suggestion} {}", by_hand::TEXT_OF_PAGES);
        }
        return Some(
            Error::new(Code::ActionNotSupported, format!("{what} does not support {}", row.name))
                .suggest(suggestion)
                .details(Details::CapabilityMissing {
                    available_actions: node.capabilities,
                    needs: row.needs.iter().map(|one| one.token()).collect(),
                }),
        );
    }
    failed(Gate::Editable).map(|_| {
        Error::new(Code::ActionNotSupported, format!("{what} is read-only"))
            .suggest("Its application does not let it be edited now; choose another element.")
            .details(blocked(checks))
    })
}

/// The error of an element that did not become ready in time.
pub(super) fn not_ready(
    row: &Row,
    node: &Node,
    checks: Vec<Check>,
    reference: &Ref,
    deadline: Deadline,
) -> Error {
    let reasons: Vec<&str> = checks.iter().filter_map(|check| check.reason.as_deref()).collect();
    Error::new(
        Code::ActionFailed,
        format!(
            "{reference} ({}) was not ready for {} within {} ms: {}",
            called(node.role, &node.name),
            row.name,
            deadline.limit_ms(),
            reasons.join(", ")
        ),
    )
    .suggest(
        "Change what blocks it (open what it stands in, fill in what enables it, answer the dialog \
         in front of it), or raise --timeout-ms if it only needs time; then repeat.",
    )
    .details(Details::ActionabilityTimeout { actionable: false, checks })
}

fn blocked(checks: &[Check]) -> Details {
    Details::ActionabilityBlocked { actionable: false, checks: checks.to_vec() }
}

fn one(gate: Gate, row: &Row, node: &Node, headed: bool) -> Check {
    let has = |state| node.states.has(state);
    let reason = match gate {
        // What is scrolled away is there for its application, which is all that a semantic action
        // needs; what is hidden is not, but for items of closed menus, which some toolkits carry
        // out all the same; their platform refuses where they do not.
        Gate::Visible => (has(State::Hidden) && node.role != Role::MenuItem).then_some("hidden"),
        Gate::Enabled => has(State::Disabled).then_some("disabled"),
        Gate::SupportedAction => {
            let can = row.needs.iter().any(|need| node.capabilities.has(*need));
            (!can).then_some("the element offers no such action")
        }
        Gate::Editable => has(State::ReadOnly).then_some("read-only"),
        Gate::Policy => (!headed).then_some("takes the focus or the pointer"),
        Gate::ReceivesEvents => return Check::unknown(gate),
    };
    match reason {
        Some(reason) => Check::fail(gate, reason),
        None => Check::pass(gate),
    }
}
