//! Data small enough for a page.

use std::io::Write;

use base64::{Engine, engine::general_purpose::STANDARD};
use flate2::{Compression, write::DeflateEncoder};
use serde_json::Value;

/// JSON, deflated, in letters that mean nothing to HTML.
pub(super) fn packed(value: &Value) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(value.to_string().as_bytes()).expect("writing to memory never fails");
    STANDARD.encode(encoder.finish().expect("writing to memory never fails"))
}
