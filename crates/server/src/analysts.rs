//! Engine work for pages: bounded in number, length and priority, so that no match suffers from it.

use std::{
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
};

use agon_search::{Limits, Thought};
use tokio::sync::oneshot;

/// What is to be thought about.
pub(crate) struct Task {
    pub(crate) game: &'static str,
    pub(crate) variant: String,
    pub(crate) rules: agon_rules::RuleSet,
    pub(crate) start: Option<String>,
    pub(crate) turns: Vec<String>,
    pub(crate) lines: usize,
    pub(crate) nodes: u64,
}

type Answer = Result<Option<Thought>, String>;

/// Threads that think for pages.
pub(crate) struct Analysts {
    queue: mpsc::SyncSender<(Task, oneshot::Sender<Answer>)>,
}

/// So many questions may wait; further ones are refused.
const QUEUE: usize = 16;

impl Analysts {
    pub(crate) fn start() -> Analysts {
        let (queue, tasks) = mpsc::sync_channel::<(Task, oneshot::Sender<Answer>)>(QUEUE);
        let tasks = Arc::new(Mutex::new(tasks));
        let cores = thread::available_parallelism().map_or(1, usize::from);
        for number in 0..cores.div_ceil(2) {
            let tasks = Arc::clone(&tasks);
            let work = move || {
                give_way();
                let next = || tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
                while let Ok((task, answer)) = next() {
                    if !answer.is_closed() {
                        let _ = answer.send(think(&task));
                    }
                }
            };
            let _ = thread::Builder::new().name(format!("analyst-{number}")).spawn(work);
        }
        Analysts { queue }
    }

    /// Thinks about a position; `None` if too many others wait.
    pub(crate) async fn ask(&self, task: Task) -> Option<Answer> {
        let (answer, told) = oneshot::channel();
        self.queue.try_send((task, answer)).ok()?;
        told.await.ok()
    }
}

/// Lets everything else go first.
fn give_way() {
    // Where it is not allowed, analysis is merely as important as the rest.
    let _ = rustix::process::setpriority_process(None, 10);
}

fn think(task: &Task) -> Answer {
    let mut engine = agon_all::engine(task.game, &task.variant, task.rules, agon_search::EngineOptions::default())
        .map_err(|e| e.to_string())?;
    engine.follow(task.start.as_deref(), &task.turns)?;
    let limits = Limits { nodes: Some(task.nodes), ..Limits::default() };
    Ok(engine.think(task.lines, &limits, &mut |_| {}))
}
