//! The applications that are installed: every desktop entry of the XDG data directories under its
//! id, where the first directory that has an id decides.

use std::{
    collections::{BTreeMap, HashSet},
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use super::entry::{self, Entry};
use crate::environment::Environment;

/// Installed applications by their ids, which end in `.desktop`.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    pub(super) entries: BTreeMap<String, Found>,
}

/// An entry and the file that it stands in.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) path: PathBuf,
    /// None for a file that is no entry of an application: it hides those of its id all the same.
    pub(super) entry: Option<Entry>,
}

/// Systems have some hundreds of entries; a tree without an end must not be one for us.
const MOST_FILES: usize = 20_000;

impl Catalogue {
    pub(super) fn read(environment: &Environment) -> Self {
        let languages = languages(environment);
        let mut catalogue = Self::default();
        let mut left = MOST_FILES;
        for directory in data_directories(environment) {
            catalogue.add(&directory.join("applications"), &languages, &mut left);
        }
        catalogue
    }

    /// Adds what `root` and the directories in it hold. The id of an entry is its path from there
    /// on, with `-` for `/`.
    fn add(&mut self, root: &Path, languages: &[String], left: &mut usize) {
        let mut open = vec![(root.to_owned(), String::new())];
        // Links may lead back to where they stand.
        let mut seen = HashSet::new();
        while let Some((directory, prefix)) = open.pop() {
            let Ok(metadata) = fs::metadata(&directory) else { continue };
            if !seen.insert((metadata.dev(), metadata.ino())) {
                continue;
            }
            for item in fs::read_dir(&directory).into_iter().flatten().flatten() {
                let Some(rest) = left.checked_sub(1) else { return };
                *left = rest;
                let Ok(name) = item.file_name().into_string() else { continue };
                let path = item.path();
                if name.ends_with(".desktop") {
                    let entry = || Entry::read(&path, languages);
                    self.entries
                        .entry(format!("{prefix}{name}"))
                        .or_insert_with(|| Found { entry: entry(), path: path.clone() });
                } else if path.is_dir() {
                    open.push((path, format!("{prefix}{name}-")));
                }
            }
        }
    }

    /// What has the id `id`, with or without its ending.
    pub(super) fn by_id(&self, id: &str) -> Option<(&str, &Found)> {
        let whole = format!("{id}.desktop");
        let found = self.entries.get_key_value(id).or_else(|| self.entries.get_key_value(&whole));
        found.map(|(id, found)| (id.as_str(), found))
    }

    /// What a person may choose, with the ids.
    pub(super) fn shown(&self) -> impl Iterator<Item = (&str, &Found, &Entry)> {
        self.entries.iter().filter_map(|(id, found)| {
            let entry = found.entry.as_ref().filter(|entry| !entry.hidden && !entry.no_display)?;
            Some((id.as_str(), found, entry))
        })
    }
}

/// The user's languages, as far as names are concerned.
pub(super) fn languages(environment: &Environment) -> Vec<String> {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"];
    let locale = locale.into_iter().find_map(|name| environment.text(name));
    entry::languages(&locale.unwrap_or_default())
}

/// The XDG data directories, the most important one first. Relative paths do not count.
fn data_directories(environment: &Environment) -> Vec<PathBuf> {
    let own =
        environment.text("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || Some(PathBuf::from(environment.text("HOME")?).join(".local/share"));
    let shared = environment.text("XDG_DATA_DIRS");
    let shared = shared.unwrap_or_else(|| "/usr/local/share:/usr/share".to_owned());
    let shared = shared.split(':').map(PathBuf::from);
    own.or_else(home).into_iter().chain(shared).filter(|path| path.is_absolute()).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn write(path: &Path, name: &str, more: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let text = format!("[Desktop Entry]\nType=Application\nName={name}\nExec=demo\n{more}");
        fs::write(path, text).unwrap();
    }

    fn environment(home: &Path, shared: &Path) -> Environment {
        let mut environment = Environment::default();
        let text = |path: &Path| path.to_str().unwrap().to_owned();
        environment.programs.set.insert("XDG_DATA_HOME".into(), text(home));
        environment.programs.set.insert("XDG_DATA_DIRS".into(), format!("{}:rel", text(shared)));
        environment.programs.set.insert("LANG".into(), "C".into());
        environment
    }

    #[test]
    fn the_first_directory_that_has_an_id_decides() {
        let place = tempfile::tempdir().unwrap();
        let (home, shared) = (place.path().join("home"), place.path().join("shared"));
        write(&shared.join("applications/one.desktop"), "Shared one", "");
        write(&shared.join("applications/two.desktop"), "Shared two", "");
        write(&shared.join("applications/kde/three.desktop"), "Three", "NoDisplay=true\n");
        write(&shared.join("applications/four.desktop"), "Four", "");
        write(&home.join("applications/one.desktop"), "Own one", "");
        // As users delete what the system has.
        write(&home.join("applications/two.desktop"), "Two", "Hidden=true\n");
        fs::write(home.join("applications/four.desktop"), "").unwrap();
        let catalogue = Catalogue::read(&environment(&home, &shared));
        let name =
            |id| catalogue.by_id(id).and_then(|(_, found)| Some(&found.entry.as_ref()?.name));
        assert_eq!(name("one").unwrap(), "Own one");
        assert_eq!(name("one.desktop").unwrap(), "Own one");
        assert_eq!(name("kde-three").unwrap(), "Three");
        assert_eq!(name("three"), None);
        assert!(catalogue.by_id("four").is_some_and(|(_, found)| found.entry.is_none()));
        let shown: Vec<&str> = catalogue.shown().map(|(id, ..)| id).collect();
        assert_eq!(shown, ["one.desktop"]);
    }

    #[test]
    fn links_in_a_circle_end() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("applications");
        write(&root.join("a/one.desktop"), "One", "");
        symlink(&root, root.join("a/up")).unwrap();
        symlink("self", root.join("self")).unwrap();
        symlink("loop.desktop", root.join("loop.desktop")).unwrap();
        symlink("a", root.join("b")).unwrap();
        let catalogue = Catalogue::read(&environment(place.path(), Path::new("/nonexistent")));
        let readable: Vec<&str> = catalogue.shown().map(|(id, ..)| id).collect();
        assert_eq!(readable.len(), 1, "{readable:?}");
        assert!(catalogue.by_id("loop").is_some_and(|(_, found)| found.entry.is_none()));
    }
}
