//! Pictures of the screen and of single windows.
//!
//! An X server keeps no pixels of what is covered or off the screen, unless the window is
//! *redirected* into memory of its own (Composite), which compositing managers do with all of them. Where
//! none runs, a window that is covered is redirected for a moment. Its application then has to
//! draw what was covered; a colour that was put there before tells whether it has.

use std::time::Duration;

use agent_desktop_engine::platform::{Captured, Deadline, Failure, Picture};
use agent_desktop_model::geometry::Rect;
use x11rb::{
    connection::{Connection, RequestConnection},
    errors::{ReplyError, ReplyOrIdError},
    protocol::{
        composite::{self, ConnectionExt as _, Redirect},
        shape::{self, ConnectionExt as _},
        xproto::{
            ConnectionExt as _, CreateGCAux, Drawable, GetImageReply, ImageFormat, ImageOrder,
            MapState, Rectangle, Visualid, Visualtype, Window as Xid, WindowClass,
        },
    },
};

use super::{Display, Window, lost, refused};

/// How long an application gets to draw what was covered.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// How long nothing may change in a picture that is done.
const STILL: Duration = Duration::from_millis(40);

/// All planes of a drawable.
const PLANES: u32 = u32::MAX;

impl Display {
    /// What is on the screen, or on that part of `area` that is part of it.
    pub fn capture_screen(
        &self,
        area: Option<Rect>,
        deadline: Deadline,
    ) -> Result<Picture, Failure> {
        self.connection.stream().ends_at(deadline);
        let screen = self.screen()?;
        let place = area.map_or(Some(screen), |area| common(area, screen)).ok_or(Failure::Gone)?;
        let visual = self.connection.get_window_attributes(self.root).map_err(lost)?;
        let visual = visual.reply().map_err(refused)?.visual;
        let image =
            self.image(self.root, place)?.map_err(|error| Failure::System(error.to_string()))?;
        Ok(Picture { place, rgb: self.rgb(&image, visual, place)? })
    }

    /// The window without the frame of its manager, without the shadow that it draws itself, and
    /// without what is in front of it.
    pub fn capture_window(&self, window: &Window, deadline: Deadline) -> Result<Captured, Failure> {
        self.connection.stream().ends_at(deadline);
        let taken = self.window_picture(window, deadline)?;
        // Windows that go while they are looked at answer with errors.
        taken.map_err(|error| match error {
            ReplyError::X11Error(_) => Failure::Gone,
            ReplyError::ConnectionError(error) => lost(error),
        })
    }

    fn window_picture(
        &self,
        window: &Window,
        deadline: Deadline,
    ) -> Result<Result<Captured, ReplyError>, Failure> {
        let place = window.inner;
        let inside = moved(place, -window.bounds.x, -window.bounds.y);
        let taken = |image: &GetImageReply, visual| {
            let rgb = self.rgb(image, visual, place)?;
            Ok(Ok(Captured::Picture(Picture { place, rgb })))
        };
        let seen = match self.surroundings(window.xid) {
            Ok(seen) => seen,
            Err(error) => return Ok(Err(error)),
        };
        let has_composite = self.has(composite::X11_EXTENSION_NAME)?;
        if has_composite {
            // A server answers requests of the version that the client last named.
            self.connection.composite_query_version(0, 4).map_err(lost)?;
            if let Some(image) = self.composited(&seen, inside)? {
                return taken(&image, seen.top_visual);
            }
        }
        let hidden = |seen: &Surroundings| hidden_parts(window.bounds, place, seen);
        let mut covered = hidden(&seen);
        if covered.is_empty() {
            match self.image(window.xid, inside)? {
                Ok(image) => match self.surroundings(window.xid) {
                    // Nothing has come in front of it meanwhile.
                    Ok(now) if hidden(&now).is_empty() => return taken(&image, seen.visual),
                    Ok(now) => covered = hidden(&now),
                    Err(error) => return Ok(Err(error)),
                },
                Err(error) => return Ok(Err(error)),
            }
        }
        if !has_composite {
            return Err(Failure::Unsupported {
                cause: "part of the window is covered or off the screen, and the X server cannot \
                        draw it elsewhere (it lacks the extension Composite)"
                    .into(),
                remedy: "Bring the window to the front with `focus-window`, or picture the screen."
                    .into(),
            });
        }
        let inner: Vec<Rect> =
            covered.iter().map(|part| moved(*part, -window.bounds.x, -window.bounds.y)).collect();
        match self.redirected(window.xid, &inner, inside, seen.visual, deadline)? {
            Ok(Some(rgb)) => Ok(Ok(Captured::Picture(Picture { place, rgb }))),
            Ok(None) => {
                // What was in front of it has moved, perhaps before the mark was put behind it:
                // then it is to be drawn anew.
                if self.surroundings(window.xid).is_ok_and(|now| hidden(&now) != covered) {
                    self.connection.clear_area(true, window.xid, 0, 0, 0, 0).map_err(lost)?;
                    self.connection.flush().map_err(lost)?;
                }
                Ok(Ok(Captured::Unpainted))
            }
            Err(error) => Ok(Err(error)),
        }
    }

