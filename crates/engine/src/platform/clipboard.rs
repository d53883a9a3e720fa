//! What programs hand each other through the clipboard.

/// A kind of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClipKind {
    Text,
    /// A picture in the format PNG.
    Image,
    FileUrls,
}

/// Something to put into the clipboard, or that was in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clip {
    Text(String),
    /// A file in the format PNG.
    Image(Vec<u8>),
    /// `file:` URLs.
    FileUrls(Vec<String>),
}

/// What became of a question for the content of the clipboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pasted {
    Found {
        clip: Clip,
        /// Whether bytes that are no text were replaced.
        lossy: bool,
    },
    /// Nothing of the kinds that were asked for; the formats that there are instead.
    Absent { offered: Vec<String> },
    /// The program that has the content does not hand it out. It is named as well as possible.
    Silent { owner: String },
    /// More than [`CLIP_LIMIT`] bytes.
    TooLarge,
}

/// What became of a new content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is there: it was read back and is the same.
    Verified,
    /// Nothing was to be done.
    Already,
    /// It was there, and then another program put something else in its place.
    Replaced { owner: Option<String> },
    /// It is there, but reading it back took longer than there was time.
    Unread,
    /// Time ran out before it was known to be there.
    Late,
}

/// How many bytes of content are taken at most, in either direction: 64 MiB.
pub const CLIP_LIMIT: usize = 64 << 20;

impl Clip {
    pub fn kind(&self) -> ClipKind {
        match self {
            Self::Text(_) => ClipKind::Text,
            Self::Image(_) => ClipKind::Image,
            Self::FileUrls(_) => ClipKind::FileUrls,
        }
    }

    /// How many bytes it takes.
    pub fn len(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Image(bytes) => bytes.len(),
            Self::FileUrls(urls) => urls.iter().map(|url| url.len() + 2).sum(),
        }
    }

    /// Whether it takes none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl ClipKind {
    /// Its name in the contract.
    pub fn token(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Image => "image",
            Self::FileUrls => "file_urls",
        }
    }
}
