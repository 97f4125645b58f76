//! The spelling and the lines of cutechess, which engine authors know by heart.

use std::{path::PathBuf, time::Duration};

use agon_rating::{Score, Z_95};
use agon_referee::CoreRule;
use agon_rules::{Side, Verdict, quote};
use agon_runs::{
    matches::{Plan, Settings, Tally},
    seats,
};
use agon_store::Match;

use super::{play, report::Report};
use crate::{contain::Contain, error::CliError};

/// Cutechess takes the 95 % quantile from an approximation, and its error bars with it.
const ITS_Z_95: f64 = 1.9572;

/// Options that only cutechess has.
const ITS_OPTIONS: [&str; 12] = [
    "-engine",
    "-each",
    "-rounds",
    "-games",
    "-repeat",
    "-concurrency",
    "-sprt",
    "-pgnout",
    "-openings",
    "-maxmoves",
    "-srand",
    "-recover",
];

/// Whether these arguments of `agon match` are in cutechess's spelling.
pub(crate) fn is_cutechess(arguments: &[String]) -> bool {
    arguments.iter().any(|argument| ITS_OPTIONS.contains(&argument.as_str()))
}

/// `agon match GAME -engine cmd=… -engine cmd=… -each tc=… …`.
pub(crate) fn run(arguments: &[String]) -> Result<(), CliError> {
    play(&translate(arguments)?, Report::cutechess())
}

/// An option with its values.
type Group<'a> = (&'a str, Vec<(&'a str, &'a str)>);

fn translate(arguments: &[String]) -> Result<Settings, CliError> {
    let (game, rest) = match arguments.split_first() {
        Some((game, rest)) if !game.starts_with('-') => (game.clone(), rest),
        _ => return Err(CliError::Input("expected a game's short name after 'match': see 'agon games'".to_owned())),
    };
    let groups = groups(rest)?;
    let mut translated = usual(game)?;
    let each = groups.iter().filter(|(option, _)| *option == "-each").flat_map(|(_, values)| values.clone());
    let each: Vec<(&str, &str)> = each.collect();
    let mut bots = Vec::new();
    let mut games_a_round = 1;
    for (option, values) in &groups {
        match (*option, values.as_slice()) {
            ("-engine", values) => {
                let name = values.iter().find(|(key, _)| *key == "name").map(|(_, name)| (*name).to_owned());
                translated.names[bots.len().min(1)] = name;
                bots.push(engine(values, &each, &mut translated)?);
            }
            ("-each" | "-repeat", _) => {}
            // Cutechess, too, stops when an engine does not work, unless it is told to start it again.
            ("-recover", []) => translated.go_on = true,
            ("-rounds", [(count, "")]) => translated.battles = number(option, count)?,
            ("-games", [(count, "")]) => games_a_round = number(option, count)?,
            ("-concurrency", [(count, "")]) => translated.concurrency = number::<usize>(option, count)?,
            ("-maxmoves", [(count, "")]) => translated.most_turns = 2 * number::<usize>(option, count)?,
            ("-srand", [(seed, "")]) => translated.seed = number(option, seed)?,
            ("-pgnout", [(file, ""), ..]) => translated.records = Some(PathBuf::from(file)),
            ("-openings", [("file", file)]) => translated.openings = Some((*file).to_owned()),
            ("-openings", _) => {
                return Err(CliError::Input("-openings: expected file=FILE and nothing else".to_owned()));
            }
            ("-sprt", values) => translated.sprt = Some(sprt(values)?),
            _ => {
                return Err(CliError::Input(format!(
                    "{option}: not understood here; 'agon match --help' lists what is"
                )));
            }
        }
    }
    translated.bots = <[String; 2]>::try_from(bots)
        .map_err(|_| CliError::Input("expected exactly two -engine options".to_owned()))?;
    // Its rounds are single games unless it is told to play pairs; ours are pairs.
    if games_a_round == 1 {
        translated.battles = translated.battles.div_ceil(2);
    }
    Ok(translated)
}

