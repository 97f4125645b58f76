//! What a position is worth, for the search.
//!
//! Fitted to 1,200 games of self-play on each board, where the three agreed on all but the smallest terms; then tuned by play, where they do
//! not. A pawn is
//! worth what it may become: little at home, as much as a rook just before its promotion. Against material and plain mobility:
//! +228 ± 85 Elo on 7-3 with 0.01 s a move (40 pairs), +512 ± 224 on 8-4 and +436 ± 309 on 8-2 with 1,000 nodes (20 pairs each).
//! Squares around the own king and defended men were tried and said nothing.

use agon_rules::{Outcome, Position, Side};
use agon_search::{Parameters, Searchable, Skill, Weight};

use crate::{
    Kind, Move, RollerballPosition, Square, Variant,
    board::squares,
    moves::{self, attacks},
};

agon_search::weights! {
    turn: 45, "to be on the move";
    pawn: 9, "a pawn";
    rook: 605, "a rook";
    bishop: 407, "a bishop";
    knight: 299, "a knight";
    pawn_step: 46, "each move that a pawn has come nearer to promotion, of the last ten";
    pawn_near: 88, "a pawn that can be promoted in one or two moves";
    rook_reach: 17, "each square that a rook can go to without being taken by a pawn";
    bishop_reach: 2, "likewise for a bishop";
    knight_reach: 7, "likewise for a knight";
    king_attack: 14, "each attack of a man on the enemy king's square or one beside it";
    hanging: -84, "a man that is attacked and not defended";
    harassed: -59, "a rook, bishop or knight that a pawn attacks";
    chase: 20, "each step that the kings are nearer to each other than ten, where the other side has nothing but its king";
    driven: 92, "each ring that the own king is nearer to the hole than the other one, where the other side has nothing but it";
}

// Tuned by play from what the fit had given (`agon lab tune rollerball --variant V weights --rate 0.2`, 8,000 games and more of 500 nodes a
// move on each board). Against that, on openings that were not seen before, with 2,000 nodes and 150 pairs each: +50 ± 36 on 7-3, +132 ± 38
// on 8-4, +115 ± 39 on 8-2; on 7-3 with 10,000 nodes +98 ± 53 (60 pairs).
const ON_EIGHT_FOUR: Terms = Terms {
    turn: 35,
    rook: 798,
    bishop: 322,
    knight: 314,
    pawn_step: 43,
    pawn_near: 72,
    rook_reach: 8,
    bishop_reach: 2,
    knight_reach: 11,
    king_attack: 12,
    hanging: -49,
    harassed: -39,
    chase: 25,
    driven: 81,
    ..WEIGHTS
};
const ON_EIGHT_TWO: Terms = Terms {
    pawn: 10,
    rook: 612,
    bishop: 451,
    knight: 387,
    pawn_step: 41,
    pawn_near: 47,
    rook_reach: 8,
    bishop_reach: 5,
    knight_reach: 9,
    king_attack: 6,
    hanging: -74,
    harassed: -126,
    chase: 28,
    driven: 114,
    ..WEIGHTS
};

/// What a pawn is worth depends on its way; this is a usual one.
const USUAL_PAWN: i32 = 120;
/// A pawn that is further away than this from promotion is just a pawn.
const LONG_WAY: u8 = 10;
/// Kings that are further apart than this are just far apart.
const FAR_APART: u8 = 10;

/// What the men of one side attack.
#[derive(Clone, Copy, Default)]
struct Attacks {
    all: u64,
    by_pawns: u64,
    /// By rooks, bishops and knights, each square as often as it is attacked.
    reach: [u32; 3],
    /// Attacks on the enemy king and the squares beside it.
    on_king: u32,
}

/// The men that go far, in the order of [`Attacks::reach`].
const FAR: [Kind; 3] = [Kind::Rook, Kind::Bishop, Kind::Knight];

impl RollerballPosition {
    fn king(&self, side: Side) -> Square {
        Square::lowest(self.men(side, Kind::King))
    }

