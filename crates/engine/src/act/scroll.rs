//! Scrolling without the pointer: a scroll bar is set step by step, or what shows no scroll bar, as
//! in a page of a browser, is moved by so many pixels.

use agent_desktop_model::{
    capability::Capability,
    error::{Code, Error},
    geometry::Rect,
    role::Role,
    state::State,
    tree::{Address, Field, FieldSet, Node, NodeId, Tree},
    wire::Via,
};

use super::{
    Attempt, Direction, Place, Promise,
    ready::{Ready, above},
    report::Report,
};
use crate::platform::{Above, Cells, Content, Failure, Operator, Request};

/// How many of the smallest steps that a scroll bar knows make one of ours: about what a notch of a
/// wheel does.
const SMALLEST: f64 = 3.0;

/// How many steps the range of a scroll bar has that knows none.
const STEPS: f64 = 10.0;

/// By how many pixels a notch of a wheel moves a page of a browser, about.
const NOTCH: i32 = 100;

/// How far below an element its own scroll bar stands at most: in Qt 5.15.8 there is a box between.
const OWN: usize = 2;

/// A scroll bar or what is moved itself, and what it stands in.
#[derive(Clone, Copy)]
pub(super) struct Target<'a> {
    pub(super) node: &'a Node,
    pub(super) within: &'a [Above],
}

/// Moves `target` by so many steps, each a request of its own, or as far as it goes.
pub(super) fn scroll(
    attempt: &Attempt<'_>,
    operator: &mut dyn Operator,
    target: Target<'_>,
    steps: (Direction, u32),
    report: &mut Report<'_>,
) -> Result<(), Error> {
    match target.node.role {
        Role::ScrollBar => by_bar(attempt, operator, target, steps, report),
        _ => by_pixels(attempt, operator, target, steps, report),
    }
}

/// Moves an element. Where that is the end cannot be asked: one that stays where it is has reached
/// it, or is not scrolled at all.
fn by_pixels(
    attempt: &Attempt<'_>,
    operator: &mut dyn Operator,
    Target { node, within }: Target<'_>,
    (direction, amount): (Direction, u32),
    report: &mut Report<'_>,
) -> Result<(), Error> {
    let place = Place { address: &node.address, within };
    let (x, y) = match direction {
        Direction::Up => (0, NOTCH),
        Direction::Down => (0, -NOTCH),
        Direction::Left => (NOTCH, 0),
        Direction::Right => (-NOTCH, 0),
    };
    for _ in 0..amount {
        let promise = Promise::Shifted { x, y };
        attempt.act(operator, node, &Request::ScrollBy { x, y }, place, &promise, report)?;
        if report.steps.last().is_some_and(|step| step.verified != Some(true)) {
            break;
        }
    }
    Ok(())
}

fn by_bar(
    attempt: &Attempt<'_>,
    operator: &mut dyn Operator,
    Target { node, within }: Target<'_>,
    (direction, amount): (Direction, u32),
    report: &mut Report<'_>,
) -> Result<(), Error> {
    let place = Place { address: &node.address, within };
    let up = matches!(direction, Direction::Down | Direction::Right);
    for _ in 0..amount {
        let content = attempt.platform.content(node, attempt.deadline);
        let content = content.map_err(|failure| attempt.under_way(report, failure))?;
        let Content::Number { now, least, most, step } = content else {
            return Err(Error::new(Code::ActionNotSupported, "the scroll bar tells no position")
                .suggest("Bring an element into view with `scroll-to`."));
        };
        let step = step.map_or((most - least) / STEPS, |smallest| smallest * SMALLEST);
        let wanted = if up { now + step } else { now - step }.clamp(least, most.max(least));
        if (wanted - now).abs() < f64::EPSILON * now.abs().max(1.0) {
            report.skip("already at the end", node);
            break;
        }
        let promise = Promise::Moved { from: now, up };
        attempt.act(operator, node, &Request::SetNumber(wanted), place, &promise, report)?;
        if report.steps.last().is_some_and(|step| step.verified != Some(true)) {
            break;
        }
    }
    Ok(())
}

