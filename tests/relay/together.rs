//! Our server and our clients play each other, and each survives the other's death.

use super::support::{AGON, Agon, Ended, Peer, folder, init, message, normal, until};

/// A house bot as the originals would have started it.
fn house_bot(game: &str, seed: u32) -> String {
    format!("exec '{AGON}' bot {game} --seed {seed}\n")
}

/// A whole game under the eyes of a judge.
fn play(game: &str, board: &[&str]) -> [Ended; 3] {
    let arguments = [&[game, "0", "-TL", "600", "-LOG", "server.log", "--judge"], board].concat();
    let (server, port) = Agon::server(&arguments);
    let clients = [1, 2].map(|seed| Agon::client(folder(), game, port, &house_bot(game, seed), &[]));
    let [first, second] = clients.map(Agon::end);
    [server.end(), first, second]
}

#[test]
fn whole_games_on_every_board() {
    for (game, board) in [
        ("yinsh", vec![]),
        ("yinsh", vec!["-n", "6", "-s", "6"]),
        ("yinsh", vec!["-n", "7"]),
        ("cannon", vec![]),
        ("cannon", vec!["-n", "10"]),
        ("cannon", vec!["-n", "10", "-m", "10"]),
    ] {
        let [server, first, second] = play(game, &board);
        for ended in [&server, &first, &second] {
            assert_eq!(ended.code, Some(0), "{game} {board:?}: {}", ended.stderr);
        }
        let log = server.read("server.log");
        let last = log.lines().last().expect("a last line");
        assert!(last.starts_with("{\"action\": \"FINISH\", \"meta\": \"Player "), "{game} {board:?}: {last}");
        // The judge had nothing to put right, and both clients agree with it.
        assert!(!log.contains("Decided by the server"), "{last}");
        let score = |ended: &Ended, whose: &str| {
            let line = ended.stdout.lines().find_map(|line| line.strip_prefix(whose).map(str::to_owned));
            line.unwrap_or_else(|| panic!("no score in {}", ended.stdout))
        };
        let own = |ended: &Ended| score(ended, "Your Score : ");
        assert_eq!(own(&first), score(&second, "Opponent's Score : "));
        let number = |ended: &Ended| if ended.stdout.contains("-> You are player 1") { 1 } else { 2 };
        for ended in [&first, &second] {
            assert!(last.contains(&format!("Player {} SCORE : {}", number(ended), own(ended))), "{last}");
        }
    }
}

/// A bot that makes one turn and ends with its input.
const ONE_TURN: &str = "\
read first
case $first in 1*) echo P 0 0;; *) echo P 1 1;; esac
while read line; do :; done
";

#[test]
fn a_killed_client_is_reported() {
    let (server, port) = Agon::server(&["yinsh", "0"]);
    let mut other = Peer::connect(port);
    let mut client = Agon::client(folder(), "yinsh", port, ONE_TURN, &[]);
    other.hear(&init("1 5 150 5"));
    other.say(normal("P 0 0"));
    other.hear(&normal("P 1 1"));
    client.kill();
    other.say(normal("P 2 2"));
    let meta = "UNEXPECTED STOP BY PLAYER 2 : Player 2 SCORE : 0.0 : Player 1 SCORE : 10.0";
    other.hear(&message("KILLPROC", meta, ""));
    other.hear_the_end();
    assert_eq!(server.end().code, Some(1));
}

#[test]
fn a_killed_server_is_left_by_both_clients() {
    let (mut server, port) = Agon::server(&["yinsh", "0"]);
    let clients = [0, 1].map(|_| Agon::client(folder(), "yinsh", port, ONE_TURN, &[]));
    until("second turn", || server.read("stdout").contains("P 1 1").then_some(()));
    server.kill();
    for client in clients {
        let ended = client.end();
        assert_eq!(ended.code, Some(1), "{}", ended.stderr);
        assert!(ended.stdout.contains("ERROR : TIMEOUT ON SERVER END"), "{}", ended.stdout);
    }
}
