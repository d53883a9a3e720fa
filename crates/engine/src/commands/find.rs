//! `find`: search a window, a surface or the region below a ref.

use std::collections::HashMap;

use agent_desktop_model::{
    error::{Code, Error},
    evidence::Evidence,
    reference::{Ref, SnapshotId},
    role::Role,
    selector::{Pattern, Selector, StateTest, is_refable},
    state::State,
    text::{quoted, shell_word},
    tree::{Field, FieldSet, Listing, NodeId, Tree},
    wire,
};

use super::{Context, saving, target};
use crate::{
    layers, observe,
    platform::{Cells, Deadline, Platform, Window},
    refs::{self, Census, RefMap},
    region,
};

/// Search for elements and give each match a ref
///
/// One window is searched, which `window` in the answer names, or the region below --root.
/// All filters must hold. Texts match as substrings unless --exact; case, accents' encoding,
/// direction marks and runs of spaces never matter. What is hidden, such as a page behind another,
/// comes after what shows. Matches are saved as a new snapshot, except with --count. A search that
/// is not finished in time fails.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub target: target::Args,

    /// Role, such as button, textfield or menuitem
    #[arg(long, value_name = "ROLE")]
    pub role: Option<String>,

    /// Name
    #[arg(long, value_name = "TEXT", allow_negative_numbers = true)]
    pub name: Option<String>,

    /// Value
    #[arg(long, value_name = "TEXT", allow_negative_numbers = true)]
    pub value: Option<String>,

    /// Name, value or description
    #[arg(long, value_name = "TEXT", allow_negative_numbers = true)]
    pub text: Option<String>,

    /// Description
    #[arg(long, value_name = "TEXT", allow_negative_numbers = true)]
    pub description: Option<String>,

    /// Identifier that the application's author gave
    #[arg(long, value_name = "ID", allow_negative_numbers = true)]
    pub native_id: Option<String>,

    /// Whole texts instead of substrings
    #[arg(long)]
    pub exact: bool,

    /// State that must hold, such as `checked`, or with `=false` must not; also `enabled` and
    /// `visible`. May be given several times
    #[arg(long = "state", value_name = "TOKEN[=BOOL]")]
    pub states: Vec<String>,

    /// Ref of the element whose subtree is searched
    #[arg(long, value_name = "REF")]
    pub root: Option<String>,

    /// Only the first match
    #[arg(long, group = "selection")]
    pub first: bool,

    /// Only the last match that shows, or the last hidden one if none does
    #[arg(long, group = "selection")]
    pub last: bool,

    /// Only the match at this place, counted from 0
    #[arg(long, value_name = "N", group = "selection")]
    pub nth: Option<usize>,

    /// Only the number of matches
    #[arg(long, group = "selection")]
    pub count: bool,

    /// Most matches to list; 0 lists all
    #[arg(long, value_name = "N", default_value_t = 50, group = "selection")]
    pub limit: usize,

    /// Time for the search
    #[arg(long, value_name = "MS", default_value_t = 5_000)]
    pub timeout_ms: u64,
}

/// How many other windows are named at most.
const OTHERS: usize = 10;

/// Of how many of them it is said how they are searched.
const OTHERS_ADVISED: usize = 3;

/// How many closed menus are named at most.
const MENUS_NAMED: usize = 5;

/// How many roles are named at most when a role matched nothing.
const ROLES_PRESENT: usize = 500;

