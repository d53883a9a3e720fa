//! Whether a click gets to an element or to something else in its window. Where an application tells
//! what a click meets, it is asked; elsewhere what a parent lists later is drawn over what it lists
//! earlier, and whether that is at the point is asked of each.

use std::{thread, time::Duration};

use agent_desktop_engine::platform::{Above, Deadline, Failure, Reach};
use agent_desktop_model::{
    geometry::Point,
    role::Role,
    tree::{Address, Node},
};

use super::Linux;
use crate::{
    atspi::{
        calls,
        dialect::{Dialect, Fronts},
        placement::Placement,
        states,
    },
    bus::{Answer, Bus, Call, CallError, Reply},
};

/// How far up it is looked whether what is met is in the element.
const HIGHEST: usize = 100;

/// How many elements are asked at once whether they are at the point.
const AT_ONCE: usize = 1_000;

/// How long a page that has just come may take before it tells what is where, and how often it is
/// asked meanwhile.
const READY: Duration = Duration::from_secs(1);
const AGAIN: Duration = Duration::from_millis(20);

/// How long Chromium needs to find out what is at a point, while it answers what it knew.
const FOUND_OUT: Duration = Duration::from_millis(20);

impl Linux {
    pub(super) fn reach_of(
        &self,
        node: &Node,
        within: &[Above],
        point: Point,
        deadline: Deadline,
    ) -> Result<Reach, Failure> {
        let Some(window) = within.last() else { return Ok(Reach::Clear) };
        let dialect = self.dialect_of(&node.address.app);
        let bus = self.bus(deadline)?;
        let Placement::Screen(placed) = self.placement(bus, &node.address, dialect, deadline)
        else {
            return Ok(Reach::Unknown);
        };
        let spot = Spot { bus, node, within, at: placed.view.off_screen(point), deadline };
        let page = within.iter().rfind(|above| above.role == Role::WebArea);
        match (dialect.fronts, page) {
            (Fronts::Unknown, _) | (Fronts::Pages, None) => Ok(Reach::Unknown),
            (Fronts::Order | Fronts::Reverse, _) => spot.by_order(dialect),
            (Fronts::Widgets, _) => match spot.met(&window.address)? {
                Some(met) => spot.by_what_is_met(met, dialect),
                None => spot.by_order(dialect),
            },
            (Fronts::Told, _) => spot.told(&window.address, dialect),
            (Fronts::Pages, Some(page)) => {
                spot.met(&page.address)?;
                thread::sleep(FOUND_OUT.min(deadline.remaining()));
                spot.told(&page.address, dialect)
            }
        }
    }
}

/// Where a click is meant to get to an element.
struct Spot<'a> {
    bus: &'a Bus,
    node: &'a Node,
    within: &'a [Above],
    /// In the coordinates of the toolkit.
    at: Point,
    deadline: Deadline,
}

