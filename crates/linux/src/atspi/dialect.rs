//! What toolkits do differently: the one table. An application says itself which toolkit it is
//! made with, and the first line that fits decides. LibreOffice alone is known by its name: behind
//! its GTK 3 face it says that it is made with that.

use agent_desktop_model::role::Role;

/// How an application is to be read.
#[derive(Debug)]
pub(crate) struct Dialect {
    /// The toolkit's own name, as in `Application.ToolkitName`.
    toolkit: &'static str,
    /// The line holds for versions that begin with this and a dot; empty: for all.
    version: &'static str,
    /// Where this was seen.
    #[cfg_attr(not(test), expect(dead_code, reason = "for readers of the table"))]
    evidence: &'static str,
    pub(crate) bulk: Bulk,
    /// Whether what is shown carries SHOWING.
    pub(crate) sets_showing: bool,
    /// Whether `GetExtents(screen)` answers with coordinates of the window.
    pub(crate) window_extents: bool,
    /// Whether `GetText(0, -1)` gives nothing, so that the count has to be asked for.
    pub(crate) text_needs_count: bool,
    /// Whether names are doubled, or class names in disguise.
    pub(crate) odd_names: bool,
    /// Whether elements offer the actions of the groups around them.
    pub(crate) action_groups: bool,
    /// Whether GrabFocus works.
    pub(crate) grabs_focus: bool,
    /// Whether a combo box is always named after its choice.
    pub(crate) combos_show_choice: bool,
    /// Whether a scale's description is its value.
    pub(crate) scales_describe_value: bool,
    pub(crate) native: Native,
    pub(crate) lasting: Lasting,
    /// Whether children of tables may not even be listed.
    pub(crate) endless_tables: bool,
}

/// Whether a whole application can be read with one `Cache.GetItems`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bulk {
    /// There is none, or it must not be used.
    None,
    /// Yes, once a client has made itself known by asking for the application's own bus.
    Waked,
    /// It holds what somebody has asked for before; listing children fills it.
    Lazy,
}

/// Where an application's author writes identifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Native {
    None,
    /// The property `AccessibleId`.
    AccessibleId,
    /// The object attribute `id`.
    DomId,
}

/// Whose object paths stay with their element and are never given to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lasting {
    Never,
    Always,
    /// Of everything but what stands in a row that may be recycled.
    OutsideRows,
}

/// The line for a toolkit of this name and version.
pub(crate) fn of(toolkit: &str, version: &str) -> &'static Dialect {
    TABLE
        .iter()
        .find(|line| {
            (line.toolkit.is_empty() || line.toolkit == toolkit)
                && version.strip_prefix(line.version).is_some_and(|rest| {
                    line.version.is_empty() || rest.is_empty() || rest.starts_with('.')
                })
        })
        .unwrap_or(&WALKED)
}

impl Dialect {
    /// The same, but read node by node: for a region so small that a cache holds far more.
    pub(crate) fn walked(&self) -> Self {
        Self { bulk: Bulk::None, ..*self }
    }

    /// Whether the address of an element stays with it, given the roles of the ancestors.
    pub(crate) fn lasting(&self, ancestors_recycle: bool) -> bool {
        match self.lasting {
            Lasting::Never => false,
            Lasting::Always => true,
            Lasting::OutsideRows => !ancestors_recycle,
        }
    }
}

/// Whether what stands in an element of this role may be given other content while it keeps its
/// address.
pub(crate) fn recycles(role: Role) -> bool {
    matches!(
        role,
        Role::List
            | Role::ListBox
            | Role::Grid
            | Role::Table
            | Role::Outline
            | Role::Row
            | Role::Cell
            | Role::TreeItem
            | Role::Option
            | Role::LayoutItem
    )
}

const WALKED: Dialect = Dialect {
    toolkit: "",
    version: "",
    evidence: "nothing is known, so nothing is assumed: read node by node",
    bulk: Bulk::None,
    sets_showing: true,
    window_extents: false,
    text_needs_count: false,
    odd_names: false,
    action_groups: false,
    grabs_focus: true,
    combos_show_choice: false,
    scales_describe_value: false,
    native: Native::AccessibleId,
    lasting: Lasting::Never,
    endless_tables: false,
};

