//! The clipboard of a scripted desktop.

use agent_desktop_engine::platform::{Clip, ClipKind, Pasted, Taken};

use crate::Desktop;

/// What is in the clipboard, and how programs treat it.
#[derive(Clone, Debug)]
pub struct Clipboard {
    /// What reading it comes to.
    pub content: Pasted,
    /// What changing it comes to; none where that works.
    pub refusal: Option<Taken>,
}

impl Default for Clipboard {
    /// It is empty.
    fn default() -> Self {
        Self { content: Pasted::Absent { offered: Vec::new() }, refusal: None }
    }
}

impl Desktop {
    /// Gives the desktop this clipboard.
    pub fn put_clipboard(&self, clipboard: Clipboard) {
        self.world_mut().clipboard = clipboard;
    }

    pub(crate) fn pasted(&self, kinds: &[ClipKind]) -> Pasted {
        match &self.world().clipboard.content {
            Pasted::Found { clip, .. } if !kinds.contains(&clip.kind()) => {
                Pasted::Absent { offered: vec![clip.kind().token().to_owned()] }
            }
            other => other.clone(),
        }
    }

    pub(crate) fn taken(&self, clip: Option<&Clip>) -> Taken {
        let clipboard = &mut self.world_mut().clipboard;
        if let Some(refusal) = &clipboard.refusal {
            return refusal.clone();
        }
        let before = clipboard.content.clone();
        clipboard.content = match clip {
            Some(clip) => Pasted::Found { clip: clip.clone(), lossy: false },
            None => Clipboard::default().content,
        };
        match clip {
            None if before == clipboard.content => Taken::Already,
            _ => Taken::Verified,
        }
    }
}
