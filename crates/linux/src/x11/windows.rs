//! The windows that a window manager manages.

use std::fs;

use agent_desktop_engine::platform::{Deadline, Failure};
use agent_desktop_model::geometry::Rect;
use x11rb::{
    cookie::Cookie,
    errors::ReplyError,
    protocol::xproto::{self, AtomEnum, ConnectionExt, GetPropertyReply, MapState},
    rust_connection::RustConnection,
};

use super::{Display, lost, refused, stream::Timed};

/// A managed window, as it was when asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    pub xid: u32,
    /// The process on this machine that owns it, as the window itself claims.
    pub pid: Option<u32>,
    pub title: String,
    /// The names by which window managers know the program and its kind, as the window claims.
    pub class: Vec<String>,
    /// The client area without the frame, in pixels of the X screen.
    pub bounds: Rect,
    /// With the frame that the window manager draws around it.
    pub outer: Rect,
    /// Without the shadow that the application draws itself, which takes no clicks.
    pub inner: Rect,
    /// Mapped, not minimised, and on the current workspace.
    pub visible: bool,
    pub minimized: bool,
    /// In both directions.
    pub maximized: bool,
    /// Whether it asks to keep the user from the windows that it belongs to.
    pub modal: bool,
}

type Answer<'a, R> = Cookie<'a, RustConnection<Timed>, R>;

/// The questions asked about one window, all under way at once.
struct Questions<'a> {
    xid: u32,
    geometry: Answer<'a, xproto::GetGeometryReply>,
    origin: Answer<'a, xproto::TranslateCoordinatesReply>,
    attributes: Answer<'a, xproto::GetWindowAttributesReply>,
    pid: Answer<'a, GetPropertyReply>,
    machine: Answer<'a, GetPropertyReply>,
    title: Answer<'a, GetPropertyReply>,
    old_title: Answer<'a, GetPropertyReply>,
    class: Answer<'a, GetPropertyReply>,
    state: Answer<'a, GetPropertyReply>,
    workspace: Answer<'a, GetPropertyReply>,
    frame: Answer<'a, GetPropertyReply>,
    shadow: Answer<'a, GetPropertyReply>,
}

/// Titles are read up to this many 32-bit units: 256 KiB.
const TITLE_LIMIT: u32 = 64 * 1024;
const CLASS_LIMIT: u32 = 64;
const EVERY_WORKSPACE: u32 = u32::MAX;

impl Display {
    /// The windows that the window manager lists, the lowest first where it tells the stacking,
    /// else in the order in which they came. A window that closes meanwhile is left out; without
    /// a window manager there are none.
    pub fn windows(&self, deadline: Deadline) -> Result<Vec<Window>, Failure> {
        self.connection.stream().ends_at(deadline);
        let atoms = &self.atoms;
        let stacking = self.list(self.root, atoms._NET_CLIENT_LIST_STACKING, AtomEnum::WINDOW)?;
        let mapping = self.list(self.root, atoms._NET_CLIENT_LIST, AtomEnum::WINDOW)?;
        let workspace = self.list(self.root, atoms._NET_CURRENT_DESKTOP, AtomEnum::CARDINAL)?;
        let [stacking, mapping, workspace] = [stacking, mapping, workspace].map(|answer| {
            let reply = answer.reply().map_err(refused)?;
            Ok::<Vec<u32>, Failure>(reply.value32().map(Iterator::collect).unwrap_or_default())
        });
        let mut ids = stacking?;
        let mapping = mapping?;
        if ids.is_empty() {
            ids = mapping;
        }
        let workspace = workspace?.first().copied();

        let questions =
            ids.into_iter().map(|xid| self.ask(xid)).collect::<Result<Vec<_>, Failure>>()?;
        let machine = machine();
        let mut windows = Vec::with_capacity(questions.len());
        for question in questions {
            match question.evaluate(self, workspace, &machine) {
                Ok(window) => windows.push(window),
                Err(ReplyError::X11Error(_)) => {}
                Err(error) => return Err(refused(error)),
            }
        }
        Ok(windows)
    }

    /// Whether a window is only shown while its program starts.
    pub(crate) fn is_splash(&self, xid: u32, deadline: Deadline) -> Result<bool, Failure> {
        self.connection.stream().ends_at(deadline);
        let kinds = self.list(xid, self.atoms._NET_WM_WINDOW_TYPE, AtomEnum::ATOM)?.reply();
        let splash = self.atoms._NET_WM_WINDOW_TYPE_SPLASH;
        match kinds {
            Ok(kinds) => Ok(kinds.value32().is_some_and(|mut kinds| kinds.any(|it| it == splash))),
            Err(ReplyError::X11Error(_)) => Ok(false),
            Err(error) => Err(refused(error)),
        }
    }

    /// One window, managed or not; none if it is gone.
    pub(super) fn window(&self, xid: u32) -> Result<Option<Window>, Failure> {
        match self.ask(xid)?.evaluate(self, None, &machine()) {
            Ok(window) => Ok(Some(window)),
            Err(ReplyError::X11Error(_)) => Ok(None),
            Err(error) => Err(refused(error)),
        }
    }

