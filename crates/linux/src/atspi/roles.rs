//! AT-SPI role numbers and the canonical roles that they stand for. Numbers decide: GTK 4 sends
//! role names of its own (`text box` for 61), and other toolkits translate theirs.

use agent_desktop_model::role::Role;

use super::{page, states};

/// Numbers that the rest of this room tells apart.
pub(crate) const ALERT: u32 = 2;
pub(crate) const COMBO_BOX: u32 = 11;
pub(crate) const DATE_EDITOR: u32 = 12;
pub(crate) const DESKTOP_FRAME: u32 = 14;
pub(crate) const DIALOG: u32 = 16;
/// Also the widgets of GTK 4 that have no role of their own.
pub(crate) const FILLER: u32 = 20;
pub(crate) const FRAME: u32 = 23;
pub(crate) const WINDOW: u32 = 69;
pub(crate) const INTERNAL_FRAME: u32 = 28;
pub(crate) const LABEL: u32 = 29;
pub(crate) const LIST: u32 = 31;
pub(crate) const LIST_ITEM: u32 = 32;
pub(crate) const MENU: u32 = 33;
pub(crate) const MENU_BAR: u32 = 34;
pub(crate) const PAGE_TAB: u32 = 37;
pub(crate) const PANEL: u32 = 39;
pub(crate) const PASSWORD_TEXT: u32 = 40;
pub(crate) const ROOT_PANE: u32 = 46;
pub(crate) const SCROLL_PANE: u32 = 49;
pub(crate) const SLIDER: u32 = 51;
pub(crate) const TABLE: u32 = 55;
pub(crate) const TABLE_CELL: u32 = 56;
pub(crate) const TEXT: u32 = 61;
pub(crate) const TOGGLE_BUTTON: u32 = 62;
pub(crate) const TOOL_BAR: u32 = 63;
pub(crate) const PARAGRAPH: u32 = 73;
pub(crate) const APPLICATION: u32 = 75;
pub(crate) const ENTRY: u32 = 79;
pub(crate) const HEADING: u32 = 83;
pub(crate) const SECTION: u32 = 85;
pub(crate) const TABLE_ROW: u32 = 90;
pub(crate) const DOCUMENT_TEXT: u32 = 94;
pub(crate) const DOCUMENT_WEB: u32 = 95;
pub(crate) const LIST_BOX: u32 = 98;
pub(crate) const LANDMARK: u32 = 110;
pub(crate) const STATIC: u32 = 116;

/// The canonical role of an AT-SPI role number, given the state bits. An item of a list is an
/// option only where it can be selected: a bullet point of a text cannot.
pub(crate) fn canonical(number: u32, bits: u64) -> Role {
    if number == LIST_ITEM && bits & states::SELECTABLE == 0 {
        return Role::LayoutItem;
    }
    if page::is_editor(number, bits) {
        return Role::TextField;
    }
    usize::try_from(number)
        .ok()
        .and_then(|index| ROLES.get(index))
        .map_or(Role::Unknown, |row| row.1)
}

