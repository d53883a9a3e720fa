//! What a window manager is asked for, in the words of the EWMH 1.5: client messages to the root
//! window, which any client may send.

use agent_desktop_engine::platform::{Arrangement, Deadline, Failure};
use agent_desktop_model::geometry::Rect;
use x11rb::{
    COPY_FROM_PARENT,
    connection::Connection,
    protocol::{
        Event,
        xproto::{
            AtomEnum, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, PropMode,
            WindowClass,
        },
    },
};

use super::{Display, Window, lost, refused, unidentified};

/// The request comes from a tool of the user's, such as a pager: window managers may ignore what
/// applications ask for themselves.
const FROM_A_PAGER: u32 = 2;

/// `WM_CHANGE_STATE` of ICCCM 4.1.4.
const ICONIC: u32 = 3;

const REMOVE: u32 = 0;
const ADD: u32 = 1;

/// `_NET_MOVERESIZE_WINDOW`: place and size are those of the client area, without the frame.
const STATIC_GRAVITY: u32 = 10;
const HAS_X: u32 = 1 << 8;
const HAS_Y: u32 = 1 << 9;
const HAS_WIDTH: u32 = 1 << 10;
const HAS_HEIGHT: u32 = 1 << 11;

impl Display {
    /// Asks the window manager for `change` of `window`.
    pub fn arrange(
        &self,
        window: &Window,
        change: Arrangement,
        deadline: Deadline,
    ) -> Result<(), Failure> {
        self.connection.stream().ends_at(deadline);
        let atoms = &self.atoms;
        let maximized = [atoms._NET_WM_STATE_MAXIMIZED_HORZ, atoms._NET_WM_STATE_MAXIMIZED_VERT];
        let state = |what| [what, maximized[0], maximized[1], FROM_A_PAGER, 0];
        let placed = |flags, at: Rect| {
            let word = |number: i32| u32::from_ne_bytes(number.to_ne_bytes());
            let gravity = STATIC_GRAVITY | flags | FROM_A_PAGER << 12;
            [gravity, word(at.x), word(at.y), word(at.width), word(at.height)]
        };
        // What callers are told of is the window without the shadow that it draws itself.
        let (client, inner) = (window.bounds, window.inner);
        let (message, data) = match change {
            Arrangement::Focus => {
                // A time before the last click of the user's would not count.
                (atoms._NET_ACTIVE_WINDOW, [FROM_A_PAGER, self.time()?, 0, 0, 0])
            }
            Arrangement::Size { width, height } => (
                atoms._NET_MOVERESIZE_WINDOW,
                placed(
                    HAS_WIDTH | HAS_HEIGHT,
                    Rect {
                        width: width.saturating_add(client.width - inner.width),
                        height: height.saturating_add(client.height - inner.height),
                        ..client
                    },
                ),
            ),
            Arrangement::Place { x, y } => (
                atoms._NET_MOVERESIZE_WINDOW,
                placed(
                    HAS_X | HAS_Y,
                    Rect {
                        x: x.saturating_add(client.x - inner.x),
                        y: y.saturating_add(client.y - inner.y),
                        ..client
                    },
                ),
            ),
            Arrangement::Minimize => (atoms.WM_CHANGE_STATE, [ICONIC, 0, 0, 0, 0]),
            // ICCCM 4.1.4: an iconic window becomes a normal one when it is mapped.
            Arrangement::Unminimize => {
                self.needs_support(atoms.WM_CHANGE_STATE)?;
                self.connection.map_window(window.xid).map_err(lost)?;
                return self.sync();
            }
            Arrangement::Maximize => (atoms._NET_WM_STATE, state(ADD)),
            Arrangement::Unmaximize => (atoms._NET_WM_STATE, state(REMOVE)),
        };
        self.needs_support(message)?;
        let event = ClientMessageEvent::new(32, window.xid, message, data);
        let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        self.connection.send_event(false, self.root, mask, event).map_err(lost)?;
        self.sync()
    }

    /// Asks for a window to be closed, as a click on its close button does.
    pub(crate) fn close(&self, xid: u32, deadline: Deadline) -> Result<(), Failure> {
        self.connection.stream().ends_at(deadline);
        let message = self.atoms._NET_CLOSE_WINDOW;
        self.needs_support(message)?;
        let event =
            ClientMessageEvent::new(32, xid, message, [self.time()?, FROM_A_PAGER, 0, 0, 0]);
        let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        self.connection.send_event(false, self.root, mask, event).map_err(lost)?;
        self.sync()
    }

    /// Refuses what no window manager is there for, or not one that says that it can do it.
    fn needs_support(&self, message: u32) -> Result<(), Failure> {
        // That is older than the list of what is supported.
        let is_basic = message == self.atoms.WM_CHANGE_STATE;
        let supported = self.root_list(self.atoms._NET_SUPPORTED, AtomEnum::ATOM)?;
        if self.names_a_manager()? && (is_basic || supported.contains(&message)) {
            return Ok(());
        }
        let name = self.connection.get_atom_name(message).map_err(lost)?.reply();
        let name = name.map_err(refused)?.name;
        Err(Failure::Unsupported {
            cause: format!(
                "no window manager of this display supports {}",
                String::from_utf8_lossy(&name)
            ),
            remedy: "Run a window manager that follows the EWMH, such as openbox.".into(),
        })
    }

    /// The server's time. It is told with events only, so a property of a window of ours that is
    /// never shown is changed, by nothing.
    pub(super) fn time(&self) -> Result<u32, Failure> {
        let window = self.connection.generate_id().map_err(unidentified)?;
        let look = CreateWindowAux::new().event_mask(EventMask::PROPERTY_CHANGE);
        let class = WindowClass::INPUT_ONLY;
        self.connection
            .create_window(0, window, self.root, 0, 0, 1, 1, 0, class, COPY_FROM_PARENT, &look)
            .map_err(lost)?;
        let (name, kind) = (AtomEnum::WM_NAME, AtomEnum::STRING);
        self.connection
            .change_property(PropMode::APPEND, window, name, kind, 8, 0, &[])
            .map_err(lost)?;
        self.connection.flush().map_err(lost)?;
        let time = loop {
            match self.connection.wait_for_event().map_err(lost)? {
                Event::PropertyNotify(event) if event.window == window => break event.time,
                _ => {}
            }
        };
        self.connection.destroy_window(window).map_err(lost)?;
        Ok(time)
    }

    /// Waits until the server has seen everything that was sent.
    pub(super) fn sync(&self) -> Result<(), Failure> {
        self.connection.get_input_focus().map_err(lost)?.reply().map_err(refused).map(drop)
    }
}