    /// A part of a window that a compositing manager has redirected; none where none has.
    fn composited(
        &self,
        seen: &Surroundings,
        inside: Rect,
    ) -> Result<Option<GetImageReply>, Failure> {
        let pixmap = self.new_id()?;
        let named = self.connection.composite_name_window_pixmap(seen.top, pixmap).map_err(lost)?;
        match named.check() {
            Ok(()) => {}
            Err(ReplyError::X11Error(_)) => return Ok(None),
            Err(error) => return Err(refused(error)),
        }
        let (x, y) = seen.offset;
        let image = self.image(pixmap, moved(inside, x, y));
        self.connection.free_pixmap(pixmap).map_err(lost)?;
        // A frame that has just got another size is another picture: then the window itself has to do.
        Ok(image?.ok())
    }

    /// A part of a window that is redirected for that, once its application has drawn the
    /// `covered` parts of it; none if it does not.
    fn redirected(
        &self,
        window: Xid,
        covered: &[Rect],
        inside: Rect,
        visual: Visualid,
        deadline: Deadline,
    ) -> Result<Result<Option<Vec<u8>>, ReplyError>, Failure> {
        let connection = &self.connection;
        let (pixmap, pen) = (self.new_id()?, self.new_id()?);
        let colours = self.visual(visual)?;
        let ink = ink(random_colour()?, &colours);
        let masks = [colours.red_mask, colours.green_mask, colours.blue_mask];
        // As it is read back, where colours have fewer bits.
        let mark = masks.map(|mask| level(ink, part_of(mask)));
        let ink = CreateGCAux::new().foreground(ink);
        let areas: Vec<Rectangle> = covered.iter().map(|part| rectangle(*part)).collect();
        // No answer is waited for while the server serves nobody else: all of this is one write. The
        // application cannot draw before the mark is there, so that the mark hides nothing of it.
        connection.grab_server().map_err(lost)?;
        connection.composite_redirect_window(window, Redirect::AUTOMATIC).map_err(lost)?;
        connection.composite_name_window_pixmap(window, pixmap).map_err(lost)?;
        connection.create_gc(pen, pixmap, &ink).map_err(lost)?;
        connection.poly_fill_rectangle(pixmap, pen, &areas).map_err(lost)?;
        connection.ungrab_server().map_err(lost)?;
        let parts: Vec<Rect> = covered
            .iter()
            .filter_map(|part| common(*part, inside))
            .map(|part| moved(part, -inside.x, -inside.y))
            .collect();
        let drawn = self.when_drawn(pixmap, inside, visual, (mark, &parts), deadline);
        connection.composite_unredirect_window(window, Redirect::AUTOMATIC).map_err(lost)?;
        connection.free_gc(pen).map_err(lost)?;
        connection.free_pixmap(pixmap).map_err(lost)?;
        connection.flush().map_err(lost)?;
        drawn
    }

