//! `clipboard-set`: something to paste.

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use agent_desktop_model::{
    error::{Code, Delivery, Details, Error},
    text::quoted,
    wire::ClipboardSet,
};

use super::Context;
use crate::{
    file_url,
    picture::png,
    platform::{CLIP_LIMIT, Clip, Deadline, Taken},
};

/// Put a text, a picture or files into the clipboard
///
/// What was in it is gone. It stays until something else is copied; a small process of this program
/// holds it, and ends then, or with the display. The content is read back before this is answered.
/// Files and a picture win over a text.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub content: Content,

    /// Time for putting it there and reading it back
    #[arg(long, value_name = "MS", default_value_t = 5_000)]
    pub timeout_ms: u64,
}

/// What is put there; 64 MiB at most.
#[derive(Clone, Debug, clap::Args)]
#[group(required = true, multiple = true)]
pub struct Content {
    /// The text; it may be empty, and may begin with `-`
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    pub text: Option<String>,

    /// Read the text from standard input: secrets must not stand among the arguments
    #[arg(long, conflicts_with = "text")]
    pub stdin: bool,

    /// Picture, a file in the format PNG
    #[arg(long, value_name = "PNG", conflicts_with = "file_url")]
    pub image: Option<PathBuf>,

    /// File, by its path or its `file:` URL; may be repeated
    #[arg(long, value_name = "PATH")]
    pub file_url: Vec<PathBuf>,
}

/// The data of `clipboard-set`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<ClipboardSet, Error> {
    let clip = clip(&args.content, context)?;
    if clip.len() > CLIP_LIMIT {
        return Err(too_large("what is to be put into the clipboard"));
    }
    let deadline = Deadline::after_ms(args.timeout_ms);
    let taken = context.platform.set_clipboard(&clip, deadline);
    let taken = taken.map_err(|failure| failure.about("the clipboard", deadline))?;
    let delivery = judge(taken, &format!("the new {}", what(&clip)), deadline)?;
    Ok(ClipboardSet { disposition: delivery.into(), ok: true, kind: clip.kind().token() })
}

/// How far a change of the clipboard got; `expected` is what should be in it.
pub(super) fn judge(taken: Taken, expected: &str, deadline: Deadline) -> Result<Delivery, Error> {
    match taken {
        Taken::Verified => Ok(Delivery::DeliveredVerified),
        Taken::Already => Ok(Delivery::NotDelivered),
        Taken::Unread => Ok(Delivery::DeliveredUnverified),
        Taken::Replaced { owner } => {
            let who = owner.as_ref().map(|owner| quoted(owner).to_string());
            let who = who.unwrap_or_else(|| "another program".to_owned());
            Err(Error::new(
                Code::ActionFailed,
                format!("{who} put something else into the clipboard right afterwards"),
            )
            .suggest("Look what it holds now with `clipboard-get --format auto`, then decide.")
            .details(Details::PostActionVerification {
                expected: expected.to_owned(),
                observed: Some(format!(
                    "a content of {}",
                    owner.as_deref().unwrap_or("another program")
                )),
                post_state: None,
                steps: Vec::new(),
            })
            .delivered(Delivery::DeliveredUnverified))
        }
        Taken::Late => Err(Error::new(
            Code::Timeout,
            format!("the clipboard was not known to hold it within {} ms", deadline.limit_ms()),
        )
        .suggest("Look what it holds now with `clipboard-get --format auto`, then decide.")
        .details(Details::Deadline {
            elapsed_ms: deadline.elapsed_ms(),
            timeout_ms: deadline.limit_ms(),
        })
        .delivered(Delivery::DeliveryUncertain)),
    }
}

fn what(clip: &Clip) -> &'static str {
    match clip {
        Clip::Text(_) => "text",
        Clip::Image(_) => "picture",
        Clip::FileUrls(_) => "list of files",
    }
}

fn clip(content: &Content, context: &Context<'_>) -> Result<Clip, Error> {
    if let Some(path) = &content.image {
        return image(path).map(Clip::Image);
    }
    if !content.file_url.is_empty() {
        let urls = content.file_url.iter().map(|given| file(given));
        return urls.collect::<Result<_, _>>().map(Clip::FileUrls);
    }
    match &content.text {
        Some(text) => Ok(Clip::Text(text.clone())),
        None => (context.input)().map(Clip::Text).map_err(|error| {
            Error::new(Code::InvalidArgs, format!("standard input is no text: {error}"))
                .suggest("Pass UTF-8 on standard input, or the text as an argument.")
        }),
    }
}

fn image(path: &Path) -> Result<Vec<u8>, Error> {
    let shown = path.display();
    let mut bytes = Vec::new();
    let read = fs::metadata(path).and_then(|metadata| {
        // A pipe might never end, and a device neither.
        if !metadata.is_file() {
            return Err(std::io::Error::other("it is no file"));
        }
        // One byte more tells that there is too much.
        fs::File::open(path)?.take(CLIP_LIMIT as u64 + 1).read_to_end(&mut bytes)
    });
    read.map_err(|error| {
        Error::new(Code::InvalidArgs, format!("--image: {shown} cannot be read: {error}"))
            .suggest("Name a file in the format PNG.")
    })?;
    if bytes.len() > CLIP_LIMIT {
        return Err(too_large(&shown.to_string()));
    }
    match png::size(&bytes) {
        Some(_) => Ok(bytes),
        None => Err(Error::new(Code::InvalidArgs, format!("--image: {shown} is no PNG"))
            .suggest("Convert the picture to the format PNG first.")),
    }
}

fn file(given: &Path) -> Result<String, Error> {
    let url = given.to_str().filter(|text| file_url::is_file_url(text));
    let path = match url {
        None => std::path::absolute(given).ok(),
        Some(url) => file_url::path(url),
    };
    // A link may lead nowhere, and can be copied all the same.
    match path.filter(|path| path.symlink_metadata().is_ok()) {
        Some(path) => Ok(file_url::of(&path)),
        None => Err(Error::new(
            Code::InvalidArgs,
            format!("--file-url: there is no file {}", given.display()),
        )
        .suggest("Name a file of this machine, by its path or its `file:` URL.")),
    }
}

fn too_large(what: &str) -> Error {
    Error::new(
        Code::InvalidArgs,
        format!("{what} is larger than the {} MiB that are taken", CLIP_LIMIT >> 20),
    )
    .suggest("Save it to a file, and put that into the clipboard with --file-url.")
}
