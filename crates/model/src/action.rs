//! What is told of an action: the checks before it, its steps, and the element afterwards.

use serde::Serialize;

use crate::{
    geometry::Rect,
    role::Role,
    state::{State, StateSet},
};

/// One step of an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// What was done, in the platform's own words.
    pub label: String,
    pub mechanism: Mechanism,
    pub outcome: Outcome,
    /// Whether its effect was seen; absent when the step was not taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<bool>,
}

/// How a step reaches the application.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mechanism {
    /// Through the accessibility interface: no focus, no pointer, no keys.
    SemanticApi,
    /// By pointer or keyboard.
    PhysicalSynthetic,
}

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Sent, without an answer that it was taken.
    Attempted,
    /// Not needed.
    Skipped,
    Succeeded,
}

/// An element after an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PostState {
    pub enabled: bool,
    pub hidden: bool,
    pub offscreen: bool,
    pub role: Role,
    pub states: StateSet,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// One condition for acting on an element.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    pub check: Gate,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub occluder: Option<Occluder>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub status: Status,
}

/// The conditions that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    Visible,
    Enabled,
    SupportedAction,
    Editable,
    Policy,
    ReceivesEvents,
}

/// Whether a condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Pass,
    Fail,
    Unknown,
}

/// What stands in front of an element.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Occluder {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Rect>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub role: Role,
}

impl PostState {
    /// The state of an element with these properties.
    pub fn of(role: Role, states: StateSet, value: Option<&str>) -> Self {
        Self {
            enabled: !states.has(State::Disabled),
            hidden: states.has(State::Hidden),
            offscreen: states.has(State::Offscreen),
            role,
            states,
            value: value.map(str::to_owned),
        }
    }
}

impl Check {
    /// A condition that holds.
    pub fn pass(check: Gate) -> Self {
        Self { check, occluder: None, reason: None, status: Status::Pass }
    }

    /// A condition of which nothing is known.
    pub fn unknown(check: Gate) -> Self {
        Self { check, occluder: None, reason: None, status: Status::Unknown }
    }

    /// A condition that does not hold.
    pub fn fail(check: Gate, reason: impl Into<String>) -> Self {
        Self { check, occluder: None, reason: Some(reason.into()), status: Status::Fail }
    }
}