/// The data of `find`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Find, Error> {
    let selector = selector(args)?;
    let cells = cells_for(&selector);
    let Place { mut tree, census, top, mut map, beneath, window, others, deadline } =
        place(args, cells, context)?;
    let open = candidates(&tree, top, beneath.is_some());
    let found = matching(context.platform, &mut tree, &selector, &open, deadline)?;
    let shown = is_shown(&tree);
    let matches = Matches::of(&tree, &shown, found);
    let total = matches.all.len();

    let rest = unsearched(&tree, &open, &selector);
    let others = match &window {
        Some(window) if total == 0 => beside(window, others, context, deadline),
        Some(window) => target::beside(window, &others).map(named).take(OTHERS).collect(),
        None => Vec::new(),
    };
    let with_others = |advice: Option<String>| match total {
        0 => joined(advice, elsewhere(window.as_ref(), &others)),
        _ => advice,
    };
    let data = wire::Find {
        app: map.window.app_name.clone(),
        other_windows: others.clone(),
        window: window.as_ref().map(named),
        ..wire::Find::default()
    };

    if args.count {
        return Ok(wire::Find {
            count: Some(total as u64),
            unsearched: rest.count(),
            suggestion: with_others(tree.thin.clone().or_else(|| rest.advice(&tree))),
            ..data
        });
    }
    let chosen = choose(args, &matches);
    let single = args.first || args.last || args.nth.is_some();
    if chosen.is_empty() {
        let advice = match total {
            0 => joined(
                closed_menus(&tree, &open, &selector, &aim(args, window.as_ref())),
                tree.thin.clone().or_else(|| rest.advice(&tree)),
            ),
            _ => rest.advice(&tree),
        };
        return Ok(wire::Find {
            matches: (!single).then(Vec::new),
            single: single.then_some(None),
            roles_present: selector
                .role
                .map(|role| (role, roles_present(&tree, &open)))
                .filter(|(role, present)| !present.contains(role))
                .map(|(_, present)| present),
            suggestion: with_others(advice),
            total_matches: (!single).then_some(total as u64),
            unsearched: rest.count(),
            ..data
        });
    }

    let fields: FieldSet = [Field::Capabilities, Field::Value].into_iter().collect();
    let wants: Vec<_> = chosen.iter().map(|id| (*id, fields)).collect();
    fill(context.platform, &mut tree, &wants, deadline)?;
    let numbers = refs::allocate_matches(&mut map, &tree, &census, beneath, &chosen);
    let snapshot_id = context.store.create(&map, saving())?;
    let mut listed: Vec<wire::Match> = chosen
        .iter()
        .zip(&numbers)
        .map(|(node, number)| {
            let within = matches.within(&tree, &census, *node);
            describe(&tree, top, *node, &snapshot_id, *number, within)
        })
        .collect();
    Ok(wire::Find {
        ref_count: Some(map.len() as u64),
        snapshot_id: Some(snapshot_id),
        single: single.then(|| listed.pop()),
        suggestion: rest.advice(&tree).filter(|_| !single),
        total_matches: (!single).then_some(total as u64),
        truncated: !single && listed.len() < total,
        matches: (!single).then_some(listed),
        unsearched: rest.count().filter(|_| !single),
        ..data
    })
}

/// What is searched.
struct Place {
    tree: Tree,
    census: Census,
    top: NodeId,
    /// A map without refs, for the matches.
    map: RefMap,
    /// What `top` is in the map, if it is not the window.
    beneath: Option<(NodeId, refs::Region)>,
    /// The window, if it is what is searched.
    window: Option<Window>,
    /// Others, as far as they are known.
    others: Vec<Window>,
    deadline: Deadline,
}

fn place(args: &Args, cells: Cells, context: &Context<'_>) -> Result<Place, Error> {
    let Context { platform, store, .. } = *context;
    let deadline = || Deadline::after_ms(args.timeout_ms);
    if let Some(root) = &args.root {
        args.target.refuse_surface_beside_root()?;
        let root = target::reference(root)?;
        let deadline = deadline();
        let saved = store.load(&root.snapshot)?;
        let region::Region { tree, census, top } =
            region::read(platform, &saved, &root, cells, deadline)?;
        let (map, element) =
            refs::beneath(&saved, root.number).ok_or_else(|| refs::absent(&root))?;
        let beneath = Some((top, element));
        let (window, others) = (None, Vec::new());
        return Ok(Place { tree, census, top, map, beneath, window, others, deadline });
    }
    let (scope, deadline) = target::scope(platform, &args.target, cells, deadline)?;
    let target::Scope { window, others, address, surface, tree, top } = scope;
    if !tree.complete {
        return Err(region::incomplete(&tree, deadline));
    }
    let desktop =
        platform.desktop(deadline).map_err(|failure| failure.about("the desktop", deadline))?.0;
    let map = RefMap::new(desktop, &window, address, surface);
    let census = Census::of_window(&tree);
    let window = Some(window);
    Ok(Place { tree, census, top, map, beneath: None, window, others, deadline })
}

/// The windows beside `window`, asked for now if they are not known, since it is there that what
/// was not found may be.
fn beside(
    window: &Window,
    known: Vec<Window>,
    context: &Context<'_>,
    deadline: Deadline,
) -> Vec<wire::WindowName> {
    let all = match known.is_empty() {
        true => layers::windows(context.platform, std::slice::from_ref(&window.app), deadline),
        false => Ok(known),
    };
    target::beside(window, &all.unwrap_or_default()).map(named).take(OTHERS).collect()
}

