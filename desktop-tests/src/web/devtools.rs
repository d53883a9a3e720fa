//! Chromium's debugging protocol over a pair of pipes: one JSON message after another, each ended
//! by a zero byte.

use std::{
    io::{BufRead, BufReader, Write},
    process::{ChildStdin, ChildStdout},
};

use serde_json::{Value, json};

#[derive(Debug)]
pub(super) struct DevTools {
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    last: u64,
    /// Attached to the page.
    session: Option<String>,
}

impl DevTools {
    pub(super) fn new((to, from): (ChildStdin, ChildStdout)) -> Self {
        Self { to, from: BufReader::new(from), last: 0, session: None }
    }

    pub(super) fn evaluate(&mut self, expression: &str) -> Result<Value, String> {
        if self.session.is_none() {
            self.session = Some(self.attach()?);
        }
        let parameters = json!({ "expression": expression, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", parameters)?;
        if answer["exceptionDetails"].is_object() {
            return Err(answer["exceptionDetails"].to_string());
        }
        Ok(answer["result"]["value"].clone())
    }

    fn attach(&mut self) -> Result<String, String> {
        let targets = self.call("Target.getTargets", json!({}))?;
        let page = targets["targetInfos"]
            .as_array()
            .and_then(|all| all.iter().find(|target| target["type"] == "page"))
            .ok_or("no page yet")?;
        let parameters = json!({ "targetId": page["targetId"], "flatten": true });
        let attached = self.call("Target.attachToTarget", parameters)?;
        attached["sessionId"].as_str().map(str::to_owned).ok_or_else(|| attached.to_string())
    }

    fn call(&mut self, method: &str, parameters: Value) -> Result<Value, String> {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        let said = self.to.write_all(format!("{message}\0").as_bytes());
        said.and_then(|()| self.to.flush()).map_err(|error| error.to_string())?;
        loop {
            let mut bytes = Vec::new();
            self.from.read_until(0, &mut bytes).map_err(|error| error.to_string())?;
            if bytes.pop() != Some(0) {
                return Err("the browser has closed the pipe".to_owned());
            }
            let mut answer: Value =
                serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
            if answer["id"] == self.last {
                return match answer.get_mut("result") {
                    Some(result) => Ok(result.take()),
                    None => Err(answer.to_string()),
                };
            }
        }
    }
}
