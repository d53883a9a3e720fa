//! What applications do to their windows while nobody looks.

use std::fmt;

use agent_desktop_engine::platform::Process;
use agent_desktop_model::state::State;

use crate::{
    desktop::{Key, World},
    scene::{self, Closed, parse},
};

/// One change of a live desktop. Elements are named by the labels of their hidden identities,
/// applications by their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Adds what the scene shows as children number `index` and up.
    Insert {
        parent: String,
        index: usize,
        scene: String,
    },
    /// Opens the windows that the scene shows.
    Open {
        app: String,
        scene: String,
    },
    /// Starts the applications that the scene shows.
    Launch {
        scene: String,
    },
    /// Takes an element with all below it away; of a window, closes it.
    Remove {
        target: String,
    },
    /// Puts an element at another place among its siblings. It stays the same element.
    Reorder {
        target: String,
        index: usize,
    },
    /// Gives another name or title.
    Rename {
        target: String,
        name: String,
    },
    Describe {
        target: String,
        description: String,
    },
    SetValue {
        target: String,
        value: String,
    },
    SetState {
        target: String,
        state: State,
        on: bool,
    },
    /// Moves what is shown of an element, but not above the top of its page.
    Shift {
        target: String,
        x: i32,
        y: i32,
    },
    /// Opens or closes a menu.
    SetOpen {
        target: String,
        open: bool,
    },
    /// Scrolls a list: its first `by` children leave, and what the scene shows comes in at the
    /// end.
    Scroll {
        list: String,
        by: usize,
        scene: String,
    },
    /// Moves a widget to another parent, where it stands for something else: it keeps its address
    /// and all it says of itself, and is another element to a person.
    PassOn {
        target: String,
        parent: String,
    },
    /// Lets an element stand for something else: it keeps its place, its address and all it says
    /// of itself, and is another element to a person. So do the buttons of a dialog that goes on
    /// to ask something else.
    Reuse {
        target: String,
    },
    /// Throws an element with all below it away and makes equal ones: other elements, at the same
    /// addresses or at new ones. No lasting address outlives its element.
    Rebuild {
        target: String,
        same_address: bool,
    },
    /// Gives an element and all below it new addresses.
    Renew {
        target: String,
    },
    /// Ends an application and starts it again with the same windows: all elements are others.
    Restart {
        app: String,
        same_bus: bool,
    },
    /// Makes an application stop or resume answering.
    Hang {
        app: String,
        hung: bool,
    },
}

/// Why an edit made no sense on the desktop as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub String);

impl World {
    pub(crate) fn apply(&mut self, edit: &Edit) -> Result<(), Refused> {
        match edit {
            Edit::Insert { parent, index, scene } => {
                let parent = self.find(parent)?;
                self.insert(parent, *index, scene)
            }
            Edit::Open { app, scene } => {
                let app = self.find_app(app)?;
                let bad = |bad: scene::BadScene| Refused(bad.to_string());
                let lines = parse(&scene::dedent(scene)).map_err(bad)?;
                self.build(&lines, app, None, usize::MAX).map(drop).map_err(bad)
            }
            Edit::Launch { scene } => self.play(scene).map_err(|bad| Refused(bad.to_string())),
            Edit::Remove { target } => {
                let target = self.find(target)?;
                self.remove(target);
                Ok(())
            }
            Edit::Reorder { target, index } => {
                let target = self.find(target)?;
                let parent = self.element(target).parent;
                self.detach(target);
                self.attach(target, parent, *index);
                self.places_changed(parent);
                Ok(())
            }
            Edit::Rename { target, name } => {
                let target = self.find(target)?;
                self.element_mut(target).face.name.clone_from(name);
                Ok(())
            }
            Edit::Describe { target, description } => {
                let target = self.find(target)?;
                self.element_mut(target).face.description.clone_from(description);
                Ok(())
            }
            Edit::SetValue { target, value } => {
                let target = self.find(target)?;
                self.element_mut(target).face.value = Some(value.clone());
                Ok(())
            }
            Edit::SetState { target, state, on } => {
                let target = self.find(target)?;
                let states = &mut self.element_mut(target).face.states;
                if *on {
                    states.insert(*state)
                } else {
                    states.remove(*state)
                }
                Ok(())
            }
            Edit::Shift { target, x, y } => {
                let target = self.find(target)?;
                if let Some(bounds) = &mut self.element_mut(target).face.bounds {
                    (bounds.x, bounds.y) = ((bounds.x + x).min(0), (bounds.y + y).min(0));
                }
                Ok(())
            }
            Edit::SetOpen { target, open } => {
                let target = self.find(target)?;
                self.element_mut(target).face.closed =
                    if *open { Closed::No } else { Closed::ItemsRead };
                Ok(())
            }
            Edit::Scroll { list, by, scene } => {
                let list = self.find(list)?;
                let leaving: Vec<Key> =
                    self.element(list).children.iter().take(*by).copied().collect();
                for row in leaving {
                    self.remove(row);
                }
                self.insert(list, usize::MAX, scene)
            }
            Edit::PassOn { target, parent } => {
                let (target, parent) = (self.find(target)?, self.find(parent)?);
                if self.subtree(target).any(|key| key == parent) {
                    return Err(Refused("an element cannot move into itself".into()));
                }
                if self.element(target).parent == Some(parent) {
                    return Err(Refused("the element stands there already".into()));
                }
                if self.place_owner(target).is_some() || self.place_owner(parent).is_some() {
                    return Err(Refused("a place's address does not move".into()));
                }
                let other = self.replace_by_copy(target, true);
                self.detach(other);
                self.attach(other, Some(parent), usize::MAX);
                Ok(())
            }
            Edit::Reuse { target } => {
                let target = self.find(target)?;
                self.reuse(target);
                Ok(())
            }
            Edit::Rebuild { target, same_address } => {
                let target = self.find(target)?;
                if *same_address && self.subtree(target).any(|key| self.element(key).face.lasting) {
                    return Err(Refused("a lasting address is never another element's".into()));
                }
                self.replace_by_copy(target, *same_address);
                Ok(())
            }
            Edit::Renew { target } => {
                let target = self.find(target)?;
                let keys: Vec<Key> = self.subtree(target).collect();
                let fixed =
                    |key: &Key| self.element(*key).face.lasting || self.place_owner(*key).is_some();
                if keys.iter().any(fixed) {
                    return Err(Refused("an address here is lasting or a place's".into()));
                }
                for key in keys {
                    self.readdress(key);
                    self.hand_out_places(key);
                }
                Ok(())
            }
            Edit::Restart { app, same_bus } => self.restart(app, *same_bus),
            Edit::Hang { app, hung } => {
                let app = self.find_app(app)?;
                self.apps[app].hung = *hung;
                Ok(())
            }
        }
    }

