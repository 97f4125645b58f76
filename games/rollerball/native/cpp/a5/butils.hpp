// Boards and moves as texts.
#pragma once

#include "board.hpp"

std::string move_to_str(U16 move);
U16 str_to_move(std::string move);
char piece_to_char(U8 piece);
// Rows from the top, each with a newline.
std::string board_to_str(const BoardData* b);
std::string board_7_3_to_str(const U8* b);
std::string all_boards_to_str(const Board& b);
// The board with an X on every target.
std::string show_moves(const BoardData* b, std::unordered_set<U16>& moves);
