//! `clipboard-get`: what was copied.

use std::path::PathBuf;

use agent_desktop_model::{
    error::{Code, Error},
    wire::Clipboard,
};

use super::{Context, saving};
use crate::{
    file_url, output,
    picture::png,
    platform::{CLIP_LIMIT, Clip, ClipKind, Deadline, Pasted},
};

/// Read the clipboard
///
/// It holds what was copied last, whoever did. Where it holds nothing of the kind that is asked
/// for, `found` is false. A picture goes to a file. At most 64 MiB are read.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Kind of content to read
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,

    /// File to write a picture to; default is a new one in the state root, where the 32 latest are
    /// kept
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,

    /// Time for reading
    #[arg(long, value_name = "MS", default_value_t = 5_000)]
    pub timeout_ms: u64,
}

/// Kinds of content that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Text
    Text,
    /// Files, else a picture, else text
    Auto,
    /// A picture, as PNG
    Image,
    /// Files, as `file:` URLs and as paths
    #[value(alias = "file_urls")]
    FileUrls,
}

/// The data of `clipboard-get`.
pub fn run(args: &Args, context: &Context<'_>) -> Result<Clipboard, Error> {
    let (kinds, kind): (&[ClipKind], _) = match args.format {
        Format::Text => (&[ClipKind::Text], ClipKind::Text.token()),
        Format::Auto => (&[ClipKind::FileUrls, ClipKind::Image, ClipKind::Text], "auto"),
        Format::Image => (&[ClipKind::Image], ClipKind::Image.token()),
        Format::FileUrls => (&[ClipKind::FileUrls], ClipKind::FileUrls.token()),
    };
    if args.out.is_some() && !kinds.contains(&ClipKind::Image) {
        return Err(Error::new(Code::InvalidArgs, "--out is for pictures alone")
            .suggest("Add `--format image` or `--format auto`, or leave --out out."));
    }
    let deadline = Deadline::after_ms(args.timeout_ms);
    let pasted = context.platform.clipboard(kinds, deadline);
    match pasted.map_err(|failure| failure.about("the clipboard", deadline))? {
        Pasted::Found { clip: Clip::Text(text), lossy } => {
            Ok(Clipboard::Text { lossy, text, kind: ClipKind::Text.token() })
        }
        Pasted::Found { clip: Clip::FileUrls(urls), .. } => Ok(file_urls(urls)),
        Pasted::Found { clip: Clip::Image(bytes), .. } => image(&bytes, args, context),
        Pasted::Absent { offered } => Ok(Clipboard::Absent { found: false, offered, kind }),
        Pasted::Silent { owner } => Err(Error::new(
            Code::AppUnresponsive,
            format!(
                "{owner}, which has the content of the clipboard, did not hand it out within {} ms",
                deadline.limit_ms()
            ),
        )
        .suggest(
            "Wait until that program answers again and repeat, or copy something else. A large \
             content may need a larger --timeout-ms.",
        )),
        Pasted::TooLarge => Err(Error::new(
            Code::ActionFailed,
            format!("the clipboard holds more than {} MiB", CLIP_LIMIT >> 20),
        )
        .suggest("Copy less at once, or have the application save it to a file.")),
    }
}

fn file_urls(urls: Vec<String>) -> Clipboard {
    // In one spelling, whoever wrote them.
    let known = urls.into_iter().map(|url| match file_url::path(&url) {
        Some(path) => (file_url::of(&path), path.to_str().map(str::to_owned)),
        None => (url, None),
    });
    let (file_urls, paths) = known.unzip();
    Clipboard::FileUrls { file_urls, paths, kind: ClipKind::FileUrls.token() }
}

fn image(bytes: &[u8], args: &Args, context: &Context<'_>) -> Result<Clipboard, Error> {
    let Some((width, height)) = png::size(bytes) else {
        return Err(Error::new(
            Code::ActionFailed,
            "what the clipboard offers as image/png is no PNG",
        )
        .suggest("Copy the picture again, or have the application save it to a file."));
    };
    let path = match &args.out {
        Some(path) => output::write(path, bytes)?,
        None => context.store.keep_picture(bytes, saving())?,
    };
    let path = path.to_string_lossy().into_owned();
    Ok(Clipboard::Image { height, path, kind: ClipKind::Image.token(), width })
}
