//! Who is there, and which windows they have.

use desktop_tests::bus::{Body, Call, Error, Message};

use super::{ACCESSIBLE, Conversation, ROOT, accessibles};

/// Lists applications with name, process and toolkit; how many there are.
pub(super) fn applications(talk: &mut Conversation) -> Result<usize, Error> {
    let apps = registered(talk)?;
    talk.ask(&apps.iter().flat_map(|app| about_application(app)).collect::<Vec<_>>())?;
    Ok(apps.len())
}

/// Lists windows with what they are, are called and where they are; how many there are.
pub(super) fn windows(talk: &mut Conversation) -> Result<usize, Error> {
    let apps = registered(talk)?;
    let about = |app: &String| {
        let mut calls = about_application(app);
        calls.insert(0, Call::new(app, ROOT, ACCESSIBLE, "GetChildren"));
        calls
    };
    let answers = talk.ask(&apps.iter().flat_map(about).collect::<Vec<_>>())?;
    let lists = answers.chunks(answers.len() / apps.len().max(1)).filter_map(|of| of.first());
    let list = |answer: &Option<Message>| accessibles(answer.as_ref()).unwrap_or_default();
    let windows: Vec<_> = lists.flat_map(list).collect();
    let about = |(app, path): &(String, String)| {
        [
            Call::property(app, path, ACCESSIBLE, "Name"),
            Call::new(app, path, ACCESSIBLE, "GetRole"),
            Call::new(app, path, ACCESSIBLE, "GetState"),
            Call::new(app, path, "org.a11y.atspi.Component", "GetExtents")
                .with(Body::default().u32(0)),
        ]
    };
    talk.ask(&windows.iter().flat_map(about).collect::<Vec<_>>())?;
    Ok(windows.len())
}

fn registered(talk: &mut Conversation) -> Result<Vec<String>, Error> {
    let registry = Call::new("org.a11y.atspi.Registry", ROOT, ACCESSIBLE, "GetChildren");
    let apps = accessibles(talk.ask(&[registry])?.first().and_then(Option::as_ref))?;
    Ok(apps.into_iter().map(|(app, _)| app).collect())
}

fn about_application(app: &str) -> Vec<Call> {
    vec![
        Call::property(app, ROOT, ACCESSIBLE, "Name"),
        Call::property(app, ROOT, "org.a11y.atspi.Application", "ToolkitName"),
        Call::bus("GetConnectionUnixProcessID").with(Body::default().text(app)),
    ]
}
