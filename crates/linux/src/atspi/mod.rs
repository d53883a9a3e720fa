//! Reading applications through AT-SPI.

mod actions;
pub(crate) mod build;
pub(crate) mod calls;
pub(crate) mod collect;
pub(crate) mod dialect;
pub(crate) mod fill;
pub(crate) mod interfaces;
pub(crate) mod names;
pub(crate) mod roles;
pub(crate) mod states;
