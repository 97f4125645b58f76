//! The server's command line.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::Write,
    net::TcpListener,
    time::Duration,
};

use agon_rules::{RuleSet, quote};

use super::{Asked, CommandError, ServerError};
use crate::{
    ArgumentError, RelayGame,
    relay::{
        Console, RelayOptions, RelayServer, ServerEnd,
        arguments::{Arguments, Known, number},
    },
};

/// Where options are looked for besides the command line.
const CONFIG: &str = "config.txt";
/// The originals' clock, where nobody sets it.
const SECONDS: u64 = 150;
/// How long the originals wait for a client, and for each message.
const PATIENCE: u64 = 150;
/// How much later than the clock says a message may arrive at a server that judges, in milliseconds.
const ALLOWANCE: u64 = 200;
/// About a year: nobody means more seconds.
const MOST_SECONDS: u64 = 30_000_000;

/// Options without a value.
const FLAGS: [&str; 4] = ["judge", "gui", "help", "h"];

/// What the server is to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServerCommand {
    /// Whether it checks every turn, and how much later than the clock says a message may arrive.
    pub judge: Option<Duration>,
    /// Whether somebody wants to see the board in a window.
    pub gui: bool,
    ip: String,
    port: u16,
    clients: usize,
    seconds: u64,
    patience: Duration,
    board: Vec<u32>,
    log: Option<String>,
}

impl ServerCommand {
    /// Reads the arguments after the game's name, and the file with others; the console hears of that file.
    ///
    /// # Errors
    /// If they cannot be understood.
    pub fn read(
        relay: &dyn RelayGame,
        arguments: &[String],
        console: &mut dyn Console,
    ) -> Result<Asked<ServerCommand>, CommandError> {
        let usage_error = |problem| CommandError::Usage { problem, program: "server", game: relay.game().name() };
        let names = names(relay);
        let known: Vec<Known<'_>> =
            names.iter().map(|&name| Known { name, has_value: !FLAGS.contains(&name) }).collect();
        let typed = Arguments::read(arguments, &known).map_err(usage_error)?;
        if typed.has("help") || typed.has("h") {
            return Ok(Asked::Help(usage(relay)));
        }
        let file = config(&typed, &known, console)?;
        ServerCommand::of(relay, &typed, &file).map(Asked::Run).map_err(usage_error)
    }

    /// The command line wins over the file.
    fn of(relay: &dyn RelayGame, typed: &Arguments, file: &Arguments) -> Result<ServerCommand, ArgumentError> {
        if let [_, _, extra, ..] = typed.positional.as_slice() {
            return Err(ArgumentError(format!("unexpected argument {}", quote(extra))));
        }
        let mut options: BTreeMap<String, String> = BTreeMap::new();
        for arguments in [file, typed] {
            options.extend(arguments.options.clone());
            let named = ["port", "NC"].into_iter().zip(&arguments.positional);
            options.extend(named.map(|(name, value)| (name.to_owned(), value.clone())));
            if let Some(count) = arguments.options.get("max-clients") {
                options.insert("NC".to_owned(), count.clone());
            }
        }
        let all = Arguments { positional: Vec::new(), options };
        let port = all
            .options
            .get("port")
            .ok_or_else(|| ArgumentError("expected the port to listen on, for example 10000".to_owned()))?;
        let board = relay.board_options().iter();
        let board =
            board.map(|option| all.number(option.name, option.default.into(), 0, 1000).map(|value| value as u32));
        Ok(ServerCommand {
            ip: all.options.get("ip").cloned().unwrap_or_else(|| "0.0.0.0".to_owned()),
            port: number("port", port, 0, u16::MAX.into())? as u16,
            clients: all.number("NC", 2, 0, 1000)? as usize,
            seconds: all.number("TL", SECONDS, 1, MOST_SECONDS)?,
            patience: Duration::from_secs(all.number("patience", PATIENCE, 1, MOST_SECONDS)?),
            judge: if all.has("judge") {
                Some(Duration::from_millis(all.number("allowance", ALLOWANCE, 0, MOST_SECONDS)?))
            } else {
                None
            },
            board: board.collect::<Result<_, _>>()?,
            gui: all.has("gui"),
            log: all.options.get("LOG").filter(|file| !file.is_empty()).cloned(),
        })
    }

