//! One node of the tree.

use crate::{
    Bound, Entry, Searchable,
    order::{bonus, pick},
    prune::{self, Situation},
    score::{INFINITE, MOST_ESTIMATE, MOST_PLIES, from_table, is_decided, loss_in, to_table, win_in},
    searcher::{Searcher, Standing},
};

/// Ranks that put kinds of moves in order; within a kind the rest decides.
const TABLE_MOVE: i32 = 1 << 30;
const NOISY: i32 = 1 << 24;
const KILLER: i32 = 1 << 20;
const COUNTER: i32 = 1 << 19;

/// What is known of a node before its moves are tried.
struct Known {
    entry: Option<Entry>,
    at: Situation,
    threatened: bool,
    /// The code of the move that is left out here, because a singular search asks what the others are worth.
    left_out: u16,
}

/// What the moves of a node have come to.
struct Tally<M> {
    best: i32,
    best_move: Option<M>,
    tried: usize,
    /// Where the quiet moves that were tried here begin among those of the whole line.
    first_quiet: usize,
}

impl<P: Searchable> Searcher<P> {
    /// The value of a position for the side to move. `PV` nodes have an open window. `left_out` is the code of a move that is not
    /// looked at, or 0.
    #[allow(clippy::too_many_arguments, reason = "what a node is asked: nothing of it can be left out")]
    pub(crate) fn node<const PV: bool>(
        &mut self,
        position: &P,
        mut alpha: i32,
        mut beta: i32,
        depth: i32,
        ply: usize,
        standing: Standing,
        left_out: u16,
    ) -> i32 {
        if depth <= 0 {
            return self.quiesce(position, alpha, beta, ply, 0, standing);
        }
        if ply + 1 >= MOST_PLIES {
            return self.settled(position, ply, standing).unwrap_or_else(|| self.estimate(position));
        }
        if ply > 0 {
            if let Some(score) = self.adjudicated(position, ply, standing) {
                return score;
            }
            if prune::repeats(position.history_key(), self.history(), &self.parameters) {
                return self.score_of_draw(position);
            }
            // No line from here is better than one that is already known: winning at once, or losing at once.
            (alpha, beta) = (alpha.max(loss_in(ply)), beta.min(win_in(ply)));
            if alpha >= beta {
                return alpha;
            }
        }
        let entry = self.recall(position, left_out);
        if !PV && let Some(score) = entry.and_then(|entry| self.cut_by_table(&entry, alpha, beta, depth, ply)) {
            return score;
        }
        if ply > 0
            && let Some(score) = self.foreseen(position, ply)
        {
            return score;
        }
        // Many nodes end below without their moves: whether there are any is asked first, since that costs less than all of them.
        let (mut moves, ranks) = self.take_buffers(ply);
        if let Some(outcome) = position.over(&mut moves) {
            self.give_buffers(ply, moves, ranks);
            return self.score_of(position, outcome, ply, standing);
        }
        let known = self.look(position, entry, alpha, beta, depth, ply, left_out);
        if !PV && left_out == 0 && !known.threatened && prune::stands_too_high(&known.at, &self.parameters) {
            self.give_buffers(ply, moves, ranks);
            return known.at.estimate;
        }
        moves.clear();
        let ended = position.generate(&mut moves);
        debug_assert!(ended.is_none(), "a game is over for both, or for none: {ended:?}");
        // Where several lines are wanted, all moves of the root are.
        if ply == 0
            && let Some(only) = self.only
        {
            moves.retain(|&m| m == only);
        } else if self.sees_ahead() && (ply > 0 || self.wanted_lines == 1) {
            position.drop_losing_moves(&mut moves);
            if ply == 0 && !self.proven_losses.is_empty() {
                moves.retain(|m| !self.proven_losses.contains(m));
            }
        }
        self.try_moves::<PV>(position, known, moves, ranks, ply, standing)
    }

    fn recall(&self, position: &P, left_out: u16) -> Option<Entry> {
        if self.parameters.table == 0 || left_out != 0 { None } else { self.table.probe(self.table_key(position)) }
    }

    /// **Table cut**: the position was searched deeply enough before.
    fn cut_by_table(&self, entry: &Entry, alpha: i32, beta: i32, depth: i32, ply: usize) -> Option<i32> {
        let deep_enough = if self.parameters.exact_depth != 0 { entry.depth == depth } else { entry.depth >= depth };
        let score = from_table(entry.score, ply);
        let cuts = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        (deep_enough && cuts).then_some(score)
    }

