// The board of the first round, as engines of the course know it.
#pragma once

#include "../common/pool.hpp"

#include "constants.hpp"

enum PlayerColor { WHITE = 64, BLACK = 32 };

enum PieceType { EMPTY = 0, PAWN = 2, ROOK = 4, KING = 8, BISHOP = 16 };

enum Promotion { PAWN_BISHOP = 0x40, PAWN_ROOK = 0x80 };

// Engines read the first twelve bytes as an array, so their order is part of the interface.
struct BoardData {
    U8 b_rook_ws = pos(2, 5);
    U8 b_rook_bs = pos(2, 6);
    U8 b_king = pos(3, 5);
    U8 b_bishop = pos(3, 6);
    U8 b_pawn_ws = pos(4, 5);
    U8 b_pawn_bs = pos(4, 6);

    U8 w_rook_ws = pos(4, 1);
    U8 w_rook_bs = pos(4, 0);
    U8 w_king = pos(3, 1);
    U8 w_bishop = pos(3, 0);
    U8 w_pawn_ws = pos(2, 1);
    U8 w_pawn_bs = pos(2, 0);

    // Colour and kind of the man on each square; then the same after each quarter turn.
    U8 board_0[64];
    U8 board_90[64];
    U8 board_180[64];
    U8 board_270[64];

    PlayerColor player_to_play = WHITE;
    // What the last move captured: its byte, and its place among the twelve (-1: nothing).
    U8 last_killed_piece = 0;
    int last_killed_piece_idx = -1;
};

struct Board : agon::Pooled<Board> {
    BoardData data;

    Board();

    std::unordered_set<U16> get_legal_moves() const;
    // Whether the side to move is in check.
    bool in_check() const;
    // The caller deletes it; of one that nobody deletes common/pool.hpp says what becomes.
    Board* copy() const;
    // Plays any move, legal or not.
    void do_move(U16 move);

    // Private in the course, whose engines were built with other headers too: some use them all the same.
    std::unordered_set<U16> _get_pseudolegal_moves() const;
    std::unordered_set<U16> _get_pseudolegal_moves_for_piece(U8 piece_pos) const;
    std::unordered_set<U16> _get_pseudolegal_moves_for_side(U8 color) const;
    void _flip_player();
    void _do_move(U16 move);
    void _undo_last_move(U16 move);
    bool _under_threat(U8 piece_pos) const;
};

std::string move_to_str(U16 move);
U16 str_to_move(std::string move);
// Rows from the top, each with a newline.
std::string board_to_str(const U8* b);
std::string all_boards_to_str(const Board& b);
char piece_to_char(U8 piece);