    fn when_drawn(
        &self,
        pixmap: Drawable,
        inside: Rect,
        visual: Visualid,
        (mark, parts): ([u8; 3], &[Rect]),
        deadline: Deadline,
    ) -> Result<Result<Option<Vec<u8>>, ReplyError>, Failure> {
        let patience = deadline.within(PATIENCE);
        let mut last = None;
        loop {
            let image = match self.image(pixmap, inside)? {
                Ok(image) => image,
                Err(error) => return Ok(Err(error)),
            };
            let now = self.rgb(&image, visual, inside)?;
            let is_drawn = !parts.iter().any(|part| holds(&now, inside.width, *part, mark));
            // What never stands still is drawn all the same.
            if is_drawn && (last.as_ref() == Some(&now) || patience.passed()) {
                return Ok(Ok(Some(now)));
            }
            if patience.passed() {
                return Ok(Ok(None));
            }
            last = Some(now);
            std::thread::sleep(STILL.min(patience.remaining()));
        }
    }

    /// Where a window stands among the others.
    fn surroundings(&self, window: Xid) -> Result<Surroundings, ReplyError> {
        let connection = &self.connection;
        let mut top = window;
        loop {
            let parent = connection.query_tree(top)?.reply()?.parent;
            if parent == self.root || parent == x11rb::NONE {
                break;
            }
            top = parent;
        }
        let stacking = connection.query_tree(self.root)?;
        let screen = connection.get_geometry(self.root)?;
        let attributes = connection.get_window_attributes(window)?;
        let top_attributes = connection.get_window_attributes(top)?;
        let border = connection.get_geometry(top)?;
        let offset = connection.translate_coordinates(window, top, 0, 0)?;
        let screen = screen.reply()?;
        let border = i32::from(border.reply()?.border_width);
        let offset = offset.reply()?;
        let offset = (i32::from(offset.dst_x) + border, i32::from(offset.dst_y) + border);
        let above =
            stacking.reply()?.children.into_iter().skip_while(|other| *other != top).skip(1);
        let has_shapes = connection.extension_information(shape::X11_EXTENSION_NAME)?.is_some();
        let questions = above
            .map(|other| {
                let geometry = connection.get_geometry(other)?;
                let attributes = connection.get_window_attributes(other)?;
                let shape = match has_shapes {
                    true => Some(connection.shape_get_rectangles(other, shape::SK::BOUNDING)?),
                    false => None,
                };
                Ok((geometry, attributes, shape))
            })
            .collect::<Result<Vec<_>, ReplyError>>()?;
        let mut covers = Vec::new();
        for (geometry, attributes, shape) in questions {
            let shape = shape.map(|shape| shape.reply());
            let (Ok(at), Ok(attributes)) = (geometry.reply(), attributes.reply()) else {
                // It has gone meanwhile.
                continue;
            };
            let is_seen = attributes.map_state == MapState::VIEWABLE
                && attributes.class == WindowClass::INPUT_OUTPUT;
            if !is_seen {
                continue;
            }
            let border = i32::from(at.border_width);
            let (x, y) = (i32::from(at.x) + border, i32::from(at.y) + border);
            match shape {
                Some(Ok(shape)) => covers.extend(shape.rectangles.into_iter().map(|part| Rect {
                    x: x + i32::from(part.x),
                    y: y + i32::from(part.y),
                    width: part.width.into(),
                    height: part.height.into(),
                })),
                _ => covers.push(Rect {
                    x: x - border,
                    y: y - border,
                    width: i32::from(at.width) + 2 * border,
                    height: i32::from(at.height) + 2 * border,
                }),
            }
        }
        Ok(Surroundings {
            top,
            offset,
            visual: attributes.reply()?.visual,
            top_visual: top_attributes.reply()?.visual,
            covers,
            screen: Rect { x: 0, y: 0, width: screen.width.into(), height: screen.height.into() },
        })
    }

    fn screen(&self) -> Result<Rect, Failure> {
        let size = self.connection.get_geometry(self.root).map_err(lost)?.reply();
        let size = size.map_err(refused)?;
        Ok(Rect { x: 0, y: 0, width: size.width.into(), height: size.height.into() })
    }

