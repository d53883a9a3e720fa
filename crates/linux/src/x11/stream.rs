//! A socket to an X server that gives up at a deadline. The connection itself knows no time.

use std::{
    io::{Error, ErrorKind, IoSlice, Result},
    net::{TcpStream, ToSocketAddrs},
    os::{fd::AsFd, unix::net::UnixStream},
    path::Path,
    sync::Mutex,
    time::Duration,
};

use agent_desktop_engine::platform::Deadline;
use rustix::{
    event::{PollFd, PollFlags, Timespec},
    io::Errno,
    net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType},
};
use x11rb::{
    reexports::x11rb_protocol::parse_display::ConnectAddress,
    rust_connection::{DefaultStream, PollMode, Stream},
    utils::RawFdContainer,
};

/// A stream whose waiting ends at the deadline that was set last.
pub(super) struct Timed {
    inner: DefaultStream,
    deadline: Mutex<Deadline>,
}

/// Whether the error says that the deadline passed.
pub(super) fn is_timeout(error: &Error) -> bool {
    error.kind() == ErrorKind::TimedOut
}

impl Timed {
    pub(super) fn connect(address: &ConnectAddress<'_>, deadline: Deadline) -> Result<Self> {
        let (inner, _) = match address {
            ConnectAddress::Socket(path) => {
                DefaultStream::from_unix_stream(connect_unix(Path::new(path), deadline)?)?
            }
            ConnectAddress::Hostname(host, port) => {
                let address = (*host, *port)
                    .to_socket_addrs()?
                    .next()
                    .ok_or_else(|| Error::from(ErrorKind::AddrNotAvailable))?;
                let limit = deadline.remaining().max(Duration::from_millis(1));
                DefaultStream::from_tcp_stream(TcpStream::connect_timeout(&address, limit)?)?
            }
            _ => return Err(ErrorKind::Unsupported.into()),
        };
        Ok(Self { inner, deadline: Mutex::new(deadline) })
    }

    /// From now on waiting ends at `deadline`.
    pub(super) fn ends_at(&self, deadline: Deadline) {
        *self.deadline.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = deadline;
    }
}

impl Stream for Timed {
    fn poll(&self, mode: PollMode) -> Result<()> {
        let deadline = *self.deadline.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut flags = PollFlags::empty();
        flags.set(PollFlags::IN, mode.readable());
        flags.set(PollFlags::OUT, mode.writable());
        loop {
            let limit = deadline.remaining();
            if limit.is_zero() {
                return Err(ErrorKind::TimedOut.into());
            }
            let limit = Timespec::try_from(limit).map_err(|_| Error::from(ErrorKind::TimedOut))?;
            let mut fds = [PollFd::from_borrowed_fd(self.inner.as_fd(), flags)];
            match rustix::event::poll(&mut fds, Some(&limit)) {
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn read(&self, buffer: &mut [u8], fds: &mut Vec<RawFdContainer>) -> Result<usize> {
        self.inner.read(buffer, fds)
    }

    fn write(&self, buffer: &[u8], fds: &mut Vec<RawFdContainer>) -> Result<usize> {
        self.inner.write(buffer, fds)
    }

    fn write_vectored(
        &self,
        buffers: &[IoSlice<'_>],
        fds: &mut Vec<RawFdContainer>,
    ) -> Result<usize> {
        self.inner.write_vectored(buffers, fds)
    }
}

/// Connects without blocking: a server that is stopped accepts nobody, and once its queue is full
/// an ordinary connect waits for ever.
fn connect_unix(path: &Path, deadline: Deadline) -> Result<UnixStream> {
    let address = SocketAddrUnix::new(path)?;
    loop {
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let socket =
            rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
        match rustix::net::connect(&socket, &address) {
            Ok(()) => return Ok(socket.into()),
            Err(Errno::AGAIN) if !deadline.passed() => {
                // Nothing tells when the queue has room again.
                std::thread::sleep(Duration::from_millis(5).min(deadline.remaining()));
            }
            Err(Errno::AGAIN) => return Err(ErrorKind::TimedOut.into()),
            Err(error) => return Err(error.into()),
        }
    }
}
