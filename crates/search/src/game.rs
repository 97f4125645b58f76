//! What the search asks of a game, beyond its rules.

use agon_rules::{Game, Outcome, Position, RuleSet, SetupError, Visitor};

use crate::{Parameters, Skill, Weight};

/// An end that is seen without a search. Moves are those of both sides together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForcedEnd {
    /// The side to move has won after this many moves, the last of which is its own.
    WinIn(usize),
    /// The side to move has lost after this many moves.
    LossIn(usize),
}

/// What df-pn knows of a position that it has not expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DfpnLeaf {
    /// What [`Searchable::forced_end`] says.
    End(ForcedEnd),
    /// No end, and about how many moves are worth a thought: to refute the side to move, a proof must answer all of them. That number is
    /// where proof and disproof numbers begin.
    Open(u32),
}

/// A game that can be searched.
///
/// Only [`evaluate`](Searchable::evaluate) and [`code`](Searchable::code) are required; the rest makes the search better.
pub trait Searchable: Position {
    /// What the position is worth to the side to move, in the game's own units; a few hundred are a clear advantage. Asked only
    /// while the game is not over.
    fn evaluate(&self) -> i32;

    /// A number for a move: the same in every position, and seldom the same for two moves of one position. Never 0.
    fn code(m: Self::Move) -> u16;

    /// What a move wins at once, in the units of [`evaluate`](Searchable::evaluate); 0 is a quiet move.
    fn gain(&self, m: Self::Move) -> i32 {
        let _ = m;
        0
    }

    /// Appends the moves that change what the position is worth at once. Some games can list them without the quiet ones.
    fn noisy(&self, moves: &mut Vec<Self::Move>) {
        let before = moves.len();
        self.generate(moves);
        let mut kept = before;
        for at in before..moves.len() {
            if self.gain(moves[at]) > 0 {
                moves[kept] = moves[at];
                kept += 1;
            }
        }
        moves.truncate(kept);
    }

    /// Whether the board alone ends the game here. `scratch` is empty and may be left in any state.
    fn over(&self, scratch: &mut Vec<Self::Move>) -> Option<Outcome> {
        self.generate(scratch)
    }

    /// The end that can be seen here without a search, if there is one. It must be the true one, for the best play of both sides;
    /// a game may see fewer ends than there are. `None` where the game is over.
    fn forced_end(&self) -> Option<ForcedEnd> {
        None
    }

    /// Takes moves out of the list of all legal ones after which the other side wins at once; if a move wins, all others may go. A list
    /// that would be empty stays as it is.
    fn drop_losing_moves(&self, moves: &mut Vec<Self::Move>) {
        let _ = moves;
    }

    /// What df-pn knows of a position that it comes to.
    fn dfpn_leaf(&self) -> DfpnLeaf {
        self.forced_end().map_or(DfpnLeaf::Open(1), DfpnLeaf::End)
    }

    /// Whether the end is near enough for a share of the time to be spent on proofs: see the parameter `proof_share`.
    fn worth_proving(&self) -> bool {
        true
    }

    /// Whether the side to move must answer a threat at once, or lose. Such moves are searched deeper.
    fn threatened(&self) -> bool {
        false
    }

    /// After how many moves of both sides together the rules end the game as a draw. Where that comes near, estimates fade: an advantage
    /// that cannot be used in time is none. The lab breaks games off that have no such limit.
    fn move_limit(&self) -> Option<usize> {
        None
    }

    /// How many moves of one side a game on this board usually has: total clocks are shared out among them.
    fn usual_turns(&self) -> u32 {
        40
    }

    /// The score that stands for a clear advantage: about 73 % of the points.
    const UNIT: i32 = 100;

    /// How many moves of one side the longest game has that must not be lost on time: so much of a total clock is not thought away.
    const LONGEST_TURNS: u32 = 500;

    /// How levels 1 to 9 are held back; level 10 is not.
    const SKILLS: [Skill; 9] = Skill::USUAL;

    /// How `adept` and the three styles are held back: level 6, unless that is too good for what `master` promises against `adept`.
    const ADEPT: Skill = Self::SKILLS[5];

    /// How many milliseconds for a move level 10 had when the others were chosen: the more it has, the further it is above level 9.
    const LADDER_MILLISECONDS: u64 = 100;

    /// The weights that an aggressive player changes, and those that a defensive one does: see [`crate::Evaluator::by_weights`].
    const STYLES: [&'static str; 2] = ["", ""];

    /// The weights that the greedy player changes, which looks at its own move only: some are good advice only to those who look further.
    const GREEDY_WEIGHTS: &'static str = "";

    /// What pays in this game.
    fn parameters() -> Parameters {
        Parameters::default()
    }

    /// The weights of the evaluation on this board, if it is nothing but weights times counts: see [`weights!`](crate::weights).
    /// Without them the lab cannot fit it.
    fn weights(&self) -> Vec<Weight> {
        Vec::new()
    }

    /// How often each weight counts here, seen from the side to move: [`evaluate`](Searchable::evaluate) is the sum of the weights,
    /// each times its count.
    fn features(&self) -> Vec<i32> {
        Vec::new()
    }
}

/// A game whose positions can be searched.
pub trait SearchGame: Game {
    /// The opening book: see [`crate::Book`].
    const BOOK: &'static str = "";

    /// Makes the start position and hands it to `visitor`, which learns the position's type.
    fn start_search<V: SearchVisitor>(variant: &str, rules: RuleSet, visitor: V) -> Result<V::Output, SetupError>;
}

/// Code that works for the positions of any game that can be searched. See [`SearchGame::start_search`].
pub trait SearchVisitor {
    /// What the visit yields.
    type Output;

    /// Called once, with the start position.
    fn visit<P: Searchable>(self, start: P) -> Self::Output;
}

/// A visitor that needs only the rules: so a game lists its types of positions once.
pub struct RulesOnly<V>(pub V);

impl<V: Visitor> SearchVisitor for RulesOnly<V> {
    type Output = V::Output;

    fn visit<P: Searchable>(self, start: P) -> V::Output {
        self.0.visit(start)
    }
}
