//! The course's own protocol: the first line of a bot, and what its server and clients are started with.

use agon_originals::{
    BoardOption, FirstLine, FirstLineError, LinesBot, LinesGame, NoSuchBoard, Original, Player, Preset, RelayGame,
    Server, ShellSubmissions, Submissions, lines_protocol, serve_lines,
};
use agon_rules::Side;
use agon_wire::Protocol;

use crate::Cannon;

static LINES: Protocol = lines_protocol(|program| Box::new(LinesBot::new(&Cannon, program)));

impl Original for Cannon {
    fn protocols(&self) -> &'static [&'static Protocol] {
        const { &[&LINES] }
    }

    fn player(&self) -> Option<Player> {
        Some(|call| serve_lines(&Cannon, &Cannon, call))
    }

    fn submissions(&self) -> Option<&'static dyn Submissions> {
        Some(const { &ShellSubmissions { protocol: &LINES } })
    }

    fn server(&self) -> Option<Server> {
        Some(Server::Relay(&Cannon))
    }

    fn presets(&self) -> &'static [Preset] {
        &[
            Preset {
                name: "col333-2019-cannon-phase1",
                format: include_str!("../presets/col333-2019-cannon-phase1.toml"),
            },
            Preset {
                name: "col333-2019-cannon-phase2",
                format: include_str!("../presets/col333-2019-cannon-phase2.toml"),
            },
        ]
    }

    fn courses(&self) -> &'static [Preset] {
        &[Preset { name: "col333-2019-cannon", format: include_str!("../courses/col333-2019-cannon.toml") }]
    }
}

impl LinesGame for Cannon {
    /// `1 8 8 120`: the player's number, rows, columns, seconds.
    fn first_line(&self, line: &FirstLine) -> String {
        let size = line.variant.replace('x', " ");
        format!("{} {size} {}", line.side.number(), line.seconds)
    }

    fn read_first_line(&self, text: &str) -> Result<FirstLine, FirstLineError> {
        let wrong =
            || FirstLineError { found: text.to_owned(), expected: "PLAYER ROWS COLUMNS SECONDS", example: "1 8 8 120" };
        let numbers: Vec<u64> =
            text.split_whitespace().map(|word| word.parse().ok()).collect::<Option<_>>().ok_or_else(wrong)?;
        let &[player, rows, columns, seconds] = numbers.as_slice() else { return Err(wrong()) };
        let side = Side::BOTH.into_iter().find(|side| u64::from(side.number()) == player).ok_or_else(wrong)?;
        Ok(FirstLine { side, variant: format!("{rows}x{columns}"), seconds })
    }
}

impl RelayGame for Cannon {
    fn game(&self) -> &'static dyn Original {
        &Cannon
    }

    fn board_options(&self) -> &'static [BoardOption] {
        &[
            BoardOption { name: "n", default: 8, help: "rows: 8 or 10" },
            BoardOption { name: "m", default: 8, help: "columns: 8 or 10" },
        ]
    }

    fn variant(&self, values: &[u32]) -> Result<String, NoSuchBoard> {
        match values {
            [8, 8] | [10, 8 | 10] => Ok(format!("{}x{}", values[0], values[1])),
            _ => Err(NoSuchBoard("Board size should be 8 x 8, 10 x 8 or 10 x 10")),
        }
    }

    fn before_sender(&self) -> &'static str {
        " "
    }
}