fn groups(arguments: &[String]) -> Result<Vec<Group<'_>>, CliError> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for argument in arguments {
        if argument.starts_with('-') && argument.len() > 1 && !argument.as_bytes()[1].is_ascii_digit() {
            groups.push((argument, Vec::new()));
        } else {
            let pair = argument.split_once('=').unwrap_or((argument, ""));
            let group = groups.last_mut();
            group
                .ok_or_else(|| CliError::Input(format!("expected an option, found {}", quote(argument))))?
                .1
                .push(pair);
        }
    }
    Ok(groups)
}

fn number<T: std::str::FromStr>(option: &str, text: &str) -> Result<T, CliError> {
    text.parse().map_err(|_| CliError::Input(format!("{option}: expected a number, found {}", quote(text))))
}

fn value<'a>(values: &[(&str, &'a str)], name: &str, option: &str) -> Result<&'a str, CliError> {
    let found = values.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
    found.ok_or_else(|| CliError::Input(format!("{option}: expected {name}=…")))
}

/// An engine as `agon match` names bots. Its time control holds for both.
fn engine(values: &[(&str, &str)], each: &[(&str, &str)], into: &mut Settings) -> Result<String, CliError> {
    let find = |name: &str| values.iter().chain(each).find(|(key, _)| *key == name).map(|(_, value)| *value);
    for (key, text) in values.iter().chain(each) {
        match *key {
            "cmd" | "proto" | "name" | "lang" => {}
            "tc" => same_for_both(&mut into.time, (*text).to_owned(), "tc")?,
            "st" => same_for_both(&mut into.time, format!("{text}/turn"), "st")?,
            "nodes" | "depth" => same_for_both(&mut into.time, format!("{key}={text}"), key)?,
            "timemargin" => {
                same_for_both(&mut into.grace, Duration::from_millis(number("timemargin", text)?), "timemargin")?;
            }
            _ => {
                let known = "expected cmd, name, proto, lang, tc, st, nodes, depth or timemargin";
                return Err(CliError::Input(format!("-engine: {}= is not understood; {known}", quote(key))));
            }
        }
    }
    let command = find("cmd").ok_or_else(|| CliError::Input("-engine: expected cmd=…".to_owned()))?;
    // A house bot or a folder is no command.
    if agon_house::NAMES.contains(&command) || std::path::Path::new(command).is_dir() {
        return Ok(command.to_owned());
    }
    let mut bot = format!("cmd:{command}");
    for key in ["proto", "lang"] {
        if let Some(text) = find(key) {
            bot.push_str(&format!(";{key}={text}"));
        }
    }
    Ok(bot)
}

/// Both bots play under one time control here; another one is refused rather than forgotten.
fn same_for_both<T: PartialEq>(setting: &mut Option<T>, value: T, key: &str) -> Result<(), CliError> {
    if setting.as_ref().is_some_and(|before| *before != value) {
        return Err(CliError::Input(format!("{key}=: both engines need the same one; give it once, after -each")));
    }
    *setting = Some(value);
    Ok(())
}

fn sprt(values: &[(&str, &str)]) -> Result<String, CliError> {
    let get = |name: &str| value(values, name, "-sprt");
    Ok(format!("{},{},{},{},logistic", get("elo0")?, get("elo1")?, get("alpha")?, get("beta")?))
}

/// What holds where cutechess's options say nothing.
fn usual(game: String) -> Result<Settings, CliError> {
    Ok(Settings {
        game,
        bots: [String::new(), String::new()],
        names: [None, None],
        objective: agon_house::Aim::default(),
        variant: None,
        rules: None,
        battles: 1,
        time: None,
        grace: None,
        concurrency: 1,
        force: false,
        openings: None,
        sprt: None,
        seed: 1,
        most_turns: 5000,
        db: None,
        run: None,
        records: None,
        cores: CoreRule::default(),
        go_on: false,
        sandbox: Contain::usual()?.options(),
    })
}

fn game_number(battle: u32, half: u8) -> u32 {
    2 * battle + u32::from(half) + 1
}

fn names(plan: &Plan, half: u8) -> (&str, &str) {
    let seats = seats(half);
    (&plan.contestants[seats.first].name, &plan.contestants[seats.second].name)
}

