//! What websockets run on.

use std::{
    io::{self, Read, Write},
    net::TcpStream,
    os::fd::{AsFd, BorrowedFd},
};

use tungstenite::{error::ProtocolError, protocol::WebSocketConfig};

/// A TCP connection that never blocks, and reads no more than it is allowed to: a stream of frames that never becomes a message
/// must not keep the reader for ever.
#[derive(Debug)]
pub(super) struct Metered {
    stream: TcpStream,
    allowance: usize,
}

impl Metered {
    pub(super) fn new(stream: TcpStream, allowance: usize) -> io::Result<Metered> {
        stream.set_nonblocking(true)?;
        // A message is small and waited for.
        stream.set_nodelay(true)?;
        Ok(Metered { stream, allowance })
    }

    /// From now on so many bytes may be read.
    pub(super) fn allow(&mut self, bytes: usize) {
        self.allowance = bytes;
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
