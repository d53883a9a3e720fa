//! Why a bus that has an address cannot be reached: what the file system says of its socket, and
//! the session of who keeps it.

use std::{fs, io::ErrorKind, os::unix::fs::MetadataExt, path::Path};

use agent_desktop_engine::platform::{Deadline, Failure};

use crate::{
    atspi::calls,
    bus::{Bus, CallError},
    environment, proc,
};

/// The owner of the accessibility bus, as the session bus calls it.
const KEEPER: &str = "org.a11y.Bus";

/// What could not be connected at `address`, in the system's `words`.
pub(super) fn refused(what: &str, address: &str, words: &str) -> Failure {
    let socket = environment::socket_of(address);
    let me = rustix::process::geteuid().as_raw();
    match socket.as_deref().and_then(owner).filter(|owner| *owner != me) {
        Some(owner) => Failure::NoDesktop {
            cause: format!(
                "the {what} cannot be reached: it belongs to the user with the id {owner}, and \
                 this program runs as {me}"
            ),
            remedy: format!(
                "Run it as that user, for instance with `sudo -u '#{owner}'`, or start a private \
                 desktop of your own with `agent-desktop sandbox start`."
            ),
        },
        None => super::connect::no_desktop(format!("the {what} cannot be reached: {words}")),
    }
}

/// Why the accessibility bus at `address` is gone, though the session at `session` names it.
pub(super) fn lost(address: &str, session: &str, deadline: Deadline) -> Option<Failure> {
    let socket = environment::socket_of(address)?;
    let gone = fs::symlink_metadata(&socket).is_err_and(|e| e.kind() == ErrorKind::NotFound);
    let keeper = keeper(&Bus::connect(session, deadline).ok()?, deadline).filter(|_| gone)?;
    Some(Failure::NoDesktop {
        cause: format!(
            "the accessibility bus cannot be reached: its socket {} was removed while its keeper, \
             {keeper}, goes on",
            socket.display()
        ),
        remedy: format!(
            "End the keeper with `kill {}`: the next command starts another. Then restart the \
             applications, which do not move to the new bus. A private desktop is stopped and \
             started again.",
            keeper.pid
        ),
    })
}

/// Why the keeper of the accessibility bus did not name it, if it is there at all.
pub(super) fn silent(session: &Bus, waited_ms: u64, deadline: Deadline) -> Option<Failure> {
    let keeper = keeper(session, deadline)?;
    let pid = keeper.pid;
    let (does, remedy) = match proc::state(pid) {
        Some('T') => {
            ("is stopped", format!("Continue it with `kill -CONT {pid}`, then repeat the command."))
        }
        _ => (
            "does not answer",
            format!(
                "End it with `kill {pid}`: the next command starts another. Then restart the \
                 applications, which do not move to a new bus."
            ),
        ),
    };
    Some(Failure::NoDesktop {
        cause: format!(
            "the accessibility bus was not named within {waited_ms} ms: its keeper, {keeper}, {does}"
        ),
        remedy,
    })
}

/// The process that owns [`KEEPER`].
struct Keeper {
    pid: u32,
    name: String,
}

impl std::fmt::Display for Keeper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (pid {})", self.name, self.pid)
    }
}

fn keeper(session: &Bus, deadline: Deadline) -> Option<Keeper> {
    let owner: Result<_, CallError> = session.call(calls::process_of(KEEPER), deadline);
    let pid: u32 = owner.ok()?.decode()?;
    Some(Keeper { pid, name: proc::name(pid).unwrap_or_else(|| KEEPER.to_owned()) })
}

/// Whose a socket is. Where it stands in a directory that others may not look into, that
/// directory's owner.
fn owner(socket: &Path) -> Option<u32> {
    for place in socket.ancestors() {
        match fs::symlink_metadata(place) {
            Ok(metadata) => return Some(metadata.uid()),
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {}
            Err(_) => return None,
        }
    }
    None
}
