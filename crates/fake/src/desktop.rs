//! The desktop itself: applications, elements, addresses and hidden identities, and what tests
//! may ask that the engine may not.

use std::{
    cell::{Ref, RefCell, RefMut},
    collections::HashMap,
    fmt::{self, Write},
    sync::Arc,
};

use agent_desktop_engine::platform::{AppId, Process};
use agent_desktop_model::{
    geometry::Rect,
    tree::{Address, NativeIdKind},
    wire::Display,
};

use crate::{
    clipboard::Clipboard,
    edit::{Edit, Refused},
    operate::{Manner, Received},
    programs::{Closing, Installed},
    scene::{self, AppLine, BadScene, Closed, ElementLine, Face, Line, What},
};

/// A scripted desktop. All methods take `&self`, as those of a real desktop do: it may change at
/// any time.
#[derive(Debug)]
pub struct Desktop {
    world: RefCell<World>,
}

/// What an element is in the eyes of a person. Printed as the scene's `#label`, or as `~N` when
/// the scene gave none.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HiddenId(pub(crate) Arc<str>);

/// How a desktop misbehaves. Time is never slept away: a read that runs out of it just stops.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Every read stops after this many nodes, as if its deadline had passed.
    pub nodes: Option<usize>,
    /// Every request for further fields is answered for this many nodes only.
    pub fills: Option<usize>,
    /// No probe is answered.
    pub probes_unanswered: bool,
    /// Labels of elements that answer nothing: probing one says nothing, and reading stops there.
    pub silent: Vec<String>,
    /// No application draws what is covered of its windows.
    pub unpainted: bool,
    /// Every deadline counts as passed.
    pub late: bool,
    /// Something has taken all keys, as an open menu does.
    pub keys_taken: bool,
    /// Bounds are not those of the scene: `x` tells the hidden identity, see
    /// [`Desktop::identity_numbered`].
    pub bounds_tell_identity: bool,
}

/// What a platform was asked so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    pub observe: usize,
    pub outline: usize,
    pub read: usize,
    pub fill: usize,
    pub probe: usize,
    /// Questions about applications, windows and displays.
    pub listing: usize,
    /// Nodes that reads returned.
    pub nodes_read: usize,
    /// Nodes of which further fields were read.
    pub nodes_filled: usize,
    /// Addresses that were probed.
    pub addresses_probed: usize,
    /// Requests to do something.
    pub requests: usize,
}

#[derive(Debug, Default)]
pub(crate) struct World {
    pub(crate) desktop_id: String,
    pub(crate) limits: Limits,
    pub(crate) calls: Calls,
    pub(crate) apps: Vec<App>,
    pub(crate) displays: Vec<Display>,
    pub(crate) clipboard: Clipboard,
    pub(crate) installed: Vec<Installed>,
    pub(crate) closing: Closing,
    pub(crate) manner: Manner,
    pub(crate) reactions: HashMap<HiddenId, Vec<Edit>>,
    pub(crate) received: Vec<Received>,
    /// Whether the keys have selected all text where the focus is.
    pub(crate) all_selected: bool,
    /// Dead elements stay, so that a key is as good as an identity.
    elements: Vec<Element>,
    by_address: HashMap<Address, Key>,
    by_identity: HashMap<HiddenId, Key>,
    /// Edits that happen by themselves after so many calls in total.
    scheduled: Vec<(usize, Edit)>,
    objects: usize,
}

/// Index of an element; never used twice.
pub(crate) type Key = usize;

#[derive(Debug)]
pub(crate) struct App {
    pub(crate) id: AppId,
    pub(crate) name: String,
    pub(crate) process: Option<Process>,
    pub(crate) toolkit: Option<String>,
    pub(crate) hung: bool,
    pub(crate) reuses: bool,
    pub(crate) windows: Vec<Key>,
    freed: Vec<Arc<str>>,
}

#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) identity: HiddenId,
    pub(crate) app: usize,
    pub(crate) object: Arc<str>,
    pub(crate) parent: Option<Key>,
    pub(crate) children: Vec<Key>,
    pub(crate) face: Face,
    alive: bool,
}

impl Desktop {
    /// The desktop that `scene` shows; the text may be indented as a whole.
    pub fn parse(scene: &str) -> Result<Self, BadScene> {
        let mut world = World { desktop_id: "fake-desktop".into(), ..World::default() };
        world.play(scene)?;
        if world.displays.is_empty() {
            world.displays.push(Display {
                bounds: Rect { x: 0, y: 0, width: 1280, height: 1024 },
                id: "screen".into(),
                is_primary: true,
                scale: 1.0,
            });
        }
        Ok(Self { world: RefCell::new(world) })
    }

