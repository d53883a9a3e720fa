//! From a platform's tree to what is listed of it. Pure: whoever calls reads the tree first.

mod view;

pub use view::{Cut, Entry, View};
