//! Reading elements: what `observe`, `read`, `fill` and `probe` have in common is that they ask
//! applications, each in its dialect.

use std::time::Duration;

use agent_desktop_engine::platform::{Above, AppId, Deadline, Failure, Probe, Process, Witness};
use agent_desktop_model::{
    role::Role,
    tree::{Address, Field, FieldSet, Listing, NodeId, Position, Tree},
};

use super::{Linux, apps, placement::Top, thin, windows::senseless};
use crate::{
    atspi::{
        build::{self, Around},
        calls,
        collect::{self, Details, Step, Without, open, pages},
        dialect::{self, Bulk, Dialect},
        fill,
        interfaces::{Facts, Interfaces},
        names,
        placement::Placement,
        roles, states,
    },
    bus::{Answer, Bus, CallError, Flight},
    proc,
};

/// How long an element itself may take to answer, apart from the time for what is below it.
const ITSELF: Duration = Duration::from_secs(1);

impl Linux {
    pub(super) fn read_tree(
        &self,
        root: &Address,
        within: &[Above],
        deadline: Deadline,
        without: Without,
    ) -> Result<Tree, Failure> {
        let limit = Deadline::after(ITSELF);
        let bus = self.bus(limit)?;
        let (details, around, dialect) = self.itself(bus, root, within, limit)?;
        let walked = dialect.walked();
        let dialect = if self.walks { &walked } else { dialect };
        let read = collect::collect(root.clone(), details, dialect, without, &mut |first, take| {
            bus.pump(first, in_flight(dialect), deadline, take);
        });
        let lacks_a_page = read.lacks_a_page;
        let mut tree = build::tree(read, around, dialect);
        if !tree.complete {
            still_there(bus, &root.app)?;
        }
        let lack = match lacks_a_page {
            true => Some(thin::Lack::Page),
            false => thin::lack(&tree).filter(|_| dialect.sleeps),
        };
        tree.thin = lack.and_then(|lack| thin::advice(lack, self.process_of(bus, &root.app)?));
        Ok(tree)
    }

    pub(super) fn read_element(
        &self,
        address: &Address,
        within: &[Above],
        deadline: Deadline,
    ) -> Result<Tree, Failure> {
        let bus = self.bus(deadline)?;
        let (details, around, dialect) = self.itself(bus, address, within, deadline)?;
        let needs_labels = names::depends_on_what_is_inside(&details, dialect);
        let opens_inside = open::is_told_inside(&details, dialect);
        let element = if needs_labels {
            // A walk, because the cache holds the whole application.
            let (walked, all) = (dialect.walked(), Without::default());
            collect::collect(address.clone(), details, &walked, all, &mut |first, take| {
                bus.pump(first, in_flight(dialect), deadline, take);
            })
        } else if opens_inside {
            open::near(address.clone(), details, dialect, &mut |first, take| {
                bus.pump(first, in_flight(dialect), deadline, take);
            })
        } else {
            collect::only(address.clone(), details, dialect, &mut |first, take| {
                bus.pump(first, in_flight(dialect), deadline, take);
            })
        };
        let tree = build::tree(element, around, dialect);
        let is_cut = tree[tree.root()].children == Listing::Cut;
        if needs_labels && !tree.complete || opens_inside && is_cut {
            still_there(bus, &address.app)?;
            return Err(Failure::Timeout);
        }
        Ok(build::alone(tree))
    }

