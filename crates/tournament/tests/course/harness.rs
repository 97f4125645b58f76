//! Plays plans with made-up results, in any order, and watches that nothing is ever taken back.

use std::collections::{BTreeSet, HashMap, HashSet};

use agon_rules::{Side, Verdict, keys::mix};
use agon_tournament::{
    Battle, Deriver, Half, Interventions, Outcome, Place, Plan, Results, Rung, Secret, Spot, Standing, State, Team,
    read,
};

/// A plan of so many teams, `t1`, `t2` and so on, for a format without its head.
pub(crate) fn plan(format: &str, teams: usize) -> Plan {
    let game = agon_all::GAMES[0].name();
    let text = format!("title = \"Test\"\ngame = \"{game}\"\n{format}");
    let format = read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")).format;
    let teams = (1..=teams).map(|number| team(&format!("t{number}"))).collect();
    Plan { format, teams, seed: 1, secret: Secret("a secret".to_owned()) }
}

fn team(name: &str) -> Team {
    Team {
        name: name.to_owned(),
        bot: "random".to_owned(),
        hash: String::new(),
        language: "rust".to_owned(),
        score: None,
        house: None,
        broken: None,
        more: Vec::new(),
    }
}

/// What becomes of a match.
pub(crate) type Oracle<'a> = &'a dyn Fn(&Battle, &Half) -> Outcome;

/// A win of a side with one point, or a draw with half a point each.
pub(crate) fn outcome(winner: Option<Side>) -> Outcome {
    let verdict = winner.map_or(Verdict::Drawn, Verdict::Won);
    let points = match winner {
        None => [0.5, 0.5],
        Some(Side::First) => [1.0, 0.0],
        Some(Side::Second) => [0.0, 1.0],
    };
    Outcome { verdict, points, turns: 40, margins: None, forfeit: false }
}

/// The player with the lower number wins, so that house bots always lose.
pub(crate) fn lower_wins(battle: &Battle, half: &Half) -> Outcome {
    let [first, second] = Side::BOTH.map(|side| battle.players[half.seat(side)]);
    outcome(Some(if first < second { Side::First } else { Side::Second }))
}

pub(crate) fn all_drawn(_: &Battle, _: &Half) -> Outcome {
    outcome(None)
}

pub(crate) fn first_side_wins(_: &Battle, _: &Half) -> Outcome {
    outcome(Some(Side::First))
}

/// Anything, but the same for the same match. Points are tenths, whose sums are not exact.
pub(crate) fn anything(battle: &Battle, half: &Half) -> Outcome {
    let value = mix(u64::from(half.number) << 8 | u64::from(half.half)) ^ mix(battle.players[0] as u64);
    let winner = [None, Some(Side::First), Some(Side::Second)][(mix(value) % 3) as usize];
    let points = [(value >> 8) % 11, (value >> 16) % 11].map(|tenths| tenths as f64 / 10.0);
    Outcome {
        verdict: winner.map_or(Verdict::Drawn, Verdict::Won),
        points,
        turns: (value >> 24) as u32 % 90 + 10,
        margins: None,
        forfeit: false,
    }
}

/// In which order matches are played.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Order {
    /// All that can be played, then the next ones.
    Waves,
    /// Some of what can be played, in the order of a lot.
    Pieces(u64),
    /// One match after another, always the first that can be played.
    First,
    /// One match after another, always the last that can be played.
    Last,
    /// One match after another, by lot.
    Lot(u64),
}

impl Order {
    fn choose(self, open: Vec<(Battle, Half)>, round: u64) -> Vec<(Battle, Half)> {
        let last = open.len() - 1;
        let one = |index: usize| vec![open[index].clone()];
        match self {
            Order::Waves => open,
            Order::First => one(0),
            Order::Last => one(last),
            Order::Lot(seed) => one((mix(seed ^ mix(round)) % open.len() as u64) as usize),
            Order::Pieces(seed) => {
                let lot = |half: &Half| mix(seed ^ mix(round) ^ mix(u64::from(half.number)) ^ u64::from(half.half)) % 2;
                let some: Vec<_> = open.iter().filter(|(_, half)| lot(half) == 0).cloned().collect();
                if some.is_empty() { one(last) } else { some }
            }
        }
    }
}

/// A tournament that is being played.
pub(crate) struct Game<'a> {
    pub plan: &'a Plan,
    pub deriver: Deriver<'a>,
    pub interventions: Interventions,
    pub results: Results,
    pub state: State,
    round: u64,
}