    #[allow(clippy::too_many_arguments, reason = "gathers what a node was asked")]
    fn look(
        &mut self,
        position: &P,
        entry: Option<Entry>,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        left_out: u16,
    ) -> Known {
        let estimate = match entry {
            Some(entry) => entry.estimate,
            None => self.estimate(position).clamp(-MOST_ESTIMATE, MOST_ESTIMATE),
        };
        self.estimates[ply] = estimate;
        let improving = ply >= 2 && estimate > self.estimates[ply - 2];
        // **Internal reduction**: where the table knows no move the ordering is poor, and a shallower search will do for now.
        // Worth from −11 ± 23 to +26 ± 23.
        let unknown = self.parameters.no_move_reduction != 0 && depth >= 4 && entry.is_none_or(|entry| entry.code == 0);
        let depth = if unknown && left_out == 0 { depth - 1 } else { depth };
        let at = Situation { depth, alpha, beta, estimate, improving, unit: P::UNIT };
        let threatened = self.parameters.threat_extension != 0 && self.is_threatened(position, ply);
        Known { entry, at, threatened, left_out }
    }

    fn rank(&mut self, position: &P, moves: &[P::Move], ranks: &mut Vec<i32>, known: &Known, ply: usize) {
        let side = position.turn().index();
        let before = self.played[ply];
        let table_code = known.entry.map_or(0, |entry| entry.code);
        let killers = if self.parameters.killers != 0 { *self.killers(ply) } else { [0; 2] };
        let counter = if before != 0 && self.parameters.killers != 0 { self.memory.counter(side, before) } else { 0 };
        let habits = self.memory.habits(side, before, &self.parameters);
        ranks.extend(moves.iter().map(|&m| {
            let code = P::code(m);
            let gain = position.gain(m);
            if code == table_code && table_code != 0 {
                return TABLE_MOVE;
            }
            if gain > 0 {
                return NOISY + gain;
            }
            let mut rank = gain + habits.of(code);
            if code == killers[0] {
                rank += KILLER + 1;
            } else if code == killers[1] {
                rank += KILLER;
            } else if code == counter {
                rank += COUNTER;
            }
            rank
        }));
    }

    fn try_moves<const PV: bool>(
        &mut self,
        position: &P,
        known: Known,
        mut moves: Vec<P::Move>,
        mut ranks: Vec<i32>,
        ply: usize,
        standing: Standing,
    ) -> i32 {
        self.rank(position, &moves, &mut ranks, &known, ply);
        let mut at = known.at;
        let entry_alpha = at.alpha;
        let mut tally = Tally { best: -INFINITE, best_move: None, tried: 0, first_quiet: self.quiet_tried.len() };
        let extension = self.extension_of_table_move(position, &known, ply, standing);
        for index in 0..moves.len() {
            pick(&mut moves, &mut ranks, index);
            let m = moves[index];
            let code = P::code(m);
            if (known.left_out != 0 && code == known.left_out) || (ply == 0 && self.left_out.contains(&m)) {
                continue;
            }
            let quiet = ranks[index] < NOISY;
            let reduction = self.reductions.of(at.depth, tally.tried + 1) - i32::from(PV)
                + prune::correction_by_history(ranks[index], &self.parameters);
            // Ranks fall, and with a lower one a quiet move is never worth more: what comes after it would be skipped too.
            if !PV && quiet && self.skips(&at, &known, &tally, reduction) {
                break;
            }
            let extension = if ranks[index] == TABLE_MOVE { extension } else { 0 };
            let score = self.one_move::<PV>(position, m, &at, quiet, reduction, extension, tally.tried, ply, standing);
            if self.stopped {
                // What was found before the stop still counts at the root: its first move is the best of the last depth.
                break;
            }
            tally.tried += 1;
            if score > tally.best {
                tally.best = score;
                if score > at.alpha {
                    at.alpha = score;
                    tally.best_move = Some(m);
                    self.keep_line(ply, m);
                }
                if score >= at.beta {
                    break;
                }
            }
            if quiet {
                self.quiet_tried.push(code);
            }
        }
        self.give_buffers(ply, moves, ranks);
        let value = if self.stopped {
            tally.best.max(-INFINITE + 1)
        } else if tally.tried == 0 {
            // Everything was left out or skipped: nothing here reaches alpha.
            at.alpha.min(at.estimate)
        } else {
            self.conclude(position, &known, entry_alpha, &tally, ply);
            tally.best
        };
        self.quiet_tried.truncate(tally.first_quiet);
        value
    }

    /// Whether a quiet move is not worth trying. The first move always is, and so is any while a loss is all that was found.
    fn skips(&self, at: &Situation, known: &Known, tally: &Tally<P::Move>, reduction: i32) -> bool {
        if tally.tried == 0 || known.threatened || tally.best <= -crate::score::DECIDED {
            return false;
        }
        let reduced = (at.depth - 1 - reduction).max(0);
        prune::enough_quiet_moves(at, tally.tried, &self.parameters)
            || prune::too_far_below(at, reduced, &self.parameters)
    }

