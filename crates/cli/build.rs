//! The kits are compiled into the program: a kit that comes or goes makes it new.

fn main() {
    println!("cargo::rerun-if-changed=../../kits");
}
