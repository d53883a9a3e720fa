//! Layers of a user interface that can be read on their own.

use serde::{Deserialize, Serialize};

macro_rules! surfaces {
    ($($variant:ident $token:literal,)*) => {
        /// The kind of a surface, as accepted by `--surface`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum SurfaceKind { $(#[serde(rename = $token)] $variant,)* }

        impl SurfaceKind {
            /// Every kind, in the order of the contract.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The token printed and accepted for this kind.
            pub fn token(self) -> &'static str {
                match self { $(Self::$variant => $token,)* }
            }
        }
    };
}

surfaces! {
    Window "window", Focused "focused", Menu "menu", MenuBar "menubar", Sheet "sheet",
    Popover "popover", Alert "alert",
    Desktop "desktop", Taskbar "taskbar", SystemTray "system-tray",
    SystemTrayOverflow "system-tray-overflow", QuickSettings "quick-settings",
    NotificationCenter "notification-center", Toolbar "toolbar", Dock "dock",
    Spotlight "spotlight", MenuBarExtras "menu-bar-extras", StartMenu "start-menu",
    ActionCenter "action-center",
}

impl SurfaceKind {
    /// The kind named by `token`; underscores count as hyphens.
    pub fn parse(token: &str) -> Option<Self> {
        let token = token.to_ascii_lowercase().replace('_', "-");
        Self::ALL.iter().copied().find(|kind| kind.token() == token)
    }

    /// Whether the surface belongs to the desktop's shell rather than to an application.
    pub fn is_shell(self) -> bool {
        !matches!(
            self,
            Self::Window
                | Self::Focused
                | Self::Menu
                | Self::MenuBar
                | Self::Sheet
                | Self::Popover
                | Self::Alert
        )
    }
}