    fn insert(&mut self, parent: Key, index: usize, scene: &str) -> Result<(), Refused> {
        let lines = parse(&scene::dedent(scene)).map_err(|bad| Refused(bad.to_string()))?;
        let app = self.element(parent).app;
        self.build(&lines, app, Some(parent), index)
            .map(|_| ())
            .map_err(|bad| Refused(bad.to_string()))
    }

    /// Puts an equal element in the place of `target`. A lasting address dies with its element.
    fn replace_by_copy(&mut self, target: Key, same_address: bool) -> Key {
        let parent = self.element(target).parent;
        let app = self.element(target).app;
        let siblings = match parent {
            Some(parent) => &self.element(parent).children,
            None => &self.apps[app].windows,
        };
        let index = siblings.iter().position(|key| *key == target).unwrap_or(0);
        let copy = self.copy(target);
        self.remove(target);
        self.attach(copy, parent, index);
        let keys: Vec<Key> = self.subtree(copy).collect();
        for key in keys {
            if same_address {
                let object = self.element(key).object.clone();
                self.take_back(app, &object);
                self.set_object(key, object);
            } else {
                self.readdress(key);
            }
            self.hand_out_places(key);
        }
        self.places_changed(parent);
        copy
    }

    fn places_changed(&mut self, container: Option<Key>) {
        if let Some(container) = container {
            self.hand_out_places(container);
        }
    }

    fn restart(&mut self, name: &str, same_bus: bool) -> Result<(), Refused> {
        let app = self.find_app(name)?;
        let old: Vec<Key> = self.apps[app].windows.clone();
        let copies: Vec<Key> = old.iter().map(|window| self.copy(*window)).collect();
        for window in old {
            self.remove(window);
        }
        let others = self.apps.len();
        let running = &mut self.apps[app];
        if !same_bus {
            running.id = format!("{}9{others}", running.id).into();
        }
        running.process = running
            .process
            .map(|process| Process { pid: process.pid + 100, started: process.started + 1 });
        for copy in copies {
            self.attach(copy, None, usize::MAX);
            let keys: Vec<Key> = self.subtree(copy).collect();
            for key in keys {
                let object = self.element(key).object.clone();
                self.take_back(app, &object);
                self.set_object(key, object);
            }
        }
        Ok(())
    }

    fn find(&self, label: &str) -> Result<Key, Refused> {
        let label = label.strip_prefix('#').unwrap_or(label);
        self.key_of(label).ok_or_else(|| Refused(format!("there is no `#{label}`")))
    }

    fn find_app(&self, name: &str) -> Result<usize, Refused> {
        self.apps
            .iter()
            .position(|app| app.name == name)
            .ok_or_else(|| Refused(format!("there is no application `{name}`")))
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}
