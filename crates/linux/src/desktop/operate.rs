//! Acting on an application: one connection to hear it by, one to send by, both of the command's
//! own, and both gone with it.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

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

use super::{Linux, read::Found};
use crate::{
    atspi::{
        actions, calls,
        collect::{self, Step},
        content,
        dialect::{Combos, Dialect, MenusClose},
        interfaces::{Facts, Interfaces},
        roles,
    },
    bus::{Answer, Arrival, Bus, Call, CallError, Line, Reply, Signal, Ticket, next_arrival},
};

/// How long a request may stay unanswered before its effect is looked for.
const PATIENCE: Duration = Duration::from_millis(200);

/// How long a state or a value that an action promises may take to come.
const PROMISED: Duration = Duration::from_millis(1_000);

/// The same of what the application only hands on. A page that answers an event of the pointer by
/// a round trip to its server is often done by then.
const RELAYED: Duration = Duration::from_millis(2_000);

/// How long before the first effect of a request it is asked first whether it still reaches whom it
/// was sent to.
const MARGIN: Duration = Duration::from_millis(80);

/// The events that applications are asked to tell of. GTK 3.24 and Chromium tell of none that
/// nobody has asked for.
const EVENTS: [&str; 3] = ["object:", "window:", "document:"];

/// Hears applications.
pub(super) struct Ear(Line);

/// A way into one application.
pub(super) struct Hand<'a> {
    linux: &'a Linux,
    app: AppId,
    dialect: &'static Dialect,
    /// Hears the application; also sends where it takes requests by the bus only.
    bus: Line,
    /// Leads to the application itself.
    peer: Option<Line>,
    changes: VecDeque<Change>,
    /// The calls of the last request that are not answered yet.
    open: Vec<Ticket>,
    answer: Answered,
    /// Who has to be the same while the last request is carried out: whom it was sent to, first.
    witnesses: Vec<Witness>,
    /// Whether that is a button, which some toolkits draw pressed before it acts.
    is_button: bool,
    sent: Instant,
}

/// The calls that make up a request, and what they are called.
struct Plan {
    calls: Vec<Call>,
    mechanism: String,
}

impl Linux {
    pub(super) fn content_of(&self, node: &Node, deadline: Deadline) -> Result<Content, Failure> {
        let bus = self.bus(deadline)?;
        let dialect = self.dialect_of(&node.address.app);
        let interfaces = Facts::unpack(node.platform).interfaces.unwrap_or_default();
        let failed = |error: CallError| match error {
            CallError::Unanswered => Failure::Timeout,
            CallError::Gone | CallError::Absent => Failure::Gone,
            CallError::Refused(words) => Failure::System(words),
        };
        if interfaces.has(Interfaces::VALUE) && actions::takes_number(node.role, dialect) {
            let answers = bus.call_many(calls::range(&node.address).into(), deadline);
            return content::number(&answers, node.role).map_err(failed);
        }
        if !interfaces.has(Interfaces::TEXT) {
            return Ok(Content::Nothing);
        }
        if node.states.has(State::Secure) {
            return Ok(Content::Text { text: "".into(), caret: None, selection: None });
        }
        let at = &node.address;
        let questions = vec![calls::text_length(at), calls::caret(at), calls::selected_range(at)];
        let answers = bus.call_many(questions, deadline);
        let [length, caret, selection] = &answers[..] else { return Err(Failure::Timeout) };
        let length = length.as_ref().map_err(|error| failed(error.clone()))?.integer();
        let length = length.and_then(|length| i32::try_from(length).ok()).unwrap_or(-1);
        let whole = bus.call(calls::text(at, length), deadline).map_err(failed)?;
        let whole = content::unpadded(whole.decode::<&str>().unwrap_or_default(), dialect);
        let caret = caret.as_ref().ok().and_then(|reply| reply.integer());
        let selection = selection.as_ref().ok().and_then(|reply| reply.decode::<(i32, i32)>());
        Ok(content::text(&whole, caret, selection, dialect))
    }

    /// An ear for one application, or for the coming and going of all windows and applications.
    pub(super) fn ear(&self, app: Option<&AppId>, deadline: Deadline) -> Result<Ear, Failure> {
        let address = &self.accessibility(deadline)?.address;
        let bus = Bus::connect(address, deadline).map_err(|_| Failure::Timeout)?;
        let mut line = Line::over(bus);
        let questions = match app {
            Some(app) => hearing(app),
            None => vec![
                calls::listen("type='signal',interface='org.a11y.atspi.Event.Window'"),
                calls::listen(
                    "type='signal',member='ChildrenChanged',path='/org/a11y/atspi/accessible/root'",
                ),
                calls::register("window:", &"".into()),
            ],
        };
        line.ask(&questions, deadline);
        Ok(Ear(line))
    }

