//! A web server on this machine alone, for the pages of these tests. `localhost` and `127.0.0.1`
//! are two origins to a browser, and one server.

use std::{
    fmt::Write as _,
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    path::Path,
    sync::{Arc, Condvar, Mutex},
    thread,
};

/// A server; it serves until the test ends.
#[derive(Debug)]
pub struct Server {
    port: u16,
    /// Whether the rest of `/slow` may be sent.
    released: Arc<(Mutex<bool>, Condvar)>,
}

impl Server {
    pub fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let released = Arc::<(Mutex<bool>, Condvar)>::default();
        let gate = released.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let gate = gate.clone();
                // A browser that has gone away is none of ours.
                thread::spawn(move || drop(answer(stream, &gate)));
            }
        });
        Self { port, released }
    }

    /// The address of a page: a file of `desktop-tests/pages`, `dense/ROWS`, or `slow`, whose
    /// second half comes when it is let go.
    pub fn url(&self, page: &str) -> String {
        format!("http://127.0.0.1:{}/{page}", self.port)
    }

    /// Lets the rest of `slow` go.
    pub fn release(&self) {
        let (released, wake) = &*self.released;
        *released.lock().expect("nobody panics with it") = true;
        wake.notify_all();
    }
}

fn answer(stream: TcpStream, gate: &(Mutex<bool>, Condvar)) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let Some(request) = lines.next().transpose()? else { return Ok(()) };
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let path = request.split(' ').nth(1).unwrap_or_default().trim_start_matches('/');
    let page = path.split('?').next().unwrap_or_default();
    let mut to = stream;
    let head = |status| {
        format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\n\r\n"
        )
    };
    let directory = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/pages"));
    match page.split_once('/') {
        Some(("dense", rows)) => {
            to.write_all(head("200 OK").as_bytes())?;
            to.write_all(dense(rows.parse().unwrap_or(0)).as_bytes())
        }
        _ if page == "slow" => {
            to.write_all(head("200 OK").as_bytes())?;
            to.write_all(SLOW.as_bytes())?;
            to.flush()?;
            let (released, wake) = gate;
            let released = released.lock().expect("nobody panics with it");
            drop(wake.wait_while(released, |released| !*released));
            to.write_all(b"<button>Second half</button>")
        }
        _ => match std::fs::read(directory.join(page)) {
            Ok(bytes) => {
                to.write_all(head("200 OK").as_bytes())?;
                to.write_all(&bytes)
            }
            Err(_) => to.write_all(head("404 Not Found").as_bytes()),
        },
    }
}

/// Browsers show nothing before there is a little to show.
const SLOW: &str = "<!doctype html><title>Slow</title><h1>Slow page</h1><button>First half</button>
<p>Its second half comes later.</p>";

/// A page of so many rows, each of which is seven elements to a reader.
pub(crate) fn dense(rows: usize) -> String {
    let mut page = "<!doctype html><title>Dense</title><h1>Dense</h1><ul>".to_owned();
    for row in 0..rows {
        write!(
            page,
            "<li>Row {row} <a href=#{row}>Open {row}</a> <button>Delete</button> <label><input \
             type=checkbox> Done {row}</label></li>"
        )
        .expect("memory");
    }
    page + "</ul>"
}