fn named(window: &Window) -> wire::WindowName {
    wire::WindowName { id: window.id.clone(), title: window.title.clone() }
}

/// Where else something that was not found may be.
fn elsewhere(window: Option<&Window>, others: &[wire::WindowName]) -> Option<String> {
    let window = window.filter(|_| !others.is_empty())?;
    let commands = others
        .iter()
        .take(OTHERS_ADVISED)
        .map(|other| format!("`find --window-id {}` searches {}", other.id, quoted(&other.title)));
    let commands = commands.collect::<Vec<_>>().join(", ");
    Some(format!("Only the window {} was searched: {commands}.", quoted(&window.title)))
}

fn joined(one: Option<String>, other: Option<String>) -> Option<String> {
    match (one, other) {
        (Some(one), Some(other)) => Some(format!("{one} {other}")),
        (one, other) => one.or(other),
    }
}

/// A sheet holds cells and nothing else.
pub(super) fn cells_for(selector: &Selector) -> Cells {
    match selector.role {
        None | Some(Role::Cell) => Cells::Shown,
        Some(_) => Cells::Counted,
    }
}

/// The role that `token` names.
pub(super) fn role(token: &str) -> Result<Role, Error> {
    Role::parse(token).ok_or_else(|| {
        Error::new(Code::InvalidArgs, format!("{} is not a role", quoted(token)))
            .suggest(format!("Roles: {}.", tokens(Role::ALL.iter().map(|role| role.token()))))
    })
}

/// What matches in and below `top`, but for what stands in closed menus.
pub(super) fn below(
    platform: &dyn Platform,
    tree: &mut Tree,
    top: NodeId,
    selector: &Selector,
    deadline: Deadline,
) -> Result<Vec<NodeId>, Error> {
    let open = candidates(tree, top, false);
    matching(platform, tree, selector, &open, deadline)
}

fn selector(args: &Args) -> Result<Selector, Error> {
    let pattern = |text: &Option<String>| text.as_ref().map(|text| Pattern::new(text, args.exact));
    let role = args.role.as_deref().map(role).transpose()?;
    let states = args
        .states
        .iter()
        .map(|text| {
            StateTest::parse(text).ok_or_else(|| {
                Error::new(Code::InvalidArgs, format!("{} is not a test of a state", quoted(text)))
                    .suggest(format!(
                        "Use TOKEN, TOKEN=true or TOKEN=false with one of: enabled, visible, {}.",
                        tokens(State::ALL.iter().map(|state| state.token()))
                    ))
            })
        })
        .collect::<Result<Vec<_>, Error>>()?;
    Ok(Selector {
        role,
        name: pattern(&args.name),
        value: pattern(&args.value),
        description: pattern(&args.description),
        text: pattern(&args.text),
        native_id: args.native_id.clone(),
        states,
    })
}

fn tokens(tokens: impl Iterator<Item = &'static str>) -> String {
    tokens.collect::<Vec<_>>().join(", ")
}

/// What can be found, in document order; `skip_top` leaves out the element of a ref, which is known
/// already. What stands in a closed menu has no ref until that is open or searched itself.
fn candidates(tree: &Tree, top: NodeId, skip_top: bool) -> Vec<NodeId> {
    let mut open = Vec::new();
    let mut at = Some(top);
    while let Some(id) = at {
        if id != top || !skip_top {
            open.push(id);
        }
        if id != top && matches!(tree[id].children, Listing::Closed(_)) {
            at = tree.after(id, top);
        } else {
            at = tree.children(id).next().or_else(|| tree.after(id, top));
        }
    }
    open
}

fn matching(
    platform: &dyn Platform,
    tree: &mut Tree,
    selector: &Selector,
    candidates: &[NodeId],
    deadline: Deadline,
) -> Result<Vec<NodeId>, Error> {
    let mut candidates = candidates.to_vec();
    candidates.retain(|id| selector.admits(&tree[*id]));
    let value = selector.needs_value().then_some(Field::Value);
    let fields: FieldSet =
        value.into_iter().chain(selector.needs_area().then_some(Field::Area)).collect();
    if !fields.is_empty() {
        let wants: Vec<_> = candidates.iter().map(|id| (*id, fields)).collect();
        fill(platform, tree, &wants, deadline)?;
        candidates.retain(|id| selector.matches(&tree[*id]));
    }
    Ok(candidates)
}

