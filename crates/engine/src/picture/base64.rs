//! Bytes as text (RFC 4648).

/// `bytes` in base64, with padding.
pub(crate) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let digit = (bits >> (18 - 6 * place)) as usize % 64;
            text.push(match (place <= three.len(), DIGITS.get(digit)) {
                (true, Some(digit)) => char::from(*digit),
                _ => '=',
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_standard() {
        let all = ["", "f", "fo", "foo", "foob", "fooba", "foobar"];
        let texts = all.map(|text| base64(text.as_bytes()));
        let wanted = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"];
        assert_eq!(texts, wanted);
        assert_eq!(base64(&[0xff, 0xfe, 0xfb]), "//77");
    }
}
