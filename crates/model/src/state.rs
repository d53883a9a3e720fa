//! States of an element, as printed: only what differs from an ordinary, enabled, visible one.

use serde::{Deserialize, Serialize};

use crate::text::bit_set;

bit_set! {
    /// One state of an element. There is no `enabled` and no `visible`: their absence is the norm,
    /// so the vocabulary has `disabled`, `hidden` and `offscreen`.
    State,
    /// The states of one element.
    StateSet: u32 {
        Busy "busy",
        Checked "checked",
        Disabled "disabled",
        Expanded "expanded",
        Focused "focused",
        HasPopup "haspopup",
        Hidden "hidden",
        Indeterminate "indeterminate",
        Invalid "invalid",
        Modal "modal",
        MultiSelectable "multiselectable",
        Offscreen "offscreen",
        Pressed "pressed",
        ReadOnly "readonly",
        Required "required",
        Secure "secure",
        Selected "selected",
    }
}