    /// Changes the desktop as an application would.
    pub fn apply(&self, edit: &Edit) -> Result<(), Refused> {
        self.world_mut().apply(edit)
    }

    /// Lets `edit` happen by itself once the platform was asked `calls` more times: a change in
    /// the middle of a command.
    pub fn apply_after(&self, calls: usize, edit: Edit) {
        let mut world = self.world_mut();
        let due = world.calls.total() + calls;
        world.scheduled.push((due, edit));
    }

    /// Takes back every edit that was to happen by itself and has not; how many those were.
    pub fn take_back_edits(&self) -> usize {
        std::mem::take(&mut self.world_mut().scheduled).len()
    }

    /// Sets how the desktop misbehaves.
    pub fn set_limits(&self, limits: Limits) {
        self.world_mut().limits = limits;
    }

    /// Makes it another desktop with the same contents.
    pub fn set_desktop_id(&self, id: &str) {
        self.world_mut().desktop_id = id.into();
    }

    /// What the platform was asked since the last call of this method.
    pub fn take_calls(&self) -> Calls {
        let mut world = self.world_mut();
        let rest = world.calls.total();
        for (due, _) in &mut world.scheduled {
            *due = due.saturating_sub(rest);
        }
        std::mem::take(&mut world.calls)
    }

    /// What stands at `address`, in the eyes of a person.
    pub fn identity_at(&self, address: &Address) -> Option<HiddenId> {
        let world = self.world();
        world.key_at(address).map(|key| world.element(key).identity.clone())
    }

    /// The identity that bounds told (see [`Limits::bounds_tell_identity`]), dead or alive.
    pub fn identity_numbered(&self, x: i32) -> Option<HiddenId> {
        let world = self.world();
        let key = usize::try_from(x).ok()?;
        world.elements.get(key).map(|element| element.identity.clone())
    }

    /// Where the element is now; none if it does not exist (any more).
    pub fn address_of(&self, label: &str) -> Option<Address> {
        let world = self.world();
        world.key_of(label).map(|key| world.address(key))
    }

    /// Every element that exists, application by application, in document order.
    pub fn identities(&self) -> Vec<HiddenId> {
        let world = self.world();
        let mut all = Vec::new();
        for window in world.apps.iter().flat_map(|app| &app.windows) {
            all.extend(world.subtree(*window).map(|key| world.element(key).identity.clone()));
        }
        all
    }

    pub(crate) fn world(&self) -> Ref<'_, World> {
        self.world.borrow()
    }

    pub(crate) fn world_mut(&self) -> RefMut<'_, World> {
        self.world.borrow_mut()
    }
}

impl World {
    pub(crate) fn element(&self, key: Key) -> &Element {
        &self.elements[key]
    }

    pub(crate) fn element_mut(&mut self, key: Key) -> &mut Element {
        &mut self.elements[key]
    }

    pub(crate) fn key_at(&self, address: &Address) -> Option<Key> {
        self.by_address.get(address).copied()
    }

    pub(crate) fn key_of(&self, label: &str) -> Option<Key> {
        self.by_identity
            .get(&HiddenId(label.into()))
            .copied()
            .filter(|key| self.elements[*key].alive)
    }

    pub(crate) fn app_index(&self, id: &str) -> Option<usize> {
        self.apps.iter().position(|app| &*app.id == id)
    }

    pub(crate) fn address(&self, key: Key) -> Address {
        let element = &self.elements[key];
        Address { app: self.apps[element.app].id.clone(), object: element.object.clone() }
    }

    /// `top` and everything below it in document order.
    pub(crate) fn subtree(&self, top: Key) -> impl Iterator<Item = Key> {
        let mut stack = vec![top];
        std::iter::from_fn(move || {
            let key = stack.pop()?;
            stack.extend(self.elements[key].children.iter().rev());
            Some(key)
        })
    }

    /// Counts one call and lets the edits happen that are due by now.
    pub(crate) fn called(&mut self, count: impl FnOnce(&mut Calls)) {
        count(&mut self.calls);
        let now = self.calls.total();
        let (due, rest) =
            std::mem::take(&mut self.scheduled).into_iter().partition(|(at, _)| *at < now);
        self.scheduled = rest;
        let due: Vec<(usize, Edit)> = due;
        for (_, edit) in due {
            // An edit of something that went away by itself has nothing left to do.
            let _ = self.apply(&edit);
        }
    }

