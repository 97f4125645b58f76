//! What pages load: carried in the program, named by content so that browsers may keep it for ever.

use std::sync::LazyLock;

use axum::{
    extract::Path,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use include_dir::{Dir, include_dir};

use crate::invite::digest;

static FILES: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../web");

/// A file as it is served.
struct Asset {
    name: String,
    content: Vec<u8>,
}

/// The files under `web/`, and the style sheet of boards with the colours of all games.
static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let mut assets: Vec<Asset> = FILES
        .files()
        .filter_map(|file| Some(Asset { name: file.path().to_str()?.to_owned(), content: file.contents().to_vec() }))
        .collect();
    let mut sheet = agon_picture::svg::style_sheet();
    for game in agon_all::GAMES {
        sheet.push_str(&format!(
            "[data-game={}]{{--ag-accent:{accent};--accent:{accent}}}",
            game.name(),
            accent = game.accent()
        ));
    }
    assets.push(Asset { name: "board.css".to_owned(), content: sheet.into_bytes() });
    assets
});

/// Changes whenever any file does: modules import each other by plain names, so all share one.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let all: Vec<u8> = ASSETS.iter().flat_map(|asset| asset.content.iter().copied()).collect();
    digest(&String::from_utf8_lossy(&all))[..12].to_owned()
});

/// Where a page finds a file.
pub(crate) fn path(name: &str) -> String {
    format!("/assets/{}/{name}", *VERSION)
}

/// Serves a file.
pub(crate) async fn get(Path((version, name)): Path<(String, String)>) -> Response {
    let Some(asset) = ASSETS.iter().find(|asset| asset.name == name) else {
        return (StatusCode::NOT_FOUND, "no such file").into_response();
    };
    let kind = match name.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    // An old name still gives the file, but must not be kept: it is not what it was.
    let keep = if version == *VERSION { "public, max-age=31536000, immutable" } else { "no-store" };
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, keep)], asset.content.clone()).into_response()
}
