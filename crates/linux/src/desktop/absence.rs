//! Why the program of a window is not on the accessibility bus, and what to do about it. Judged
//! from evidence alone: whose process it is, which toolkit is loaded in it, what it was started
//! with, and when. What the evidence does not tell is said not to be known.

use std::{ffi::OsString, os::unix::ffi::OsStrExt, path::Path};

use agent_desktop_engine::platform::{Deadline, Why};
use agent_desktop_model::text::{quoted, shell_word};

use super::{Linux, connect};
use crate::{
    proc,
    programs::toolkit::{CHROMIUM_FLAG, CHROMIUM_RESOURCES},
};

/// What is known of the process of a window.
#[derive(Clone, Debug, Default)]
struct Evidence {
    pid: u32,
    name: String,
    /// Its user, when that is another than ours.
    stranger: Option<u32>,
    /// The names of the files that are mapped into it; none if it may not be looked into.
    libraries: Option<Vec<String>>,
    /// Whether its program is a Chromium: the engine's resources lie beside it.
    chromium: bool,
    /// Whether AccessKit is part of its program.
    accesskit: bool,
    /// Its arguments.
    arguments: Vec<String>,
    /// The variables that it was started with; none if it may not be looked into.
    variables: Option<Vec<(String, String)>>,
    /// In clock ticks since boot.
    started: u64,
}

/// What the desktop that is read is like.
#[derive(Clone, Debug, Default)]
pub(super) struct Here {
    session_bus: Option<String>,
    pub(super) status: connect::Status,
}

impl Linux {
    /// What absences are judged against, as far as it is told in time.
    pub(super) fn here(&self, deadline: Deadline) -> Here {
        let session_bus = self.environment.session_bus.clone();
        let status = session_bus.as_deref().map(|session| connect::status(session, deadline));
        Here { session_bus, status: status.unwrap_or_default() }
    }
}

/// Why the window of the process `pid` cannot be read.
pub(super) fn why(pid: Option<u32>, here: &Here) -> Why {
    let Some(pid) = pid else {
        return Why {
            cause: "it does not say which process it belongs to, so nothing on the accessibility \
                    bus can be matched with it"
                .to_owned(),
            remedy: "Use a window that `list-windows` shows as accessible.".to_owned(),
        };
    };
    judge(&gather(pid), here)
}

/// Whether the program is one that publishes its windows, so that they may come a little later.
pub(super) fn may_publish(pid: u32, here: &Here) -> bool {
    let evidence = gather(pid);
    Toolkit::of(&evidence).is_some_and(|toolkit| {
        evidence.stranger.is_none()
            && switched_off(toolkit, &evidence).is_none()
            && not_asked_for(toolkit, &evidence, here).is_none()
    })
}

/// Whether the program was on an accessibility bus that has ended since.
pub(super) fn lost_its_bus(pid: u32, here: &Here) -> bool {
    let evidence = gather(pid);
    let toolkit = Toolkit::of(&evidence);
    evidence.stranger.is_none() && toolkit.is_some_and(|toolkit| lost(toolkit, &evidence, here))
}

/// The toolkits that publish accessibles, if they are let.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Toolkit {
    Chromium,
    Firefox,
    LibreOffice,
    Java,
    Qt,
    Gtk4,
    Gtk3,
    AccessKit,
}

impl Toolkit {
    /// The toolkit of a process. Browsers and LibreOffice load GTK 3 for their dialogs, so they
    /// come first.
    fn of(evidence: &Evidence) -> Option<Self> {
        let loads = |name: &str| loads(evidence, name);
        Some(match () {
            () if evidence.chromium => Self::Chromium,
            () if loads("libxul.so") => Self::Firefox,
            () if loads("libvcllo.so") => Self::LibreOffice,
            () if loads("libjvm.so") => Self::Java,
            () if loads("libQt5Gui.so") || loads("libQt6Gui.so") => Self::Qt,
            () if loads("libgtk-4.so") => Self::Gtk4,
            () if loads("libgtk-3.so") => Self::Gtk3,
            () if evidence.accesskit => Self::AccessKit,
            () => return None,
        })
    }
}

/// Libraries of toolkits that have no accessibility at all, and how people call these.
const WITHOUT: &[(&str, &str)] = &[
    ("libtk8", "Tk"),
    ("libgtk-x11-2", "GTK 2"),
    ("libXaw", "the Athena widgets"),
    ("libXm.so", "Motif"),
    ("libfltk", "FLTK"),
    ("libSDL", "SDL"),
    ("libglfw", "GLFW"),
    ("libXt.so", "the X toolkit"),
];