    /// Adds the applications and displays that `scene` shows.
    pub(crate) fn play(&mut self, scene: &str) -> Result<(), BadScene> {
        let lines = scene::parse(&scene::dedent(scene))?;
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            let end = block_end(&lines, at);
            match &line.what {
                What::App(app) => {
                    let app = self.add_app(app);
                    self.build(&lines[at + 1..end], app, None, usize::MAX)?;
                }
                What::Display { name, bounds } => self.displays.push(Display {
                    bounds: *bounds,
                    id: name.clone(),
                    is_primary: self.displays.is_empty(),
                    scale: 1.0,
                }),
                What::Element(_) => {
                    return Err(line.bad("an element outside any application"));
                }
            }
            at = end;
        }
        Ok(())
    }

    pub(crate) fn add_app(&mut self, line: &AppLine) -> usize {
        let number = u32::try_from(self.apps.len()).unwrap_or(0);
        self.apps.push(App {
            id: line.bus.clone().unwrap_or_else(|| format!(":1.{}", number + 1)).into(),
            name: line.name.clone(),
            process: Some(Process { pid: line.pid.unwrap_or(1000 + number), started: 1 }),
            toolkit: line.toolkit.clone(),
            hung: line.hung,
            reuses: line.reuses,
            windows: Vec::new(),
            freed: Vec::new(),
        });
        self.apps.len() - 1
    }

    /// Adds what `lines` show below `parent` (or as windows of `app`) at `index` or at the end.
    pub(crate) fn build(
        &mut self,
        lines: &[Line],
        app: usize,
        parent: Option<Key>,
        index: usize,
    ) -> Result<Vec<Key>, BadScene> {
        let mut added = Vec::new();
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            let end = block_end(lines, at);
            let What::Element(element) = &line.what else {
                return Err(line.bad("only elements stand inside an application"));
            };
            if element.repeat.times > 1 && lines[at..end].iter().any(Line::has_a_label) {
                return Err(line.bad("`times=` repeats a label, and labels are unique"));
            }
            for _ in 0..element.repeat.times {
                let index = index.saturating_add(added.len());
                let top = self.add(line, element, app, parent, index)?;
                let mut innermost = top;
                let inner = ElementLine { label: None, object: None, ..(**element).clone() };
                for _ in 1..element.repeat.nest {
                    innermost = self.add(line, &inner, app, Some(innermost), 0)?;
                }
                self.build(&lines[at + 1..end], app, Some(innermost), usize::MAX)?;
                added.push(top);
            }
            at = end;
        }
        if let Some(parent) = parent {
            self.hand_out_places(parent);
        }
        Ok(added)
    }

    /// Takes `top` with all below it out of its place and out of the world.
    pub(crate) fn remove(&mut self, top: Key) {
        self.detach(top);
        let keys: Vec<Key> = self.subtree(top).collect();
        for key in keys {
            self.forget_address(key);
            let placed = self.place_owner(key).is_some();
            let element = &mut self.elements[key];
            element.alive = false;
            if !element.face.lasting && !placed {
                let object = element.object.clone();
                self.apps[element.app].freed.push(object);
            }
        }
        if let Some(parent) = self.elements[top].parent {
            self.hand_out_places(parent);
        }
    }

    /// Ends an application: it is not on the bus any more, nor is anything of it.
    pub(crate) fn end(&mut self, app: usize) {
        for window in self.apps[app].windows.clone() {
            self.remove(window);
        }
        self.apps[app].id = "".into();
    }

    /// Takes `key` out of its parent's children; it keeps its parent link until it is attached.
    pub(crate) fn detach(&mut self, key: Key) {
        let Element { parent, app, .. } = self.elements[key];
        self.siblings_mut(app, parent).retain(|other| *other != key);
    }

    pub(crate) fn attach(&mut self, key: Key, parent: Option<Key>, index: usize) {
        let app = self.elements[key].app;
        let siblings = self.siblings_mut(app, parent);
        let index = index.min(siblings.len());
        siblings.insert(index, key);
        self.elements[key].parent = parent;
    }

    /// Gives `key` an address that no element has: a dead one's where the application reuses them.
    pub(crate) fn readdress(&mut self, key: Key) {
        self.forget_address(key);
        let app = self.elements[key].app;
        let reused = if self.apps[app].reuses && !self.elements[key].face.lasting {
            self.apps[app].freed.pop()
        } else {
            None
        };
        let object = reused.unwrap_or_else(|| {
            self.objects += 1;
            format!("/{}", self.objects).into()
        });
        self.set_object(key, object);
    }

    /// Makes a copy of `top` and all below it with identities of its own. Where it stands and what
    /// its addresses are is still to be said.
    pub(crate) fn copy(&mut self, top: Key) -> Key {
        let originals: Vec<Key> = self.subtree(top).collect();
        let first = self.elements.len();
        let position: HashMap<Key, Key> =
            originals.iter().enumerate().map(|(index, key)| (*key, first + index)).collect();
        for original in originals {
            let Element { app, parent, ref children, ref face, ref object, .. } =
                self.elements[original];
            let copy = Element {
                identity: HiddenId(format!("~{}", self.elements.len()).into()),
                app,
                object: object.clone(),
                parent: parent.and_then(|parent| position.get(&parent).copied()),
                children: children.iter().filter_map(|key| position.get(key).copied()).collect(),
                face: face.clone(),
                alive: true,
            };
            self.by_identity.insert(copy.identity.clone(), self.elements.len());
            self.elements.push(copy);
        }
        first
    }

    /// Puts another element, equal in all but its identity, in the place of `old` and around what
    /// is below it.
    pub(crate) fn reuse(&mut self, old: Key) {
        let new = self.elements.len();
        let Element { app, parent, ref face, ref object, .. } = self.elements[old];
        let (face, object) = (face.clone(), object.clone());
        let identity = HiddenId(format!("~{new}").into());
        let children = std::mem::take(&mut self.elements[old].children);
        for child in &children {
            self.elements[*child].parent = Some(new);
        }
        for sibling in self.siblings_mut(app, parent) {
            if *sibling == old {
                *sibling = new;
            }
        }
        self.elements[old].alive = false;
        self.by_identity.insert(identity.clone(), new);
        self.elements.push(Element { identity, app, object, parent, children, face, alive: true });
        let address = self.address(new);
        self.by_address.insert(address, new);
    }

    /// Where addresses belong to places, gives every child of `container` and all below it the
    /// address of its place.
    pub(crate) fn hand_out_places(&mut self, container: Key) {
        let mut containers = vec![container];
        while let Some(container) = containers.pop() {
            if !self.elements[container].face.recycles {
                continue;
            }
            let base = self.elements[container].object.clone();
            let mut moved = Vec::new();
            for (place, child) in self.elements[container].children.iter().enumerate() {
                let mut stack = vec![*child];
                let mut within = 0;
                while let Some(key) = stack.pop() {
                    moved.push((key, format!("{base}/{place}.{within}")));
                    within += 1;
                    if self.elements[key].face.recycles {
                        containers.push(key);
                    } else {
                        stack.extend(self.elements[key].children.iter().rev());
                    }
                }
            }
            for (key, _) in &moved {
                self.forget_address(*key);
            }
            for (key, object) in moved {
                self.set_object(key, object.into());
            }
        }
    }

    /// The nearest container whose places `key` takes its address from.
    pub(crate) fn place_owner(&self, key: Key) -> Option<Key> {
        std::iter::successors(self.elements[key].parent, |at| self.elements[*at].parent)
            .find(|at| self.elements[*at].face.recycles)
    }

    pub(crate) fn set_object(&mut self, key: Key, object: Arc<str>) {
        self.elements[key].object = object;
        let address = self.address(key);
        self.by_address.insert(address, key);
    }

    /// Drops the address of `key`, unless it speaks for another element by now.
    pub(crate) fn forget_address(&mut self, key: Key) {
        let address = self.address(key);
        if self.by_address.get(&address) == Some(&key) {
            self.by_address.remove(&address);
        }
    }

    /// Takes `object` off the list of addresses that new elements may get.
    pub(crate) fn take_back(&mut self, app: usize, object: &str) {
        self.apps[app].freed.retain(|freed| **freed != *object);
    }

    fn add(
        &mut self,
        line: &Line,
        new: &ElementLine,
        app: usize,
        parent: Option<Key>,
        index: usize,
    ) -> Result<Key, BadScene> {
        let key = self.elements.len();
        let label = new.label.clone().unwrap_or_else(|| format!("~{key}"));
        let identity = HiddenId(label.as_str().into());
        if self.by_identity.insert(identity.clone(), key).is_some() {
            return Err(line.bad(&format!("the label `#{label}` is taken")));
        }
        self.elements.push(Element {
            identity,
            app,
            object: Arc::from(""),
            parent,
            children: Vec::new(),
            face: new.face.clone(),
            alive: true,
        });
        self.attach(key, parent, index);
        if new.face.lasting && self.place_owner(key).is_some() {
            return Err(line.bad("`lasting` contradicts the `recycles` above it"));
        }
        match &new.object {
            Some(object) => {
                self.set_object_once(line, key, object)?;
            }
            None => self.readdress(key),
        }
        Ok(key)
    }

    fn set_object_once(&mut self, line: &Line, key: Key, object: &str) -> Result<(), BadScene> {
        let address =
            Address { app: self.apps[self.elements[key].app].id.clone(), object: object.into() };
        if self.by_address.contains_key(&address) {
            return Err(line.bad(&format!("the address `{object}` is taken")));
        }
        self.set_object(key, object.into());
        Ok(())
    }

    fn siblings_mut(&mut self, app: usize, parent: Option<Key>) -> &mut Vec<Key> {
        match parent {
            Some(parent) => &mut self.elements[parent].children,
            None => &mut self.apps[app].windows,
        }
    }
}

