//! Acting on a scripted desktop: what its applications do when they are asked, how some of them
//! lie, and a record of which element each request reached.

use std::{collections::VecDeque, time::Duration};

use agent_desktop_engine::platform::{
    Answered, AppId, Change, ChangeKind, Content, Deadline, Failure, FirstEffect, Listener,
    Operator, Request, Sent, Witness,
};
use agent_desktop_model::{
    capability::Capability,
    role::Role,
    state::State,
    tree::{Address, Node},
};

use crate::{
    Desktop, HiddenId,
    desktop::{Key, World},
    edit::Edit,
};

/// How the applications of a desktop take requests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Manner {
    /// They do what they are asked and say so.
    #[default]
    Honest,
    /// They say that they did, and do nothing.
    Idle,
    /// They do something else than they were asked.
    Wrong,
    /// They say that they did and hand it on to others, of whom nobody knows when they do it.
    Relaying,
    /// They take their time to do it, and these things happen before they do.
    Overtaken(Vec<Edit>),
    /// They do it only after so many changes of their own.
    Late(usize),
    /// They say that they will not, and do nothing.
    Unwilling,
    /// They say nothing and do nothing.
    Mute,
    /// They do it and never say so.
    Taciturn,
    /// They do nothing, and never stop telling of changes.
    Restless,
    /// They do it, and then never say anything again.
    Dying,
    /// They end instead.
    Ending,
}

/// One request as it was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// What was at the address, in the eyes of a person, when the request came.
    pub by: HiddenId,
    /// What it was asked.
    pub request: String,
}

impl Desktop {
    /// Sets how applications take requests.
    pub fn behave(&self, manner: Manner) {
        self.world_mut().manner = manner;
    }

    /// Has `edits` happen whenever the element called `label` receives a request.
    pub fn react(&self, label: &str, edits: Vec<Edit>) {
        self.world_mut().reactions.insert(HiddenId(label.into()), edits);
    }

    /// Every request so far.
    pub fn received(&self) -> Vec<Received> {
        self.world().received.clone()
    }

    pub(crate) fn content_of(&self, node: &Node) -> Result<Content, Failure> {
        let world = self.world();
        let key = world.key_at(&node.address).ok_or(Failure::Gone)?;
        let face = &world.element(key).face;
        let value = face.value.as_deref().unwrap_or_default();
        Ok(match face.role {
            _ if face.states.has(State::Secure) => {
                Content::Text { text: "".into(), caret: None, selection: None }
            }
            Role::Slider | Role::Incrementor | Role::ScrollBar => Content::Number {
                now: value.parse().unwrap_or_default(),
                least: 0.0,
                most: 100.0,
                step: None,
            },
            _ if face.role == Role::TextField || face.capabilities.has(Capability::SetValue) => {
                Content::Text { text: value.into(), caret: None, selection: None }
            }
            _ => Content::Nothing,
        })
    }

    pub(crate) fn ear(&self) -> Hand<'_> {
        Hand {
            desktop: self,
            changes: VecDeque::new(),
            late: None,
            restless: None,
            answer: Answered::Accepted,
            witnesses: Vec::new(),
        }
    }

    pub(crate) fn hand(&self, app: &AppId) -> Result<Hand<'_>, Failure> {
        let world = self.world();
        let index = world.app_index(app).ok_or(Failure::Gone)?;
        match world.apps[index].hung {
            true => Err(Failure::Unresponsive { app: world.apps[index].name.clone(), why: None }),
            false => Ok(self.ear()),
        }
    }
}

/// A way into one application of a scripted desktop.
pub(crate) struct Hand<'a> {
    desktop: &'a Desktop,
    changes: VecDeque<Change>,
    /// What is still to be done, and after how many changes.
    late: Option<(usize, Key, Vec<Edit>)>,
    /// What never stops changing.
    restless: Option<Address>,
    answer: Answered,
    /// Who has to be the same while the last request is carried out.
    witnesses: Vec<Witness>,
}

