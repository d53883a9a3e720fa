//! The desktop as the engine sees it.

use std::collections::VecDeque;

use agent_desktop_engine::platform::{
    Above, App, AppId, Arrangement, Capabilities, Captured, Cells, Clip, ClipKind, Content,
    Deadline, DesktopId, Failure, Handle, Input, Listener, Operator, Pasted, Picture, Platform,
    Probe, Reach, Standing, Subject, Taken, Why, Window,
};
use agent_desktop_model::{
    evidence::digest,
    geometry::{Point, Rect},
    role::Role,
    state::State,
    surface::SurfaceKind,
    text::cut,
    tree::{Address, Field, FieldSet, Listing, Node, NodeId, Position, Tree},
    wire::{Coordinates, Display, Grant, Permission, Permissions},
};

use crate::{
    Desktop,
    desktop::{Calls, Key, World},
    scene::Closed,
};

/// The object that stands for an application itself, as on AT-SPI.
const APP_ROOT: &str = "/root";

impl Platform for Desktop {
    fn desktop(&self, _: Deadline) -> Result<DesktopId, Failure> {
        Ok(DesktopId(self.world().desktop_id.clone()))
    }

    fn capabilities(&self) -> Capabilities {
        let permission = |state| Permission { state, suggestion: None };
        Capabilities {
            platform: "fake",
            permissions: Permissions {
                accessibility: permission(Grant::Granted),
                automation: permission(Grant::NotRequired),
                screen_recording: permission(Grant::NotRequired),
            },
            surfaces: vec![
                SurfaceKind::Window,
                SurfaceKind::Focused,
                SurfaceKind::Menu,
                SurfaceKind::MenuBar,
                SurfaceKind::Sheet,
                SurfaceKind::Popover,
                SurfaceKind::Alert,
            ],
        }
    }

    fn apps(&self, _: Deadline) -> Result<Vec<App>, Failure> {
        let world = self.listing();
        Ok((0..world.apps.len()).map(|app| world.describe_app(app)).collect())
    }

    fn app(&self, id: &AppId, _: Deadline) -> Result<App, Failure> {
        let world = self.listing();
        world.app_index(id).map(|app| world.describe_app(app)).ok_or(Failure::Gone)
    }

    fn windows(&self, apps: &[App], _: Deadline) -> Result<(Vec<Window>, Vec<App>), Failure> {
        let world = self.listing();
        let mut windows = Vec::new();
        let mut silent = Vec::new();
        for app in apps {
            match world.app_index(&app.id) {
                None => {}
                Some(index) if world.apps[index].hung => silent.push(world.describe_app(index)),
                Some(index) => windows.extend(
                    world.apps[index].windows.iter().map(|key| world.describe_window(*key)),
                ),
            }
        }
        Ok((windows, silent))
    }

    fn window(&self, id: &str, _: Deadline) -> Result<Window, Failure> {
        let world = self.listing();
        let found = world
            .apps
            .iter()
            .flat_map(|app| &app.windows)
            .find(|key| world.window_id(**key) == id)
            .ok_or(Failure::Gone)?;
        world.answering(world.element(*found).app)?;
        Ok(world.describe_window(*found))
    }

    fn focused_window(&self, _: Deadline) -> Result<Option<Window>, Failure> {
        let world = self.listing();
        let windows = world.apps.iter().filter(|app| !app.hung).flat_map(|app| &app.windows);
        Ok(windows
            .copied()
            .find(|key| world.element(*key).face.states.has(State::Focused))
            .map(|key| world.describe_window(key)))
    }

    fn standing(&self, window: Handle, _: Deadline) -> Result<Standing, Failure> {
        let world = self.listing();
        let face = &world.element(world.window_called(window)?).face;
        Ok(Standing {
            bounds: face.bounds.unwrap_or_default(),
            focused: face.states.has(State::Focused),
            visible: !face.minimized && !face.states.has(State::Hidden),
            minimized: face.minimized,
            maximized: face.maximized,
        })
    }

