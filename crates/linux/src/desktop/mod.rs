//! The desktop as the engine sees it.

mod absence;
mod apps;
mod arrange;
mod capture;
mod clipboard;
mod connect;
mod endings;
mod input;
mod matching;
mod operate;
mod placement;
mod programs;
mod reach;
mod read;
mod silent;
mod thin;
mod unreachable;
mod windows;

use std::{
    cell::{OnceCell, RefCell},
    collections::HashMap,
    path::PathBuf,
    time::{Duration, Instant},
};

use agent_desktop_engine::platform::{
    Above, App, AppId, Arrangement, Capabilities, Captured, Cells, Clip, ClipKind, Content,
    Deadline, DesktopId, Failure, Handle, Input, Listener, Operator, Pasted, Platform, Probe,
    Reach, Standing, Subject, Taken, Why, Window,
};
use agent_desktop_model::{
    geometry::Point,
    surface::SurfaceKind,
    tree::{Address, FieldSet, Node, NodeId, Position, Tree},
    wire::{Coordinates, Display, Grant, Permission, Permissions},
};

use crate::{
    atspi::{collect::Without, dialect::Dialect},
    bus::Bus,
    environment::Environment,
    x11,
};

/// A Linux desktop. Making one costs nothing: each server is connected when it is first needed.
pub struct Linux {
    environment: Environment,
    /// The file of this program, which is started again for what has to outlive a command.
    program: Option<PathBuf>,
    accessibility: OnceCell<connect::Accessibility>,
    /// The X server, or why it cannot be reached, so that a silent one costs its time only once.
    x11: OnceCell<Result<x11::Display, Failure>>,
    /// How each application that was met is read.
    dialects: RefCell<HashMap<AppId, &'static Dialect>>,
    /// Where each element stands whose surroundings were met.
    tops: RefCell<HashMap<Address, placement::Top>>,
    /// Applications that answered, by their unique name on the bus, which is never given again.
    met: RefCell<HashMap<AppId, App>>,
    /// Applications that did not answer when they were asked for their windows, and why.
    silences: RefCell<HashMap<AppId, Option<Why>>>,
    /// The applications that were listed last, and when.
    listed: RefCell<Option<(Instant, Vec<App>)>>,
    /// Whether every element is asked itself, whatever its toolkit offers.
    walks: bool,
}

/// How long finding out about the desktop itself may take, where no deadline is given.
const GLANCE: Duration = Duration::from_secs(2);

/// How long somebody gets to show that he is alive when the time was over before he had answered.
const PROBE: Duration = Duration::from_millis(200);

impl Linux {
    /// The desktop whose servers `environment` names. `program` is the file of this program, which
    /// runs what [`crate::helper`] lists.
    pub fn new(environment: Environment, program: Option<PathBuf>) -> Self {
        Self {
            environment,
            program,
            accessibility: OnceCell::new(),
            x11: OnceCell::new(),
            dialects: RefCell::default(),
            tops: RefCell::default(),
            met: RefCell::default(),
            silences: RefCell::default(),
            listed: RefCell::default(),
            walks: false,
        }
    }

    /// The same desktop, read element by element: what toolkits tell of a whole application at
    /// once is not asked for. That is slower, and for tests, which hold the two trees side by side.
    pub fn walked(self) -> Self {
        Self { walks: true, ..self }
    }

    fn accessibility(&self, deadline: Deadline) -> Result<&connect::Accessibility, Failure> {
        if let Some(connected) = self.accessibility.get() {
            return Ok(connected);
        }
        let connected = connect::accessibility(&self.environment, deadline)?;
        Ok(self.accessibility.get_or_init(|| connected))
    }

    fn bus(&self, deadline: Deadline) -> Result<&Bus, Failure> {
        Ok(&self.accessibility(deadline)?.bus)
    }

    /// The X server; none on a desktop without one.
    fn x11(&self, deadline: Deadline) -> Result<Option<&x11::Display>, Failure> {
        if self.environment.display.is_none() {
            return Ok(None);
        }
        // Time that others have used up is not the X server's fault.
        let fair = if deadline.remaining() < PROBE { Deadline::after(PROBE) } else { deadline };
        let connected = self.x11.get_or_init(|| x11::Display::connect(&self.environment, fair));
        connected.as_ref().map(Some).map_err(Failure::clone)
    }

    /// Whether the X server lets anybody in.
    fn has_x11(&self) -> bool {
        x11::Display::connect(&self.environment, Deadline::after(PROBE)).is_ok()
    }

    /// What became of a question to the X server: one that was reached and then says nothing is no
    /// better than none, unless it is there for whoever asks anew.
    fn told_by_x11<T>(&self, answer: Result<T, Failure>, deadline: Deadline) -> Result<T, Failure> {
        let lost = |cause: String| x11::unreachable(&self.environment, &cause);
        answer.map_err(|failure| match failure {
            Failure::Timeout if self.has_x11() => Failure::Timeout,
            Failure::Timeout => lost(format!("no answer within {} ms", deadline.limit_ms())),
            Failure::System(words) => lost(words),
            other => other,
        })
    }
}

impl Platform for Linux {
    fn desktop(&self, deadline: Deadline) -> Result<DesktopId, Failure> {
        Ok(self.accessibility(deadline)?.desktop.clone())
    }

    fn capabilities(&self) -> Capabilities {
        let not_required = || Permission { state: Grant::NotRequired, suggestion: None };
        let (accessibility, surfaces) = match self.accessibility(Deadline::after(GLANCE)) {
            Ok(_) => (
                Permission { state: Grant::Granted, suggestion: None },
                SurfaceKind::ALL.iter().copied().filter(|kind| !kind.is_shell()).collect(),
            ),
            Err(failure) => (
                Permission { state: Grant::Denied, suggestion: Some(connect::remedy(failure)) },
                Vec::new(),
            ),
        };
        Capabilities {
            platform: "linux",
            permissions: Permissions {
                accessibility,
                automation: not_required(),
                screen_recording: not_required(),
            },
            surfaces,
        }
    }

