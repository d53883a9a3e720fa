//! The accessibility bus of a private desktop. It comes by D-Bus activation, so that it does not
//! matter where a distribution puts its launcher.

use agent_desktop_engine::platform::Deadline;

use super::trouble::Trouble;
use crate::bus::{Args, Bus, Call, CallError, ConnectError};

/// What was learned of the buses.
#[derive(Debug)]
pub(super) struct Buses {
    /// Identifies the session bus.
    pub(super) guid: String,
    /// The process that provides the accessibility bus.
    pub(super) launcher: u32,
}

const PART: &str = "accessibility bus";
const NAME: &str = "org.a11y.Bus";
const PATH: &str = "/org/a11y/bus";

/// Brings up the accessibility bus on the session bus at `address` and tells toolkits that it is
/// wanted. Both settings persist in the user's configuration, which is why this must only ever be
/// done on a bus whose services have a configuration of their own.
///
/// The screen reader is announced too: programs built with AccessKit publish nothing without it,
/// and a desktop made for being read has no person whom such a mode could disturb.
pub(super) fn enable(address: &str, deadline: Deadline) -> Result<Buses, Trouble> {
    let bus = Bus::connect(address, deadline).map_err(|error| match error {
        ConnectError::Timeout => Trouble::late(PART, deadline, String::new()),
        ConnectError::Refused(words) => Trouble::other(PART, &words),
    })?;
    let failed = |error| match error {
        // Nothing on this bus offers it.
        CallError::Gone => Trouble::missing("at-spi-bus-launcher"),
        CallError::Unanswered => Trouble::late(PART, deadline, String::new()),
        CallError::Absent => Trouble::other(PART, "it has no such interface"),
        CallError::Refused(words) => Trouble::other(PART, &words),
    };
    let call = |to: &str, path: &str, interface, member, args| {
        let call = Call { to: to.into(), path: path.into(), interface, member, args };
        bus.call(call, deadline).map_err(failed)
    };
    call(NAME, PATH, NAME, "GetAddress", Args::None)?;
    for property in ["IsEnabled", "ScreenReaderEnabled"] {
        let value = Args::Switch("org.a11y.Status", property, true);
        call(NAME, PATH, "org.freedesktop.DBus.Properties", "Set", value)?;
    }
    let dbus = "org.freedesktop.DBus";
    let asked = Args::Text(NAME.into());
    let launcher = call(dbus, "/org/freedesktop/DBus", dbus, "GetConnectionUnixProcessID", asked)?;
    let launcher =
        launcher.decode().ok_or_else(|| Trouble::other(PART, "its process is not told"))?;
    Ok(Buses { guid: bus.guid(), launcher })
}
