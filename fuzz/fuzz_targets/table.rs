//! See `table` in the harness.
#![no_main]

#[path = "../harness.rs"]
#[allow(dead_code, reason = "each target runs its own part")]
mod harness;

libfuzzer_sys::fuzz_target!(|data: &[u8]| harness::table(data));
