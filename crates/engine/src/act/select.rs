//! Choosing an option by the text that it shows. Nothing is opened for it: an open list may hold
//! the keyboard of the whole display.

use agent_desktop_model::{
    capability::Capability,
    error::{Code, Delivery, Details, Error},
    reference::Ref,
    role::Role,
    state::State,
    text::{brief, fold, quoted},
    tree::{Address, Field, FieldSet, Node, NodeId, Tree},
};

use super::{
    Attempt, Place, Promise,
    ready::{Ready, above},
    report::Report,
};
use crate::{
    by_hand,
    observe::called,
    platform::{Above, Cells, Failure, Operator, Request},
    region,
};

/// How many options an error names.
const NAMED: usize = 50;

/// How many elements of a list are looked at.
const LOOKED_AT: usize = 5_000;

/// Makes the option that says `wanted` the chosen one of `list`.
pub(super) fn choose(
    attempt: &Attempt<'_>,
    operator: &mut dyn Operator,
    list: List<'_>,
    wanted: &str,
    report: &mut Report<'_>,
) -> Result<(), Error> {
    let options = attempt.options(list)?;
    let (id, way) = options.saying(wanted, list.node, attempt)?;
    let option = &options.tree[id];
    if list.node.role != Role::ComboBox && option.states.has(State::Selected) {
        report.skip("already as asked", option);
        return Ok(());
    }
    let (target, request) = match way {
        Way::Itself => (option, Request::Choose),
        Way::Click => (option, Request::Activate),
        Way::OfList(index) => (list.node, Request::ChooseChild(index)),
    };
    let within: Vec<Above> = above(&options.tree, id).chain(list.within.iter().cloned()).collect();
    let (place, promise) = match list.node.role {
        Role::ComboBox => {
            let place = Place { address: &list.node.address, within: list.within };
            (place, Promise::Choice(wanted.to_owned()))
        }
        _ => {
            let place = Place { address: &option.address, within: &within };
            (place, Promise::State(State::Selected, true))
        }
    };
    let before = chosen(&options.tree, &option.address).map(|(address, _)| address).collect();
    attempt.act(operator, target, &request, place, &promise, report)?;
    if list.node.role == Role::ComboBox {
        return Ok(());
    }
    let others = Others { list: &list.node.address, within: list.within, before };
    let chosen_now = attempt.tell_others(&others, &option.address, report);
    // Rows move, and a list knows the one that it is asked to choose by its place.
    if !report.is_verified()
        && !chosen_now.iter().any(|text| fold(text) == fold(wanted))
        && let Some(instead) = chosen_now.first()
    {
        return Err(report.fail(
            Code::ActionFailed,
            Delivery::DeliveryUncertain,
            format!("{} was chosen, where {} was to be", quoted(instead), quoted(wanted)),
            |post_state, steps| Details::IdentityChanged {
                post_state,
                r#ref: attempt.reference.to_string(),
                steps,
            },
        ));
    }
    Ok(())
}

/// What else is chosen of a list. Many add to what is chosen already, and none says so.
pub(super) struct Others<'a> {
    list: &'a Address,
    within: &'a [Above],
    before: Vec<Address>,
}

/// What is chosen in `list` besides the element at `but`, what that stands in and what is in it,
/// and the text that each shows.
fn chosen<'t>(list: &'t Tree, but: &'t Address) -> impl Iterator<Item = (Address, String)> + 't {
    let near = move |id: NodeId| {
        list[id].address == *but
            || list.ancestors(id).any(|up| list[up].address == *but)
            || list.subtree(id).any(|inner| list[inner].address == *but)
    };
    let text = |id: NodeId| {
        let mut names = list.subtree(id).map(|id| list[id].name.trim());
        names.find(|name| !name.is_empty()).unwrap_or_default().to_owned()
    };
    list.subtree(list.root())
        .skip(1)
        .filter(|id| is_option(list[*id].role) && list[*id].states.has(State::Selected))
        .filter(move |id| !near(*id))
        .map(move |id| (list[id].address.clone(), text(id)))
}

