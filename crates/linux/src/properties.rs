//! What holds of whatever comes from applications, servers and files: functions that panic where it
//! does not, called by tests beside them and by `fuzz/`.

pub use crate::{
    atspi::properties::tree,
    bus::properties::conversation,
    programs::properties::entry,
    sandbox::properties::manifest,
    x11::properties::{journal, property, selection},
};
