// The board of the second round, as engines of the course know it.
#pragma once

#include "../common/pool.hpp"

#include "bdata.hpp"
#include "constants.hpp"

struct Board : agon::Pooled<Board> {
    BoardData data;

    // The start position of the small board.
    Board();
    Board(BoardType btype);
    Board(BoardData bdata);
    Board(const Board& source) = default;
    Board& operator=(const Board& source) = default;

    std::unordered_set<U16> get_legal_moves() const;
    // Whether the side to move is in check.
    bool in_check() const;
    // Plays any move, legal or not.
    void do_move_(U16 move);

    // Moves for which kings do not matter: of the side to move, of one man, of one side.
    std::unordered_set<U16> get_pseudolegal_moves() const;
    std::unordered_set<U16> get_pseudolegal_moves_for_piece(U8 piece_pos) const;
    std::unordered_set<U16> get_pseudolegal_moves_for_side(U8 side) const;

    void flip_player_();
    void do_move_without_flip_(U16 move);
    // Takes back the last move. Only one capture is remembered: to take back more, keep `last_killed_piece` and
    // `last_killed_piece_idx` and put them back before each call.
    void undo_last_move_without_flip_(U16 move);

    // Whether the opponent of the side to move could go there.
    bool under_threat(U8 piece_pos) const;
};
