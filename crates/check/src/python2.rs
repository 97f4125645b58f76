//! Bots that were written for Python 2, which hardly any host has.

use crate::run::{End, MatchSeen};

/// What interpreters say of such programs, and shells of such interpreters.
const SIGNS: &[&str] = &[
    "Missing parentheses in call to 'print'",
    "Missing parentheses in call to 'exec'",
    // print >>sys.stderr, "…"
    "unsupported operand type(s) for >>: 'builtin_function_or_method'",
    // except X, e
    "multiple exception types must be parenthesized",
    // 0777
    "leading zeros in decimal integer literals are not permitted",
    "name 'raw_input' is not defined",
    "name 'xrange' is not defined",
    "name 'unicode' is not defined",
    "name 'basestring' is not defined",
    "name 'reduce' is not defined",
    "object has no attribute 'iteritems'",
    "object has no attribute 'itervalues'",
    "object has no attribute 'iterkeys'",
    "object has no attribute 'has_key'",
    "module 'sys' has no attribute 'maxint'",
    "cannot import name 'izip' from 'itertools'",
    "python2: not found",
    "python2: No such file",
    "python2.7: not found",
];

/// Modules that have another name in Python 3.
const MODULES: [&str; 12] = [
    "Queue",
    "cPickle",
    "ConfigParser",
    "StringIO",
    "cStringIO",
    "Tkinter",
    "SocketServer",
    "__builtin__",
    "commands",
    "httplib",
    "urllib2",
    "urlparse",
];

/// What to do if the bot needs Python 2; `last` is the match in which it failed.
pub(crate) fn remedy(last: &MatchSeen) -> Option<String> {
    let End::Fault(fault) = &last.end else { return None };
    let said = format!("{}\n{}", fault.evidence(), last.last_stderr);
    is_python_2(&said).then(|| {
        "The bot is written for Python 2. Port it (`2to3 -w bot.py` does most of it), or install Python 2 (`pyenv install 2.7.18`) and \
         let bots find it: AGON_RUNTIMES=$(pyenv prefix 2.7.18). Then `python` and `python2` are that one, and `python3` stays what it is."
            .to_owned()
    })
}

fn is_python_2(said: &str) -> bool {
    let is_missing = |module: &&str| said.contains(&format!("No module named '{module}'"));
    SIGNS.iter().any(|sign| said.contains(sign)) || MODULES.iter().any(is_missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_python_3_says_of_python_2() {
        for said in [
            "SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?",
            "SyntaxError: Missing parentheses in call to 'exec'. Did you mean exec(...)?",
            "TypeError: unsupported operand type(s) for >>: 'builtin_function_or_method' and '_io.TextIOWrapper'",
            "SyntaxError: multiple exception types must be parenthesized",
            "SyntaxError: leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers",
            "AttributeError: 'dict' object has no attribute 'iteritems'. Did you mean: 'items'?",
            "AttributeError: 'dict' object has no attribute 'has_key'",
            "AttributeError: module 'sys' has no attribute 'maxint'",
            "NameError: name 'unicode' is not defined",
            "NameError: name 'reduce' is not defined",
            "ModuleNotFoundError: No module named 'Queue'",
            "ModuleNotFoundError: No module named 'cPickle'",
            "ModuleNotFoundError: No module named 'ConfigParser'",
        ] {
            assert!(is_python_2(said), "{said}");
        }
        for said in ["NameError: name 'board' is not defined", "No module named 'Queues'", "No module named 'numpy'"] {
            assert!(!is_python_2(said), "{said}");
        }
    }
}