impl Attempt<'_> {
    /// The scroll bar that scrolls the element in `direction`: one in it, else one of the area that
    /// it is in. None where the element itself is acted on.
    pub(super) fn scroll_bar(
        &self,
        outside: &Ready,
        direction: Direction,
    ) -> Result<Option<Ready>, Error> {
        let element = &outside.tree[outside.node];
        if element.role == Role::ScrollBar {
            return Ok(None);
        }
        if let Some(bar) = self.bar_in(&element.address, &outside.within, outside, direction)? {
            return Ok(Some(bar));
        }
        if element.capabilities.has(Capability::ScrollTo) {
            return if element.role == Role::WebArea { self.in_page(outside) } else { Ok(None) };
        }
        let Some(area) = outside.within.iter().position(|above| above.role == Role::ScrollArea)
        else {
            return Ok(None);
        };
        let Some((area, around)) = outside.within.get(area..).and_then(<[_]>::split_first) else {
            return Ok(None);
        };
        self.bar_in(&area.address, around, outside, direction)
    }

    /// What is moved in the place of a page, which stays where it is: the first element in it.
    fn in_page(&self, outside: &Ready) -> Result<Option<Ready>, Error> {
        let about = |failure: Failure| self.about(failure);
        let Ready { tree, node, within, .. } = outside;
        let page = &tree[*node].address;
        let mut tree =
            self.platform.observe(page, within, Cells::Counted, self.deadline).map_err(about)?;
        let fields: FieldSet =
            [Field::Capabilities, Field::Value, Field::Bounds].into_iter().collect();
        let first: Vec<NodeId> = tree.subtree(tree.root()).skip(1).take(20).collect();
        let wants: Vec<(NodeId, FieldSet)> = first.iter().map(|id| (*id, fields)).collect();
        self.platform.fill(&mut tree, &wants, self.deadline).map_err(about)?;
        let has_area = |id: &NodeId| tree[*id].bounds.is_some_and(Rect::has_area);
        let found = first.into_iter().find(has_area);
        Ok(found.map(|node| inside(tree, node, within, outside)))
    }

    /// The scroll bar of `direction` in what is at `address`: the only one, or its own.
    fn bar_in(
        &self,
        address: &Address,
        within: &[Above],
        outside: &Ready,
        direction: Direction,
    ) -> Result<Option<Ready>, Error> {
        let about = |failure: Failure| self.about(failure);
        let mut tree =
            self.platform.observe(address, within, Cells::Counted, self.deadline).map_err(about)?;
        let shown =
            |id: &NodeId| tree[*id].role == Role::ScrollBar && !tree[*id].states.has(State::Hidden);
        let mut bars: Vec<NodeId> = tree.subtree(tree.root()).filter(shown).collect();
        bars.sort_by_key(|id| tree.ancestors(*id).count());
        let fields: FieldSet =
            [Field::Capabilities, Field::Value, Field::Bounds].into_iter().collect();
        let wants: Vec<(NodeId, FieldSet)> = bars.iter().map(|id| (*id, fields)).collect();
        self.platform.fill(&mut tree, &wants, self.deadline).map_err(about)?;
        bars.retain(|id| goes(&tree, *id, direction));
        let depth = |id: NodeId| tree.ancestors(id).count();
        let node = match bars[..] {
            [] => return Ok(None),
            [only] => only,
            [own, next, ..] if depth(own) <= OWN && depth(own) < depth(next) => own,
            _ => {
                return Err(Error::new(
                    Code::AmbiguousTarget,
                    format!("{} holds several areas that scroll in this direction", self.reference),
                )
                .suggest("Scroll one of them: by its own ref, its scroll bar's, or that of what is in it."));
            }
        };
        Ok(Some(inside(tree, node, within, outside)))
    }
}

/// `node` of a tree whose root stands in `within`, acted on in the place of what is `outside`.
fn inside(tree: Tree, node: NodeId, within: &[Above], outside: &Ready) -> Ready {
    let name = (!tree[node].name.is_empty()).then(|| tree[node].name.to_string());
    Ready {
        via: Some(Via { name, role: tree[node].role }),
        within: above(&tree, node).chain(within.iter().cloned()).collect(),
        witnesses: outside.witnesses.clone(),
        node,
        tree,
    }
}

/// Whether a scroll bar goes in that direction, which its shape tells.
fn goes(tree: &Tree, bar: NodeId, direction: Direction) -> bool {
    let vertical = matches!(direction, Direction::Up | Direction::Down);
    tree[bar].bounds.is_some_and(|bounds| match vertical {
        true => bounds.height > bounds.width,
        false => bounds.width > bounds.height,
    })
}
