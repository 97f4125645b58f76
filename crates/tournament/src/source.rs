//! Formats as people write them: TOML, read strictly.

use std::{collections::BTreeMap, fmt, str::FromStr};

use agon_originals::Original;
use agon_referee::{CoreRule, TimeControl};
use agon_rules::{RuleSet, quote};
use serde::Deserialize;
use toml::Spanned;

use crate::{
    format::{Bracket, Elo, Format, GroupCount, Ladder, Marks, NonStarters, Part, Reached, Seeding, Stage, StageKind},
    rung::Rung,
};

/// A format could not be read: where and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatError {
    /// The line, counted from 1; absent if it is about the whole.
    pub line: Option<usize>,
    /// What was expected, what came, what to do.
    pub problem: String,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.problem),
            None => f.write_str(&self.problem),
        }
    }
}

impl std::error::Error for FormatError {}

/// A format file, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    title: String,
    game: Spanned<String>,
    rules: Option<Spanned<String>>,
    matches: Option<Spanned<u32>>,
    max_turns: Option<Spanned<usize>>,
    grace_ms: Option<Spanned<u64>>,
    cores: Option<Spanned<String>>,
    ranking: Option<Spanned<String>>,
    non_starters: Option<Spanned<String>>,
    elo: Option<Spanned<EloSource>>,
    #[serde(default)]
    anchors: BTreeMap<Spanned<String>, f64>,
    teams: Option<String>,
    #[serde(default)]
    part: Vec<Spanned<PartSource>>,
    #[serde(default)]
    stage: Vec<Spanned<StageSource>>,
    marks: Option<Spanned<MarksSource>>,
    series: Option<Spanned<SeriesSource>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EloSource {
    start: Option<f64>,
    k: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PartSource {
    name: Option<String>,
    variant: Option<Spanned<String>>,
    clock: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StageSource {
    kind: Spanned<String>,
    name: Option<String>,
    house: Option<Spanned<Vec<String>>>,
    groups: Option<Spanned<usize>>,
    smallest: Option<Spanned<usize>>,
    size: Option<Spanned<usize>>,
    seeding: Option<Spanned<String>>,
    rounds: Option<Spanned<u32>>,
    bracket: Option<Spanned<String>>,
    until: Option<Spanned<usize>>,
    third_place: Option<Spanned<bool>>,
    budget: Option<Spanned<u32>>,
    ties: Option<Spanned<Vec<Spanned<String>>>>,
    advance: Option<Spanned<usize>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MarksSource {
    reached: Option<BTreeMap<Spanned<String>, f64>>,
    places: Option<Vec<f64>>,
    share: Option<ShareSource>,
    rank: Option<RankSource>,
    otherwise: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ShareSource {
    of: f64,
    full: f64,
    #[serde(default)]
    average: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RankSource {
    of: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeriesSource {
    winner_leaves: bool,
    full_marks: f64,
}

/// A format that was read, and what its file says besides.
#[derive(Clone, PartialEq, Debug)]
pub struct Written {
    /// The format, with everything filled in but what depends on the teams.
    pub format: Format,
    /// Whether the file names the rule set; otherwise it depends on how the bots speak.
    pub rules_named: bool,
    /// Where the file says the teams are.
    pub teams: Option<String>,
    /// How many teams a group has at least if that is possible, for each stage that says so: see [`Written::fit`].
    pub smallest: Vec<Option<usize>>,
}

/// Reads a format.
///
/// # Errors
/// What is unknown, impossible or missing, with the line.
pub fn read(text: &str) -> Result<Written, FormatError> {
    let source: Source = toml::from_str(text).map_err(|error| FormatError {
        line: error.span().map(|span| line_of(text, span.start)),
        problem: error.message().to_owned(),
    })?;
    Reader { text }.format(source)
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes()[..offset.min(text.len())].iter().filter(|&&byte| byte == b'\n').count()
}

/// Turns what is written into what is meant.
struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn wrong<V, T>(&self, at: &Spanned<V>, problem: impl fmt::Display) -> Result<T, FormatError> {
        Err(FormatError { line: Some(line_of(self.text, at.span().start)), problem: problem.to_string() })
    }

    fn word<T: FromStr<Err: fmt::Display>>(&self, what: &str, at: &Spanned<String>) -> Result<T, FormatError> {
        at.get_ref().parse().or_else(|problem| self.wrong(at, format!("{what}: {problem}")))
    }

    fn within<N: PartialOrd + Copy + fmt::Display>(
        &self,
        what: &str,
        at: &Spanned<N>,
        least: N,
        most: N,
    ) -> Result<N, FormatError> {
        let number = *at.get_ref();
        if (least..=most).contains(&number) {
            return Ok(number);
        }
        self.wrong(at, format!("{what}: expected a number from {least} to {most}, found {number}"))
    }

    fn format(&self, source: Source) -> Result<Written, FormatError> {
        let game = agon_all::find(source.game.get_ref()).or_else(|problem| self.wrong(&source.game, problem))?;
        let rules = source.rules.as_ref().map(|rules| self.rules(rules, game)).transpose()?;
        let matches = source.matches.as_ref().map_or(Ok(2), |matches| self.matches(matches))?;
        let parts = self.parts(&source.part, game)?;
        let grace = game.grace(&parts[0].variant).as_millis() as u64;
        let stages: Vec<Stage> =
            source.stage.iter().map(|stage| self.stage(stage)).collect::<Result<_, FormatError>>()?;
        if stages.is_empty() {
            let problem = "expected at least one [[stage]]: gauntlet, groups, knockout, round-robin, swiss or ladder";
            return Err(FormatError { line: None, problem: problem.to_owned() });
        }
        self.stages_fit(&source.stage, &stages)?;
        let winner_leaves = source.series.as_ref().map(|series| self.series(series, &stages)).transpose()?.flatten();
        if let (Some(ranking), Some(marks)) = (&source.ranking, &source.marks)
            && marks.get_ref().reached.is_some()
        {
            return self.wrong(
                ranking,
                "ranking: teams are placed by it, so marks cannot go by what they reached; say places or rank",
            );
        }
        let format = Format {
            title: source.title,
            game: game.name().to_owned(),
            rules: rules.unwrap_or(game.rule_sets()[0]),
            matches,
            max_turns: self.optional(&source.max_turns, "max_turns", 2, 1_000_000, 5000)?,
            grace_ms: self.optional(&source.grace_ms, "grace_ms", 0, 3_600_000, grace)?,
            cores: source.cores.as_ref().map_or(Ok(CoreRule::Allow), |cores| self.word("cores", cores))?,
            parts,
            stages,
            marks: source.marks.as_ref().map(|marks| self.marks(marks)).transpose()?,
            winner_leaves,
            ranking: source.ranking.as_ref().map(|ranking| self.ranking(ranking)).transpose()?,
            non_starters: source
                .non_starters
                .as_ref()
                .map_or(Ok(NonStarters::Last), |word| self.word("non_starters", word))?,
            elo: source.elo.as_ref().map_or(Ok(Elo::default()), |elo| self.elo(elo))?,
            anchors: self.anchors(source.anchors)?,
            notes: Vec::new(),
        };
        let smallest = source.stage.iter().map(|stage| self.smallest(stage.get_ref())).collect::<Result<_, _>>()?;
        Ok(Written { format, rules_named: rules.is_some(), teams: source.teams, smallest })
    }

    fn optional<N: PartialOrd + Copy + fmt::Display>(
        &self,
        at: &Option<Spanned<N>>,
        what: &str,
        least: N,
        most: N,
        usual: N,
    ) -> Result<N, FormatError> {
        at.as_ref().map_or(Ok(usual), |at| self.within(what, at, least, most))
    }

    fn rules(&self, at: &Spanned<String>, game: &dyn Original) -> Result<RuleSet, FormatError> {
        let rules: RuleSet = self.word("rules", at)?;
        if game.rule_sets().contains(&rules) {
            return Ok(rules);
        }
        self.wrong(at, format!("{} has no '{rules}' rule set", game.name()))
    }

    fn matches(&self, at: &Spanned<u32>) -> Result<u32, FormatError> {
        let number = self.within("matches", at, 1, 100)?;
        if number == 1 || number.is_multiple_of(2) {
            return Ok(number);
        }
        self.wrong(at, format!("matches: expected 1 or an even number, so that sides are swapped, found {number}"))
    }

    fn parts(&self, sources: &[Spanned<PartSource>], game: &dyn Original) -> Result<Vec<Part>, FormatError> {
        let usual = game.variants()[0].to_owned();
        if sources.is_empty() {
            let clock = game.clock(&usual).into();
            return Ok(vec![Part { name: game.title().to_owned(), variant: usual, clock }]);
        }
        let mut parts: Vec<Part> = Vec::new();
        for at in sources {
            let source = at.get_ref();
            let variant = source.variant.as_ref().map_or(&usual, |variant| variant.get_ref()).clone();
            if let Err(problem) = game.open(&variant, game.rule_sets()[0]) {
                return match &source.variant {
                    Some(at) => self.wrong(at, problem),
                    None => self.wrong(at, problem),
                };
            }
            let clock: TimeControl = match &source.clock {
                Some(clock) => self.word("clock", clock)?,
                None => game.clock(&variant).into(),
            };
            let name = source.name.clone().unwrap_or_else(|| variant.clone());
            if parts.iter().any(|part| part.name == name) {
                return self.wrong(at, format!("two parts are called {}; give them a name each", quote(&name)));
            }
            parts.push(Part { name, variant, clock });
        }
        Ok(parts)
    }

    fn stage(&self, at: &Spanned<StageSource>) -> Result<Stage, FormatError> {
        let source = at.get_ref();
        let (kind, known): (StageKind, &[&str]) = match source.kind.get_ref().as_str() {
            "gauntlet" => (self.gauntlet(at)?, &["house"]),
            "groups" => (self.groups(at)?, &["groups", "smallest", "size", "seeding", "rounds"]),
            "round-robin" => {
                let rounds = self.optional(&source.rounds, "rounds", 1, 100, 1)?;
                let kind = StageKind::Groups { groups: GroupCount::Number(1), seeding: Seeding::Modulo, rounds };
                (kind, &["rounds"])
            }
            "knockout" => (self.knockout(source)?, &["bracket", "until", "third_place"]),
            "swiss" => {
                let Some(rounds) = &source.rounds else { return self.wrong(at, "a swiss stage needs rounds = N") };
                (StageKind::Swiss { rounds: self.within("rounds", rounds, 1, 1000)? }, &["rounds"])
            }
            "ladder" => {
                let Some(budget) = &source.budget else { return self.wrong(at, "a ladder needs budget = BATTLES") };
                (StageKind::Ladder { budget: self.within("budget", budget, 1, 1_000_000)? }, &["budget"])
            }
            other => {
                let problem = format!(
                    "kind: expected gauntlet, groups, knockout, round-robin, swiss or ladder, found {}",
                    quote(other)
                );
                return self.wrong(&source.kind, problem);
            }
        };
        self.only(source, known)?;
        let ties = source.ties.as_ref().map_or_else(|| Ok(usual_ties(&kind)), |ties| self.ties(ties, &kind))?;
        let name = source.name.clone().unwrap_or_else(|| title(kind.name()));
        let advance = source.advance.as_ref();
        let advance = advance.map(|advance| self.within("advance", advance, 1, 1_000_000)).transpose()?;
        Ok(Stage { name, kind, ties, advance })
    }

    /// Keys that mean something elsewhere would be silently ignored here.
    fn only(&self, source: &StageSource, known: &[&str]) -> Result<(), FormatError> {
        let line = |span: Option<std::ops::Range<usize>>| span.map(|span| line_of(self.text, span.start));
        let given = [
            ("house", line(source.house.as_ref().map(Spanned::span))),
            ("groups", line(source.groups.as_ref().map(Spanned::span))),
            ("smallest", line(source.smallest.as_ref().map(Spanned::span))),
            ("size", line(source.size.as_ref().map(Spanned::span))),
            ("seeding", line(source.seeding.as_ref().map(Spanned::span))),
            ("rounds", line(source.rounds.as_ref().map(Spanned::span))),
            ("bracket", line(source.bracket.as_ref().map(Spanned::span))),
            ("until", line(source.until.as_ref().map(Spanned::span))),
            ("third_place", line(source.third_place.as_ref().map(Spanned::span))),
            ("budget", line(source.budget.as_ref().map(Spanned::span))),
        ];
        for (key, line) in given {
            if line.is_some() && !known.contains(&key) {
                let kind = source.kind.get_ref();
                return Err(FormatError { line, problem: format!("{key} means nothing to a stage of kind '{kind}'") });
            }
        }
        Ok(())
    }

    fn gauntlet(&self, at: &Spanned<StageSource>) -> Result<StageKind, FormatError> {
        let Some(house) = &at.get_ref().house else {
            return self.wrong(at, "a gauntlet needs house = [\"aggressive\", …]: the house bots to play against");
        };
        let names = agon_house::NAMES;
        if let Some(unknown) = house.get_ref().iter().find(|name| !names.contains(&name.as_str())) {
            return self
                .wrong(house, format!("house: expected house bots ({}), found {}", names.join(", "), quote(unknown)));
        }
        let twice = house.get_ref().iter().enumerate().find(|(i, name)| house.get_ref()[..*i].contains(name));
        if let Some((_, name)) = twice {
            return self
                .wrong(house, format!("house: {} is there twice; say matches = N for more matches", quote(name)));
        }
        if house.get_ref().is_empty() {
            return self.wrong(house, "house: expected at least one house bot");
        }
        Ok(StageKind::Gauntlet { house: house.get_ref().clone() })
    }

    fn groups(&self, at: &Spanned<StageSource>) -> Result<StageKind, FormatError> {
        let source = at.get_ref();
        let groups = match (&source.groups, &source.size) {
            (Some(number), None) => GroupCount::Number(self.within("groups", number, 1, 100_000)?),
            (None, Some(size)) => GroupCount::Size(self.within("size", size, 2, 100_000)?),
            _ => return self.wrong(at, "groups: expected either groups = N or size = N"),
        };
        let seeding = source.seeding.as_ref().map_or(Ok(Seeding::Modulo), |word| self.word("seeding", word))?;
        let rounds = self.optional(&source.rounds, "rounds", 1, 100, 1)?;
        Ok(StageKind::Groups { groups, seeding, rounds })
    }

    fn smallest(&self, source: &StageSource) -> Result<Option<usize>, FormatError> {
        let Some(at) = &source.smallest else { return Ok(None) };
        match source.groups {
            Some(_) => self.within("smallest", at, 2, 100_000).map(Some),
            None => {
                self.wrong(at, "smallest: it goes with groups = N; size = N makes as many groups as the teams fill")
            }
        }
    }

    fn knockout(&self, source: &StageSource) -> Result<StageKind, FormatError> {
        let bracket = source.bracket.as_ref().map_or(Ok(Bracket::Seeds), |word| self.word("bracket", word))?;
        let until = self.optional(&source.until, "until", 1, 1 << 16, 1)?;
        if let Some(at) = source.until.as_ref().filter(|_| !until.is_power_of_two()) {
            return self.wrong(at, format!("until: expected 1, 2, 4, 8 …, found {until}"));
        }
        let third_place = source.third_place.as_ref().is_some_and(|third| *third.get_ref());
        if let Some(at) = source.third_place.as_ref().filter(|_| third_place && until > 1) {
            return self.wrong(at, "third_place: a knockout that ends before the final has no third place");
        }
        Ok(StageKind::Knockout { bracket, until, third_place })
    }

    fn ties(&self, at: &Spanned<Vec<Spanned<String>>>, kind: &StageKind) -> Result<Ladder, FormatError> {
        let ladder: Ladder = at.get_ref().iter().map(|rung| self.word("ties", rung)).collect::<Result<_, _>>()?;
        if ladder.is_empty() {
            return self.wrong(at, "ties: expected at least one rung, such as \"points\"");
        }
        let knockout = matches!(kind, StageKind::Knockout { .. });
        let meets = knockout || matches!(kind, StageKind::Groups { .. });
        for (rung, at) in ladder.iter().zip(at.get_ref()) {
            if matches!(rung, Rung::Rematch(_)) && !meets {
                return self.wrong(at, format!("ties: there are no rematches in a stage of kind '{}'", kind.name()));
            }
        }
        let rematches = ladder.iter().filter(|rung| matches!(rung, Rung::Rematch(_))).count();
        if rematches > crate::number::MOST_REMATCHES {
            let most = crate::number::MOST_REMATCHES;
            return self.wrong(at, format!("ties: expected at most {most} rematches, found {rematches}"));
        }
        if knockout && !ladder.iter().any(|rung| rung.always_decides()) {
            return self.wrong(
                at,
                "ties: somebody must win a battle of a knockout; end with \"coin\", \"seed\" or \"decision\"",
            );
        }
        Ok(ladder)
    }

    /// What only shows when the stages stand beside each other.
    fn stages_fit(&self, sources: &[Spanned<StageSource>], stages: &[Stage]) -> Result<(), FormatError> {
        for (i, (at, stage)) in sources.iter().zip(stages).enumerate() {
            let last = i + 1 == stages.len();
            if let Some(advance) = at.get_ref().advance.as_ref().filter(|_| last) {
                return self.wrong(advance, "advance: there is no stage after this one");
            }
            if let (StageKind::Knockout { .. }, Some(advance)) = (&stage.kind, &at.get_ref().advance) {
                return self.wrong(advance, "advance: a knockout passes on those that are left; say until = N");
            }
            if matches!(stage.kind, StageKind::Knockout { until: 1, .. }) && !last {
                return self.wrong(
                    at,
                    "only one team is left after this knockout; say until = N, or let it be the last stage",
                );
            }
            let cuts = !last && stage.advance.is_some();
            if cuts && !stage.ties.iter().any(|rung| rung.always_decides()) {
                let problem =
                    "ties: some go on and some do not, so the ladder must end with \"coin\", \"seed\" or \"decision\"";
                return match &at.get_ref().ties {
                    Some(ties) => self.wrong(ties, problem),
                    None => self.wrong(at, problem),
                };
            }
            if let StageKind::Knockout { bracket: Bracket::Crossing | Bracket::Neighbours, .. } = stage.kind {
                let before = i.checked_sub(1).map(|before| &stages[before]);
                let groups = before.filter(|before| matches!(before.kind, StageKind::Groups { .. }));
                if !groups.is_some_and(|groups| matches!(groups.advance, Some(1 | 2 | 4))) {
                    return self.wrong(at, "bracket = \"crossing\" needs groups before it, of which 1, 2 or 4 advance");
                }
            }
        }
        Ok(())
    }

    fn marks(&self, at: &Spanned<MarksSource>) -> Result<Marks, FormatError> {
        let source = at.get_ref();
        let finite = |number: f64| {
            if (0.0..=1e6).contains(&number) {
                return Ok(number);
            }
            self.wrong(at, format!("marks: expected a number from 0 to 1000000, found {number}"))
        };
        let otherwise = finite(source.otherwise.unwrap_or(0.0))?;
        match (&source.reached, &source.places, &source.share, &source.rank) {
            (Some(reached), None, None, None) => {
                let mut table = Vec::new();
                for (key, marks) in reached {
                    if key.get_ref() == &Reached::DidNotStart.to_string() {
                        return self.wrong(key, "reached: teams that did not start get no marks; say non_starters = \"placed\" to mark them like others");
                    }
                    table.push((self.word::<Reached>("reached", key)?, finite(*marks)?));
                }
                table.sort_by_key(|(reached, _)| *reached);
                Ok(Marks::Reached { table, otherwise })
            }
            (None, Some(places), None, None) => {
                let table = places.iter().map(|&marks| finite(marks)).collect::<Result<_, _>>()?;
                Ok(Marks::Places { table, otherwise })
            }
            (None, None, Some(share), None) if share.full > 0.0 && share.full.is_finite() => {
                Ok(Marks::Share { of: finite(share.of)?, full: share.full, average: share.average })
            }
            (None, None, None, Some(rank)) => Ok(Marks::Rank { of: finite(rank.of)? }),
            (None, None, Some(share), None) => {
                self.wrong(at, format!("share: expected full points above 0, found {}", share.full))
            }
            _ => self.wrong(at, "marks: expected exactly one of reached, places, share and rank"),
        }
    }

    fn series(&self, at: &Spanned<SeriesSource>, stages: &[Stage]) -> Result<Option<f64>, FormatError> {
        let series = at.get_ref();
        if !(0.0..=1e6).contains(&series.full_marks) {
            return self.wrong(at, format!("full_marks: expected a number from 0, found {}", series.full_marks));
        }
        let decides = stages.last().is_some_and(|stage| stage.ties.iter().any(|rung| rung.always_decides()));
        if series.winner_leaves && !decides {
            return self.wrong(
                at,
                "winner_leaves: the ties of the last stage must end with \"coin\", \"seed\" or \"decision\"",
            );
        }
        Ok(series.winner_leaves.then_some(series.full_marks))
    }

    fn ranking(&self, at: &Spanned<String>) -> Result<Rung, FormatError> {
        match self.word("ranking", at)? {
            rung @ (Rung::Elo | Rung::Rating | Rung::Points | Rung::Score) => Ok(rung),
            _ => self.wrong(at, "ranking: expected elo, rating, points or score"),
        }
    }

    fn anchors(&self, source: BTreeMap<Spanned<String>, f64>) -> Result<BTreeMap<String, f64>, FormatError> {
        for (name, rating) in &source {
            if !agon_house::NAMES.contains(&name.get_ref().as_str()) {
                return self.wrong(name, format!("anchors: {} is no house bot", quote(name.get_ref())));
            }
            if rating.abs() > 1e5 {
                return self.wrong(name, format!("anchors: expected a rating, found {rating}"));
            }
        }
        Ok(source.into_iter().map(|(name, rating)| (name.into_inner(), rating)).collect())
    }

    fn elo(&self, at: &Spanned<EloSource>) -> Result<Elo, FormatError> {
        let usual = Elo::default();
        let elo = Elo { start: at.get_ref().start.unwrap_or(usual.start), k: at.get_ref().k.unwrap_or(usual.k) };
        if elo.start.is_finite() && elo.k > 0.0 && elo.k <= 1000.0 {
            return Ok(elo);
        }
        self.wrong(at, format!("elo: expected a start and k from 0 to 1000, found {} and {}", elo.start, elo.k))
    }
}

/// What decides where a format does not say.
fn usual_ties(kind: &StageKind) -> Ladder {
    match kind {
        StageKind::Gauntlet { .. } => vec![Rung::Points, Rung::House, Rung::Coin],
        StageKind::Groups { .. } => vec![Rung::Points, Rung::HeadToHead, Rung::Margin, Rung::Coin],
        StageKind::Knockout { .. } => vec![Rung::Points, Rung::Group, Rung::Earlier, Rung::Coin],
        StageKind::Swiss { .. } => vec![Rung::Battles, Rung::Points, Rung::Margin, Rung::Coin],
        StageKind::Ladder { .. } => vec![Rung::Rating, Rung::Coin],
    }
}

/// `round-robin` as a heading.
fn title(kind: &str) -> String {
    let mut letters = kind.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).map(|letter| if letter == '-' { ' ' } else { letter }).collect()
}
