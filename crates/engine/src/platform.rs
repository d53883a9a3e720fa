//! What a platform must offer. There are no default methods: a new platform says of each whether
//! it can.
//!
//! A platform never sees refs, sessions, files or JSON. It hands out canonical roles, states and
//! names; toolkit habits end there.

mod arrange;
mod capture;
mod clipboard;
mod input;
mod operate;
mod programs;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use agent_desktop_model::{
    error::{Code, Error},
    geometry::{Point, Rect},
    role::Role,
    surface::SurfaceKind,
    text::{fold, quoted},
    tree::{Address, FieldSet, Node, NodeId, Position, Tree},
    wire::{Coordinates, Display, Permissions},
};

pub use arrange::{Arrangement, Handle, Standing};
pub use capture::{Captured, Picture, Subject};
pub use clipboard::{CLIP_LIMIT, Clip, ClipKind, Pasted, Taken};
pub use input::{Arrived, Button, Click, Drag, Input, Keyboard, Lease, Turn, Under};
pub use operate::{
    Answered, Change, ChangeKind, Content, FirstEffect, Listener, Operator, Request, Sent, Witness,
};
pub use programs::{Ending, Instance, Program, Programs, Progress, Start, Started, Urge};

/// A desktop that can be read and operated. Every method ends by its deadline, whatever an
/// application does.
pub trait Platform {
    /// Identifies the desktop across processes: refs of one are refused on another.
    fn desktop(&self, deadline: Deadline) -> Result<DesktopId, Failure>;

    /// What can be done here, found out without failing: for `status`.
    fn capabilities(&self) -> Capabilities;

    /// Every application that offers accessibles, in the order in which they came. One that does
    /// not answer within its share of the time is listed as not responding.
    fn apps(&self, deadline: Deadline) -> Result<Vec<App>, Failure>;

    /// The application that owns `address`, if it still runs.
    fn app(&self, id: &AppId, deadline: Deadline) -> Result<App, Failure>;

    /// The windows of `apps`, application by application in document order. An application that
    /// does not answer contributes none and is named in the second list.
    ///
    /// Of no applications: the windows of programs that offer no accessibles, which only the
    /// display server knows.
    fn windows(&self, apps: &[App], deadline: Deadline)
    -> Result<(Vec<Window>, Vec<App>), Failure>;

    /// The window with this id, without listing any other; [`Failure::Gone`] if there is none.
    fn window(&self, id: &str, deadline: Deadline) -> Result<Window, Failure>;

    /// The window that has the user's focus, if any.
    fn focused_window(&self, deadline: Deadline) -> Result<Option<Window>, Failure>;

    /// How the window with this handle stands now; [`Failure::Gone`] if there is none any more.
    fn standing(&self, window: Handle, deadline: Deadline) -> Result<Standing, Failure>;

    /// Asks the window manager for `change`, once. Whether it grants it is told by
    /// [`Platform::standing`].
    fn arrange(
        &self,
        window: Handle,
        change: Arrangement,
        deadline: Deadline,
    ) -> Result<(), Failure>;

    /// Whether the pointer and the keys can be taken here at all, found out without asking anybody.
    fn has_input(&self) -> bool;

    /// Waits until nobody else has the pointer and the keys, and takes them.
    fn input(&self, deadline: Deadline) -> Result<Box<dyn Input + '_>, Failure>;

    /// Whether a click at `point` of the screen, which is in the bounds of `node`, gets to it and not to
    /// something else in its window. `within` are its ancestors, nearest first.
    fn reach(
        &self,
        node: &Node,
        within: &[Above],
        point: Point,
        deadline: Deadline,
    ) -> Result<Reach, Failure>;

    /// What bounds are counted from, found out without asking anybody.
    fn coordinates(&self) -> Coordinates;

    /// Displays, primary first.
    fn displays(&self, deadline: Deadline) -> Result<Vec<Display>, Failure>;

    /// Everything below `root` with role, name, description, native id and states; the other
    /// fields may be filled where they came along for nothing. Time running out is no failure:
    /// the tree then holds what was read and says so.
    ///
    /// `within` are the ancestors of `root`, nearest first, when it is not a window: an element is
    /// judged by what it stands in (in a closed popover, it is hidden).
    fn observe(
        &self,
        root: &Address,
        within: &[Above],
        cells: Cells,
        deadline: Deadline,
    ) -> Result<Tree, Failure>;

    /// What shows of a window, for whoever looks for what is open in it: as
    /// [`Platform::observe`] tells it, but what is in something that does not show may be counted
    /// only.
    fn outline(&self, window: &Address, deadline: Deadline) -> Result<Tree, Failure>;

    /// The same, without what is in its pages, for whoever is about to act on one of those: a
    /// question beside them may keep the user from them. None where nothing is asked within a window.
    fn around_pages(&self, window: &Address, deadline: Deadline) -> Result<Option<Tree>, Failure>;

    /// Just the element itself, described as [`Platform::observe`] would describe it in its
    /// window. It is the root of the tree; what else is in there is the platform's own business.
    /// [`Failure::Gone`] if there is nothing at the address.
    fn read(
        &self,
        address: &Address,
        within: &[Above],
        deadline: Deadline,
    ) -> Result<Tree, Failure>;

