//! The folder that an archive is unpacked into.

use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions, Permissions},
    io::{self, Read, Write},
    os::unix::fs::PermissionsExt,
    path::Path,
};

use super::{ArchiveError, ArchiveLimits, names::EntryName};

/// Counts what is written, and removes all of it unless it is finished.
pub(super) struct Tree<'a> {
    root: &'a Path,
    pub limits: &'a ArchiveLimits,
    nodes: HashMap<String, Node>,
    files: usize,
    written: u64,
    finished: bool,
}

/// What lies at a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Node {
    File,
    /// A folder with an entry of its own.
    Folder,
    /// A folder that was only needed for something in it.
    Implied,
}

const FOLDER_MODE: u32 = 0o755;
const FILE_MODE: u32 = 0o644;
const PROGRAM_MODE: u32 = 0o755;

impl<'a> Tree<'a> {
    pub(super) fn new(root: &'a Path, limits: &'a ArchiveLimits) -> Result<Tree<'a>, ArchiveError> {
        // Somebody else's folder is never touched: this fails if anything is there, and only then is there something to remove.
        make_folder(root)?;
        let nodes = HashMap::from([(String::new(), Node::Implied)]);
        Ok(Tree { root, limits, nodes, files: 0, written: 0, finished: false })
    }

    /// Makes a folder.
    pub(super) fn folder(&mut self, name: &EntryName) -> Result<(), ArchiveError> {
        match self.nodes.get_mut(&name.path) {
            Some(node @ Node::Implied) => {
                *node = Node::Folder;
                return Ok(());
            }
            Some(Node::Folder) => return Err(refuse(name, "two entries have this name")),
            Some(Node::File) => return Err(refuse(name, "both a file and a folder")),
            None => {}
        }
        self.folders_above(name)?;
        self.insert(&name.path, Node::Folder, name)?;
        make_folder(&self.root.join(&name.path))
    }

    /// Writes a file of `size` bytes, as its header says.
    pub(super) fn file(
        &mut self,
        name: &EntryName,
        executable: bool,
        size: u64,
        contents: &mut dyn Read,
    ) -> Result<(), ArchiveError> {
        match self.nodes.get(&name.path) {
            Some(Node::File) => return Err(refuse(name, "two entries have this name")),
            Some(Node::Folder | Node::Implied) => return Err(refuse(name, "both a file and a folder")),
            None => {}
        }
        if size > self.limits.unpacked.saturating_sub(self.written) {
            return Err(self.too_large(name));
        }
        self.folders_above(name)?;
        self.insert(&name.path, Node::File, name)?;
        let path = self.root.join(&name.path);
        let unwritable = |e| ArchiveError::host(format!("cannot write {}", path.display()), e);
        let mut file = OpenOptions::new().write(true).create_new(true).open(&path).map_err(unwritable)?;
        let copied = self.copy(contents, &mut file, name)?;
        if copied != size {
            return Err(refuse(name, format!("{copied} bytes, but its header says {size}; is the archive damaged?")));
        }
        let mode = if executable { PROGRAM_MODE } else { FILE_MODE };
        // Set, not only asked for: the mask of this process may take rights away.
        file.set_permissions(Permissions::from_mode(mode)).map_err(unwritable)?;
        self.files += 1;
        Ok(())
    }

    /// Keeps what was unpacked.
    pub(super) fn finish(mut self) -> Result<(), ArchiveError> {
        if self.files == 0 {
            return Err(ArchiveError::refused("no file in it"));
        }
        self.finished = true;
        Ok(())
    }

    /// Copies until the end, whatever the header says, but never more than is allowed.
    fn copy(&mut self, from: &mut dyn Read, to: &mut File, name: &EntryName) -> Result<u64, ArchiveError> {
        let mut buffer = [0; 16 << 10];
        let mut copied = 0;
        loop {
            let count = match from.read(&mut buffer) {
                Ok(0) => return Ok(copied),
                Ok(count) => count,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(ArchiveError::unreadable(format!("cannot read entry {}", quoted(name)), e)),
            };
            copied += count as u64;
            self.written += count as u64;
            if self.written > self.limits.unpacked {
                return Err(self.too_large(name));
            }
            let unwritable = |e| ArchiveError::host(format!("cannot write {}", quoted(name)), e);
            to.write_all(&buffer[..count]).map_err(unwritable)?;
        }
    }

    /// Makes the folders that a name needs.
    fn folders_above(&mut self, name: &EntryName) -> Result<(), ArchiveError> {
        for (end, _) in name.path.match_indices('/') {
            let above = &name.path[..end];
            match self.nodes.get(above) {
                Some(Node::Folder | Node::Implied) => {}
                Some(Node::File) => {
                    return Err(refuse(name, format!("{} is a file, not a folder", agon_rules::quote(above))));
                }
                None => {
                    self.insert(above, Node::Implied, name)?;
                    make_folder(&self.root.join(above))?;
                }
            }
        }
        Ok(())
    }

    fn insert(&mut self, path: &str, node: Node, name: &EntryName) -> Result<(), ArchiveError> {
        // The folder itself is one of the nodes, but nobody would count it.
        if self.nodes.len() > self.limits.files {
            let most = self.limits.files;
            return Err(refuse(name, format!("more than {most} files and folders; pack only what the bot needs")));
        }
        self.nodes.insert(path.to_owned(), node);
        Ok(())
    }

    fn too_large(&self, name: &EntryName) -> ArchiveError {
        let most = self.limits.unpacked;
        refuse(
            name,
            format!("with it the archive unpacks to more than {most} bytes, which is the most that is allowed"),
        )
    }
}

impl Drop for Tree<'_> {
    fn drop(&mut self) {
        if !self.finished {
            let _ = fs::remove_dir_all(self.root);
        }
    }
}

fn refuse(name: &EntryName, reason: impl std::fmt::Display) -> ArchiveError {
    ArchiveError::entry(name.path.as_bytes(), reason)
}

fn quoted(name: &EntryName) -> String {
    agon_rules::quote(&name.path)
}

fn make_folder(path: &Path) -> Result<(), ArchiveError> {
    let made = fs::create_dir(path).and_then(|()| fs::set_permissions(path, Permissions::from_mode(FOLDER_MODE)));
    made.map_err(|e| ArchiveError::host(format!("cannot make the folder {}", path.display()), e))
}
