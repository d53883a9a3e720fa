//! The program `agent-desktop`.

fn main() -> std::process::ExitCode {
    agent_desktop_cli::run(std::env::args_os())
}