    /// Reads more fields of some nodes of a tree made by this platform. Returns whether every
    /// read was answered in time; what was is marked in each node's `filled`.
    fn fill(
        &self,
        tree: &mut Tree,
        wants: &[(NodeId, FieldSet)],
        deadline: Deadline,
    ) -> Result<bool, Failure>;

    /// The cell at a place of a spreadsheet, whether it shows or not; [`Failure::Gone`] if there is
    /// no such sheet or place. Two answers about one cell may be different addresses.
    fn cell(
        &self,
        sheet: &Address,
        place: Position,
        deadline: Deadline,
    ) -> Result<Address, Failure>;

    /// Reads just what identifies each element, in as few round trips as the platform allows.
    fn probe(&self, addresses: &[Address], deadline: Deadline) -> Result<Vec<Probe>, Failure>;

    /// What the element of `node` holds that can be written. Of a password field nothing is read:
    /// it holds an empty text without a caret.
    fn content(&self, node: &Node, deadline: Deadline) -> Result<Content, Failure>;

    /// Begins to listen to one application, or to the windows of all of them.
    fn listen(
        &self,
        app: Option<&AppId>,
        deadline: Deadline,
    ) -> Result<Box<dyn Listener + '_>, Failure>;

    /// What is installed, and what of it runs.
    fn programs(&self) -> &dyn Programs;

    /// Begins to act on an application: from now on its changes are heard. Nothing is changed by
    /// that, and nothing is left behind when the operator is dropped.
    fn operate(&self, app: &AppId, deadline: Deadline) -> Result<Box<dyn Operator + '_>, Failure>;

    /// Takes a picture. What moves or closes meanwhile is [`Failure::Gone`], and so is what is
    /// nowhere on the screen.
    fn capture(&self, subject: Subject, deadline: Deadline) -> Result<Captured, Failure>;

    /// What the clipboard holds of the first of `kinds` that it is offered in.
    fn clipboard(&self, kinds: &[ClipKind], deadline: Deadline) -> Result<Pasted, Failure>;

    /// Puts `clip` into the clipboard, where it stays when this process ends. An error means that
    /// nothing was changed.
    fn set_clipboard(&self, clip: &Clip, deadline: Deadline) -> Result<Taken, Failure>;

    /// Empties the clipboard. An error means that nothing was changed.
    fn clear_clipboard(&self, deadline: Deadline) -> Result<Taken, Failure>;
}

/// What is read of a sheet: a table too large to be listed, each of whose cells is known by its
/// place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cells {
    /// The cells that show.
    Shown,
    /// How many there are. Cells may be a thousand, and cost their application more than time, so
    /// nobody should read them who does not want any.
    Counted,
}

/// A point in time by which something ends, and what was granted at first.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    start: Instant,
    limit: Duration,
}

/// Identifies a desktop; equal only for the same running session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DesktopId(pub String);

/// Identifies a running application within a desktop: its place on the bus.
pub type AppId = Arc<str>;

/// What a platform can do in the present session.
#[derive(Clone, Debug)]
pub struct Capabilities {
    /// The operating system, as in `status.platform`.
    pub platform: &'static str,
    pub permissions: Permissions,
    /// Kinds that `--surface` accepts here; empty when nothing can be read.
    pub surfaces: Vec<SurfaceKind>,
}

/// A running application.
#[derive(Clone, Debug)]
pub struct App {
    pub id: AppId,
    pub name: String,
    /// Other names that it may go by. Only one that does not answer has any, since it does not
    /// tell its own.
    pub aliases: Vec<String>,
    pub process: Option<Process>,
    /// Toolkit and version as it says itself.
    pub toolkit: Option<String>,
    pub responding: bool,
    /// Why it does not respond, where that is known.
    pub silence: Option<Why>,
}

/// Why something cannot be read, and what a person can do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// A clause that names who or what is meant.
    pub cause: String,
    /// Whole sentences.
    pub remedy: String,
}

/// A process that is never mistaken for a later one with the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    pub pid: u32,
    /// Start time in the system's own ticks.
    pub started: u64,
}

/// A top-level window.
#[derive(Clone, Debug)]
pub struct Window {
    pub id: String,
    pub app: App,
    /// What the display server calls it; none where not exactly one of its windows is this one.
    pub handle: Option<Handle>,
    /// Where its accessible is; none for a window that only the display server knows.
    pub address: Option<Address>,
    /// A popover: what the display server does not count as a window.
    pub role: Role,
    pub title: String,
    /// Screen pixels.
    pub bounds: Option<Rect>,
    pub focused: bool,
    pub visible: bool,
    /// In both directions, as far as the display server tells.
    pub maximized: bool,
    pub minimized: bool,
    /// Whether the display server says that it keeps the user from others of its application. Its
    /// accessible may say so where this does not.
    pub modal: bool,
    /// Why it cannot be read, when it cannot.
    pub reason: Option<Why>,
}

/// Something that an element stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Above {
    pub address: Address,
    pub role: Role,
}

