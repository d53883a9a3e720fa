//! The X window that belongs to what it shows, where there shall be one: X-level commands need it.

use std::{error::Error, sync::PoisonError};

use x11rb::{
    COPY_DEPTH_FROM_PARENT,
    connection::Connection as _,
    properties::WmSizeHints,
    protocol::{
        Event,
        xproto::{
            AtomEnum, ConnectionExt as _, CreateWindowAux, EventMask, PropMode, Window as Id,
            WindowClass,
        },
    },
    rust_connection::RustConnection,
    wrapper::ConnectionExt as _,
};

use crate::{
    Peer, answer,
    scene::{TITLE, WINDOW, state},
};

/// The window; it goes when the process ends.
#[derive(Debug)]
pub(crate) struct Window {
    x: RustConnection,
    id: Id,
    root: Id,
}

impl Window {
    /// Shows it where the scene wants it, without a frame around.
    pub(crate) fn show() -> Result<Self, Box<dyn Error>> {
        let (x, screen) = x11rb::connect(None)?;
        let root = x.setup().roots.get(screen).ok_or("no screen")?.root;
        let id = x.generate_id()?;
        let [left, top, width, height] = WINDOW;
        x.create_window(
            COPY_DEPTH_FROM_PARENT,
            id,
            root,
            left.try_into()?,
            top.try_into()?,
            width.try_into()?,
            height.try_into()?,
            0,
            WindowClass::INPUT_OUTPUT,
            0,
            &CreateWindowAux::new()
                .background_pixel(0x00dd_dddd)
                .event_mask(EventMask::BUTTON_PRESS | EventMask::KEY_PRESS),
        )?;
        let atom = |name: &str| {
            let cookie = x.intern_atom(false, name.as_bytes())?;
            Ok::<u32, Box<dyn Error>>(cookie.reply()?.atom)
        };
        let text = |property: u32, kind: u32, text: &str| {
            x.change_property8(PropMode::REPLACE, id, property, kind, text.as_bytes())
        };
        let numbers = |property: u32, kind: u32, numbers: &[u32]| {
            x.change_property32(PropMode::REPLACE, id, property, kind, numbers)
        };
        text(atom("_NET_WM_NAME")?, atom("UTF8_STRING")?, TITLE)?;
        text(AtomEnum::WM_NAME.into(), AtomEnum::STRING.into(), TITLE)?;
        let class = "misbehaving-peer\0Misbehaving-peer\0";
        text(AtomEnum::WM_CLASS.into(), AtomEnum::STRING.into(), class)?;
        numbers(atom("_NET_WM_PID")?, AtomEnum::CARDINAL.into(), &[std::process::id()])?;
        let motif = atom("_MOTIF_WM_HINTS")?;
        // Only the second field, which frame to draw, is meant: none.
        numbers(motif, motif, &[2, 0, 0, 0, 0])?;
        let mut hints = WmSizeHints::new();
        hints.position =
            Some((x11rb::properties::WmSizeHintsSpecification::UserSpecified, left, top));
        hints.set_normal_hints(&x, id)?;
        x.map_window(id)?;
        x.flush()?;
        Ok(Self { x, id, root })
    }

    /// Where its corner is on the screen.
    pub(crate) fn corner(&self) -> Option<(i32, i32)> {
        let at = self.x.translate_coordinates(self.id, self.root, 0, 0).ok()?.reply().ok()?;
        Some((at.dst_x.into(), at.dst_y.into()))
    }

    /// Notes whom buttons and keys reach, as long as there is a display.
    pub(crate) fn heed(&self, peer: &Peer) {
        while let Ok(event) = self.x.wait_for_event() {
            let scene = peer.scene.lock().unwrap_or_else(PoisonError::into_inner);
            match event {
                Event::ButtonPress(press) => {
                    let (x, y) = (i32::from(press.event_x), i32::from(press.event_y));
                    let hit = (0..scene.nodes.len()).rev().find(|at| {
                        let [left, top, width, height] = answer::place(*at, &scene.nodes[*at]);
                        (left..left + width).contains(&x) && (top..top + height).contains(&y)
                    });
                    peer.log.note("ButtonPress", &scene.nodes[hit.unwrap_or(1)], "");
                }
                Event::KeyPress(_) => {
                    let focused = scene.nodes.iter().find(|one| one.states & state::FOCUSED != 0);
                    peer.log.note("KeyPress", focused.unwrap_or(&scene.nodes[1]), "");
                }
                _ => {}
            }
        }
    }
}