    fn arrange(&self, window: Handle, change: Arrangement, _: Deadline) -> Result<(), Failure> {
        let mut world = self.world_mut();
        let key = world.window_called(window)?;
        if world.element(key).face.fixed {
            return Ok(());
        }
        if change == Arrangement::Focus {
            let all: Vec<Key> = world.apps.iter().flat_map(|app| app.windows.clone()).collect();
            for other in all {
                world.element_mut(other).face.states.remove(State::Focused);
            }
        }
        let face = &mut world.element_mut(key).face;
        let bounds = face.bounds.unwrap_or_default();
        match change {
            Arrangement::Focus => {
                face.states.insert(State::Focused);
                face.minimized = false;
            }
            Arrangement::Size { width, height } => {
                face.bounds = Some(Rect { width, height, ..bounds });
            }
            Arrangement::Place { x, y } => face.bounds = Some(Rect { x, y, ..bounds }),
            Arrangement::Minimize => face.minimized = true,
            Arrangement::Unminimize => face.minimized = false,
            Arrangement::Maximize => face.maximized = true,
            Arrangement::Unmaximize => face.maximized = false,
        }
        Ok(())
    }

    fn has_input(&self) -> bool {
        true
    }

    fn input(&self, _: Deadline) -> Result<Box<dyn Input + '_>, Failure> {
        Ok(Box::new(self.device()))
    }

    fn reach(
        &self,
        node: &Node,
        within: &[Above],
        point: Point,
        _: Deadline,
    ) -> Result<Reach, Failure> {
        Ok(self.world().reach(&node.address, within, point))
    }

    fn coordinates(&self) -> Coordinates {
        Coordinates::Screen
    }

    fn displays(&self, _: Deadline) -> Result<Vec<Display>, Failure> {
        Ok(self.listing().displays.clone())
    }

    fn observe(
        &self,
        root: &Address,
        _: &[Above],
        cells: Cells,
        deadline: Deadline,
    ) -> Result<Tree, Failure> {
        self.world_mut().called(|calls| calls.observe += 1);
        let leaves = match cells {
            Cells::Shown => |_: &World, _| false,
            Cells::Counted => World::is_sheet,
        };
        self.world_mut().observed(root, deadline, leaves)
    }

    fn outline(&self, window: &Address, deadline: Deadline) -> Result<Tree, Failure> {
        self.world_mut().called(|calls| calls.outline += 1);
        let leaves = |world: &World, key| {
            let states = world.element(key).face.states;
            let unseen = states.has(State::Hidden) || states.has(State::Offscreen);
            world.is_sheet(key) || unseen
        };
        self.world_mut().observed(window, deadline, leaves)
    }

    fn around_pages(&self, window: &Address, deadline: Deadline) -> Result<Option<Tree>, Failure> {
        self.world_mut().called(|calls| calls.outline += 1);
        let leaves = |world: &World, key| world.element(key).face.role == Role::WebArea;
        self.world_mut().observed(window, deadline, leaves).map(Some)
    }

    fn read(&self, address: &Address, _: &[Above], deadline: Deadline) -> Result<Tree, Failure> {
        self.world_mut().called(|calls| calls.read += 1);
        let mut world = self.world_mut();
        let key = world.answering_at(address)?;
        if world.limits.late || world.is_silent(key) || deadline.passed() {
            return Err(Failure::Timeout);
        }
        world.calls.nodes_read += 1;
        let tree = Tree::new(world.node(key));
        Ok(tree)
    }

    fn fill(
        &self,
        tree: &mut Tree,
        wants: &[(NodeId, FieldSet)],
        deadline: Deadline,
    ) -> Result<bool, Failure> {
        self.world_mut().called(|calls| calls.fill += 1);
        let mut world = self.world_mut();
        let late = world.limits.late || deadline.passed();
        let budget = if late { 0 } else { world.limits.fills.unwrap_or(usize::MAX) };
        for (id, fields) in wants.iter().take(budget) {
            let node = &mut tree[*id];
            let Some(app) = world.app_index(&node.address.app) else { continue };
            world.answering(app)?;
            // An element that went away since has nothing more to say, which is an answer.
            if let Some(key) = world.key_at(&node.address) {
                world.fill_node(node, key, *fields);
            }
            for field in fields.iter() {
                node.filled.insert(field);
            }
            world.calls.nodes_filled += 1;
        }
        Ok(wants.len() <= budget)
    }

    fn cell(&self, sheet: &Address, place: Position, _: Deadline) -> Result<Address, Failure> {
        self.world_mut().called(|calls| calls.probe += 1);
        let mut world = self.world_mut();
        let sheet = world.answering_at(sheet)?;
        let cells = &world.element(sheet).children;
        let cell = cells.iter().copied().find(|key| {
            let face = &world.element(*key).face;
            face.anchored && face.position == Some(place)
        });
        let cell = cell.ok_or(Failure::Gone)?;
        // As LibreOffice does: whoever asks for a cell gets an object of his own.
        world.readdress(cell);
        Ok(world.address(cell))
    }

    fn probe(&self, addresses: &[Address], deadline: Deadline) -> Result<Vec<Probe>, Failure> {
        self.world_mut().called(|calls| calls.probe += 1);
        let mut world = self.world_mut();
        world.calls.addresses_probed += addresses.len();
        let late = world.limits.late || world.limits.probes_unanswered || deadline.passed();
        Ok(addresses
            .iter()
            .map(|address| if late { Probe::Unknown } else { world.probe(address) })
            .collect())
    }

    fn content(&self, node: &Node, _: Deadline) -> Result<Content, Failure> {
        self.content_of(node)
    }

    fn listen(&self, _: Option<&AppId>, _: Deadline) -> Result<Box<dyn Listener + '_>, Failure> {
        // Whoever waits looks again: what changes by itself does so when it is asked.
        Ok(Box::new(self.ear()))
    }

    fn programs(&self) -> &dyn agent_desktop_engine::platform::Programs {
        self
    }

    fn operate(&self, app: &AppId, _: Deadline) -> Result<Box<dyn Operator + '_>, Failure> {
        Ok(Box::new(self.hand(app)?))
    }

    fn capture(&self, subject: Subject, _: Deadline) -> Result<Captured, Failure> {
        let world = self.listing();
        if world.limits.unpainted {
            return Ok(Captured::Unpainted);
        }
        let screen = world.displays.first().map(|display| display.bounds).unwrap_or_default();
        let place = match subject {
            Subject::Everything => screen,
            Subject::Area(area) => area,
            Subject::Window(window) => {
                let face = &world.element(world.window_called(window)?).face;
                face.bounds.ok_or(Failure::Gone)?
            }
        };
        // Grey, so that what is drawn on it is seen.
        let count = 3 * i64::from(place.width) * i64::from(place.height);
        let rgb = vec![128; usize::try_from(count).unwrap_or_default()];
        Ok(Captured::Picture(Picture { place, rgb }))
    }

    fn clipboard(&self, kinds: &[ClipKind], _: Deadline) -> Result<Pasted, Failure> {
        Ok(self.pasted(kinds))
    }

    fn set_clipboard(&self, clip: &Clip, _: Deadline) -> Result<Taken, Failure> {
        Ok(self.taken(Some(clip)))
    }

    fn clear_clipboard(&self, _: Deadline) -> Result<Taken, Failure> {
        Ok(self.taken(None))
    }
}