fn judge(evidence: &Evidence, here: &Here) -> Why {
    let Evidence { pid, name, .. } = evidence;
    let who = format!("{} (pid {pid})", quoted(name));
    let word = shell_word(name);
    let why = |cause: String, remedy: String| Why { cause, remedy };
    if let Some(user) = evidence.stranger {
        return why(
            format!(
                "{who} belongs to the user {}, whose accessibility bus is another",
                user_name(user)
            ),
            format!("Run this command as {}, in that user's session.", user_name(user)),
        );
    }
    if evidence.libraries.is_none() {
        return why(
            format!("{who} is not on the accessibility bus, and its process cannot be looked into"),
            "Run this command as the user whose process it is.".to_owned(),
        );
    }
    let Some(toolkit) = Toolkit::of(evidence) else {
        let without = WITHOUT.iter().find(|(library, _)| loads(evidence, library));
        let made = match without {
            Some((_, toolkit)) => format!("is made with {toolkit}, which has no accessibility"),
            None => "has no toolkit that is known to publish accessibles".to_owned(),
        };
        return why(
            format!("{who} {made}"),
            "Its contents cannot be read; use another program for the task, if there is one."
                .to_owned(),
        );
    };
    if let Some((variable, value)) = switched_off(toolkit, evidence) {
        return why(
            format!(
                "{who} was started with {variable}={}, which keeps it off the accessibility bus",
                quoted(value)
            ),
            format!("Restart it without: `env -u {variable} {word}`."),
        );
    }
    match other_bus(evidence, here) {
        Some(OtherBus::Session(address)) => {
            return why(
                format!("{who} was started on another session bus, {}", quoted(address)),
                format!(
                    "Run this command with DBUS_SESSION_BUS_ADDRESS={}, or restart {} in this \
                     session.",
                    shell_word(address),
                    quoted(name)
                ),
            );
        }
        Some(OtherBus::Accessibility(address)) => {
            return why(
                format!(
                    "{who} was started with AT_SPI_BUS_ADDRESS={}, which is another accessibility bus",
                    quoted(address)
                ),
                format!("Restart it without: `env -u AT_SPI_BUS_ADDRESS {word}`."),
            );
        }
        Some(OtherBus::None) => {
            return why(
                format!("{who} was started without a session bus"),
                "Restart it with DBUS_SESSION_BUS_ADDRESS as it is in this session.".to_owned(),
            );
        }
        None => {}
    }
    if let Some((cause, remedy)) = not_asked_for(toolkit, evidence, here) {
        return why(format!("{who} {cause}"), remedy);
    }
    if lost(toolkit, evidence, here) {
        return why(
            format!(
                "the accessibility bus that {who} was on has ended; the present one was started later"
            ),
            format!("Restart {}: programs do not move to a new bus.", quoted(name)),
        );
    }
    why(
        format!("{who} is not on the accessibility bus, and nothing tells why"),
        "If it has just been started, wait until `list-apps` shows it; else restart it.".to_owned(),
    )
}

