//! A run in words: for people, and for programs.

use std::time::Instant;

use agon_rating::Decision;
use agon_referee::words::round;
use agon_rules::inert_lines;
use agon_wire::Language;
use serde_json::{Value, json};

use super::{Plan, Tally};

/// How fast a run goes, from now on.
pub struct Pace {
    begun: Instant,
    /// Matches that were played before.
    before: u64,
}

impl Pace {
    /// Of a run in which so many matches were played before.
    pub fn from(before: u64) -> Pace {
        Pace { begun: Instant::now(), before }
    }

    /// How fast it is, and how long it will still take.
    pub fn line(&self, plan: &Plan, tally: &Tally) -> String {
        let played = tally.matches() - self.before;
        let left = plan.matches().saturating_sub(tally.matches());
        let rate = played as f64 / self.begun.elapsed().as_secs_f64().max(1e-3);
        if played == 0 {
            return format!("{left} matches to play");
        }
        let seconds = (left as f64 / rate) as u64;
        format!(
            "{rate:.1} matches/s, {left} to play, about {} left (Ctrl-C stops; the same command goes on)",
            clock(seconds)
        )
    }
}

/// `1:05:09`.
fn clock(seconds: u64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// The table: everything there is to know about the run so far.
pub fn table(plan: &Plan, tally: &Tally) -> String {
    let [one, other] = &plan.contestants;
    let setup = &plan.setup;
    let (game, variant, rules, time) = (setup.game.title(), &setup.variant, setup.rules, plan.time);
    let mut text = format!("{} against {}: {game} {variant}, {rules} rules, time {time}\n", one.name, other.name);
    let score = &tally.score;
    let (wins, draws, losses) = (score.wins, score.draws, score.losses);
    let (battles, matches) = (tally.finished, tally.matches());
    text += &format!("  battles      {battles} of {}, {matches} matches\n", plan.battles);
    text += &format!("  score        {wins} won, {draws} drawn, {losses} lost\n");
    if tally.lost_by_both > 0 {
        text += &format!("{}\n", both_lost(tally.lost_by_both));
    }
    text += &format!("  points       {} : {}\n", round(tally.points[0]), round(tally.points[1]));
    text += &format!("  Elo          {}\n", tally.elo());
    text += &match tally.rated.matches() {
        // A match that both lost says nothing about who is stronger.
        0 => "  superiority  unknown: no match says anything about it\n".to_owned(),
        _ => format!("  superiority  {:.1} %\n", 100.0 * tally.rated.likelihood_of_superiority()),
    };
    text += &format!("  pentanomial  {:?}\n", tally.battles.0);
    if !tally.terminations.is_empty() {
        let reasons: Vec<String> =
            tally.terminations.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        text += &format!("  endings      {}\n", reasons.join(", "));
    }
    if plan.contestants.iter().any(|contestant| contestant.bot.as_ref().is_ok_and(|bot| bot.protocol.is_some())) {
        text += &format!("  sandbox      {}\n", plan.launcher.level());
        let limited = plan.launcher.memory(Language::Other).is_some();
        let memory = if limited { format!("{} MiB a bot", plan.sandbox.memory()) } else { "not limited".to_owned() };
        text += &format!("  memory       {memory}\n");
    }
    if let Some(sprt) = &plan.sprt {
        let ((low, high), llr) = (sprt.bounds(), tally.llr(sprt));
        let verdict = match sprt.decide(llr) {
            Decision::AcceptH0 => "no gain: H0 accepted",
            Decision::AcceptH1 => "a gain: H1 accepted",
            Decision::Continue => "undecided",
        };
        let (elo0, elo1) = sprt.elo();
        text += &format!("  SPRT         LLR {llr:.2} in ({low:.2}, {high:.2}) for [{elo0}, {elo1}]: {verdict}\n");
    }
    // Bots are called what their authors want.
    inert_lines(&text)
}

/// What a double fault means, in words.
fn both_lost(matches: u64) -> String {
    let of_them = if matches == 1 { "1 of them".to_owned() } else { format!("{matches} of them") };
    format!("               {of_them} lost by both: neither bot could play, so nobody won; left out of Elo")
}

/// The result for programs.
pub fn summary(tally: &Tally) -> Value {
    let interval = tally.elo().interval();
    json!({
        "battles": tally.finished,
        "matches": tally.matches(),
        "wins": tally.score.wins,
        "draws": tally.score.draws,
        "losses": tally.score.losses,
        "points": tally.points.map(round),
        "elo": interval.map(|interval| round(interval.value)),
        "error": interval.map(|interval| round(interval.error())),
        "terminations": tally.terminations,
    })
}
