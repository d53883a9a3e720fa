//! From a platform's tree to what is printed of it: which nodes are listed (`list`), which of
//! their fields are wanted (`plan`), and the printed form (`print`). Pure: whoever calls reads
//! the tree first.

mod list;
mod plan;
mod print;
pub mod surfaces;
mod view;

pub use list::list;
pub use plan::{Shape, details, identities};
pub use print::{cut_text, print};
pub use view::{Cut, Entry, View};
