//! Reads everything below one accessible, with as few questions as its toolkit allows.
//!
//! Where an application serves its cache, one call brings nearly all of it. What the cache lacks
//! shows as a child count that differs from the number of cached children; only there children
//! are asked for. Elsewhere the tree is walked, each answer leading to the next questions at once.
//! Of a table too large for that, only the cells that show are read (`table`).
//! What cannot be reached from the root is dropped: caches hold closed popovers for a while.

mod cache;
mod documents;
mod late;
pub(crate) mod open;
pub(crate) mod pages;
mod rows;
mod table;

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
};

use agent_desktop_model::{
    role::Role,
    tree::{Address, Extent, Position},
};

use super::{
    calls,
    dialect::{Bulk, Dialect, Native},
    interfaces::Interfaces,
    names, page, roles, states,
};
use crate::bus::{Answer, Call, CallError, Reply};

/// A node that manages its descendants is asked for at most so many children: GTK 3 list boxes and
/// small tables answer well, a Calc sheet claims 2,147,483,647 and hangs.
const MANAGED_CHILDREN: i64 = 1_000;

/// The most nodes that are read of one window, and the most children that an element in it is asked
/// to list; of those that have more only the count is told.
const NODES: usize = 50_000;

/// The same of the window itself, of which a part is read then. A list of so many is 10 MB.
const LISTED: i64 = 200_000;

/// How many questions about the children of one node are queued at once: more than ever are in
/// flight, but those about 50,000 children would take 70 MB.
const QUEUED: usize = 5_000;

/// What was read: the first node is the root; nodes that turned out not to exist are in no list.
#[derive(Debug)]
pub(crate) struct Collected {
    pub(crate) nodes: Vec<Raw>,
    /// Whether a page that shows has not answered.
    pub(crate) lacks_a_page: bool,
}

/// A node as its application describes it.
#[derive(Debug)]
pub(crate) struct Raw {
    pub(crate) address: Address,
    pub(crate) details: Details,
    pub(crate) children: Children,
    /// Size of a table that is too large to be listed.
    pub(crate) extent: Option<Extent>,
    /// Place of a cell in such a table.
    pub(crate) position: Option<Position>,
    /// Whether that place is what the cell is.
    pub(crate) anchored: bool,
    /// Whether it may have children that are not made.
    pub(crate) may_have_more: bool,
    /// Whether it is a row that is scrolled out of sight, where its states do not tell.
    pub(crate) is_scrolled_away: bool,
    /// Whether it is behind another page, where its states do not tell.
    pub(crate) is_behind: bool,
    /// Whether it is a combo box whose list is open, where its states do not tell.
    pub(crate) is_open: bool,
    /// What says of itself that it labels it.
    pub(crate) label: Option<Box<Address>>,
    /// What lists it.
    parent: Option<u32>,
    /// Which of the details have not been answered yet.
    missing: u8,
    state: Found,
}

/// What an application says of a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Details {
    pub(crate) role: u32,
    pub(crate) states: u64,
    pub(crate) name: Box<str>,
    pub(crate) description: Box<str>,
    pub(crate) child_count: i64,
    pub(crate) interfaces: Option<Interfaces>,
    pub(crate) native_id: Option<Box<str>>,
    /// The canonical role, where the attributes of a page's element tell it better than its role
    /// number.
    pub(crate) page_role: Option<Role>,
}

/// What is known of a node's children.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Children {
    /// These, as indices of [`Collected::nodes`].
    Listed(Vec<u32>),
    /// These and more, which were too many.
    Part(Vec<u32>),
    /// So many, of which these show.
    Shown(u64, Vec<u32>),
    /// So many, in a menu that is not open.
    Closed(u64),
    /// So many, none of which were asked for.
    Counted(u64),
    /// There was no time to find out.
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    /// Only a cache has spoken of it.
    Cached,
    /// It is in the tree.
    Placed,
    /// It has vanished.
    Absent,
}

/// What an answer is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Wake,
    Items,
    Role(u32),
    State(u32),
    Name(u32),
    Description(u32),
    Count(u32),
    Children(u32),
    NativeId(u32),
    Label(u32),
    Parent(u32),
    Extents(u32),
    Attributes(u32),
    /// One of several questions that are asked together and about the same thing.
    Nth(u32),
}

