//! What toolkits want to be told so that their windows can be read: the one list of it, for private
//! desktops as for single programs.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use super::locate;
use crate::environment::Environment;

/// Variables that make toolkits publish what they show.
pub(crate) const VARIABLES: &[(&str, &str)] = &[
    // GTK 4 may choose no accessibility at all where there is no full session.
    ("GTK_A11Y", "atspi"),
    ("QT_ACCESSIBILITY", "1"),
    ("QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1"),
    // Chromium and Firefox, respectively.
    ("ACCESSIBILITY_ENABLED", "1"),
    ("GNOME_ACCESSIBILITY", "1"),
];

/// Variables that hide programs from the accessibility bus.
pub(crate) const HIDING: &[&str] = &["NO_AT_BRIDGE"];

/// What Chromium and what is made with it need, as an argument.
pub(crate) const CHROMIUM_FLAG: &str = "--force-renderer-accessibility";

/// What [`renderer`] says of Chromium and of what is made with it.
const CHROMIUM: &str = "chromium";

/// A file that lies beside every program that is made with Chromium.
pub(crate) const CHROMIUM_RESOURCES: &str = "chrome_100_percent.pak";

/// A start script is a few kilobytes long.
const SCRIPT: u64 = 64 << 10;

/// The engine by which the program at `path` draws, if it is Chromium: its resources lie beside it,
/// or in a place that a start script names.
pub(super) fn renderer(path: &Path, environment: &Environment) -> Option<&'static str> {
    let whole = path.canonicalize().ok()?;
    let is_beside = |path: &Path| path.join(CHROMIUM_RESOURCES).exists();
    // Start scripts of Electron applications stand in a `bin` beside them.
    let near = whole.ancestors().skip(1).take(2).any(is_beside);
    let by_script = || places_in_script(&whole).iter().any(|place| is_beside(place));
    let through = || locate::find(&run_by_script(&whole)?, environment)?.canonicalize().ok();
    (near || by_script() || through().is_some_and(|path| path.parent().is_some_and(is_beside)))
        .then_some(CHROMIUM)
}

fn script(path: &Path) -> Option<String> {
    let mut text = Vec::new();
    File::open(path).ok()?.take(SCRIPT).read_to_end(&mut text).ok()?;
    text.starts_with(b"#!").then(|| String::from_utf8_lossy(&text).into_owned())
}

/// The directories that a script names, and those of the files that it names.
fn places_in_script(path: &Path) -> Vec<PathBuf> {
    let mut text = script(path).unwrap_or_default();
    // Debian 12's script of Chromium says /usr/lib/$APPNAME, and that before.
    for (name, value) in assignments(&text) {
        text = text.replace(&format!("${name}"), &value).replace(&format!("${{{name}}}"), &value);
    }
    let is_part = |character: char| character.is_alphanumeric() || "/._+-".contains(character);
    let paths = text.split(|character| !is_part(character)).filter(|word| word.len() > 1);
    let paths = paths.filter(|word| word.starts_with('/')).map(PathBuf::from);
    paths.flat_map(|path| [path.parent().map(Path::to_owned), Some(path)]).flatten().collect()
}

/// The variables that a script sets to a plain text, the longest name first.
fn assignments(script: &str) -> Vec<(String, String)> {
    const MOST: usize = 32;
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
    };
    let is_plain = |value: &str| !value.is_empty() && !value.contains(['$', '`', ' ']);
    let lines = script.lines().filter_map(|line| line.trim().split_once('='));
    let pairs = lines.map(|(name, value)| (name, value.trim_matches(['"', '\''])));
    let mut found: Vec<(String, String)> = pairs
        .filter(|(name, value)| is_name(name) && is_plain(value))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .take(MOST)
        .collect();
    found.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    found
}

/// The program that a script of one command hands over to.
fn run_by_script(path: &Path) -> Option<String> {
    let text = script(path)?;
    let line = text.lines().find_map(|line| line.trim().strip_prefix("exec "))?;
    let word = line.split_whitespace().next()?.trim_matches(['"', '\'']);
    (!word.contains('$')).then(|| word.to_owned())
}

/// Arguments that the program of this renderer needs besides `given`.
pub(super) fn arguments(renderer: Option<&str>, given: &[String]) -> Vec<String> {
    let has_it = given.iter().any(|argument| argument.starts_with(CHROMIUM_FLAG));
    let wanted = renderer == Some(CHROMIUM) && !has_it;
    wanted.then(|| CHROMIUM_FLAG.to_owned()).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use super::*;

    #[test]
    fn chromium_is_known_through_links_and_scripts() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        let write = |name: &str, text: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            path
        };
        let binary = write("lib/browser/browser", "\x7fELF");
        write("lib/browser/chrome_100_percent.pak", "");
        let inner = write("lib/browser/bin/code", "#!/bin/sh\nexec \"$0\" \"$@\"\n");
        let lib = root.join("lib").display().to_string();
        let script = write(
            "bin/browser",
            &format!("#!/bin/sh\nAPP=browser\nDIR={lib}/$APP\nexec $DIR/$APP \"$@\"\n"),
        );
        let whole = write("bin/whole", &format!("#!/bin/sh\nexec {lib}/browser/browser\n"));
        let other = write("bin/other", "#!/bin/sh\nexec xterm\n");
        let link = root.join("bin/link");
        std::os::unix::fs::symlink(&binary, &link).unwrap();
        let environment = Environment::default();
        for path in [&binary, &inner, &script, &whole, &link] {
            assert_eq!(renderer(path, &environment), Some(CHROMIUM), "{}", path.display());
        }
        for path in [&other, &root.join("none")] {
            assert_eq!(renderer(path, &environment), None, "{}", path.display());
        }
        let given =
            |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        assert_eq!(arguments(Some(CHROMIUM), &given(&["x"])), [CHROMIUM_FLAG]);
        assert!(
            arguments(Some(CHROMIUM), &given(&["--force-renderer-accessibility=form"])).is_empty()
        );
        assert!(arguments(None, &[]).is_empty());
    }
}
