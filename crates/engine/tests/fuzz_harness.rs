//! The harness of the fuzz targets on inputs from proptest, so that it is compiled and holds.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

#[path = "../../../fuzz/harness.rs"]
mod harness;

use std::fs;

use proptest::prelude::*;

/// Raw bytes, or text in which what matters to the parts under test is frequent.
fn data() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..600),
        r"([\[\]*<>|\\ \n\t0-9a-z`-]|\PC){0,200}".prop_map(String::into_bytes),
    ]
}

proptest! {
    #[test]
    fn what_is_printed_keeps_its_grammar(data in data()) {
        harness::rendering(&data);
    }

    #[test]
    fn hostile_text_is_escaped(data in data()) {
        harness::escaping(&data);
    }

    #[test]
    fn a_difference_leads_from_the_old_text_to_the_new(data in data()) {
        harness::diffing(&data);
    }

    #[test]
    fn a_cut_is_honest(data in data()) {
        harness::cutting(&data);
    }

    #[test]
    fn tables_are_grids(data in data()) {
        harness::table(&data);
    }
}

#[test]
fn every_target_runs_its_part_of_the_harness() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz");
    let manifest = fs::read_to_string(format!("{folder}/Cargo.toml")).expect("the manifest");
    for (name, run) in harness::TARGETS {
        run(b"");
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
        let target = fs::read_to_string(format!("{folder}/fuzz_targets/{name}.rs")).expect("the target");
        assert!(target.contains("harness.rs"), "{name}");
    }
    let targets = fs::read_dir(format!("{folder}/fuzz_targets"))
        .expect("the targets")
        .count();
    assert_eq!(targets, harness::TARGETS.len());
}
