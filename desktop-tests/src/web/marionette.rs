//! Firefox's remote protocol: JSON messages over TCP, each with its length and a colon before it.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    time::Duration,
};

use serde_json::{Value, json};

use crate::wait;

#[derive(Debug)]
pub(super) struct Marionette {
    to: TcpStream,
    from: BufReader<TcpStream>,
    last: u64,
}

/// A port that nobody listens on now.
pub(super) fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    listener.local_addr().expect("an address").port()
}

impl Marionette {
    pub(super) fn connect(port: u16) -> Self {
        let to = wait::until("Marionette", Duration::from_secs(60), || {
            TcpStream::connect((Ipv4Addr::LOCALHOST, port)).map_err(|error| error.to_string())
        });
        let from = BufReader::new(to.try_clone().expect("a socket"));
        let mut this = Self { to, from, last: 0 };
        this.receive().expect("a greeting");
        this.call("WebDriver:NewSession", &json!({})).expect("a session");
        this
    }

    pub(super) fn evaluate(&mut self, expression: &str) -> Result<Value, String> {
        let parameters = json!({ "script": format!("return {expression}"), "args": [] });
        let mut answer = self.call("WebDriver:ExecuteScript", &parameters)?;
        Ok(answer["value"].take())
    }

    fn call(&mut self, method: &str, parameters: &Value) -> Result<Value, String> {
        self.last += 1;
        let message = json!([0, self.last, method, parameters]).to_string();
        let message = format!("{}:{message}", message.len());
        self.to.write_all(message.as_bytes()).map_err(|error| error.to_string())?;
        loop {
            let mut answer = self.receive()?;
            if answer[1] == self.last {
                return match answer[2].is_null() {
                    true => Ok(answer[3].take()),
                    false => Err(answer[2].to_string()),
                };
            }
        }
    }

    fn receive(&mut self) -> Result<Value, String> {
        let mut length = Vec::new();
        self.from.read_until(b':', &mut length).map_err(|error| error.to_string())?;
        length.pop();
        let length = String::from_utf8_lossy(&length).parse().map_err(|_| "no length")?;
        let mut bytes = vec![0; length];
        self.from.read_exact(&mut bytes).map_err(|error| error.to_string())?;
        serde_json::from_slice(&bytes).map_err(|error| error.to_string())
    }
}
