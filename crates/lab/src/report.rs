//! What came of a contest: in words, and as JSON.

use agon_rating::{Decision, Estimate, Sprt};
use serde_json::{Value, json};

use crate::Progress;

impl Progress {
    /// How it stands, in a line; with the ratio of a test if there is one.
    pub fn line(&self, of: usize, sprt: Option<&Sprt>) -> String {
        let (score, pentanomial, pairs) = (self.score(), self.pentanomial(), self.pairs.len());
        let llr = sprt.and_then(|sprt| sprt.llr_of_battles(&pentanomial));
        let llr = llr.map_or(String::new(), |llr| format!(", ratio {llr:.2}"));
        let (wins, draws, losses) = (score.wins, score.draws, score.losses);
        let elo = words(&pentanomial.elo());
        format!("{pairs} of {of} pairs: {wins} won, {draws} drawn, {losses} lost, {elo}{llr}")
    }

    /// What came of it, and of the test if there was one.
    pub fn report(&self, sprt: Option<&Sprt>) -> String {
        let (score, pairs, elo) = (self.score(), self.pairs.len(), words(&self.pentanomial().elo()));
        let (wins, draws, losses) = (score.wins, score.draws, score.losses);
        let share = self.share_of_points();
        let share = share.map_or(String::new(), |share| format!("; {:.1} % of the points", 100.0 * share));
        let test = self.verdict(sprt);
        let test = test
            .map_or(String::new(), |(verdict, llr)| format!("the test has {verdict}: log-likelihood ratio {llr:.2}\n"));
        format!("{pairs} pairs: {wins} won, {draws} drawn, {losses} lost; {elo}{share}\n{test}")
    }

    /// The same for programs.
    pub fn json(&self, sprt: Option<&Sprt>) -> Value {
        let (score, pentanomial) = (self.score(), self.pentanomial());
        let elo = pentanomial.elo();
        let interval = elo.interval();
        json!({
            "pairs": self.pairs.len(),
            "wins": score.wins,
            "draws": score.draws,
            "losses": score.losses,
            "pentanomial": pentanomial.0,
            "elo": interval.map(|interval| interval.value),
            "error": interval.map(|interval| interval.error()),
            "share_of_points": self.share_of_points(),
            "verdict": self.verdict(sprt).map(|(verdict, _)| verdict),
        })
    }

    /// How a test went so far, and its log-likelihood ratio.
    fn verdict(&self, sprt: Option<&Sprt>) -> Option<(&'static str, f64)> {
        let sprt = sprt?;
        let llr = sprt.llr_of_battles(&self.pentanomial())?;
        let verdict = match sprt.decide(llr) {
            Decision::AcceptH1 => "passed",
            Decision::AcceptH0 => "failed",
            Decision::Continue => "undecided",
        };
        Some((verdict, llr))
    }
}

fn words(elo: &Estimate) -> String {
    match elo.interval() {
        Some(interval) => format!("Elo {:+.1} ± {:.1}", interval.value, interval.error()),
        None => "Elo without a bound".to_owned(),
    }
}
