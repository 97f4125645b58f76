//! What websockets run on.

use std::{
    io::{self, Read, Write},
    net::TcpStream,
    os::fd::{AsFd, BorrowedFd},
};

use tungstenite::{error::ProtocolError, protocol::WebSocketConfig};

/// A TCP connection that never blocks, and reads no more than it is allowed to: a stream of frames that never becomes a message
/// must not keep the reader for ever.
///
/// The head of the handshake is handed on whole, and without what follows it: the library that reads it takes many small pieces for an
/// attack, and early frames for junk. How the network cuts a request is nobody's fault.
#[derive(Debug)]
pub(super) struct Metered {
    stream: TcpStream,
    allowance: usize,
    head: Head,
}

/// How far the head of the handshake has come.
#[derive(Debug)]
enum Head {
    /// It has not come to its end.
    Arriving(Vec<u8>),
    /// It is here: bytes of it that are left to hand on, and what came behind it.
    Complete { head: Vec<u8>, behind: Vec<u8> },
}

const END_OF_HEAD: &[u8] = b"\r\n\r\n";
/// No head that anyone means is longer.
const LONGEST_HEAD: usize = 16 << 10;

impl Metered {
    pub(super) fn new(stream: TcpStream, allowance: usize) -> io::Result<Metered> {
        stream.set_nonblocking(true)?;
        // A message is small and waited for.
        stream.set_nodelay(true)?;
        Ok(Metered { stream, allowance, head: Head::Arriving(Vec::new()) })
    }

    /// From now on so many bytes may be read.
    pub(super) fn allow(&mut self, bytes: usize) {
        self.allowance = bytes;
    }

    /// Reads until the head of the handshake is complete; `false` if the other end is gone before that.
    fn gather_head(&mut self) -> io::Result<bool> {
        let Head::Arriving(arrived) = &mut self.head else { return Ok(true) };
        let mut chunk = [0; 1024];
        loop {
            let count = self.stream.read(&mut chunk)?;
            if count == 0 {
                return Ok(false);
            }
            let searched = arrived.len().saturating_sub(END_OF_HEAD.len());
            arrived.extend_from_slice(&chunk[..count]);
            if let Some(at) = arrived[searched..].windows(END_OF_HEAD.len()).position(|bytes| bytes == END_OF_HEAD) {
                let behind = arrived.split_off(searched + at + END_OF_HEAD.len());
                self.head = Head::Complete { head: std::mem::take(arrived), behind };
                return Ok(true);
            }
            if arrived.len() > LONGEST_HEAD {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "a handshake without an end"));
            }
        }
    }

    /// Whether nothing more may be read.
    pub(super) fn is_exhausted(&self) -> bool {
        self.allowance == 0
    }
}

impl Read for Metered {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_exhausted() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        if let Head::Arriving(_) = self.head
            && !self.gather_head()?
        {
            return Ok(0);
        }
        if let Head::Complete { head, behind } = &mut self.head {
            let waiting = if head.is_empty() { behind } else { head };
            if !waiting.is_empty() {
                let count = buffer.len().min(waiting.len());
                buffer[..count].copy_from_slice(&waiting[..count]);
                waiting.drain(..count);
                return Ok(count);
            }
        }
        let most = buffer.len().min(self.allowance);
        let count = self.stream.read(&mut buffer[..most])?;
        self.allowance -= count;
        Ok(count)
    }
}

impl Write for Metered {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl AsFd for Metered {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

/// Messages of at most `longest` bytes, and little memory.
pub(super) fn config(longest: usize) -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(4 << 10)
        .write_buffer_size(0)
        .max_write_buffer_size(1 << 20)
        .max_message_size(Some(longest))
        .max_frame_size(Some(longest))
}

/// Whether the other end is simply gone.
pub(super) fn is_closed(error: &tungstenite::Error) -> bool {
    match error {
        tungstenite::Error::ConnectionClosed | tungstenite::Error::AlreadyClosed | tungstenite::Error::Io(_) => true,
        tungstenite::Error::Protocol(error) => matches!(
            error,
            ProtocolError::ResetWithoutClosingHandshake
                | ProtocolError::HandshakeIncomplete
                | ProtocolError::SendAfterClosing
        ),
        _ => false,
    }
}

/// Whether there is nothing to do just now.
pub(super) fn is_idle(error: &tungstenite::Error) -> bool {
    matches!(error, tungstenite::Error::Io(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted))
}
