//! Starts, limits, measures and kills programs that nobody trusts.
//!
//! # What it is to withstand
//!
//! The program may be anything that its author could write, and so may the script that builds it. It wants to win or to do harm:
//! to read or change what belongs to the arena, to its opponent or to anybody else; to use more memory, processes, disk, processor
//! time or cores than it may; to think while its opponent should; to talk to anybody, its opponent included; to go on after its
//! end; to stop, crash or block the arena. It has no accomplice on the host and no bug of the kernel at hand: against those
//! the filters only make the target smaller. What each level leaves open is said by [`Level::gaps`].
//!
//! # How
//!
//! agon starts a *warden*: its own binary with a hidden command, inside namespaces that bubblewrap makes, where there are such. The warden
//! is told what to run over a socket, together with the pipes, the control groups and the folders it needs as open descriptors.
//! The program's folder is a view of the host's: what is in it is only mounted, what the program changes is kept apart, in memory of
//! limited size; a host that cannot do that copies it. The warden forks, and the child gives up its rights one after the other and
//! becomes the program: a user of its own (if agon runs as root), resource limits, one core, Landlock, seccomp. Whatever happens to agon, the socket closes, the warden sees it and ends, and everything
//! in the jail ends with it.
//!
//! # Unsafe code
//!
//! Six calls that the standard library and `rustix` do not offer as safe ones: `fork` and `clone3` in the warden, which has one
//! thread; `close_range`, which only sets flags; `getrusage`, which fills a structure; `kill(-1)` in a process namespace of our own;
//! and `unshare`, which parts with nothing but mounts.
//! Each says why it is sound.

mod cgroup;
mod confine;
mod family;
mod filter;
mod folder;
mod host;
mod jail;
mod jailed;
mod level;
mod memory;
mod message;
mod processes;
mod quota;
mod scratch;
mod slot;
mod view;
mod warden;

pub use cgroup::Hierarchies;
pub use family::family_time;
pub use folder::{Bounds, FolderError, Size, weigh};
pub use host::{Host, Missing, find_program};
pub use jail::{Home, Jail, Job, Results, StartError, set_warden};
pub use jailed::JailedProgram;
pub use level::{Level, UnknownLevel};
pub use memory::{fair_share, host_memory, memory_text};
pub use message::End;
pub use processes::{Process, descendants};
pub use quota::Quota;
pub use view::{alias, runtimes};
pub use warden::warden;

/// The hidden command that makes a process of this program a warden.
pub const WARDEN_COMMAND: &str = "warden";
