//! One node of the tree.

use super::{
    Searcher, draws,
    ordering::{MoveList, NOISY, TABLE_MOVE},
    pruning,
};
use crate::{
    Bound, Entry, Searchable,
    objective::TurnsMade,
    score::{DECIDED, INFINITE, MOST_ESTIMATE, MOST_PLIES, from_table, is_decided, loss_in, to_table, win_in},
};

/// What is asked of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// Plies to go.
    pub(super) depth: i32,
    /// Plies from the root.
    pub(super) ply: usize,
    pub(super) made: TurnsMade,
    /// The code of a move that is not tried, because a singular search asks what the others are worth; else 0.
    pub(super) excluded: u16,
}

/// What is known of a node before its moves are tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) entry: Option<Entry>,
    /// The static estimate.
    pub(super) estimate: i32,
    /// Whether it is better than two moves ago.
    pub(super) improving: bool,
    pub(super) threatened: bool,
    /// The score of a clear advantage in this game.
    pub(super) unit: i32,
}

/// What the moves of a node have come to.
struct Tried<M> {
    best: i32,
    best_move: Option<M>,
    count: usize,
    /// Where the quiet moves of this node begin among those of the whole line.
    first_quiet: usize,
}

/// How a move is searched.
struct Step<M> {
    m: M,
    /// How many moves were searched before it.
    number: usize,
    quiet: bool,
    /// Plies that a late move is searched less deeply at first.
    reduction: i32,
    extension: i32,
}

impl<P: Searchable> Searcher<P> {
    /// The value of a position for the side to move. `PV` nodes have an open window.
    pub(super) fn node<const PV: bool>(&mut self, position: &P, mut node: Node) -> i32 {
        if node.depth <= 0 {
            return self.quiesce(position, Node { depth: 0, ..node });
        }
        if node.ply + 1 >= MOST_PLIES {
            return self.score_if_over(position, &node).unwrap_or_else(|| self.evaluate(position));
        }
        if node.ply > 0 {
            if let Some(score) = self.score_if_adjudicated(position, &node) {
                return score;
            }
            if draws::repeats(position.history_key(), self.tree.path(), &self.parameters) {
                return self.score_of_draw(position);
            }
            // **Mate distance pruning**: no line from here is better than winning at once or worse than losing at once.
            (node.alpha, node.beta) = (node.alpha.max(loss_in(node.ply)), node.beta.min(win_in(node.ply)));
            if node.alpha >= node.beta {
                return node.alpha;
            }
        }
        let entry = self.probe(position, &node);
        if !PV && let Some(score) = entry.and_then(|entry| self.table_cut(&entry, &node)) {
            return score;
        }
        if node.ply > 0
            && let Some(score) = self.score_of_forced_end(position, node.ply)
        {
            return score;
        }
        // Many nodes end below without their moves: whether there are any is asked first, since that costs less than all of them.
        let mut list = self.tree.take_list();
        if let Some(outcome) = position.over(&mut list.moves) {
            self.tree.give_list(list);
            return self.score_of_outcome(position, outcome, &node);
        }
        let known = self.static_eval(position, entry, node.ply);
        node.depth -= self.internal_reduction(entry, &node);
        if !PV && node.excluded == 0 && !known.threatened && pruning::reverse_futility(&node, &known, &self.parameters)
        {
            self.tree.give_list(list);
            return known.estimate;
        }
        list.moves.clear();
        self.list_moves(position, &mut list.moves, node.ply);
        self.try_moves::<PV>(position, node, &known, list)
    }

    #[inline]
    fn probe(&self, position: &P, node: &Node) -> Option<Entry> {
        let asks = self.parameters.table != 0 && node.excluded == 0;
        if asks { self.knowledge.table.probe(self.table_key(position)) } else { None }
    }

