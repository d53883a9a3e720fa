//! The accessibility bus of a private desktop. It comes by D-Bus activation, so that it does not
//! matter where a distribution puts its launcher.

use agent_desktop_engine::platform::Deadline;
use zbus::{Connection, Message, Variant, connection::Builder};
use zruntime::SharedRuntime;

use super::trouble::Trouble;

/// What was learned of the buses.
#[derive(Debug)]
pub(super) struct Buses {
    /// Identifies the session bus.
    pub(super) guid: String,
    /// The process that provides the accessibility bus.
    pub(super) launcher: u32,
}

const PART: &str = "accessibility bus";
const STATUS: &str = "org.a11y.Status";

/// Brings up the accessibility bus on the session bus at `address` and tells toolkits that it is
/// wanted. Both settings persist in the user's configuration, which is why this must only ever be
/// done on a bus whose services have a configuration of their own.
///
/// The screen reader is announced too: programs built with AccessKit publish nothing without it,
/// and a desktop made for being read has no person whom such a mode could disturb.
pub(super) fn enable(address: &str, deadline: Deadline) -> Result<Buses, Trouble> {
    let runtime = SharedRuntime::current().map_err(|e| Trouble::other(PART, &e.to_string()))?;
    let talk = async {
        let connection = Builder::address(address).build().await?;
        call(&connection, A11Y_BUS, A11Y_BUS_NAME, "GetAddress", &()).await?;
        for property in ["IsEnabled", "ScreenReaderEnabled"] {
            let body = (STATUS, property, Variant::from(true));
            call(&connection, A11Y_BUS, "org.freedesktop.DBus.Properties", "Set", &body).await?;
        }
        let answer =
            call(&connection, DBUS, DBUS_NAME, "GetConnectionUnixProcessID", &A11Y_BUS_NAME)
                .await?;
        let launcher = answer.body().deserialize()?;
        Ok(Buses { guid: connection.server_guid().to_string(), launcher })
    };
    match zbus::block_on(runtime.timeout_at(deadline.at(), talk)) {
        Ok(Ok(buses)) => Ok(buses),
        Ok(Err(zbus::Error::MethodError(name, _, _)))
            if name == "org.freedesktop.DBus.Error.ServiceUnknown" =>
        {
            Err(Trouble::missing("at-spi-bus-launcher"))
        }
        Ok(Err(error)) => Err(Trouble::other(PART, &zbus::Error::to_string(&error))),
        Err(_) => Err(Trouble::late(PART, deadline, String::new())),
    }
}

const A11Y_BUS_NAME: &str = "org.a11y.Bus";
const A11Y_BUS: (&str, &str) = (A11Y_BUS_NAME, "/org/a11y/bus");
const DBUS_NAME: &str = "org.freedesktop.DBus";
const DBUS: (&str, &str) = (DBUS_NAME, "/org/freedesktop/DBus");

async fn call<B>(
    connection: &Connection,
    (destination, path): (&str, &str),
    interface: &str,
    member: &str,
    body: &B,
) -> zbus::Result<Message>
where
    B: serde::Serialize + zbus::zvariant::DynamicType,
{
    connection.call_method(Some(destination), path, Some(interface), member, body).await
}