impl Calls {
    /// Calls of any kind.
    pub fn total(self) -> usize {
        self.observe
            + self.outline
            + self.read
            + self.fill
            + self.probe
            + self.listing
            + self.requests
    }
}

impl HiddenId {
    /// The label.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Line {
    fn bad(&self, why: &str) -> BadScene {
        BadScene { line: self.number, why: why.into() }
    }

    fn has_a_label(&self) -> bool {
        matches!(&self.what, What::Element(element) if element.label.is_some())
    }
}

/// Index after the last line of the block that line `at` begins.
fn block_end(lines: &[Line], at: usize) -> usize {
    let depth = lines[at].depth;
    lines[at + 1..]
        .iter()
        .position(|line| line.depth <= depth)
        .map_or(lines.len(), |offset| at + 1 + offset)
}

impl fmt::Display for HiddenId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// Draws the desktop as it is now, as a scene, with every identity and address.
impl fmt::Display for Desktop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let world = self.world();
        for app in &world.apps {
            write!(f, "app {:?} bus={}", app.name, app.id)?;
            if let Some(process) = app.process {
                write!(f, " pid={}", process.pid)?;
            }
            let words = [("hung", app.hung), ("reuses", app.reuses)];
            for (word, _) in words.iter().filter(|(_, is)| *is) {
                write!(f, " {word}")?;
            }
            f.write_char('\n')?;
            let mut stack: Vec<(Key, usize)> =
                app.windows.iter().rev().map(|window| (*window, 1)).collect();
            while let Some((key, depth)) = stack.pop() {
                let element = world.element(key);
                writeln!(f, "{:indent$}{element}", "", indent = depth * 2)?;
                stack.extend(element.children.iter().rev().map(|child| (*child, depth + 1)));
            }
        }
        Ok(())
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let face = &self.face;
        write!(f, "{}", face.role)?;
        if !face.name.is_empty() {
            write!(f, " {:?}", face.name)?;
        }
        for state in face.states.iter() {
            write!(f, " {}", state.token())?;
        }
        if !face.capabilities.is_empty() {
            let words: Vec<&str> = face.capabilities.iter().map(|one| one.token()).collect();
            write!(f, " [{}]", words.join(" "))?;
        }
        if let Some(native_id) = &face.native_id {
            let key = if native_id.kind == NativeIdKind::AxDomIdentifier { "dom" } else { "id" };
            write!(f, " {key}={:?}", native_id.value)?;
        }
        if !face.description.is_empty() {
            write!(f, " desc={:?}", face.description)?;
        }
        if let Some(value) = &face.value {
            write!(f, " value={value:?}")?;
        }
        if let Some(formula) = &face.formula {
            write!(f, " formula={formula:?}")?;
        }
        if let Some(size) = face.extent {
            write!(f, " size={}x{}", size.rows, size.columns)?;
        }
        if let Some(place) = face.position {
            write!(f, " cell={},{}", place.row, place.column)?;
        }
        let words = [
            ("lasting", face.lasting),
            ("anchored", face.anchored),
            ("more", face.may_have_more),
            ("recycles", face.recycles),
            ("volatile", face.volatile_name),
            ("modal-to-display", face.modal_to_display),
            ("labelled", face.labelled),
            ("minimized", face.minimized),
            ("maximized", face.maximized),
            ("fixed", face.fixed),
            ("unmatched", face.unmatched),
            ("closed", face.closed == Closed::ItemsRead),
            ("closed=unread", face.closed == Closed::ItemsUnread),
        ];
        for (word, _) in words.iter().filter(|(_, is)| *is) {
            write!(f, " {word}")?;
        }
        write!(f, " {} at={}", self.identity, self.object)
    }
}
