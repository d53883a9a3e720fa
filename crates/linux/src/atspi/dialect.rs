//! What toolkits do differently: the one table. An application says itself which toolkit it is
//! made with, and the first line that fits decides; only LibreOffice needs more, see [`decide`].

use agent_desktop_model::role::Role;

/// How an application is to be read.
#[derive(Clone, Copy, Debug)]
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
    /// Whether what is behind another page says that it shows.
    pub(crate) pages_show_behind: bool,
    pub(crate) coordinates: Coordinates,
    pub(crate) popovers: Popovers,
    /// Whether an open menu, and an open popover, holds the keyboard of the X server: asked for by
    /// `desktop-tests/programs/keyboard.py` while one was open.
    pub(crate) grabs_input: (bool, bool),
    /// Whether elements that the toolkit draws itself leave out what stands above their pane.
    pub(crate) panes_misplaced: bool,
    /// Whether such a pane lists a menu bar of its own, which never shows, beside the one that does.
    pub(crate) panes_have_menu_bars: bool,
    /// Whether elements of pages tell pixels, whatever the scale of what is around them.
    pub(crate) pages_in_pixels: bool,
    /// Whether `GetText(0, -1)` gives nothing, so that the count has to be asked for.
    pub(crate) text_needs_count: bool,
    /// Whether names are doubled, or class names in disguise.
    pub(crate) odd_names: bool,
    /// Whether a field without a name may have a label all the same.
    pub(crate) asks_labels: bool,
    /// Whether elements offer the actions of the groups around them.
    pub(crate) action_groups: bool,
    /// Whether every element offers a first action, with an idle name where there is nothing to
    /// do, and a context menu.
    pub(crate) idle_actions: bool,
    /// Whether every piece of text is an element of its own, beside those that contain it.
    pub(crate) texts_are_elements: bool,
    /// Whether what can only be looked at is not called sensitive either.
    pub(crate) readonly_is_insensitive: bool,
    /// Whether popups that are drawn within a window are listed as windows, open or not.
    pub(crate) inner_windows: bool,
    /// Whether a window holds what is asked for one of its pages, which is operated behind it all
    /// the same.
    pub(crate) asks_beside_pages: bool,
    /// Whether a page is an empty document that cannot be focused until it has loaded.
    pub(crate) pages_come_whole: bool,
    /// Whether a window is empty until somebody asks for attributes.
    pub(crate) sleeps: bool,
    /// Whether a page answers only what somebody has asked for before.
    pub(crate) pages_answer_late: bool,
    /// Whether text that is written by EditableText arrives.
    pub(crate) writes_text: bool,
    /// Whether ScrollTo brings an element into view.
    pub(crate) scrolls_to: bool,
    /// Whether GrabFocus works.
    pub(crate) grabs_focus: bool,
    /// Whether a combo box is always named after its choice.
    pub(crate) combos_show_choice: bool,
    pub(crate) combos: Combos,
    pub(crate) lists: Lists,
    /// Whether a menu is open that shows what is in it, whatever its states say.
    pub(crate) shows_open_menus: bool,
    /// Whether a menu that opens by a click is selected as long as it is open.
    pub(crate) open_menus_selected: bool,
    pub(crate) menus_close: MenusClose,
    /// Whether an item of a menu does what it does although its menu is closed.
    pub(crate) acts_in_closed_menus: bool,
    /// Whether the action `toggle` of a cell says that it did and does nothing.
    pub(crate) cells_toggle_nothing: bool,
    /// Whether what stands in a list is chosen by an action of its own, and the list has no selection.
    pub(crate) options_act: bool,
    /// Whether the current tab is the one that says that it has the focus.
    pub(crate) tabs_focus_current: bool,
    /// Whether a scale's description is its value.
    pub(crate) scales_describe_value: bool,
    pub(crate) native: Native,
    pub(crate) lasting: Lasting,
    /// Whether children of tables may not even be listed.
    pub(crate) endless_tables: bool,
    /// Whether a document of text lists only the paragraphs that show.
    pub(crate) documents_list_shown: bool,
    /// Whether the items of a menu are left unread unless it says by SELECTED that it is open.
    pub(crate) leaves_menus: bool,
    /// Whether offsets in texts count UTF-16 units rather than characters.
    pub(crate) counts_utf16: bool,
    /// Whether a mark (U+FEFF) is put behind each character that is two units in UTF-16, so that its
    /// place counts as two.
    pub(crate) pads_wide: bool,
    /// Whether the length of a text that is inserted counts bytes, whatever offsets count.
    pub(crate) inserts_bytes: bool,
    pub(crate) fronts: Fronts,
    /// Whether an application can be spoken to without the bus. One that runs a modal dialog while
    /// it handles a request goes deaf on the connection that the request came by.
    pub(crate) peers: bool,
    /// Whether a request is answered before it is handed on to whoever does it, so that nothing tells
    /// that it was done or when.
    pub(crate) relays: bool,
    /// Whether every button is drawn pressed before it acts, for the first of these times.
    pub(crate) buttons_wait: bool,
    /// Milliseconds after a request in which its first effect shows: not before, not after. What the
    /// evidence says of it was measured by `desktop-tests/programs/effects.py`.
    pub(crate) first_effect: (u64, u64),
}

