//! What applications that do not answer are called. Their own word is missing, but others know
//! them: the session bus by the names that they own, and the X server by the class of their
//! windows. Both answer for a program that is stopped.

use std::collections::HashMap;

use agent_desktop_engine::platform::{App, Deadline};

use super::{Linux, connect};

impl Linux {
    /// Adds the names by which others know those of `apps` that do not answer.
    pub(super) fn name_silent(&self, apps: &mut [App], deadline: Deadline) {
        if apps.iter().all(|app| app.responding) {
            return;
        }
        let half = deadline.within(deadline.remaining() / 2);
        let mut names = match &self.environment.session_bus {
            Some(session) => connect::owners(session, half),
            None => HashMap::new(),
        };
        let shown = self.shown(half).ok().flatten();
        for window in shown.into_iter().flat_map(|shown| shown.windows) {
            if let Some(pid) = window.pid {
                names.entry(pid).or_default().extend(window.class);
            }
        }
        for app in apps.iter_mut().filter(|app| !app.responding) {
            let known = app.process.and_then(|process| names.get(&process.pid));
            app.aliases = known.cloned().unwrap_or_default();
            app.aliases.sort();
            app.aliases.dedup();
        }
    }
}