/// What keeps a toolkit from publishing that does so only when it is asked to: by a flag, by a
/// variable or by the session.
fn not_asked_for(toolkit: Toolkit, evidence: &Evidence, here: &Here) -> Option<(String, String)> {
    let name = shell_word(&evidence.name);
    let set =
        |variable: &str| evidence.variables.as_ref().map(|all| value(all, variable).is_some());
    let enabled = here.status.enabled == Some(true);
    let in_sandbox = "Programs that `agent-desktop sandbox exec` starts have it.";
    match toolkit {
        Toolkit::Chromium => {
            let flag = CHROMIUM_FLAG;
            (!evidence.arguments.iter().any(|argument| argument.starts_with(flag))).then(|| {
                (
                    format!("is made with Chromium and was started without {flag}, when no assistive technology was announced"),
                    format!("Restart it: `{name} {flag}`. To one that runs nothing can be added."),
                )
            })
        }
        // Qt 5.15.8 registers on X11 in any case; Qt 6.4.2 looks once, when it starts.
        Toolkit::Qt => (set("QT_LINUX_ACCESSIBILITY_ALWAYS_ON") == Some(false)).then(|| {
            (
                "is made with Qt and was started without QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1, when no assistive technology was announced".to_owned(),
                format!("Restart it: `QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1 {name}`. {in_sandbox}"),
            )
        }),
        Toolkit::Firefox => (set("GNOME_ACCESSIBILITY") == Some(false)).then(|| {
            (
                "was started without GNOME_ACCESSIBILITY=1, when no assistive technology was announced".to_owned(),
                format!("Restart it: `GNOME_ACCESSIBILITY=1 {name}`. {in_sandbox}"),
            )
        }),
        Toolkit::LibreOffice => (!loads(evidence, "libgtk-3.so")).then(|| {
            (
                "draws itself instead of using GTK 3, and has no accessibility then".to_owned(),
                format!("Install the package libreoffice-gtk3 and restart it: `SAL_USE_VCLPLUGIN=gtk3 {name}`."),
            )
        }),
        Toolkit::Java => (!loads(evidence, "libatk-wrapper")).then(|| {
            (
                "runs in a Java machine without the ATK wrapper, which publishes what Swing and AWT show".to_owned(),
                "Install the package libatk-wrapper-java and restart it with \
                 `java -Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper \
                 -Xbootclasspath/a:/usr/share/java/java-atk-wrapper.jar …`."
                    .to_owned(),
            )
        }),
        Toolkit::AccessKit => {
            let announced = enabled && here.status.screen_reader == Some(true);
            (!announced).then(|| {
                (
                    "is made with AccessKit, which publishes nothing until assistive technology is announced".to_owned(),
                    format!(
                        "Start it in a private desktop (`agent-desktop sandbox exec NAME -- {name}`), where it is, \
                         or announce it in this session: `busctl --user set-property org.a11y.Bus /org/a11y/bus \
                         org.a11y.Status ScreenReaderEnabled b true`, and the same for IsEnabled."
                    ),
                )
            })
        }
        Toolkit::Gtk3 | Toolkit::Gtk4 => None,
    }
}

/// The variable that switches a toolkit's accessibility off, if it was set.
fn switched_off(toolkit: Toolkit, evidence: &Evidence) -> Option<(&'static str, &str)> {
    let variables = evidence.variables.as_ref()?;
    let (variable, off): (_, fn(&str) -> bool) = match toolkit {
        Toolkit::Gtk3 => ("NO_AT_BRIDGE", |value| value != "0"),
        Toolkit::Gtk4 => ("GTK_A11Y", |value| value != "atspi"),
        Toolkit::Qt => ("QT_ACCESSIBILITY", |value| value == "0"),
        _ => return None,
    };
    value(variables, variable).filter(|value| off(value)).map(|value| (variable, value))
}

/// The bus that a process was started with, where it is not ours.
enum OtherBus<'a> {
    Session(&'a str),
    Accessibility(&'a str),
    None,
}

/// Whether a process was started with another bus than ours. One without the variable may have
/// found the user's bus by itself.
fn other_bus<'a>(evidence: &'a Evidence, here: &Here) -> Option<OtherBus<'a>> {
    let variables = evidence.variables.as_ref()?;
    let differs = |theirs: &str, ours: &str| socket(theirs) != socket(ours);
    if let Some(theirs) = value(variables, "AT_SPI_BUS_ADDRESS") {
        let ours = here.status.address.as_deref()?;
        return differs(theirs, ours).then_some(OtherBus::Accessibility(theirs));
    }
    let ours = here.session_bus.as_deref()?;
    if let Some(theirs) = value(variables, "DBUS_SESSION_BUS_ADDRESS") {
        return differs(theirs, ours).then_some(OtherBus::Session(theirs));
    }
    let directory = value(variables, "XDG_RUNTIME_DIR");
    let found = directory.map(|directory| format!("{directory}/bus"));
    let has_one = found.is_some_and(|bus| socket(ours) == Some(&*bus) || Path::new(&bus).exists());
    (!has_one).then_some(OtherBus::None)
}

/// Where a bus listens, without what else its address says.
fn socket(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once('=')?;
    rest.split([',', ';']).next()
}

