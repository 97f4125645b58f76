//! `agon serve`: the web arena.

use std::{
    env,
    io::Write,
    net::{IpAddr, Ipv4Addr},
    path::{Path, PathBuf},
    sync::Arc,
};

use agon_runs::lock::{self, Lock};
use agon_server::{LogFormat, Options, ServeError};
use agon_store::Store;
use clap::Args;

use crate::{contain::Contain, error::CliError};

/// Run the web arena: play, watch, replay and analyse in a browser. This is what `agon` does without a command
#[derive(Args)]
pub(crate) struct Serve {
    /// The port to listen at; 0 is any that is free
    #[arg(long, default_value_t = 8333)]
    port: u16,
    /// The address to listen at; one that others can reach needs a token
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// The database; `arena.db` in your data folder if absent
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
    /// What anybody must know who plays or changes anything. Without it a token is made up that only bots of one's own need
    #[arg(long, env = "AGON_TOKEN", value_name = "SECRET", hide_env_values = true)]
    token: Option<String>,
    /// What lines of the log on stderr look like: text or json
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    log_format: LogFormat,
    #[command(flatten)]
    contain: Contain,
}

impl Serve {
    /// What `agon` does without a command.
    pub(crate) fn usual() -> Result<Serve, CliError> {
        let options = Options::default();
        let (port, bind, token) = (options.port, options.bind, env::var("AGON_TOKEN").ok());
        Ok(Serve { port, bind, db: None, token, log_format: options.log, contain: Contain::usual()? })
    }

    pub(crate) fn run(&self) -> Result<(), CliError> {
        let db = self.db.clone().or_else(agon_store::usual_path);
        let _lock = db.as_deref().map(only_arena).transpose()?;
        let containment = self.contain.containment()?;
        let level = containment.level();
        let options = Options {
            bind: self.bind,
            port: self.port,
            db: db.clone(),
            token: self.token.clone(),
            containment: Arc::new(containment),
            log: self.log_format,
        };
        let said = agon_server::serve(options, |address, token| {
            let mut out = std::io::stdout().lock();
            let kept = match &db {
                Some(path) => format!("Matches are kept in {}.", path.display()),
                None => "Matches are kept in memory only: there is no home folder. Name a file with --db.".to_owned(),
            };
            let (why, enter) = match token {
                Some(token) => ("To seat bots of your own, open this link once", format!("/enter?token={token}")),
                None => ("To play or change anything, give the token here once", "/enter".to_owned()),
            };
            let enter = format!("http://{address}{enter}");
            // Whoever closed our output does not want to know.
            let _ = writeln!(
                out,
                "Agon: play, watch, replay, analyse. {kept} Bots run in the sandbox '{level}'. Ctrl-C ends it.\n\
                 {why}:\n{enter}\nhttp://{address}/"
            );
            let _ = out.flush();
        });
        said.map_err(|error| match error {
            ServeError::NeedsToken(_) | ServeError::EmptyToken => CliError::Input(error.to_string()),
            other => CliError::Host(other.to_string()),
        })
    }
}

/// Makes sure that no other arena keeps its matches in the same database: two would each play on with what the other has changed.
fn only_arena(db: &Path) -> Result<Lock, CliError> {
    // Whatever is wrong with the database itself is said better by those who open it.
    Store::open(db).map_err(|error| CliError::Host(error.to_string()))?;
    lock::take_arena(db)?.map_err(|holder| {
        CliError::Input(format!(
            "{} is the database of an arena that is open already ({holder}): use that one, end it first, or name another file with --db",
            db.display()
        ))
    })
}