    /// **Singular extension**: if all other moves are much worse than the table's, it is searched deeper. Worth +26 ± 21
    /// and +42 ± 23 in two games; off in the others.
    fn extension_of_table_move(&mut self, position: &P, known: &Known, ply: usize, standing: Standing) -> i32 {
        let at = known.at;
        let Some(entry) = known.entry else { return 0 };
        let fit = self.parameters.singular != 0
            && ply > 0
            && known.left_out == 0
            && at.depth >= self.parameters.singular_depth
            && entry.code != 0
            && entry.depth >= at.depth - 3
            && entry.bound != Bound::Upper
            && !is_decided(entry.score);
        if !fit {
            return 0;
        }
        let threshold = entry.score - at.depth * P::UNIT / 50;
        let (moves, ranks) = self.take_buffers_for_inner_search(ply);
        let line = self.take_line(ply);
        let score =
            self.node::<false>(position, threshold - 1, threshold, (at.depth - 1) / 2, ply, standing, entry.code);
        self.give_line(ply, line);
        self.give_buffers(ply, moves, ranks);
        i32::from(!self.stopped && score < threshold)
    }

    /// Searches one move: first to see whether it is better than the best so far, and fully only if it is.
    #[allow(clippy::too_many_arguments, reason = "what decides how deep a move is searched")]
    fn one_move<const PV: bool>(
        &mut self,
        position: &P,
        m: P::Move,
        at: &Situation,
        quiet: bool,
        reduction: i32,
        extension: i32,
        tried: usize,
        ply: usize,
        standing: Standing,
    ) -> i32 {
        let next = self.enter(position, m, ply);
        let same_side = next.turn() == position.turn();
        let standing = standing.after(position.turn(), next.turn());
        let mut depth = at.depth - 1 + extension;
        // Beyond the last full ply nobody asks the table.
        if depth > 0 {
            self.table.prefetch(self.table_key(&next));
        }
        // **Threat extension**: an answer is forced, so the line is cheap to follow; only so far, lest it never end. Worth
        // +31 ± 16 and +47 ± 19 in two games; in others it does harm, up to −100 ± 22, and is off.
        let may_extend = self.parameters.threat_extension != 0 && (ply as i32) < 2 * self.root_depth;
        if may_extend && self.is_threatened(&next, ply + 1) {
            depth += 1;
        }
        let ask = |this: &mut Self, open: bool, alpha: i32, beta: i32, depth: i32| {
            let (low, high) = if same_side { (alpha, beta) } else { (-beta, -alpha) };
            let value = if open {
                this.node::<true>(&next, low, high, depth, ply + 1, standing, 0)
            } else {
                this.node::<false>(&next, low, high, depth, ply + 1, standing, 0)
            };
            if same_side { value } else { -value }
        };
        let score = if tried == 0 {
            ask(self, PV, at.alpha, at.beta, depth)
        } else {
            let reduced =
                if self.reduces(at, quiet, tried) { (depth - reduction).clamp(1, depth.max(1)) } else { depth };
            let mut score = ask(self, false, at.alpha, at.alpha + 1, reduced);
            if score > at.alpha && reduced < depth && !self.stopped {
                score = ask(self, false, at.alpha, at.alpha + 1, depth);
            }
            if PV && score > at.alpha && score < at.beta && !self.stopped {
                score = ask(self, true, at.alpha, at.beta, depth);
            }
            score
        };
        self.leave();
        score
    }

    /// **Late-move reductions**: whether a move is first searched less deeply.
    fn reduces(&self, at: &Situation, quiet: bool, tried: usize) -> bool {
        self.parameters.reductions != 0 && quiet && at.depth >= 3 && tried >= 2
    }

    /// Remembers what the node came to.
    fn conclude(&mut self, position: &P, known: &Known, entry_alpha: i32, tally: &Tally<P::Move>, ply: usize) {
        let at = known.at;
        let cut = tally.best >= at.beta;
        let code = tally.best_move.map_or(0, P::code);
        if cut && let Some(m) = tally.best_move.filter(|&m| position.gain(m) <= 0) {
            self.praise(position.turn().index(), P::code(m), tally.first_quiet, at.depth, ply);
        }
        if self.parameters.table == 0
            || known.left_out != 0
            || (ply == 0 && (!self.left_out.is_empty() || self.only.is_some()))
        {
            return;
        }
        let bound = if cut {
            Bound::Lower
        } else if tally.best > entry_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let score = to_table(tally.best, ply);
        self.table
            .store(self.table_key(position), Entry { code, score, estimate: at.estimate, depth: at.depth, bound });
    }

    /// A quiet move cut: it is tried earlier elsewhere, and those tried before it later.
    fn praise(&mut self, side: usize, code: u16, first_quiet: usize, depth: i32, ply: usize) {
        let before = self.played[ply];
        self.memory.learn(side, before, code, bonus(depth));
        for &other in self.quiet_tried[first_quiet..].iter().filter(|&&other| other != code) {
            self.memory.learn(side, before, other, -bonus(depth));
        }
        if before != 0 {
            self.memory.set_counter(side, before, code);
        }
        let killers = self.killers(ply);
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
    }
}
