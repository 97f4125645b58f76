#include "generator.hpp"

#include <cstring>

namespace agon {

namespace {

constexpr int TO_BISHOP = 0x40, TO_ROOK = 0x80;

// Whether a man comes to `target` along these ways before something stops it.
bool comes_to(const std::uint8_t* ways, const std::uint8_t* board, int target) {
    for (; *ways != 0; ways += *ways + 1) {
        for (int i = 1; i <= *ways; ++i) {
            if (ways[i] == target) return true;
            if (board[ways[i]] != 0) break;
        }
    }
    return false;
}

}  // namespace

void Generator::man(int square, MoveList& list) const {
    if (absent(square) || board_[square] == 0) return;
    std::uint8_t byte = board_[square], own = byte & encoding_.colours;
    Man kind = man_of(byte);
    for (const std::uint8_t* way = ring_.ways(kind, square); *way != 0; way += *way + 1) {
        for (int i = 1; i <= *way; ++i) {
            int target = way[i];
            if (board_[target] & own) break;
            if (kind == Man::pawn && ring_.promotes(byte, square, target)) {
                list.add(square, target, TO_BISHOP);
                list.add(square, target, TO_ROOK);
            } else {
                list.add(square, target, 0);
            }
            if (board_[target] != 0) break;
        }
    }
}

void Generator::side(const Army& army, MoveList& list) const {
    for (int i = 0; i < army.count; ++i) man(army.squares[i], list);
}

bool Generator::attacked(const std::uint8_t* board, const Army& by, int square, int captured) const {
    if (absent(square) || (board[square] & by.colour)) return false;
    for (int i = 0; i < by.count; ++i) {
        int from = by.squares[i];
        if (from == captured || absent(from) || board[from] == 0) continue;
        Man kind = man_of(board[from]);
        // Few men could come there even on an empty board.
        if ((ring_.reach(kind, from) >> square & 1) && comes_to(ring_.ways(kind, from), board, square)) return true;
    }
    return false;
}

void Generator::legal(const Army& us, const Army& them, MoveList& list) const {
    MoveList all;
    side(us, all);
    std::uint8_t board[64];
    std::memcpy(board, board_, sizeof board);
    for (int i = 0; i < all.count; ++i) {
        int from = all.moves[i] >> 8 & 0x3f, to = all.moves[i] & 0x3f;
        int king = us.squares[us.king] == from ? to : us.squares[us.king];
        std::uint8_t captured = board[to];
        // What a pawn becomes is of no matter to its own king.
        board[to] = board[from];
        board[from] = 0;
        if (!attacked(board, them, king, to)) list.moves[list.count++] = all.moves[i];
        board[from] = board[to];
        board[to] = captured;
    }
}

}  // namespace agon
