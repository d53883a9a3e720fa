//! Where our tree and libatspi's differ for a known cause.

/// So many elements of a role that only one of the two has, role and name taken together.
#[derive(Debug)]
pub(crate) struct Accepted {
    pub(crate) toolkit: &'static str,
    pub(crate) role: &'static str,
    pub(crate) count: usize,
    pub(crate) cause: &'static str,
}

pub(crate) const ACCEPTED: &[Accepted] = &[];