/// `Started game 1 of 20 (A vs B)`.
pub(super) fn started(plan: &Plan, battle: u32, half: u8) -> String {
    let (white, black) = names(plan, half);
    format!("Started game {} of {} ({white} vs {black})", game_number(battle, half), plan.matches())
}

/// The result of a game, and the score so far.
pub(super) fn finished(plan: &Plan, played: &Match, tally: &Tally) -> String {
    let (white, black) = names(plan, played.half);
    let (number, result) = (game_number(played.battle, played.half), &played.result);
    let line = format!("Finished game {number} ({white} vs {black}): {result} {{{}}}\n", reason(played));
    line + &score_line(plan, tally)
}

fn reason(played: &Match) -> String {
    let verdict = played.result.parse().ok();
    let (winner, loser) =
        if verdict == Some(Verdict::Won(Side::First)) { ("White", "Black") } else { ("Black", "White") };
    match (played.termination.as_str(), verdict) {
        (_, Some(Verdict::BothLost)) => "Both disconnect".to_owned(),
        ("checkmate", _) => format!("{winner} mates"),
        ("timeout", _) => format!("{loser} loses on time"),
        ("illegal turn", _) => format!("{loser} makes an illegal move: {}", played.evidence),
        ("crash" | "silent exit" | "closed output" | "would not start", _) => format!("{loser} disconnects"),
        (termination, Some(Verdict::Drawn)) => format!("Draw by {termination}"),
        (termination, _) => format!("{winner} wins by {termination}"),
    }
}

fn score_text(score: &Score) -> String {
    let (wins, losses, draws, fraction) = (score.wins, score.losses, score.draws, score.fraction().unwrap_or(0.0));
    format!("{wins} - {losses} - {draws}  [{fraction:.3}] {}", score.matches())
}

fn score_line(plan: &Plan, tally: &Tally) -> String {
    let [one, other] = &plan.contestants;
    format!("Score of {} vs {}: {}\n", one.name, other.name, score_text(&tally.score))
}

/// The lines after the last game.
pub(super) fn end(plan: &Plan, tally: &Tally) -> String {
    let name = &plan.contestants[0].name;
    let mut text = score_line(plan, tally);
    let [white, black] = &tally.by_side;
    let [rated_white, rated_black] = &tally.rated_by_side;
    text += &format!("...      {name} playing White: {}\n", score_text(white));
    text += &format!("...      {name} playing Black: {}\n", score_text(black));
    let first_side = Score {
        wins: rated_white.wins + rated_black.losses,
        draws: rated_white.draws + rated_black.draws,
        losses: rated_white.losses + rated_black.wins,
    };
    text += &format!("...      White vs Black: {}\n", score_text(&first_side));
    let (elo, error) = elo_text(&tally.rated);
    let superiority = match tally.rated.matches() {
        0 => "nan".to_owned(),
        _ => format!("{:.1}", 100.0 * tally.rated.likelihood_of_superiority()),
    };
    let draws = 100.0 * tally.rated.draw_ratio().unwrap_or(0.0);
    text += &format!("Elo difference: {elo} +/- {error}, LOS: {superiority} %, DrawRatio: {draws:.1} %\n");
    if let Some(sprt) = &plan.sprt {
        let ((low, high), llr) = (sprt.bounds(), tally.llr(sprt));
        let share = 100.0 * if llr > 0.0 { llr / high } else { llr / low };
        text += &format!("SPRT: llr {llr:.3} ({share:.1}%), lbound {low:.3}, ubound {high:.3}\n");
    }
    text + "Finished match\n"
}

/// Its words where there is no finite estimate are `inf`, `-inf` and `nan`.
fn elo_text(score: &Score) -> (String, String) {
    match score.elo().interval() {
        Some(interval) => (format!("{:.1}", interval.value), format!("{:.1}", interval.error() * ITS_Z_95 / Z_95)),
        None if score.losses == 0 && score.wins > 0 => ("inf".to_owned(), "nan".to_owned()),
        None if score.wins == 0 && score.losses > 0 => ("-inf".to_owned(), "nan".to_owned()),
        None => ("0.0".to_owned(), "nan".to_owned()),
    }
}
