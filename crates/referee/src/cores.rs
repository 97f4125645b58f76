//! The rule that a bot thinks with one core, and on its own time.
//!
//! Interpreters and virtual machines need helper threads, so threads are counted and reported, and the rule is about processor time:
//! no more of it than time passed, and hardly any while it is the opponent's turn.

use std::{fmt, str::FromStr, time::Duration};

use agon_wire::{Idle, Reply, Tasks};

/// What happens to a bot that uses more than one core or its opponent's time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CoreRule {
    /// Nothing, and nothing is counted.
    #[default]
    Allow,
    /// The record says so.
    Warn,
    /// It loses the match.
    Forfeit,
}

impl CoreRule {
    const ALL: [CoreRule; 3] = [CoreRule::Allow, CoreRule::Warn, CoreRule::Forfeit];

    /// The word for command lines.
    pub const fn name(self) -> &'static str {
        match self {
            CoreRule::Allow => "allow",
            CoreRule::Warn => "warn",
            CoreRule::Forfeit => "forfeit",
        }
    }
}

impl fmt::Display for CoreRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for CoreRule {
    type Err = UnknownCoreRule;

    fn from_str(text: &str) -> Result<CoreRule, UnknownCoreRule> {
        CoreRule::ALL.into_iter().find(|rule| rule.name() == text).ok_or_else(|| UnknownCoreRule(text.to_owned()))
    }
}

/// A word that names no rule for cores.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected 'allow', 'warn' or 'forfeit', found {}", agon_rules::quote(.0))]
pub struct UnknownCoreRule(String);

/// Processor time that may come on top of the time that passed: the two are not read at the same instant.
const SLACK: Duration = Duration::from_millis(20);

/// Processor time that a bot may use when its turn is over, to tidy up. A virtual machine compiles and collects then.
const TIDYING: Duration = Duration::from_millis(150);

/// What a turn says against a bot, if anything.
pub(crate) fn breach(reply: &Reply) -> Option<String> {
    let idle = |Idle { wall, cpu }: Idle| {
        (cpu > TIDYING + wall / 10).then(|| {
            format!(
                "used {:.3} s of processor time in {:.3} s that were its opponent's",
                cpu.as_secs_f64(),
                wall.as_secs_f64()
            )
        })
    };
    let passed = reply.wall + reply.stalled;
    let busy = |cpu: Duration| {
        (cpu > passed + passed / 10 + SLACK).then(|| {
            format!(
                "used {:.3} s of processor time in {:.3} s, so more than one core",
                cpu.as_secs_f64(),
                passed.as_secs_f64()
            )
        })
    };
    reply.idle.and_then(idle).or_else(|| reply.cpu.and_then(busy))
}

/// What is remembered of a bot during a match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Conduct {
    /// The most processes and threads that it had at the end of a turn.
    pub tasks: Option<Tasks>,
    /// The first breach of the rule, with its turn.
    pub breach: Option<String>,
    /// How many turns had one.
    pub breaches: usize,
}

impl Conduct {
    /// Takes note of a turn.
    pub(crate) fn note(&mut self, turn: usize, reply: &Reply, breach: Option<&String>) {
        if let Some(tasks) = reply.tasks {
            let most = self.tasks.unwrap_or(tasks);
            self.tasks = Some(Tasks {
                processes: most.processes.max(tasks.processes),
                threads: most.threads.max(tasks.threads),
            });
        }
        if let Some(breach) = breach {
            self.breaches += 1;
            self.breach.get_or_insert_with(|| format!("turn {turn}: {breach}"));
        }
    }

    /// In words, for a record; `None` if there is nothing to say.
    pub fn words(&self) -> Option<String> {
        let many = |count: usize, one: &str, more: &str| format!("{count} {}", if count == 1 { one } else { more });
        let tasks = self.tasks.filter(|tasks| tasks.processes > 1 || tasks.threads > 1).map(|tasks| {
            format!("{}, {}", many(tasks.processes, "process", "processes"), many(tasks.threads, "thread", "threads"))
        });
        let breach = self.breach.as_ref().map(|breach| match self.breaches {
            1 => breach.clone(),
            count => format!("{breach} (and {})", many(count - 1, "more turn", "more turns")),
        });
        let said: Vec<String> = tasks.into_iter().chain(breach).collect();
        (!said.is_empty()).then(|| said.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(wall: u64, cpu: u64) -> Reply {
        Reply { wall: Duration::from_millis(wall), cpu: Some(Duration::from_millis(cpu)), ..Reply::default() }
    }

    #[test]
    fn one_core_is_no_breach_and_two_are() {
        assert_eq!(breach(&reply(1000, 1000)), None);
        assert_eq!(breach(&reply(5, 20)), None, "the clocks are not read at once");
        let said = breach(&reply(1000, 1900)).expect("a breach");
        assert_eq!(said, "used 1.900 s of processor time in 1.000 s, so more than one core");
        let stalled = Reply { stalled: Duration::from_secs(1), ..reply(1000, 1900) };
        assert_eq!(breach(&stalled), None, "time in which the machine stood still has passed too");
    }

    #[test]
    fn the_opponents_time_is_not_for_thinking() {
        let with = |wall: u64, cpu: u64| {
            let idle = Idle { wall: Duration::from_millis(wall), cpu: Duration::from_millis(cpu) };
            Reply { idle: Some(idle), ..reply(1000, 900) }
        };
        assert_eq!(breach(&with(2000, 100)), None, "a virtual machine tidies up");
        assert!(breach(&with(2000, 1500)).is_some_and(|said| said.contains("opponent's")));
    }

    #[test]
    fn conduct_in_words() {
        let mut conduct = Conduct::default();
        assert_eq!(conduct.words(), None);
        let tasks = Some(Tasks { processes: 1, threads: 1 });
        conduct.note(1, &Reply { tasks, ..reply(10, 1) }, None);
        assert_eq!(conduct.words(), None, "a single thread is what one expects");
        conduct.note(
            3,
            &Reply { tasks: Some(Tasks { processes: 2, threads: 9 }), ..reply(10, 1) },
            Some(&"bad".to_owned()),
        );
        conduct.note(5, &reply(10, 1), Some(&"worse".to_owned()));
        assert_eq!(conduct.words().as_deref(), Some("2 processes, 9 threads; turn 3: bad (and 1 more turn)"));
    }
}
