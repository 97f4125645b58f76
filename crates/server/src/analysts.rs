//! Engine work for pages: bounded in number, length and priority, so that no match suffers from it.

use std::{
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
};

use agon_search::AnyEngine;
use tokio::sync::oneshot;

/// What is to be thought about.
pub(crate) struct Task {
    pub(crate) game: &'static str,
    pub(crate) variant: String,
    pub(crate) rules: agon_rules::RuleSet,
    pub(crate) start: Option<String>,
    pub(crate) turns: Vec<String>,
}

/// What is done with the engine when it stands at the position.
pub(crate) type Work = Box<dyn FnOnce(&mut dyn AnyEngine) + Send>;

/// Whether the position could be reached.
type Reached = Result<(), String>;

/// Threads that think for pages.
pub(crate) struct Analysts {
    queue: mpsc::SyncSender<Question>,
}

type Question = (Task, Work, oneshot::Sender<Reached>);

/// So many questions may wait; further ones are refused.
const QUEUE: usize = 16;

impl Analysts {
    pub(crate) fn start() -> Analysts {
        let (queue, tasks) = mpsc::sync_channel::<Question>(QUEUE);
        let tasks = Arc::new(Mutex::new(tasks));
        let cores = thread::available_parallelism().map_or(1, usize::from);
        for number in 0..cores.div_ceil(2) {
            let tasks = Arc::clone(&tasks);
            let work = move || {
                lower_priority();
                let next = || tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
                while let Ok((task, work, reached)) = next() {
                    if !reached.is_closed() {
                        let _ = reached.send(think(&task, work));
                    }
                }
            };
            let _ = thread::Builder::new().name(format!("analyst-{number}")).spawn(work);
        }
        Analysts { queue }
    }

    /// Thinks about a position; `None` if too many others wait.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        task: Task,
        work: impl FnOnce(&mut dyn AnyEngine) -> T + Send + 'static,
    ) -> Option<Result<T, String>> {
        let (reaching, reached) = oneshot::channel();
        let (answer, answered) = oneshot::channel();
        let work: Work = Box::new(move |engine| {
            // Who asked may be gone.
            let _ = answer.send(work(engine));
        });
        self.queue.try_send((task, work, reaching)).ok()?;
        match reached.await.ok()? {
            Ok(()) => Some(Ok(answered.await.ok()?)),
            Err(problem) => Some(Err(problem)),
        }
    }
}

/// Lets everything else go first.
fn lower_priority() {
    // Where it is not allowed, analysis is merely as important as the rest.
    let _ = rustix::process::setpriority_process(None, 10);
}

fn think(task: &Task, work: Work) -> Reached {
    let mut engine = agon_all::find(task.game)
        .and_then(|game| game.engine(&task.variant, task.rules, agon_search::EngineOptions::default()))
        .map_err(|e| e.to_string())?;
    engine.follow(task.start.as_deref(), &task.turns).map_err(|e| e.to_string())?;
    work(&mut *engine);
    Ok(())
}