    fn has(&self, extension: &'static str) -> Result<bool, Failure> {
        Ok(self.connection.extension_information(extension).map_err(lost)?.is_some())
    }

    fn new_id(&self) -> Result<u32, Failure> {
        self.connection.generate_id().map_err(|error| match error {
            ReplyOrIdError::ConnectionError(error) => lost(error),
            error => Failure::System(format!("X server: {error}")),
        })
    }

    /// The pixels of a part of a drawable, which has to lie in it; an error of the server's if it
    /// does not.
    fn image(
        &self,
        drawable: Drawable,
        part: Rect,
    ) -> Result<Result<GetImageReply, ReplyError>, Failure> {
        let Rectangle { x, y, width, height } = rectangle(part);
        let format = ImageFormat::Z_PIXMAP;
        let question = self
            .connection
            .get_image(format, drawable, x, y, width, height, PLANES)
            .map_err(lost)?;
        match question.reply() {
            Err(ReplyError::ConnectionError(error)) => Err(lost(error)),
            answer => Ok(answer),
        }
    }

    fn visual(&self, id: Visualid) -> Result<Visualtype, Failure> {
        let screens = self.connection.setup().roots.iter();
        let mut visuals =
            screens.flat_map(|screen| &screen.allowed_depths).flat_map(|it| &it.visuals);
        let visual = visuals.find(|visual| visual.visual_id == id).copied();
        visual.ok_or_else(|| Failure::System(format!("the X server has no visual {id}")))
    }

    /// The colours of an image of the size of `part`.
    fn rgb(&self, image: &GetImageReply, visual: Visualid, part: Rect) -> Result<Vec<u8>, Failure> {
        let setup = self.connection.setup();
        let format = setup.pixmap_formats.iter().find(|format| format.depth == image.depth);
        let colours = self.visual(visual)?;
        let layout = format.and_then(|format| {
            Layout::of(
                format.bits_per_pixel,
                format.scanline_pad,
                setup.image_byte_order == ImageOrder::MSB_FIRST,
                [colours.red_mask, colours.green_mask, colours.blue_mask],
            )
        });
        let layout = layout.ok_or_else(|| Failure::Unsupported {
            cause: format!("the X server's pixels of depth {} are not understood", image.depth),
            remedy: "Use an X server with colours of 24 bits, such as that of a private desktop: \
                     `agent-desktop sandbox start`."
                .into(),
        })?;
        let (width, height) = (part.width.unsigned_abs(), part.height.unsigned_abs());
        layout
            .rgb(&image.data, width as usize, height as usize)
            .ok_or_else(|| Failure::System("the X server sent too few pixels".to_owned()))
    }
}

/// A window among the others.
struct Surroundings {
    /// The child of the root window that it is in: its frame, or itself.
    top: Xid,
    /// Where it is in the picture of that.
    offset: (i32, i32),
    visual: Visualid,
    top_visual: Visualid,
    /// What is in front of it, on the screen.
    covers: Vec<Rect>,
    screen: Rect,
}

/// Those parts of `place` that are covered or off the screen, on the screen. `bounds` is all of the
/// window.
fn hidden_parts(bounds: Rect, place: Rect, seen: &Surroundings) -> Vec<Rect> {
    let Rect { width, height, .. } = seen.screen;
    const FAR: i32 = 1 << 15;
    let beyond = [
        Rect { x: -FAR, y: -FAR, width: FAR, height: 3 * FAR },
        Rect { x: width, y: -FAR, width: FAR, height: 3 * FAR },
        Rect { x: 0, y: -FAR, width, height: FAR },
        Rect { x: 0, y: height, width, height: FAR },
    ];
    let all = seen.covers.iter().chain(&beyond);
    // Where nothing of the picture is missing, nothing is.
    match all.clone().any(|cover| common(*cover, place).is_some()) {
        true => all.filter_map(|cover| common(*cover, bounds)).collect(),
        false => Vec::new(),
    }
}

