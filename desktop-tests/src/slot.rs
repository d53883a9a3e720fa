//! How many tests may have a desktop at the same time: toolkits animate and time out, so a test
//! is only as steady as the processor time it gets.

use std::sync::{Condvar, Mutex, PoisonError};

const SLOTS: usize = 2;

static TAKEN: Mutex<usize> = Mutex::new(0);
static FREED: Condvar = Condvar::new();

/// The right to have desktops; given back when dropped.
#[derive(Debug)]
pub(crate) struct Slot;

impl Slot {
    pub(crate) fn take() -> Self {
        let taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        let mut taken = FREED
            .wait_while(taken, |taken| *taken >= SLOTS)
            .unwrap_or_else(PoisonError::into_inner);
        *taken += 1;
        Self
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        *TAKEN.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        FREED.notify_one();
    }
}