    pub(super) fn hand(&self, app: &AppId, deadline: Deadline) -> Result<Hand<'_>, Failure> {
        let address = &self.accessibility(deadline)?.address;
        let connect = || Bus::connect(address, deadline).map_err(|_| Failure::Timeout);
        let mut bus = Line::over(connect()?);
        let mut questions = hearing(app);
        questions.push(calls::wake(app));
        let mut answers = bus.ask(&questions, deadline);
        let dialect = self.dialect_of(app);
        let peer = answers.pop().filter(|_| dialect.peers).and_then(|answer| {
            let own = answer.ok()?.decode::<String>()?;
            Bus::connect_peer(&own, deadline.within(PATIENCE)).ok().map(Line::over)
        });
        Ok(Hand {
            linux: self,
            app: app.clone(),
            dialect,
            bus,
            peer,
            changes: VecDeque::new(),
            open: Vec::new(),
            answer: Answered::Accepted,
            witnesses: Vec::new(),
            is_button: false,
            sent: Instant::now(),
        })
    }
}

impl Listener for Ear {
    fn next_change(&mut self, until: Deadline) -> Option<Change> {
        loop {
            let (_, arrival) = next_arrival(&mut [&mut self.0], until)?;
            if let Arrival::Signal(signal) = arrival
                && let Some(change) = change(signal)
            {
                return Some(change);
            }
        }
    }
}

impl Listener for Hand<'_> {
    fn next_change(&mut self, until: Deadline) -> Option<Change> {
        loop {
            if let Some(change) = self.changes.pop_front() {
                return Some(change);
            }
            let arrival = self.next_arrival(until)?;
            self.take(arrival);
        }
    }
}

impl Operator for Hand<'_> {
    fn send(
        &mut self,
        node: &Node,
        witnesses: &[Witness],
        request: &Request<'_>,
        deadline: Deadline,
    ) -> Result<Sent, Failure> {
        let Plan { calls, mechanism } = self.plan(node, request, deadline)?;
        // The element and its witnesses are asked who they are in the same breath, just before it
        // is acted on. Not after: what is no page acts at once even in browsers.
        let itself = Witness { address: node.address.clone(), digest: node.digest, parent: None };
        self.witnesses = std::iter::once(itself).chain(witnesses.iter().cloned()).collect();
        self.is_button = node.role == Role::Button;
        let identity = self.identity();
        let mut batch: Vec<Call> = identity.iter().map(|(_, call)| call.clone()).collect();
        batch.extend(calls);

        self.answer = Answered::NotYet;
        self.sent = Instant::now();
        let tickets = match self.line().post(&batch, deadline) {
            Ok(tickets) => tickets,
            Err(CallError::Refused(words)) => return Err(Failure::System(words)),
            Err(CallError::Absent | CallError::Gone) => return Err(Failure::Gone),
            Err(CallError::Unanswered) => return Ok(Sent { mechanism, same: None }),
        };
        let (asked, requested) = tickets.split_at_checked(identity.len()).unwrap_or_default();
        self.open = requested.to_vec();
        let answers = self.await_answers(asked, deadline.within(PATIENCE));
        Ok(Sent { mechanism, same: self.compare(&identity, answers) })
    }

    fn is_still_same(&mut self, deadline: Deadline) -> Option<bool> {
        let identity = self.identity();
        let questions: Vec<Call> = identity.iter().map(|(_, call)| call.clone()).collect();
        let tickets = self.line().post(&questions, deadline).ok()?;
        let answers = self.await_answers(&tickets, deadline.within(PATIENCE));
        let in_time = self.sent.elapsed() < Duration::from_millis(self.dialect.first_effect.0);
        self.compare(&identity, answers).filter(|_| in_time)
    }

    fn answer(&self) -> Answered {
        self.answer.clone()
    }

    fn first_effect(&self) -> FirstEffect {
        let (earliest, latest) = self.dialect.first_effect;
        FirstEffect {
            earliest: Duration::from_millis(earliest),
            latest: Duration::from_millis(latest),
            patience: if self.dialect.relays { RELAYED } else { PROMISED },
            is_final: !self.dialect.relays,
            unchanged_until: Duration::from_millis(earliest)
                .checked_sub(MARGIN)
                .filter(|_| self.is_button && self.dialect.buttons_wait),
        }
    }
}