    /// **Table cut**: the position was searched deeply enough before.
    #[inline]
    fn table_cut(&self, entry: &Entry, node: &Node) -> Option<i32> {
        let exact = self.parameters.exact_depth != 0;
        let deep_enough = if exact { entry.depth == node.depth } else { entry.depth >= node.depth };
        let score = from_table(entry.score, node.ply);
        let cuts = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score >= node.beta,
            Bound::Upper => score <= node.alpha,
        };
        (deep_enough && cuts).then_some(score)
    }

    #[inline]
    fn static_eval(&mut self, position: &P, entry: Option<Entry>, ply: usize) -> Known {
        let estimate = match entry {
            Some(entry) => entry.estimate,
            None => self.evaluate(position).clamp(-MOST_ESTIMATE, MOST_ESTIMATE),
        };
        let improving = self.tree.improves(ply, estimate);
        let threatened = self.parameters.threat_extension != 0 && self.is_threatened(position, ply);
        Known { entry, estimate, improving, threatened, unit: P::UNIT }
    }

    /// **Internal reduction**: where the table knows no move the ordering is poor, and a shallower search will do for now.
    /// Worth from −11 ± 23 to +26 ± 23.
    #[inline]
    fn internal_reduction(&self, entry: Option<Entry>, node: &Node) -> i32 {
        let unknown = entry.is_none_or(|entry| entry.code == 0);
        i32::from(self.parameters.no_move_reduction != 0 && node.depth >= 4 && unknown && node.excluded == 0)
    }

    /// The moves that are worth a thought.
    fn list_moves(&self, position: &P, moves: &mut Vec<P::Move>, ply: usize) {
        let ended = position.generate(moves);
        debug_assert!(ended.is_none(), "a game is over for both, or for none: {ended:?}");
        if ply == 0
            && let Some(only) = self.root.only
        {
            moves.retain(|&m| m == only);
        } else if self.uses_foresight() && (ply > 0 || self.root.wanted_lines == 1) {
            // Where several lines are wanted, all moves of the root are.
            position.drop_losing_moves(moves);
            if ply == 0 && !self.root.losing.is_empty() {
                moves.retain(|m| !self.root.losing.contains(m));
            }
        }
    }

    fn try_moves<const PV: bool>(
        &mut self,
        position: &P,
        mut node: Node,
        known: &Known,
        mut list: MoveList<P::Move>,
    ) -> i32 {
        let asked = node;
        self.rank(position, &mut list, known, node.ply);
        let mut tried = Tried { best: -INFINITE, best_move: None, count: 0, first_quiet: self.tree.quiets_tried() };
        let singular = self.singular_extension(position, &node, known);
        for at in 0..list.len() {
            let (m, rank) = list.pick(at);
            let code = P::code(m);
            if (node.excluded != 0 && code == node.excluded) || (node.ply == 0 && self.root.excluded.contains(&m)) {
                continue;
            }
            let quiet = rank < NOISY;
            let reduction = self.reductions.of(node.depth, tried.count + 1) - i32::from(PV)
                + pruning::history_reduction(rank, &self.parameters);
            // Ranks fall, and with a lower one a quiet move is never worth more: what comes after it would be skipped too.
            if !PV && quiet && self.skips(&node, known, &tried, reduction) {
                break;
            }
            let extension = if rank == TABLE_MOVE { singular } else { 0 };
            let score =
                self.try_move::<PV>(position, &node, &Step { m, number: tried.count, quiet, reduction, extension });
            if self.timer.stopped {
                // What was found before the stop still counts at the root: its first move is the best of the last depth.
                break;
            }
            tried.count += 1;
            if score > tried.best {
                tried.best = score;
                if score > node.alpha {
                    node.alpha = score;
                    tried.best_move = Some(m);
                    self.tree.update_pv(node.ply, m);
                }
                if score >= node.beta {
                    break;
                }
            }
            if quiet {
                self.tree.add_quiet(code);
            }
        }
        self.tree.give_list(list);
        let value = self.conclude(position, &asked, known, &tried);
        self.tree.forget_quiets_from(tried.first_quiet);
        value
    }

    /// Whether a quiet move is not worth trying. The first move always is, and so is any while a loss is all that was found.
    #[inline]
    fn skips(&self, node: &Node, known: &Known, tried: &Tried<P::Move>, reduction: i32) -> bool {
        if tried.count == 0 || known.threatened || tried.best <= -DECIDED {
            return false;
        }
        let reduced = (node.depth - 1 - reduction).max(0);
        pruning::late_move(node, known, tried.count, &self.parameters)
            || pruning::futility(node, known, reduced, &self.parameters)
    }

    /// **Singular extension**: if all other moves are much worse than the table's, it is searched deeper. Worth +26 ± 21
    /// and +42 ± 23 in two games; off in the others.
    #[inline]
    fn singular_extension(&mut self, position: &P, node: &Node, known: &Known) -> i32 {
        let Some(entry) = known.entry else { return 0 };
        let fit = self.parameters.singular != 0
            && node.ply > 0
            && node.excluded == 0
            && node.depth >= self.parameters.singular_depth
            && entry.code != 0
            && entry.depth >= node.depth - 3
            && entry.bound != Bound::Upper
            && !is_decided(entry.score);
        if !fit {
            return 0;
        }
        let threshold = entry.score - node.depth * P::UNIT / 50;
        let (alpha, beta, depth) = (threshold - 1, threshold, (node.depth - 1) / 2);
        self.tree.put_pv_aside(node.ply);
        let score = self.node::<false>(position, Node { alpha, beta, depth, excluded: entry.code, ..*node });
        self.tree.take_pv_back(node.ply);
        i32::from(!self.timer.stopped && score < threshold)
    }

    /// Searches one move: first to see whether it is better than the best so far, and fully only if it is.
    fn try_move<const PV: bool>(&mut self, position: &P, node: &Node, step: &Step<P::Move>) -> i32 {
        let next = self.enter(position, step.m, node.ply);
        let same_side = next.turn() == position.turn();
        let made = node.made.after(position.turn(), next.turn());
        let mut depth = node.depth - 1 + step.extension;
        // Beyond the last full ply nobody asks the table.
        if depth > 0 {
            self.knowledge.table.prefetch(self.table_key(&next));
        }
        depth += self.threat_extension(&next, node.ply + 1);
        let ask = |this: &mut Self, open: bool, alpha: i32, beta: i32, depth: i32| {
            let (low, high) = if same_side { (alpha, beta) } else { (-beta, -alpha) };
            let below = Node { alpha: low, beta: high, depth, ply: node.ply + 1, made, excluded: 0 };
            let value = if open { this.node::<true>(&next, below) } else { this.node::<false>(&next, below) };
            if same_side { value } else { -value }
        };
        let Node { alpha, beta, .. } = *node;
        let score = if step.number == 0 {
            ask(self, PV, alpha, beta, depth)
        } else {
            let reduces = self.reduces(node, step);
            let reduced = if reduces { (depth - step.reduction).clamp(1, depth.max(1)) } else { depth };
            let mut score = ask(self, false, alpha, alpha + 1, reduced);
            if score > alpha && reduced < depth && !self.timer.stopped {
                score = ask(self, false, alpha, alpha + 1, depth);
            }
            if PV && score > alpha && score < beta && !self.timer.stopped {
                score = ask(self, true, alpha, beta, depth);
            }
            score
        };
        self.tree.leave();
        score
    }

    /// **Threat extension**: an answer is forced, so the line is cheap to follow; only so far, lest it never end. Worth
    /// +31 ± 16 and +47 ± 19 in two games; in others it does harm, up to −100 ± 22, and is off.
    #[inline]
    fn threat_extension(&mut self, next: &P, ply: usize) -> i32 {
        let may = self.parameters.threat_extension != 0 && (ply as i32) <= 2 * self.root.depth;
        i32::from(may && self.is_threatened(next, ply))
    }

    /// **Late-move reductions**: whether a move is first searched less deeply.
    #[inline]
    fn reduces(&self, node: &Node, step: &Step<P::Move>) -> bool {
        self.parameters.reductions != 0 && step.quiet && node.depth >= 3 && step.number >= 2
    }

    /// The value of a node whose moves were tried. What it came to is remembered.
    fn conclude(&mut self, position: &P, node: &Node, known: &Known, tried: &Tried<P::Move>) -> i32 {
        if self.timer.stopped {
            return tried.best.max(-INFINITE + 1);
        }
        if tried.count == 0 {
            // Everything was left out or skipped: nothing here reaches alpha.
            return node.alpha.min(known.estimate);
        }
        if tried.best >= node.beta
            && let Some(m) = tried.best_move.filter(|&m| position.gain(m) <= 0)
        {
            let (history, previous) = (&mut self.knowledge.history, self.tree.played(node.ply));
            let quiets = self.tree.quiets_from(tried.first_quiet);
            history.learn_cut(position.turn().index(), previous, P::code(m), quiets, node.depth);
            history.add_killer(node.ply, P::code(m));
        }
        let whole = node.excluded == 0 && (node.ply > 0 || self.root.looks_at_all());
        if self.parameters.table != 0 && whole {
            self.store(position, node, known, tried);
        }
        tried.best
    }

    fn store(&self, position: &P, node: &Node, known: &Known, tried: &Tried<P::Move>) {
        let bound = if tried.best >= node.beta {
            Bound::Lower
        } else if tried.best > node.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let (code, score) = (tried.best_move.map_or(0, P::code), to_table(tried.best, node.ply));
        let entry = Entry { code, score, estimate: known.estimate, depth: node.depth, bound };
        self.knowledge.table.store(self.table_key(position), entry);
    }
}