/// Sends questions and hands every answer to the second argument, which may add more.
pub(crate) type Talk<'a> = dyn FnMut(Vec<(Step, Call)>, &mut Take<'_>) + 'a;
pub(crate) type Take<'a> = dyn FnMut(Step, Answer, &mut Vec<(Step, Call)>) + 'a;

impl Raw {
    fn new(address: Address, details: Details, missing: u8, state: Found) -> Self {
        Self {
            address,
            details,
            children: Children::Unknown,
            extent: None,
            position: None,
            anchored: false,
            is_scrolled_away: false,
            is_behind: false,
            is_open: false,
            may_have_more: false,
            label: None,
            parent: None,
            missing,
            state,
        }
    }

    /// Whether it is known to be in the tree, and as what.
    pub(crate) fn is_whole(&self) -> bool {
        self.state == Found::Placed && self.missing == 0
    }

    /// Whether it vanished while the tree was read.
    pub(crate) fn is_absent(&self) -> bool {
        self.state == Found::Absent
    }
}

/// What a reading leaves out.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Without {
    /// The cells that show of a table whose children may not be listed.
    pub(crate) cells: bool,
    /// What is in something that does not show.
    pub(crate) hidden: bool,
    /// What is in a page.
    pub(crate) pages: bool,
}

/// Reads what is below `root`, whose own details are known already.
pub(crate) fn collect(
    root: Address,
    details: Details,
    dialect: &Dialect,
    without: Without,
    talk: &mut Talk<'_>,
) -> Collected {
    collect_up_to(NODES, root, details, dialect, without, talk)
}

fn collect_up_to(
    limit: usize,
    root: Address,
    details: Details,
    dialect: &Dialect,
    without: Without,
    talk: &mut Talk<'_>,
) -> Collected {
    let walked = dialect.walked();
    let may_use_cache = !dialect.sleeps || late::rouse(&root, &details, &walked, talk);
    let dialect = if may_use_cache { dialect } else { &walked };
    let begin = || {
        let mut reader = Reader::new(root.clone(), details.clone(), dialect);
        reader.limit = limit;
        reader.without = without;
        reader
    };
    let mut reader = begin();
    reader.read(talk);
    let mut late = late::Waited::default();
    if dialect.pages_answer_late {
        late = late::await_pages(&reader.nodes, talk);
        if late.waited {
            reader = late::read_again(reader, begin, talk);
        }
    }
    let missing = reader.nodes.iter_mut().filter(|raw| late.missing.contains(&raw.address));
    missing.for_each(|raw| raw.details.states |= states::BUSY);
    reader.look_into_tables(talk);
    reader.look_behind_pages(talk);
    reader.look_for_scrolled_rows(talk);
    reader.look_beyond_documents(talk);
    reader.look_for_open_lists(talk);
    reader.identify(talk);
    reader.ask_for_labels(talk);
    Collected { nodes: reader.nodes, lacks_a_page: !late.missing.is_empty() }
}

/// Reads what is still missing of an element whose details are known, and nothing below it.
pub(crate) fn only(
    element: Address,
    details: Details,
    dialect: &Dialect,
    talk: &mut Talk<'_>,
) -> Collected {
    let mut reader = Reader::new(element, details, dialect);
    reader.identify(talk);
    Collected { nodes: reader.nodes, lacks_a_page: false }
}

struct Reader<'a> {
    dialect: &'a Dialect,
    app: Arc<str>,
    nodes: Vec<Raw>,
    index: HashMap<Address, u32>,
    /// Children as a cache has them: index of the parent, then place and index of each.
    cached_children: HashMap<u32, Vec<(i32, u32)>>,
    /// The parent of each, as a cache has it; none if the cache does not have the parent.
    cached_parents: HashMap<u32, Option<u32>>,
    placed: usize,
    /// How many may be placed.
    limit: usize,
    without: Without,
    /// Nodes that were only listed by a parent and not described yet.
    bare: Vec<u32>,
    /// Nodes that will be asked about as others have answered, in this order.
    unasked: VecDeque<u32>,
    /// What has too many children to be listed.
    tables: Vec<u32>,
    /// Whether nothing is read but the root and what it lists.
    is_shallow: bool,
}