/// Whether the process is older than the accessibility bus, though its toolkit connects to one
/// when it starts.
fn lost(toolkit: Toolkit, evidence: &Evidence, here: &Here) -> bool {
    // One that has not been asked to publish anything was on no bus.
    let connects_at_start =
        toolkit != Toolkit::AccessKit && not_asked_for(toolkit, evidence, here).is_none();
    let since = here.status.launcher.and_then(proc::start_time);
    connects_at_start
        && switched_off(toolkit, evidence).is_none()
        && other_bus(evidence, here).is_none()
        && since.is_some_and(|since| evidence.started < since)
}

fn loads(evidence: &Evidence, name: &str) -> bool {
    evidence.libraries.iter().flatten().any(|library| library.starts_with(name))
}

fn value<'a>(variables: &'a [(String, String)], name: &str) -> Option<&'a str> {
    variables
        .iter()
        .find(|(key, value)| key == name && !value.is_empty())
        .map(|(_, value)| &**value)
}

fn gather(pid: u32) -> Evidence {
    let own = rustix::process::geteuid().as_raw();
    let owner = proc::owner(pid);
    let program = proc::program(pid);
    let libraries = proc::mapped_files(pid);
    let mut evidence = Evidence {
        pid,
        name: proc::name(pid).unwrap_or_else(|| "a process that has ended".to_owned()),
        stranger: owner.filter(|owner| *owner != own),
        chromium: program
            .as_deref()
            .and_then(Path::parent)
            .is_some_and(|directory| directory.join(CHROMIUM_RESOURCES).exists()),
        arguments: proc::arguments(pid).unwrap_or_default(),
        variables: proc::environ(pid).map(|all| all.iter().filter_map(pair).collect()),
        started: proc::start_time(pid).unwrap_or_default(),
        libraries,
        ..Evidence::default()
    };
    if evidence.libraries.is_some() && Toolkit::of(&evidence).is_none() {
        evidence.accesskit = program.is_some_and(|program| proc::contains(&program, b"accesskit"));
    }
    evidence
}

fn pair(entry: &OsString) -> Option<(String, String)> {
    let at = entry.as_bytes().iter().position(|byte| *byte == b'=')?;
    let (key, value) = entry.as_bytes().split_at_checked(at)?;
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    Some((text(key), text(value.get(1..)?)))
}

