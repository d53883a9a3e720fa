//! What is saved of a snapshot: the window, and for each ref the evidence that finds its element
//! again. Elements are stored as a tree, so that the ancestors of many refs are stored once.

use std::sync::Arc;

use agent_desktop_model::{
    evidence::{Evidence, Label},
    surface::SurfaceKind,
    text::stable_hash,
    tree::{Address, NodeId, Position, Tree},
};
use serde::{Deserialize, Serialize, Serializer};

use super::{
    census::{Census, Chain, Standing, Surroundings, says_nothing},
    context::{Place, Spot, texts_in},
};
use crate::platform::{Above, App, Process, Window};

/// The form of the file. Raised whenever an older program would misread a newer file.
const VERSION: u32 = 4;

/// The largest file that is written or read, in bytes.
pub(crate) const SIZE_LIMIT: usize = 32 * 1024 * 1024;

/// Numbers beyond this are taken as damage: no snapshot is drilled that often.
const NUMBER_LIMIT: u32 = u32::MAX - 1_000_000;

/// The refs of one snapshot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RefMap {
    /// Identifies the desktop; refs mean nothing on another.
    pub desktop: String,
    /// The window that was read.
    pub window: Source,
    /// The surface that was asked for.
    pub surface: SurfaceKind,
    /// The number that the next ref gets.
    next: u32,
    /// The applications that the elements belong to: the window's own, and those embedded in it.
    apps: Vec<Arc<str>>,
    /// Parents precede their children.
    elements: Vec<Element>,
    /// In the order of their numbers.
    refs: Vec<Entry>,
    /// Hashes of the addresses that were alive when elements were proven unique, sorted. What has
    /// such an address now was something else then.
    known: Vec<u32>,
}

/// The window of a snapshot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Source {
    pub id: String,
    pub title: String,
    pub address: Address,
    pub app_id: Arc<str>,
    pub app_name: String,
    /// Process id and start time.
    pub process: Option<(u32, u64)>,
}

/// Why a file is no ref map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// Written by a program that uses another form.
    Version(u32),
    /// Larger than any that is written.
    TooLarge,
    /// Anything else, with the reason.
    Damaged(String),
}

/// One stored element. Serialised without keys, as are refs, since there may be thousands.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct Element {
    pub(super) parent: Option<u32>,
    /// Index of its application in the map.
    app: u32,
    object: Box<str>,
    pub(super) digest: u64,
    pub(super) lasting: bool,
    pub(super) evidence: Evidence,
}

/// One ref.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct Entry {
    number: u32,
    pub(super) element: u32,
    pub(super) standing: Standing,
    /// What the element stood in.
    pub(super) within: Context,
    /// Whether that is known: nothing stayed unread that could have told it better.
    pub(super) sure: bool,
    /// What surrounded the element, where that is not the same.
    pub(super) around: Option<Context>,
    /// The stored element that calls it, or what it stands in, by its own name.
    pub(super) label: Option<u32>,
    /// The stored texts of the message or row that it stands in, where every one of them counts.
    pub(super) texts: Box<[u32]>,
    /// Of a cell in a spreadsheet: where it is in the sheet. Everything above is then said of the
    /// sheet, which is the parent of the element.
    pub(super) cell: Option<Position>,
}

/// A text that told where an element stood.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub(super) struct Context {
    pub(super) label: Label,
    /// The stored element whose name that is.
    pub(super) source: Option<u32>,
}

/// An element of a map below which is read again or searched.
#[derive(Clone, Debug)]
pub struct Region {
    pub(super) element: u32,
    /// What surrounds it.
    pub(super) around: Context,
}

/// A read whose elements are about to be stored.
#[derive(Debug)]
pub(super) struct Capture<'a> {
    pub(super) tree: &'a Tree,
    pub(super) census: &'a Census,
    /// For each node, where it is stored if it is.
    stored: Vec<Option<u32>>,
    /// What surrounds all of it.
    above: Context,
}

impl RefMap {
    /// A map without refs, of `window` as it was read from `address`.
    pub fn new(desktop: String, window: &Window, address: Address, surface: SurfaceKind) -> Self {
        let App { id, name, process, .. } = &window.app;
        Self {
            desktop,
            window: Source {
                id: window.id.clone(),
                title: window.title.clone(),
                address,
                app_id: id.clone(),
                app_name: name.clone(),
                process: process.map(|Process { pid, started }| (pid, started)),
            },
            surface,
            next: 1,
            apps: Vec::new(),
            elements: Vec::new(),
            refs: Vec::new(),
            known: Vec::new(),
        }
    }

