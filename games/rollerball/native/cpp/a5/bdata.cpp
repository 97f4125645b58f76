#include <cstddef>
#include <cstring>

#include "bdata.hpp"

namespace {

constexpr int MEN = 2 * BoardData::n_pieces;

static_assert(offsetof(BoardData, b_rook_1) == BoardData::n_pieces && offsetof(BoardData, board_0) == MEN,
              "engines read the men as an array");

U8* writable(const U8 (&table)[64]) { return const_cast<U8*>(table); }

// The board's places, in the order of BoardData: two rooks, king, bishop, two knights, four pawns.
void set_up(BoardData& data, const U8 (&white)[10], const U8 (&black)[10], int promotion_squares) {
    U8* men = reinterpret_cast<U8*>(&data);
    std::memcpy(men, white, sizeof white);
    std::memcpy(men + BoardData::n_pieces, black, sizeof black);
    for (int y = 0; y < promotion_squares; ++y) data.pawn_promo_squares[y] = pos(2, y);
    data.n_pawn_promo_squares = promotion_squares;
}

}  // namespace

BoardData::BoardData()
    : board_0{}, board_90{}, board_180{}, board_270{}, board_mask(writable(board_7_3)), pawn_promo_squares{},
      n_pawn_promo_squares(0) {
    set_7x7_transforms();
}

BoardData::BoardData(BoardType type) : BoardData() {
    board_type = type;
    if (type == SEVEN_THREE) {
        set_7_3_layout();
    } else {
        board_mask = type == EIGHT_FOUR ? writable(board_8_4) : writable(board_8_2);
        set_8x8_transforms();
        if (type == EIGHT_FOUR) set_8_4_layout();
        else set_8_2_layout();
    }
    set_pieces_on_board();
}

void BoardData::set_7_3_layout() {
    set_up(*this,
           {pos(4, 1), pos(4, 0), pos(3, 1), pos(3, 0), DEAD, DEAD, pos(2, 1), pos(2, 0), DEAD, DEAD},
           {pos(2, 5), pos(2, 6), pos(3, 5), pos(3, 6), DEAD, DEAD, pos(4, 5), pos(4, 6), DEAD, DEAD}, 2);
}

void BoardData::set_8_4_layout() {
    set_up(*this,
           {pos(4, 1), pos(4, 0), pos(3, 1), pos(3, 0), DEAD, DEAD, pos(2, 1), pos(2, 0), pos(5, 1), pos(5, 0)},
           {pos(3, 6), pos(3, 7), pos(4, 6), pos(4, 7), DEAD, DEAD, pos(2, 6), pos(2, 7), pos(5, 6), pos(5, 7)}, 2);
}

void BoardData::set_8_2_layout() {
    set_up(*this,
           {pos(5, 1), pos(5, 0), pos(4, 1), pos(4, 2), pos(3, 1), pos(3, 2), pos(2, 1), pos(2, 0), pos(2, 2), pos(5, 2)},
           {pos(2, 6), pos(2, 7), pos(3, 6), pos(3, 5), pos(4, 6), pos(4, 5), pos(5, 6), pos(5, 7), pos(2, 5), pos(5, 5)}, 3);
}

void BoardData::set_7x7_transforms() {
    for (int side = 0; side < 4; ++side) {
        transform_array[side] = writable(agon::TURNS_7[side].cell);
        inverse_transform_array[side] = writable(agon::TURNS_7[(4 - side) % 4].cell);
    }
}

void BoardData::set_8x8_transforms() {
    for (int side = 0; side < 4; ++side) {
        transform_array[side] = writable(agon::TURNS_8[side].cell);
        inverse_transform_array[side] = writable(agon::TURNS_8[(4 - side) % 4].cell);
    }
}

void BoardData::set_pieces_on_board() {
    const PieceType kinds[n_pieces] = {ROOK, ROOK, KING, BISHOP, KNIGHT, KNIGHT, PAWN, PAWN, PAWN, PAWN};
    const U8* men = reinterpret_cast<const U8*>(this);
    U8* boards[4] = {board_0, board_90, board_180, board_270};
    for (U8* board : boards) std::memset(board, 0, 64);
    for (int i = 0; i < MEN; ++i) {
        if (men[i] > 63) continue;
        U8 piece = (i < n_pieces ? WHITE : BLACK) | kinds[i % n_pieces];
        for (int quarters = 0; quarters < 4; ++quarters) boards[quarters][transform_array[quarters][men[i]]] = piece;
    }
}
