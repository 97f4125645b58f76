//! The course's own protocol: the first line of a bot, and what its server and clients are started with.

use agon_originals::{
    BoardOption, FirstLine, FirstLineError, LinesBot, LinesGame, NoSuchBoard, OlderLine, Original, Player, Preset,
    RelayGame, Server, ShellSubmissions, Submissions, lines_protocol, serve_lines,
};
use agon_rules::Side;
use agon_wire::Protocol;

use crate::Yinsh;

static LINES: Protocol = lines_protocol(|program| Box::new(LinesBot::new(&Yinsh, program)));

impl Original for Yinsh {
    fn protocols(&self) -> &'static [&'static Protocol] {
        const { &[&LINES] }
    }

    fn player(&self) -> Option<Player> {
        Some(|call| serve_lines(&Yinsh, &Yinsh, call))
    }

    fn submissions(&self) -> Option<&'static dyn Submissions> {
        Some(const { &ShellSubmissions { protocol: &LINES } })
    }

    fn server(&self) -> Option<Server> {
        Some(Server::Relay(&Yinsh))
    }

    fn presets(&self) -> &'static [Preset] {
        &[
            Preset {
                name: "col333-2018-yinsh-phase1",
                format: include_str!("../presets/col333-2018-yinsh-phase1.toml"),
            },
            Preset {
                name: "col333-2018-yinsh-phase2",
                format: include_str!("../presets/col333-2018-yinsh-phase2.toml"),
            },
        ]
    }

    fn courses(&self) -> &'static [Preset] {
        &[Preset { name: "col333-2018-yinsh", format: include_str!("../courses/col333-2018-yinsh.toml") }]
    }
}

impl LinesGame for Yinsh {
    /// `1 5 120 5`: the player's number, N, seconds, K. M is N and L is 3 where this protocol is spoken; other boards cannot be
    /// told to a bot.
    fn first_line(&self, line: &FirstLine) -> String {
        let mut parameters = line.variant.split('-');
        let (size, row) = (parameters.next().unwrap_or_default(), parameters.nth(1).unwrap_or_default());
        format!("{} {size} {} {row}", line.side.number(), line.seconds)
    }

    /// A bot of that time knows only rows of five.
    fn older_lines(&self) -> &'static [OlderLine] {
        &[OlderLine {
            name: "3",
            about: "the three numbers 'PLAYER N SECONDS', as the course's server sent them in its first phase; four since 26 October 2018",
        }]
    }

    fn older_line(&self, line: &FirstLine, _name: &str) -> String {
        let size = line.variant.split('-').next().unwrap_or_default();
        format!("{} {size} {}", line.side.number(), line.seconds)
    }

    fn read_first_line(&self, text: &str) -> Result<FirstLine, FirstLineError> {
        let wrong = || FirstLineError { found: text.to_owned(), expected: "PLAYER N SECONDS K", example: "1 5 120 5" };
        let numbers: Vec<u64> =
            text.split_whitespace().map(|word| word.parse().ok()).collect::<Option<_>>().ok_or_else(wrong)?;
        // Older programs say only three numbers.
        let (player, size, seconds, row) = match *numbers.as_slice() {
            [player, size, seconds] => (player, size, seconds, 5),
            [player, size, seconds, row] => (player, size, seconds, row),
            _ => return Err(wrong()),
        };
        let side = Side::BOTH.into_iter().find(|side| u64::from(side.number()) == player).ok_or_else(wrong)?;
        Ok(FirstLine { side, variant: format!("{size}-{size}-{row}-3"), seconds })
    }
}

impl RelayGame for Yinsh {
    fn game(&self) -> &'static dyn Original {
        &Yinsh
    }

    fn board_options(&self) -> &'static [BoardOption] {
        &[
            BoardOption { name: "n", default: 5, help: "rings of each player, and the size of the board: 5, 6 or 7" },
            BoardOption { name: "s", default: 5, help: "markers in a row: 5, 6 or 7" },
        ]
    }

    /// The original refuses `-n 7` and lets any `-s` pass, because it tests the wrong one; here each is tested for itself.
    fn variant(&self, values: &[u32]) -> Result<String, NoSuchBoard> {
        match values {
            [5..=7, 5..=7] => Ok(format!("{0}-{0}-{1}-3", values[0], values[1])),
            [5..=7, ..] => Err(NoSuchBoard("Sequence Length should be 5 or 6.")),
            _ => Err(NoSuchBoard("Game size should be 5, 6 or 7 rings.")),
        }
    }

    fn before_sender(&self) -> &'static str {
        ""
    }
}
