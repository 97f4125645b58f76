//! What it costs to find out how a tournament stands after another result, for many teams and battles.
//!
//! `cargo bench -p agon-tournament --bench derive` prints the table; `-- --save FILE` also writes it.

use std::{
    env, fs,
    hint::black_box,
    time::{Duration, Instant},
};

use agon_rules::{Side, Verdict, keys::mix};
use agon_tournament::{Deriver, Interventions, Outcome, Plan, Results, Secret, State, Team, read};

const ROUNDS: usize = 15;

/// A format, without its head, and how many teams play it.
const CASES: [(&str, usize, &str); 8] = [
    ("5 groups of 200", 1000, "[[stage]]\nkind = \"groups\"\ngroups = 5"),
    (
        "5 groups of 200, all drawn, rematches",
        1000,
        "[[stage]]\nkind = \"groups\"\ngroups = 5\nties = [\"points\", \"head-to-head\", \"rematch 60\", \"coin\"]",
    ),
    (
        "groups of 8, then a knockout",
        1000,
        "[[stage]]\nkind = \"groups\"\nsize = 8\nadvance = 2\n[[stage]]\nkind = \"knockout\"\nbracket = \"crossing\"",
    ),
    ("knockout", 1000, "[[stage]]\nkind = \"knockout\"\nthird_place = true"),
    ("swiss of 100 rounds", 1000, "[[stage]]\nkind = \"swiss\"\nrounds = 100"),
    ("ladder of 100,000 battles", 1000, "[[stage]]\nkind = \"ladder\"\nbudget = 100000"),
    (
        "round robin by rating",
        448,
        "ranking = \"rating\"\n[[stage]]\nkind = \"round-robin\"\nties = [\"rating\", \"coin\"]",
    ),
    ("gauntlet of 10 house bots, ten matches", 1000, GAUNTLET),
];

const GAUNTLET: &str = "matches = 10\n[[stage]]\nkind = \"gauntlet\"\nhouse = [\"level1\", \"level2\", \"level3\", \"level4\", \
     \"level5\", \"level6\", \"level7\", \"level8\", \"level9\", \"level10\"]";

fn main() {
    let mut text = format!(
        "# Deriving a tournament's state\n\nMachine: {}.\n\nThe fastest and the median of {ROUNDS} rounds, the plain pass \
         over the results and the derivation turn by turn about. One result is missing, so that everything before it counts. The last \
         column compares the fastest.\n\n\
         | tournament | teams | battles | matches | plain pass | derivation | median | × pass |\n|---|---|---|---|---|---|---|---|\n",
        machine()
    );
    for (name, teams, format) in CASES {
        let plan = plan(format, teams);
        let drawn = name.contains("all drawn");
        let (results, state) = played(&plan, drawn);
        let (pass, derivation) = measure(&plan, results);
        let matches: usize = state.battles.iter().map(|battle| battle.halves.len()).sum();
        text.push_str(&format!(
            "| {name} | {teams} | {} | {matches} | {:.2} ms | {:.1} ms | {:.1} ms | {:.0} |\n",
            state.battles.len(),
            milliseconds(pass[0]),
            milliseconds(derivation[0]),
            milliseconds(derivation[1]),
            derivation[0].as_secs_f64() / pass[0].as_secs_f64()
        ));
    }
    text.push_str(&format!("\nLoad average at the end: {}.\n", load()));
    print!("{text}");
    let arguments: Vec<String> = env::args().collect();
    if let Some(i) = arguments.iter().position(|argument| argument == "--save") {
        let file = arguments.get(i + 1).expect("a file name after --save");
        fs::write(file, &text).unwrap_or_else(|e| panic!("cannot write {file}: {e}"));
    }
}

fn plan(format: &str, teams: usize) -> Plan {
    let text = format!("title = \"Bench\"\ngame = \"{}\"\n{format}", agon_all::GAMES[0].name());
    let team = |number: usize| Team {
        name: format!("team {number}"),
        bot: "random".to_owned(),
        hash: String::new(),
        language: "rust".to_owned(),
        score: None,
        house: None,
        broken: None,
        more: Vec::new(),
    };
    let format = read(&text).unwrap_or_else(|e| panic!("{e}")).format;
    Plan { format, teams: (0..teams).map(team).collect(), seed: 1, secret: Secret("secret".to_owned()) }
}

/// All results of a tournament.
fn played(plan: &Plan, drawn: bool) -> (Results, State) {
    let deriver = Deriver::new(plan);
    let (interventions, mut results) = (Interventions::default(), Results::new());
    loop {
        let state = deriver.derive(&interventions, &results);
        let open = state.open().flat_map(|battle| &battle.halves).filter(|half| half.outcome.is_none());
        let before = results.len();
        for half in open {
            let lot = mix(u64::from(half.number) << 8 | u64::from(half.half));
            let winner = if drawn { None } else { [Some(Side::First), Some(Side::Second), None][(lot % 3) as usize] };
            let points = match winner {
                None => [0.5, 0.5],
                Some(Side::First) => [1.0, 0.0],
                Some(Side::Second) => [0.0, 1.0],
            };
            results.insert(
                (half.number, half.half),
                Outcome {
                    verdict: winner.map_or(Verdict::Drawn, Verdict::Won),
                    points,
                    turns: 40,
                    margins: None,
                    forfeit: false,
                },
            );
        }
        if results.len() == before {
            return (results, state);
        }
    }
}

/// The plain pass and the derivation, before the last result.
fn measure(plan: &Plan, mut results: Results) -> ([Duration; 2], [Duration; 2]) {
    let deriver = Deriver::new(plan);
    let interventions = Interventions::default();
    let last = results.keys().copied().max().expect("a result");
    results.remove(&last);
    let (mut passes, mut derivations) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let begin = Instant::now();
        black_box(results.values().map(|outcome| outcome.points[0]).sum::<f64>());
        passes.push(begin.elapsed());
        let begin = Instant::now();
        black_box(deriver.derive(&interventions, &results));
        derivations.push(begin.elapsed());
    }
    (spread(passes), spread(derivations))
}

/// The fastest of several times, and the median.
fn spread(mut times: Vec<Duration>) -> [Duration; 2] {
    times.sort();
    [times[0], times[times.len() / 2]]
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn machine() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ").map(|(_, name)| name));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{}, {cores} cores", model.unwrap_or("unknown"))
}

fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or("unknown").to_owned()
}
