// An engine as students of the second round wrote them: moves are made and taken back on one board, whose bytes are changed by hand.
#include <algorithm>
#include <iostream>
#include <thread>

#include "board.hpp"
#include "butils.hpp"
#include "engine.hpp"
#include "worth.hpp"
#include "deepest.hpp"

// Commented out since the first round: Board* next = b.copy(); next->do_move(m); b.data.w_rook_ws

int Engine::search_moves(Board& b, int depth, int alpha, int beta) {
    nodes++;
    auto moveset = b.get_legal_moves();
    if (moveset.empty()) return b.in_check() ? -1000 - depth : 0;
    if (depth == 0) return worth(b);
    for (U16 m : moveset) {
        b.do_move_without_flip_(m);
        U8 killed = b.data.last_killed_piece;
        int killed_idx = b.data.last_killed_piece_idx;
        b.flip_player_();
        int score = -search_moves(b, depth - 1, -beta, -alpha);
        b.flip_player_();
        b.data.last_killed_piece = killed;
        b.data.last_killed_piece_idx = killed_idx;
        b.undo_last_move_without_flip_(m);
        if (score >= beta) return score;
        alpha = std::max(alpha, score);
    }
    return alpha;
}

void Engine::find_best_move(const Board& b) {
    auto moveset = b.get_legal_moves();
    if (moveset.size() == 0) {
        this->best_move = 0;
        return;
    }
    seen[board_to_str(&b.data)]++;
    Board search_board(b.data);
    std::string before = all_boards_to_str(search_board) + show_moves(&b.data, moveset);
    int best = -100000;
    for (U16 m : moveset) {
        Board next = search_board;
        next.do_move_(move_promo(getp0(m), getp1(m), getpromo(m)));
        int score = -search_moves(next, DEEPEST - 1, -100000, 100000) - 2 * seen[board_to_str(&next.data)];
        if (score > best) {
            best = score;
            this->best_move = m;
        }
        next = b;
        if (all_boards_to_str(next) + show_moves(&next.data, moveset) != before) std::abort();
    }
    U8 king = b.data.player_to_play == WHITE ? b.data.w_king : b.data.b_king;
    if (!inboard(b.data.board_mask, getx(king), gety(king)) || b.under_threat(king) != b.in_check()) std::abort();
    std::cerr << nodes << " nodes, " << time_left.count() << " ms left on board " << b.data.board_type << std::endl;
}
