//! A scripted desktop in memory: what the engine is tested against.
//!
//! A desktop is written down as a *scene*, one element a line, indented by two spaces a level, so
//! that a test reads like a picture of its windows:
//!
//! ```text
//! app gnome-calculator pid=100 toolkit="GTK 4.8.3"
//!   window "Calculator" focused @0,0,360x480
//!     group
//!       button "7" [Click SetFocus] id=seven desc="Digit 7" @10,20,30x30
//!     list recycles
//!       row "Rent" #rent
//!         button "Delete" [Click]
//! ```
//!
//! A line is a role by its canonical token, then a name in quotes (JSON's escapes), then any of
//!
//! * a state by its token: `checked`, `disabled`, `secure`, …; `focused` on a window means that
//!   the window has the user's focus;
//! * `[Click Expand]`: what can be done to the element;
//! * `value=`, `desc=`, `hint=`, `id=` (author's id), `dom=` (web page's id): a bare word or a
//!   quoted text;
//! * `@x,y,WxH`: bounds in screen pixels;
//! * `#label`: the name of the element's hidden identity (see below); one is made up otherwise;
//! * `at=/some/path`: the object of its address; one is made up otherwise;
//! * `count=N`: says that it has N children, of which those in the scene matter now;
//! * `size=60x3`: a table of so many rows and columns; `cell=6,2`: a cell in row 6 and column 2;
//! * `anchored`: a cell of a spreadsheet, which is what its place is; `formula=` what it computes;
//! * `more`: a list that may have rows which its toolkit has not made;
//! * `closed`: a menu that is not open; `closed=unread` has its items only when asked for them;
//! * `lasting`: the address stays with the element, whatever happens, and is never reused;
//! * `surface=menubar`: the surface that it is, where the role does not tell;
//! * `volatile`: the name repeats what the element currently shows;
//! * `minimized`, `maximized`, `fixed`: how the window manager has a window; it does not change one
//!   that is fixed; `unmatched`: nobody knows which of its windows this is;
//! * `labelled`: has no name of its own and is called by the text just before it, if there is one;
//! * `recycles`: addresses belong to places among its children rather than to elements, as in
//!   the list views of GTK 4 and the tab bars of Qt 5;
//! * `nest=N`: a chain of N such elements, each the only child of the one before;
//! * `times=N`: N such elements with all that is below them.
//!
//! An application line is `app NAME` with any of `pid=N`, `bus=:1.5`, `toolkit="…"`, `hung` (never
//! answers) and `reuses` (new elements take the addresses of dead ones). A window that only the
//! display server knows has `opaque="why"`; one whose tree lacks something has `thin="why"`. `display "DP-1" @0,0,1280x1024` adds a display, the
//! first one being the primary. Blank lines and lines that begin with `//` are skipped.
//!
//! Every element carries a [`HiddenId`] that no [`Platform`] method tells: what the element is in
//! the eyes of a person. It stays the same when the element is renamed, moved or gets another
//! address, and it is another one when a row's place shows another row, when the only button of
//! a page goes on to stand for something else, or when an equal element is made anew. Tests ask
//! [`Desktop::identity_at`] what an answer was about.
//!
//! Edits ([`Edit`]) change a live desktop as applications do. [`Limits`] make it misbehave, and
//! [`Manner`] says how its applications take requests.
//!
//! [`Platform`]: agent_desktop_engine::platform::Platform

mod clipboard;
mod desktop;
mod edit;
mod input;
mod operate;
mod platform;
mod programs;
mod scene;

pub use clipboard::Clipboard;
pub use desktop::{Calls, Desktop, HiddenId, Limits};
pub use edit::{Edit, Refused};
pub use operate::{Manner, Received};
pub use programs::{Closing, Installed};
pub use scene::BadScene;
