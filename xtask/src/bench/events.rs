//! What an application tells by itself, heard without the program.

use std::time::{Duration, Instant};

use desktop_tests::{
    App, Desktop,
    bus::{Body, Call, Connection, Kind, Reader},
};

use super::Failure;

const REGISTRY: &str = "org.a11y.atspi.Registry";

/// A connection that hears what an application tells of its elements.
pub(super) fn listen(desktop: &Desktop, app: &App) -> Result<Connection, Failure> {
    let mut bus = desktop.accessibility_bus();
    let told = format!("type='signal',sender='{}'", app.bus_name);
    let registrations = format!("type='signal',sender='{REGISTRY}'");
    for rule in [told, registrations] {
        bus.call(Call::bus("AddMatch").with(Body::default().text(&rule)))?;
    }
    let everything =
        Body::default().text("object:").array("s", 4, [""; 0], Body::put_text).text("");
    bus.call(registry("RegisterEvent").with(everything))?;
    // The application has heard of the registration once it has answered what came after it.
    bus.call(Call::new(&app.bus_name, &app.window, "org.a11y.atspi.Accessible", "GetRole"))?;
    app.settle();
    bus.call(Call::bus("GetId"))?;
    Ok(bus)
}

/// When the application next tells of a change in an element.
pub(super) fn next_event(bus: &mut Connection) -> Result<Instant, Failure> {
    loop {
        let message = bus.next(Some(Duration::from_secs(5)))?;
        if message.kind == Kind::Signal && message.interface == "org.a11y.atspi.Event.Object" {
            return Ok(Instant::now());
        }
    }
}

/// Waits until somebody else has asked to be told of events. The registry tells of it; to be asked
/// who has is the end of it (GetRegisteredEvents, at-spi2-core 2.46).
pub(super) fn await_listener(bus: &mut Connection) -> Result<(), Failure> {
    loop {
        let message = bus.next(Some(Duration::from_secs(10)))?;
        if message.kind == Kind::Signal
            && message.member == "EventListenerRegistered"
            && Reader::new(&message.body.bytes).text()? != bus.name
        {
            return Ok(());
        }
    }
}

fn registry(member: &'static str) -> Call {
    Call::new(REGISTRY, "/org/a11y/atspi/registry", REGISTRY, member)
}
