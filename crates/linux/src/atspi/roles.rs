//! AT-SPI role numbers and the canonical roles that they stand for. Numbers decide: GTK 4 sends
//! role names of its own (`text box` for 61), and other toolkits translate theirs.

use agent_desktop_model::role::Role;

/// Numbers that the rest of this room tells apart.
pub(crate) const LABEL: u32 = 29;
pub(crate) const LIST_ITEM: u32 = 32;
pub(crate) const MENU_BAR: u32 = 34;
pub(crate) const PASSWORD_TEXT: u32 = 40;
pub(crate) const SLIDER: u32 = 51;
pub(crate) const TEXT: u32 = 61;
pub(crate) const TOGGLE_BUTTON: u32 = 62;
pub(crate) const APPLICATION: u32 = 75;
pub(crate) const ENTRY: u32 = 79;
pub(crate) const STATIC: u32 = 116;

/// The canonical role of an AT-SPI role number. An item of a list is an option only where it can
/// be selected: a bullet point of a text cannot.
pub(crate) fn canonical(number: u32, selectable: bool) -> Role {
    if number == LIST_ITEM && !selectable {
        return Role::LayoutItem;
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
            let unknown = canonical(number, true) == Role::Unknown;
            // invalid, unknown, extended, and what no specification has named yet.
            assert_eq!(unknown, matches!(number, 0 | 67 | 70) || number > 130, "{number}");
        }
        assert_eq!(canonical(u32::MAX, true), Role::Unknown);
    }

    #[test]
    fn the_numbers_stand_where_the_specification_puts_them() {
        for (number, name) in [
            (LIST_ITEM, "list item"),
            (PASSWORD_TEXT, "password text"),
            (TEXT, "text"),
            (TOGGLE_BUTTON, "toggle button"),
            (ENTRY, "entry"),
            (23, "frame"),
            (43, "push button"),
            (APPLICATION, "application"),
            (98, "list box"),
            (STATIC, "static"),
            (LABEL, "label"),
            (MENU_BAR, "menu bar"),
            (SLIDER, "slider"),
            (129, "push button menu"),
        ] {
            assert_eq!(ROLES[number as usize].0, name);
        }
    }

    #[test]
    fn a_bullet_point_is_no_option() {
        assert_eq!(canonical(LIST_ITEM, false), Role::LayoutItem);
        assert_eq!(canonical(LIST_ITEM, true), Role::Option);
    }
}
