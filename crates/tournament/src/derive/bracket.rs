//! The bracket of a knockout, as far as it is known.

/// A knockout, from the first round to the last.
#[derive(Clone, PartialEq, Debug)]
pub struct Bracket {
    /// The rounds.
    pub rounds: Vec<Vec<Pairing>>,
    /// The battle for the third place, if there is one.
    pub third_place: Option<Pairing>,
    /// Who is left.
    pub left: Vec<Occupant>,
}

/// Who has a place in a bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Occupant {
    /// This team.
    Team(usize),
    /// Nobody: the neighbour has a bye.
    Nobody,
    /// Somebody, later.
    Open,
}

impl Occupant {
    /// The team, if there is one already.
    pub(crate) fn team(self) -> Option<usize> {
        match self {
            Occupant::Team(team) => Some(team),
            Occupant::Nobody | Occupant::Open => None,
        }
    }
}

/// A battle of a bracket, or a bye.
#[derive(Clone, PartialEq, Debug)]
pub struct Pairing {
    /// Who meets.
    pub opponents: [Occupant; 2],
    /// Who goes on.
    pub winner: Occupant,
    /// Its battles in [`State::battles`](super::State::battles), rematches after the first.
    pub battles: Vec<usize>,
}

impl Pairing {
    pub(crate) fn loser(&self) -> Occupant {
        match (self.opponents, self.winner) {
            ([Occupant::Team(one), other], Occupant::Team(winner)) if winner == one => other,
            ([one, Occupant::Team(other)], Occupant::Team(winner)) if winner == other => one,
            (_, Occupant::Nobody) => Occupant::Nobody,
            _ => Occupant::Open,
        }
    }

    /// Whether two teams met of which neither could play.
    pub fn is_won_by_nobody(&self) -> bool {
        matches!(self.opponents, [Occupant::Team(_), Occupant::Team(_)]) && self.winner == Occupant::Nobody
    }

    /// Who is out by it: two if neither could play.
    pub(crate) fn losers(&self) -> Vec<usize> {
        match (self.opponents, self.winner) {
            ([Occupant::Team(one), Occupant::Team(other)], Occupant::Nobody) => vec![one, other],
            _ => self.loser().team().into_iter().collect(),
        }
    }
}
