//! From a platform's tree to what is printed of it: which nodes are listed (`list`, `blank`),
//! which of their fields are wanted (`plan`), and the printed form (`print`). Pure: whoever calls reads
//! the tree first.

mod blank;
mod list;
mod plan;
mod print;
pub mod surfaces;
mod view;

pub use blank::without_blanks;
pub use list::{Hidden, list};
pub use plan::{Shape, details, identities};
pub use print::{called, cut_text, print};
pub use view::{Cut, Entry, View};