impl Desktop {
    fn listing(&self) -> std::cell::Ref<'_, World> {
        self.world_mut().called(|calls: &mut Calls| calls.listing += 1);
        self.world()
    }
}

impl World {
    fn answering(&self, app: usize) -> Result<(), Failure> {
        let app = &self.apps[app];
        if app.hung {
            Err(Failure::Unresponsive { app: app.name.clone(), why: None })
        } else {
            Ok(())
        }
    }

    fn answering_at(&self, address: &Address) -> Result<Key, Failure> {
        let app = self.app_index(&address.app).ok_or(Failure::Gone)?;
        self.answering(app)?;
        self.key_at(address).ok_or(Failure::Gone)
    }

    fn is_silent(&self, key: Key) -> bool {
        let identity = self.element(key).identity.as_str();
        self.limits.silent.iter().any(|label| label == identity)
    }

    fn describe_app(&self, app: usize) -> App {
        let app = &self.apps[app];
        App {
            id: app.id.clone(),
            name: cut(&app.name).0.to_owned(),
            aliases: Vec::new(),
            process: app.process,
            toolkit: app.toolkit.clone(),
            responding: !app.hung,
            silence: None,
        }
    }

    fn describe_window(&self, key: Key) -> Window {
        let element = self.element(key);
        Window {
            id: self.window_id(key),
            app: self.describe_app(element.app),
            handle: (!element.face.unmatched).then_some(Handle(key as u64)),
            address: element.face.opaque.is_none().then(|| self.address(key)),
            role: element.face.role,
            title: cut(&element.face.name).0.to_owned(),
            bounds: element.face.bounds,
            focused: element.face.states.has(State::Focused),
            visible: !element.face.states.has(State::Hidden),
            maximized: element.face.maximized,
            minimized: element.face.minimized,
            modal: element.face.modal_to_display,
            reason: element
                .face
                .opaque
                .clone()
                .map(|cause| Why { cause, remedy: "Choose another window.".to_owned() }),
        }
    }

