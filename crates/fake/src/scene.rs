//! The text form of a desktop: parsing only. See the crate's documentation for the grammar.

use std::{fmt, sync::Arc};

use agent_desktop_model::{
    capability::{Capability, CapabilitySet},
    geometry::Rect,
    role::Role,
    state::{State, StateSet},
    surface::SurfaceKind,
    tree::{Extent, NativeId, NativeIdKind, Position},
};

/// Why a text is no scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadScene {
    /// Counted from 1.
    pub line: usize,
    pub why: String,
}

/// One line of a scene with its place.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// Counted from 1.
    pub(crate) number: usize,
    /// Levels of indentation.
    pub(crate) depth: usize,
    pub(crate) what: What,
}

#[derive(Clone, Debug)]
pub(crate) enum What {
    App(AppLine),
    Display { name: String, bounds: Rect },
    Element(Box<ElementLine>),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct AppLine {
    pub(crate) name: String,
    pub(crate) pid: Option<u32>,
    pub(crate) bus: Option<String>,
    pub(crate) toolkit: Option<String>,
    pub(crate) hung: bool,
    pub(crate) reuses: bool,
}

/// How many elements a line stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Repeat {
    pub(crate) nest: usize,
    pub(crate) times: usize,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct ElementLine {
    pub(crate) face: Face,
    pub(crate) label: Option<String>,
    pub(crate) object: Option<String>,
    pub(crate) repeat: Repeat,
}

/// Everything about an element but where it is and what it is to a person.
#[derive(Clone, Debug, Default)]
pub(crate) struct Face {
    pub(crate) role: Role,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) hint: Option<String>,
    pub(crate) value: Option<String>,
    pub(crate) native_id: Option<NativeId>,
    pub(crate) states: StateSet,
    pub(crate) capabilities: CapabilitySet,
    pub(crate) bounds: Option<Rect>,
    pub(crate) count: Option<u64>,
    pub(crate) extent: Option<Extent>,
    pub(crate) position: Option<Position>,
    pub(crate) may_have_more: bool,
    pub(crate) anchored: bool,
    pub(crate) formula: Option<String>,
    pub(crate) closed: Closed,
    pub(crate) lasting: bool,
    pub(crate) volatile_name: bool,
    /// Whether it is called by the text before it.
    pub(crate) labelled: bool,
    pub(crate) recycles: bool,
    pub(crate) surface: Option<SurfaceKind>,
    /// Whether only the display server says that this window is modal.
    pub(crate) modal_to_display: bool,
    pub(crate) minimized: bool,
    pub(crate) maximized: bool,
    /// Whether the window manager does not change this window.
    pub(crate) fixed: bool,
    /// Whether nobody knows which of the display server's windows this is.
    pub(crate) unmatched: bool,
    /// Why only the display server knows this window, if so.
    pub(crate) opaque: Option<String>,
    /// What the platform says about a tree that begins here and lacks something.
    pub(crate) thin: Option<String>,
}

/// Whether a menu is open and, if not, whether its items come along with their window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Closed {
    #[default]
    No,
    ItemsRead,
    ItemsUnread,
}

/// Parses a text. `base` is the depth at which its first level stands: 0 for a whole desktop.
pub(crate) fn parse(text: &str) -> Result<Vec<Line>, BadScene> {
    let mut lines: Vec<Line> = Vec::new();
    for (index, raw) in text.lines().enumerate() {
        let number = index + 1;
        let content = raw.trim_start_matches(' ');
        if content.trim().is_empty() || content.starts_with("//") {
            continue;
        }
        let bad = |why: String| BadScene { line: number, why };
        let indent = raw.len() - content.len();
        if indent % 2 != 0 {
            return Err(bad(format!("{indent} spaces of indentation, which is odd")));
        }
        let depth = indent / 2;
        let deepest = lines.last().map_or(0, |line| line.depth + 1);
        if depth > deepest {
            return Err(bad("indented deeper than a child of the line above".into()));
        }
        let what = parse_line(content.trim_end()).map_err(bad)?;
        lines.push(Line { number, depth, what });
    }
    Ok(lines)
}

