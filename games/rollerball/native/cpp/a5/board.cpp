#include "../common/generator.hpp"

#include "board.hpp"

namespace {

constexpr int MEN_OF_A_SIDE = BoardData::n_pieces, MEN = 2 * MEN_OF_A_SIDE, KING_AMONG_MEN = 2;

constexpr agon::Encoding ENCODING{WHITE | BLACK, DEAD};

const agon::Ring& ring(BoardType type) {
    static const agon::Ring small(7, 3, true), small_of_a2(7, 3, false), narrow(8, 4, true), wide(8, 2, true);
    if (type == EIGHT_FOUR) return narrow;
    if (type == EIGHT_TWO) return wide;
    return agon::corner_bishops_bounce ? small : small_of_a2;
}

U8* men(BoardData& data) { return reinterpret_cast<U8*>(&data); }

agon::Army army(const BoardData& data, U8 colour) {
    const U8* first = reinterpret_cast<const U8*>(&data);
    return {colour == WHITE ? first : first + MEN_OF_A_SIDE, MEN_OF_A_SIDE, KING_AMONG_MEN, colour};
}

U8 opponent(U8 colour) { return colour ^ (WHITE | BLACK); }

agon::Generator generator(const BoardData& data) { return {ring(data.board_type), ENCODING, data.board_0}; }

std::unordered_set<U16> set_of(const agon::MoveList& list) {
    std::unordered_set<U16> set;
    set.reserve(list.count);
    set.insert(list.moves, list.moves + list.count);
    return set;
}

// Writes a square on all four boards.
void put(BoardData& data, U8 square, U8 piece) {
    data.board_0[square] = piece;
    data.board_90[data.transform_array[1][square]] = piece;
    data.board_180[data.transform_array[2][square]] = piece;
    data.board_270[data.transform_array[3][square]] = piece;
}

}  // namespace

Board::Board() : data(SEVEN_THREE) {}

Board::Board(BoardType btype) : data(btype) {}

Board::Board(BoardData bdata) : data(bdata) {}

std::unordered_set<U16> Board::get_legal_moves() const {
    agon::MoveList list;
    generator(data).legal(army(data, data.player_to_play), army(data, opponent(data.player_to_play)), list);
    return set_of(list);
}

bool Board::in_check() const {
    agon::Army us = army(data, data.player_to_play);
    return under_threat(us.squares[us.king]);
}

bool Board::under_threat(U8 piece_pos) const {
    return generator(data).attacked(army(data, opponent(data.player_to_play)), piece_pos);
}

std::unordered_set<U16> Board::get_pseudolegal_moves() const { return get_pseudolegal_moves_for_side(data.player_to_play); }

std::unordered_set<U16> Board::get_pseudolegal_moves_for_side(U8 side) const {
    agon::MoveList list;
    generator(data).side(army(data, side), list);
    return set_of(list);
}

std::unordered_set<U16> Board::get_pseudolegal_moves_for_piece(U8 piece_pos) const {
    agon::MoveList list;
    generator(data).man(piece_pos, list);
    return set_of(list);
}

void Board::flip_player_() { data.player_to_play = static_cast<PlayerColor>(opponent(data.player_to_play)); }

void Board::do_move_(U16 move) {
    do_move_without_flip_(move);
    flip_player_();
}

void Board::do_move_without_flip_(U16 move) {
    U8 from = getp0(move), to = getp1(move), piece = data.board_0[from];
    data.last_killed_piece = 0;
    data.last_killed_piece_idx = -1;
    if (from == to) return;
    for (int i = 0; i < MEN; ++i) {
        U8& square = men(data)[i];
        if (square == to) {
            data.last_killed_piece = data.board_0[to];
            data.last_killed_piece_idx = i;
            square = DEAD;
        } else if (square == from) {
            square = to;
        }
    }
    if (getpromo(move)) piece = (piece & (WHITE | BLACK)) | (getpromo(move) == PAWN_ROOK ? ROOK : BISHOP);
    put(data, to, piece);
    put(data, from, EMPTY);
}

void Board::undo_last_move_without_flip_(U16 move) {
    U8 from = getp0(move), to = getp1(move), piece = data.board_0[to];
    if (from == to) return;
    for (int i = 0; i < MEN; ++i) {
        if (men(data)[i] == to) men(data)[i] = from;
    }
    if (data.last_killed_piece_idx >= 0) men(data)[data.last_killed_piece_idx] = to;
    if (getpromo(move)) piece = (piece & (WHITE | BLACK)) | PAWN;
    put(data, from, piece);
    put(data, to, data.last_killed_piece);
    data.last_killed_piece = 0;
    data.last_killed_piece_idx = -1;
}
