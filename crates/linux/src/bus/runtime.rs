//! What a connection runs on: the thread that asks. zbus' own runtime starts a thread whenever
//! nobody waits, to read what comes then; a command asks some ten times, and what comes between is
//! as good when it is read with the next answer.

use std::{
    cell::OnceCell,
    future::Future,
    io,
    net::SocketAddr,
    os::{
        fd::OwnedFd,
        linux::net::SocketAddrExt,
        unix::{ffi::OsStrExt, net::SocketAddr as UnixAddress},
    },
    path::Path,
    pin::Pin,
    process::{Command, ExitStatus, Stdio},
    task::{Context, Poll},
    time::{Duration, Instant},
};

use zbus::runtime::{Interest, IoSource, traits};
use zruntime::{
    Shared,
    net::{TcpStream, unix::UnixStream},
};

thread_local! {
    /// One a thread, so that several connections can be waited for at once.
    static HERE: OnceCell<Runtime> = const { OnceCell::new() };
}

/// A runtime that runs inside of [`Runtime::block_on_until`] only.
#[derive(Clone, Debug)]
pub(super) struct Runtime(zruntime::Runtime<Shared>);

impl Runtime {
    /// That of this thread.
    pub(super) fn here() -> io::Result<Self> {
        HERE.with(|here| {
            if let Some(runtime) = here.get() {
                return Ok(runtime.clone());
            }
            let runtime = Self(zruntime::Runtime::new()?);
            Ok(here.get_or_init(|| runtime).clone())
        })
    }

    /// What `future` comes to, unless that takes until `end`.
    pub(super) fn block_on_until<F: Future>(&self, end: Instant, future: F) -> Option<F::Output> {
        self.0.block_on(self.0.timeout_at(end, future)).ok()
    }
}

impl traits::Runtime for Runtime {
    type RegisteredIoSource = Registration;
    type Sleep = zruntime::Sleep<Shared>;
    type Task<T>
        = Task<T>
    where
        T: Send + 'static;

    fn register_io_source(&self, source: IoSource) -> io::Result<Registration> {
        self.0.register(source).map(Registration)
    }

    fn sleep(&self, duration: Duration) -> Self::Sleep {
        self.0.sleep(duration)
    }

    fn spawn<T>(&self, name: &str, future: impl Future<Output = T> + Send + 'static) -> Task<T>
    where
        T: Send + 'static,
    {
        Task(self.0.spawn(name.to_owned(), future))
    }

    async fn connect_tcp(&self, address: SocketAddr) -> io::Result<IoSource> {
        let stream = TcpStream::<Shared>::connect(&self.0, address).await?.into_std();
        Ok(OwnedFd::from(stream).into())
    }

    async fn connect_unix(&self, path: &Path) -> io::Result<IoSource> {
        let address = match path.as_os_str().as_bytes() {
            [0, name @ ..] => UnixAddress::from_abstract_name(name)?,
            _ => UnixAddress::from_pathname(path)?,
        };
        let stream = UnixStream::<Shared>::connect_addr(&self.0, &address).await?.into_std();
        Ok(OwnedFd::from(stream).into())
    }

    fn spawn_process(
        &self,
        _: Command,
        _: Stdio,
        _: Stdio,
        _: Stdio,
    ) -> io::Result<Pin<Box<dyn Future<Output = io::Result<ExitStatus>> + Send>>> {
        // Only addresses of kinds that are left out of the build start programs.
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// A socket that is watched.
#[derive(Debug)]
pub(super) struct Registration(zruntime::Registration<Shared>);

impl traits::PollIo for Registration {
    fn poll_io<T>(
        &self,
        context: &mut Context<'_>,
        interest: Interest,
        operation: impl FnMut() -> io::Result<T>,
    ) -> Poll<io::Result<T>> {
        let interest = match interest {
            Interest::Writable => zruntime::Interest::Writable,
            _ => zruntime::Interest::Readable,
        };
        self.0.poll_io(context, interest, operation)
    }
}

/// What runs beside the one who waits.
#[derive(Debug)]
pub(super) struct Task<T>(zruntime::Task<T, Shared>);

impl<T> Future for Task<T> {
    type Output = io::Result<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.get_mut().0).poll(context)
    }
}

impl<T: Send + 'static> traits::TaskHandle<T> for Task<T> {
    fn detach(self) {
        self.0.detach();
    }
}
