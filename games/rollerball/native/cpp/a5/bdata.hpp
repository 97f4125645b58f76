// What is on the board, as engines of the second round know it.
#pragma once

#include "constants.hpp"

enum PlayerColor { WHITE = 64, BLACK = 128 };

enum PieceType { EMPTY = 0, PAWN = 2, ROOK = 4, KING = 8, BISHOP = 16, KNIGHT = 32 };

enum Promotion { PAWN_BISHOP = 0x40, PAWN_ROOK = 0x80 };

enum BoardType { SEVEN_THREE = 1, EIGHT_FOUR = 2, EIGHT_TWO = 3 };

// Engines read the first twenty bytes as an array, so their order is part of the interface. A pawn that has become something
// else keeps its place: only the boards say what it is.
struct BoardData {
    U8 w_rook_1 = DEAD;
    U8 w_rook_2 = DEAD;
    U8 w_king = DEAD;
    U8 w_bishop = DEAD;
    U8 w_knight_1 = DEAD;
    U8 w_knight_2 = DEAD;
    U8 w_pawn_1 = DEAD;
    U8 w_pawn_2 = DEAD;
    U8 w_pawn_3 = DEAD;
    U8 w_pawn_4 = DEAD;

    U8 b_rook_1 = DEAD;
    U8 b_rook_2 = DEAD;
    U8 b_king = DEAD;
    U8 b_bishop = DEAD;
    U8 b_knight_1 = DEAD;
    U8 b_knight_2 = DEAD;
    U8 b_pawn_1 = DEAD;
    U8 b_pawn_2 = DEAD;
    U8 b_pawn_3 = DEAD;
    U8 b_pawn_4 = DEAD;

    static const int n_pieces = 10;

    // Colour and kind of the man on each square; then the same after each quarter turn.
    U8 board_0[64];
    U8 board_90[64];
    U8 board_180[64];
    U8 board_270[64];

    BoardType board_type = SEVEN_THREE;
    U8* board_mask;
    PlayerColor player_to_play = WHITE;
    // What the last move captured: its byte, and its place among the twenty (-1: nothing).
    U8 last_killed_piece = 0;
    int last_killed_piece_idx = -1;

    // From the bottom to each side of the ring (bottom, left, top, right), and back.
    U8* transform_array[4];
    U8* inverse_transform_array[4];

    // Black's; white's are half a turn from them.
    U8 pawn_promo_squares[10];
    int n_pawn_promo_squares;

    // An empty small board.
    BoardData();
    // The start position.
    BoardData(BoardType board_type);
    BoardData(const BoardData& source) = default;
    BoardData& operator=(const BoardData& source) = default;

    // Puts the twenty men on all four boards, and nothing else.
    void set_pieces_on_board();
    void set_8_4_layout();
    void set_8_2_layout();
    void set_7_3_layout();
    void set_7x7_transforms();
    void set_8x8_transforms();
};
