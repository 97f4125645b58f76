//! A game on a page in the browser.

use std::{io::Write, sync::atomic::Ordering, thread, time::Duration};

use agon_referee::Record;
use agon_rules::Side;
use agon_runs::table::{HUMAN, Plan};
use agon_server::{Background, BeginError, NewMatch};

use crate::{describe, error::CliError, interrupt, window};

/// How often to look whether the game is over.
const GLANCE: Duration = Duration::from_millis(50);

/// Puts the game on a page and waits for its end; if people play, also for their leave: they may want to play again.
pub(super) fn play(plan: &Plan, out: &mut dyn Write) -> Result<(), CliError> {
    let arena = Background::start(plan.containment.clone()).map_err(window::no_page)?;
    let bots = [Side::First, Side::Second].map(|side| Some(plan.players[side].clone()).filter(|name| name != HUMAN));
    let timed = plan.people_timed || !plan.has_people();
    let id = arena.begin(NewMatch {
        game: plan.game.name().to_owned(),
        variant: plan.setup.variant.clone(),
        rules: plan.setup.rules.to_string(),
        position: plan.setup.position.clone(),
        turns: plan.turns.iter().map(|turn| turn.text.clone()).collect(),
        bots,
        time: timed.then(|| plan.time.to_string()),
    });
    let id = id.map_err(|error| match error {
        BeginError::Unfit(problem) => CliError::Input(problem),
        BeginError::Host(problem) => CliError::Host(problem),
    })?;
    window::present(&arena.page(&id));
    let stop = interrupt::listen();
    let mut told = false;
    while !stop.load(Ordering::Relaxed) {
        if !told && let Some((sentence, record)) = arena.ended(&id) {
            told = true;
            writeln!(out, "{}", describe::clean(&sentence))?;
            save(plan, &record)?;
            if !plan.has_people() {
                return Ok(());
            }
            writeln!(out, "The page stays until Ctrl-C.")?;
            out.flush()?;
        }
        thread::sleep(GLANCE);
    }
    Ok(())
}

fn save(plan: &Plan, record: &str) -> Result<(), CliError> {
    let record = Record::parse(record).map_err(|e| CliError::Host(e.to_string()))?;
    plan.keeper.save(|| record).map_err(|e| CliError::Host(e.to_string()))
}
