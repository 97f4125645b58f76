//! Starter kits to download.

use std::{
    fs,
    io::{self, Cursor, Write},
    os::unix::fs::PermissionsExt,
    path,
};

use axum::{
    extract::Path,
    http::header,
    response::{IntoResponse, Response},
};
use include_dir::{Dir, include_dir};
use zip::{ZipWriter, write::SimpleFileOptions};

use crate::{api::ApiError, blocking::blocking, pages::PageError};

/// Every kit: a folder for each game, in it one for each language.
static KITS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../kits");

/// The kit of a game in a language.
pub fn kit(game: &str, language: &str) -> Option<&'static Dir<'static>> {
    KITS.get_dir(format!("{game}/{language}"))
}

/// The languages that a game has kits for, in alphabetical order.
pub fn of(game: &str) -> Vec<String> {
    let kits = KITS.get_dir(game).into_iter().flat_map(Dir::dirs).filter_map(|kit| kit.path().file_name());
    let mut names: Vec<String> = kits.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The texts of all files of a game's kits, with the names of the files.
pub fn texts(game: &str) -> Vec<(String, String)> {
    let mut texts = Vec::new();
    let mut folders: Vec<&Dir<'_>> = KITS.get_dir(game).into_iter().collect();
    while let Some(folder) = folders.pop() {
        folders.extend(folder.dirs());
        let name = |file: &path::Path| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        texts.extend(folder.files().filter_map(|file| Some((name(file.path()), file.contents_utf8()?.to_owned()))));
    }
    texts
}

/// Writes a kit into a folder.
///
/// # Errors
/// If a file cannot be written.
pub fn write(kit: &Dir<'_>, to: &path::Path) -> io::Result<()> {
    write_folder(kit, kit, to)
}

fn write_folder(root: &Dir<'_>, folder: &Dir<'_>, to: &path::Path) -> io::Result<()> {
    let place = |inner: &path::Path| to.join(inner.strip_prefix(root.path()).unwrap_or(inner));
    fs::create_dir_all(place(folder.path()))?;
    for file in folder.files() {
        let target = place(file.path());
        fs::write(&target, file.contents())?;
        if target.extension().is_some_and(|end| end == "sh") {
            fs::set_permissions(&target, fs::Permissions::from_mode(0o755))?;
        }
    }
    folder.dirs().try_for_each(|inner| write_folder(root, inner, to))
}

/// A kit as a zip file.
pub(crate) async fn download(Path((game, file)): Path<(String, String)>) -> Result<Response, PageError> {
    let kit = file.strip_suffix(".zip").and_then(|language| kit(&game, language));
    let kit = kit.ok_or_else(|| ApiError::missing("kit"))?;
    let bytes = blocking(move || packed(kit).map_err(ApiError::host)).await?;
    let kept = format!("attachment; filename=\"{game}-{file}\"");
    Ok(([(header::CONTENT_TYPE, "application/zip".to_owned()), (header::CONTENT_DISPOSITION, kept)], bytes)
        .into_response())
}

fn packed(kit: &Dir<'_>) -> zip::result::ZipResult<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    pack(&mut zip, kit, kit)?;
    Ok(zip.finish()?.into_inner())
}

fn pack(zip: &mut ZipWriter<Cursor<Vec<u8>>>, root: &Dir<'_>, folder: &Dir<'_>) -> zip::result::ZipResult<()> {
    for file in folder.files() {
        let name = file.path().strip_prefix(root.path()).unwrap_or(file.path()).to_string_lossy();
        // Shell scripts must be executable once they are unpacked.
        let mode = if name.ends_with(".sh") { 0o755 } else { 0o644 };
        zip.start_file(name, SimpleFileOptions::default().unix_permissions(mode))?;
        zip.write_all(file.contents())?;
    }
    folder.dirs().try_for_each(|inner| pack(zip, root, inner))
}
