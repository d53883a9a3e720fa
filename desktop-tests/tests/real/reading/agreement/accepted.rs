//! Where our tree and libatspi's differ for a known cause.

/// Up to so many elements of a role that only one of the two has, or has otherwise.
#[derive(Debug)]
pub(crate) struct Accepted {
    /// The application, by its title in the catalogue.
    pub(crate) application: &'static str,
    /// The turn after which it holds, `start` for none; empty for always.
    pub(crate) after: &'static str,
    pub(crate) role: &'static str,
    pub(crate) most: usize,
    pub(crate) cause: &'static str,
}

/// A row that accounts for nothing fails, so none outlives its cause.
pub(crate) const ACCEPTED: &[Accepted] = &[
    Accepted {
        application: "Chromium",
        after: "",
        role: "textfield",
        most: 2,
        cause: "Chromium 156 takes ENABLED and SENSITIVE from a field that is read-only",
    },
    Accepted {
        application: "Chromium",
        after: "",
        role: "button",
        most: 2,
        cause: "a button that stays down is checked to GTK 3 and pressed to Chromium 156; it is both",
    },
    Accepted {
        application: "Firefox",
        after: "",
        role: "button",
        most: 2,
        cause: "a button that stays down is checked to GTK 3 and pressed to Firefox 153; it is both",
    },
];
