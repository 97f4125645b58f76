//! Who is before whom, by points and tie-breaks.

use std::{cell::OnceCell, collections::HashMap};

use agon_rating::MatchResult;
use agon_rules::{Side, Verdict};

use super::{Derivation, StageSetup, Toss};
use crate::{
    battle::{Battle, Place, Spot, Tally},
    format::TieBreaks,
    quick::{QuickMap, QuickSet},
    rung::Rung,
};

/// A table or a battle in which teams are compared.
pub(crate) struct Contest<'a> {
    setup: &'a StageSetup<'a>,
    /// What it is called when a coin is tossed.
    occasion: String,
    /// Its battles: a range of [`Derivation::battles`].
    pub(super) battles: (usize, usize),
    /// The first battle of a pair of teams: its index in the stage and its spot, for rematches.
    meeting: &'a dyn Fn(usize, usize) -> Option<(usize, Spot)>,
    /// Which battles are whose, as soon as somebody asks.
    played: OnceCell<QuickMap<usize, Vec<usize>>>,
}

impl<'a> Contest<'a> {
    pub(crate) fn new(
        setup: &'a StageSetup<'a>,
        occasion: String,
        battles: (usize, usize),
        meeting: &'a dyn Fn(usize, usize) -> Option<(usize, Spot)>,
    ) -> Contest<'a> {
        Contest { setup, occasion, battles, meeting, played: OnceCell::new() }
    }

    /// The battles of a team: indices of [`Derivation::battles`].
    fn played(&self, all: &[Battle], team: usize) -> &[usize] {
        let played = self.played.get_or_init(|| {
            let mut played: QuickMap<usize, Vec<usize>> = QuickMap::default();
            for (index, battle) in all[..self.battles.1].iter().enumerate().skip(self.battles.0) {
                battle.players.iter().for_each(|&player| played.entry(player).or_default().push(index));
            }
            played
        });
        played.get(&team).map_or(&[], Vec::as_slice)
    }

    /// What everybody of a class won against the others of it, as far as battles are won by it.
    fn between(&self, all: &[Battle], class: &[usize], measure: Rung) -> Tallies {
        let tied: QuickSet<usize> = class.iter().copied().collect();
        let mut tallies = Tallies::new(measure);
        for &team in class {
            let tally = tallies.all.entry(team).or_default();
            for battle in self.played(all, team).iter().map(|&index| &all[index]) {
                if battle.players.iter().all(|player| tied.contains(player)) {
                    tally.add(&battle.tally(usize::from(battle.players[1] == team)));
                }
            }
        }
        tallies
    }
}

/// Teams in order, the best first; those that stay tied stand together.
pub(crate) type Order = Vec<Vec<usize>>;

/// Values are compared in so many steps of one: sums of decimals are not exact.
const STEPS: f64 = 1e6;