const TABLE: &[Dialect] = &[
    Dialect {
        toolkit: "gtk",
        version: "3",
        evidence: "GTK 3.24.38 with at-spi2 2.46, Debian 12: gtk3-widget-factory. Paths count up \
                   and are not reused; tree cells kept theirs through insert, sort and remove.",
        bulk: Bulk::Waked,
        scales_describe_value: true,
        native: Native::None,
        lasting: Lasting::Always,
        ..WALKED
    },
    Dialect {
        toolkit: "GTK",
        version: "4.8",
        evidence: "GTK 4.8.3, Debian 12: gnome-calculator, gtk4-widget-factory. AccessibleId is \
                   empty on every node. A path carries a uuid that is made with the widget; the \
                   widgets in list rows are given other content.",
        bulk: Bulk::Lazy,
        sets_showing: false,
        window_extents: true,
        text_needs_count: true,
        odd_names: true,
        action_groups: true,
        grabs_focus: false,
        native: Native::None,
        lasting: Lasting::OutsideRows,
        ..WALKED
    },
    Dialect {
        toolkit: "GTK",
        version: "4",
        evidence: "other versions of GTK 4: taken to be like 4.8, but for AccessibleId, which \
                   later versions fill, and for addresses, which nobody measured",
        bulk: Bulk::Lazy,
        sets_showing: false,
        window_extents: true,
        text_needs_count: true,
        odd_names: true,
        action_groups: true,
        native: Native::AccessibleId,
        lasting: Lasting::Never,
        ..WALKED
    },
    Dialect {
        toolkit: "Qt",
        version: "5",
        evidence: "Qt 5.15.8, Debian 12: GetItems gives an empty array; a tab's path speaks for \
                   its neighbour after a tab closes; there is no AccessibleId (featherpad).",
        combos_show_choice: true,
        native: Native::None,
        ..WALKED
    },
    Dialect {
        toolkit: "Qt",
        version: "",
        evidence: "Qt 6.4.2, Debian 12: GetItems gives an empty array (qt6ct).",
        combos_show_choice: true,
        ..WALKED
    },
    Dialect {
        toolkit: "VCL",
        version: "",
        evidence: "LibreOffice 7.4.7, Debian 12: GetItems crashed it once in about 15 calls; \
                   GetChildren of a sheet hangs it.",
        native: Native::None,
        endless_tables: true,
        ..WALKED
    },
    Dialect {
        toolkit: "Chromium",
        version: "",
        evidence: "Chromium 156, Debian 12: the page's id attribute is the object attribute `id`; \
                   a path stays with a position in the page, not with an element.",
        bulk: Bulk::Waked,
        native: Native::DomId,
        ..WALKED
    },
    Dialect {
        toolkit: "Gecko",
        version: "",
        evidence: "Firefox 153, Debian 12: as Chromium.",
        bulk: Bulk::Waked,
        native: Native::DomId,
        ..WALKED
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_application_finds_its_line() {
        assert_eq!(of("gtk", "3.24.38").bulk, Bulk::Waked);
        assert_eq!(of("GTK", "4.8.3").native, Native::None);
        assert_eq!(of("GTK", "4.18.1").native, Native::AccessibleId);
        assert_eq!(of("GTK", "4.80").lasting, Lasting::Never);
        assert_eq!(of("Qt", "5.15.8").bulk, Bulk::None);
        assert_eq!(of("", "").lasting, Lasting::Never);
        assert_eq!(of("Swing", "9").bulk, Bulk::None);
    }

    #[test]
    fn every_line_says_where_it_was_seen() {
        assert!(TABLE.iter().all(|line| !line.evidence.is_empty() && !line.toolkit.is_empty()));
    }

    #[test]
    fn a_widget_in_a_row_of_gtk_4_has_no_lasting_address() {
        let gtk4 = of("GTK", "4.8.3");
        assert!(gtk4.lasting(false) && !gtk4.lasting(true));
        assert!(!of("Qt", "6.4.2").lasting(false));
    }
}