    /// How many refs there are.
    pub fn len(&self) -> usize {
        self.refs.len()
    }

    /// Whether there are no refs.
    pub fn is_empty(&self) -> bool {
        self.refs.is_empty()
    }

    /// The numbers of all refs, in their order.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        self.refs.iter().map(|entry| entry.number)
    }

    /// Whether `number` is a ref.
    pub fn contains(&self, number: u32) -> bool {
        self.entry(number).is_some()
    }

    /// The number of the ref whose element was at `address`, if one was.
    pub fn number_at(&self, address: &Address) -> Option<u32> {
        let is_there = |entry: &&Entry| {
            let element = self.element(entry.element);
            entry.cell.is_none() && element.is_some_and(|it| self.address(it) == *address)
        };
        self.refs.iter().find(is_there).map(|entry| entry.number)
    }

    /// Where the element of ref `number` was, and what it stood in, nearest first.
    pub fn place(&self, number: u32) -> Option<(Address, Vec<Above>)> {
        let entry = self.entry(number)?;
        let above = self.ancestors(entry.element).filter_map(|index| self.element(index));
        let within = above
            .map(|element| Above { address: self.address(element), role: element.evidence.role })
            .collect();
        Some((self.address(self.element(entry.element)?), within))
    }

    /// What the element of ref `number` was called, if that was by a label of its own.
    pub fn called(&self, number: u32) -> Option<&str> {
        let entry = self.entry(number)?;
        entry.label?;
        self.element(entry.element)?.evidence.name.text()
    }

    /// What lies above the element of ref `number`, for the census of a read that starts there.
    /// `alone` says that the element was just proven to be the only one of its kind.
    pub fn surroundings(&self, number: u32, alone: bool) -> Option<Surroundings> {
        let entry = self.entry(number)?;
        let element = self.element(entry.element)?;
        let transparent = says_nothing(element.evidence.role, element.evidence.identifies());
        Some(Surroundings {
            chain: element.parent.map_or_else(Chain::default, |parent| self.inner_chain(parent)),
            around: entry.around().label.clone(),
            sealed: alone && !transparent,
        })
    }

    /// The file's content.
    pub(crate) fn encode(&self) -> Result<Vec<u8>, Unreadable> {
        let bytes = sealed(&serde_json::to_vec(self).map_err(Unreadable::damaged)?);
        if bytes.len() > SIZE_LIMIT { Err(Unreadable::TooLarge) } else { Ok(bytes) }
    }

    /// The map in a file's content, which anybody may have written. What is not just as it was
    /// written is damaged: one digit that is another makes a ref that means another element.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, Unreadable> {
        #[derive(Deserialize)]
        struct Form {
            version: u32,
        }
        if bytes.len() > SIZE_LIMIT {
            return Err(Unreadable::TooLarge);
        }
        let (begin, rest) = bytes.split_at_checked(head(&[]).len()).unwrap_or_default();
        if begin != head(rest).as_bytes() {
            return Err(match serde_json::from_slice::<Form>(bytes) {
                Ok(Form { version }) if version != VERSION => Unreadable::Version(version),
                Ok(_) => Unreadable::Damaged("it is not what was written".to_owned()),
                Err(error) => Unreadable::damaged(error),
            });
        }
        let map: Self = serde_json::from_slice(bytes).map_err(Unreadable::damaged)?;
        map.check().map_err(|reason| Unreadable::Damaged(reason.to_owned()))?;
        Ok(map)
    }

    pub(super) fn entry(&self, number: u32) -> Option<&Entry> {
        let at = self.refs.binary_search_by_key(&number, |entry| entry.number).ok()?;
        self.refs.get(at)
    }

    pub(super) fn element(&self, index: u32) -> Option<&Element> {
        self.elements.get(index as usize)
    }

    /// Where a stored element is found.
    pub(super) fn address(&self, element: &Element) -> Address {
        let app = self.apps.get(element.app as usize).unwrap_or(&self.window.app_id);
        Address { app: app.clone(), object: Arc::from(&*element.object) }
    }

    /// The elements that `index` stands in, nearest first.
    pub(super) fn ancestors(&self, index: u32) -> impl Iterator<Item = u32> {
        let parent = |at: u32| self.element(at).and_then(|element| element.parent);
        std::iter::successors(parent(index), move |at| parent(*at))
    }

    /// The chain of a stored element.
    pub(super) fn chain(&self, index: u32) -> Option<Chain> {
        let element = self.element(index)?;
        let outer = element.parent.map_or_else(Chain::default, |parent| self.inner_chain(parent));
        Some(outer.of_child(element.evidence.hash()))
    }

    /// Whether something was alive at `address` when elements were last proven unique.
    pub(super) fn knew(&self, address: &Address) -> bool {
        self.known.binary_search(&address_hash(address)).is_ok()
    }

    /// Gives `node` the next number. A number, once given, is never given again.
    pub(super) fn give_number(&mut self, capture: &mut Capture<'_>, node: NodeId) -> u32 {
        let census = capture.census;
        let element = self.store(capture, node);
        let sheet = capture.tree.parent(node).filter(|_| capture.tree[node].anchored);
        let cell = sheet.and(capture.tree[node].position);
        let proven = sheet.unwrap_or(node);
        let Place { within, around, sure, whole } = census.place(proven);
        let around = (around != within).then(|| self.context(capture, around));
        let within = self.context(capture, within);
        let label = label_of(capture.tree, proven).map(|label| self.store(capture, label));
        let texts = whole.map(|whole| texts_in(capture.tree, whole)).unwrap_or_default();
        let texts = texts.into_iter().map(|text| self.store(capture, text)).collect();
        let standing = census.standing(proven);
        let number = self.next;
        self.next += 1;
        let entry = Entry { number, element, standing, within, sure, around, label, texts, cell };
        self.refs.push(entry);
        number
    }

    fn context(&mut self, capture: &mut Capture<'_>, spot: Spot) -> Context {
        match spot {
            Spot::Nowhere => Context::default(),
            Spot::At(node) => Context {
                label: Label::of(&capture.tree[node].name),
                source: Some(self.store(capture, node)),
            },
            Spot::Above => capture.above.clone(),
        }
    }

    /// Remembers every address of a read that proved elements unique.
    pub(super) fn remember_addresses(&mut self, tree: &Tree) {
        self.known.extend(tree.ids().map(|id| address_hash(&tree[id].address)));
        self.known.sort_unstable();
        self.known.dedup();
    }

    /// Takes away every ref below the element `top`, and what was stored only for them.
    pub(super) fn forget_below(&mut self, top: u32) {
        let mut below = vec![false; self.elements.len()];
        for (index, element) in self.elements.iter().enumerate() {
            below[index] =
                element.parent.is_some_and(|parent| parent == top || below[parent as usize]);
        }
        self.refs.retain(|entry| !below[entry.element as usize]);
        self.compact();
    }

    /// The element of ref `number`, and what surrounds it.
    pub(super) fn region(&self, number: u32) -> Option<Region> {
        let entry = self.entry(number)?;
        Some(Region { element: entry.element, around: entry.around().clone() })
    }

    /// A map without refs that stores only the element of `number` with what it stands in.
    pub(super) fn only(&self, number: u32) -> Option<(Self, Region)> {
        let mut map = self.clone();
        map.refs.retain(|entry| entry.number == number);
        let entry = map.refs.first_mut()?;
        entry.within = entry.around().clone();
        map.compact();
        let region = map.region(number)?;
        Some((Self { next: 1, refs: Vec::new(), known: Vec::new(), ..map }, region))
    }

    /// Overwrites what is stored of an element by what was just read of it.
    pub(super) fn refresh(&mut self, index: u32, tree: &Tree, node: NodeId) {
        let fresh = self.element_of(tree, node);
        if let Some(element) = self.elements.get_mut(index as usize) {
            *element = Element { parent: element.parent, ..fresh };
        }
    }

    /// Where a node is stored, with its ancestors; stores what is not yet.
    fn store(&mut self, capture: &mut Capture<'_>, node: NodeId) -> u32 {
        let tree = capture.tree;
        let mut missing = Vec::new();
        let mut at = Some(node);
        let mut parent = None;
        while let Some(id) = at {
            if let Some(index) = capture.stored[id.index()] {
                parent = Some(index);
                break;
            }
            missing.push(id);
            at = tree.parent(id);
        }
        for id in missing.into_iter().rev() {
            let index = self.elements.len() as u32;
            let element = Element { parent, ..self.element_of(tree, id) };
            self.elements.push(element);
            capture.stored[id.index()] = Some(index);
            parent = Some(index);
        }
        parent.unwrap_or_default()
    }

    fn element_of(&mut self, tree: &Tree, id: NodeId) -> Element {
        let node = &tree[id];
        let Address { app, object } = &node.address;
        let known = self.apps.iter().position(|known| known == app);
        let app = known.unwrap_or_else(|| {
            self.apps.push(app.clone());
            self.apps.len() - 1
        });
        Element {
            parent: None,
            app: app as u32,
            object: object.to_string().into(),
            digest: node.digest,
            lasting: node.lasting,
            evidence: Evidence::of(node),
        }
    }

    fn inner_chain(&self, index: u32) -> Chain {
        let mut path: Vec<u32> = self.ancestors(index).collect();
        path.reverse();
        path.push(index);
        path.iter().filter_map(|at| self.element(*at)).fold(Chain::default(), |outer, element| {
            let evidence = &element.evidence;
            if says_nothing(evidence.role, evidence.identifies()) {
                outer
            } else {
                outer.of_child(evidence.hash())
            }
        })
    }

    fn compact(&mut self) {
        let mut used = vec![false; self.elements.len()];
        for entry in &self.refs {
            used[entry.element as usize] = true;
            for source in entry.sources() {
                used[source as usize] = true;
            }
        }
        for index in (0..self.elements.len()).rev() {
            if let (true, Some(parent)) = (used[index], self.elements[index].parent) {
                used[parent as usize] = true;
            }
        }
        let mut moved = vec![0; used.len()];
        let mut kept = 0;
        for (index, used) in used.iter().enumerate() {
            moved[index] = kept;
            kept += u32::from(*used);
        }
        let mut index = 0;
        self.elements.retain_mut(|element| {
            element.parent = element.parent.map(|parent| moved[parent as usize]);
            index += 1;
            used[index - 1]
        });
        for entry in &mut self.refs {
            entry.element = moved[entry.element as usize];
            let contexts = std::iter::once(&mut entry.within).chain(&mut entry.around);
            let sources = contexts.filter_map(|context| context.source.as_mut());
            for source in sources.chain(&mut entry.label).chain(&mut entry.texts) {
                *source = moved[*source as usize];
            }
        }
    }

    /// Whether every index leads somewhere and no element is its own ancestor.
    pub(super) fn check(&self) -> Result<(), &'static str> {
        let parents_precede =
            self.elements.iter().enumerate().all(|(index, element)| {
                element.parent.is_none_or(|parent| (parent as usize) < index)
            });
        let stored = |index: u32| (index as usize) < self.elements.len();
        let refs_lead_somewhere = self.refs.iter().all(|entry| {
            (1..self.next).contains(&entry.number)
                && stored(entry.element)
                && entry.sources().all(stored)
        });
        if !parents_precede {
            Err("an element does not follow its parent")
        } else if !refs_lead_somewhere {
            Err("a ref leads nowhere")
        } else if !(1..NUMBER_LIMIT).contains(&self.next) {
            Err("the next number is out of range")
        } else if self.elements.iter().any(|element| element.app as usize >= self.apps.len()) {
            Err("an element belongs to no application")
        } else if !self.refs.is_sorted_by(|one, next| one.number < next.number) {
            Err("the refs are not in order")
        } else if !self.known.is_sorted() {
            Err("the known addresses are not in order")
        } else {
            Ok(())
        }
    }
}