impl Derivation<'_> {
    /// The teams in order, those that stay tied together; those that did not start share the last place. `None` if battles or
    /// decisions are missing.
    pub(crate) fn order(&mut self, contest: &Contest, teams: Vec<usize>, tallies: &Tallies) -> Option<Order> {
        let (absent, present): (Vec<usize>, Vec<usize>) =
            teams.into_iter().partition(|&team| self.did_not_start(team, &tallies.of(team)));
        let mut order = self.refine(contest, tallies, vec![present], 0)?;
        order.push(absent);
        order.retain(|class| !class.is_empty());
        Some(order)
    }

    /// What the battles of a contest brought everybody.
    pub(crate) fn tallies(&self, contest: &Contest) -> Tallies {
        let mut tallies = Tallies::new(measure(&contest.setup.stage.ties));
        tallies.extend(&self.battles[contest.battles.0..contest.battles.1]);
        tallies
    }

    fn refine(&mut self, contest: &Contest, tallies: &Tallies, classes: Order, rung: usize) -> Option<Order> {
        let ties = &contest.setup.stage.ties;
        let Some(&next) = ties.get(rung) else { return Some(classes) };
        let mut refined = Vec::new();
        // Everything that is missing is asked for at once, so that it can be played at once.
        let mut complete = true;
        for class in classes {
            if class.len() < 2 {
                refined.push(class);
                continue;
            }
            let nth = ties[..rung].iter().filter(|rung| matches!(rung, Rung::Rematch(_))).count() + 1;
            match self.split(contest, tallies, class, next, nth) {
                Some(split) => match self.refine(contest, tallies, split, rung + 1) {
                    Some(split) => refined.extend(split),
                    None => complete = false,
                },
                None => complete = false,
            }
        }
        complete.then_some(refined)
    }

    /// Splits those that are tied by one rung.
    fn split(
        &mut self,
        contest: &Contest,
        tallies: &Tallies,
        class: Vec<usize>,
        rung: Rung,
        nth_rematch: usize,
    ) -> Option<Order> {
        let of = |team: usize| tallies.of(team);
        let earlier = contest.setup.earlier;
        let measure = measure(&contest.setup.stage.ties);
        let value: Box<dyn Fn(usize) -> f64> = match rung {
            Rung::Points => Box::new(move |team| of(team).average(of(team).points)),
            Rung::Score => Box::new(move |team| of(team).average(of(team).score())),
            Rung::Battles => Box::new(move |team| of(team).battle_score / f64::from(of(team).battles.max(1))),
            Rung::Margin => Box::new(move |team| of(team).average(of(team).margin)),
            Rung::Moves => Box::new(move |team| match of(team).wins_played {
                0 => f64::NEG_INFINITY,
                wins => -(of(team).turns_won as f64 / f64::from(wins)),
            }),
            Rung::House => {
                let entered = |team: usize| self.plan.teams.get(team).and_then(|team| team.house).unwrap_or(0.0);
                let here = self.house_points(contest);
                Box::new(move |team| {
                    -here.get(&team).or_else(|| earlier.house.get(&team)).copied().unwrap_or_else(|| entered(team))
                })
            }
            Rung::Group => Box::new(move |team| earlier.groups.get(&team).copied().unwrap_or(0.0)),
            Rung::Earlier => {
                Box::new(|team| self.plan.teams.get(team).and_then(|team| team.score).unwrap_or(f64::NEG_INFINITY))
            }
            Rung::Seed => Box::new(|team| -(self.constants.seed_of.get(team).copied().unwrap_or(usize::MAX) as f64)),
            Rung::HeadToHead => {
                let tallies = contest.between(&self.battles, &class, measure);
                Box::new(move |team| tallies.measured(team))
            }
            Rung::Combined => {
                let ranks = combined(&self.battles[contest.battles.0..contest.battles.1]);
                Box::new(move |team| -ranks.get(&team).copied().unwrap_or(f64::INFINITY))
            }
            Rung::Elo => {
                let elo = crate::ratings::elo(self.plan, self.battles[contest.battles.0..contest.battles.1].iter());
                Box::new(move |team| elo.get(&team).copied().unwrap_or(f64::NEG_INFINITY))
            }
            Rung::Rating => {
                let battles = &self.battles[contest.battles.0..contest.battles.1];
                let ratings = crate::ratings::values(self.plan, battles);
                Box::new(move |team| ratings.get(&team).copied().unwrap_or(f64::NEG_INFINITY))
            }
            Rung::Rematch(clock) => {
                let tallies = self.rematches(contest, &class, clock, nth_rematch)?;
                return Some(sorted(class, |team| tallies.measured(team)));
            }
            Rung::Decision => return self.decided(class),
            Rung::Coin => return Some(self.toss(contest, class)),
        };
        let split = sorted(class, value);
        Some(split)
    }

    /// Plays those that are tied against each other once more.
    fn rematches(
        &mut self,
        contest: &Contest,
        class: &[usize],
        clock: agon_referee::TimeControl,
        nth: usize,
    ) -> Option<Tallies> {
        let begin = self.battles.len();
        let pairs =
            class.iter().enumerate().flat_map(|(i, &one)| class[i + 1..].iter().map(move |&other| [one, other]));
        let mut meetings: Vec<((usize, Spot), [usize; 2])> =
            pairs.filter_map(|pair| (contest.meeting)(pair[0], pair[1]).map(|met| (met, pair))).collect();
        // In the order of their numbers, like all battles.
        meetings.sort_by_key(|((index, _), _)| *index);
        for ((index, spot), players) in meetings {
            let place: Place = self.place(contest.setup, spot, nth);
            self.battle(place, index, players, clock);
        }
        let played = &self.battles[begin..];
        let mut tallies = Tallies::new(measure(&contest.setup.stage.ties));
        tallies.extend(played);
        played.iter().all(Battle::is_over).then_some(tallies)
    }

    fn decided(&mut self, class: Vec<usize>) -> Option<Order> {
        let same = |order: &&Vec<usize>| order.len() == class.len() && class.iter().all(|team| order.contains(team));
        // The same teams may be tied again in a later stage or part: then the organiser is asked again.
        let fresh = |(index, order): &(usize, &Vec<usize>)| !self.decisions_used.contains(index) && same(order);
        let interventions = self.interventions;
        if let Some((index, order)) = interventions.decisions.iter().enumerate().find(fresh) {
            self.decisions_used.push(index);
            return Some(order.iter().map(|&team| vec![team]).collect());
        }
        self.undecided.push(class);
        None
    }

    fn toss(&mut self, contest: &Contest, class: Vec<usize>) -> Order {
        let mut order = class;
        order.sort_by_cached_key(|&team| {
            std::cmp::Reverse(self.plan.secret.lot(&contest.occasion, self.plan.name(team)))
        });
        self.tosses.push(Toss { occasion: contest.occasion.clone(), order: order.clone() });
        order.into_iter().map(|team| vec![team]).collect()
    }

    /// What house bots scored against each team in this contest.
    fn house_points(&self, contest: &Contest) -> HashMap<usize, f64> {
        let mut points: HashMap<usize, f64> = HashMap::new();
        for battle in &self.battles[contest.battles.0..contest.battles.1] {
            if battle.players[1] >= self.plan.teams.len() {
                *points.entry(battle.players[0]).or_default() += battle.tally(1).points;
            }
        }
        points
    }
}

