//! Bots that were written for Python 2, which hardly any host has.

use super::run::{End, MatchSeen};

/// What interpreters say of such programs, and shells of such interpreters.
const SIGNS: [&str; 6] = [
    "Missing parentheses in call to 'print'",
    "name 'raw_input' is not defined",
    "name 'xrange' is not defined",
    "python2: not found",
    "python2: No such file",
    "python2.7: not found",
];

/// What to do if the bot needs Python 2; `last` is the match in which it failed.
pub(super) fn remedy(last: &MatchSeen) -> Option<String> {
    let End::Fault(fault) = &last.end else { return None };
    let said = format!("{}\n{}", fault.evidence(), last.last_stderr);
    SIGNS.iter().any(|sign| said.contains(sign)).then(|| {
        "The bot is written for Python 2. Port it (`2to3 -w bot.py` does most of it), or install Python 2 (`pyenv install 2.7.18`) and \
         let bots find it: AGON_RUNTIMES=$(pyenv prefix 2.7.18). Then `python` and `python2` are that one, and `python3` stays what it is."
            .to_owned()
    })
}