/// The name of a user, else the number.
fn user_name(uid: u32) -> String {
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let mut lines = users.lines().map(|line| line.split(':').collect::<Vec<_>>());
    let number = uid.to_string();
    let found = lines.find(|fields| fields.get(2) == Some(&&*number));
    found.and_then(|fields| fields.first().map(|name| (*name).to_owned())).unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &str = "unix:path=/run/user/7/bus";

    fn here() -> Here {
        let status = connect::Status {
            address: Some("unix:path=/run/user/7/at-spi/bus_0,guid=1".to_owned()),
            launcher: Some(std::process::id()),
            enabled: Some(false),
            screen_reader: Some(false),
        };
        Here { session_bus: Some(OURS.to_owned()), status }
    }

    /// A process of ours that was started after the accessibility bus.
    fn process(libraries: &[&str], variables: &[(&str, &str)]) -> Evidence {
        let pair = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        Evidence {
            pid: 42,
            name: "demo".to_owned(),
            libraries: Some(libraries.iter().map(|name| (*name).to_owned()).collect()),
            variables: Some(
                [&[("DBUS_SESSION_BUS_ADDRESS", OURS)], variables]
                    .concat()
                    .iter()
                    .map(pair)
                    .collect(),
            ),
            started: u64::MAX,
            ..Evidence::default()
        }
    }

    #[track_caller]
    fn said(evidence: &Evidence, cause: &str, remedy: &str) {
        let why = judge(evidence, &here());
        assert!(why.cause.contains(cause), "{why:?}");
        assert!(why.remedy.contains(remedy), "{why:?}");
        // However it comes out, the process is named.
        assert!(why.cause.contains("\"demo\" (pid 42)"), "{why:?}");
        // A process gives itself a name.
        let why = judge(&Evidence { name: "a\n$(b)".to_owned(), ..evidence.clone() }, &here());
        assert!(why.cause.contains(r#""a\n$(b)" (pid 42)"#), "{why:?}");
        assert!(!why.remedy.contains('\n') && !why.remedy.contains("`$(b)"), "{why:?}");
    }

    #[test]
    fn each_cause_has_its_remedy() {
        let gtk3 = &["libatk-bridge-2.0.so.0.0.0", "libgtk-3.so.0.2406.32"][..];
        let gtk4 = &["libgtk-4.so.1.800.3"][..];
        let qt6 = &["libQt6Gui.so.6.4.2"][..];
        let of = process;
        said(
            &of(gtk3, &[("NO_AT_BRIDGE", "1")]),
            r#"NO_AT_BRIDGE="1""#,
            "env -u NO_AT_BRIDGE demo",
        );
        said(&of(gtk4, &[("GTK_A11Y", "none")]), r#"GTK_A11Y="none""#, "env -u GTK_A11Y demo");
        said(&of(gtk4, &[("GTK_A11Y", "atspi")]), "nothing tells why", "wait until");
        said(&of(qt6, &[]), "ALWAYS_ON=1", "`QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1 demo`");
        said(
            &of(qt6, &[("QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1")]),
            "nothing tells why",
            "restart",
        );
        said(&of(&["libxul.so", "libgtk-3.so.0"], &[]), "GNOME_ACCESSIBILITY=1", "`GNOME_ACC");
        said(&of(&["libjvm.so"], &[]), "ATK wrapper", "libatk-wrapper-java");
        said(&of(&["libjvm.so", "libatk-wrapper.so.6"], &[]), "nothing tells why", "restart");
        said(&of(&["libvcllo.so"], &[]), "instead of using GTK 3", "libreoffice-gtk3");
        said(&of(&["libXt.so.6.0.0", "libXaw7.so.7.0.0"], &[]), "Athena", "another program");
        said(&of(&["libtk8.6.so"], &[]), "made with Tk", "another program");
        said(&of(&["libc.so.6"], &[]), "no toolkit that is known", "another program");

        let chromium = Evidence { chromium: true, ..of(gtk3, &[]) };
        said(&chromium, "--force-renderer-accessibility", "`demo --force-renderer-accessibility`");
        let flag = vec!["demo".to_owned(), "--force-renderer-accessibility=complete".to_owned()];
        said(&Evidence { arguments: flag, ..chromium }, "nothing tells why", "restart");

        let accesskit = Evidence { accesskit: true, ..of(&[], &[]) };
        said(&accesskit, "AccessKit", "sandbox exec NAME -- demo");

        let other = "unix:path=/run/user/8/bus,guid=3";
        said(&of(qt6, &[]).on(Some(other)), "another session bus", other);
        said(&of(gtk3, &[]).on(Some(&format!("{OURS},guid=9"))), "nothing tells why", "restart");
        said(&of(gtk3, &[]).on(None), "without a session bus", "DBUS_SESSION_BUS_ADDRESS");
        said(&of(gtk3, &[("AT_SPI_BUS_ADDRESS", other)]), "another accessibility bus", "env -u");

        let early = Evidence { started: 1, ..of(gtk3, &[]) };
        said(&early, "has ended", r#"Restart "demo""#);
        said(&Evidence { libraries: None, ..of(&[], &[]) }, "cannot be looked into", "as the user");
        let stranger = Evidence { stranger: Some(0), ..of(&[], &[]) };
        said(&stranger, "belongs to the user root", "as root");
    }

    #[test]
    fn what_never_published_anything_has_lost_nothing() {
        let early = |evidence| Evidence { started: 1, ..evidence };
        let lost = |evidence: &Evidence| {
            Toolkit::of(evidence).is_some_and(|toolkit| lost(toolkit, evidence, &here()))
        };
        let gtk3 = &["libgtk-3.so.0.2406.32"][..];
        assert!(lost(&early(process(gtk3, &[]))));
        assert!(!lost(&process(gtk3, &[])));
        assert!(!lost(&early(process(gtk3, &[("NO_AT_BRIDGE", "1")]))));
        assert!(!lost(&early(process(&["libXaw7.so.7"], &[]))));
        assert!(!lost(&early(Evidence { chromium: true, ..process(gtk3, &[]) })));
        assert!(!lost(&early(process(&["libQt6Gui.so.6.4.2"], &[]))));
    }

    impl Evidence {
        /// The same process, started on this session bus.
        fn on(mut self, bus: Option<&str>) -> Self {
            if let Some(variables) = &mut self.variables {
                variables.retain(|(key, _)| key != "DBUS_SESSION_BUS_ADDRESS");
                variables
                    .extend(bus.map(|bus| ("DBUS_SESSION_BUS_ADDRESS".to_owned(), bus.to_owned())));
            }
            self
        }
    }
}