    /// What the men of `side` attack, where `shunned` squares do not count as reached.
    fn attacks_of(&self, side: Side, by_pawns: u64, shunned: u64) -> Attacks {
        let (tables, occupied, own) = (self.tables(), self.occupied(), self.side(side));
        let their_king = self.king(side.other());
        let zone = tables.king[their_king.index()] | their_king.bit();
        let mut found =
            Attacks { all: by_pawns | tables.king[self.king(side).index()], by_pawns, ..Attacks::default() };
        found.on_king =
            squares(self.men(side, Kind::Pawn)).map(|at| (tables.pawn[at.index()] & zone).count_ones()).sum();
        for (number, kind) in FAR.into_iter().enumerate() {
            for from in squares(self.men(side, kind)) {
                let attacked = attacks(tables, kind, from, occupied);
                found.all |= attacked;
                found.on_king += (attacked & zone).count_ones();
                found.reach[number] += (attacked & !own & !shunned).count_ones();
            }
        }
        found
    }

    fn attacked_by_pawns(&self, side: Side) -> u64 {
        squares(self.men(side, Kind::Pawn)).fold(0, |all, at| all | self.tables().pawn[at.index()])
    }

    /// What `side` has.
    fn holdings(&self, side: Side, ours: &Attacks, theirs: &Attacks) -> Terms {
        let tables = self.tables();
        let count = |kind| self.men(side, kind).count_ones() as i32;
        let men = self.side(side) & !self.men(side, Kind::King);
        let way = |at: Square| tables.pawn_way[side.index()][at.index()].min(LONG_WAY);
        let ways = || squares(self.men(side, Kind::Pawn)).map(way);
        let (king, prey) = (self.king(side), self.king(side.other()));
        // Against a bare king only the hunt counts. With reach and attacks beside it a rook mated in 4 of 12 endings on 8-2 (3,000
        // nodes a move), without them in 10.
        let alone = i32::from(self.side(side.other()) == prey.bit());
        let among_men = 1 - alone;
        let apart = tables.king_way[king.index()][prey.index()].min(FAR_APART);
        Terms {
            turn: 0,
            pawn: count(Kind::Pawn),
            rook: count(Kind::Rook),
            bishop: count(Kind::Bishop),
            knight: count(Kind::Knight),
            pawn_step: ways().map(|way| i32::from(LONG_WAY - way)).sum(),
            pawn_near: ways().filter(|&way| way <= 2).count() as i32,
            rook_reach: among_men * ours.reach[0] as i32,
            bishop_reach: among_men * ours.reach[1] as i32,
            knight_reach: among_men * ours.reach[2] as i32,
            king_attack: among_men * ours.on_king as i32,
            hanging: (men & theirs.all & !ours.all).count_ones() as i32,
            harassed: (men & theirs.by_pawns & !self.men(side, Kind::Pawn)).count_ones() as i32,
            chase: alone * i32::from(FAR_APART - apart),
            driven: alone * (i32::from(tables.ring[king.index()]) - i32::from(tables.ring[prey.index()])),
        }
    }

    /// What each is worth on this board.
    #[inline]
    fn own_weights(&self) -> &'static Terms {
        match self.variant() {
            Variant::SevenThree => &WEIGHTS,
            Variant::EightFour => &ON_EIGHT_FOUR,
            Variant::EightTwo => &ON_EIGHT_TWO,
        }
    }

    /// What a man is worth to whoever takes it.
    #[inline]
    fn worth(&self, kind: Kind) -> i32 {
        let weights = self.own_weights();
        match kind {
            Kind::Pawn => USUAL_PAWN,
            Kind::Rook => weights.rook,
            Kind::Bishop => weights.bishop,
            Kind::Knight => weights.knight,
            Kind::King => 0,
        }
    }

    /// What the side to move has more than the other one.
    fn terms(&self) -> Terms {
        let (us, them) = (self.turn(), self.turn().other());
        let [our_pawns, their_pawns] = [us, them].map(|side| self.attacked_by_pawns(side));
        let ours = self.attacks_of(us, our_pawns, their_pawns);
        let theirs = self.attacks_of(them, their_pawns, our_pawns);
        let terms = Terms { turn: 1, ..self.holdings(us, &ours, &theirs) - self.holdings(them, &theirs, &ours) };
        let ahead = if terms.worth(self.own_weights()) > 0 { us } else { them };
        if self.cannot_win(ahead) { Terms::default() } else { terms }
    }

    /// Whether `side` has too little left: one bishop or one knight mates a bare king on no board, as counting back from every mate has
    /// shown (the README has the numbers).
    fn cannot_win(&self, side: Side) -> bool {
        let men = self.side(side) & !self.men(side, Kind::King);
        men & (men.wrapping_sub(1)) == 0 && men & (self.men(side, Kind::Rook) | self.men(side, Kind::Pawn)) == 0
    }
}