/// The lines of a text whose first line may be indented: tests indent scenes with their code.
pub(crate) fn dedent(text: &str) -> String {
    let content = |line: &&str| !line.trim().is_empty();
    let margin =
        text.lines().filter(content).map(|line| line.len() - line.trim_start().len()).min();
    let margin = margin.unwrap_or(0);
    text.lines().map(|line| line.get(margin..).unwrap_or("")).collect::<Vec<_>>().join("\n")
}

fn parse_line(content: &str) -> Result<What, String> {
    let (kind, rest) = content.split_once(' ').unwrap_or((content, ""));
    let mut tokens = tokens(rest)?;
    match kind {
        "app" => app(tokens),
        "display" => display(tokens),
        token => {
            let role = Role::parse(token).ok_or_else(|| format!("`{token}` is not a role"))?;
            let mut line = ElementLine::default();
            line.face.role = role;
            if let Some(Token::Text(_)) = tokens.first()
                && let Token::Text(name) = tokens.remove(0)
            {
                line.face.name = name;
            }
            for token in tokens {
                attribute(&mut line, token)?;
            }
            Ok(What::Element(Box::new(line)))
        }
    }
}

fn app(tokens: Vec<Token>) -> Result<What, String> {
    let mut app = AppLine::default();
    for (position, token) in tokens.into_iter().enumerate() {
        match token {
            Token::Word(name) | Token::Text(name) if position == 0 => app.name = name,
            Token::Word(word) if word == "hung" => app.hung = true,
            Token::Word(word) if word == "reuses" => app.reuses = true,
            Token::Pair(key, value) => match key.as_str() {
                "pid" => app.pid = Some(number(&value)?),
                "bus" => app.bus = Some(value),
                "toolkit" => app.toolkit = Some(value),
                _ => return Err(format!("`{key}=` means nothing on an application")),
            },
            other => return Err(format!("{other} means nothing on an application")),
        }
    }
    if app.name.is_empty() {
        return Err("an application needs a name".into());
    }
    Ok(What::App(app))
}

fn display(tokens: Vec<Token>) -> Result<What, String> {
    match <[Token; 2]>::try_from(tokens) {
        Ok([Token::Text(name), Token::Bounds(bounds)]) => Ok(What::Display { name, bounds }),
        _ => Err("a display is `display \"name\" @x,y,WxH`".into()),
    }
}

fn attribute(line: &mut ElementLine, token: Token) -> Result<(), String> {
    let face = &mut line.face;
    match token {
        Token::Word(word) => match word.as_str() {
            "lasting" => face.lasting = true,
            "more" => face.may_have_more = true,
            "anchored" => face.anchored = true,
            "volatile" => face.volatile_name = true,
            "modal-to-display" => face.modal_to_display = true,
            "labelled" => face.labelled = true,
            "minimized" => face.minimized = true,
            "maximized" => face.maximized = true,
            "fixed" => face.fixed = true,
            "unmatched" => face.unmatched = true,
            "recycles" => face.recycles = true,
            "closed" => face.closed = Closed::ItemsRead,
            _ => match State::parse(&word) {
                Some(state) => face.states.insert(state),
                None => return Err(format!("`{word}` is neither a state nor an attribute")),
            },
        },
        Token::Pair(key, value) => match key.as_str() {
            "value" => face.value = Some(value),
            "desc" => face.description = value,
            "hint" => face.hint = Some(value),
            "id" => face.native_id = Some(native_id(NativeIdKind::AxIdentifier, value)),
            "dom" => face.native_id = Some(native_id(NativeIdKind::AxDomIdentifier, value)),
            "at" => line.object = Some(value),
            "count" => face.count = Some(number(&value)?),
            "size" => {
                let (rows, columns) = pair(&value, 'x')?;
                face.extent = Some(Extent { rows, columns });
            }
            "cell" => {
                let (row, column) = pair(&value, ',')?;
                face.position = Some(Position { row, column });
            }
            "formula" => face.formula = Some(value),
            "closed" if value == "unread" => face.closed = Closed::ItemsUnread,
            "surface" => {
                face.surface = Some(
                    SurfaceKind::parse(&value)
                        .ok_or_else(|| format!("`{value}` is not a kind of surface"))?,
                );
            }
            "opaque" => face.opaque = Some(value),
            "thin" => face.thin = Some(value),
            "nest" => line.repeat.nest = number(&value)?,
            "times" => line.repeat.times = number(&value)?,
            _ => return Err(format!("`{key}={value}` means nothing on an element")),
        },
        Token::Capabilities(capabilities) => face.capabilities = capabilities,
        Token::Bounds(bounds) => face.bounds = Some(bounds),
        Token::Label(label) => line.label = Some(label),
        Token::Text(text) => return Err(format!("a second name, {text:?}")),
    }
    Ok(())
}

