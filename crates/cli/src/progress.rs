//! How far something is, told in place on the terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Text on stderr that each new message replaces, and that is gone when the bar is. Nothing is shown unless `wanted`, nor to a file or a pipe.
pub(crate) fn progress(wanted: bool) -> ProgressBar {
    let target = if wanted { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template("{msg}").expect("a template");
    ProgressBar::with_draw_target(None, target).with_style(style)
}
