//! The desktop around the applications: programs, windows, keys, the pointer, pictures and the
//! clipboard.

mod clipboard;
mod covers;
mod keyboard;
mod pointer;
mod programs;
mod screenshot;
mod windows;
