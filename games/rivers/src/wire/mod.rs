//! The original's own interfaces: the class that students wrote, the web server and its bots, the launcher's options.

mod class_bot;
mod client;
mod launcher;
mod server;
mod shown;
mod submission;

use std::path::Path;

use agon_wire::{Bot, HouseCall, Original, Program, Protocol, Recipe, ServeError, Server};

use crate::Rivers;

impl Original for Rivers {
    fn presets(&self) -> &'static [(&'static str, &'static str)] {
        &[("col333-2025-rivers", include_str!("../../presets/col333-2025-rivers.toml"))]
    }

    fn protocols(&self) -> &'static [Protocol] {
        &[Protocol::PythonClass]
    }

    fn bot(&self, _protocol: Protocol, program: Program) -> Box<dyn Bot> {
        Box::new(class_bot::ClassBot::new(program))
    }

    fn form(&self) -> &'static str {
        "student_agent.py (and, with C++, student_agent_cpp.py with a compile.sh, CMakeLists.txt or Makefile)"
    }

    fn file_names(&self) -> &'static [&'static str] {
        &[submission::PYTHON, submission::WRAPPER, "compile.sh", "CMakeLists.txt"]
    }

    fn recognise(&self, submission: &Path) -> Option<Recipe> {
        submission::recognise(submission)
    }

    fn serve(&self, call: HouseCall<'_>) -> Result<(), ServeError> {
        client::serve(call)
    }

    fn server(&self) -> Option<Server> {
        Some(Server::Http(server::start))
    }

    fn play_options(&self, arguments: &[String]) -> Option<Result<Vec<String>, String>> {
        launcher::translate(arguments)
    }

    fn has_window(&self) -> bool {
        true
    }
}