impl Spot<'_> {
    /// What `top` says that a click meets.
    fn met(&self, top: &Address) -> Result<Option<Address>, Failure> {
        let answer = self.bus.call(calls::at_point(top, self.at.x, self.at.y), self.deadline);
        let reply = self.answered(answer)?;
        Ok(reply.and_then(|reply| calls::reference(&reply, &top.app)))
    }

    fn told(&self, top: &Address, dialect: &Dialect) -> Result<Reach, Failure> {
        let patience = Deadline::after(READY);
        let met = loop {
            let met = self.met(top)?;
            if met.is_some() || patience.passed() || self.deadline.passed() {
                break met;
            }
            thread::sleep(AGAIN);
        };
        match met {
            Some(met) => self.by_what_is_met(met, dialect),
            None => Err(Failure::Unsupported {
                cause: "the application does not tell what is at that point of its window".into(),
                remedy:
                    "Look at the window (`screenshot`, `snapshot`) and repeat, or leave --headed \
                         out."
                        .into(),
            }),
        }
    }

    /// What is in the element takes the click for it.
    fn by_what_is_met(&self, met: Address, dialect: &Dialect) -> Result<Reach, Failure> {
        let holds_it = |one: &Address| self.within.iter().any(|above| above.address == *one);
        if let Some(at) = self.within.iter().position(|above| above.address == met) {
            let between = self.within.get(..at).unwrap_or_default();
            return self.by_what_it_stands_in(met, between, dialect);
        }
        let mut up = met.clone();
        for _ in 0..HIGHEST {
            if up == self.node.address {
                return Ok(Reach::Clear);
            }
            let parent = self.answered(self.bus.call(calls::parent(&up), self.deadline))?;
            match parent.and_then(|reply| calls::reference(&reply, &up.app)) {
                Some(parent) if !holds_it(&parent) => up = parent,
                _ => break,
            }
        }
        Ok(Reach::Covered(met))
    }

    /// What is met is something that the element stands in, with `between` in between. That takes the
    /// click where the element itself takes none, such as a text. If the element does take clicks, then
    /// something is in front of it that is in no tree, such as the backdrop of a dialog or what a style
    /// draws; but Chromium 156 names the list of a tab and the field of a part of a date, which get
    /// their clicks all the same.
    fn by_what_it_stands_in(
        &self,
        met: Address,
        between: &[Above],
        dialect: &Dialect,
    ) -> Result<Reach, Failure> {
        let is_named_for_it = dialect.fronts == Fronts::Pages
            && matches!(self.node.role, Role::Tab | Role::Incrementor);
        let takes_clicks = self.node.role.is_interactive() && !is_named_for_it;
        Ok(match dialect.fronts {
            Fronts::Widgets if takes_clicks => Reach::Clipped,
            Fronts::Widgets => Reach::Clear,
            _ if !self.shown_by(between, dialect)? => Reach::Clipped,
            _ if takes_clicks => Reach::Covered(met),
            _ => Reach::Clear,
        })
    }

    /// Whether all of `around` is at the point, as far as it says where it is.
    fn shown_by(&self, around: &[Above], dialect: &Dialect) -> Result<bool, Failure> {
        let places = around.iter().map(|above| self.question(&above.address, dialect));
        for answer in self.bus.call_many(places.collect(), self.deadline) {
            if self.answered(answer)?.is_some_and(|reply| self.holds(&reply) == Some(false)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Where what a parent lists later is in front.
    fn by_order(&self, dialect: &Dialect) -> Result<Reach, Failure> {
        // What opened may be larger than what it opened from.
        let opens =
            |role| matches!(role, Role::Menu | Role::Popover | Role::ListBox | Role::ComboBox);
        let around: &[Above] = match self.within.iter().position(|above| opens(above.role)) {
            Some(opened) => self.within.get(..opened).unwrap_or_default(),
            None => self.within.split_last().map_or(&[], |(_, around)| around),
        };
        if !self.shown_by(around, dialect)? {
            return Ok(Reach::Clipped);
        }
        let lists = self.within.iter().filter(|above| !side_by_side(above.role));
        let questions = lists.map(|above| calls::children(&above.address)).collect();
        let answers = self.bus.call_many(questions, self.deadline);
        let mut later = Vec::new();
        for answer in answers {
            let Some(reply) = self.answered(answer)? else { continue };
            let children = calls::references(&reply, &self.node.address.app).unwrap_or_default();
            let is_on_the_way = |child: &Address| {
                *child == self.node.address || self.within.iter().any(|one| one.address == *child)
            };
            let Some(own) = children.iter().position(is_on_the_way) else { continue };
            match dialect.fronts {
                Fronts::Reverse => later.extend(children.into_iter().take(own).rev()),
                _ => later.extend(children.into_iter().skip(own + 1)),
            }
        }
        self.last_at(&later, dialect)
    }

    /// The last one of `later` that shows at the point; the farther up, the later is what it covers.
    /// They may be a hundred thousand, which are not asked all at once.
    fn last_at(&self, later: &[Address], dialect: &Dialect) -> Result<Reach, Failure> {
        for some in later.rchunks(AT_ONCE) {
            if let Some(cover) = self.last_of(some, dialect)? {
                return Ok(Reach::Covered(cover));
            }
        }
        Ok(Reach::Clear)
    }

    fn last_of(&self, some: &[Address], dialect: &Dialect) -> Result<Option<Address>, Failure> {
        let questions = some.iter().map(|one| self.question(one, dialect)).collect();
        let mut there = Vec::new();
        for (one, answer) in some.iter().zip(self.bus.call_many(questions, self.deadline)) {
            // What another application had put there has gone with it.
            if one.app != self.node.address.app && matches!(answer, Err(CallError::Gone)) {
                continue;
            }
            if self.answered(answer)?.is_some_and(|reply| self.holds(&reply) == Some(true)) {
                there.push(one);
            }
        }
        let is_drawn = |one: &&Address| match dialect.fronts {
            Fronts::Widgets => calls::name(one),
            _ => calls::state(one),
        };
        let mut cover = None;
        let answers = self.bus.call_many(there.iter().map(is_drawn).collect(), self.deadline);
        for (one, answer) in there.into_iter().zip(answers) {
            let Some(reply) = self.answered(answer)? else { continue };
            let is_drawn = match dialect.fronts {
                Fronts::Widgets => !reply.text().is_some_and(|name| has_surface(&name)),
                _ => reply
                    .decode::<Vec<u32>>()
                    .is_some_and(|words| states::bits(&words) & states::SHOWING != 0),
            };
            if is_drawn {
                cover = Some(one.clone());
            }
        }
        Ok(cover)
    }

    /// What tells whether an element is at the point: where it does not say whether it shows, whether
    /// it would get a click there.
    fn question(&self, of: &Address, dialect: &Dialect) -> Call {
        match dialect.sets_showing {
            true => calls::extents(of),
            false => calls::contains(of, (self.at.x, self.at.y)),
        }
    }

    /// Whether the answer to that is that it is there; none if it does not say.
    fn holds(&self, reply: &Reply) -> Option<bool> {
        reply.decode::<bool>().or_else(|| {
            calls::rectangle(reply).filter(|rect| rect.has_area()).map(|rect| rect.holds(self.at))
        })
    }

    /// The reply, if there is one to be had. An application that does not answer may have anything
    /// at the point.
    fn answered(&self, answer: Answer) -> Result<Option<Reply>, Failure> {
        match answer {
            Ok(reply) => Ok(Some(reply)),
            Err(CallError::Unanswered) => Err(Failure::Timeout),
            Err(CallError::Gone) => Err(Failure::Gone),
            Err(CallError::Absent | CallError::Refused(_)) => Ok(None),
        }
    }
}

/// Whether a widget of GTK 4 that is called so is drawn by itself: the display server knows where, and
/// the coordinates that it says it has are those of its own window.
fn has_surface(name: &str) -> bool {
    name.starts_with("GtkTooltip") || name.ends_with("Popover") || name.ends_with("PopoverMenu")
}

/// Whether what stands in an element of this role never covers each other.
fn side_by_side(role: Role) -> bool {
    matches!(
        role,
        Role::Grid | Role::List | Role::ListBox | Role::Menu | Role::Outline | Role::Table
    )
}