impl Listener for Hand<'_> {
    fn next_change(&mut self, until: Deadline) -> Option<Change> {
        if let Some((after, key, edits)) = self.late.take() {
            let mut world = self.desktop.world_mut();
            if after == 0 {
                world.carry_out(key, edits, &mut self.changes);
            } else {
                let address = world.address(key);
                self.changes.push_back(Change { address, kind: ChangeKind::Content });
                self.late = Some((after - 1, key, edits));
            }
        }
        if let Some(address) = &self.restless {
            std::thread::sleep(until.remaining().min(Duration::from_micros(100)));
            return Some(Change { address: address.clone(), kind: ChangeKind::Content });
        }
        if self.changes.is_empty() {
            // Nothing ever happens later, so the time is let pass at once: as far as it goes.
            std::thread::sleep(until.remaining().min(Duration::from_millis(5)));
        }
        self.changes.pop_front()
    }
}

impl Operator for Hand<'_> {
    fn send(
        &mut self,
        node: &Node,
        witnesses: &[Witness],
        request: &Request<'_>,
        _: Deadline,
    ) -> Result<Sent, Failure> {
        let mut world = self.desktop.world_mut();
        let mechanism = described(request);
        world.called(|calls| calls.requests += 1);
        let Some(key) = world.key_at(&node.address) else { return Err(Failure::Gone) };
        let itself = Witness { address: node.address.clone(), digest: node.digest, parent: None };
        self.witnesses = std::iter::once(itself).chain(witnesses.iter().cloned()).collect();
        let same = Some(self.witnesses.iter().all(|one| world.still_says(one)));
        let by = world.element(key).identity.clone();
        world.received.push(Received { by: by.clone(), request: mechanism.clone() });
        let edits = world.effect(key, request);
        self.answer = match world.manner.clone() {
            Manner::Honest => {
                world.carry_out(key, edits, &mut self.changes);
                Answered::Accepted
            }
            Manner::Idle | Manner::Relaying => Answered::Accepted,
            Manner::Wrong => {
                let target = by.0.to_string();
                let value = "something else".to_owned();
                world.carry_out(key, vec![Edit::SetValue { target, value }], &mut self.changes);
                Answered::Accepted
            }
            Manner::Overtaken(before) => {
                world.carry_out(key, before, &mut self.changes);
                self.late = Some((0, key, edits));
                Answered::Accepted
            }
            Manner::Late(after) => {
                self.late = Some((after, key, edits));
                Answered::Accepted
            }
            Manner::Taciturn => {
                world.carry_out(key, edits, &mut self.changes);
                Answered::NotYet
            }
            Manner::Restless => {
                self.restless = Some(world.address(key));
                Answered::Accepted
            }
            Manner::Ending => {
                let app = world.element(key).app;
                world.end(app);
                Answered::NotYet
            }
            Manner::Unwilling => Answered::Refused("no".to_owned()),
            Manner::Mute => Answered::NotYet,
            Manner::Dying => {
                let app = world.element(key).app;
                world.carry_out(key, edits, &mut self.changes);
                world.apps[app].hung = true;
                Answered::NotYet
            }
        };
        Ok(Sent { mechanism, same })
    }

    fn is_still_same(&mut self, _: Deadline) -> Option<bool> {
        let world = self.desktop.world();
        Some(self.witnesses.iter().all(|one| world.still_says(one)))
    }

    fn answer(&self) -> Answered {
        self.answer.clone()
    }

    fn first_effect(&self) -> FirstEffect {
        let manner = self.desktop.world().manner.clone();
        FirstEffect {
            earliest: Duration::ZERO,
            latest: Duration::ZERO,
            patience: Duration::from_millis(20),
            is_final: manner != Manner::Relaying,
            unchanged_until: matches!(manner, Manner::Overtaken(_)).then_some(Duration::ZERO),
        }
    }
}

