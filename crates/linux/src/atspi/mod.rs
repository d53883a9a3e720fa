//! Reading applications through AT-SPI.

pub(crate) mod actions;
pub(crate) mod build;
pub(crate) mod calls;
pub(crate) mod collect;
pub(crate) mod content;
pub(crate) mod dialect;
pub(crate) mod fill;
pub(crate) mod interfaces;
pub(crate) mod names;
mod page;
pub(crate) mod placement;
#[cfg(any(test, fuzzing))]
pub(crate) mod properties;
pub(crate) mod roles;
pub(crate) mod states;
