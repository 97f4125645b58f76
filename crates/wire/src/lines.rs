//! Bytes from a pipe, taken line by line.

/// Bytes that have arrived and not been taken.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    bytes: Vec<u8>,
    /// Bytes before this one have been taken.
    taken: usize,
    /// Bytes before this one hold no line end.
    searched: usize,
}

impl Lines {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        // Taken bytes go once they are the greater part: a bot that never ends a line must not make us keep a match's worth.
        if self.taken > self.waiting() {
            self.bytes.drain(..self.taken);
            self.searched = self.searched.saturating_sub(self.taken);
            self.taken = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// The next complete line, without its end.
    pub(crate) fn next(&mut self) -> Option<Vec<u8>> {
        let from = self.searched.max(self.taken);
        let Some(end) = self.bytes[from..].iter().position(|&byte| byte == b'\n').map(|at| from + at) else {
            self.searched = self.bytes.len();
            return None;
        };
        let mut line = self.bytes[self.taken..end].to_vec();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        self.taken = end + 1;
        Some(line)
    }

    /// The next complete lines, which stay; at most `count`.
    pub(crate) fn peek(&self, count: usize) -> impl Iterator<Item = &[u8]> {
        let complete = self.bytes[self.taken..].split_inclusive(|&byte| byte == b'\n');
        complete.take_while(|line| line.ends_with(b"\n")).take(count).map(<[u8]>::trim_ascii_end)
    }

    /// How many bytes wait.
    pub(crate) fn waiting(&self) -> usize {
        self.bytes.len() - self.taken
    }

    /// What is left when no more can come: a last line without an end.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        let rest = self.bytes[self.taken..].to_vec();
        self.taken = self.bytes.len();
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_whole_however_they_arrive() {
        let mut lines = Lines::default();
        let mut found = Vec::new();
        for byte in b"one\r\ntwo\n\nthree" {
            lines.add(&[*byte]);
            found.extend(lines.next());
        }
        assert_eq!(found, [b"one".to_vec(), b"two".to_vec(), b"".to_vec()]);
        assert_eq!(lines.waiting(), 5);
        assert_eq!(lines.rest(), b"three");
        assert_eq!(lines.next(), None);
        lines.add(b"four\nfive\n");
        assert_eq!((lines.next(), lines.next(), lines.next()), (Some(b"four".to_vec()), Some(b"five".to_vec()), None));
    }

    #[test]
    fn taken_lines_are_not_kept() {
        let mut lines = Lines::default();
        lines.add(b"x");
        for _ in 0..1000 {
            lines.add(b"yyyyyyyyy\nx");
            assert_eq!(lines.next(), Some(b"xyyyyyyyyy".to_vec()));
            assert_eq!(lines.next(), None);
        }
        assert!(lines.bytes.len() < 40, "{} bytes are kept", lines.bytes.len());
    }
}
