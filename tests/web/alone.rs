//! A network of one's own, in which nobody else can reach what a test starts.

use std::{env, process::Command};

/// Tells the test program that it runs there.
const ALONE: &str = "AGON_TEST_ALONE";
/// An address that nobody has, but in that network.
pub(crate) const ADDRESS: &str = "192.0.2.1";

/// Runs a test, by its full name, once more there, unless this is already that run; says whether it did.
pub(crate) fn was_run_alone(test: &str) -> bool {
    if env::var_os(ALONE).is_some() {
        return false;
    }
    let script = format!("ip link set lo up && ip address add {ADDRESS}/32 dev lo && exec \"$@\"");
    let mut command = Command::new("unshare");
    if !rustix::process::getuid().is_root() {
        command.arg("--map-root-user");
    }
    command.args(["--net", "sh", "-c", &script, "sh"]).arg(env::current_exe().expect("this program"));
    let done = command.args(["--exact", test, "--nocapture"]).env(ALONE, "yes").output().expect("unshare");
    let [said, cried] = [&done.stdout, &done.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(done.status.success() && said.contains("1 passed"), "{said}{cried}");
    true
}
