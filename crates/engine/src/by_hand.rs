//! What is suggested where a person would take the pointer or the keyboard.

/// The application offers nothing for what is asked.
pub(crate) const NO_ACTION: &str = "Its application offers nothing for this but the pointer and \
                                    keys: look for another element that does the same, such as a \
                                    menu item; or, if the user allows it, repeat the command with \
                                    --headed.";

/// What is asked for needs the pointer or the focus by its nature.
pub(crate) const NOT_PERMITTED: &str = "`click`, `select`, `expand`, `set-value` and `type` do \
                                        without. If the user allows it, repeat the command with \
                                        --headed.";

/// Elements that nothing tells apart.
pub(crate) const TWINS: &str = "Another snapshot does not change that. Use an element that occurs \
                                once and does the same, such as a menu item; or, if the user allows \
                                it, `mouse-click --xy` with --headed at its bounds.";

/// A text field that cannot be written; those of pages cannot.
pub(crate) const TEXT_OF_PAGES: &str = "What is in a page can only be typed by keys, with --headed, \
                                        or be written over the browser's own debugging port, if it \
                                        was started with one.";
