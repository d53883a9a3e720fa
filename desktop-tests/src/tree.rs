//! Looking at printed trees.

use serde_json::Value;

/// `top` and everything below it, in document order.
pub fn all(top: &Value) -> impl Iterator<Item = &Value> {
    let mut open = vec![top];
    std::iter::from_fn(move || {
        let node = open.pop()?;
        open.extend(node["children"].as_array().into_iter().flatten().rev());
        Some(node)
    })
}

/// How many nodes there are.
pub fn count(top: &Value) -> usize {
    all(top).count()
}

/// How deep nodes are nested; 1 for a single one.
pub fn depth(top: &Value) -> usize {
    let below = top["children"].as_array().into_iter().flatten().map(depth).max();
    1 + below.unwrap_or(0)
}