    fn apps(&self, deadline: Deadline) -> Result<Vec<App>, Failure> {
        self.list_apps(deadline)
    }

    fn app(&self, id: &AppId, deadline: Deadline) -> Result<App, Failure> {
        self.find_app(id, deadline)
    }

    fn windows(
        &self,
        apps: &[App],
        deadline: Deadline,
    ) -> Result<(Vec<Window>, Vec<App>), Failure> {
        self.list_windows(apps, deadline)
    }

    fn window(&self, id: &str, deadline: Deadline) -> Result<Window, Failure> {
        self.find_window(id, deadline)
    }

    fn focused_window(&self, deadline: Deadline) -> Result<Option<Window>, Failure> {
        self.find_focused(deadline)
    }

    fn standing(&self, window: Handle, deadline: Deadline) -> Result<Standing, Failure> {
        self.standing_of(window, deadline)
    }

    fn arrange(
        &self,
        window: Handle,
        change: Arrangement,
        deadline: Deadline,
    ) -> Result<(), Failure> {
        self.arrange_window(window, change, deadline)
    }

    fn has_input(&self) -> bool {
        self.environment.display.is_some()
    }

    fn input(&self, deadline: Deadline) -> Result<Box<dyn Input + '_>, Failure> {
        self.take_input(deadline)
    }

    fn reach(
        &self,
        node: &Node,
        within: &[Above],
        point: Point,
        deadline: Deadline,
    ) -> Result<Reach, Failure> {
        self.reach_of(node, within, point, deadline)
    }

    fn coordinates(&self) -> Coordinates {
        match self.environment.display.is_some() {
            true => Coordinates::Screen,
            false => Coordinates::Window,
        }
    }

    fn displays(&self, deadline: Deadline) -> Result<Vec<Display>, Failure> {
        if self.environment.display.is_none() && self.environment.wayland_display.is_some() {
            return Err(Failure::Unsupported {
                cause: "displays of a Wayland session without an X server are not listed".into(),
                remedy: "Use an X11 session, or a private desktop: `agent-desktop sandbox start`."
                    .into(),
            });
        }
        let Some(display) = self.x11(deadline)? else {
            return Err(x11::no_display());
        };
        self.told_by_x11(display.displays(deadline), deadline)
    }

    fn observe(
        &self,
        root: &Address,
        within: &[Above],
        cells: Cells,
        deadline: Deadline,
    ) -> Result<Tree, Failure> {
        let without = Without { cells: cells == Cells::Counted, ..Without::default() };
        self.read_tree(root, within, deadline, without)
    }

    fn outline(&self, window: &Address, deadline: Deadline) -> Result<Tree, Failure> {
        let without = Without { cells: true, hidden: true, pages: false };
        self.read_tree(window, &[], deadline, without)
    }

    fn around_pages(&self, window: &Address, deadline: Deadline) -> Result<Option<Tree>, Failure> {
        if !self.dialect_of(&window.app).asks_beside_pages {
            return Ok(None);
        }
        let without = Without { cells: true, hidden: true, pages: true };
        self.read_tree(window, &[], deadline, without).map(Some)
    }

    fn read(
        &self,
        address: &Address,
        within: &[Above],
        deadline: Deadline,
    ) -> Result<Tree, Failure> {
        self.read_element(address, within, deadline)
    }

    fn fill(
        &self,
        tree: &mut Tree,
        wants: &[(NodeId, FieldSet)],
        deadline: Deadline,
    ) -> Result<bool, Failure> {
        self.read_fields(tree, wants, deadline)
    }

    fn cell(
        &self,
        sheet: &Address,
        place: Position,
        deadline: Deadline,
    ) -> Result<Address, Failure> {
        self.cell_of_sheet(sheet, place, deadline)
    }

    fn probe(&self, addresses: &[Address], deadline: Deadline) -> Result<Vec<Probe>, Failure> {
        self.probe_addresses(addresses, deadline)
    }

    fn content(&self, node: &Node, deadline: Deadline) -> Result<Content, Failure> {
        self.content_of(node, deadline)
    }

    fn listen(
        &self,
        app: Option<&AppId>,
        deadline: Deadline,
    ) -> Result<Box<dyn Listener + '_>, Failure> {
        Ok(Box::new(self.ear(app, deadline)?))
    }

    fn programs(&self) -> &dyn agent_desktop_engine::platform::Programs {
        self
    }

    fn operate(&self, app: &AppId, deadline: Deadline) -> Result<Box<dyn Operator + '_>, Failure> {
        Ok(Box::new(self.hand(app, deadline)?))
    }

    fn capture(&self, subject: Subject, deadline: Deadline) -> Result<Captured, Failure> {
        self.picture_of(subject, deadline)
    }

    fn clipboard(&self, kinds: &[ClipKind], deadline: Deadline) -> Result<Pasted, Failure> {
        self.paste(kinds, deadline)
    }

    fn set_clipboard(&self, clip: &Clip, deadline: Deadline) -> Result<Taken, Failure> {
        self.copy(clip, deadline)
    }

    fn clear_clipboard(&self, deadline: Deadline) -> Result<Taken, Failure> {
        self.empty_clipboard(deadline)
    }
}

impl std::fmt::Debug for Linux {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Linux").field("environment", &self.environment).finish_non_exhaustive()
    }
}