/// In which closed menus something may match, and how it is searched.
fn closed_menus(tree: &Tree, open: &[NodeId], selector: &Selector, aim: &str) -> Option<String> {
    let takes_items = selector.role.is_none_or(|it| matches!(it, Role::Menu | Role::MenuItem));
    let may_hold = |menu: &NodeId| match tree[*menu].children {
        Listing::Closed(all) => {
            let unread = all > tree.children(*menu).count() as u64;
            let admits = |id: NodeId| selector.admits(&tree[id]);
            takes_items && unread || tree.subtree(*menu).skip(1).any(admits)
        }
        Listing::Whole | Listing::Cut | Listing::Counted(_) => false,
    };
    let menus: Vec<NodeId> = open.iter().copied().filter(may_hold).collect();
    let role = tree[*menus.first()?].role;
    let names: Vec<String> = menus
        .iter()
        .filter(|menu| !tree[**menu].name.is_empty())
        .take(MENUS_NAMED)
        .map(|menu| quoted(&tree[*menu].name).to_string())
        .collect();
    let more = if menus.len() > names.len() { ", …" } else { "" };
    let named = menus.iter().find(|menu| !tree[**menu].name.is_empty());
    let (which, by_name) = match named {
        None => (String::new(), String::new()),
        Some(first) => (
            format!(" ({}{more})", names.join(", ")),
            format!(" --name {}", shell_word(&tree[*first].name)),
        ),
    };
    Some(format!(
        "Closed menus{which} were not searched, and it may be in one. Get its ref (`find \
         {aim} --role {role}{by_name} --first`), then search below that with --root."
    ))
}

/// The flag that searches the same place again.
fn aim(args: &Args, window: Option<&Window>) -> String {
    match (&args.root, window) {
        (Some(root), _) => format!("--root {root}"),
        (None, Some(window)) => format!("--window-id {}", window.id),
        (None, None) => String::new(),
    }
}

/// What a search could not look at.
struct Unsearched {
    elements: u64,
    /// A container of some of them.
    container: Option<NodeId>,
    /// Something, such as a page, of which there may be more in a moment.
    busy: Option<NodeId>,
}

/// What may match in containers of which only a part was read.
fn unsearched(tree: &Tree, searched: &[NodeId], selector: &Selector) -> Unsearched {
    let mut rest = Unsearched { elements: 0, container: None, busy: None };
    for id in searched {
        let node = &tree[*id];
        // A bar that shows progress is busy with something else.
        let may_grow = node.role != Role::ProgressBar;
        if may_grow && node.states.has(State::Busy) && !node.states.has(State::Hidden) {
            rest.busy.get_or_insert(*id);
        }
        // A table holds cells and nothing else.
        let admits = |role: Role| node.extent.is_none() || role == Role::Cell;
        if let Listing::Counted(all) = node.children
            && selector.role.is_none_or(admits)
        {
            rest.elements += all.saturating_sub(tree.children(*id).count() as u64);
            rest.container.get_or_insert(*id);
        }
        if node.may_have_more {
            rest.container.get_or_insert(*id);
        }
    }
    rest
}

impl Unsearched {
    fn count(&self) -> Option<u64> {
        Some(self.elements).filter(|elements| *elements > 0)
    }

    fn advice(&self, tree: &Tree) -> Option<String> {
        let called = |id: NodeId| observe::called(tree[id].role, &tree[id].name);
        let cut = self.container.map(|container| {
            format!(
                "The {} was searched only as far as it shows: scroll it to search more, or use \
                 what the application offers for searching.",
                called(container)
            )
        });
        let busy = self.busy.map(|busy| {
            format!("The {} is busy, so more may come: repeat the search then.", called(busy))
        });
        let advice: Vec<String> = cut.into_iter().chain(busy).collect();
        (!advice.is_empty()).then(|| advice.join(" "))
    }
}

fn fill(
    platform: &dyn Platform,
    tree: &mut Tree,
    wants: &[(NodeId, FieldSet)],
    deadline: Deadline,
) -> Result<(), Error> {
    let answered = wants.is_empty()
        || platform
            .fill(tree, wants, deadline)
            .map_err(|failure| failure.about("the search", deadline))?;
    if answered { Ok(()) } else { Err(region::incomplete(tree, deadline)) }
}

