//! The ways in which the peer misbehaves.

/// What a switch is about. The tests run one of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Nothing is wrong.
    Well,
    /// What is no tree.
    Graph,
    /// Far too much.
    Size,
    /// Silence.
    Time,
    /// Gone, and back.
    Leaving,
    /// Whom it could mean.
    Identity,
    /// Where it is, and whether it shows.
    Place,
    /// What it is called.
    Text,
    /// Answers that break the protocol.
    Protocol,
    /// What comes of requests.
    Lies,
    Events,
}

/// One way to misbehave.
#[derive(Debug)]
pub struct Switch {
    pub name: &'static str,
    pub class: Class,
    /// The peer's own switches.
    pub(super) switches: &'static str,
    /// What the peer does, for readers.
    pub about: &'static str,
    /// The button that it is about.
    pub(super) button: Button,
    /// Whether each command needs a peer that has done nothing wrong yet.
    pub(super) fresh: bool,
    /// Whether objects take on other content between aiming and acting.
    pub(super) turns: bool,
    pub(super) truth: Truth,
}

/// A button and who it is.
#[derive(Debug)]
pub(super) struct Button {
    /// A text that must stand in what it stands in.
    pub(super) within: Option<&'static str>,
    pub(super) name: &'static str,
    /// Which of several, in the order in which they are shown.
    pub(super) nth: usize,
    pub(super) identity: &'static str,
}

/// What is so, whatever is said. What is false here is not known, or is not so.
#[derive(Clone, Copy, Debug)]
pub(super) struct Truth {
    /// The application and its window are there all the time, under one name.
    pub(super) stays: bool,
    /// What is aimed at goes on to be the same and to say so.
    pub(super) steady: bool,
    /// All that it shows can be read in time.
    pub(super) readable: bool,
    /// Its window cannot have been read wholly.
    pub(super) unreadable: bool,
}

const WELL: Truth = Truth { stays: true, steady: true, readable: true, unreadable: false };
/// It is there, but what it says in time is not known.
const THERE: Truth = Truth { readable: false, ..WELL };
const GONE: Truth = Truth { stays: false, steady: false, readable: false, unreadable: false };

const fn named(name: &'static str) -> Button {
    Button { within: None, name, nth: 0, identity: name }
}

const PRESS_ME: Button = named("Press me");

const fn shows(
    name: &'static str,
    class: Class,
    switches: &'static str,
    about: &'static str,
) -> Switch {
    Switch {
        name,
        class,
        switches,
        about,
        button: PRESS_ME,
        fresh: false,
        turns: false,
        truth: WELL,
    }
}