const ROLE: u8 = 1;
const STATE: u8 = 1 << 1;
const NAME: u8 = 1 << 2;
const DESCRIPTION: u8 = 1 << 3;
const COUNT: u8 = 1 << 4;
const ALL: u8 = ROLE | STATE | NAME | DESCRIPTION | COUNT;

impl<'a> Reader<'a> {
    fn new(root: Address, details: Details, dialect: &'a Dialect) -> Self {
        Self {
            dialect,
            app: root.app.clone(),
            index: HashMap::from([(root.clone(), 0)]),
            nodes: vec![Raw::new(root, details, 0, Found::Placed)],
            cached_children: HashMap::new(),
            cached_parents: HashMap::new(),
            placed: 1,
            limit: NODES,
            without: Without::default(),
            bare: Vec::new(),
            unasked: VecDeque::new(),
            tables: Vec::new(),
            is_shallow: false,
        }
    }

    /// Reads everything below the root.
    fn read(&mut self, talk: &mut Talk<'_>) {
        let mut first = Vec::new();
        match self.dialect.bulk {
            Bulk::None => {
                self.settle(0, &mut first);
                talk(first, &mut |step, answer, more| self.take(step, answer, more));
            }
            Bulk::Waked | Bulk::Lazy => {
                if self.dialect.bulk == Bulk::Waked {
                    first.push((Step::Wake, calls::wake(&self.app)));
                }
                first.push((Step::Items, calls::items(&self.app)));
                talk(first, &mut |step, answer, more| match step {
                    Step::Items => {
                        self.absorb(&answer);
                        self.settle(0, more);
                    }
                    _ => self.take(step, answer, more),
                });
                self.describe(talk);
                self.interpose();
            }
        }
    }

    fn add(&mut self, node: Raw) -> u32 {
        let at = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.index.insert(node.address.clone(), at);
        self.nodes.push(node);
        at
    }

    /// Decides what has to be asked about the children of a described node, and goes on with
    /// those that are known.
    fn settle(&mut self, start: u32, more: &mut Vec<(Step, Call)>) {
        let mut pending = vec![start];
        while let Some(at) = pending.pop() {
            if self.is_shallow && at != 0 {
                continue;
            }
            let Some(node) = self.nodes.get(at as usize) else { continue };
            let address = node.address.clone();
            let count = node.details.child_count;
            let managing = node.details.states & states::MANAGES_DESCENDANTS != 0;
            let most = match (managing, at) {
                (true, _) => MANAGED_CHILDREN,
                // Without any of them nothing would be read at all.
                (false, 0) => LISTED,
                (false, _) => NODES as i64,
            };
            if at != 0
                && self.dialect.leaves_menus
                && is_closed_menu(&node.details)
                && !self.is_context_menu(node)
            {
                self.close(at, count);
            } else if at != 0
                && (self.without.hidden && !states::shown(node.details.states, self.dialect)
                    || self.without.pages && node.details.role == roles::DOCUMENT_WEB)
                && let Ok(count) = u64::try_from(count)
            {
                if let Some(node) = self.nodes.get_mut(at as usize) {
                    node.children = Children::Counted(count);
                }
            } else if self.dialect.endless_tables && node.details.role == roles::TABLE {
                self.count(at, count);
            } else if let Some(children) = self.cached(at, count) {
                pending.extend(self.place(at, children).into_iter().rev());
            } else if count < 0 && managing {
                // ATK's bridge puts -1 into the cache where children come and go.
                more.push((Step::Count(at), calls::child_count(&address)));
            } else if count > most {
                self.count(at, count);
            } else if count == 0 && self.dialect.bulk != Bulk::Lazy {
                pending.extend(self.place(at, Vec::new()));
            } else if self.placed < self.limit {
                more.push((Step::Children(at), calls::children(&address)));
            }
        }
    }

    /// Whether a menu has a window of its own, which is there only while it is open.
    fn is_context_menu(&self, menu: &Raw) -> bool {
        let window = menu.parent.and_then(|parent| self.nodes.get(parent as usize));
        window.is_some_and(|window| window.details.role == roles::WINDOW)
    }