impl Hand<'_> {
    /// Where requests are sent.
    fn line(&self) -> &Line {
        self.peer.as_ref().unwrap_or(&self.bus)
    }

    /// What has to be asked to know whether all witnesses are what they were.
    fn identity(&self) -> Vec<(Step, Call)> {
        self.witnesses
            .iter()
            .zip(0..)
            .flat_map(|(one, at)| collect::identity(at, &one.address, self.dialect))
            .collect()
    }

    /// The answers to `asked`, as far as they come by `until`, which is not waited for longer than
    /// it takes to have them and that to the request.
    fn await_answers(&mut self, asked: &[Ticket], until: Deadline) -> Vec<Option<Answer>> {
        let mut answers: Vec<Option<Answer>> = asked.iter().map(|_| None).collect();
        let mut missing = asked.len();
        while (missing > 0 || !self.open.is_empty())
            && let Some(arrival) = self.next_arrival(until)
        {
            if let Some((ticket, answer)) = self.take(arrival)
                && let Some(index) = asked.iter().position(|one| *one == ticket)
                && let Some(slot) = answers.get_mut(index)
            {
                *slot = Some(answer);
                missing -= 1;
            }
        }
        answers
    }

    /// Whether the witnesses are what they were, given the answers to [`Self::identity`].
    fn compare(&self, identity: &[(Step, Call)], answers: Vec<Option<Answer>>) -> Option<bool> {
        let mut found: Vec<Found> = self.witnesses.iter().map(|_| Found::default()).collect();
        for ((step, _), answer) in identity.iter().zip(answers) {
            let at = step.node();
            if let Some((found, witness)) = found.get_mut(at).zip(self.witnesses.get(at)) {
                let answer = answer.unwrap_or(Err(CallError::Unanswered));
                found.take(*step, answer, &witness.address, self.dialect);
            }
        }
        let said = self.witnesses.iter().zip(found);
        let said: Vec<Option<bool>> =
            said.map(|(witness, found)| found.still_is(witness, self.dialect)).collect();
        // One that says otherwise is enough, whatever the others leave open.
        match said.contains(&Some(false)) {
            true => Some(false),
            false => said.iter().all(Option::is_some).then_some(true),
        }
    }

    fn next_arrival(&mut self, until: Deadline) -> Option<Arrival> {
        let mut lines: Vec<&mut Line> = Vec::with_capacity(2);
        lines.extend(self.peer.as_mut());
        lines.push(&mut self.bus);
        next_arrival(&mut lines, until).map(|(_, arrival)| arrival)
    }

    /// Takes note of what arrived. An answer to anything but the request itself is given back.
    fn take(&mut self, arrival: Arrival) -> Option<(Ticket, Answer)> {
        match arrival {
            Arrival::Signal(signal) => {
                self.changes.extend(change(signal));
                None
            }
            Arrival::Answer(ticket, answer) => {
                let Some(index) = self.open.iter().position(|one| *one == ticket) else {
                    return Some((ticket, answer));
                };
                self.open.remove(index);
                match answer {
                    // A method of the accessibility interfaces that does something says whether
                    // it did; setting a property says nothing.
                    Ok(reply) if reply.decode::<bool>() == Some(false) => {
                        self.answer = Answered::Refused("it answers that it did not".to_owned());
                    }
                    Ok(_) if self.open.is_empty() && self.answer == Answered::NotYet => {
                        self.answer = Answered::Accepted;
                    }
                    Ok(_) | Err(CallError::Unanswered) => {}
                    Err(CallError::Absent) => {
                        self.answer = Answered::Refused("it does not know the request".to_owned());
                    }
                    Err(CallError::Gone) => {}
                    Err(CallError::Refused(words)) => self.answer = Answered::Refused(words),
                }
                None
            }
        }
    }

    /// The calls that do `request`.
    fn plan(
        &self,
        node: &Node,
        request: &Request<'_>,
        deadline: Deadline,
    ) -> Result<Plan, Failure> {
        let at = &node.address;
        let plan = |calls, mechanism: &str| Ok(Plan { calls, mechanism: mechanism.to_owned() });
        match request {
            Request::Activate if self.in_closed_menu(node) => Err(Failure::Unsupported {
                cause: "the item stands in a closed menu".to_owned(),
                remedy: "Open the menu first: `click` what it belongs to.".to_owned(),
            }),
            Request::Activate => self.action(node, Capability::Click, deadline),
            Request::OpenMenu => self.action(node, Capability::RightClick, deadline),
            Request::Expand => self.action(node, Capability::Expand, deadline),
            Request::Collapse
                if node.role == Role::Menu && self.dialect.menus_close == MenusClose::InMenus =>
            {
                let outer = self.parent(at, deadline)?;
                plan(vec![calls::clear_selection(&outer)], "Selection ClearSelection")
            }
            Request::Collapse => self.action(node, Capability::Collapse, deadline),
            Request::Choose => self.choosing(node, deadline),
            Request::ChooseChild(index) => {
                let index = i32::try_from(*index).unwrap_or(i32::MAX);
                plan(vec![calls::select_child(at, index)], "Selection SelectChild")
            }
            Request::SetText(text) => {
                plan(vec![calls::set_text(at, text)], "EditableText SetTextContents")
            }
            Request::ReplaceText { text, range, with } => {
                let (from, to) = content::to_offsets(text, range, self.dialect);
                let length = content::length(with, self.dialect);
                let mut edits = Vec::new();
                if from < to {
                    edits.push(calls::delete_text(at, from, to));
                }
                edits.push(calls::insert_text(at, from, with, length));
                plan(edits, "EditableText InsertText")
            }
            Request::SetNumber(number) => {
                plan(vec![calls::set_number(at, *number)], "Value CurrentValue")
            }
            Request::AppendText(text) => {
                // How long a secret is stays here.
                let bus = self.linux.bus(deadline)?;
                let count = bus.call(calls::text_length(at), deadline);
                let end = count.ok().and_then(|count| count.integer());
                let end = end.and_then(|end| i32::try_from(end).ok()).ok_or(Failure::Timeout)?;
                let length = content::length(text, self.dialect);
                plan(vec![calls::insert_text(at, end, text, length)], "EditableText InsertText")
            }
            Request::ScrollBy { x, y } => {
                let extents = self.ask(calls::extents(at), deadline)?;
                let (left, top, ..) = extents
                    .decode::<(i32, i32, i32, i32)>()
                    .ok_or_else(|| senseless("its place"))?;
                let (x, y) = (left.saturating_add(*x), top.saturating_add(*y));
                plan(vec![calls::scroll_to_point(at, x, y)], "Component ScrollToPoint")
            }
            Request::ScrollIntoView => {
                plan(vec![calls::scroll_into_view(at)], "Component ScrollTo")
            }
            Request::Focus => plan(vec![calls::grab_focus(at)], "Component GrabFocus"),
        }
    }

    /// The answer to a question that has to be asked before a request can be put together.
    fn ask(&self, call: Call, deadline: Deadline) -> Result<Reply, Failure> {
        let bus = self.linux.bus(deadline)?;
        bus.call(call, deadline).map_err(|error| self.unanswered(error, deadline))
    }

    fn unanswered(&self, error: CallError, deadline: Deadline) -> Failure {
        match error {
            CallError::Unanswered => match self.linux.bus(deadline) {
                Ok(bus) => {
                    let (name, process) = self.linux.called(bus, &self.app);
                    self.linux.silence(&self.app, name, process, deadline)
                }
                Err(failure) => failure,
            },
            CallError::Absent | CallError::Gone => Failure::Gone,
            CallError::Refused(words) => Failure::Unsupported {
                cause: format!("the application refuses to tell what it takes: {words}"),
                remedy: NOTHING_SENT.to_owned(),
            },
        }
    }

    fn parent(&self, at: &Address, deadline: Deadline) -> Result<Address, Failure> {
        let parent = self.ask(calls::parent(at), deadline)?;
        calls::reference(&parent, &at.app).ok_or_else(|| senseless("what it stands in"))
    }

    /// Whether `node` is an item that has to be shown before it can be acted on.
    fn in_closed_menu(&self, node: &Node) -> bool {
        node.role == Role::MenuItem
            && node.states.has(State::Hidden)
            && !self.dialect.acts_in_closed_menus
    }

    /// The action of `node` that does what `wanted` names, known by its name.
    fn action(&self, node: &Node, wanted: Capability, deadline: Deadline) -> Result<Plan, Failure> {
        let at = &node.address;
        let bus = self.linux.bus(deadline)?;
        let count = self.ask(calls::action_count(at), deadline)?;
        let count = count.integer().unwrap_or_default().clamp(0, actions::MOST);
        let count = i32::try_from(count).unwrap_or_default();
        let names = (0..count).map(|index| calls::action_name(at, index)).collect();
        let names: Vec<Box<str>> = bus
            .call_many(names, deadline)
            .into_iter()
            .map(|answer| match answer {
                Ok(reply) => Ok(reply.decode::<&str>().unwrap_or_default().into()),
                Err(error) => Err(self.unanswered(error, deadline)),
            })
            .collect::<Result<_, _>>()?;
        let facts = Facts::unpack(node.platform);
        let index = actions::that_does(wanted, &names, node.role, facts);
        let Some((index, name)) = index.and_then(|index| Some((index, names.get(index)?))) else {
            return Err(Failure::Unsupported {
                cause: format!("no action of the element does what {} asks for", wanted.token()),
                remedy: "Take a new snapshot: what it offers may have changed.".to_owned(),
            });
        };
        let index = i32::try_from(index).unwrap_or_default();
        Ok(Plan { calls: vec![calls::do_action(at, index)], mechanism: format!("Action {name}") })
    }

    /// The way in which an item is made the chosen one: by an action of its own, else by its
    /// container.
    fn choosing(&self, node: &Node, deadline: Deadline) -> Result<Plan, Failure> {
        let shows = !node.states.has(State::Hidden) && !node.states.has(State::Offscreen);
        if (shows || self.dialect.combos != Combos::Lists)
            && let Ok(plan) = self.action(node, Capability::Select, deadline)
        {
            return Ok(plan);
        }
        let mut at = node.address.clone();
        let mut parent = self.parent(&at, deadline)?;
        // GTK 3.24.38: a cell with an icon and a text holds a cell for each.
        if node.role == Role::Cell
            && self.ask(calls::role(&parent), deadline)?.decode() == Some(roles::TABLE_CELL)
        {
            let outer = self.parent(&parent, deadline)?;
            at = std::mem::replace(&mut parent, outer);
        }
        let index = self.ask(calls::index_in_parent(&at), deadline)?;
        let index = index.decode::<i32>().filter(|index| *index >= 0);
        let index = index.ok_or_else(|| senseless("its place among others"))?;
        // GTK 3.24.38: SelectChild of a tree view answers false, AddRowSelection selects the row.
        // LibreOffice 7.4.7: the other way round.
        let row = match self.dialect.endless_tables {
            true => None,
            false => {
                let [row, _] = calls::place_of_index(&parent, index);
                self.linux.bus(deadline)?.call(row, deadline).ok()
            }
        };
        let row = row.and_then(|reply| reply.decode::<i32>()).filter(|row| *row >= 0);
        Ok(match row {
            Some(row) => Plan {
                calls: vec![calls::select_row(&parent, row)],
                mechanism: "Table AddRowSelection".to_owned(),
            },
            // LibreOffice 7.4.7 chooses a cell in addition to those that are chosen already.
            None if self.dialect.endless_tables => Plan {
                calls: vec![calls::clear_selection(&parent), calls::select_child(&parent, index)],
                mechanism: "Selection SelectChild".to_owned(),
            },
            None => Plan {
                calls: vec![calls::select_child(&parent, index)],
                mechanism: "Selection SelectChild".to_owned(),
            },
        })
    }
}