fn native_id(kind: NativeIdKind, value: String) -> NativeId {
    NativeId { kind, value: Arc::from(value) }
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number that fits"))
}

fn pair(text: &str, between: char) -> Result<(u32, u32), String> {
    match text.split_once(between) {
        Some((one, other)) => Ok((number(one)?, number(other)?)),
        None => Err(format!("`{text}` is not two numbers with `{between}` between them")),
    }
}

enum Token {
    Text(String),
    Word(String),
    Pair(String, String),
    Capabilities(CapabilitySet),
    Bounds(Rect),
    Label(String),
}

fn tokens(mut rest: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    loop {
        rest = rest.trim_start_matches(' ');
        let Some(first) = rest.chars().next() else { return Ok(tokens) };
        match first {
            '"' => {
                let (text, after) = quoted(rest)?;
                tokens.push(Token::Text(text));
                rest = after;
            }
            '[' => {
                let (inside, after) =
                    rest[1..].split_once(']').ok_or_else(|| "`[` without `]`".to_owned())?;
                let set: Result<CapabilitySet, String> = inside
                    .split_whitespace()
                    .map(|word| {
                        Capability::parse(word).ok_or_else(|| format!("`{word}` is no capability"))
                    })
                    .collect();
                tokens.push(Token::Capabilities(set?));
                rest = after;
            }
            _ => {
                let end = rest.find([' ', '"']).unwrap_or(rest.len());
                let (word, after) = rest.split_at(end);
                rest = after;
                if let Some(label) = word.strip_prefix('#') {
                    tokens.push(Token::Label(label.to_owned()));
                } else if let Some(bounds) = word.strip_prefix('@') {
                    tokens.push(Token::Bounds(rect(bounds)?));
                } else if let Some((key, value)) = word.split_once('=') {
                    let value = if value.is_empty() && after.starts_with('"') {
                        let (text, after) = quoted(after)?;
                        rest = after;
                        text
                    } else {
                        value.to_owned()
                    };
                    tokens.push(Token::Pair(key.to_owned(), value));
                } else {
                    tokens.push(Token::Word(word.to_owned()));
                }
            }
        }
    }
}

fn quoted(text: &str) -> Result<(String, &str), String> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<String>();
    match values.next() {
        Some(Ok(value)) => Ok((value, text.get(values.byte_offset()..).unwrap_or(""))),
        Some(Err(error)) => Err(format!("a quoted text: {error}")),
        None => Err("a quoted text that is empty".into()),
    }
}

fn rect(text: &str) -> Result<Rect, String> {
    let parts: Vec<&str> = text.split([',', 'x']).collect();
    let [x, y, width, height] = parts[..] else {
        return Err(format!("`@{text}` is not `@x,y,WxH`"));
    };
    Ok(Rect { x: number(x)?, y: number(y)?, width: number(width)?, height: number(height)? })
}

impl Default for Repeat {
    fn default() -> Self {
        Self { nest: 1, times: 1 }
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Word(word) => write!(f, "`{word}`"),
            Self::Pair(key, value) => write!(f, "`{key}={value}`"),
            Self::Capabilities(_) => f.write_str("a list of capabilities"),
            Self::Bounds(_) => f.write_str("a rectangle"),
            Self::Label(label) => write!(f, "`#{label}`"),
        }
    }
}

impl fmt::Display for BadScene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the scene: {}", self.line, self.why)
    }
}

impl std::error::Error for BadScene {}
