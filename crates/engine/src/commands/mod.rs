//! One file a command: its doc comment is the manual, its `Args` the flags, and `run` returns
//! what is printed.
