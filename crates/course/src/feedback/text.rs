//! The feedback as a text.

use std::fmt::Write;

use super::{Feedback, MatchFeedback, PhaseFeedback};

pub(super) fn text(feedback: &Feedback<'_>) -> String {
    let mut text = String::new();
    // Writing to a text never fails.
    let _ = write(&mut text, feedback);
    agon_rules::inert_lines(&text)
}

fn write(out: &mut String, feedback: &Feedback<'_>) -> std::fmt::Result {
    writeln!(out, "{}\nFeedback for {}. It is for your team alone.", feedback.title, feedback.team)?;
    if let Some(pseudonym) = feedback.pseudonym {
        writeln!(out, "In what is published you are called {pseudonym}.")?;
    }
    writeln!(out, "\nMARKS")?;
    for breakdown in &feedback.marks {
        writeln!(out, "{}: {:.*}", breakdown.entry, feedback.digits, breakdown.total)?;
        for (name, marks, why) in breakdown.parts() {
            writeln!(
                out,
                "  {name}: {marks:.*}{}",
                feedback.digits,
                if why.is_empty() { why } else { format!(" ({why})") }
            )?;
        }
    }
    form(out, feedback)?;
    for phase in &feedback.phases {
        write_phase(out, phase, feedback.nodes)?;
    }
    Ok(())
}

fn form(out: &mut String, feedback: &Feedback<'_>) -> std::fmt::Result {
    writeln!(out, "\nWHAT YOU HANDED IN")?;
    let Some(version) = feedback.version else { return writeln!(out, "Nothing was handed in.") };
    writeln!(out, "{}, version {}", version.called, version.version)?;
    if let Some(refused) = &version.refused {
        writeln!(out, "It could not be unpacked: {refused}")?;
    }
    for finding in &version.formalities.findings {
        let verdict = if finding.repaired { "mended in a copy" } else { "not met" };
        writeln!(
            out,
            "- {verdict}: {}\n  The course asks (section {}): {}",
            finding.found, finding.section, finding.says
        )?;
    }
    if version.refused.is_none() && version.formalities.is_clean() {
        writeln!(out, "Everything is as the course asks for.")?;
    }
    Ok(())
}

fn write_phase(out: &mut String, phase: &PhaseFeedback, nodes: u64) -> std::fmt::Result {
    writeln!(out, "\nPHASE {}", phase.name)?;
    if let Some(broken) = &phase.broken {
        writeln!(out, "Your bot could not play: {broken}")?;
    }
    if let Some((place, of)) = phase.place {
        writeln!(out, "Place {place} of {of}.")?;
    }
    for (what, share) in &phase.ranks {
        writeln!(out, "In {what} ahead of {:.0} % of the others.", 100.0 * share)?;
    }
    for played in &phase.matches {
        write_match(out, played, nodes)?;
    }
    if phase.unlooked > 0 {
        writeln!(out, "{} lost matches were not analysed.", phase.unlooked)?;
    }
    Ok(())
}

fn write_match(out: &mut String, played: &MatchFeedback, nodes: u64) -> std::fmt::Result {
    let MatchFeedback { round, opponent, side, result, ended, points, .. } = played;
    let (used, slowest) = played.used();
    writeln!(out, "\n{round}: {result} as {side} against {opponent}: {ended}. Points {} to {}.", points[0], points[1])?;
    if !played.evidence.is_empty() {
        writeln!(out, "  {}", played.evidence)?;
    }
    writeln!(out, "  {used:.2} s used, slowest turn {slowest:.3} s, clock {}", played.clock)?;
    if let Some((losing, _)) = &played.losing {
        let (before, after) = (100.0 * losing.before, 100.0 * losing.after);
        writeln!(
            out,
            "  Turn {}, {}, lost the game: your chance fell from {before:.0} % to {after:.0} % ({} nodes a position, then {} to be sure).",
            losing.number + 1,
            losing.turn,
            nodes,
            losing.nodes
        )?;
        writeln!(out, "  Better: {}. It is answered by {}.", losing.best, losing.refutation.join("; "))?;
    }
    for (number, turn, _, stderr) in played.turns.iter().filter(|(_, _, _, stderr)| !stderr.trim().is_empty()) {
        writeln!(out, "  stderr at turn {number} ({turn}): {}", stderr.trim().replace('\n', "\n    "))?;
    }
    Ok(())
}
