//! What an element can really do, in words that are the same on every platform.

use serde::{Deserialize, Serialize};

use crate::text::bit_set;

bit_set! {
    /// One thing that can be done to an element.
    Capability,
    /// What can be done to one element, in the order of the contract.
    CapabilitySet: u32 {
        Click "Click",
        RightClick "RightClick",
        SetValue "SetValue",
        TypeText "TypeText",
        Expand "Expand",
        Collapse "Collapse",
        Select "Select",
        Toggle "Toggle",
        Check "Check",
        Uncheck "Uncheck",
        Scroll "Scroll",
        ScrollTo "ScrollTo",
        PressKey "PressKey",
        KeyDown "KeyDown",
        KeyUp "KeyUp",
        Hover "Hover",
        Drag "Drag",
        SetFocus "SetFocus",
    }
}

impl CapabilitySet {
    /// Whether there is anything to do beyond taking the focus and coming into view: what makes an
    /// element of a non-interactive role worth a ref.
    pub fn beyond_focus(self) -> bool {
        let idle = [Capability::SetFocus, Capability::ScrollTo];
        self.iter().any(|capability| !idle.contains(&capability))
    }
}
