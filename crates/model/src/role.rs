//! Canonical roles: one vocabulary for every toolkit and operating system.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{self, Visitor},
};

macro_rules! roles {
    ($($variant:ident $token:literal,)*) => {
        /// What an element is. The tokens are part of the command-line contract.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Role {
            $($variant,)*
            #[default]
            Unknown,
        }

        impl Role {
            /// Every role, in the order of the contract.
            pub const ALL: &[Self] = &[$(Self::$variant,)* Self::Unknown];

            /// The token printed and accepted for this role.
            pub fn token(self) -> &'static str {
                match self {
                    $(Self::$variant => $token,)*
                    Self::Unknown => "unknown",
                }
            }

            fn of_token(token: &str) -> Option<Self> {
                match token {
                    $($token => Some(Self::$variant),)*
                    "unknown" => Some(Self::Unknown),
                    _ => None,
                }
            }
        }
    };
}

roles! {
    Alert "alert", AlertDialog "alertdialog", Application "application", Article "article",
    Banner "banner", Browser "browser", Button "button", Cell "cell", Checkbox "checkbox",
    ColorWell "colorwell", Column "column", ComboBox "combobox", Complementary "complementary",
    ContentInfo "contentinfo", DateField "datefield", Definition "definition", Dialog "dialog",
    Disclosure "disclosure", DockItem "dockitem", Document "document", Drawer "drawer",
    Form "form", Grid "grid", Group "group", Handle "handle", Heading "heading",
    HelpTag "helptag", Image "image", Incrementor "incrementor", LayoutItem "layoutitem",
    LevelIndicator "levelindicator", Link "link", List "list", ListBox "listbox", Log "log",
    Main "main", Marquee "marquee", Matte "matte", Math "math", Menu "menu",
    MenuButton "menubutton", MenuItem "menuitem", Navigation "navigation", Note "note",
    Option "option", Outline "outline", Paragraph "paragraph", Popover "popover",
    ProgressBar "progressbar", RadioButton "radiobutton", RadioGroup "radiogroup",
    Region "region", RelevanceIndicator "relevanceindicator", Row "row", Ruler "ruler",
    RulerMarker "rulermarker", ScrollArea "scrollarea", ScrollBar "scrollbar", Search "search",
    Separator "separator", Sheet "sheet", Slider "slider", Splitter "splitter",
    StaticText "statictext", Status "status", Switch "switch", Tab "tab", TabList "tablist",
    TabPanel "tabpanel", Table "table", Term "term", TextField "textfield",
    TimeField "timefield", Timer "timer", Toolbar "toolbar", Tooltip "tooltip",
    TreeItem "treeitem", WebArea "webarea", Window "window",
}

impl Role {
    /// The role named by `token`: a canonical token or one of the accepted aliases, in any case.
    pub fn parse(token: &str) -> Option<Self> {
        let token = token.trim().to_ascii_lowercase();
        let canonical = match token.as_str() {
            "gridcell" => "cell",
            "img" => "image",
            "radio" => "radiobutton",
            "searchbox" | "searchfield" | "textarea" | "textbox" => "textfield",
            "spinbutton" => "incrementor",
            "togglebutton" => "button",
            "tree" => "outline",
            other => other,
        };
        Self::of_token(canonical)
    }

    /// Whether an element of this role always gets a ref.
    pub fn is_interactive(self) -> bool {
        matches!(
            self,
            Self::Button
                | Self::Cell
                | Self::Checkbox
                | Self::ColorWell
                | Self::ComboBox
                | Self::DockItem
                | Self::Incrementor
                | Self::Link
                | Self::ListBox
                | Self::MenuButton
                | Self::MenuItem
                | Self::Option
                | Self::RadioButton
                | Self::Slider
                | Self::Switch
                | Self::Tab
                | Self::TextField
                | Self::TreeItem
        )
    }

    /// Whether the element's value changes while it stays the same element, so that a name equal
    /// to that value says nothing about identity.
    pub fn has_mutable_value(self) -> bool {
        matches!(
            self,
            Self::ComboBox
                | Self::Checkbox
                | Self::Incrementor
                | Self::ListBox
                | Self::RadioButton
                | Self::Slider
                | Self::Switch
                | Self::TextField
        )
    }

    /// Whether the element can be on or off.
    pub fn is_toggleable(self) -> bool {
        matches!(self, Self::Checkbox | Self::Switch | Self::RadioButton)
    }

    /// Whether the element can be open or closed.
    pub fn is_expandable(self) -> bool {
        matches!(self, Self::ComboBox | Self::MenuButton | Self::TreeItem | Self::Disclosure)
    }

    /// Whether the element is a list of what can be chosen in it.
    pub fn holds_options(self) -> bool {
        matches!(
            self,
            Self::Grid | Self::List | Self::ListBox | Self::Outline | Self::TabList | Self::Table
        )
    }

    /// Whether the element's name is a title that changes with its content (`*report - Editor`),
    /// and therefore never identifies it.
    pub fn has_volatile_title(self) -> bool {
        matches!(self, Self::Window | Self::Document | Self::WebArea | Self::Application)
    }

    /// Whether the element groups others that belong together: what stands in the same row, item,
    /// panel or dialog tells two equal buttons apart.
    pub fn is_context(self) -> bool {
        matches!(
            self,
            Self::Row
                | Self::TreeItem
                | Self::Option
                | Self::LayoutItem
                | Self::Cell
                | Self::TabPanel
                | Self::Group
                | Self::RadioGroup
                | Self::Region
                | Self::Form
                | Self::Article
                | Self::Dialog
                | Self::AlertDialog
                | Self::Alert
                | Self::Sheet
                | Self::Popover
                | Self::Toolbar
        )
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.token())
    }
}

impl Serialize for Role {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.token())
    }
}

impl<'de> Deserialize<'de> for Role {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Token;
        impl Visitor<'_> for Token {
            type Value = Role;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a role")
            }

            fn visit_str<E: de::Error>(self, token: &str) -> Result<Role, E> {
                Role::of_token(token).ok_or_else(|| E::custom(format!("`{token}` is not a role")))
            }
        }
        deserializer.deserialize_str(Token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eighty_roles_parse_back() {
        assert_eq!(Role::ALL.len(), 80);
        for role in Role::ALL {
            assert_eq!(Role::parse(&role.token().to_uppercase()), Some(*role));
        }
    }

    #[test]
    fn aliases_fold_and_unknown_tokens_fail_closed() {
        assert_eq!(Role::parse("spinbutton"), Some(Role::Incrementor));
        assert_eq!(Role::parse("Tree"), Some(Role::Outline));
        assert_eq!(Role::parse("searchbox"), Some(Role::TextField));
        assert_eq!(Role::parse("push button"), None);
    }

    #[test]
    fn eighteen_interactive_roles() {
        assert_eq!(Role::ALL.iter().filter(|role| role.is_interactive()).count(), 18);
    }
}