impl Serialize for Element {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { parent, app, object, digest, lasting, evidence } = self;
        (parent, app, object, digest, lasting, evidence).serialize(serializer)
    }
}

impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { number, element, standing, within, sure, around, label, texts, cell } = self;
        (number, element, standing, within, sure, around, label, texts, cell).serialize(serializer)
    }
}

impl Serialize for Context {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { label, source } = self;
        (label, source).serialize(serializer)
    }
}

impl Element {
    /// Whether both were at one address.
    pub(super) fn is_at_the_place_of(&self, other: &Self) -> bool {
        (self.app, &self.object) == (other.app, &other.object)
    }
}

impl Entry {
    /// What surrounded the element.
    fn around(&self) -> &Context {
        self.around.as_ref().unwrap_or(&self.within)
    }

    /// The stored elements that give its contexts and its name, and the texts that count.
    fn sources(&self) -> impl Iterator<Item = u32> {
        let contexts = std::iter::once(&self.within).chain(&self.around);
        let sources = contexts.filter_map(|context| context.source).chain(self.label);
        sources.chain(self.texts.iter().copied())
    }
}

impl<'a> Capture<'a> {
    /// A capture of `tree`, of which one node may be stored already.
    pub(super) fn new(tree: &'a Tree, census: &'a Census, known: Option<(NodeId, Region)>) -> Self {
        let mut stored = vec![None; tree.len()];
        let above = known.map(|(node, Region { element, around })| {
            stored[node.index()] = Some(element);
            around
        });
        Self { tree, census, stored, above: above.unwrap_or_default() }
    }
}