    fn close(&mut self, at: u32, count: i64) {
        if let Some(node) = self.nodes.get_mut(at as usize) {
            node.children = match u64::try_from(count) {
                Ok(0) => Children::Listed(Vec::new()),
                Ok(count) => Children::Closed(count),
                Err(_) => Children::Unknown,
            };
        }
    }

    fn count(&mut self, at: u32, count: i64) {
        if let Some(node) = self.nodes.get_mut(at as usize) {
            node.children = match u64::try_from(count) {
                Ok(count) => Children::Counted(count),
                Err(_) => Children::Unknown,
            };
            self.tables.push(at);
        }
    }

    /// Puts children into the tree, each node once in all and no more than may be, and returns
    /// those that were put.
    fn place(&mut self, parent: u32, mut children: Vec<u32>) -> Vec<u32> {
        let mut cut = false;
        children.retain(|child| match self.nodes.get_mut(*child as usize) {
            Some(node) if node.state == Found::Cached => {
                cut |= self.placed >= self.limit;
                if !cut {
                    node.state = Found::Placed;
                    node.parent = Some(parent);
                    self.placed += 1;
                }
                !cut
            }
            _ => false,
        });
        if let Some(node) = self.nodes.get_mut(parent as usize) {
            node.children = match cut {
                true => Children::Part(children.clone()),
                false => Children::Listed(children.clone()),
            };
        }
        children
    }

    fn take(&mut self, step: Step, answer: Answer, more: &mut Vec<(Step, Call)>) {
        if matches!(step, Step::Role(_))
            && let Some(next) = self.unasked.pop_front()
            && let Some(node) = self.nodes.get(next as usize)
        {
            more.extend(details(next, &node.address));
        }
        match step {
            Step::Wake
            | Step::Items
            | Step::Parent(_)
            | Step::Extents(_)
            | Step::Attributes(_)
            | Step::Nth(_) => {}
            Step::Children(at) => self.take_children(at, &answer, more),
            Step::Label(at) => {
                if let (Some(node), Ok(reply)) = (self.nodes.get_mut(at as usize), answer) {
                    let labels = calls::related(&reply, calls::LABELLED_BY, &self.app);
                    node.label = labels.into_iter().next().map(Box::new);
                }
            }
            Step::NativeId(at) => {
                if let Some(node) = self.nodes.get_mut(at as usize) {
                    // An identifier that is not told is none; what is there is known already.
                    let _ = node.details.take(step, answer, self.dialect);
                }
            }
            Step::Count(at)
                if self.nodes.get(at as usize).is_some_and(|node| node.missing == 0) =>
            {
                // A cache said -1; this is the real count.
                match answer.ok().and_then(|reply| reply.integer()) {
                    Some(count) if count >= 0 => {
                        if let Some(node) = self.nodes.get_mut(at as usize) {
                            node.details.child_count = count;
                        }
                        self.settle(at, more);
                    }
                    _ => {}
                }
            }
            Step::Role(at)
            | Step::State(at)
            | Step::Name(at)
            | Step::Description(at)
            | Step::Count(at) => {
                let Some(node) = self.nodes.get_mut(at as usize) else { return };
                match node.details.take(step, answer, self.dialect) {
                    Ok(part) => node.missing &= !part,
                    Err(CallError::Absent) => node.state = Found::Absent,
                    // What another application had put in here has gone with that.
                    Err(CallError::Gone) if node.address.app != self.app => {
                        node.state = Found::Absent;
                    }
                    Err(_) => {}
                }
                match node.details.role {
                    // The root of an application, or of the desktop, is in no window. Elements of
                    // these roles are: the pane of Swing's inner windows is a desktop frame.
                    roles::APPLICATION | roles::DESKTOP_FRAME
                        if &*node.address.object == calls::ROOT =>
                    {
                        node.state = Found::Absent;
                    }
                    _ if node.is_whole() => self.settle(at, more),
                    _ => {}
                }
            }
        }
    }

