//! The format PNG.

use super::Pixels;

/// Width and height in pixels; none if `bytes` are no PNG.
pub(crate) fn size(bytes: &[u8]) -> Option<(u32, u32)> {
    let header = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR")?;
    let (width, rest) = header.split_first_chunk()?;
    let (height, _) = rest.split_first_chunk()?;
    let (width, height) = (u32::from_be_bytes(*width), u32::from_be_bytes(*height));
    (width > 0 && height > 0).then_some((width, height))
}

/// A file with these pixels; an error in the encoder's words.
pub(crate) fn encode(pixels: &Pixels) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut bytes, pixels.width, pixels.height);
    encoder.set_color(::png::ColorType::Rgb);
    encoder.set_depth(::png::BitDepth::Eight);
    encoder.set_compression(::png::Compression::Fast);
    let written = encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(&pixels.rgb).map(|()| writer))
        .and_then(::png::Writer::finish);
    written.map(|()| bytes).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_read_by_another_decoder() {
        let rgb = (0..3 * 7 * 5_u8).map(|number| number.wrapping_mul(37)).collect::<Vec<u8>>();
        let bytes = encode(&Pixels { width: 7, height: 5, rgb: rgb.clone() }).unwrap();
        assert_eq!(size(&bytes), Some((7, 5)));
        let mut reader = ::png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
        let mut read = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut read).unwrap();
        assert_eq!(read, rgb);
    }

    #[test]
    fn what_is_no_png_has_no_size() {
        for bytes in [&b""[..], b"GIF89a", b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\0\0\0\0\x01"] {
            assert_eq!(size(bytes), None);
        }
    }
}
