#include <cctype>

#include "butils.hpp"

namespace {

std::string rows(const U8* board, const U8* mask, int size, const std::unordered_set<U8>& crosses) {
    std::string text;
    for (int y = size - 1; y >= 0; --y) {
        for (int x = 0; x < size; ++x) {
            U8 square = pos(x, y);
            text += mask[square] == 1 ? ' ' : crosses.count(square) ? 'X' : piece_to_char(board[square]);
        }
        text += '\n';
    }
    return text;
}

const U8* mask_of(BoardType type) { return type == EIGHT_FOUR ? board_8_4 : type == EIGHT_TWO ? board_8_2 : board_7_3; }

int size_of(BoardType type) { return type == SEVEN_THREE ? 7 : 8; }

}  // namespace

std::string move_to_str(U16 move) {
    if (move == 0) return "0000";
    U8 from = getp0(move), to = getp1(move);
    std::string text;
    for (U8 square : {from, to}) {
        text += static_cast<char>('a' + getx(square));
        text += static_cast<char>('1' + gety(square));
    }
    if (move & PAWN_ROOK) text += 'r';
    else if (move & PAWN_BISHOP) text += 'b';
    return text;
}

U16 str_to_move(std::string move) {
    if (move.size() < 4 || move == "0000") return 0;
    U8 from = pos(move[0] - 'a', move[1] - '1') & 0x3f, to = pos(move[2] - 'a', move[3] - '1') & 0x3f;
    int promotion = move.size() == 4 ? 0 : move[4] == 'r' ? PAWN_ROOK : PAWN_BISHOP;
    return move_promo(from, to, promotion);
}

char piece_to_char(U8 piece) {
    char letter = '.';
    if (piece & PAWN) letter = 'p';
    else if (piece & ROOK) letter = 'r';
    else if (piece & KING) letter = 'k';
    else if (piece & BISHOP) letter = 'b';
    else if (piece & KNIGHT) letter = 'n';
    return piece & WHITE ? static_cast<char>(std::toupper(letter)) : letter;
}

std::string board_to_str(const BoardData* b) { return rows(b->board_0, mask_of(b->board_type), size_of(b->board_type), {}); }

std::string board_7_3_to_str(const U8* b) { return rows(b, board_7_3, 7, {}); }

std::string all_boards_to_str(const Board& b) {
    std::string text;
    for (const U8* board : {b.data.board_0, b.data.board_90, b.data.board_180, b.data.board_270}) {
        text += rows(board, mask_of(b.data.board_type), size_of(b.data.board_type), {}) + '\n';
    }
    return text;
}

std::string show_moves(const BoardData* b, std::unordered_set<U16>& moves) {
    std::unordered_set<U8> targets;
    for (U16 candidate : moves) targets.insert(getp1(candidate));
    return rows(b->board_0, mask_of(b->board_type), size_of(b->board_type), targets);
}