    /// Whether a node belongs to another application, which has put it in here.
    fn is_foreign(&self, at: u32) -> bool {
        self.nodes.get(at as usize).is_some_and(|node| node.address.app != self.app)
    }

    fn take_children(&mut self, at: u32, answer: &Answer, more: &mut Vec<(Step, Call)>) {
        let listed = match answer {
            Ok(reply) => calls::references(reply, &self.app),
            // Whatever it says instead of a list, it has nothing to list.
            Err(CallError::Absent | CallError::Refused(_)) => Some(Vec::new()),
            Err(CallError::Gone) if self.is_foreign(at) => Some(Vec::new()),
            // An application that leaves takes its elements along; what was read is not whole.
            Err(CallError::Gone | CallError::Unanswered) => None,
        };
        let Some(listed) = listed else { return };
        let mut children = Vec::with_capacity(listed.len().min(self.limit));
        // Those that cannot be placed are not even noted.
        let most = self.limit.saturating_sub(self.placed);
        let cut = listed.len() > most;
        for address in listed.into_iter().take(most) {
            let child = match self.index.get(&address) {
                Some(child) => *child,
                None => self.add(Raw::new(address, Details::default(), ALL, Found::Cached)),
            };
            children.push(child);
        }
        for child in self.place(at, children) {
            let Some(node) = self.nodes.get(child as usize) else { continue };
            if node.missing == 0 {
                self.settle(child, more);
                continue;
            }
            if self.dialect.bulk == Bulk::Lazy && node.address.app == self.app {
                // Listing fills the cache, which then describes all of them with one call.
                more.push((Step::Children(child), calls::children(&node.address)));
                self.bare.push(child);
            } else if more.len() < QUEUED {
                more.extend(details(child, &node.address));
            } else {
                self.unasked.push_back(child);
            }
        }
        if cut && let Some(node) = self.nodes.get_mut(at as usize) {
            let children = std::mem::replace(&mut node.children, Children::Unknown);
            if let Children::Listed(children) = children {
                node.children = Children::Part(children);
            }
        }
    }

    /// Asks for the identifiers that authors gave. Of a web page, only what can be operated is
    /// asked: attributes cost a call a node.
    fn identify(&mut self, talk: &mut Talk<'_>) {
        if self.dialect.native == Native::None {
            return;
        }
        let questions = self
            .nodes
            .iter()
            .zip(0..)
            .filter(|(node, _)| node.is_whole() && asks_native_id(self.dialect, &node.details))
            .map(|(node, at)| (Step::NativeId(at), native_id(self.dialect, &node.address)))
            .collect();
        talk(questions, &mut |step, answer, more| self.take(step, answer, more));
    }

    /// Asks what labels the fields that have no name. That costs a call for each of them, and of
    /// those in a window there are few.
    fn ask_for_labels(&mut self, talk: &mut Talk<'_>) {
        if !self.dialect.asks_labels {
            return;
        }
        let nodes = self.nodes.iter().zip(0..);
        let questions = nodes
            .filter(|(node, _)| node.is_whole() && lacks_label(&node.details))
            .map(|(node, at)| (Step::Label(at), calls::relations(&node.address)))
            .collect();
        talk(questions, &mut |step, answer, more| self.take(step, answer, more));
    }
}

/// Whether a node is something to fill in that shows and has no name of its own.
fn lacks_label(details: &Details) -> bool {
    let shows = states::SHOWING | states::VISIBLE;
    details.name.is_empty()
        && details.states & shows == shows
        && names::is_labelled(roles::canonical(details.role, details.states))
}

/// Whether a node is a menu of which nothing shows, by its own word.
fn is_closed_menu(details: &Details) -> bool {
    details.role == roles::MENU && details.states & states::SELECTED == 0
}

/// Whether a node of this kind is asked for its identifier.
pub(crate) fn asks_native_id(dialect: &Dialect, details: &Details) -> bool {
    match dialect.native {
        Native::None => false,
        Native::AccessibleId => true,
        Native::DomId => page::is_worth_asking(details),
    }
}

/// The question for a node's identifier.
fn native_id(dialect: &Dialect, at: &Address) -> Call {
    match dialect.native {
        Native::DomId => calls::attributes(at),
        Native::AccessibleId | Native::None => calls::accessible_id(at),
    }
}

