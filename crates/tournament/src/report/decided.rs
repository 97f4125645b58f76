//! Which rung of a ladder decided a battle of a knockout.

use crate::{
    battle::{Battle, Tally},
    derive::{Occupant, Pairing, State},
    plan::Plan,
    rung::Rung,
};

/// Values are equal if they differ by less than this.
const TOLERANCE: f64 = 1e-6;

/// The rung that decided, if that can be told from what the page knows. `None` while nothing is decided, for a bye, and where a rung
/// decided that is not found out here.
pub fn deciding_rung(plan: &Plan, state: &State, part: usize, stage: usize, pairing: &Pairing) -> Option<Rung> {
    let [Occupant::Team(one), Occupant::Team(other)] = pairing.opponents else { return None };
    let Occupant::Team(winner) = pairing.winner else { return None };
    let ladder = &plan.format.stages.get(stage)?.ties;
    let by_score = ladder.iter().find(|rung| matches!(rung, Rung::Points | Rung::Score)) == Some(&Rung::Score);
    let mut rematch = 0;
    for &rung in ladder {
        if matches!(rung, Rung::Rematch(_)) {
            rematch += 1;
        }
        let nth = if matches!(rung, Rung::Rematch(_)) { rematch } else { 0 };
        let battle = pairing
            .battles
            .iter()
            .filter_map(|&index| state.battles.get(index))
            .find(|battle| battle.place.rematch == nth);
        let value = |team: usize| value(plan, state, (part, stage), rung, by_score, battle, team);
        let (own, theirs) = (value(one)?, value(other)?);
        if (own - theirs).abs() > TOLERANCE || rung.always_decides() {
            let better = if own > theirs { one } else { other };
            // Whatever always decides does so without a value that is known here.
            return (better == winner || matches!(rung, Rung::Coin | Rung::Decision)).then_some(rung);
        }
    }
    None
}

/// What a team has on a rung, the more the better.
fn value(
    plan: &Plan,
    state: &State,
    place: (usize, usize),
    rung: Rung,
    by_score: bool,
    battle: Option<&Battle>,
    team: usize,
) -> Option<f64> {
    let tally = || -> Option<Tally> {
        let battle = battle?;
        Some(battle.tally(usize::from(battle.players[1] == team)))
    };
    let measured = |tally: &Tally| if by_score { tally.score() } else { tally.points };
    Some(match rung {
        Rung::Points => tally()?.points,
        Rung::Score => tally()?.score(),
        Rung::Battles | Rung::HeadToHead | Rung::Rematch(_) => measured(&tally()?),
        Rung::Margin => tally()?.margin,
        Rung::Moves => match tally()?.wins {
            0 => f64::MIN,
            wins => -(tally()?.turns_won as f64 / f64::from(wins)),
        },
        Rung::Group => group_points(plan, state, place, team),
        Rung::Earlier => plan.teams.get(team)?.score.unwrap_or(f64::MIN),
        Rung::Seed => -(plan.seeds().iter().position(|&seed| seed == team)? as f64),
        Rung::Decision | Rung::Coin => 0.0,
        Rung::Combined | Rung::House | Rung::Rating | Rung::Elo => return None,
    })
}

/// The average points of a team in the last group stage before.
fn group_points(plan: &Plan, state: &State, (part, stage): (usize, usize), team: usize) -> f64 {
    let stages = state.parts.get(part).map_or(&[][..], |part| &part.stages);
    let before = stages.iter().zip(&plan.format.stages).take(stage).rev();
    let mut groups = before.filter(|(_, format)| format.kind.system().is_round_robin());
    let rows = groups.next().map(|(state, _)| state.tables.iter().flat_map(|table| &table.rows));
    rows.and_then(|mut rows| rows.find(|row| row.team == team)).map_or(0.0, |row| row.tally.average(row.tally.points))
}
