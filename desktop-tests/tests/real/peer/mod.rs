//! The misbehaving peer, an application on the accessibility bus that breaks every rule.

mod liars;
mod matrix;
mod trees;