/// Where in an image which colour stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    bytes: usize,
    /// Bytes to which each row is filled up.
    pad: usize,
    big_endian: bool,
    /// For red, green and blue: how far it is shifted and how many bits it has.
    parts: [(u32, u32); 3],
}

impl Layout {
    /// That of nearly all servers, for which there is a shorter way.
    const USUAL: Self =
        Self { bytes: 4, pad: 4, big_endian: false, parts: [(16, 8), (8, 8), (0, 8)] };

    fn of(bits: u8, pad: u8, big_endian: bool, masks: [u32; 3]) -> Option<Self> {
        let (bytes, pad) = (usize::from(bits / 8), usize::from(pad / 8));
        let known = matches!(bytes, 2..=4) && pad > 0 && masks.iter().all(|mask| *mask != 0);
        known.then_some(Self { bytes, pad, big_endian, parts: masks.map(part_of) })
    }

    /// Red, green and blue of each pixel; none if there are fewer.
    fn rgb(&self, data: &[u8], width: usize, height: usize) -> Option<Vec<u8>> {
        let line = (width * self.bytes).next_multiple_of(self.pad);
        let mut rgb = Vec::with_capacity(width * height * 3);
        for row in 0..height {
            let row = data.get(row * line..)?.get(..width * self.bytes)?;
            if *self == Self::USUAL {
                for pixel in row.chunks_exact(4) {
                    if let [blue, green, red, _] = pixel {
                        rgb.extend_from_slice(&[*red, *green, *blue]);
                    }
                }
                continue;
            }
            for pixel in row.chunks_exact(self.bytes) {
                let add = |value: u32, byte: &u8| value << 8 | u32::from(*byte);
                let value = match self.big_endian {
                    true => pixel.iter().fold(0, add),
                    false => pixel.iter().rev().fold(0, add),
                };
                rgb.extend(self.parts.map(|part| level(value, part)));
            }
        }
        Some(rgb)
    }
}

/// How far a part of a pixel is shifted, and how many bits it has.
fn part_of(mask: u32) -> (u32, u32) {
    (mask.trailing_zeros(), mask.count_ones())
}

/// A part of a pixel, from 0 to 255.
fn level(value: u32, (shift, bits): (u32, u32)) -> u8 {
    let most = u32::MAX >> (32 - bits.clamp(1, 32));
    let part = value.checked_shr(shift).unwrap_or_default() & most;
    u8::try_from(u64::from(part) * 255 / u64::from(most)).unwrap_or(u8::MAX)
}

/// The pixel of a colour, opaque where that is told.
fn ink(colour: [u8; 3], visual: &Visualtype) -> u32 {
    let masks = [visual.red_mask, visual.green_mask, visual.blue_mask];
    let opaque = !masks.iter().fold(0, |all, mask| all | mask);
    colour.iter().zip(masks).fold(opaque, |pixel, (level, mask)| {
        let most = u64::from(mask >> mask.trailing_zeros().min(31));
        let part = (u64::from(*level) * most).div_ceil(255);
        pixel | (u32::try_from(part).unwrap_or_default() << mask.trailing_zeros().min(31)) & mask
    })
}

/// A colour that no application has expected.
fn random_colour() -> Result<[u8; 3], Failure> {
    let bits = getrandom::u32().map_err(|error| Failure::System(error.to_string()))?;
    let [red, green, blue, _] = bits.to_ne_bytes();
    Ok([red, green, blue])
}

/// Whether a pixel of `part` has this colour.
fn holds(rgb: &[u8], width: i32, part: Rect, colour: [u8; 3]) -> bool {
    let number = |number: i32| usize::try_from(number).unwrap_or_default();
    let rows = rgb.chunks_exact(3 * number(width).max(1));
    rows.skip(number(part.y)).take(number(part.height)).any(|row| {
        let pixels = row.chunks_exact(3).skip(number(part.x)).take(number(part.width));
        pixels.into_iter().any(|pixel| pixel == colour)
    })
}

fn moved(rect: Rect, right: i32, down: i32) -> Rect {
    Rect { x: rect.x + right, y: rect.y + down, ..rect }
}