/// A list, and what it stands in.
#[derive(Clone, Copy)]
pub(super) struct List<'a> {
    pub(super) node: &'a Node,
    pub(super) within: &'a [Above],
}

/// The elements of a list that may be options of it.
struct Options {
    tree: Tree,
    found: Vec<NodeId>,
    /// Whether all of them are known, and what they offer.
    whole: bool,
}

/// How an option is chosen.
#[derive(Clone, Copy)]
enum Way {
    Itself,
    Click,
    /// By the list, as its child of this number.
    OfList(usize),
}

impl Options {
    /// The option that says `wanted`, and how it is chosen.
    fn saying(
        &self,
        wanted: &str,
        list: &Node,
        attempt: &Attempt<'_>,
    ) -> Result<(NodeId, Way), Error> {
        let folded = fold(wanted);
        let says = |id: NodeId| fold(&self.tree[id].name) == folded;
        let shows = |id: NodeId| {
            says(id)
                || self.tree.subtree(id).any(|id| {
                    matches!(self.tree[id].role, Role::Cell | Role::StaticText) && says(id)
                })
        };
        let showing: Vec<NodeId> = self.found.iter().copied().filter(|id| shows(*id)).collect();
        let mut ways = showing.iter().filter_map(|id| Some((*id, self.way(*id, list)?)));
        match (ways.next(), ways.next()) {
            (Some(_), Some(_)) => Err(Error::new(
                Code::AmbiguousTarget,
                format!("{} has several options that say that", attempt.reference),
            )
            .suggest("Take a snapshot of it with --root and click the one that is meant.")),
            (Some(one), None) => Ok(one),
            (None, _) if !self.whole => Err(region::incomplete(&self.tree, attempt.deadline)),
            (None, _) if !showing.is_empty() => Err(Error::new(
                Code::ActionNotSupported,
                format!("the option {} of {} offers no action", quoted(wanted), attempt.reference),
            )
            .suggest(by_hand::NO_ACTION)),
            (None, _) => Err(self.none_says(wanted, list)),
        }
    }

    fn way(&self, id: NodeId, list: &Node) -> Option<Way> {
        let has = |capability| self.tree[id].capabilities.has(capability);
        let in_combo = list.role == Role::ComboBox;
        if has(Capability::Select) {
            return Some(Way::Itself);
        }
        if has(Capability::Click) && !in_combo {
            return Some(Way::Click);
        }
        let parent = self.tree.ancestors(id).next()?;
        let of_list = in_combo || parent == self.tree.root();
        (of_list && list.capabilities.has(Capability::Select)).then_some(())?;
        self.tree.children(parent).position(|child| child == id).map(Way::OfList)
    }

    fn none_says(&self, wanted: &str, list: &Node) -> Error {
        let mut options: Vec<String> = self
            .found
            .iter()
            .map(|id| brief(&self.tree[*id].name))
            .filter(|name| !name.is_empty())
            .collect();
        options.dedup();
        options.truncate(NAMED);
        let suggestion = match options.is_empty() {
            true => "Take a snapshot of it with --root to see what it offers.".to_owned(),
            false => {
                let all: Vec<String> = options.iter().map(|it| quoted(it).to_string()).collect();
                format!("It offers: {}.", all.join(", "))
            }
        };
        Error::new(
            Code::ElementNotFound,
            format!("{} has no option {}", called(list.role, &list.name), quoted(wanted)),
        )
        .suggest(suggestion)
        .details(Details::SelectMenuItemNotFound { options, wanted: wanted.to_owned() })
    }
}

