//! What ends, hangs or fails around the program: itself, applications, files.

mod crashes;
mod hung;
mod private;
mod state_root;