/// What a battle is won by: the first of the two among the tie-breaks.
pub(crate) fn measure(ties: &TieBreaks) -> Rung {
    let found = ties.iter().find(|rung| matches!(rung, Rung::Points | Rung::Score));
    found.copied().unwrap_or(Rung::Points)
}

/// What battles brought everybody in them.
pub(crate) struct Tallies {
    /// What battles are won by.
    measure: Rung,
    all: QuickMap<usize, Tally>,
}

impl Tallies {
    pub(crate) fn new(measure: Rung) -> Tallies {
        Tallies { measure, all: QuickMap::default() }
    }

    pub(crate) fn extend<'a>(&mut self, battles: impl IntoIterator<Item = &'a Battle>) {
        for battle in battles {
            let mut pair = [battle.tally(0), battle.tally(1)];
            if battle.is_over() {
                let value = |tally: &Tally| if self.measure == Rung::Score { tally.score() } else { tally.points };
                let lost_by_both = pair.iter().all(|tally| tally.losses() == tally.matches);
                let scores = match comparable(value(&pair[0])).cmp(&comparable(value(&pair[1]))) {
                    _ if lost_by_both => (0.0, 0.0),
                    std::cmp::Ordering::Greater => (1.0, 0.0),
                    std::cmp::Ordering::Equal => (0.5, 0.5),
                    std::cmp::Ordering::Less => (0.0, 1.0),
                };
                (pair[0].battle_score, pair[1].battle_score) = scores;
            }
            for (seat, tally) in pair.iter().enumerate() {
                self.all.entry(battle.players[seat]).or_default().add(tally);
            }
        }
    }

    pub(crate) fn of(&self, team: usize) -> Tally {
        self.all.get(&team).copied().unwrap_or_default()
    }

    /// The average of what battles are won by.
    fn measured(&self, team: usize) -> f64 {
        let tally = self.of(team);
        tally.average(if self.measure == Rung::Score { tally.score() } else { tally.points })
    }
}

/// The places of everybody in every single game, added: a game is an opponent and a side. Those that are tied in a game share the
/// mean of their places.
fn combined(battles: &[Battle]) -> HashMap<usize, f64> {
    let mut games: HashMap<(usize, Side, u32), Vec<(usize, f64)>> = HashMap::new();
    for battle in battles {
        for (index, half) in battle.halves.iter().enumerate() {
            let Some(outcome) = half.outcome else { continue };
            for side in Side::BOTH {
                let (seat, opponent) = (half.seat(side), half.seat(side.other()));
                let game = (battle.players[opponent], side, index as u32 / 2);
                let points = outcome.points[usize::from(side == Side::Second)];
                games.entry(game).or_default().push((battle.players[seat], points));
            }
        }
    }
    let mut ranks: HashMap<usize, f64> = HashMap::new();
    for players in games.values() {
        for &(player, points) in players {
            let better = players.iter().filter(|(_, other)| comparable(*other) > comparable(points)).count();
            let equal = players.iter().filter(|(_, other)| comparable(*other) == comparable(points)).count();
            // Halves are exact, so the order of the sum does not matter.
            *ranks.entry(player).or_default() += better as f64 + (equal as f64 + 1.0) / 2.0;
        }
    }
    ranks
}

/// A value as it is compared.
pub(super) fn comparable(value: f64) -> i64 {
    // Infinities saturate.
    (value * STEPS).round() as i64
}

/// Those with the highest value first; equals stay together, in the order in which they came.
fn sorted(mut class: Vec<usize>, value: impl Fn(usize) -> f64) -> Order {
    class.sort_by_cached_key(|&team| std::cmp::Reverse(comparable(value(team))));
    let mut split: Order = Vec::new();
    for team in class {
        match split.last_mut() {
            Some(last) if comparable(value(last[0])) == comparable(value(team)) => last.push(team),
            _ => split.push(vec![team]),
        }
    }
    split
}

/// A result as ratings count it, for the first side. A match that both lost says nothing about strength.
pub(crate) fn result_of_first(verdict: Verdict) -> Option<MatchResult> {
    match verdict {
        Verdict::Drawn => Some(MatchResult::Draw),
        Verdict::Won(Side::First) => Some(MatchResult::Win),
        Verdict::Won(Side::Second) => Some(MatchResult::Loss),
        Verdict::BothLost => None,
    }
}