/// All of them; the first one is a peer that behaves.
pub const SWITCHES: &[Switch] = &[
    shows("well-behaved", Class::Well, "", "does what it is asked, and says what is so"),
    shows(
        "well-behaved, in bulk",
        Class::Well,
        "--toolkit gtk/3.24.38 --cache",
        "the same, served by its cache as GTK 3 does",
    ),
    shows(
        "cycle",
        Class::Graph,
        "--shape cycle",
        "two panels that contain each other and the window",
    ),
    shows(
        "cycle, in bulk",
        Class::Graph,
        "--shape cycle --toolkit gtk/3.24.38 --cache",
        "the same in its cache",
    ),
    shows("self-child", Class::Graph, "--shape self-child", "a panel that contains itself"),
    shows("clique", Class::Graph, "--shape clique:100", "100 panels that each contain all of them"),
    shows(
        "strays",
        Class::Graph,
        "--shape strays",
        "children that do not exist, belong to nobody, to the bus, or are the registry with all \
         applications",
    ),
    Switch {
        truth: THERE,
        ..shows("deep", Class::Size, "--shape chain:20000", "20,000 panels in each other")
    },
    shows(
        "deep, in bulk",
        Class::Size,
        "--shape chain:20000 --toolkit gtk/3.24.38 --cache",
        "the same in its cache",
    ),
    shows(
        "endless table",
        Class::Size,
        "--shape endless",
        "a table with 2,147,483,647 children, which never comes back when it is asked to list them",
    ),
    shows(
        "endless panel",
        Class::Size,
        "--shape endless-panel",
        "the same of a panel, which says nothing of rows and columns",
    ),
    Switch {
        truth: THERE,
        ..shows("wide", Class::Size, "--shape wide:100000", "100,000 buttons that are there")
    },
    Switch {
        truth: THERE,
        ..shows(
            "wide, in bulk",
            Class::Size,
            "--shape wide:100000 --toolkit gtk/3.24.38 --cache",
            "the same in its cache",
        )
    },
    Switch {
        truth: THERE,
        ..shows("long names", Class::Text, "--shape long-names:8", "8 names of 1 MB")
    },
    shows(
        "hostile names",
        Class::Text,
        "--shape names",
        "bidi and control characters, a name of 1 MB",
    ),
    Switch {
        truth: Truth { steady: false, ..THERE },
        ..shows("slow", Class::Time, "--delay-ms 30", "30 ms before each answer")
    },
    Switch {
        fresh: true,
        truth: Truth { steady: false, unreadable: true, ..THERE },
        ..shows("hangs", Class::Time, "--hang-at 1", "never answers again")
    },
    Switch {
        fresh: true,
        truth: Truth { steady: false, unreadable: true, ..THERE },
        ..shows(
            "hangs early",
            Class::Time,
            "--hang-at 6",
            "never answers again from the 6th call on",
        )
    },
    Switch {
        fresh: true,
        truth: Truth { steady: false, ..THERE },
        ..shows("hangs later", Class::Time, "--hang-at 25", "the same from the 25th call on")
    },
    Switch {
        fresh: true,
        truth: GONE,
        ..shows("vanishes", Class::Leaving, "--vanish-at 1", "ends when it is asked anything")
    },
    Switch {
        fresh: true,
        truth: GONE,
        ..shows("vanishes later", Class::Leaving, "--vanish-at 25", "ends at the 25th call")
    },
    Switch {
        fresh: true,
        truth: GONE,
        ..shows(
            "reborn",
            Class::Leaving,
            "--reborn-at 12",
            "leaves the bus at the 12th call and comes back with another name",
        )
    },
    shows("leaves on GetAll", Class::Leaving, "--leaves-on GetAll", "as Qt does"),
    shows(
        "leaves on GetActions",
        Class::Leaving,
        "--leaves-on GetActions",
        "as older bridges of ATK do",
    ),
    Switch {
        truth: Truth { stays: false, ..WELL },
        ..shows("twice", Class::Identity, "--twice", "two applications of one name and process")
    },
    shows(
        "two active windows",
        Class::Identity,
        "--shape two-active",
        "both say that they have the focus",
    ),
    Switch {
        button: Button { within: None, name: "Delete", nth: 1, identity: "Delete 1" },
        truth: Truth { steady: false, ..WELL },
        ..shows("twins", Class::Identity, "--shape twins", "three buttons that nothing tells apart")
    },
    Switch {
        button: Button {
            within: Some("Order 2"),
            name: "Delete",
            nth: 0,
            identity: "Delete of order 2",
        },
        fresh: true,
        turns: true,
        truth: Truth { steady: false, ..WELL },
        ..shows(
            "recycled rows",
            Class::Identity,
            "--shape rows",
            "each row is given the content of the next one, after it was aimed at",
        )
    },
    Switch {
        button: named("Harmless"),
        fresh: true,
        turns: true,
        truth: Truth { steady: false, ..WELL },
        ..shows(
            "reused path",
            Class::Identity,
            "--shape paths",
            "the path of a button is that of another one, after it was aimed at",
        )
    },
    Switch {
        button: Button {
            within: Some("Save the document?"),
            name: "Yes",
            nth: 0,
            identity: "Yes, save",
        },
        fresh: true,
        turns: true,
        truth: Truth { steady: false, ..WELL },
        ..shows(
            "another question",
            Class::Identity,
            "--shape question",
            "a button stays as it is, but what it says yes to does not",
        )
    },
    Switch {
        button: named("Nowhere"),
        ..shows("no area", Class::Place, "--shape nowhere", "a button that shows on 0 × 0 pixels")
    },
    Switch {
        button: named("Far away 0"),
        ..shows(
            "sentinels",
            Class::Place,
            "--shape sentinels",
            "rectangles at the least and greatest integers and at -1",
        )
    },
    Switch {
        fresh: true,
        truth: GONE,
        ..shows(
            "illegal path",
            Class::Protocol,
            "--wrong paths",
            "a child whose path is none, for which the bus throws it off",
        )
    },
    Switch {
        truth: Truth { steady: false, unreadable: true, ..THERE },
        ..shows("wrong types", Class::Protocol, "--wrong types", "every answer is of another type")
    },
    Switch {
        truth: Truth { steady: false, unreadable: true, ..THERE },
        ..shows(
            "wrong types, in bulk",
            Class::Protocol,
            "--wrong types --toolkit gtk/3.24.38 --cache",
            "the same of its cache",
        )
    },
    Switch {
        truth: Truth { steady: false, unreadable: true, ..THERE },
        ..shows(
            "wrong types inside",
            Class::Protocol,
            "--wrong types-inside",
            "the same, but of its window itself the answers are right",
        )
    },
    Switch {
        truth: Truth { steady: false, unreadable: true, ..THERE },
        ..shows("empty answers", Class::Protocol, "--wrong empty", "every answer holds nothing")
    },
    Switch {
        truth: Truth { steady: false, unreadable: true, ..THERE },
        ..shows(
            "empty answers inside",
            Class::Protocol,
            "--wrong empty-inside",
            "the same, but of its window itself the answers are right",
        )
    },
    shows("actions without names", Class::Lies, "--actions empty", "actions are called nothing"),
    shows(
        "hostile actions",
        Class::Lies,
        "--actions hostile",
        "what does harm stands before what was meant",
    ),
    shows(
        "does nothing",
        Class::Lies,
        "--pressed nothing --writes nothing --numbers nothing",
        "says that it did what it was asked, and did not",
    ),
    shows(
        "cuts texts",
        Class::Lies,
        "--writes cut --numbers other",
        "keeps three characters, and another number",
    ),
    shows(
        "odd numbers",
        Class::Lies,
        "--numbers odd",
        "no number, between infinity and minus infinity",
    ),
    shows("refuses", Class::Lies, "--pressed refuse", "says that it did not"),
    Switch {
        fresh: true,
        truth: Truth { steady: false, ..THERE },
        ..shows("hangs when pressed", Class::Lies, "--pressed hang", "and never comes back")
    },
    Switch {
        fresh: true,
        truth: GONE,
        ..shows("vanishes when pressed", Class::Lies, "--pressed vanish", "and is gone")
    },
    Switch {
        truth: THERE,
        ..shows("flood", Class::Events, "--flood 50000", "50,000 events in a second")
    },
];
