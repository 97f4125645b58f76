//! The `agon` command as a library, so that tests and fuzzers reach every part of it.
//!
//! Each subcommand is a module with a struct of arguments and a `run`.

mod analyse;
mod bench;
mod bot;
mod check;
mod client;
mod contain;
mod course;
mod describe;
mod doctor;
mod error;
mod games;
mod golden;
mod input;
mod interrupt;
mod lab;
mod logging;
mod matches;
mod new;
mod perft;
mod play;
mod probe;
mod progress;
mod replay;
mod serve;
mod server;
mod setup;
mod show;
mod tournament;
mod window;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

/// Bot competitions on five board games: an arena, matches, tournaments, rules, engines, kits.
#[derive(Parser)]
#[command(name = "agon", version, arg_required_else_help = false, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

const AFTER_HELP: &str = "\
Exit codes: 0 done; 1 the thing asked for is false or failed; 2 bad usage or bad input; 3 the host failed.
Without a command, agon serves the web arena, as `agon serve` does.";

#[derive(Subcommand)]
enum Command {
    /// Run the web arena: play, watch, replay and analyse in a browser. This is what `agon` does without a command
    Serve(serve::Serve),
    /// List the games with their variants, rule sets and clocks
    Games(games::Games),
    /// Draw a position in the terminal or as SVG
    Show(show::Show),
    /// List the legal turns of a position
    Moves(show::Moves),
    /// Count the move tree below a position
    Perft(perft::Perft),
    /// Answer questions about the rules, one JSON object a line
    ///
    /// A question may hold `variant`, `rules`, `position`, `moves` (a list of turns to play from there) and `want` (any of
    /// `legal`, `states`, `points`; `["legal"]` if absent). The answer always holds `position`, `turn`, `legal`, `states`,
    /// `outcome`, `points` and `error`. A bad line gets an error and the next line is still answered.
    Probe(probe::Probe),
    /// Play matches between two bots
    Match(matches::Match),
    /// Hold tournaments: groups, knockouts, marks; resumable, and verifiable by anybody
    Tournament(tournament::Tournament),
    /// Run a course: roster, submissions, formalities, phases, marks for each student
    Course(course::Course),
    /// Check published results: replay every match, derive pairings, standings, coins and marks again, name the first difference
    Verify(tournament::Verify),
    /// Play in the terminal: against a bot, against each other, or watch two bots
    Play(play::Play),
    /// Step through a record in the terminal
    Replay(replay::Replay),
    /// What the engine thinks of a position, or of every turn of a recorded game
    Analyse(analyse::Analyse),
    /// Search fixed positions of every game; the node counts never vary unless the search does
    Bench(bench::Bench),
    /// Matches between searches in this process: openings, contests, tests, tuning
    Lab(lab::Lab),
    /// Build a bot, walk it through its protocol, and play it against `random` on both sides
    Check(check::Check),
    /// Put a starter kit into a new folder: a bot that plays legal random moves, to make better
    New(new::New),
    /// Be a bot: speak UGI or the original protocol of a game with a house bot's mind
    Bot(bot::Bot),
    /// Be the server of a game's original: the same options, the same bytes, without its crashes
    Server(server::Server),
    /// Be the client of a game's original: a bot, or a person, at a server somewhere
    Client(client::Client),
    /// Examine this host: how bots are contained, what can be built, what may disturb clocks
    Doctor(doctor::Doctor),
    /// Compare the golden playthroughs of all games with the rules as they are, or rewrite them
    Golden(golden::Golden),
}

/// Runs the command line and says how it went.
pub fn run() -> ExitCode {
    // Before anything else: a process that is to be contained has no time to lose.
    if std::env::args_os().nth(1).is_some_and(|command| command == agon_sandbox::WARDEN_COMMAND) {
        return ExitCode::from(u8::try_from(agon_sandbox::warden()).unwrap_or(1));
    }
    let mut arguments = match text_arguments() {
        Ok(arguments) => arguments,
        Err(problem) => return finish(Err(error::CliError::Input(problem))),
    };
    if let [_, command, rest @ ..] = arguments.as_slice()
        && command == "match"
        && matches::is_cutechess(rest)
    {
        return finish(matches::run_cutechess(rest));
    }
    if arguments.get(1).is_some_and(|command| command == "play")
        && let Some(options) = play::original_options(&arguments[2..])
    {
        match options {
            Ok(options) => arguments.splice(2.., options),
            Err(problem) => return finish(Err(error::CliError::Input(problem))),
        };
    }
    let command = parse(arguments).command;
    let arena = matches!(command, None | Some(Command::Serve(_)));
    if !arena && let Err(problem) = logging::begin() {
        return finish(Err(problem));
    }
    finish(match command {
        None => serve::Serve::usual().and_then(|serve| serve.run()),
        Some(Command::Serve(command)) => command.run(),
        Some(Command::Games(command)) => command.run(),
        Some(Command::Show(command)) => command.run(),
        Some(Command::Moves(command)) => command.run(),
        Some(Command::Perft(command)) => command.run(),
        Some(Command::Probe(command)) => command.run(),
        Some(Command::Match(command)) => command.run(),
        Some(Command::Tournament(command)) => command.run(),
        Some(Command::Course(command)) => command.run(),
        Some(Command::Verify(command)) => command.run(),
        Some(Command::Play(command)) => command.run(),
        Some(Command::Replay(command)) => command.run(),
        Some(Command::Analyse(command)) => command.run(),
        Some(Command::Bench(command)) => command.run(),
        Some(Command::Lab(command)) => command.run(),
        Some(Command::Check(command)) => command.run(),
        Some(Command::New(command)) => command.run(),
        Some(Command::Bot(command)) => command.run(),
        Some(Command::Server(command)) => command.run(),
        Some(Command::Client(command)) => command.run(),
        Some(Command::Doctor(command)) => command.run(),
        Some(Command::Golden(command)) => command.run(),
    })
}

/// The arguments as text. Names of files that are no text cannot be told to everybody who has to know them.
fn text_arguments() -> Result<Vec<String>, String> {
    let text = |(number, argument): (usize, std::ffi::OsString)| {
        argument.into_string().map_err(|argument| {
            let shown = agon_rules::quote(&argument.to_string_lossy());
            format!("argument {number} is not UTF-8 text: {shown}; rename the file with plain letters")
        })
    };
    std::env::args_os().enumerate().map(text).collect()
}

/// Reads the command line; ends the program if it is wrong.
fn parse(arguments: Vec<String>) -> Cli {
    let mut command = with_negative_numbers(Cli::command());
    let read = command.try_get_matches_from_mut(arguments).and_then(|matches| Cli::from_arg_matches(&matches));
    read.unwrap_or_else(|error| error.format(&mut command).exit())
}

/// `--battles -3` is a wrong number, not an unknown option.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let allow = |argument: clap::Arg| match argument.get_action().takes_values() {
        true => argument.allow_negative_numbers(true),
        false => argument,
    };
    command.mut_args(allow).mut_subcommands(with_negative_numbers)
}

fn finish(result: Result<(), error::CliError>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}