fn common(one: Rect, other: Rect) -> Option<Rect> {
    Some(one.intersection(other)).filter(|part| part.has_area())
}

fn rectangle(rect: Rect) -> Rectangle {
    let place = |number: i32| i16::try_from(number).unwrap_or_default();
    let size = |number: i32| u16::try_from(number).unwrap_or_default();
    Rectangle {
        x: place(rect.x),
        y: place(rect.y),
        width: size(rect.width),
        height: size(rect.height),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RGB: [u32; 3] = [0xff_0000, 0xff00, 0xff];

    #[test]
    fn pixels_are_read_in_every_order() {
        let read = |layout: Option<Layout>, data: &[u8]| layout.unwrap().rgb(data, 1, 2);
        let wanted = Some(vec![1, 2, 3, 4, 5, 6]);
        let little = Layout::of(32, 32, false, RGB);
        assert_eq!(read(little, &[3, 2, 1, 0, 6, 5, 4, 255]), wanted);
        let big = Layout::of(32, 32, true, RGB);
        assert_eq!(read(big, &[0, 1, 2, 3, 9, 4, 5, 6]), wanted);
        let [red, green, blue] = RGB;
        assert_eq!(
            read(Layout::of(32, 32, false, [blue, green, red]), &[1, 2, 3, 0, 4, 5, 6, 0]),
            wanted
        );
        // Three bytes a pixel, rows filled up to four.
        assert_eq!(read(Layout::of(24, 32, false, RGB), &[3, 2, 1, 0, 6, 5, 4, 0]), wanted);
        let narrow = Layout::of(16, 16, false, [0xf800, 0x07e0, 0x1f]);
        assert_eq!(read(narrow, &[0x1f, 0xf8, 0xe0, 0x07]), Some(vec![255, 0, 255, 0, 255, 0]));
        assert_eq!(read(little, &[0; 7]), None);
        assert_eq!(Layout::of(8, 32, false, RGB), None);
        assert_eq!(Layout::of(32, 32, false, [0; 3]), None);
    }

    #[test]
    fn a_mark_is_found_again() {
        let visual = Visualtype {
            red_mask: 0xf800,
            green_mask: 0x07e0,
            blue_mask: 0x1f,
            ..Visualtype::default()
        };
        assert_eq!(ink([255, 0, 255], &visual) & 0xffff, 0xf81f);
        let [red_mask, green_mask, blue_mask] = RGB;
        let visual = Visualtype { red_mask, green_mask, blue_mask, ..Visualtype::default() };
        assert_eq!(ink([1, 2, 254], &visual), 0xff01_02fe);
        let picture = [[0; 3], [9, 8, 7], [0; 3], [0; 3]].concat();
        let at = |x, y| holds(&picture, 2, Rect { x, y, width: 1, height: 1 }, [9, 8, 7]);
        assert_eq!([at(0, 0), at(1, 0), at(0, 1), at(1, 1)], [false, true, false, false]);
    }

    #[test]
    fn only_what_hides_part_of_the_picture_counts() {
        let rect = |x, y, width, height| Rect { x, y, width, height };
        let seen = |covers: Vec<Rect>| Surroundings {
            top: 1,
            offset: (0, 0),
            visual: 0,
            top_visual: 0,
            covers,
            screen: rect(0, 0, 100, 100),
        };
        let bounds = rect(10, 10, 50, 50);
        let hidden = |bounds, covers| hidden_parts(bounds, bounds, &seen(covers));
        assert_eq!(hidden(bounds, vec![rect(60, 10, 9, 9)]), []);
        assert_eq!(hidden(bounds, vec![rect(50, 0, 99, 20)]), [rect(50, 10, 10, 10)]);
        assert_eq!(
            hidden(rect(-5, 90, 20, 20), vec![]),
            [rect(-5, 90, 5, 20), rect(0, 100, 15, 10)]
        );
        // A shadow may be covered.
        let shadow = rect(5, 5, 60, 60);
        assert_eq!(hidden_parts(shadow, bounds, &seen(vec![rect(0, 0, 8, 8)])), []);
    }
}