impl Searchable for RollerballPosition {
    /// Chosen by matches: `bench/strength.md`.
    const SKILLS: [Skill; 9] = [
        Skill::new(1, 0, 80, 10),
        Skill::new(1, 0, 25, 3),
        Skill::new(2, 0, 20, 3),
        Skill::new(0, 400, 0, 0),
        Skill::new(0, 820, 0, 0),
        Skill::new(0, 1700, 0, 0),
        Skill::new(0, 5300, 0, 0),
        Skill::new(0, 16_000, 0, 0),
        Skill::new(0, 50_000, 0, 0),
    ];

    const ADEPT: Skill = Skill::new(0, 900, 0, 0);

    /// One goes for the king and runs with its pawns, the other leaves nothing hanging.
    const STYLES: [&'static str; 2] = ["king_attack=250%,pawn_step=120%", "hanging=150%,harassed=150%,king_attack=40%"];

    /// Measured in `bench/search.md`: singular extensions do not pay. That a repetition counts as a draw is worth nothing in a middle game
    /// (−1 ± 10, 3,000 nodes, 400 pairs), but keeps a won ending going.
    fn parameters() -> Parameters {
        Parameters { singular: 0, repetition: 1, ..Parameters::default() }
    }

    fn evaluate(&self) -> i32 {
        self.terms().worth(self.own_weights())
    }

    /// In games of 3,000 nodes a move 27 to 29 on average, more than 50 in a few.
    fn usual_turns(&self) -> u32 {
        32
    }

    fn weights(&self) -> Vec<Weight> {
        self.own_weights().list()
    }

    fn features(&self) -> Vec<i32> {
        self.terms().values()
    }

    fn code(m: Move) -> u16 {
        m.code()
    }

    /// What it captures and what the pawn becomes; of equal captures the one by the lesser man first.
    fn gain(&self, m: Move) -> i32 {
        let prize = self.man(m.to()).map_or(0, |(_, kind)| 8 * self.worth(kind) - self.worth(m.kind()) / 8);
        let promotion = m.promotion().map_or(0, |kind| 8 * (self.worth(kind) - USUAL_PAWN));
        prize + promotion
    }

    fn noisy(&self, moves: &mut Vec<Move>) {
        moves::captures_and_promotions(self, moves);
    }

    fn over(&self, scratch: &mut Vec<Move>) -> Option<Outcome> {
        if moves::any(self) { None } else { self.generate(scratch) }
    }

    fn threatened(&self) -> bool {
        self.in_check()
    }

    fn move_limit(&self) -> Option<usize> {
        self.tables().endings.move_limit
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use agon_rules::{BySide, RuleSet};
    use agon_search::{Limits, Objective, Searcher, TranspositionTable, score};

    use super::*;
    use crate::Variant;

    fn position(variant: Variant, text: &str) -> RollerballPosition {
        RollerballPosition::start(variant, RuleSet::Text).parse(text).expect("a position")
    }

    fn searcher() -> Searcher<RollerballPosition> {
        Searcher::new(Arc::new(TranspositionTable::new(4)), RollerballPosition::parameters(), Objective::Win)
    }

    /// The move of a search, and its score.
    fn search(
        searcher: &mut Searcher<RollerballPosition>,
        position: &RollerballPosition,
        history: &[u64],
        limits: Limits,
    ) -> (Move, i32) {
        let report = searcher.search(position, history, BySide::default(), 1, limits, &mut |_| {});
        let line = report.expect("a game that goes on").lines.remove(0);
        (line.moves[0], line.score)
    }

    /// So many moves that nobody made: none of them leads to a position that is met here.
    fn moves_before(count: u64) -> Vec<u64> {
        (0..count).collect()
    }

    #[test]
    fn a_lone_bishop_or_knight_is_worth_nothing() {
        use Variant::{EightTwo, SevenThree};
        for (variant, text) in [
            (SevenThree, "..k..../......./..___../..___../..___../...K.../...B... w"),
            (SevenThree, "..k..b./......./..___../..___../..___../...K.../...B... b"),
            (EightTwo, "..k...../......../......../...__.../...__.../......../...K..../...N.... b"),
        ] {
            assert_eq!(position(variant, text).evaluate(), 0, "{text}");
        }
        for enough in [
            "..k..../......./..___../..___../..___../...K.../...R... w",
            "..k..../......./..___../..___../..___../...K.../...BB.. w",
            "..k..../......./..___../..___../..___../P..K.../....... w",
        ] {
            assert!(position(SevenThree, enough).evaluate() > 100, "{enough}");
        }
        let behind = position(SevenThree, "..k..r./......./..___../..___../..___../...K.../...B... w");
        assert!(behind.evaluate() < 0, "it can still lose");
    }

    #[test]
    fn a_rook_mates_the_bare_king_on_every_board() {
        for (variant, text) in [
            (Variant::SevenThree, "......./.....k./..___../..___../..___../......./RK..... w"),
            (Variant::EightFour, "......../......k./..____../..____../..____../..____../......../RK...... w"),
            (Variant::EightTwo, "......../......k./......../...__.../...__.../......../......../RK...... w"),
        ] {
            let (mut game, mut history, mut searcher) = (position(variant, text), Vec::new(), searcher());
            let mut moves = Vec::new();
            let outcome = loop {
                moves.clear();
                if let Some(outcome) = game.generate(&mut moves).or_else(|| game.adjudicate(&history)) {
                    break outcome;
                }
                let limits = Limits { nodes: Some(20_000), ..Limits::default() };
                let (m, _) = search(&mut searcher, &game, &history, limits);
                history.push(game.history_key());
                game.play(m);
                assert!(history.len() < 200, "{}", game.text());
            };
            assert_eq!(outcome.winner, Some(Side::First), "{} after {} moves", game.text(), history.len());
        }
    }

    #[test]
    fn an_advantage_fades_when_the_last_move_comes_near() {
        let ahead = position(Variant::SevenThree, "..k..../......./..___../..___../..___../...K.../P..B... w");
        let score = |before| {
            let limits = Limits { depth: Some(1), ..Limits::default() };
            search(&mut searcher(), &ahead, &moves_before(before), limits).1
        };
        assert!(score(0) > 100);
        assert_eq!(score(0), score(150), "far from the end nothing changes");
        assert!(score(180) < score(0) && score(190) < score(180) && score(190) > 0);
    }

    #[test]
    fn a_mate_after_the_last_move_is_a_draw() {
        let won = position(Variant::SevenThree, "......./.....k./..___../..___../..___../......./RK..... w");
        let mut searcher = searcher();
        let limits = || Limits { nodes: Some(60_000), ..Limits::default() };
        let (_, in_time) = search(&mut searcher, &won, &[], limits());
        let moves = score::distance(in_time).expect("a mate") as u64;
        assert!(moves > 2, "the test needs a mate that is further away");
        let (_, too_late) = search(&mut searcher, &won, &moves_before(200 - moves + 2), limits());
        assert!(!score::is_decided(too_late), "what was found before still counts: {too_late}");
        searcher.forget();
        let (_, just_in_time) = search(&mut searcher, &won, &moves_before(200 - moves - 2), limits());
        assert!(score::is_decided(just_in_time), "{just_in_time}");
    }
}
