//! Courses as organisers hold them: from what was handed in, good and bad, to every student's marks.

mod formalities;
mod grading;
mod hostile;
mod intake;
mod kills;
mod matching;
mod publishing;
mod refusals;
mod repairs;
mod samples;
mod semester;
mod sources;
