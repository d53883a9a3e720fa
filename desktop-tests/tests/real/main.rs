//! The program under test against real applications and the misbehaving peer, each test on a
//! private desktop of its own.

mod harness;
