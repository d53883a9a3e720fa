//! Things that people do, done headless in real applications. Somebody else says what came of each:
//! libatspi, the toolkit or the page itself, or the file that was written. No task moves the
//! pointer or the focus, and the window manager activates only what the application opened. What
//! comes out is docs/tasks.md.

// Which tasks were done, and in how many milliseconds, is printed for whoever runs them.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod gtk;
mod gtk3;
mod gtk4;
mod identity;
mod office;
mod others;
mod qt;
mod table;
mod text;
mod web;
mod work;