/// One row for each number from 0, with the name in the AT-SPI specification.
const ROLES: &[(&str, Role)] = &[
    ("invalid", Role::Unknown),
    ("accelerator label", Role::StaticText),
    // GTK 3 and 4, Chromium and Firefox use it for message boxes; their live regions are 101.
    ("alert", Role::AlertDialog),
    ("animation", Role::Image),
    ("arrow", Role::Image),
    ("calendar", Role::DateField),
    ("canvas", Role::Image),
    ("check box", Role::Checkbox),
    ("check menu item", Role::MenuItem),
    ("color chooser", Role::ColorWell),
    ("column header", Role::Column),
    ("combo box", Role::ComboBox),
    ("date editor", Role::DateField),
    ("desktop icon", Role::LayoutItem),
    ("desktop frame", Role::Group),
    ("dial", Role::Slider),
    ("dialog", Role::Dialog),
    ("directory pane", Role::List),
    ("drawing area", Role::Image),
    ("file chooser", Role::Dialog),
    ("filler", Role::Group),
    ("focus traversable", Role::Group),
    ("font chooser", Role::Dialog),
    ("frame", Role::Window),
    ("glass pane", Role::Group),
    ("html container", Role::WebArea),
    ("icon", Role::Image),
    ("image", Role::Image),
    ("internal frame", Role::Group),
    ("label", Role::StaticText),
    ("layered pane", Role::Group),
    ("list", Role::List),
    ("list item", Role::Option),
    ("menu", Role::Menu),
    ("menu bar", Role::Menu),
    ("menu item", Role::MenuItem),
    ("option pane", Role::Dialog),
    ("page tab", Role::Tab),
    ("page tab list", Role::TabList),
    ("panel", Role::Group),
    ("password text", Role::TextField),
    ("popup menu", Role::Menu),
    ("progress bar", Role::ProgressBar),
    ("push button", Role::Button),
    ("radio button", Role::RadioButton),
    ("radio menu item", Role::MenuItem),
    ("root pane", Role::Group),
    ("row header", Role::Cell),
    ("scroll bar", Role::ScrollBar),
    ("scroll pane", Role::ScrollArea),
    ("separator", Role::Separator),
    ("slider", Role::Slider),
    ("spin button", Role::Incrementor),
    ("split pane", Role::Splitter),
    ("status bar", Role::Status),
    ("table", Role::Table),
    ("table cell", Role::Cell),
    ("table column header", Role::Column),
    ("table row header", Role::Cell),
    ("tear off menu item", Role::MenuItem),
    ("terminal", Role::TextField),
    ("text", Role::TextField),
    ("toggle button", Role::Button),
    ("tool bar", Role::Toolbar),
    ("tool tip", Role::Tooltip),
    ("tree", Role::Outline),
    ("tree table", Role::Outline),
    ("unknown", Role::Unknown),
    ("viewport", Role::Group),
    ("window", Role::Window),
    ("extended", Role::Unknown),
    ("header", Role::Banner),
    ("footer", Role::ContentInfo),
    ("paragraph", Role::Paragraph),
    ("ruler", Role::Ruler),
    ("application", Role::Application),
    ("autocomplete", Role::ComboBox),
    ("edit bar", Role::TextField),
    ("embedded", Role::Group),
    ("entry", Role::TextField),
    ("chart", Role::Image),
    ("caption", Role::StaticText),
    ("document frame", Role::Document),
    ("heading", Role::Heading),
    ("page", Role::Group),
    ("section", Role::Group),
    ("redundant object", Role::Group),
    ("form", Role::Form),
    ("link", Role::Link),
    ("input method window", Role::Window),
    ("table row", Role::Row),
    ("tree item", Role::TreeItem),
    ("document spreadsheet", Role::Document),
    ("document presentation", Role::Document),
    ("document text", Role::Document),
    ("document web", Role::WebArea),
    ("document email", Role::Document),
    ("comment", Role::Note),
    ("list box", Role::ListBox),
    ("grouping", Role::Group),
    ("image map", Role::Image),
    ("notification", Role::Alert),
    ("info bar", Role::Alert),
    ("level bar", Role::LevelIndicator),
    ("title bar", Role::Group),
    ("block quote", Role::Group),
    ("audio", Role::Group),
    ("video", Role::Group),
    ("definition", Role::Definition),
    ("article", Role::Article),
    ("landmark", Role::Region),
    ("log", Role::Log),
    ("marquee", Role::Marquee),
    ("math", Role::Math),
    ("rating", Role::LevelIndicator),
    ("timer", Role::Timer),
    ("static", Role::StaticText),
    ("math fraction", Role::Math),
    ("math root", Role::Math),
    ("subscript", Role::StaticText),
    ("superscript", Role::StaticText),
    ("description list", Role::List),
    ("description term", Role::Term),
    ("description value", Role::Definition),
    ("footnote", Role::Note),
    ("content deletion", Role::Group),
    ("content insertion", Role::Group),
    ("mark", Role::Group),
    ("suggestion", Role::Group),
    ("push button menu", Role::MenuButton),
    ("switch", Role::Switch),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_role_and_only_the_meaningless_ones_are_unknown() {
        assert_eq!(ROLES.len(), 131);
        for number in 0..=300_u32 {
            let unknown = canonical(number, states::SELECTABLE) == Role::Unknown;
            // invalid, unknown, extended, and what no specification has named yet.
            assert_eq!(unknown, matches!(number, 0 | 67 | 70) || number > 130, "{number}");
        }
        assert_eq!(canonical(u32::MAX, 0), Role::Unknown);
    }

    #[test]
    fn the_numbers_stand_where_the_specification_puts_them() {
        for (number, name) in [
            (LIST, "list"),
            (LIST_BOX, "list box"),
            (FILLER, "filler"),
            (LIST_ITEM, "list item"),
            (PANEL, "panel"),
            (TABLE, "table"),
            (TABLE_CELL, "table cell"),
            (TABLE_ROW, "table row"),
            (TOOL_BAR, "tool bar"),
            (PASSWORD_TEXT, "password text"),
            (TEXT, "text"),
            (TOGGLE_BUTTON, "toggle button"),
            (ENTRY, "entry"),
            (FRAME, "frame"),
            (WINDOW, "window"),
            (INTERNAL_FRAME, "internal frame"),
            (43, "push button"),
            (APPLICATION, "application"),
            (STATIC, "static"),
            (LABEL, "label"),
            (MENU, "menu"),
            (MENU_BAR, "menu bar"),
            (ROOT_PANE, "root pane"),
            (DOCUMENT_TEXT, "document text"),
            (DOCUMENT_WEB, "document web"),
            (SLIDER, "slider"),
            (ALERT, "alert"),
            (DATE_EDITOR, "date editor"),
            (DIALOG, "dialog"),
            (PANEL, "panel"),
            (SCROLL_PANE, "scroll pane"),
            (TABLE, "table"),
            (PARAGRAPH, "paragraph"),
            (HEADING, "heading"),
            (SECTION, "section"),
            (DOCUMENT_WEB, "document web"),
            (LANDMARK, "landmark"),
            (129, "push button menu"),
        ] {
            assert_eq!(ROLES[number as usize].0, name);
        }
    }

    #[test]
    fn a_bullet_point_is_no_option() {
        assert_eq!(canonical(LIST_ITEM, 0), Role::LayoutItem);
        assert_eq!(canonical(LIST_ITEM, states::SELECTABLE), Role::Option);
    }
}
