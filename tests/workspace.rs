//! CONTRIBUTING's map is true: every crate is on it, and depends on what it says there.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The crates below `crates`, and the folders of games, as the map calls them.
fn folders(of: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(Path::new(ROOT).join(of)).expect("a folder");
    let names = entries.filter_map(|entry| entry.expect("an entry").file_name().into_string().ok());
    names.filter(|name| Path::new(ROOT).join(of).join(name).join("Cargo.toml").is_file()).collect()
}

/// What a manifest needs of this workspace, tests apart; `game` is what stands for each of the games.
fn needs(manifest: &str) -> BTreeSet<String> {
    let games = folders("games");
    let dependencies = manifest.split("\n[").find(|section| section.starts_with("dependencies]")).unwrap_or_default();
    let names = dependencies.lines().filter_map(|line| line.strip_prefix("agon-")?.split(['.', ' ']).next());
    let place = |name: &str| match name {
        "all" => "games/all".to_owned(),
        name if games.contains(name) => "games/*".to_owned(),
        name => name.to_owned(),
    };
    names.map(place).collect()
}

/// The lines of the block of code behind a sentence.
fn block<'a>(text: &'a str, sentence: &str) -> Vec<&'a str> {
    let behind = text.split_once(sentence).unwrap_or_else(|| panic!("CONTRIBUTING has no '{sentence}'")).1;
    behind.split("```").nth(1).expect("a block of code").lines().filter(|line| !line.is_empty()).collect()
}

#[test]
fn every_crate_is_on_the_map() {
    let text = read("CONTRIBUTING.md");
    let named = block(&text, "## Where things are")
        .into_iter()
        .filter_map(|line| line.strip_prefix("crates/")?.split_whitespace().next().map(str::to_owned));
    assert_eq!(named.collect::<BTreeSet<_>>(), folders("crates"));
}

#[test]
fn crates_need_what_the_map_says() {
    let text = read("CONTRIBUTING.md");
    let said: BTreeMap<String, BTreeSet<String>> = block(&text, "Dependencies point one way")
        .into_iter()
        .map(|line| {
            let mut words = line.split_whitespace().map(str::to_owned);
            (words.next().expect("a crate"), words.collect())
        })
        .collect();
    let mut found = BTreeMap::new();
    for name in folders("crates") {
        let needs = needs(&read(&format!("crates/{name}/Cargo.toml")));
        if !needs.is_empty() {
            found.insert(name, needs);
        }
    }
    for name in folders("games") {
        let needs = needs(&read(&format!("games/{name}/Cargo.toml")));
        let place = if name == "all" { "games/all" } else { "games/*" };
        found.entry(place.to_owned()).or_insert_with(BTreeSet::new).extend(needs);
    }
    // The command needs whatever there is to call.
    assert_eq!(said["cli"], BTreeSet::from(["everything".to_owned()]));
    found.remove("cli");
    let said: BTreeMap<_, _> = said.into_iter().filter(|(name, _)| name != "cli").collect();
    assert_eq!(said, found, "CONTRIBUTING and the manifests differ");
}
