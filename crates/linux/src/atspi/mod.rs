//! Reading applications through AT-SPI.

pub(crate) mod build;
pub(crate) mod calls;
pub(crate) mod collect;
pub(crate) mod dialect;
pub(crate) mod interfaces;
mod names;
mod roles;
pub(crate) mod states;
