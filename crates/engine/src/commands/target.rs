//! Which window a command is about. Absence and ambiguity are typed errors with candidates.

use std::time::Duration;

use agent_desktop_model::{
    error::{Code, Details, Error, WindowCandidate},
    text::fold,
};

use crate::platform::{App, Deadline, Failure, Platform, Window};

/// How long finding the window may take. It does not count against the time for the tree.
pub(crate) const FINDING: Duration = Duration::from_secs(1);

/// How many candidates an error names.
const CANDIDATES: usize = 5;

/// The window that `window_id`, else `app`, names; the focused one if neither is given.
pub(crate) fn window(
    platform: &dyn Platform,
    app: Option<&str>,
    window_id: Option<&str>,
    deadline: Deadline,
) -> Result<Window, Error> {
    match (window_id, app) {
        (Some(id), _) => by_id(platform, id, deadline),
        (None, Some(name)) => by_app(platform, name, deadline),
        (None, None) => focused(platform, deadline),
    }
}

/// The applications called `name`: equal but for case. None of them answering is
/// APP_UNRESPONSIVE, none at all APP_NOT_FOUND with names that are near.
pub(crate) fn apps(
    platform: &dyn Platform,
    name: &str,
    deadline: Deadline,
) -> Result<Vec<App>, Error> {
    let all = platform.apps(deadline).map_err(|failure| failure.about("the desktop", deadline))?;
    let wanted = fold(name);
    let named: Vec<App> = all.iter().filter(|app| fold(&app.name) == wanted).cloned().collect();
    if named.is_empty() {
        return Err(unknown_app(name, &all));
    }
    let responding: Vec<App> = named.iter().filter(|app| app.responding).cloned().collect();
    match responding.is_empty() {
        true => Err(Failure::Unresponsive { app: name.to_owned() }.about(name, deadline)),
        false => Ok(responding),
    }
}

fn by_id(platform: &dyn Platform, id: &str, deadline: Deadline) -> Result<Window, Error> {
    platform.window(id, deadline).map_err(|failure| match failure {
        Failure::Gone => Error::new(Code::WindowNotFound, format!("there is no window {id}"))
            .suggest("Take an id from `list-windows`; ids end with their window."),
        other => other.about(&format!("window {id}"), deadline),
    })
}

fn by_app(platform: &dyn Platform, name: &str, deadline: Deadline) -> Result<Window, Error> {
    let apps = apps(platform, name, deadline)?;
    let (windows, silent) =
        platform.windows(&apps, deadline).map_err(|failure| failure.about(name, deadline))?;
    let Some(first) = windows.first() else {
        return Err(match silent.is_empty() {
            true => Error::new(Code::AppNotFound, format!("{name} runs but has no window"))
                .suggest(
                    "Wait for its window, or open one, then repeat; `list-windows` shows them.",
                ),
            false => Failure::Unresponsive { app: name.to_owned() }.about(name, deadline),
        });
    };
    // Each sieve is tried on what the ones before it left, and only if it leaves something.
    let sieves: [fn(&Window) -> bool; 3] =
        [|window| window.visible, |window| window.focused, |window| window.address.is_some()];
    let mut left: Vec<&Window> = windows.iter().collect();
    for sieve in sieves {
        if left.len() == 1 {
            break;
        }
        let passed: Vec<&Window> = left.iter().copied().filter(|window| sieve(window)).collect();
        if !passed.is_empty() {
            left = passed;
        }
    }
    match left[..] {
        [only] => Ok(only.clone()),
        _ => Err(ambiguous(name, &left, first)),
    }
}

fn focused(platform: &dyn Platform, deadline: Deadline) -> Result<Window, Error> {
    let focused = platform
        .focused_window(deadline)
        .map_err(|failure| failure.about("the focused window", deadline))?;
    focused.ok_or_else(|| {
        Error::new(Code::WindowNotFound, "no window has the focus")
            .suggest("Name the application with --app; `list-apps` shows what runs.")
    })
}

fn unknown_app(name: &str, all: &[App]) -> Error {
    let near = near(name, all.iter().map(|app| app.name.as_str()));
    let suggestion = match near.first() {
        Some(best) => format!("Did you mean --app {best:?}? `list-apps` shows what runs."),
        None => "`list-apps` shows what runs; an application that is missing there may have been \
                 started without accessibility."
            .to_owned(),
    };
    Error::new(Code::AppNotFound, format!("no application is called {name:?}"))
        .suggest(suggestion)
        .details(Details::AppCandidates { apps: near })
}

fn ambiguous(name: &str, windows: &[&Window], first: &Window) -> Error {
    let candidates = windows.iter().take(CANDIDATES).map(|window| WindowCandidate {
        app_name: window.app.name.clone(),
        id: window.id.clone(),
        title: window.title.clone(),
    });
    Error::new(
        Code::AmbiguousTarget,
        format!("{name:?} has {} windows and none of them stands out", windows.len()),
    )
    .suggest(format!("Name one of them, for example --window-id {}.", first.id))
    .details(Details::WindowCandidates { windows: candidates.collect() })
}

/// The names that a person may have meant by `wanted`, best first.
fn near<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let wanted = fold(wanted);
    let mut near: Vec<(usize, String)> = names
        .filter_map(|name| {
            let folded = fold(name);
            let contained = !wanted.is_empty()
                && !folded.is_empty()
                && (folded.contains(&wanted) || wanted.contains(&folded));
            let distance = distance(&wanted, &folded);
            let limit = wanted.chars().count().max(folded.chars().count()) / 2;
            (contained || distance <= limit).then(|| (distance, name.to_owned()))
        })
        .collect();
    near.sort();
    near.dedup();
    near.into_iter().map(|(_, name)| name).take(CANDIDATES).collect()
}

/// Levenshtein's distance, over the first 64 characters.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.chars().take(64).enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, right) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(left != *right);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names() {
        let names = ["gnome-calculator", "gtk3-widget-factory", "Files"];
        assert_eq!(near("calculator", names.into_iter()), ["gnome-calculator"]);
        assert_eq!(near("gtk4-widget-factory", names.into_iter()), ["gtk3-widget-factory"]);
        assert_eq!(near("zzz", names.into_iter()), Vec::<String>::new());
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
