//! The attacks, and how each of them has to end.

use super::stage::{Stage, Who};

/// A bot, and the ends that its matches may have.
pub(crate) struct Attack {
    pub(crate) bot: &'static str,
    /// Where the kernel counts memory and tasks, and where a watchdog does.
    full: &'static [&'static str],
    below: &'static [&'static str],
    game: &'static str,
    protocol: &'static str,
    /// Options of `agon match` besides the usual.
    more: &'static [&'static str],
}

/// It noticed that everything was refused, and ended itself.
const REFUSED: &[&str] = &["crash"];
const MEMORY: &[&str] = &["out of memory"];
const LIMIT: &[&str] = &["over limit"];
/// Whether the limit or the watchdog comes first is a matter of luck. Pages that forked processes share count for each of them.
const TASKS: &[&str] = &["crash", "over limit", "out of memory"];
const DISK: &[&str] = &["crash", "over limit"];

const fn attack(bot: &'static str, full: &'static [&'static str], below: &'static [&'static str]) -> Attack {
    // Time enough for a busy machine: none of these ends by the clock.
    Attack { bot, full, below, game: "connectx", protocol: "ugi", more: &["--tc", "120"] }
}

const fn refused(bot: &'static str) -> Attack {
    attack(bot, REFUSED, REFUSED)
}

/// Ended by the clock.
const fn silent(bot: &'static str) -> Attack {
    Attack { more: &["--tc", "1"], ..attack(bot, &["timeout"], &["timeout"]) }
}

/// A bot that has to listen, and ends before it does.
const fn listening(bot: &'static str) -> Attack {
    Attack { game: "rollerball", protocol: "websocket", ..attack(bot, &["would not start"], &["would not start"]) }
}

/// What any level has to stop, `none` too.
pub(crate) const MANNERS: [Attack; 3] =
    [attack("stdout_flood", &["output flood"], &["output flood"]), silent("stderr_flood"), silent("stops_itself")];

/// What every level but `none` has to stop.
pub(crate) const ATTACKS: [Attack; 35] = [
    attack("fork_bomb", REFUSED, TASKS),
    attack("thread_bomb", REFUSED, TASKS),
    refused("orphan_bomb"),
    refused("orphan"),
    attack("memory_fast", MEMORY, &["crash", "out of memory"]),
    attack("memory_slow", MEMORY, MEMORY),
    attack("memory_shared", MEMORY, MEMORY),
    attack("memory_kernel", MEMORY, &["crash", "out of memory", "over limit"]),
    attack("memory_pipes", &["crash", "out of memory"], &["crash", "out of memory"]),
    attack("disk_filler", LIMIT, LIMIT),
    attack("disk_unlinked", DISK, DISK),
    attack("disk_deep", DISK, DISK),
    attack("disk_closed", DISK, DISK),
    attack("disk_sent", DISK, DISK),
    attack("inode_filler", LIMIT, LIMIT),
    refused("descriptor_flood"),
    refused("attacks_processes"),
    refused("limits_of_others"),
    refused("blinds_the_warden"),
    refused("reads_secrets"),
    refused("writes_outside"),
    refused("changes_modes"),
    refused("locks"),
    refused("network"),
    listening("fast_open"),
    listening("listens_elsewhere"),
    refused("privileges"),
    refused("namespaces"),
    refused("kernel_calls"),
    refused("other_abi"),
    // The rule of one core is kept by the kernel, so nobody is accused of having broken it.
    Attack { more: &["--tc", "120", "--cores", "forfeit"], ..refused("cores") },
    refused("deletes_itself"),
    attack("nests", DISK, DISK),
    silent("waits"),
    // Nothing of the kind: it only must not be taken for one.
    refused("looks_odd"),
];

/// Attacks that come through where nothing contains them, which proves that they are real. All of them are harmless there.
pub(crate) const REAL: [&str; 7] =
    ["reads_secrets", "changes_modes", "locks", "network", "limits_of_others", "descriptor_flood", "privileges"];

/// What a level leaves open, as `Level::gaps` and the book say: an attack, a level, and whether only bots of agon's own user come
/// through.
const OPEN: [(&str, &str, bool); 2] = [("changes_modes", "filters", true), ("listens_elsewhere", "filters", false)];

impl Attack {
    /// Whether it is known to come through.
    pub(crate) fn is_open(&self, who: Who, level: &str) -> bool {
        let known = |&(bot, at, ordinary): &(&str, &str, bool)| {
            bot == self.bot && at == level && (who.is_ordinary() || !ordinary)
        };
        OPEN.iter().any(known)
    }

    /// Plays a battle and gives what is wrong with it. Without a level, agon chooses one, which must be `level`.
    pub(crate) fn faults(&self, who: Who, level: &str, chosen: bool) -> Vec<String> {
        let mut stage = Stage::new(who);
        let bot = stage.bot(self.bot, level, self.protocol);
        let run = stage.battle(self.game, &bot, "random", if chosen { "" } else { level }, self.more);
        let records = stage.records();
        let mut faults = stage.damage(run.pid);
        if run.code != Some(0) {
            faults.push(format!("agon ended with {:?}", run.code));
        } else if run.summary()["losses"] != 2 {
            faults.push(format!("it did not lose: {}", run.summary()));
        }
        let ends = values(&records, "Termination");
        let allowed = if level == "full" { self.full } else { self.below };
        if ends.len() != 2 || ends.iter().any(|end| !allowed.contains(&end.as_str())) {
            faults.push(format!("its matches ended by {ends:?}, and not by {allowed:?}"));
        }
        let by_itself = |words: &String| words.contains("exited with code") && !words.contains("exited with code 7 ");
        faults.extend(values(&records, "Evidence").into_iter().filter(by_itself));
        if records.contains("BREACH") || run.said.contains("BREACH") {
            faults.push("an attack came through".to_owned());
        }
        if values(&records, "Sandbox").iter().any(|noted| noted != level) {
            faults.push(format!("the records name another level than {level}"));
        }
        if !faults.is_empty() {
            faults.insert(0, format!("{} at {level} as {who:?}:", self.bot));
            faults.extend(["FirstStderr", "SecondStderr"].iter().flat_map(|tag| values(&records, tag)));
            faults.push(run.said);
        }
        faults
    }
}

/// The values of a tag in all records.
pub(crate) fn values(records: &str, tag: &str) -> Vec<String> {
    let beginning = format!("[{tag} \"");
    let value = |line: &str| Some(line.strip_prefix(&beginning)?.strip_suffix("\"]")?.to_owned());
    records.lines().filter_map(value).collect()
}