/// What the rectangles of `GetExtents(screen)` are counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coordinates {
    /// The corner of the screen, in whole units of the application's scale.
    Screen,
    /// The same, but right only beside what the window says of itself, and in any scale.
    Own,
    /// A corner inside of the window.
    Inside,
}

/// What tells which of two elements of a window is in front of the other. Where nothing is said
/// of it, ATK's own GetAccessibleAtPoint and Qt's give the first child at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fronts {
    /// Nothing that is known.
    Unknown,
    /// What a parent lists later is drawn over what it lists earlier.
    Order,
    /// The other way round.
    Reverse,
    /// GetAccessibleAtPoint of the window names what gets a click.
    Told,
    /// The same, but nothing where that is no accessible, so that the order has to tell.
    Widgets,
    /// That of a page does so once it is asked again, and nothing is known outside of pages.
    Pages,
}

/// How a popover is told from other containers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Popovers {
    None,
    /// It is a modal panel that the window itself lists.
    ModalPanels,
    /// It is named after its class.
    Named,
    /// There is only the list of an open combo box.
    Combos,
}

/// What makes an option of a combo box the chosen one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Combos {
    /// The combo box, if it has a selection of its own, else the option.
    Themselves,
    /// The action of the option, whether the list is open or not.
    Options,
    /// The selection of the list in it.
    Lists,
    /// Only the pointer and keys.
    Nothing,
}

/// What tells that the list of a combo box is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lists {
    /// That the combo box says so.
    Said,
    /// That what it lists shows.
    Shown,
    /// That it has an extent; it always says that it shows.
    Placed,
}

/// What closes an open menu, other than choosing in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MenusClose {
    /// Nothing that is known.
    Never,
    /// What has opened it.
    Again,
    /// Clearing the selection of the menu that it stands in.
    InMenus,
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
    /// Of menus and what is in them.
    InMenus,
    /// Of everything but what stands in a row that may be recycled.
    OutsideRows,
    /// The same, but not of tabs, menus and their items, which no widget stands for.
    Widgets,
}

/// What an application says of itself, and the system of its process; none where neither told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Said<'a> {
    pub(crate) toolkit: &'a str,
    pub(crate) version: &'a str,
    /// The name of its root accessible.
    pub(crate) name: Option<&'a str>,
    /// The name of its program.
    pub(crate) program: Option<&'a str>,
    /// Whether all that it shows is known to be widgets, where its toolkit has more than those.
    pub(crate) widgets_only: bool,
}

/// Whether a process of Qt that has these files mapped shows nothing but widgets: no item of a
/// scene, which may be given other content like the row of a list, and no page.
pub(crate) fn shows_only_widgets(files: &[String]) -> bool {
    let has = |start: &str| files.iter().any(|file| file.starts_with(start));
    (has("libQt5Widgets.") || has("libQt6Widgets."))
        && !["libqtquick2plugin.", "libQt5WebEngineCore.", "libQt6WebEngineCore."]
            .into_iter()
            .any(has)
}

