//! Refs: the evidence that is saved of an element, and how it finds that element again.
//!
//! A capture reads a window, takes its [`Census`], and numbers elements into a [`RefMap`]
//! ([`allocate()`], [`allocate_matches`], [`merge_drill`]); a later process loads the map and asks
//! [`resolve()`] for the one element that a number stands for.

mod allocate;
mod cell;
mod census;
mod context;
mod drill;
mod map;
mod refusal;
mod resolve;

#[cfg(any(test, fuzzing))]
pub mod properties;
#[cfg(any(test, fuzzing))]
mod testing;

pub use allocate::{allocate, allocate_matches};
pub use census::{Census, Standing, Surroundings};
pub use drill::{beneath, merge_drill};
pub use map::{RefMap, Region, Source};
pub(crate) use map::{SIZE_LIMIT, Unreadable};
pub use refusal::absent;
pub use resolve::{Every, Reading, Resolved, resolve, resolve_every};
