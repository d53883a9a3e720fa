//! `find`: search a window, a surface or the region below a ref.

use agent_desktop_model::{
    error::{Code, Error},
    reference::{Ref, SnapshotId},
    role::Role,
    selector::{Pattern, Selector, StateTest, is_refable},
    state::State,
    tree::{Field, FieldSet, Listing, NodeId, Tree},
    wire,
};

use super::{Context, region, saving, target};
use crate::{
    observe,
    platform::{Deadline, Platform},
    refs::{self, Census, RefMap},
};

/// Search for elements and give each match a ref
///
/// All filters must hold. Texts match as substrings unless --exact; case, accents' encoding,
/// direction marks and runs of spaces never matter. Matches are saved as a new snapshot, except
/// with --count. A search that is not finished in time fails.
#[derive(Clone, Debug, clap::Args)]
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

    /// State that must hold, or with `=false` must not; also `enabled` and `visible`
    #[arg(long = "state", value_name = "TOKEN[=BOOL]")]
    pub states: Vec<String>,

    /// Ref of the element whose subtree is searched
    #[arg(long, value_name = "REF")]
    pub root: Option<String>,

    /// Only the first match
    #[arg(long, group = "selection")]
    pub first: bool,

    /// Only the last match
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

/// How many roles are named at most when a role matched nothing.
const ROLES_PRESENT: usize = 500;

/// The data of `find`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<wire::Find, Error> {
    let selector = selector(args)?;
    let Place { mut tree, census, top, mut map, beneath, deadline } = place(args, context)?;
    let (open, closed) = candidates(&tree, top, beneath.is_some());
    let matches = matching(context.platform, &mut tree, &selector, &open, deadline)?;
    let total = matches.len();

    if args.count {
        return Ok(wire::Find { count: Some(total as u64), ..wire::Find::default() });
    }
    let chosen = choose(args, &matches);
    let single = args.first || args.last || args.nth.is_some();
    if chosen.is_empty() {
        let hidden = closed.iter().filter(|id| selector.admits(&tree[**id])).count();
        return Ok(wire::Find {
            matches: (!single).then(Vec::new),
            single: single.then_some(None),
            roles_present: selector
                .role
                .map(|role| (role, roles_present(&tree, &open)))
                .filter(|(role, present)| !present.contains(role))
                .map(|(_, present)| present),
            suggestion: (total == 0 && hidden > 0).then(|| {
                format!(
                    "{hidden} elements in closed menus may match: search below the menu with --root; \
                     `find --role menu` gives its ref."
                )
            }),
            total_matches: (!single).then_some(total as u64),
            ..wire::Find::default()
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
        .map(|(node, number)| describe(&tree, &census, top, *node, &snapshot_id, *number))
        .collect();
    Ok(wire::Find {
        ref_count: Some(map.len() as u64),
        snapshot_id: Some(snapshot_id),
        single: single.then(|| listed.pop()),
        total_matches: (!single).then_some(total as u64),
        truncated: !single && listed.len() < total,
        matches: (!single).then_some(listed),
        ..wire::Find::default()
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
    deadline: Deadline,
}

fn place(args: &Args, context: &Context<'_>) -> Result<Place, Error> {
    let Context { platform, store, .. } = *context;
    let deadline = || Deadline::after_ms(args.timeout_ms);
    if let Some(root) = &args.root {
        args.target.refuse_surface_beside_root()?;
        let root = target::reference(root)?;
        let deadline = deadline();
        let saved = store.load(&root.snapshot)?;
        let region::Region { tree, census, top } = region::read(platform, &saved, &root, deadline)?;
        let (map, element) =
            refs::beneath(&saved, root.number).ok_or_else(|| refs::absent(&root))?;
        return Ok(Place { tree, census, top, map, beneath: Some((top, element)), deadline });
    }
    let (scope, deadline) = target::scope(platform, &args.target, deadline)?;
    let target::Scope { window, address, surface, tree, top } = scope;
    if !tree.complete {
        return Err(region::incomplete(&tree, deadline));
    }
    let desktop = platform.desktop().map_err(|failure| failure.about("the desktop", deadline))?.0;
    let map = RefMap::new(desktop, &window, address, surface);
    let census = Census::of_window(&tree);
    Ok(Place { tree, census, top, map, beneath: None, deadline })
}

fn selector(args: &Args) -> Result<Selector, Error> {
    let pattern = |text: &Option<String>| text.as_ref().map(|text| Pattern::new(text, args.exact));
    let role = args
        .role
        .as_ref()
        .map(|token| {
            Role::parse(token).ok_or_else(|| {
                Error::new(Code::InvalidArgs, format!("{token:?} is not a role"))
                    .suggest(format!("Roles: {}.", tokens(Role::ALL.iter().map(|r| r.token()))))
            })
        })
        .transpose()?;
    let states =
        args.states
            .iter()
            .map(|text| {
                StateTest::parse(text).ok_or_else(|| {
                    Error::new(Code::InvalidArgs, format!("{text:?} is not a test of a state"))
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

/// What can be found, in document order (`skip_top` leaves out the element of a ref, which is
/// known already), and what stands in closed menus, where an element has no
/// ref until its menu is open or searched itself.
fn candidates(tree: &Tree, top: NodeId, skip_top: bool) -> (Vec<NodeId>, Vec<NodeId>) {
    let (mut open, mut closed) = (Vec::new(), Vec::new());
    let mut at = Some(top);
    while let Some(id) = at {
        if id != top || !skip_top {
            open.push(id);
        }
        if id != top && matches!(tree[id].children, Listing::Closed(_)) {
            closed.extend(tree.subtree(id).skip(1));
            at = tree.after(id, top);
        } else {
            at = tree.children(id).next().or_else(|| tree.after(id, top));
        }
    }
    (open, closed)
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
    if selector.needs_value() {
        let fields: FieldSet = [Field::Value].into_iter().collect();
        let wants: Vec<_> = candidates.iter().map(|id| (*id, fields)).collect();
        fill(platform, tree, &wants, deadline)?;
        candidates.retain(|id| selector.matches(&tree[*id]));
    }
    Ok(candidates)
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

fn choose(args: &Args, matches: &[NodeId]) -> Vec<NodeId> {
    let one = |chosen: Option<&NodeId>| chosen.copied().into_iter().collect();
    match args.nth {
        Some(nth) => one(matches.get(nth)),
        None if args.first => one(matches.first()),
        None if args.last => one(matches.last()),
        None if args.limit == 0 => matches.to_vec(),
        None => matches.iter().copied().take(args.limit).collect(),
    }
}

fn describe(
    tree: &Tree,
    census: &Census,
    top: NodeId,
    id: NodeId,
    snapshot: &SnapshotId,
    number: u32,
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
        interactive: is_refable(node.role, node.capabilities),
        name: observe::cut_text(&node.name, "name", &mut cut_fields),
        path,
        ref_id: Ref { snapshot: snapshot.clone(), number },
        role: node.role,
        states: node.states,
        value: node.shown_value().map(|it| observe::cut_text(it, "value", &mut cut_fields)),
        within: census.within_of_twin(tree, id),
        cut_fields,
    }
}

fn roles_present(tree: &Tree, searched: &[NodeId]) -> Vec<Role> {
    let mut roles: Vec<Role> = searched.iter().map(|id| tree[*id].role).collect();
    roles.sort_by_key(|role| role.token());
    roles.dedup();
    roles.truncate(ROLES_PRESENT);
    roles
}
