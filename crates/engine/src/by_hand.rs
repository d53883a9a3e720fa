//! What is suggested where a person would take the pointer or the keyboard. This version uses
//! neither, even where it is permitted, so none of these may name a flag or a command that would;
//! once there is one, this is the only place that has to change.

/// The application offers nothing for what is asked.
pub(crate) const NO_ACTION: &str = "Its application offers nothing for this but the pointer and \
                                    keys, which this version does not use: look for another \
                                    element that does the same, such as a menu item.";

/// What is asked for needs the pointer or the focus by its nature.
pub(crate) const NOT_PERMITTED: &str = "This version does not do it, with permission either. \
                                        `click`, `select`, `expand` and `set-value` do without; \
                                        `type` needs no focus.";

/// Elements that nothing tells apart.
pub(crate) const TWINS: &str = "Another snapshot does not change that. Use an element that occurs \
                                once and does the same, such as a menu item.";

/// A text field that cannot be written; those of pages cannot.
pub(crate) const TEXT_OF_PAGES: &str = "What is in a page can be written to over the browser's own \
                                        debugging port, if it was started with one.";