impl World {
    fn still_says(&self, witness: &Witness) -> bool {
        let Some(key) = self.key_at(&witness.address) else { return false };
        let parent = Some(self.parent_of(key));
        self.digest(key) == witness.digest && (witness.parent.is_none() || witness.parent == parent)
    }

    /// What an honest application does to `key` when it receives `request`.
    pub(crate) fn effect(&self, key: Key, request: &Request<'_>) -> Vec<Edit> {
        let element = self.element(key);
        let target = element.identity.0.to_string();
        let face = &element.face;
        let set = |state, on| Edit::SetState { target: target.clone(), state, on };
        let value = |value: String| Edit::SetValue { target: target.clone(), value };
        let mut edits = match request {
            Request::Activate if face.role == Role::RadioButton => {
                let siblings = element.parent.map(|parent| self.element(parent).children.clone());
                let mut edits: Vec<Edit> = siblings
                    .into_iter()
                    .flatten()
                    .filter(|sibling| self.element(*sibling).face.role == Role::RadioButton)
                    .map(|sibling| Edit::SetState {
                        target: self.element(sibling).identity.0.to_string(),
                        state: State::Checked,
                        on: false,
                    })
                    .collect();
                edits.push(set(State::Checked, true));
                edits
            }
            Request::Activate if face.role.is_toggleable() => {
                vec![set(State::Checked, !face.states.has(State::Checked))]
            }
            Request::Activate | Request::OpenMenu => Vec::new(),
            Request::Expand => vec![set(State::Expanded, true)],
            Request::Collapse => vec![set(State::Expanded, false)],
            Request::Choose => vec![set(State::Selected, true)],
            Request::ChooseChild(index) => element
                .children
                .get(*index)
                .map(|child| match face.role {
                    Role::ComboBox => value(self.element(*child).face.name.clone()),
                    _ => Edit::SetState {
                        target: self.element(*child).identity.0.to_string(),
                        state: State::Selected,
                        on: true,
                    },
                })
                .into_iter()
                .collect(),
            Request::SetText(text) => vec![value((*text).to_owned())],
            Request::ReplaceText { text, range, with } => {
                let before: String = text.chars().take(range.start).collect();
                let after: String = text.chars().skip(range.end).collect();
                vec![value(format!("{before}{with}{after}"))]
            }
            Request::SetNumber(number) => vec![value(number.to_string())],
            Request::ScrollBy { x, y } => vec![Edit::Shift { target, x: *x, y: *y }],
            Request::AppendText(more) => {
                vec![value(format!("{}{more}", face.value.as_deref().unwrap_or_default()))]
            }
            Request::ScrollIntoView => vec![set(State::Offscreen, false)],
            Request::Focus => vec![set(State::Focused, true)],
        };
        edits.extend(self.reactions.get(&element.identity).into_iter().flatten().cloned());
        edits
    }

    fn carry_out(&mut self, key: Key, edits: Vec<Edit>, changes: &mut VecDeque<Change>) {
        let address: Address = self.address(key);
        for edit in edits {
            if self.apply(&edit).is_ok() {
                changes.push_back(Change { address: address.clone(), kind: ChangeKind::Content });
            }
        }
    }
}

fn described(request: &Request<'_>) -> String {
    match request {
        Request::Activate => "activate".to_owned(),
        Request::OpenMenu => "open menu".to_owned(),
        Request::Expand => "expand".to_owned(),
        Request::Collapse => "collapse".to_owned(),
        Request::Choose => "choose".to_owned(),
        Request::ChooseChild(index) => format!("choose child {index}"),
        Request::SetText(text) => format!("set text {text:?}"),
        Request::ReplaceText { range, with, .. } => {
            format!("replace {}..{} by {with:?}", range.start, range.end)
        }
        Request::SetNumber(number) => format!("set number {number}"),
        Request::ScrollBy { x, y } => format!("scroll by {x},{y}"),
        Request::AppendText(text) => format!("append {text:?}"),
        Request::ScrollIntoView => "scroll into view".to_owned(),
        Request::Focus => "focus".to_owned(),
    }
}
