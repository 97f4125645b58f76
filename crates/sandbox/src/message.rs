//! What the two ends of a jail say to each other, over a socket that carries descriptors too.

use std::{
    collections::BTreeMap,
    io::{self, IoSlice, IoSliceMut},
    mem::MaybeUninit,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    path::PathBuf,
};

use rustix::{
    io::Errno,
    net::{
        RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer, SendAncillaryMessage,
        SendFlags, recvmsg, sendmsg,
    },
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{Quota, folder::Bounds};

/// The longest message. A socket takes about twice as much before anybody reads.
pub(crate) const LONGEST: usize = 96 << 10;

/// The most descriptors in one message.
const MOST_DESCRIPTORS: usize = 12;

/// What the warden is asked.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Request {
    /// To start the program. Comes once, with the descriptors that the order counts.
    Run(Box<Order>),
    /// For a connection to a port that the program listens on.
    Connect(u16),
}

/// What the warden answers, or says when it happens.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Report {
    /// The program runs.
    Started,
    /// It cannot be started, and that is its own fault.
    Unfit(String),
    /// It cannot be started, and that is the host's fault.
    Trouble(String),
    /// The connection that was asked for comes with this.
    Connected,
    /// Nobody listens there.
    NotConnected,
    /// The program has ended.
    Ended(End),
}

/// How a program ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum End {
    /// By itself.
    Exit(i32),
    /// By a signal.
    Signal(i32),
    /// Because it used more memory than allowed: what was seen.
    Memory(String),
    /// Because it used more of something else than allowed: what was seen.
    Excess(String),
}

/// Where the files of the program's folder come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum FolderSource {
    /// It is shown as it is.
    Nothing,
    /// They are copied from the descriptor after the pipes.
    Copy,
    /// It is a changeable view of a folder of the host.
    Mount,
}

/// What the warden is to do.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) program: String,
    pub(crate) arguments: Vec<String>,
    pub(crate) environment: BTreeMap<String, String>,
    /// The folder to start it in, as the program sees it.
    pub(crate) folder: PathBuf,
    /// Where the files in `folder` come from.
    pub(crate) source: FolderSource,
    /// Whether what `folder` holds in the end is copied to the last descriptor but those of control groups, and how much that may be.
    pub(crate) keep: Option<Bounds>,
    /// What it may read and execute.
    pub(crate) readable: Vec<PathBuf>,
    /// What it may write to.
    pub(crate) writable: Vec<PathBuf>,
    /// The user that it is to be, where the warden has the choice.
    pub(crate) user: Option<u32>,
    pub(crate) core: Option<usize>,
    pub(crate) limits: Quota,
    /// The port that it may listen on.
    pub(crate) port: Option<u16>,
    /// Whether it has namespaces of its own.
    pub(crate) namespaces: bool,
    /// Whether the kernel counts its memory and tasks.
    pub(crate) counted: bool,
    /// Whether the last descriptor is the folder of a control group to start it in.
    pub(crate) group: bool,
    /// How many descriptors before that are control groups to join.
    pub(crate) joins: usize,
}

/// An order as a message: its bytes, or how many they would be if that is too many.
pub(crate) fn encode(order: &Order) -> io::Result<Result<Vec<u8>, usize>> {
    /// [`Request::Run`] without owning the order.
    #[derive(Serialize)]
    enum Borrowed<'a> {
        Run(&'a Order),
    }
    let text = serde_json::to_vec(&Borrowed::Run(order))?;
    Ok(if text.len() > LONGEST { Err(text.len()) } else { Ok(text) })
}

/// Sends a message.
pub(crate) fn send(socket: &OwnedFd, message: &impl Serialize, descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
    send_text(socket, &serde_json::to_vec(message)?, descriptors)
}

/// Sends a message that is encoded already.
pub(crate) fn send_text(socket: &OwnedFd, text: &[u8], descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
    if text.len() > LONGEST || descriptors.len() > MOST_DESCRIPTORS {
        return Err(io::Error::other("a message is too long"));
    }
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
    let mut extra = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() {
        extra.push(SendAncillaryMessage::ScmRights(descriptors));
    }
    loop {
        match sendmsg(socket.as_fd(), &[IoSlice::new(text)], &mut extra, SendFlags::NOSIGNAL) {
            Ok(_) => return Ok(()),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// What came of looking for a message.
pub(crate) enum Received<T> {
    Message(T, Vec<OwnedFd>),
    /// There is none at the moment.
    Nothing,
    /// The other end is gone.
    Closed,
}

/// Takes the next message. Waits for it unless told not to.
pub(crate) fn receive<T: DeserializeOwned>(socket: &OwnedFd, wait: bool) -> io::Result<Received<T>> {
    let mut text = vec![0; LONGEST + 1];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
    let mut extra = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::CMSG_CLOEXEC | if wait { RecvFlags::empty() } else { RecvFlags::DONTWAIT };
    let received = loop {
        match recvmsg(socket.as_fd(), &mut [IoSliceMut::new(&mut text)], &mut extra, flags) {
            Ok(received) => break received,
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => return Ok(Received::Nothing),
            Err(Errno::CONNRESET) => return Ok(Received::Closed),
            Err(error) => return Err(error.into()),
        }
    };
    let descriptors: Vec<OwnedFd> = extra
        .drain()
        .filter_map(|message| match message {
            RecvAncillaryMessage::ScmRights(descriptors) => Some(descriptors),
            _ => None,
        })
        .flatten()
        .collect();
    if received.bytes == 0 {
        return Ok(Received::Closed);
    }
    if received.flags.intersects(ReturnFlags::TRUNC | ReturnFlags::CTRUNC) {
        return Err(io::Error::other("a message was cut off"));
    }
    Ok(Received::Message(serde_json::from_slice(&text[..received.bytes])?, descriptors))
}