    /// Waits for the clients and carries their messages until the game is over.
    ///
    /// # Errors
    /// If there is no such board, or the host fails.
    pub fn serve(&self, relay: &'static dyn RelayGame, console: &mut dyn Console) -> Result<ServerEnd, ServerError> {
        console.print("Start");
        let variant = relay.variant(&self.board).map_err(|line| {
            console.print(line.0);
            ServerError::NoSuchBoard
        })?;
        relay.game().open(&variant, RuleSet::Server)?;
        let log = self.log.as_ref().map(|file| {
            let open = File::create(file).map(|file| Box::new(file) as Box<dyn Write>);
            open.map_err(|reason| ServerError::Log { file: file.clone(), reason })
        });
        let log = log.transpose()?;
        let (ip, port) = (self.ip.as_str(), self.port);
        let listener =
            TcpListener::bind((ip, port)).map_err(|reason| ServerError::Listen { ip: ip.to_owned(), port, reason })?;
        if port == 0 {
            console.tell(&format!("listening on port {}", listener.local_addr()?.port()));
        }
        let options = RelayOptions {
            variant,
            seconds: self.seconds,
            clients: self.clients,
            patience: self.patience,
            judge: self.judge,
        };
        Ok(RelayServer { game: relay, options, console, log }.run(listener)?)
    }
}

fn names(relay: &dyn RelayGame) -> Vec<&'static str> {
    let mut names = vec!["ip"];
    names.extend(relay.board_options().iter().map(|option| option.name));
    names.extend(["NC", "TL", "LOG", "port", "max-clients", "config", "patience", "allowance"]);
    names.extend(FLAGS);
    names
}

/// The arguments in a file. One that lies around and cannot be understood may be another program's.
fn config(typed: &Arguments, known: &[Known<'_>], console: &mut dyn Console) -> Result<Arguments, CommandError> {
    let chosen = typed.options.get("config");
    let file = chosen.map_or(CONFIG, String::as_str);
    let read = match fs::read_to_string(file) {
        Ok(text) => Arguments::read_file(&text, known),
        Err(_) if chosen.is_none() => return Ok(Arguments::default()),
        Err(error) => Err(ArgumentError(format!("cannot read it: {error}"))),
    };
    match read {
        Ok(found) => {
            console.tell(&format!("options that are not on the command line come from {file}"));
            Ok(found)
        }
        Err(problem) if chosen.is_some() => Err(CommandError::File { file: file.to_owned(), problem }),
        Err(problem) => {
            console.tell(&format!("{file} is not used: {problem}"));
            Ok(Arguments::default())
        }
    }
}

fn usage(relay: &dyn RelayGame) -> String {
    let game = relay.game();
    let board: Vec<String> = relay
        .board_options()
        .iter()
        .map(|option| {
            let value = option.name.to_uppercase();
            format!("  {:<22}{} [default: {}]\n", format!("-{} {value}", option.name), option.help, option.default)
        })
        .collect();
    format!(
        "\
The server of {title}'s original: it carries the turns of two clients to each other and says who sent what.
Each client, `agon client {name}` or the original's own, has a bot and keeps its clock.

Usage: agon server {name} PORT [MAX-CLIENTS] [OPTIONS]

Options of the original:
  -ip ADDRESS           where to listen [default: 0.0.0.0]
{board}  -NC COUNT             clients to wait for; the first two play [default: 2]
  -TL SECONDS           what each player has for the whole game [default: {SECONDS}]
  -LOG FILE             also write every message to this file

Our own:
  --judge               trust nobody: check every turn, keep the clocks here, and show the board
  --allowance MS        with --judge: how much of each turn is the network's and not the player's, in
                        milliseconds [default: {ALLOWANCE}]; clients that start a browser first need some 10000
  --gui                 show the board on a page in the browser
  --patience SECONDS    how long to wait for each client and each message [default: {PATIENCE}]
  --config FILE         read options from here [default: {CONFIG}, if there is one]

A file of options holds the same words as a command line, on one line or on several; `port 10000` and
`max-clients 2` are understood too, and # begins a comment. The command line wins.

Example: agon server {name} 10000 -TL 120 -LOG server.log
",
        title = game.title(),
        name = game.name(),
        board = board.concat(),
    )
}