impl Unreadable {
    fn damaged(error: serde_json::Error) -> Self {
        Self::Damaged(error.to_string())
    }
}

/// The object `body` with what a file begins with.
pub(super) fn sealed(body: &[u8]) -> Vec<u8> {
    let rest = body.strip_prefix(b"{").unwrap_or(body);
    [head(rest).as_bytes(), rest].concat()
}

/// What a file begins with, of which `rest` is everything else. It is the same length always.
fn head(rest: &[u8]) -> String {
    format!("{{\"version\":{VERSION},\"sum\":\"{:016x}\",", sum(rest))
}

/// Tells damage, not forgery: whoever can write to the state root can do all that we can.
fn sum(bytes: &[u8]) -> u64 {
    let word = |part: &[u8]| part.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    bytes.chunks(8).fold(bytes.len() as u64, |sum, part| {
        (sum.rotate_left(23) ^ word(part)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}

/// What gives an element, or what it stands in, a name that it does not say of itself.
pub(super) fn label_of(tree: &Tree, id: NodeId) -> Option<NodeId> {
    std::iter::once(id).chain(tree.ancestors(id)).find_map(|id| tree[id].labelled_by)
}

fn address_hash(address: &Address) -> u32 {
    let hash =
        stable_hash(address.app.as_bytes()) ^ stable_hash(address.object.as_bytes()).rotate_left(1);
    (hash ^ (hash >> 32)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refs::testing::{Desktop, snapshot};

    const SCENE: &str = r#"
window "W" @w
  list "L" @l
    row @r1
      statictext "Alpha" @t1
      button "Delete" @d1 lasting
    row @r2
      statictext "Beta" @t2
      button "Delete" @d2 lasting
  button "Quit" @q
"#;

    #[test]
    fn a_map_is_the_same_after_writing_and_reading() {
        let (map, _) = snapshot(&Desktop::new(SCENE), "Quit");
        assert_eq!(RefMap::decode(&map.encode().unwrap()).unwrap(), map);
    }

    #[test]
    fn shared_ancestors_are_stored_once() {
        let mut scene = "window @w\n  list @l\n".to_owned();
        for index in 0..100 {
            scene += &format!("    button \"b{index}\"\n");
        }
        let (map, _) = snapshot(&Desktop::new(&scene), "b99");
        assert_eq!((map.len(), map.elements.len()), (100, 102));
    }

    #[test]
    fn another_form_is_told_from_damage() {
        let (map, _) = snapshot(&Desktop::new(SCENE), "Quit");
        let text = String::from_utf8(map.encode().unwrap()).unwrap();
        let later = text.replace("\"version\":4", "\"version\":5");
        assert_eq!(RefMap::decode(later.as_bytes()), Err(Unreadable::Version(5)));
        let earlier = "{\"version\":3,\"desktop\":\"\"}";
        assert_eq!(RefMap::decode(earlier.as_bytes()), Err(Unreadable::Version(3)));
        assert_eq!(RefMap::decode(b"{\"version\":9,\"new\":{}}"), Err(Unreadable::Version(9)));
        let too_large = vec![b' '; SIZE_LIMIT + 1];
        assert_eq!(RefMap::decode(&too_large), Err(Unreadable::TooLarge));
    }

    fn entry_mut(map: &mut RefMap, number: u32) -> &mut Entry {
        map.refs.iter_mut().find(|entry| entry.number == number).unwrap()
    }

    #[test]
    fn indices_that_lead_nowhere_are_damage() {
        let (map, number) = snapshot(&Desktop::new(SCENE), "Quit");
        type Harm = fn(&mut RefMap, u32);
        let harms: [Harm; 9] = [
            |map, _| map.elements[1].app = 9,
            |map, _| map.refs.reverse(),
            |map, number| entry_mut(map, number).element = 99,
            |map, number| entry_mut(map, number).within.source = Some(99),
            |map, _| map.elements[3].parent = Some(3),
            |map, _| map.elements[1].parent = Some(2),
            |map, number| map.next = number,
            |map, _| map.next = u32::MAX,
            |map, _| map.known.reverse(),
        ];
        for harm in harms {
            let mut map = map.clone();
            harm(&mut map, number);
            let bytes = sealed(&serde_json::to_vec(&map).unwrap());
            assert!(matches!(RefMap::decode(&bytes), Err(Unreadable::Damaged(_))));
        }
    }
}
