//! Formats as people write them: TOML, read strictly.

mod stage;

use std::{collections::BTreeMap, fmt, ops::Range, str::FromStr};

use agon_originals::Original;
use agon_referee::{CoreRule, TimeControl};
use agon_rules::{RuleSet, quote};
use serde::Deserialize;
use toml::Spanned;

use crate::{
    format::{Elo, Format, Marks, NonStarters, Part, Reached, Stage},
    rung::Rung,
};

pub(crate) use stage::StageReader;
use stage::StageSource;

/// A format could not be read: where and why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{problem}", .line.map_or(String::new(), |line| format!("line {line}: ")))]
pub struct FormatError {
    /// The line, counted from 1; absent if it is about the whole.
    pub line: Option<usize>,
    /// What was expected, what came, what to do.
    pub problem: String,
}

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
#[derive(Clone, Copy)]
struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn wrong<V, T>(&self, at: &Spanned<V>, problem: impl fmt::Display) -> Result<T, FormatError> {
        self.wrong_in(&at.span(), problem)
    }

    fn wrong_in<T>(&self, span: &Range<usize>, problem: impl fmt::Display) -> Result<T, FormatError> {
        Err(FormatError { line: Some(line_of(self.text, span.start)), problem: problem.to_string() })
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
        let readers: Vec<StageReader> = source.stage.iter().map(|at| StageReader::new(*self, at)).collect();
        let stages = stages(&readers)?;
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
        let smallest = readers.iter().map(|stage| stage.smallest().transpose()).collect::<Result<_, _>>()?;
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

/// The stages, each by itself and then beside the others.
fn stages(readers: &[StageReader]) -> Result<Vec<Stage>, FormatError> {
    let stages: Vec<Stage> = readers.iter().map(StageReader::stage).collect::<Result<_, _>>()?;
    if stages.is_empty() {
        let problem = format!("expected at least one [[stage]]: {}", crate::stage::listed());
        return Err(FormatError { line: None, problem });
    }
    for (index, reader) in readers.iter().enumerate() {
        reader.check_neighbours(index, &stages)?;
    }
    Ok(stages)
}