    fn window_called(&self, window: Handle) -> Result<Key, Failure> {
        let mut all = self.apps.iter().flat_map(|app| &app.windows).copied();
        all.find(|key| *key as u64 == window.0).ok_or(Failure::Gone)
    }

    fn window_id(&self, key: Key) -> String {
        let address = self.address(key);
        format!("w-{}{}", address.app.trim_start_matches(':'), address.object.replace('/', "-"))
    }

    fn observed(
        &mut self,
        root: &Address,
        deadline: Deadline,
        leaves: impl Fn(&Self, Key) -> bool,
    ) -> Result<Tree, Failure> {
        let top = self.answering_at(root)?;
        let late = self.limits.late || deadline.passed();
        // The node that was asked for is always read, whatever the deadline.
        let budget = if late { 1 } else { self.limits.nodes.unwrap_or(usize::MAX).max(1) };
        let tree = self.read(top, budget, leaves);
        self.calls.nodes_read += tree.len();
        Ok(tree)
    }

    fn read(&self, top: Key, budget: usize, leaves: impl Fn(&Self, Key) -> bool) -> Tree {
        let mut tree = Tree::new(self.node(top));
        tree.thin = self.element(top).face.thin.clone();
        // A real walk goes level by level, which decides what is missing when time runs out.
        let mut next = VecDeque::from([(top, tree.root())]);
        while let Some((key, id)) = next.pop_front() {
            let element = self.element(key);
            if self.is_silent(key) {
                tree[id].children = Listing::Cut;
                tree.complete = false;
                continue;
            }
            if element.face.closed == Closed::ItemsUnread && key != top {
                continue;
            }
            if key != top && leaves(self, key) {
                let count = element.face.count.unwrap_or(element.children.len() as u64);
                tree[id].children = Listing::Counted(count);
                continue;
            }
            let mut before: Option<NodeId> = None;
            for child in &element.children {
                if tree.len() == budget {
                    tree[id].children = Listing::Cut;
                    tree.complete = false;
                    break;
                }
                let child_id = tree.push(id, self.node(*child));
                let label =
                    before.replace(child_id).filter(|label| tree[*label].role == Role::StaticText);
                if let (true, Some(label)) = (self.element(*child).face.labelled, label) {
                    tree[child_id].name = tree[label].name.clone();
                    tree[child_id].labelled_by = Some(label);
                }
                next.push_back((*child, child_id));
            }
        }
        tree
    }