    fn ask(&self, xid: u32) -> Result<Questions<'_>, Failure> {
        let atoms = &self.atoms;
        let property = |name: u32, kind: u32, limit| {
            self.connection.get_property(false, xid, name, kind, 0, limit).map_err(lost)
        };
        let (any, cardinal) = (AtomEnum::ANY.into(), AtomEnum::CARDINAL.into());
        Ok(Questions {
            xid,
            geometry: self.connection.get_geometry(xid).map_err(lost)?,
            origin: self.connection.translate_coordinates(xid, self.root, 0, 0).map_err(lost)?,
            attributes: self.connection.get_window_attributes(xid).map_err(lost)?,
            pid: property(atoms._NET_WM_PID, cardinal, 1)?,
            machine: property(atoms.WM_CLIENT_MACHINE, any, 64)?,
            title: property(atoms._NET_WM_NAME, atoms.UTF8_STRING, TITLE_LIMIT)?,
            old_title: property(AtomEnum::WM_NAME.into(), any, TITLE_LIMIT)?,
            class: property(AtomEnum::WM_CLASS.into(), any, CLASS_LIMIT)?,
            state: property(atoms._NET_WM_STATE, AtomEnum::ATOM.into(), 64)?,
            workspace: property(atoms._NET_WM_DESKTOP, cardinal, 1)?,
            frame: property(atoms._NET_FRAME_EXTENTS, cardinal, 4)?,
            shadow: property(atoms._GTK_FRAME_EXTENTS, cardinal, 4)?,
        })
    }
}

impl Questions<'_> {
    fn evaluate(
        self,
        display: &Display,
        current_workspace: Option<u32>,
        machine: &str,
    ) -> Result<Window, ReplyError> {
        let first = |reply: &GetPropertyReply| reply.value32().and_then(|mut all| all.next());
        let geometry = self.geometry.reply()?;
        let origin = self.origin.reply()?;
        let mapped = self.attributes.reply()?.map_state == MapState::VIEWABLE;
        let state = self.state.reply()?;
        let is = |atom: u32| state.value32().is_some_and(|mut states| states.any(|it| it == atom));
        let hidden = is(display.atoms._NET_WM_STATE_HIDDEN);
        let modal = is(display.atoms._NET_WM_STATE_MODAL);
        let workspace = first(&self.workspace.reply()?);
        let elsewhere = workspace.is_some_and(|workspace| {
            workspace != EVERY_WORKSPACE && current_workspace.is_some_and(|now| now != workspace)
        });
        let owner_machine = self.machine.reply()?.value;
        let local = owner_machine.is_empty() || owner_machine == machine.as_bytes();
        let pid = first(&self.pid.reply()?).filter(|pid| *pid != 0 && local);
        let title = self.title.reply()?.value;
        let old_title = self.old_title.reply()?;
        let class = old_style_text(&self.class.reply()?);
        let bounds = Rect {
            x: origin.dst_x.into(),
            y: origin.dst_y.into(),
            width: geometry.width.into(),
            height: geometry.height.into(),
        };
        Ok(Window {
            xid: self.xid,
            pid,
            title: if title.is_empty() {
                old_style_text(&old_title)
            } else {
                String::from_utf8_lossy(&title).into_owned()
            },
            class: names(&class),
            bounds,
            outer: moved(bounds, &self.frame.reply()?, 1),
            inner: Some(moved(bounds, &self.shadow.reply()?, -1))
                .filter(|inner| inner.has_area())
                .unwrap_or(bounds),
            visible: mapped && !hidden && !elsewhere,
            minimized: hidden,
            maximized: is(display.atoms._NET_WM_STATE_MAXIMIZED_HORZ)
                && is(display.atoms._NET_WM_STATE_MAXIMIZED_VERT),
            modal,
        })
    }
}

/// What this machine is called.
fn machine() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    name.trim_end().to_owned()
}

/// `bounds` with each side moved outwards by what the property says of left, right, top, bottom.
pub(super) fn moved(bounds: Rect, reply: &GetPropertyReply, outwards: i32) -> Rect {
    let widths: Vec<i32> = reply.value32().map_or_else(Vec::new, |widths| {
        widths
            .filter_map(|width| i32::try_from(width).ok())
            .filter(|width| *width < 1_000)
            .collect()
    });
    let [left, right, top, bottom] = widths[..] else { return bounds };
    Rect {
        x: bounds.x - outwards * left,
        y: bounds.y - outwards * top,
        width: bounds.width + outwards * (left + right),
        height: bounds.height + outwards * (top + bottom),
    }
}

/// The names in a text that ends each with a null.
pub(super) fn names(text: &str) -> Vec<String> {
    text.split('\0').filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// Text of a property from before Unicode: Latin-1 where it says STRING.
pub(super) fn old_style_text(reply: &GetPropertyReply) -> String {
    if reply.type_ == u32::from(AtomEnum::STRING) {
        reply.value.iter().map(|byte| char::from(*byte)).collect()
    } else {
        String::from_utf8_lossy(&reply.value).into_owned()
    }
}
