//! The desktop as the engine sees it.

mod apps;
mod connect;
mod matching;
mod read;
mod windows;

use std::{
    cell::{OnceCell, RefCell},
    collections::HashMap,
    time::Duration,
};

use agent_desktop_engine::platform::{
    App, AppId, Capabilities, Deadline, DesktopId, Failure, Platform, Probe, Window,
};
use agent_desktop_model::{
    role::Role,
    surface::SurfaceKind,
    tree::{Address, FieldSet, NodeId, Tree},
    wire::{Display, Grant, Permission, Permissions},
};

use crate::{atspi::dialect::Dialect, bus::Bus, environment::Environment, x11};

/// A Linux desktop. Making one costs nothing: each server is connected when it is first needed.
pub struct Linux {
    environment: Environment,
    accessibility: OnceCell<connect::Accessibility>,
    x11: OnceCell<x11::Display>,
    /// How each application that was met is read.
    dialects: RefCell<HashMap<AppId, &'static Dialect>>,
}

/// How long finding out about the desktop itself may take, where no deadline is given.
const GLANCE: Duration = Duration::from_secs(2);

impl Linux {
    /// The desktop whose servers `environment` names.
    pub fn new(environment: Environment) -> Self {
        Self {
            environment,
            accessibility: OnceCell::new(),
            x11: OnceCell::new(),
            dialects: RefCell::default(),
        }
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

    /// The X server; none on a desktop without one, or one that does not answer.
    fn x11(&self, deadline: Deadline) -> Option<&x11::Display> {
        self.environment.display.as_ref()?;
        if let Some(connected) = self.x11.get() {
            return Some(connected);
        }
        let connected = x11::Display::connect(&self.environment, deadline).ok()?;
        Some(self.x11.get_or_init(|| connected))
    }
}

impl Platform for Linux {
    fn desktop(&self) -> Result<DesktopId, Failure> {
        Ok(self.accessibility(Deadline::after(GLANCE))?.desktop.clone())
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

    fn displays(&self, deadline: Deadline) -> Result<Vec<Display>, Failure> {
        if self.environment.display.is_none() && self.environment.wayland_display.is_some() {
            return Err(Failure::Unsupported {
                cause: "displays of a Wayland session without an X server are not listed".into(),
                remedy: "Use an X11 session, or a private desktop: `agent-desktop sandbox start`."
                    .into(),
            });
        }
        match self.x11(deadline) {
            Some(display) => display.displays(deadline),
            None => x11::Display::connect(&self.environment, deadline)?.displays(deadline),
        }
    }

    fn observe(
        &self,
        root: &Address,
        within: &[Role],
        deadline: Deadline,
    ) -> Result<Tree, Failure> {
        self.read_tree(root, within, deadline)
    }

    fn read(
        &self,
        address: &Address,
        within: &[Role],
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

    fn probe(&self, addresses: &[Address], deadline: Deadline) -> Result<Vec<Probe>, Failure> {
        self.probe_addresses(addresses, deadline)
    }
}

impl std::fmt::Debug for Linux {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Linux").field("environment", &self.environment).finish_non_exhaustive()
    }
}