    /// What an element says of itself, what is to be known of what it stands in, and how its
    /// application is read.
    fn itself(
        &self,
        bus: &Bus,
        address: &Address,
        within: &[Above],
        deadline: Deadline,
    ) -> Result<(Details, Around, &'static Dialect), Failure> {
        let steps = collect::details(0, address);
        let mut questions = steps.iter().map(|(_, call)| call.clone()).collect::<Vec<_>>();
        questions.push(calls::interfaces(address));
        questions.extend(within.iter().map(|above| calls::state(&above.address)));
        questions.extend(within.first().map(|parent| calls::interfaces(&parent.address)));
        let about_itself = questions.len();
        let known = self.dialects.borrow().contains_key(&address.app);
        if !known {
            questions.extend(apps::about(&address.app));
        }
        let mut answers = bus.call_many(questions, deadline);
        if !known {
            let about = answers.split_off(about_itself);
            // An application whose toolkit is not known would be read as no toolkit is.
            if !self.learn(&address.app, &about) {
                let (name, process) = self.called(bus, &address.app);
                return Err(self.silence(&address.app, name, process, deadline));
            }
        }
        let mut around = around(within, &answers.split_off(steps.len() + 1));
        let interfaces = answers.pop().and_then(Result::ok);
        if let Some(top) = Top::of(within) {
            self.tops.borrow_mut().insert(address.clone(), top);
        }
        let mut details = Details::default();
        for ((step, _), answer) in steps.into_iter().zip(answers) {
            let has_come = answer.is_ok();
            match details.take(step, answer, dialect::of("", "")) {
                Ok(_) => {}
                Err(CallError::Unanswered) if has_come => {
                    let (app, _) = self.called(bus, &address.app);
                    return Err(Failure::Unresponsive { app, why: Some(senseless()) });
                }
                Err(CallError::Unanswered) => {
                    let (name, process) = self.called(bus, &address.app);
                    return Err(self.silence(&address.app, name, process, deadline));
                }
                Err(_) => return Err(Failure::Gone),
            }
        }
        if details.states & states::DEFUNCT != 0 {
            return Err(Failure::Gone);
        }
        details.interfaces =
            interfaces.and_then(|reply| Some(Interfaces::of(reply.decode::<Vec<&str>>()?)));
        let dialect = self.dialect_of(&address.app);
        if dialect.pages_show_behind && !within.is_empty() && !around.concealed {
            around.concealed = is_behind(bus, address, within, deadline);
        }
        names::settle(&mut details, dialect);
        Ok((details, around, dialect))
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
        let placement = if wants_bounds {
            self.placement(bus, &root, line, deadline)
        } else {
            Placement::Unknown
        };
        let dialect = |address: &Address| self.dialect_of(&address.app);
        let answered = fill::fill(tree, wants, &dialect, &placement, &mut |first, take| {
            bus.pump(first, in_flight(line), deadline, take);
        });
        if !answered {
            still_there(bus, &root.app)?;
        }
        Ok(answered)
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
        let questions = strangers.iter().flat_map(|app| apps::about(app)).collect();
        let answers = bus.call_many(questions, deadline);
        let mut unknown = Vec::new();
        for (app, answers) in strangers.into_iter().zip(answers.chunks_exact(apps::QUESTIONS)) {
            if !self.learn(app, answers) {
                unknown.push(app);
            }
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
        let probe = |(at, found): (&Address, Found)| {
            // Without its dialect an element would be given a digest that nothing has.
            if unknown.contains(&&at.app) && !found.absent {
                return Ok(Probe::Unknown);
            }
            let inside = names::is_told_inside(&found.details, self.dialect_of(&at.app));
            let probe = found.probe(self.dialect_of(&at.app));
            match (inside, probe) {
                (true, Probe::Alive { parent, .. }) => self.probe_inside(at, parent, deadline),
                (_, probe) => Ok(probe),
            }
        };
        addresses.iter().zip(found).map(probe).collect()
    }

    /// The probe of an element that does not say itself what it is called.
    fn probe_inside(
        &self,
        at: &Address,
        parent: Option<Address>,
        deadline: Deadline,
    ) -> Result<Probe, Failure> {
        match self.read_element(at, &[], deadline) {
            Ok(tree) => Ok(Probe::Alive { digest: tree[tree.root()].digest, parent }),
            Err(Failure::Gone) => Ok(Probe::Gone),
            Err(Failure::Timeout | Failure::Unresponsive { .. }) => Ok(Probe::Unknown),
            Err(failure) => Err(failure),
        }
    }

    pub(super) fn cell_of_sheet(
        &self,
        sheet: &Address,
        place: Position,
        deadline: Deadline,
    ) -> Result<Address, Failure> {
        let bus = self.bus(deadline)?;
        let counted_from_0 = |at: u32| i32::try_from(at).ok()?.checked_sub(1);
        let place = counted_from_0(place.row).zip(counted_from_0(place.column));
        let (row, column) = place.ok_or(Failure::Gone)?;
        match bus.call(calls::cell_at(sheet, row, column), deadline) {
            Ok(reply) => calls::reference(&reply, &sheet.app).ok_or(Failure::Gone),
            Err(CallError::Unanswered) => Err(Failure::Timeout),
            Err(_) => Err(Failure::Gone),
        }
    }

    /// What an application is called in an error: by its process, since it does not answer.
    pub(super) fn called(&self, bus: &Bus, app: &AppId) -> (String, Option<Process>) {
        let pid = self.process_of(bus, app);
        let name = pid.and_then(proc::name).unwrap_or_else(|| format!("the application {app}"));
        (name, pid.and_then(|pid| Some(Process { pid, started: proc::start_time(pid)? })))
    }

    fn process_of(&self, bus: &Bus, app: &AppId) -> Option<u32> {
        let [.., pid] = apps::about(app);
        bus.call(pid, Deadline::after(apps::SHARE)).ok()?.decode()
    }
}

/// Whether an element is behind another page than its own.
fn is_behind(bus: &Bus, address: &Address, within: &[Above], deadline: Deadline) -> bool {
    let all: Vec<&Address> =
        std::iter::once(address).chain(within.iter().map(|above| &above.address)).collect();
    let extents = all.iter().map(|at| calls::extents_in_window(at)).collect();
    let extents = bus.call_many(extents, deadline);
    pages::is_behind(&extents, |points| {
        let contains = |(at, point): &(usize, _)| Some(calls::contains(all.get(*at)?, *point));
        bus.call_many(points.iter().filter_map(contains).collect(), deadline)
    })
}

/// Whether an application that left questions open is still on the bus: one that has ended is
/// gone, and with it what was read of it.
fn still_there(bus: &Bus, app: &AppId) -> Result<(), Failure> {
    let [.., pid] = apps::about(app);
    match bus.call(pid, Deadline::after(apps::SHARE)) {
        Err(CallError::Gone) => Err(Failure::Gone),
        _ => Ok(()),
    }
}

/// What the states of everything around an element, and the interfaces of its parent, amount to.
/// What does not answer, or is gone, conceals nothing.
fn around(within: &[Above], answers: &[Answer]) -> Around {
    let (told, interfaces) = answers.split_at_checked(within.len()).unwrap_or_default();
    let told: Vec<Option<u64>> = told
        .iter()
        .map(|answer| Some(states::bits(&answer.as_ref().ok()?.decode::<Vec<u32>>()?)))
        .collect();
    let parent = told.first().copied().flatten().map(|states| {
        let names = interfaces.first().and_then(|answer| answer.as_ref().ok());
        let names = names.and_then(|reply| reply.decode::<Vec<&str>>());
        let role = match within.first().map(|parent| parent.role) {
            Some(Role::Cell) => roles::TABLE_CELL,
            Some(Role::ComboBox) => roles::COMBO_BOX,
            Some(Role::Menu) => roles::MENU,
            _ => 0,
        };
        Facts { states, role, interfaces: names.map(Interfaces::of) }
    });
    Around {
        concealed: told.iter().flatten().any(|states| states & states::VISIBLE == 0),
        recycling: within.iter().any(|above| dialect::recycles(above.role)),
        parent,
    }
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
pub(super) struct Found {
    details: Details,
    parent: Option<Address>,
    absent: bool,
    unanswered: bool,
}

impl Found {
    pub(super) fn take(&mut self, step: Step, answer: Answer, at: &Address, dialect: &Dialect) {
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

    /// Whether this is what `witness` was; none where not everything was answered, or where only a
    /// label inside tells.
    pub(super) fn still_is(self, witness: &Witness, dialect: &Dialect) -> Option<bool> {
        if names::is_told_inside(&self.details, dialect) {
            return None;
        }
        match self.probe(dialect) {
            Probe::Alive { digest, parent } => Some(
                digest == witness.digest && (witness.parent.is_none() || parent == witness.parent),
            ),
            Probe::Gone => Some(false),
            Probe::Unknown => None,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_defunct_is_gone_though_it_answers() {
        let found = |states, absent, unanswered| {
            let details = Details { states, name: "Rent".into(), ..Details::default() };
            let found = Found { details, parent: None, absent, unanswered };
            found.probe(dialect::of("gtk", "3.24.38"))
        };
        assert!(matches!(found(states::SHOWING, false, false), Probe::Alive { .. }));
        assert_eq!(found(states::SHOWING | states::DEFUNCT, false, false), Probe::Gone);
        assert_eq!(found(states::SHOWING, true, true), Probe::Gone);
        assert_eq!(found(states::SHOWING, false, true), Probe::Unknown);
    }
}
