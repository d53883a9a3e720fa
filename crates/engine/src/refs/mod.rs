//! Refs: the evidence that is saved of an element, and how it finds that element again.
