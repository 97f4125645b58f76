//! Names under which teams are published, so that nobody is known by them.

use sha2::{Digest, Sha256};

const FIRST: &str = "Amber Azure Brisk Calm Clever Copper Coral Crimson Daring Eager Early Emerald Gentle Golden Grand Hidden Humble Indigo \
    Ivory Jolly Keen Lively Lone Lucky Lunar Marble Mellow Merry Misty Noble Olive Patient Pearl Plain Proud Quick Quiet Rapid Ruby \
    Rustic Scarlet Sharp Silent Silver Solar Steady Stone Sunny Swift Tidy Twin Velvet Violet Vivid Warm Wild Winter Wise";
const SECOND: &str = "Albatross Antelope Badger Beaver Bison Bittern Camel Cheetah Condor Coyote Crane Curlew Dolphin Eagle Egret Falcon \
    Ferret Finch Fox Gazelle Gecko Heron Hornbill Ibex Ibis Jackal Jaguar Kestrel Kite Koala Lark Lemur Leopard Linnet Lynx Magpie \
    Marmot Marten Mongoose Moose Newt Ocelot Oriole Otter Owl Panda Panther Pelican Plover Puffin Quail Raven Robin Seal Sparrow \
    Stoat Stork Swan Tapir Tern Tiger Toucan Turtle Vole Walrus Weasel Wren Yak Zebra";

/// A name that is not taken. It follows from the seed, which must be a secret: otherwise whoever guesses a team's name could check
/// the guess.
pub(crate) fn pseudonym(seed: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let (first, second): (Vec<&str>, Vec<&str>) =
        (FIRST.split_whitespace().collect(), SECOND.split_whitespace().collect());
    let digest = Sha256::digest(seed.as_bytes());
    let number = digest[..8].iter().fold(0_u64, |number, &byte| number << 8 | u64::from(byte)) as usize;
    let all = first.len() * second.len();
    for step in 0..all {
        let place = (number % all + step) % all;
        let name = format!("{} {}", first[place / second.len()], second[place % second.len()]);
        if !is_taken(&name) {
            return name;
        }
    }
    // More teams than there are names.
    (2..)
        .map(|count| format!("{} {} {count}", first[number % first.len()], second[number % second.len()]))
        .find(|name| !is_taken(name))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_team_has_a_name_of_its_own() {
        let mut names = std::collections::HashSet::new();
        for team in 0..5000 {
            let name = pseudonym(&format!("secret {team}"), |name| names.contains(name));
            assert!(names.insert(name));
        }
    }
}
