//! Finding the element of a ref and waiting until it can be acted on.

use agent_desktop_model::{
    action::{Gate, Occluder},
    capability::Capability,
    error::{Code, Error},
    role::Role,
    state::State,
    surface::SurfaceKind,
    tree::{Address, Field, FieldSet, Node, NodeId, Tree},
    wire::Via,
};

use super::{Action, Attempt, gates, is_closed_anyway};
use crate::{
    observe::surfaces,
    platform::{Above, Cells, Failure, Probe, Window, Witness},
    region,
    wait::{Ended, until},
};

/// An element that can be acted on now.
pub(super) struct Ready {
    pub(super) tree: Tree,
    pub(super) node: NodeId,
    /// What the node stands in, nearest first.
    pub(super) within: Vec<Above>,
    /// By what it was told that it is the ref's element.
    pub(super) witnesses: Vec<Witness>,
    /// What is acted on in the place of the ref's own element.
    pub(super) via: Option<Via>,
}

impl Attempt<'_> {
    /// Waits until the element of the ref can be acted on. What waiting cannot change is refused at
    /// once.
    pub(super) fn ready(&mut self, action: Action<'_>, headed: bool) -> Result<Ready, Error> {
        let blocked = match self.look(action, headed)? {
            Ok(ready) => return Ok(ready),
            Err(blocked) => blocked,
        };
        let deadline = self.deadline;
        let listener = self.platform.listen(Some(&self.map.window.app_id), deadline).ok();
        let mut last = blocked;
        let outcome = until(listener, deadline, || match self.look(action, headed) {
            Ok(Ok(ready)) => Ok(Some(Ok(ready))),
            Ok(Err(blocked)) => {
                last = blocked;
                Ok(None)
            }
            Err(late) if matches!(late.code, Code::Timeout | Code::AppUnresponsive) => Err(late),
            Err(refusal) => Ok(Some(Err(refusal))),
        });
        match outcome {
            Ok(outcome) => outcome,
            // It is known what was waited for; that the last look came too late is not news.
            Err(Ended::Late(_) | Ended::Failed(_)) => Err(last),
        }
    }

    /// The element if it can be acted on now, else what waiting longer would be refused with.
    pub(super) fn look(
        &mut self,
        action: Action<'_>,
        headed: bool,
    ) -> Result<Result<Ready, Error>, Error> {
        let mut row = if self.by_hand { action.row_by_hand() } else { action.row() };
        let mut fields: FieldSet =
            [Field::Capabilities, Field::Value, Field::Area].into_iter().collect();
        if self.by_hand {
            fields.insert(Field::Bounds);
        }
        self.tries += 1;
        let parent = self.parent();
        let region::Element { tree, within, mut witnesses } =
            region::element(self.platform, self.map, self.reference, fields, self.deadline)?;
        let root = tree.root();
        if let Some((address, parent)) = parent
            && let Some(itself) = witnesses.iter_mut().find(|it| it.address == address)
        {
            itself.parent = Some(parent);
        }
        let mut ready = Ready { tree, node: root, within, witnesses, via: None };
        let offers = |node: &Node| row.needs.iter().any(|need| node.capabilities.has(*need));
        if self.by_hand {
            // The pointer needs nothing of the element but its place.
        } else if let Action::Scroll(direction, _) = action {
            if let Some(bar) = self.scroll_bar(&ready, direction)? {
                ready = bar;
            }
        } else if !offers(&ready.tree[root])
            && !matches!(action, Action::Select(_))
            && let Some(inner) = self.actionable_child(&ready, row.needs)?
        {
            ready = inner;
        } else if matches!(action, Action::Expand | Action::Collapse)
            && !offers(&ready.tree[root])
            && ready.tree[root].role == Role::ComboBox
            && let Some(button) = self.actionable_child(&ready, &[Capability::Click])?
        {
            row.needs = &[Capability::Click];
            ready = button;
        }
        let node = &ready.tree[ready.node];
        let mut checks = gates::check(&row, node, headed);
        if gates::none_fails(&checks) && row.gates.contains(&Gate::ReceivesEvents) {
            gates::uncovered(&mut checks, self.occluder(&ready.within)?);
        }
        if gates::none_fails(&checks) || is_closed_anyway(action, node) {
            return Ok(Ok(ready));
        }
        match gates::terminal(&row, node, &checks, self.reference) {
            Some(refusal) => Err(match action {
                Action::Select(_) => self.aimed(refusal, &ready)?,
                _ => refusal,
            }),
            None => Ok(Err(gates::not_ready(&row, node, checks, self.reference, self.deadline))),
        }
    }

    /// What the element says that it stands in, asked before it is resolved, so that a move in the
    /// middle of that is noticed in the end.
    fn parent(&self) -> Option<(Address, Address)> {
        let (address, _) = self.map.place(self.reference.number)?;
        let probes = self.platform.probe(std::slice::from_ref(&address), self.deadline).ok()?;
        match probes.into_iter().next()? {
            Probe::Alive { parent, .. } => Some((address, parent?)),
            Probe::Gone | Probe::Unknown => None,
        }
    }

    /// What is asked beside the page in which an element stands, and keeps the user from that.
    fn question(&self, within: &[Above]) -> Result<Option<Occluder>, Error> {
        if !within.iter().any(|above| above.role == Role::WebArea) {
            return Ok(None);
        }
        let window = &self.map.window.address;
        let around = self.platform.around_pages(window, self.deadline);
        let Some(tree) = around.map_err(|failure| self.about(failure))? else { return Ok(None) };
        let asked = surfaces::find(&tree).into_iter().find(|found| {
            let holds_it = |above: &Above| above.address == tree[found.node].address;
            found.kind == SurfaceKind::Sheet && !within.iter().any(holds_it)
        });
        Ok(asked.map(|surfaces::Found { node, .. }| {
            let says = |id: &NodeId| *id == node || tree[*id].role == Role::StaticText;
            let texts = tree.subtree(node).filter(says).map(|id| tree[id].name.trim());
            let name = texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ");
            Occluder {
                bounds: tree[node].bounds,
                name: (!name.is_empty()).then_some(name),
                role: tree[node].role,
            }
        }))
    }

    /// The question beside the element's page, or the modal dialog of the same application that keeps
    /// its user from the element's window. Where there are several windows beside that, it may be
    /// modal to another of them only.
    fn occluder(&self, within: &[Above]) -> Result<Option<Occluder>, Error> {
        if let Some(question) = self.question(within)? {
            return Ok(Some(question));
        }
        let about = |failure| self.about(failure);
        let own = &self.map.window;
        let app = self.app().map_err(about)?;
        let (windows, _) =
            self.platform.windows(std::slice::from_ref(app), self.deadline).map_err(about)?;
        // What has no title was opened by what has one: a list, say, from within the dialog.
        let named = |window: &&Window| window.id == own.id && !window.title.is_empty();
        if windows.len() < 2 || !windows.iter().any(|window| named(&window)) {
            return Ok(None);
        }
        let mut modal = None;
        let mut others = 0;
        for window in &windows {
            let Some(address) = window.address.as_ref().filter(|_| window.visible) else {
                continue;
            };
            let states = match self.platform.read(address, &[], self.deadline) {
                Ok(tree) => tree[tree.root()].states,
                Err(Failure::Gone) => continue,
                Err(failure) => return Err(about(failure)),
            };
            match (window.modal || states.has(State::Modal)) && !states.has(State::Hidden) {
                true if window.id == own.id => return Ok(None),
                true => modal = Some(window),
                false if window.id != own.id && window.role == Role::Window => others += 1,
                false => {}
            }
        }
        Ok(modal.filter(|_| others == 0).map(|window| Occluder {
            bounds: window.bounds,
            name: (!window.title.is_empty()).then(|| window.title.clone()),
            role: window.role,
        }))
    }

    /// The only element inside that offers what its container lacks, the best of that first: GTK
    /// 4.8's menu buttons and combo boxes leave their actions to a button in them.
    fn actionable_child(
        &self,
        outside: &Ready,
        needs: &[Capability],
    ) -> Result<Option<Ready>, Error> {
        let outer = &outside.tree[outside.tree.root()];
        if !outer.role.is_interactive() {
            return Ok(None);
        }
        let about = |failure| self.about(failure);
        let mut inside = self
            .platform
            .observe(&outer.address, &outside.within, Cells::Counted, self.deadline)
            .map_err(about)?;
        let fields: FieldSet =
            [Field::Capabilities, Field::Value, Field::Area].into_iter().collect();
        let below: Vec<NodeId> = inside.parts(inside.root()).skip(1).take(50).collect();
        let wants: Vec<(NodeId, FieldSet)> = below.iter().map(|id| (*id, fields)).collect();
        self.platform.fill(&mut inside, &wants, self.deadline).map_err(about)?;
        let offering = |need: &Capability| -> Vec<NodeId> {
            let has = |id: &&NodeId| inside[**id].capabilities.has(*need);
            below.iter().filter(has).copied().collect()
        };
        let best = needs.iter().map(offering).find(|offering| !offering.is_empty());
        let Some([node]) = best.as_deref() else { return Ok(None) };
        let node = *node;
        let name = &inside[node].name;
        let name = (!name.is_empty()).then(|| name.to_string());
        let via = Via { name, role: inside[node].role };
        let within = above(&inside, node).chain(outside.within.iter().cloned()).collect();
        let witnesses = outside.witnesses.clone();
        Ok(Some(Ready { tree: inside, node, within, witnesses, via: Some(via) }))
    }
}

/// What `node` stands in within `tree`, nearest first.
pub(super) fn above(tree: &Tree, node: NodeId) -> impl Iterator<Item = Above> {
    tree.ancestors(node).map(|id| Above { address: tree[id].address.clone(), role: tree[id].role })
}
