//! What is in memory of the tree: the line from the root to the node that is looked at, ply by ply.

use super::ordering::MoveList;
use crate::score::MOST_PLIES;

/// What belongs to one ply of the line.
struct Frame<M> {
    /// The code of the move that led here; 0 at the root.
    played: u16,
    /// The static estimate.
    estimate: i32,
    /// Whether the side to move is threatened, once somebody has asked.
    threatened: Option<bool>,
    /// The principal variation from here.
    pv: Vec<M>,
    /// The same while a singular search of this ply makes another one.
    pv_aside: Vec<M>,
}

/// The line that is looked at, and the buffers of its nodes.
pub(super) struct Tree<M> {
    frames: Vec<Frame<M>>,
    /// Keys of the game so far and of the line.
    path: Vec<u64>,
    /// Codes of the quiet moves that were tried so far at each ply, one ply after the other.
    quiets: Vec<u16>,
    /// Lists that no node uses at the moment.
    spare: Vec<MoveList<M>>,
    /// The deepest ply that was entered.
    pub(super) deepest: usize,
}

impl<M: Copy> Tree<M> {
    pub(super) fn new() -> Tree<M> {
        let frame = || Frame { played: 0, estimate: 0, threatened: None, pv: Vec::new(), pv_aside: Vec::new() };
        Tree {
            frames: (0..MOST_PLIES + 2).map(|_| frame()).collect(),
            path: Vec::new(),
            quiets: Vec::new(),
            spare: Vec::new(),
            deepest: 0,
        }
    }

    /// A search begins; `history` are the keys of the game so far.
    pub(super) fn begin(&mut self, history: &[u64]) {
        self.path.clear();
        self.path.extend_from_slice(history);
        self.quiets.clear();
        self.frames[0].threatened = None;
        self.deepest = 0;
    }

    /// One ply deeper, by a move with this code, from a position with this key.
    #[inline]
    pub(super) fn enter(&mut self, ply: usize, code: u16, key: u64) {
        let frame = &mut self.frames[ply + 1];
        frame.played = code;
        frame.threatened = None;
        frame.pv.clear();
        self.path.push(key);
        self.deepest = self.deepest.max(ply + 1);
    }

    /// Back to the ply before.
    #[inline]
    pub(super) fn leave(&mut self) {
        self.path.pop();
    }

    #[inline]
    pub(super) fn path(&self) -> &[u64] {
        &self.path
    }

    #[inline]
    pub(super) fn played(&self, ply: usize) -> u16 {
        self.frames[ply].played
    }

    /// Keeps the static estimate of a ply, and says whether it is better than two moves ago.
    #[inline]
    pub(super) fn improves(&mut self, ply: usize, estimate: i32) -> bool {
        self.frames[ply].estimate = estimate;
        ply >= 2 && estimate > self.frames[ply - 2].estimate
    }

    /// Whether the side to move is threatened: asked before a move is searched and again in every search of it, answered once.
    #[inline]
    pub(super) fn is_threatened(&mut self, ply: usize, look: impl FnOnce() -> bool) -> bool {
        *self.frames[ply].threatened.get_or_insert_with(look)
    }

    pub(super) fn pv(&self) -> &[M] {
        &self.frames[0].pv
    }

    pub(super) fn clear_pv(&mut self) {
        self.frames[0].pv.clear();
    }

    /// A move became the best one at `ply`: the principal variation is it and what followed.
    #[inline]
    pub(super) fn update_pv(&mut self, ply: usize, m: M) {
        let (upper, lower) = self.frames.split_at_mut(ply + 1);
        let pv = &mut upper[ply].pv;
        pv.clear();
        pv.push(m);
        pv.extend_from_slice(&lower[0].pv);
    }

    /// A singular search begins at `ply`, within the search of that ply.
    pub(super) fn put_pv_aside(&mut self, ply: usize) {
        let frame = &mut self.frames[ply];
        std::mem::swap(&mut frame.pv, &mut frame.pv_aside);
        frame.pv.clear();
    }

    pub(super) fn take_pv_back(&mut self, ply: usize) {
        let frame = &mut self.frames[ply];
        std::mem::swap(&mut frame.pv, &mut frame.pv_aside);
    }

    /// An empty list of moves. It is given back, so that a search soon allocates nothing.
    #[inline]
    pub(super) fn take_list(&mut self) -> MoveList<M> {
        self.spare.pop().unwrap_or_default()
    }

    #[inline]
    pub(super) fn give_list(&mut self, mut list: MoveList<M>) {
        list.clear();
        self.spare.push(list);
    }

    /// How many quiet moves were tried so far on the whole line.
    #[inline]
    pub(super) fn quiets_tried(&self) -> usize {
        self.quiets.len()
    }

    #[inline]
    pub(super) fn add_quiet(&mut self, code: u16) {
        self.quiets.push(code);
    }

    /// The quiet moves that were tried at a ply, which begin at `first`.
    #[inline]
    pub(super) fn quiets_from(&self, first: usize) -> &[u16] {
        &self.quiets[first..]
    }

    #[inline]
    pub(super) fn forget_quiets_from(&mut self, first: usize) {
        self.quiets.truncate(first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_singular_search_leaves_the_line_and_its_buffer_alone() {
        let mut tree = Tree::new();
        tree.enter(0, 7, 1);
        tree.enter(1, 8, 2);
        tree.update_pv(1, 'a');
        tree.put_pv_aside(1);
        tree.update_pv(1, 'b');
        tree.take_pv_back(1);
        tree.update_pv(0, 'c');
        assert_eq!(tree.pv(), ['c', 'a']);
        assert_eq!(tree.frames[1].pv_aside, ['b'], "kept for the next time");
    }

    #[test]
    fn lists_are_kept_for_the_next_node() {
        let mut tree: Tree<u8> = Tree::new();
        let (mut outer, mut inner) = (tree.take_list(), tree.take_list());
        outer.moves.extend(0..9);
        inner.moves.extend(0..99);
        tree.give_list(inner);
        tree.give_list(outer);
        assert_eq!(tree.spare.len(), 2);
        let again = [tree.take_list(), tree.take_list()];
        assert!(again.iter().all(|list| list.moves.is_empty() && list.moves.capacity() >= 9));
    }
}
