//! The applications of a soak: two that are left alone but for being stopped, the others killed and
//! started again.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use desktop_tests::{
    App, Desktop,
    applications::{Application, gtk3, gtk4, qt, web},
};

use super::commands::Chance;
use super::locked;

/// One place in the crowd.
struct Place {
    /// As `--app` takes it.
    name: &'static str,
    opens: Opens,
    /// Whether it stays, so that its memory can be compared.
    stays: bool,
    app: Mutex<Option<App>>,
}

enum Opens {
    Catalogued(&'static Application),
    Peer,
}

pub(super) struct Crowd {
    places: Vec<Place>,
    chance: Mutex<Chance>,
    events: Mutex<BTreeMap<String, u64>>,
}

/// Ways in which the peer misbehaves.
const SWITCHES: [&[&str]; 5] = [
    &["--shape", "plain"],
    &["--shape", "plain", "--delay-ms", "40"],
    &["--shape", "plain", "--hang-at", "60"],
    &["--shape", "plain", "--vanish-at", "80"],
    &["--shape", "plain", "--pressed", "rename"],
];

impl Crowd {
    /// Opens every one of them.
    pub(super) fn gather(desktop: &Desktop, seed: u64) -> Self {
        use Opens::{Catalogued, Peer};
        let place = |name, opens, stays| Place { name, opens, stays, app: Mutex::new(None) };
        let crowd = Self {
            places: vec![
                place("zenity", Catalogued(&gtk3::ZENITY_FORMS), true),
                place("kcalc", Catalogued(&qt::KCALC), true),
                place("mousepad", Catalogued(&gtk3::MOUSEPAD), false),
                place("gnome-calculator", Catalogued(&gtk4::CALCULATOR), false),
                place("Chromium", Catalogued(&web::CHROMIUM), false),
                place("misbehaving-peer", Peer, false),
            ],
            chance: Mutex::new(Chance::new(seed)),
            events: Mutex::default(),
        };
        for place in &crowd.places {
            crowd.open(desktop, place);
        }
        crowd
    }

    pub(super) fn names(&self) -> &[&str] {
        const NAMES: [&str; 6] =
            ["zenity", "kcalc", "mousepad", "gnome-calculator", "Chromium", "misbehaving-peer"];
        &NAMES
    }

    /// The processes of those that stay, by name.
    pub(super) fn steady(&self) -> Vec<(&'static str, u32)> {
        let pid = |place: &Place| locked(&place.app).as_ref().map(|app| app.pid);
        let stay = self.places.iter().filter(|place| place.stays);
        stay.filter_map(|place| Some((place.name, pid(place)?))).collect()
    }

    /// How often each thing was done to them.
    pub(super) fn events(&self) -> BTreeMap<String, u64> {
        locked(&self.events).clone()
    }

    /// Stops, kills and starts them again until it is `over`. Without `goes_on`, each once.
    pub(super) fn trouble(&self, desktop: &Desktop, goes_on: bool, over: &AtomicBool) {
        let mut rounds = 0;
        while !over.load(Ordering::Relaxed) && (goes_on || rounds < self.places.len()) {
            let at = match goes_on {
                true => self.below(self.places.len()),
                false => rounds,
            };
            rounds += 1;
            self.harm(desktop, &self.places[at]);
            pause(Duration::from_millis(500 + 500 * self.below(6) as u64), over);
        }
    }

    fn harm(&self, desktop: &Desktop, place: &Place) {
        if place.stays || self.below(3) == 0 {
            let held = locked(&place.app);
            // The harness panics if it cannot be stopped, as what has ended on its own cannot.
            let stop = || held.as_ref().map(|app| app.process.stop());
            if let Ok(Some(stopped)) = catch_unwind(AssertUnwindSafe(stop)) {
                thread::sleep(Duration::from_millis(300 * (1 + self.below(6) as u64)));
                drop(stopped);
                self.note(format!("{} stopped and continued", place.name));
                return;
            }
        }
        // Dropping it kills it.
        drop(locked(&place.app).take());
        self.note(format!("{} killed, or gone", place.name));
        self.open(desktop, place);
    }

    fn open(&self, desktop: &Desktop, place: &Place) {
        // The harness panics if an application does not come up; that is a loss, but no defect.
        let switches = SWITCHES[self.below(SWITCHES.len())];
        let opened = catch_unwind(AssertUnwindSafe(|| match place.opens {
            Opens::Catalogued(application) => desktop.open(application),
            Opens::Peer => desktop.peer(switches),
        }));
        self.note(format!(
            "{} {}",
            place.name,
            if opened.is_ok() { "opened" } else { "not opened" }
        ));
        *locked(&place.app) = opened.ok();
    }

    fn note(&self, event: String) {
        *locked(&self.events).entry(event).or_default() += 1;
    }

    fn below(&self, limit: usize) -> usize {
        locked(&self.chance).below(limit)
    }
}

fn pause(length: Duration, over: &AtomicBool) {
    let step = Duration::from_millis(50);
    let mut left = length;
    while !over.load(Ordering::Relaxed) && !left.is_zero() {
        thread::sleep(step.min(left));
        left = left.saturating_sub(step);
    }
}
