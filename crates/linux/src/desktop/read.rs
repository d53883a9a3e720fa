//! Reading elements: what `observe`, `read`, `fill` and `probe` have in common is that they ask
//! applications, each in its dialect.

use std::time::Duration;

use agent_desktop_engine::platform::{AppId, Deadline, Failure, Probe};
use agent_desktop_model::{
    role::Role,
    tree::{Address, Field, FieldSet, NodeId, Tree},
};

use super::{Linux, apps, windows};
use crate::{
    atspi::{
        build, calls,
        collect::{self, Details, Step},
        dialect::{self, Bulk, Dialect},
        fill::{self, Origin},
        names, states,
    },
    bus::{Answer, Bus, CallError, Flight},
    proc,
};

/// How long an element itself may take to answer, apart from the time for what is below it.
const ITSELF: Duration = Duration::from_secs(1);

/// How far up a window is looked for.
const HIGHEST: usize = 200;

impl Linux {
    pub(super) fn read_tree(
        &self,
        root: &Address,
        within: &[Role],
        deadline: Deadline,
    ) -> Result<Tree, Failure> {
        let limit = Deadline::after(ITSELF);
        let bus = self.bus(limit)?;
        let (details, dialect) = self.itself(bus, root, limit)?;
        let read = collect::collect(root.clone(), details, dialect, &mut |first, take| {
            bus.pump(first, in_flight(dialect), deadline, take);
        });
        Ok(build::tree(read, within, dialect))
    }

    pub(super) fn read_element(
        &self,
        address: &Address,
        within: &[Role],
        deadline: Deadline,
    ) -> Result<Tree, Failure> {
        let bus = self.bus(deadline)?;
        let (details, dialect) = self.itself(bus, address, deadline)?;
        let needs_labels = names::depends_on_what_is_inside(&details, dialect);
        let element = if needs_labels {
            // A walk, because the cache holds the whole application.
            let walked = dialect.walked();
            collect::collect(address.clone(), details, &walked, &mut |first, take| {
                bus.pump(first, in_flight(dialect), deadline, take);
            })
        } else {
            collect::only(address.clone(), details, dialect, &mut |first, take| {
                bus.pump(first, in_flight(dialect), deadline, take);
            })
        };
        let tree = build::tree(element, within, dialect);
        if needs_labels && !tree.complete {
            return Err(Failure::Timeout);
        }
        Ok(build::alone(tree))
    }

    /// What an element says of itself, and how its application is read.
    fn itself(
        &self,
        bus: &Bus,
        address: &Address,
        deadline: Deadline,
    ) -> Result<(Details, &'static Dialect), Failure> {
        let steps = collect::details(0, address);
        let mut questions = steps.iter().map(|(_, call)| call.clone()).collect::<Vec<_>>();
        let known = self.dialects.borrow().contains_key(&address.app);
        if !known {
            questions.extend(calls::toolkit(&address.app));
        }
        let mut answers = bus.call_many(questions, deadline);
        if !known {
            let toolkit = answers.split_off(steps.len());
            self.learn(&address.app, &toolkit);
        }
        let mut details = Details::default();
        for ((step, _), answer) in steps.into_iter().zip(answers) {
            match details.take(step, answer, dialect::of("", "")) {
                Ok(_) => {}
                Err(CallError::Unanswered) => {
                    return Err(apps::silence(self.called(bus, &address.app), deadline));
                }
                Err(_) => return Err(Failure::Gone),
            }
        }
        if details.states & states::DEFUNCT != 0 {
            return Err(Failure::Gone);
        }
        let dialect = self.dialect_of(&address.app);
        names::settle(&mut details, dialect);
        Ok((details, dialect))
    }

    /// Takes down which toolkit an application is made with.
    fn learn(&self, app: &AppId, answers: &[Answer]) {
        let text = |at: usize| {
            answers.get(at).and_then(|answer| answer.as_ref().ok()).and_then(|reply| reply.text())
        };
        if let Some(toolkit) = text(0) {
            let line = dialect::of(&toolkit, text(1).as_deref().unwrap_or_default());
            self.dialects.borrow_mut().insert(app.clone(), line);
        }
    }

    pub(super) fn read_fields(
        &self,
        tree: &mut Tree,
        wants: &[(NodeId, FieldSet)],
        deadline: Deadline,
    ) -> Result<bool, Failure> {
        let bus = self.bus(deadline)?;
        let root = tree[tree.root()].address.clone();
        let line = self.dialect_of(&root.app);
        let wants_bounds = wants.iter().any(|(_, fields)| fields.has(Field::Bounds));
        let origin = if line.window_extents && wants_bounds {
            self.origin(bus, &root, deadline)
        } else {
            Origin::Unknown
        };
        let dialect = |address: &Address| self.dialect_of(&address.app);
        Ok(fill::fill(tree, wants, &dialect, origin, &mut |first, take| {
            bus.pump(first, in_flight(line), deadline, take);
        }))
    }