impl Attempt<'_> {
    /// `refusal` of an element that is no list, naming the one that it is an option of.
    pub(super) fn aimed(&self, refusal: Error, item: &Ready) -> Result<Error, Error> {
        let role = item.tree[item.node].role;
        if !is_option(role) && role != Role::StaticText {
            return Ok(refusal);
        }
        let lists = item.within.iter().enumerate();
        let Some((at, list)) = lists.into_iter().find(|(_, above)| holds_options(above.role))
        else {
            return Ok(refusal);
        };
        let around = item.within.get(at + 1..).unwrap_or_default();
        let about = |failure: Failure| self.about(failure);
        let mut tree = match self.platform.read(&list.address, around, self.deadline) {
            Err(Failure::Gone) => return Ok(refusal),
            other => other.map_err(about)?,
        };
        let wants = [(tree.root(), [Field::Capabilities].into_iter().collect())];
        self.platform.fill(&mut tree, &wants, self.deadline).map_err(about)?;
        let node = &tree[tree.root()];
        if !node.capabilities.has(Capability::Select) {
            return Ok(refusal);
        }
        let aim = match self.map.number_at(&list.address) {
            Some(number) => {
                let at = Ref { snapshot: self.reference.snapshot.clone(), number };
                format!("`select '{at}' TEXT`")
            }
            None => format!("`find --role {} --first` gives its ref", node.role),
        };
        Ok(refusal.suggest(format!(
            "`select` is aimed at what holds the options, with the text of one: the {} around it \
             ({aim}).",
            called(node.role, &node.name)
        )))
    }

    /// What else is chosen of the list around an item at `item`, before that is; none if it
    /// stands in no list, or in one that cannot be read.
    pub(super) fn others<'w>(&self, item: &Address, within: &'w [Above]) -> Option<Others<'w>> {
        let is_list = |above: &Above| holds_options(above.role) && above.role != Role::ComboBox;
        let at = within.iter().position(is_list)?;
        let (list, around) = (&within.get(at)?.address, within.get(at + 1..)?);
        let tree = self.platform.observe(list, around, Cells::Counted, self.deadline).ok()?;
        let before = chosen(&tree, item).map(|(address, _)| address).collect();
        Some(Others { list, within: around, before })
    }

    /// Adds to the report which of the others are chosen still, now that the one at `item` is, and
    /// returns those that have come to be.
    pub(super) fn tell_others(
        &self,
        others: &Others<'_>,
        item: &Address,
        report: &mut Report<'_>,
    ) -> Vec<String> {
        if others.before.is_empty() && report.is_verified() {
            return Vec::new();
        }
        let observed =
            self.platform.observe(others.list, others.within, Cells::Counted, self.deadline);
        // What cannot be told now is no reason to say that nothing was done.
        let Ok(tree) = observed else { return Vec::new() };
        let (still, new): (Vec<_>, Vec<_>) =
            chosen(&tree, item).partition(|(address, _)| others.before.contains(address));
        let texts = |all: Vec<(Address, String)>| all.into_iter().map(|(_, text)| text);
        report.also_selected(texts(still).take(NAMED).collect());
        texts(new).collect()
    }

    /// What is in `list` now.
    fn options(&self, list: List<'_>) -> Result<Options, Error> {
        let about = |failure: Failure| self.about(failure);
        let mut tree = self
            .platform
            .observe(&list.node.address, list.within, Cells::Counted, self.deadline)
            .map_err(about)?;
        let found: Vec<NodeId> = tree
            .subtree(tree.root())
            .skip(1)
            .filter(|id| is_option(tree[*id].role))
            .take(LOOKED_AT)
            .collect();
        let fields: FieldSet = [Field::Capabilities].into_iter().collect();
        let wants: Vec<(NodeId, FieldSet)> = found.iter().map(|id| (*id, fields)).collect();
        let told = self.platform.fill(&mut tree, &wants, self.deadline).map_err(about)?;
        Ok(Options { whole: told && tree.complete, tree, found })
    }
}

/// Whether elements of this role are chosen from.
fn holds_options(role: Role) -> bool {
    matches!(
        role,
        Role::List
            | Role::ListBox
            | Role::Table
            | Role::Grid
            | Role::Outline
            | Role::TabList
            | Role::ComboBox
            | Role::RadioGroup
    )
}

fn is_option(role: Role) -> bool {
    matches!(
        role,
        Role::Option
            | Role::MenuItem
            | Role::Row
            | Role::Cell
            | Role::Tab
            | Role::TreeItem
            | Role::RadioButton
            | Role::LayoutItem
    )
}