/// What matches: what shows in document order, then what is hidden.
struct Matches {
    all: Vec<NodeId>,
    /// How many of them show.
    shown: usize,
    /// They by the hash of what they say of themselves.
    alike: HashMap<u64, Vec<NodeId>>,
}

impl Matches {
    fn of(tree: &Tree, shown: &[bool], found: Vec<NodeId>) -> Self {
        let (mut all, hidden): (Vec<NodeId>, Vec<NodeId>) =
            found.into_iter().partition(|id| shown[id.index()]);
        let shown = all.len();
        all.extend(hidden);
        let mut alike = HashMap::<u64, Vec<NodeId>>::new();
        for id in &all {
            alike.entry(Evidence::hash_of(&tree[*id])).or_default().push(*id);
        }
        Self { all, shown, alike }
    }

    /// What `id` stands in, where that tells it from another match, or twin, that says the same of
    /// itself.
    fn within(&self, tree: &Tree, census: &Census, id: NodeId) -> Option<String> {
        let text = census.text_around(tree, id);
        let alike = self.alike.get(&Evidence::hash_of(&tree[id])).map_or(&[][..], Vec::as_slice);
        let tells = || alike.iter().any(|other| census.text_around(tree, *other) != text);
        match alike.len() > 1 && tells() {
            true => text,
            false => census.within_of_twin(tree, id),
        }
    }
}

/// For each node, whether neither it nor anything that it stands in is hidden. The page of a tab
/// that is not selected is `offscreen` in GTK 3, as if it could be scrolled to.
fn is_shown(tree: &Tree) -> Vec<bool> {
    let mut shown: Vec<bool> = Vec::with_capacity(tree.len());
    for id in tree.ids() {
        let states = tree[id].states;
        let behind = |parent: NodeId| {
            states.has(State::Offscreen)
                && tree[parent].role == Role::Tab
                && !tree[parent].states.has(State::Selected)
        };
        let around = tree.parent(id).is_none_or(|parent| shown[parent.index()] && !behind(parent));
        shown.push(around && !states.has(State::Hidden));
    }
    shown
}

fn choose(args: &Args, matches: &Matches) -> Vec<NodeId> {
    let Matches { all, shown, .. } = matches;
    let one = |chosen: Option<&NodeId>| chosen.copied().into_iter().collect();
    match args.nth {
        Some(nth) => one(all.get(nth)),
        None if args.first => one(all.first()),
        None if args.last => one(all.iter().take(*shown).next_back().or(all.last())),
        None if args.limit == 0 => all.clone(),
        None => all.iter().copied().take(args.limit).collect(),
    }
}

fn describe(
    tree: &Tree,
    top: NodeId,
    id: NodeId,
    snapshot: &SnapshotId,
    number: u32,
    within: Option<String>,
) -> wire::Match {
    let node = &tree[id];
    let mut cut_fields = Vec::new();
    let mut path = Vec::new();
    let mut at = id;
    while at != top {
        let Some(parent) = tree.parent(at) else { break };
        path.push(tree[parent].role);
        at = parent;
    }
    path.reverse();
    wire::Match {
        column: node.position.map(|at| at.column),
        description: observe::cut_text(&node.description, "description", &mut cut_fields),
        formula: observe::cut_text(
            node.formula.as_deref().unwrap_or_default(),
            "formula",
            &mut cut_fields,
        ),
        interactive: is_refable(node.role, node.capabilities),
        name: observe::cut_text(&node.name, "name", &mut cut_fields),
        path,
        ref_id: Ref { snapshot: snapshot.clone(), number },
        role: node.role,
        row: node.position.map(|at| at.row),
        states: node.states,
        value: node.shown_value().map(|it| observe::cut_text(it, "value", &mut cut_fields)),
        within,
        cut_fields,
    }
}

fn roles_present(tree: &Tree, searched: &[NodeId]) -> Vec<Role> {
    let mut roles: Vec<Role> = searched.iter().map(|id| tree[*id].role).collect();
    roles.extend(searched.iter().any(|id| tree[*id].is_sheet()).then_some(Role::Cell));
    roles.sort_by_key(|role| role.token());
    roles.dedup();
    roles.truncate(ROLES_PRESENT);
    roles
}
