//! Which of the standard streams the caller has closed. The runtime of Rust opens /dev/null in their
//! place before `main`, so that answers would vanish and empty input would be read: it is looked at
//! before that.

use std::{
    os::fd::BorrowedFd,
    sync::atomic::{AtomicBool, Ordering},
};

static INPUT: AtomicBool = AtomicBool::new(false);
static OUTPUT: AtomicBool = AtomicBool::new(false);

/// Whether standard input was closed.
pub(crate) fn input() -> bool {
    INPUT.load(Ordering::Relaxed)
}

/// Whether standard output was.
pub(crate) fn output() -> bool {
    OUTPUT.load(Ordering::Relaxed)
}

/// The C library calls what is listed in this section before it calls `main`.
#[used]
#[expect(unsafe_code, reason = "nothing safe is called before the runtime")]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

extern "C" fn look() {
    let is_closed = |stream: BorrowedFd<'_>| rustix::io::fcntl_getfd(stream).is_err();
    INPUT.store(is_closed(rustix::stdio::stdin()), Ordering::Relaxed);
    OUTPUT.store(is_closed(rustix::stdio::stdout()), Ordering::Relaxed);
}
