//! Processes of this program that go on when a command has ended. They are no commands for callers,
//! so the parser does not know them.

use std::{
    ffi::OsString,
    io::{self, Read},
    process::ExitCode,
};

use agent_desktop_linux::{
    helper, sandbox,
    x11::{input, selection},
};

use crate::render;

/// Runs such a process to its end, if that is what this program was started for.
pub(crate) fn run(args: &[OsString]) -> Option<ExitCode> {
    if agent_desktop_linux::become_program(args).is_some() {
        return Some(ExitCode::FAILURE);
    }
    let [_, room, verb, plan] = args else { return None };
    let plan = plan.to_str()?;
    let ended = match [room.to_str()?, verb.to_str()?] {
        ["sandbox", sandbox::SUPERVISE] => {
            sandbox::supervise(&sandbox::Plan::parse(plan)?, &mut io::stdout())
        }
        helper::GUARD => {
            helper::detach();
            input::watch(&input::Plan::parse(plan)?, &mut io::stdin(), &mut io::stdout())
        }
        helper::CLIPBOARD => own_clipboard(&selection::Plan::parse(plan)?),
        _ => return None,
    };
    Some(match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(cause) => {
            render::log(&cause);
            ExitCode::FAILURE
        }
    })
}

fn own_clipboard(plan: &selection::Plan) -> Result<(), String> {
    helper::detach();
    let mut content = Vec::new();
    io::stdin().read_to_end(&mut content).map_err(|error| error.to_string())?;
    selection::own(plan, content, &mut io::stdout())
}
