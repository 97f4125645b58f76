//! The bot's end, for house bots.

use agon_originals::{HouseCall, ServeError};
use agon_rules::quote;
use agon_wire::WebsocketHub;

use super::house::{Answer, HouseGame};

/// What the original said.
const NO_PORT: &str = "ERROR: port is a compulsory argument";

const USAGE: &str = "expected -p PORT (or --port PORT; 0 is any free one), and perhaps --host ADDRESS (or -ip ADDRESS). Without \
                     it only this machine can connect; the originals listened on every interface, as --host 0.0.0.0 does";

/// Listens, and plays with whoever connects, until it is told to quit.
pub(super) fn serve(call: HouseCall<'_>) -> Result<(), ServeError> {
    let place = Place::read(call.arguments).map_err(ServeError::Usage)?;
    let cannot = |error| ServeError::Usage(format!("cannot listen on {}:{}: {error}", place.host, place.port));
    let mut hub = WebsocketHub::listen(&place.host, place.port).map_err(cannot)?;
    writeln!(call.output, "listening on ws://{}", hub.address()?)?;
    call.output.flush()?;
    let mut game = HouseGame::new(call.brain);
    loop {
        let message = hub.next_message()?;
        match game.hear(&message) {
            Answer::Nothing => {}
            Answer::Say(text) => hub.say(&text),
            Answer::Log(text) => {
                // Nobody need read it.
                let _ = writeln!(call.output, "{text}").and_then(|()| call.output.flush());
            }
            Answer::Goodbye => return Ok(()),
        }
    }
}

/// Where to listen.
#[derive(PartialEq, Eq, Debug)]
struct Place {
    host: String,
    port: u16,
}

impl Place {
    fn read(arguments: &[String]) -> Result<Place, String> {
        let (mut host, mut port) = ("127.0.0.1".to_owned(), None);
        let mut rest = arguments.iter().map(String::as_str);
        while let Some(argument) = rest.next() {
            let (name, value) = match argument.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value)),
                _ => (argument, None),
            };
            let mut value = || value.or_else(|| rest.next()).ok_or_else(|| format!("{name} needs a value: {USAGE}"));
            match name {
                "-p" | "--port" => {
                    let text = value()?;
                    let number = text.parse::<u16>();
                    port =
                        Some(number.map_err(|_| {
                            format!("port {}: expected a number between 0 and {}", quote(text), u16::MAX)
                        })?);
                }
                "-ip" | "--host" => value()?.clone_into(&mut host),
                _ => return Err(format!("unexpected argument {}: {USAGE}", quote(argument))),
            }
        }
        port.map(|port| Place { host, port }).ok_or_else(|| NO_PORT.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Place, String> {
        Place::read(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn places() {
        let place = |host: &str, port| Ok(Place { host: host.to_owned(), port });
        assert_eq!(read("-p 8181"), place("127.0.0.1", 8181));
        assert_eq!(read("--port 8181"), place("127.0.0.1", 8181));
        assert_eq!(read("--port=0 --host=0.0.0.0"), place("0.0.0.0", 0));
        assert_eq!(read("-ip ::1 -p 7"), place("::1", 7));
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(read(""), Err(NO_PORT.to_owned()));
        assert_eq!(read("--host localhost"), Err(NO_PORT.to_owned()));
        assert_eq!(read("-p 99999").unwrap_err(), "port '99999': expected a number between 0 and 65535");
        assert!(read("-p").unwrap_err().starts_with("-p needs a value: expected -p PORT"));
        assert!(read("8181").unwrap_err().starts_with("unexpected argument '8181': expected -p PORT"));
    }
}
