//! A scripted desktop in memory.