/// The questions that say which element is at an address.
pub(crate) fn identity(index: u32, at: &Address, dialect: &Dialect) -> Vec<(Step, Call)> {
    let mut questions = vec![
        (Step::Role(index), calls::role(at)),
        (Step::State(index), calls::state(at)),
        (Step::Name(index), calls::name(at)),
        (Step::Description(index), calls::description(at)),
        (Step::Parent(index), calls::parent(at)),
    ];
    if dialect.native != Native::None {
        questions.push((Step::NativeId(index), native_id(dialect, at)));
    }
    questions
}

impl Step {
    /// The index of the node that it is about.
    pub(crate) fn node(self) -> usize {
        match self {
            Self::Wake | Self::Items => 0,
            Self::Role(at)
            | Self::State(at)
            | Self::Name(at)
            | Self::Description(at)
            | Self::Count(at)
            | Self::Children(at)
            | Self::NativeId(at)
            | Self::Label(at)
            | Self::Parent(at)
            | Self::Extents(at)
            | Self::Attributes(at)
            | Self::Nth(at) => at as usize,
        }
    }
}

/// The questions that describe one node.
pub(crate) fn details(index: u32, at: &Address) -> [(Step, Call); 5] {
    [
        (Step::Role(index), calls::role(at)),
        (Step::State(index), calls::state(at)),
        (Step::Name(index), calls::name(at)),
        (Step::Description(index), calls::description(at)),
        (Step::Count(index), calls::child_count(at)),
    ]
}

impl Details {
    /// Takes one of the answers to [`details`] and says which it was. A node that has no role or
    /// state does not exist; without any of the others it just has none. An answer of another kind
    /// is as good as none.
    pub(crate) fn take(
        &mut self,
        step: Step,
        answer: Answer,
        dialect: &Dialect,
    ) -> Result<u8, CallError> {
        match step {
            Step::Role(_) => {
                self.role = sensible(known(answer)?, |reply| reply.decode())?;
                Ok(ROLE)
            }
            Step::State(_) => {
                let words = sensible(known(answer)?, |reply| reply.decode::<Vec<u32>>())?;
                self.states = states::bits(&words);
                Ok(STATE)
            }
            Step::Name(_) => {
                self.name = sensible(optional(answer)?, Reply::text)?;
                Ok(NAME)
            }
            Step::Description(_) => {
                self.description = sensible(optional(answer)?, Reply::text)?;
                Ok(DESCRIPTION)
            }
            Step::Count(_) => {
                self.child_count = sensible(optional(answer)?, Reply::integer)?;
                Ok(COUNT)
            }
            Step::NativeId(_) => {
                let reply = optional(answer)?;
                if dialect.native == Native::DomId {
                    if let Some(attributes) = reply.as_ref().and_then(Reply::decode) {
                        page::take(self, &attributes);
                    }
                } else {
                    let id = reply.and_then(|reply| reply.text());
                    self.native_id = id.filter(|id| !id.is_empty());
                }
                Ok(0)
            }
            Step::Wake
            | Step::Items
            | Step::Children(_)
            | Step::Label(_)
            | Step::Parent(_)
            | Step::Extents(_)
            | Step::Attributes(_)
            | Step::Nth(_) => Ok(0),
        }
    }
}

/// What an answer says, or the default where there is none; one of another kind leaves it unknown.
fn sensible<T: Default>(
    reply: Option<Reply>,
    read: impl Fn(&Reply) -> Option<T>,
) -> Result<T, CallError> {
    reply.map_or_else(|| Ok(T::default()), |reply| read(&reply).ok_or(CallError::Unanswered))
}

/// What is answered, or nothing where the application refuses to say.
fn known(answer: Answer) -> Result<Option<Reply>, CallError> {
    match answer {
        Err(CallError::Refused(_)) => Ok(None),
        answer => answer.map(Some),
    }
}

/// What is answered, or nothing where the application has no such thing.
fn optional(answer: Answer) -> Result<Option<Reply>, CallError> {
    match answer {
        Err(CallError::Absent) => Ok(None),
        answer => known(answer),
    }
}

#[cfg(test)]
mod tests;
