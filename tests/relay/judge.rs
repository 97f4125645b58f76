//! A server that judges.

use super::support::{Agon, Ended, Peer, init, message, normal, read_log};

fn begin(arguments: &[&str]) -> (Agon, [Peer; 2]) {
    let arguments = [&["yinsh", "0", "-LOG", "server.log", "--judge"], arguments].concat();
    let (server, port) = Agon::server(&arguments);
    let (mut first, mut second) = (Peer::connect(port), Peer::connect(port));
    let seconds = if arguments.contains(&"-TL") { 1 } else { 150 };
    first.hear(&init(&format!("1 5 {seconds} 5")));
    second.hear(&init(&format!("2 5 {seconds} 5")));
    (server, [first, second])
}

/// Says what was said in the real game that the second player won, up to the last turn, which is given back.
fn to_the_last_turn(clients: &mut [Peer; 2]) -> String {
    let mut log = read_log("yinsh-server-win.log");
    let last = log.pop().expect("a last turn");
    for logged in log {
        clients[logged.client].say(&logged.raw);
        clients[1 - logged.client].hear(&logged.forwarded);
    }
    last.turn
}

fn assert_decided(ended: &Ended, verdict: &str) {
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stdout.ends_with(&format!("{verdict}Decided by the server\n")), "{}", ended.stdout);
    assert!(ended.read("server.log").ends_with(&format!("{verdict} Decided by the server\n")));
    // Those who look for scores find one, whatever the clients said.
    assert_eq!(ended.read("server.log").matches("Player 1 SCORE").count(), 1);
}

#[test]
fn a_game_by_the_rules_passes_unchanged_and_is_shown() {
    let (server, mut clients) = begin(&[]);
    let turn = to_the_last_turn(&mut clients);
    let finish = message("FINISH", "Player 2 SCORE : 10.007 : Player 1 SCORE : 0.006", &turn);
    clients[1].say(&finish);
    clients[0].hear(&finish);
    clients[0].hear_the_end();
    let ended = server.end();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let turns = read_log("yinsh-server-win.log").len();
    assert_eq!(ended.stdout.lines().count(), 1 + turns);
    assert!(ended.stdout.lines().skip(1).all(|line| line.contains("Received from client ")), "{}", ended.stdout);
    assert!(ended.stderr.lines().count() > turns * 10, "the board was not drawn");
    assert!(!ended.stderr.contains('\u{1b}'), "colours without a terminal");
}

#[test]
fn an_illegal_turn_is_the_end() {
    let (server, [mut first, mut second]) = begin(&[]);
    first.say(normal("P 0 0"));
    second.hear(&normal("P 0 0"));
    second.say(normal("P 0 0"));
    let meta = "INVALID MOVE BY PLAYER 2 : Player 2 SCORE : 0.0 : Player 1 SCORE : 10.0";
    let verdict = message("KILLPROC", meta, "");
    first.hear(&verdict);
    second.hear(&verdict);
    second.hear_the_end();
    assert_decided(&server.end(), &verdict);
}

#[test]
fn the_servers_clock_counts() {
    let (server, [mut first, mut second]) = begin(&["-TL", "1", "--allowance", "0"]);
    let meta = "TIMEOUT BY PLAYER 1 : Player 1 SCORE : 0.0 : Player 2 SCORE : 10.0";
    let verdict = message("FINISH", meta, "");
    first.hear(&verdict);
    second.hear(&verdict);
    assert_decided(&server.end(), &verdict);
}

#[test]
fn scores_are_put_right() {
    for meta in ["Player 2 SCORE : 10.999 : Player 1 SCORE : 0.006", "", "INVALID MOVE BY PLAYER 1"] {
        let (server, mut clients) = begin(&[]);
        let turn = to_the_last_turn(&mut clients);
        clients[1].say(message("FINISH", meta, &turn));
        let right = "Player 2 SCORE : 10.007 : Player 1 SCORE : 0.006";
        clients[0].hear(&message("FINISH", right, &turn));
        clients[1].hear(&message("FINISH", right, ""));
        assert_decided(&server.end(), &message("FINISH", right, &turn));
    }
}

#[test]
fn a_game_that_is_over_is_over_whatever_its_client_says() {
    let (server, mut clients) = begin(&[]);
    let turn = to_the_last_turn(&mut clients);
    clients[1].say(normal(&turn));
    let right = message("FINISH", "Player 2 SCORE : 10.007 : Player 1 SCORE : 0.006", &turn);
    clients[0].hear(&right);
    assert_decided(&server.end(), &right);

    let (server, [mut first, mut second]) = begin(&[]);
    first.say(message("FINISH", "Player 1 SCORE : 10.0 : Player 2 SCORE : 0.0", "P 0 0"));
    let meta = "INVALID MOVE BY PLAYER 1 : Player 1 SCORE : 0.0 : Player 2 SCORE : 10.0";
    second.hear(&message("KILLPROC", meta, ""));
    assert_decided(&server.end(), &message("KILLPROC", meta, ""));
}

#[test]
fn a_client_speaks_only_for_itself() {
    let stop = "UNEXPECTED STOP BY PLAYER 1 : Player 1 SCORE : 0.0 : Player 2 SCORE : 10.0";
    let accusation = "INVALID MOVE BY PLAYER 2 : Player 2 SCORE : 0.0 : Player 1 SCORE : 10.0";
    for said in [message("KILLPROC", accusation, ""), message("HELLO", "", ""), message("STAGNANT", "", "")] {
        let (server, [mut first, mut second]) = begin(&[]);
        first.say(said);
        second.hear(&message("KILLPROC", stop, ""));
        assert_decided(&server.end(), &message("KILLPROC", stop, ""));
    }
    // A client that owns up is believed, and its scores are put right.
    let (server, [mut first, mut second]) = begin(&[]);
    first.say(message("FINISH", "TIMEOUT BY PLAYER 1 : Player 1 SCORE : 4.0 : Player 2 SCORE : 6.0", ""));
    let meta = "TIMEOUT BY PLAYER 1 : Player 1 SCORE : 0.0 : Player 2 SCORE : 10.0";
    second.hear(&message("FINISH", meta, ""));
    assert_decided(&server.end(), &message("FINISH", meta, ""));
}
