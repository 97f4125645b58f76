//! Ports for bots to listen on.

use std::{
    collections::BTreeSet,
    hash::{BuildHasher, RandomState},
    net::{Ipv4Addr, TcpListener},
    sync::{Mutex, PoisonError},
};

use crate::bot::HostError;

/// Below the ports that systems take for outgoing connections. There a connection to a port that nobody listens on yet may be given
/// that very port, and then it is connected to itself.
const FIRST: u16 = 20_000;
const COUNT: u16 = 12_000;

/// The ports of the bots that run now. A bot takes its port a while after it was started: another match must not choose it meanwhile.
static TAKEN: Mutex<BTreeSet<u16>> = Mutex::new(BTreeSet::new());

/// A port that was free a moment ago, and that nobody else in this program is given.
#[derive(Debug)]
pub(super) struct Port(u16);

impl Port {
    pub(super) fn choose() -> Result<Port, HostError> {
        let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        // Other programs like this one begin somewhere else.
        let start = (RandomState::new().hash_one(taken.len()) % u64::from(COUNT)) as u16;
        for step in 0..COUNT {
            let port = FIRST + (start + step) % COUNT;
            if !taken.contains(&port) && is_free(port) {
                taken.insert(port);
                return Ok(Port(port));
            }
        }
        Err(HostError(format!("no port between {FIRST} and {} is free for a bot", FIRST + COUNT - 1)))
    }

    pub(super) fn number(&self) -> u16 {
        self.0
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        TAKEN.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

/// Whether a bot could listen on it, on every interface as the originals do.
pub(super) fn is_free(port: u16) -> bool {
    TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_port_is_given_twice() {
        let ports: Vec<Port> = (0..200).map(|_| Port::choose().expect("a port")).collect();
        let numbers: BTreeSet<u16> = ports.iter().map(Port::number).collect();
        assert_eq!(numbers.len(), ports.len());
    }

    #[test]
    fn a_port_in_use_is_not_chosen() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        assert!(!is_free(listener.local_addr().expect("an address").port()));
    }
}
