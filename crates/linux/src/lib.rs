//! agent-desktop on Linux.