    /// Where the window around `inner` has the corner that its own coordinates count from. GTK
    /// 4.8.3 counts from inside the border that it draws itself, which belongs to the X window
    /// and is as wide on opposite sides.
    fn origin(&self, bus: &Bus, inner: &Address, deadline: Deadline) -> Origin {
        if self.environment.display.is_none() {
            return Origin::Window;
        }
        let Some(top) = top(bus, inner, deadline) else { return Origin::Unknown };
        let inside = bus.call(calls::extents(&top), deadline).ok();
        let inside = inside.and_then(|reply| calls::rectangle(&reply));
        let window = self.find_window(&windows::id(&top), deadline).ok();
        match inside.zip(window.and_then(|window| window.bounds)) {
            Some((inside, outside)) => Origin::At(
                outside.x + (outside.width - inside.width) / 2 - inside.x,
                outside.y + (outside.height - inside.height) / 2 - inside.y,
            ),
            None => Origin::Unknown,
        }
    }

    pub(super) fn probe_addresses(
        &self,
        addresses: &[Address],
        deadline: Deadline,
    ) -> Result<Vec<Probe>, Failure> {
        let bus = self.bus(deadline)?;
        let mut strangers = addresses
            .iter()
            .map(|address| &address.app)
            .filter(|app| !self.dialects.borrow().contains_key(*app))
            .collect::<Vec<_>>();
        strangers.sort_unstable();
        strangers.dedup();
        let questions = strangers.iter().flat_map(|app| calls::toolkit(app)).collect();
        let answers = bus.call_many(questions, deadline);
        for (app, answers) in strangers.into_iter().zip(answers.chunks_exact(2)) {
            self.learn(app, answers);
        }
        let mut questions = Vec::with_capacity(5 * addresses.len());
        for (address, at) in addresses.iter().zip(0..) {
            questions.extend(collect::identity(at, address, self.dialect_of(&address.app)));
        }
        let mut found: Vec<Found> = addresses.iter().map(|_| Found::default()).collect();
        bus.pump(questions, Flight::Paced, deadline, |step, answer, _| {
            let at = step.node();
            if let Some((found, address)) = found.get_mut(at).zip(addresses.get(at)) {
                found.take(step, answer, address, self.dialect_of(&address.app));
            }
        });
        Ok(addresses
            .iter()
            .zip(found)
            .map(|(at, found)| found.probe(self.dialect_of(&at.app)))
            .collect())
    }

    /// What an application is called in an error: by its process, since it does not answer.
    fn called(&self, bus: &Bus, app: &AppId) -> String {
        let [.., pid] = apps::about(app);
        let answer = bus.call(pid, Deadline::after(apps::SHARE));
        let pid = answer.ok().and_then(|reply| reply.decode::<u32>());
        pid.and_then(proc::name).unwrap_or_else(|| format!("the application {app}"))
    }
}

/// The window that an element stands in.
fn top(bus: &Bus, inner: &Address, deadline: Deadline) -> Option<Address> {
    let mut at = inner.clone();
    for _ in 0..HIGHEST {
        let reply = bus.call(calls::parent(&at), deadline).ok()?;
        let parent = calls::reference(&reply, &at.app)?;
        if &*parent.object == calls::ROOT {
            return Some(at);
        }
        at = parent;
    }
    None
}

/// GTK 4.8.3 answers what has come by the time it draws a frame, so everything is sent at once.
fn in_flight(dialect: &Dialect) -> Flight {
    match dialect.bulk {
        Bulk::Lazy => Flight::All,
        Bulk::None | Bulk::Waked => Flight::Paced,
    }
}

/// What a probe has found out so far.
#[derive(Debug, Default)]
struct Found {
    details: Details,
    parent: Option<Address>,
    absent: bool,
    unanswered: bool,
}

impl Found {
    fn take(&mut self, step: Step, answer: Answer, at: &Address, dialect: &Dialect) {
        let taken = match step {
            Step::Parent(_) => answer.map(|reply| {
                self.parent = calls::reference(&reply, &at.app);
            }),
            step => self.details.take(step, answer, dialect).map(drop),
        };
        match taken {
            Ok(()) | Err(CallError::Refused(_)) => {}
            Err(CallError::Absent | CallError::Gone) => self.absent = true,
            Err(CallError::Unanswered) => self.unanswered = true,
        }
    }

    fn probe(mut self, dialect: &Dialect) -> Probe {
        if self.absent || self.details.states & states::DEFUNCT != 0 {
            return Probe::Gone;
        }
        if self.unanswered {
            return Probe::Unknown;
        }
        if !collect::asks_native_id(dialect, &self.details) {
            self.details.native_id = None;
        }
        names::settle(&mut self.details, dialect);
        Probe::Alive { digest: build::digest(&self.details), parent: self.parent }
    }
}