/// How an application is to be read; none if that cannot be told, so that nothing may be assumed.
///
/// Behind its GTK 3 face LibreOffice 7.4.7 says that it is made with GTK 3.24.38. Interfaces,
/// attributes, locale and version of its root, and those of its windows, are the same as
/// mousepad's; only its own name (`soffice`, with Calc, Writer, a file picker and the start centre
/// alike) and that of its program tell. As GTK 3 it would be asked for its cache, which has
/// crashed it, so whatever says GTK 3 must also say its name.
pub(crate) fn decide(said: &Said<'_>) -> Option<&'static Dialect> {
    let is_libreoffice = |name: &str| matches!(name, "soffice" | "soffice.bin");
    let mut names = [said.name, said.program].into_iter().flatten().peekable();
    if said.toolkit == "gtk" && names.peek().is_none() {
        return None;
    }
    if names.any(is_libreoffice) {
        return Some(of("VCL", ""));
    }
    let toolkit = if said.toolkit == "Qt" && said.widgets_only { WIDGETS } else { said.toolkit };
    Some(of(toolkit, said.version))
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
    pub(crate) fn lasting(&self, role: Role, ancestors_recycle: bool) -> bool {
        match self.lasting {
            Lasting::Never => false,
            Lasting::Always => true,
            Lasting::InMenus => matches!(role, Role::Menu | Role::MenuItem),
            Lasting::OutsideRows => !ancestors_recycle,
            Lasting::Widgets => {
                !ancestors_recycle && !matches!(role, Role::Tab | Role::Menu | Role::MenuItem)
            }
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
    pages_show_behind: false,
    coordinates: Coordinates::Screen,
    popovers: Popovers::None,
    grabs_input: (false, false),
    panes_misplaced: false,
    panes_have_menu_bars: false,
    pages_in_pixels: false,
    text_needs_count: false,
    odd_names: false,
    asks_labels: true,
    action_groups: false,
    idle_actions: false,
    texts_are_elements: false,
    readonly_is_insensitive: false,
    inner_windows: false,
    asks_beside_pages: false,
    pages_come_whole: false,
    sleeps: false,
    pages_answer_late: false,
    writes_text: true,
    scrolls_to: false,
    grabs_focus: true,
    combos_show_choice: false,
    combos: Combos::Themselves,
    lists: Lists::Said,
    shows_open_menus: false,
    open_menus_selected: false,
    menus_close: MenusClose::Never,
    acts_in_closed_menus: false,
    cells_toggle_nothing: false,
    options_act: false,
    tabs_focus_current: false,
    scales_describe_value: false,
    native: Native::AccessibleId,
    lasting: Lasting::Never,
    endless_tables: false,
    documents_list_shown: false,
    leaves_menus: false,
    counts_utf16: false,
    pads_wide: false,
    inserts_bytes: false,
    fronts: Fronts::Order,
    peers: false,
    relays: false,
    buttons_wait: false,
    first_effect: (0, 300),
};

const QT: Dialect = Dialect {
    toolkit: "Qt",
    version: "",
    evidence: "other versions of Qt: taken to be like 6.4, but for AccessibleId, of which nobody \
               knows",
    coordinates: Coordinates::Own,
    popovers: Popovers::Combos,
    grabs_input: (true, true),
    combos_show_choice: true,
    combos: Combos::Nothing,
    shows_open_menus: true,
    menus_close: MenusClose::Again,
    acts_in_closed_menus: true,
    options_act: true,
    tabs_focus_current: true,
    first_effect: (90, 300),
    counts_utf16: true,
    ..WALKED
};

/// What Qt is called where nothing but widgets is shown.
const WIDGETS: &str = "Qt Widgets";

const QT_5: Dialect = Dialect {
    version: "5",
    evidence: "Qt 5.15.8, Debian 12: GetItems gives an empty array; a tab's path speaks for \
               its neighbour after a tab closes; there is no AccessibleId (featherpad). \
               `Toggle` of an option selects it in the list of its combo box, which goes on \
               to show the old choice when it closes. `Press` of an item does what the item \
               does although its menu is closed. The current tab has FOCUSED, never SELECTED. \
               The list of a combo box always says that it shows, but has no extent while it is \
               closed; the popup in an item of a menu shows while it is open, and ShowMenu \
               closes it. That of a button is in no tree, and the button pressed. \
               Raised widgets are listed last (`desktop-tests/programs/covers.py`). \
               A button is drawn pressed before it acts, after 97 to 114 ms, a check box and a tab \
               act after 1 to 9.",
    lists: Lists::Placed,
    native: Native::None,
    ..QT
};

const QT_6_4: Dialect = Dialect {
    version: "6.4",
    evidence: "Qt 6.4.2, Debian 12: GetItems gives an empty array; there is no AccessibleId \
               (qt6ct). Items of menus, tabs and buttons as in 5.15, and combo boxes, but that \
               they say EXPANDED; a button acts after 99 to 157 ms.",
    native: Native::None,
    ..QT
};

const TABLE: &[Dialect] = &[
    Dialect {
        toolkit: "gtk",
        version: "3",
        evidence: "GTK 3.24.38 with at-spi2 2.46, Debian 12: gtk3-widget-factory. Paths count up \
                   and are not reused; tree cells kept theirs through insert, sort and remove. \
                   SelectChild of a combo box chooses. `click` of an item does what the item \
                   does although its menu is closed; `activate` of a cell is what a double click \
                   does (Thunar opens the file), `toggle` of one with a check mark does nothing, and \
                   `edit` takes the focus. InsertText of \
                   two characters with the length 2 inserts two bytes, or nothing. Nothing says \
                   EXPANDED of combo boxes and menus. Clearing the selection of a menu closes the \
                   submenu in it; that of a menu bar closes its menu, too, but goes on to hold the \
                   keyboard, as do a second click, GrabFocus and separators. Effects begin after \
                   0 to 8 ms. Overlays and what is in a GtkFixed are listed as they are drawn \
                   (`desktop-tests/programs/covers.py`).",
        bulk: Bulk::Waked,
        cells_toggle_nothing: true,
        lists: Lists::Shown,
        shows_open_menus: true,
        open_menus_selected: true,
        menus_close: MenusClose::InMenus,
        acts_in_closed_menus: true,
        inserts_bytes: true,
        peers: true,
        first_effect: (0, 150),
        popovers: Popovers::ModalPanels,
        grabs_input: (true, false),
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
                   widgets in list rows are given other content. A GtkComboBox shows cells \
                   without text, and what is selected in the list of a GtkDropDown is not \
                   chosen when it closes; neither has an option with an action, nor says \
                   EXPANDED, but both list a popover while they are open. Rows of a list \
                   view say that they can be selected only once they have been, and those of a \
                   tree open by `listitem.expand` of the panel in them. Behind another page of a \
                   stack, a notebook or a tab view everything is VISIBLE, and has an extent once it \
                   has been in front; only `Contains` of its middle is false, and is of nothing \
                   that shows and can be operated (gnome-text-editor with three tabs, \
                   gtk4-widget-factory: 1,199 elements). GetAccessibleAtPoint names what a click \
                   meets, also where that is behind something that cannot be a target, and \
                   nothing for the picture in a button (`desktop-tests/programs/covers.py`, gnome-text-editor). \
                   A button acts after 252 to 255 ms, a switch after 101 to 105, a tab after 2 to 10.",
        bulk: Bulk::Lazy,
        sets_showing: false,
        pages_show_behind: true,
        coordinates: Coordinates::Inside,
        popovers: Popovers::Named,
        fronts: Fronts::Widgets,
        lists: Lists::Shown,
        grabs_input: (true, true),
        text_needs_count: true,
        odd_names: true,
        asks_labels: false,
        action_groups: true,
        combos: Combos::Nothing,
        inserts_bytes: true,
        grabs_focus: false,
        native: Native::None,
        lasting: Lasting::OutsideRows,
        buttons_wait: true,
        first_effect: (240, 500),
        ..WALKED
    },
    Dialect {
        toolkit: "GTK",
        version: "4",
        evidence: "other versions of GTK 4: taken to be like 4.8, but for AccessibleId, which \
                   later versions fill, and for addresses, which nobody measured",
        bulk: Bulk::Lazy,
        sets_showing: false,
        pages_show_behind: true,
        coordinates: Coordinates::Inside,
        popovers: Popovers::Named,
        fronts: Fronts::Widgets,
        lists: Lists::Shown,
        grabs_input: (true, true),
        text_needs_count: true,
        odd_names: true,
        asks_labels: false,
        action_groups: true,
        combos: Combos::Nothing,
        inserts_bytes: true,
        native: Native::AccessibleId,
        lasting: Lasting::Never,
        buttons_wait: true,
        first_effect: (240, 500),
        ..WALKED
    },
    Dialect {
        toolkit: WIDGETS,
        evidence: "Qt 5.15.8, Debian 12: the path of a widget counts up when it is first asked \
                   for, stays with it while the pages of a stack show in turn and is \
                   not reused when it is gone (`desktop-tests/programs/documents.py`). Tabs, rows and \
                   menu items are no widgets: theirs go by place.",
        lasting: Lasting::Widgets,
        ..QT_5
    },
    Dialect {
        toolkit: WIDGETS,
        evidence: "Qt 6.4.2, Debian 12: as 5.15 (`desktop-tests/programs/documents.py`).",
        lasting: Lasting::Widgets,
        ..QT_6_4
    },
    QT_5,
    QT_6_4,
    Dialect { toolkit: WIDGETS, ..QT },
    QT,
    Dialect {
        toolkit: "VCL",
        fronts: Fronts::Unknown,
        version: "",
        evidence: "LibreOffice 7.4.7, Debian 12: GetItems crashed it once in about 15 calls; \
                   offsets in texts count UTF-16 units, the length of what is inserted bytes; \
                   GetChildren of a sheet hangs it. 1,600 of Calc's 1,874 elements are items of \
                   closed menus; an open menu is SELECTED, and items keep their paths while it \
                   opens and closes. Each question for a cell makes a new object, which \
                   costs 7 KB for good (RSS, 4,000 cells of 1,000 places). What it draws \
                   itself is 25 pixels, the height of the menu bar, below where it says. Menus close \
                   as in GTK 3, which draws them.",
        native: Native::None,
        lasting: Lasting::InMenus,
        panes_misplaced: true,
        grabs_input: (true, false),
        panes_have_menu_bars: true,
        counts_utf16: true,
        inserts_bytes: true,
        endless_tables: true,
        documents_list_shown: true,
        leaves_menus: true,
        lists: Lists::Shown,
        shows_open_menus: true,
        open_menus_selected: true,
        menus_close: MenusClose::InMenus,
        peers: true,
        ..WALKED
    },
    Dialect {
        toolkit: "Chromium",
        version: "",
        evidence: "Chromium 156, Debian 12: the page's id attribute is the object attribute `id`; \
                   a path stays with a position in the page, not with an element. Inert elements \
                   offer doDefault or clickAncestor, then showContextMenu. A read-only field has \
                   neither ENABLED nor SENSITIVE. The two popups of the address bar are frames \
                   that always show and have no X window. Started without \
                   --force-renderer-accessibility it has empty windows until somebody asks for \
                   attributes or relations. A page that is loading has no elements, no \
                   attributes and no FOCUSABLE. With --force-device-scale-factor=2 the page \
                   tells pixels, all around it units. The cache is made when the first client makes \
                   itself known and then misses what is built for later pages. `select` of an \
                   option of a closed `<select>` chooses it. A press acts after 14 ms; it is answered \
                   at once even while the page computes for 2.5 s, and done then. \
                   GetAccessibleAtPoint of a page answers by its order and has the truth for the \
                   next who asks, less than 2 ms later; of the window's own buttons it names a \
                   panel (`desktop-tests/pages/covers.html`).",
        combos: Combos::Options,
        bulk: Bulk::Waked,
        coordinates: Coordinates::Own,
        pages_in_pixels: true,
        fronts: Fronts::Pages,
        asks_labels: false,
        scrolls_to: true,
        idle_actions: true,
        texts_are_elements: true,
        readonly_is_insensitive: true,
        inner_windows: true,
        pages_come_whole: true,
        sleeps: true,
        native: Native::DomId,
        peers: true,
        relays: true,
        first_effect: (0, 200),
        ..WALKED
    },
    Dialect {
        toolkit: "J2SE-access-bridge",
        version: "",
        evidence: "Swing of OpenJDK 17 with java-atk-wrapper 0.40, Debian 12: ATK's bridge serves \
                   the cache once a client is known, and there is no AccessibleId (a window with \
                   one of each kind of element). GetAccessibleAtPoint always gives the root pane; \
                   what is listed first is in front (`desktop-tests/programs/Covers.java`).",
        bulk: Bulk::Waked,
        fronts: Fronts::Reverse,
        native: Native::None,
        ..WALKED
    },
    Dialect {
        toolkit: "Gecko",
        version: "",
        evidence: "Firefox 153, Debian 12: ids as Chromium. The first reader gets pages without \
                   the names that come from their text, without extents and attributes; a tenth \
                   of a second later they are there. EditableText, which every element offers, \
                   says that it did what it was told and does nothing. GetItems went on \
                   to list a page that had been left, for as long as was waited (30 s). \
                   `select` of an option of a closed `<select>` does nothing, SelectChild of its \
                   list chooses it. A press acts after 22 ms. A `confirm()` of a page is a dialog \
                   in a frame beside the page; meanwhile the page's own buttons went on to work. \
                   The text of a field with 😀 has U+FEFF behind it, which the page has not. \
                   GetAccessibleAtPoint goes by what is in front (`desktop-tests/pages/covers.html`).",
        counts_utf16: true,
        pads_wide: true,
        asks_beside_pages: true,
        fronts: Fronts::Told,
        combos: Combos::Lists,
        bulk: Bulk::None,
        asks_labels: false,
        writes_text: false,
        scrolls_to: true,
        pages_answer_late: true,
        native: Native::DomId,
        peers: true,
        relays: true,
        first_effect: (0, 200),
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
    fn libreoffice_is_known_behind_any_face_and_never_taken_for_gtk_3() {
        let said = |toolkit, name, program| {
            let version = "3.24.38";
            decide(&Said { toolkit, version, name, program, widgets_only: true })
                .map(|line| line.toolkit)
        };
        for face in ["gtk", "GTK", "Qt", "VCL", ""] {
            assert_eq!(said(face, Some("soffice"), None), Some("VCL"));
            assert_eq!(said(face, None, Some("soffice.bin")), Some("VCL"));
            assert_eq!(said(face, Some("Tabellen"), Some("soffice.bin")), Some("VCL"));
        }
        assert_eq!(said("gtk", None, None), None);
        assert_eq!(said("gtk", Some("mousepad"), None), Some("gtk"));
        assert_eq!(said("gtk", None, Some("mousepad")), Some("gtk"));
    }

    #[test]
    fn every_line_says_where_it_was_seen() {
        assert!(TABLE.iter().all(|line| !line.evidence.is_empty() && !line.toolkit.is_empty()));
    }

    #[test]
    fn a_widget_in_a_row_of_gtk_4_has_no_lasting_address() {
        let gtk4 = of("GTK", "4.8.3");
        assert!(gtk4.lasting(Role::Button, false) && !gtk4.lasting(Role::Button, true));
        let libreoffice = of("VCL", "7.4.7");
        assert!(libreoffice.lasting(Role::MenuItem, false));
        assert!(!libreoffice.lasting(Role::Cell, false));
    }

    #[test]
    fn a_widget_of_qt_has_a_lasting_address_where_there_is_nothing_else() {
        let qt = |version, files: &[&str]| {
            let files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
            decide(&Said {
                toolkit: "Qt",
                version,
                name: None,
                program: None,
                widgets_only: shows_only_widgets(&files),
            })
            .unwrap()
        };
        for (version, library) in
            [("5.15.8", "libQt5Widgets.so.5.15.8"), ("6.4.2", "libQt6Widgets.so.6.4.2")]
        {
            let widgets = qt(version, &["libc.so.6", library]);
            assert!(widgets.lasting(Role::TextField, false), "{version}");
            for role in [Role::Tab, Role::Menu, Role::MenuItem] {
                assert!(!widgets.lasting(role, false), "{version} {role}");
            }
            assert!(!widgets.lasting(Role::Button, true), "in a row");
            for other in ["libqtquick2plugin.so", "libQt5WebEngineCore.so.5"] {
                assert!(!qt(version, &[library, other]).lasting(Role::TextField, false));
            }
            assert!(!qt(version, &[]).lasting(Role::TextField, false), "nothing is known");
        }
        let later = qt("6.8.1", &["libQt6Widgets.so.6"]);
        assert!(!later.lasting(Role::TextField, false) && later.counts_utf16);
    }
}