    /// Whether an element has cells that are known by their places.
    fn is_sheet(&self, key: Key) -> bool {
        let element = self.element(key);
        self.node(key).is_sheet()
            && element.children.iter().any(|child| self.element(*child).face.anchored)
    }

    fn node(&self, key: Key) -> Node {
        let element = self.element(key);
        let face = &element.face;
        let children = element.children.len() as u64;
        let mut states = face.states;
        if element.parent.is_none() {
            // The mark of the focused window is no state of its node.
            states.remove(State::Focused);
        }
        let mut node = Node::default();
        node.address = self.address(key);
        node.role = face.role;
        node.name = face.name.as_str().into();
        node.description = face.description.as_str().into();
        node.native_id = face.native_id.clone();
        node.states = states;
        node.children = match (face.closed, face.count) {
            (Closed::No, None) => Listing::Whole,
            (Closed::No, Some(count)) => Listing::Counted(count),
            (_, count) => Listing::Closed(count.unwrap_or(children)),
        };
        node.lasting = face.lasting;
        node.surface = face.surface;
        node.volatile_name = face.volatile_name;
        node.extent = face.extent;
        node.position = face.position;
        node.may_have_more = face.may_have_more;
        node.anchored = face.anchored;
        node.digest = self.digest(key);
        node
    }

    fn fill_node(&self, node: &mut Node, key: Key, fields: FieldSet) {
        let face = &self.element(key).face;
        if fields.has(Field::Capabilities) {
            node.capabilities = face.capabilities;
        }
        let bounds = if self.limits.bounds_tell_identity {
            let x = i32::try_from(key).unwrap_or(i32::MAX);
            Some(Rect { x, y: 0, width: 10, height: 10 })
        } else {
            face.bounds
        };
        if fields.has(Field::Bounds) {
            node.bounds = bounds;
        }
        if fields.has(Field::Room) {
            node.takes_room = bounds.is_some_and(Rect::has_area);
        }
        if fields.has(Field::Area) && face.bounds.is_some_and(|bounds| !bounds.has_area()) {
            node.states.insert(State::Offscreen);
        }
        // What a password field holds stays with the platform, as on every real one.
        let secure = face.states.has(State::Secure);
        if fields.has(Field::Value) && !secure {
            node.value = face.value.as_deref().map(Into::into);
            node.formula = face.formula.as_deref().map(Into::into);
        }
        if fields.has(Field::Hint) && !secure {
            node.hint = face.hint.as_deref().map(Into::into);
        }
    }

    pub(crate) fn digest(&self, key: Key) -> u64 {
        let face = &self.element(key).face;
        let native_id = face.native_id.as_ref().map_or("", |id| &*id.value);
        digest(face.role as u32, native_id, &face.name, &face.description)
    }

    fn probe(&self, address: &Address) -> Probe {
        let Some(app) = self.app_index(&address.app) else { return Probe::Gone };
        if self.apps[app].hung {
            return Probe::Unknown;
        }
        if &*address.object == APP_ROOT {
            return Probe::Alive { digest: 0, parent: None };
        }
        let Some(key) = self.key_at(address) else { return Probe::Gone };
        if self.is_silent(key) {
            return Probe::Unknown;
        }
        Probe::Alive { digest: self.digest(key), parent: Some(self.parent_of(key)) }
    }

    /// Where the parent of an element is, or of a window its application.
    pub(crate) fn parent_of(&self, key: Key) -> Address {
        let element = self.element(key);
        match element.parent {
            Some(parent) => self.address(parent),
            None => Address { object: APP_ROOT.into(), ..self.address(key) },
        }
    }
}