/// What becomes of a click that is meant for an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The element gets it.
    Clear,
    /// Nothing tells what is in front in this application.
    Unknown,
    /// Another element of the same window does.
    Covered(Address),
    /// What the element stands in does not show it there.
    Clipped,
}

/// What a probe found at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Probe {
    /// Something is there, with this digest (see [`agent_desktop_model::evidence::digest`]).
    Alive { digest: u64, parent: Option<Address> },
    /// The application says that there is nothing.
    Gone,
    /// No answer: nothing is known.
    Unknown,
}

/// Why a platform could not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// There is no desktop to read, with what a person can do about it.
    NoDesktop { cause: String, remedy: String },
    /// The element, window or application does not exist any more.
    Gone,
    /// The application does not answer, not even to the simplest question.
    Unresponsive { app: String, why: Option<Why> },
    /// The deadline passed while the application was still answering.
    Timeout,
    /// This platform or session cannot do it.
    Unsupported { cause: String, remedy: String },
    /// The system refuses, with the reason and the remedy.
    Denied { cause: String, remedy: String },
    /// Another program like this one has the pointer and the keys, and did not let go of them in time.
    Occupied,
    /// What was under way was broken off, for this cause.
    Stopped(String),
    /// Anything else, in the system's own words.
    System(String),
}

impl App {
    /// Whether it goes by `name`, as [`fold`] has it.
    pub fn is_called(&self, name: &str) -> bool {
        std::iter::once(&self.name).chain(&self.aliases).any(|own| fold(own) == name)
    }
}

impl Deadline {
    /// A deadline `limit` from now.
    pub fn after(limit: Duration) -> Self {
        Self { start: Instant::now(), limit }
    }

    /// A deadline `milliseconds` from now.
    pub fn after_ms(milliseconds: u64) -> Self {
        Self::after(Duration::from_millis(milliseconds))
    }

    /// The moment itself.
    pub fn at(&self) -> Instant {
        // A limit too large for the clock is as good as a year.
        self.start
            .checked_add(self.limit)
            .unwrap_or_else(|| self.start + Duration::from_secs(365 * 24 * 3600))
    }

    /// What is left; zero once it has passed.
    pub fn remaining(&self) -> Duration {
        self.at().saturating_duration_since(Instant::now())
    }

    /// Whether it has passed.
    pub fn passed(&self) -> bool {
        self.remaining().is_zero()
    }

    /// A deadline `limit` from now, but no later than this one.
    pub fn within(&self, limit: Duration) -> Self {
        Self::after(self.remaining().min(limit))
    }

    /// Milliseconds since it was set.
    pub fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Milliseconds that were granted.
    pub fn limit_ms(&self) -> u64 {
        u64::try_from(self.limit.as_millis()).unwrap_or(u64::MAX)
    }
}

impl Failure {
    /// The failure as a caller sees it, where `what` names the thing that was asked for.
    pub fn about(self, what: &str, deadline: Deadline) -> Error {
        use agent_desktop_model::error::Details;
        match self {
            Self::NoDesktop { cause, remedy } => {
                Error::new(Code::PlatformNotSupported, cause).suggest(remedy)
            }
            Self::Gone => Error::new(Code::WindowNotFound, format!("{what} no longer exists"))
                .suggest("List what there is with `list-windows`, then snapshot again."),
            Self::Unresponsive { app, why: None } => Error::new(
                Code::AppUnresponsive,
                format!("{} does not answer on the accessibility bus", quoted(&app)),
            )
            .suggest(
                "Wait until the application answers again, or restart it; `list-apps` shows which \
                 applications respond.",
            ),
            Self::Unresponsive { app, why: Some(Why { cause, remedy }) } => Error::new(
                Code::AppUnresponsive,
                format!("{} does not answer on the accessibility bus: {cause}", quoted(&app)),
            )
            .suggest(remedy),
            Self::Timeout => Error::new(
                Code::Timeout,
                format!("{what} was not read within {} ms", deadline.limit_ms()),
            )
            .suggest("Raise --timeout-ms, or ask for a smaller region.")
            .details(Details::Deadline {
                elapsed_ms: deadline.elapsed_ms(),
                timeout_ms: deadline.limit_ms(),
            }),
            Self::Unsupported { cause, remedy } => {
                Error::new(Code::PlatformNotSupported, cause).suggest(remedy)
            }
            Self::Denied { cause, remedy } => Error::new(Code::PermDenied, cause).suggest(remedy),
            Self::Occupied => Error::new(
                Code::Timeout,
                format!(
                    "another program had the pointer and the keys for {} ms",
                    deadline.limit_ms()
                ),
            )
            .suggest("Wait until it has done what it does, or raise --timeout-ms.")
            .details(Details::InteractionProcessLockTimeout {
                elapsed_ms: deadline.elapsed_ms(),
                timeout_ms: deadline.limit_ms(),
            }),
            Self::Stopped(cause) => Error::new(Code::ActionFailed, cause).suggest(
                "Look at what is there now (`snapshot`) before anything else: a part may have arrived.",
            ),
            Self::System(words) => {
                Error::new(Code::Internal, format!("{what} could not be read")).platform(words)
            }
        }
    }
}
