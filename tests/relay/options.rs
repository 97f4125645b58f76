//! Command lines and files of options.

use std::fs;

use super::support::{Agon, Ended, Peer, folder, init};

fn run(arguments: &[&str]) -> Ended {
    Agon::start(folder(), arguments).end()
}

#[test]
fn a_file_gives_options_and_the_command_line_wins() {
    let here = folder();
    fs::write(here.path().join("config.txt"), "# ours\nport 0\nmax-clients = 3\n-TL 77 -n 6\nLOG from-file.log\n")
        .expect("a file");
    let (server, port) = Agon::server_in(here, &["yinsh", "0", "2", "-n", "5", "-s", "6"]);
    let (mut first, mut second) = (Peer::connect(port), Peer::connect(port));
    first.hear(&init("1 5 77 6"));
    second.hear(&init("2 5 77 6"));
    drop((first, second));
    let ended = server.end();
    assert!(ended.stderr.contains("config.txt"), "{}", ended.stderr);
    assert!(ended.folder.path().join("from-file.log").exists());

    let here = folder();
    fs::write(here.path().join("mine"), "0 2 -TL 99\n").expect("a file");
    let (server, port) = Agon::server_in(here, &["yinsh", "--config", "mine"]);
    let (mut first, _second) = (Peer::connect(port), Peer::connect(port));
    first.hear(&init("1 5 99 5"));
    drop(server);
}

#[test]
fn a_strange_file_is_only_an_error_if_it_was_asked_for() {
    let here = folder();
    fs::write(here.path().join("config.txt"), "--frobnicate yes\n").expect("a file");
    let (server, _port) = Agon::server_in(here, &["yinsh", "0"]);
    assert!(server.read("stderr").contains("config.txt is not used"));
    drop(server);
    let here = folder();
    fs::write(here.path().join("mine"), "--frobnicate yes\n").expect("a file");
    let ended = Agon::start(here, &["server", "yinsh", "0", "--config", "mine"]).end();
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
}

#[test]
fn wrong_boards_get_the_originals_line() {
    for (arguments, line) in [
        (vec!["yinsh", "0", "-n", "8"], "Game size should be 5, 6 or 7 rings."),
        (vec!["yinsh", "0", "-s", "4"], "Sequence Length should be 5 or 6."),
        (vec!["cannon", "0", "-m", "10"], "Board size should be 8 x 8, 10 x 8 or 10 x 10"),
    ] {
        let ended = run(&[vec!["server"], arguments].concat());
        assert_eq!(ended.stdout, format!("Start\n{line}\n"));
        assert_eq!(ended.code, Some(2));
    }
}

#[test]
fn bad_usage_is_explained() {
    for (arguments, code, word) in [
        (vec!["server", "yinsh"], 2, "port"),
        (vec!["server", "yinsh", "70000"], 2, "from 0 to 65535"),
        (vec!["server", "yinsh", "0", "-m", "8"], 2, "-ip, -n, -s, -NC, -TL, -LOG"),
        (vec!["server", "yinsh", "0", "-TL", "soon"], 2, "whole number"),
        (vec!["server", "yinsh", "0", "2", "3"], 2, "unexpected argument '3'"),
        (vec!["server", "yinsh", "0", "-LOG", "no/such/folder"], 3, "cannot write the log"),
        (vec!["client", "yinsh", "127.0.0.1"], 2, "address and port"),
        (vec!["client", "yinsh", "127.0.0.1", "1", "no-such-bot.py"], 2, "no-such-bot.py"),
        (vec!["client", "yinsh", "127.0.0.1", "1", "stdout"], 2, "can be executed"),
        (vec!["client", "yinsh", "127.0.0.1", "1"], 3, "no server at 127.0.0.1 port 1"),
        (vec!["client", "connectx", "127.0.0.1", "1"], 2, "no clients"),
    ] {
        let ended = run(&arguments);
        assert_eq!(ended.code, Some(code), "{arguments:?}: {}", ended.stderr);
        assert!(ended.stderr.contains(word), "{arguments:?}: {}", ended.stderr);
    }
}

#[test]
fn help_names_every_option() {
    let help = run(&["server", "cannon", "--help"]);
    assert_eq!(help.code, Some(0));
    for option in ["-ip", "-n N", "-m M", "-NC", "-TL", "-LOG", "--judge", "--gui", "--patience", "--config"] {
        assert!(help.stdout.contains(option), "{option}");
    }
    let help = run(&["client", "yinsh", "-h"]);
    assert!(help.stdout.contains("-mode GUI|CUI") && help.stdout.contains("PORT IP"));
}
