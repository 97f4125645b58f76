//! Each team against the same house bots.

use std::collections::HashMap;

use agon_rules::quote;
use serde::{Deserialize, Serialize};

use super::{Key, StageKind, System, Takes, Word};
use crate::{
    battle::{Battle, Spot},
    derive::{Contest, Derivation, Progress, StageSetup},
    forecast::{Extent, Wave},
    format::TieBreaks,
    plan::Plan,
    rung::Rung,
    source::{FormatError, StageReader},
};

pub(super) const WORD: Word = Word { word: "gauntlet", keys: &[Key { name: "house", takes: Takes::Words }], read };

/// Each team against each of these house bots.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gauntlet {
    /// Their names.
    pub house: Vec<String>,
}

fn read(stage: &StageReader) -> Result<StageKind, FormatError> {
    let Some(house) = stage.words("house") else {
        return stage.wrong("a gauntlet needs house = [\"aggressive\", …]: the house bots to play against");
    };
    let names = agon_house::NAMES;
    let wrong = |problem: String| stage.wrong_at("house", format!("house: {problem}"));
    if let Some(unknown) = house.iter().find(|name| !names.contains(&name.as_str())) {
        return wrong(format!("expected house bots ({}), found {}", names.join(", "), quote(unknown)));
    }
    if let Some((_, name)) = house.iter().enumerate().find(|(i, name)| house[..*i].contains(name)) {
        return wrong(format!("{} is there twice; say matches = N for more matches", quote(name)));
    }
    if house.is_empty() {
        return wrong("expected at least one house bot".to_owned());
    }
    Ok(StageKind::Gauntlet(Gauntlet { house: house.to_vec() }))
}

impl System for Gauntlet {
    fn word(&self) -> &'static str {
        WORD.word
    }

    fn usual_ties(&self) -> TieBreaks {
        vec![Rung::Points, Rung::House, Rung::Coin]
    }

    fn derive(&self, derivation: &mut Derivation, setup: &StageSetup) -> Progress {
        let begin = derivation.battles.len();
        let plan = derivation.plan;
        let bots = self.columns(plan, &setup.entrants);
        for (i, &team) in setup.entrants.iter().enumerate() {
            for (j, &bot) in bots.iter().enumerate() {
                let index = i * bots.len() + j;
                let place = derivation.place(setup, Spot::Group { group: 0, battle: index }, 0);
                derivation.battle(place, index, [team, bot], setup.clock);
            }
        }
        let battles = (begin, derivation.battles.len());
        let contest = Contest::new(setup, derivation.occasion(setup, "table"), battles, &|_, _| None);
        let (table, order) = derivation.table(&contest, &setup.entrants);
        let house = order.as_ref().map(|_| house_points(&derivation.battles[battles.0..battles.1]));
        derivation.numbers = derivation.numbers.after(setup.entrants.len() * bots.len());
        derivation.close(setup, begin, vec![table], order.map(|order| vec![order]), house.unwrap_or_default())
    }

    fn extent(&self, teams: usize, _: &[usize], advance: usize) -> Extent {
        Extent::of_one_table(vec![Wave { battles: teams * self.house.len(), times: 1 }], teams, advance)
    }

    fn words(&self) -> String {
        format!("every team meets the house bots {}.", self.house.join(", "))
    }

    fn house_bots(&self) -> &[String] {
        &self.house
    }

    fn columns(&self, plan: &Plan, _: &[usize]) -> Vec<usize> {
        let known = plan.house();
        let number = |name: &String| known.iter().position(|known| known == name);
        self.house.iter().filter_map(number).map(|bot| plan.teams.len() + bot).collect()
    }
}

/// What the house bots won against each team.
fn house_points(battles: &[Battle]) -> HashMap<usize, f64> {
    let mut points: HashMap<usize, f64> = HashMap::new();
    for battle in battles {
        *points.entry(battle.players[0]).or_default() += battle.tally(1).points;
    }
    points
}
