//! Actions in real applications: their effects, and that they meet the element that was meant.

mod afterwards;
mod errands;
mod identity;
mod reuse;
mod scroll;
mod tasks;
