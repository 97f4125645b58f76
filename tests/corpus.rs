//! The kept inputs of the fuzz targets, tried without a fuzzer: what was once found stays mended.

use std::{fs, panic, path::Path};

#[path = "../fuzz/properties/archives.rs"]
mod archives;
#[path = "../fuzz/properties/positions.rs"]
mod positions;
#[path = "../fuzz/properties/probe.rs"]
mod probe;
#[path = "../fuzz/properties/records.rs"]
mod records;
#[path = "../fuzz/properties/setup.rs"]
mod setup;
#[path = "../fuzz/properties/turns.rs"]
mod turns;
#[path = "../fuzz/properties/wire.rs"]
mod wire;

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus");

/// What is to hold for any input of a target.
type Property = fn(&[u8]);

/// Every target; a new one is added here and to `fuzz/Cargo.toml`.
const TARGETS: [(&str, Property); 6] = [
    ("archives", archives::holds),
    ("positions", positions::holds),
    ("probe", probe::holds),
    ("records", records::holds),
    ("turns", turns::holds),
    ("wire", wire::holds),
];

#[test]
fn every_kept_input_holds() {
    for (target, holds) in TARGETS {
        let inputs = fs::read_dir(Path::new(CORPUS).join(target)).expect("a corpus");
        let paths: Vec<_> = inputs.map(|entry| entry.expect("an entry").path()).collect();
        assert!(!paths.is_empty(), "{target}: no kept inputs");
        for path in paths {
            let input = fs::read(&path).expect("an input");
            assert!(panic::catch_unwind(|| holds(&input)).is_ok(), "{target}: {} does not hold", path.display());
        }
    }
}

#[test]
fn every_target_is_tried() {
    let targets = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/fuzz_targets");
    let mut names: Vec<String> = fs::read_dir(targets)
        .expect("the targets")
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    assert_eq!(names, TARGETS.map(|(name, _)| name.to_owned()));
}
