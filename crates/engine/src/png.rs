//! Just enough of the format PNG to tell one and its size.

/// Width and height in pixels; none if `bytes` are no PNG.
pub(crate) fn size(bytes: &[u8]) -> Option<(u32, u32)> {
    let header = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR")?;
    let (width, rest) = header.split_first_chunk()?;
    let (height, _) = rest.split_first_chunk()?;
    let (width, height) = (u32::from_be_bytes(*width), u32::from_be_bytes(*height));
    (width > 0 && height > 0).then_some((width, height))
}