const NOTHING_SENT: &str =
    "Nothing was sent. Take a new snapshot: another element, such as one inside, may do it.";

/// That an application was asked for `what` and gave an answer of another kind.
fn senseless(what: &str) -> Failure {
    Failure::Unsupported {
        cause: format!("the application gives no sensible answer when it is asked for {what}"),
        remedy: NOTHING_SENT.to_owned(),
    }
}

/// What is asked for to hear all that `app` tells.
fn hearing(app: &AppId) -> Vec<Call> {
    let mut questions = vec![calls::listen(&format!("type='signal',sender='{app}'"))];
    questions.extend(EVENTS.map(|event| calls::register(event, app)));
    questions
}

/// What a signal of the accessibility bus tells, if it is one.
fn change(signal: Signal) -> Option<Change> {
    let kind = match signal.interface.strip_prefix("org.a11y.atspi.")? {
        "Event.Window" => ChangeKind::Window,
        "Cache" => ChangeKind::Children,
        "Event.Object" => match &*signal.member {
            "ChildrenChanged" => ChangeKind::Children,
            "BoundsChanged" | "TextCaretMoved" | "VisibleDataChanged" => ChangeKind::Other,
            "StateChanged" => match &*signal.detail {
                "showing" | "visible" | "modal" | "defunct" => ChangeKind::Shown,
                _ => ChangeKind::Content,
            },
            _ => ChangeKind::Content,
        },
        "Event.Document" => ChangeKind::Content,
        _ => ChangeKind::Other,
    };
    Some(Change { address: Address { app: signal.sender, object: signal.path }, kind })
}