impl<'a> Game<'a> {
    pub(crate) fn new(plan: &'a Plan) -> Game<'a> {
        let deriver = Deriver::new(plan);
        let state = deriver.derive(&Interventions::default(), &Results::new());
        let game =
            Game { plan, deriver, interventions: Interventions::default(), results: Results::new(), state, round: 0 };
        check(&game);
        game
    }

    /// Plays what comes next in this order; says whether there was anything.
    pub(crate) fn step(&mut self, oracle: Oracle, order: Order) -> bool {
        let open: Vec<(Battle, Half)> = self
            .state
            .open()
            .flat_map(|battle| battle.halves.iter().map(|half| (battle.clone(), *half)))
            .filter(|(_, half)| half.outcome.is_none())
            .collect();
        if open.is_empty() {
            return false;
        }
        self.round += 1;
        for (battle, half) in order.choose(open, self.round) {
            self.results.insert((half.number, half.half), oracle(&battle, &half));
        }
        self.look();
        true
    }

    /// Derives the state anew after results or interventions, and compares it with the one before.
    pub(crate) fn look(&mut self) {
        let after = self.deriver.derive(&self.interventions, &self.results);
        only_adds(&self.state, &after);
        self.state = after;
        check(self);
    }

    /// Plays to the end.
    pub(crate) fn finish(&mut self, oracle: Oracle, order: Order) {
        while self.step(oracle, order) {}
        assert!(self.state.is_over(), "it does not end: {:?}", self.state.undecided);
        everybody_is_placed(self);
    }

    pub(crate) fn standings(&self) -> &[Standing] {
        self.state.standings.as_ref().expect("it is over")
    }

    /// Places by team.
    pub(crate) fn places(&self) -> Vec<usize> {
        let mut places = vec![0; self.plan.teams.len()];
        self.standings().iter().for_each(|standing| places[standing.team] = standing.place);
        places
    }

    /// Marks by team.
    pub(crate) fn marks(&self) -> Vec<f64> {
        let mut marks = vec![0.0; self.plan.teams.len()];
        self.standings().iter().for_each(|standing| marks[standing.team] = standing.marks.expect("marks"));
        marks
    }
}

/// Plays a whole tournament.
pub(crate) fn play<'a>(plan: &'a Plan, oracle: Oracle, order: Order) -> Game<'a> {
    let mut game = Game::new(plan);
    game.finish(oracle, order);
    game
}

/// Whatever was known before is still known.
fn only_adds(before: &State, after: &State) {
    let battles: HashMap<Place, &Battle> = after.battles.iter().map(|battle| (battle.place, battle)).collect();
    for old in &before.battles {
        let new = battles.get(&old.place).unwrap_or_else(|| panic!("{} is gone", old.place));
        assert_eq!((old.players, old.clock), (new.players, new.clock), "{} changed", old.place);
        for (old, new) in old.halves.iter().zip(&new.halves) {
            // Whoever won only because the opponent was out may leave before anything was paired by that.
            let forfeited = |half: &Half| half.outcome.is_some_and(|outcome| outcome.forfeit);
            let lost_by_both = new.outcome.is_some_and(|outcome| outcome.verdict == Verdict::BothLost);
            if old.outcome.is_some()
                && old.attempt == new.attempt
                && !(forfeited(old) && forfeited(new) && lost_by_both)
            {
                assert_eq!(old, new, "a result changed");
            }
        }
    }
    for toss in &before.tosses {
        assert!(after.tosses.contains(toss), "the coin of {} was tossed again", toss.occasion);
    }
    for (old, new) in before.parts.iter().zip(&after.parts) {
        assert_eq!(old.entrants, new.entrants);
        for (old, new) in old.stages.iter().zip(&new.stages) {
            assert_eq!(old.entrants, new.entrants);
            let decided = old.tables.iter().zip(&new.tables).filter(|(old, _)| old.decided);
            decided.for_each(|(old, new)| assert_eq!(old, new, "a decided table changed"));
        }
        assert!(old.ranking.is_none() || old.ranking == new.ranking);
    }
}

/// What holds at any time.
fn check(game: &Game) {
    let (mut places, mut numbers) = (HashSet::new(), HashSet::new());
    for battle in &game.state.battles {
        assert!(places.insert(battle.place), "{} is there twice", battle.place);
        assert_ne!(battle.players[0], battle.players[1], "{}", battle.place);
        assert_eq!(battle.halves.len(), game.plan.format.matches as usize);
        for half in &battle.halves {
            assert!(numbers.insert((half.number, half.half)), "{}: number {} is used twice", battle.place, half.number);
        }
    }
    if game.interventions.void.is_empty() {
        let orphans = game.results.keys().filter(|key| !numbers.contains(key)).count();
        assert_eq!(orphans, 0, "matches were played for nothing");
    }
}

/// Everybody has one place in each part that he plays in, and one in the end; equals share the best of their places.
fn everybody_is_placed(game: &Game) {
    for part in &game.state.parts {
        let ranking = part.ranking.as_ref().expect("it is over");
        let placed: Vec<usize> = ranking.iter().flat_map(|(_, teams)| teams.clone()).collect();
        assert_eq!(placed.len(), part.entrants.len());
        let set = |teams: &[usize]| teams.iter().copied().collect::<BTreeSet<_>>();
        assert_eq!(set(&placed), set(&part.entrants));
    }
    let standings = game.standings();
    let teams: BTreeSet<usize> = standings.iter().map(|standing| standing.team).collect();
    assert_eq!((standings.len(), teams.len()), (game.plan.teams.len(), game.plan.teams.len()));
    for standing in standings {
        let before = standings.iter().filter(|other| other.place < standing.place).count();
        assert_eq!(standing.place, before + 1, "{standing:?}");
    }
    let sorted = standings.windows(2).all(|pair| pair[0].place <= pair[1].place);
    assert!(sorted, "the best stand first");
}

/// How many battles of the state are rematches.
pub(crate) fn rematches(state: &State) -> usize {
    state.battles.iter().filter(|battle| battle.place.rematch > 0).count()
}

/// Who met in a round of a bracket, by the number of places left.
pub(crate) fn round(state: &State, of: usize) -> Vec<[usize; 2]> {
    let here = |battle: &&Battle| matches!(battle.place.spot, Spot::Bracket { of: left, .. } if left == of);
    state.battles.iter().filter(here).filter(|battle| battle.place.rematch == 0).map(|battle| battle.players).collect()
}

/// Whether a ladder holds a rematch, for those who ask a plan.
pub(crate) fn has_rematches(plan: &Plan) -> bool {
    plan.format.stages.iter().flat_map(|stage| &stage.ties).any(|rung| matches!(rung, Rung::Rematch(_)))
}
