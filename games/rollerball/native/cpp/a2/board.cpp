#include "../common/generator.hpp"

#include <cctype>
#include <cstddef>
#include <cstring>

#include "board.hpp"

namespace {

constexpr int MEN = 12, MEN_OF_A_SIDE = 6, KING_AMONG_MEN = 2;

static_assert(offsetof(BoardData, w_rook_ws) == MEN_OF_A_SIDE && offsetof(BoardData, board_0) == MEN,
              "engines read the men as an array");

constexpr agon::Encoding ENCODING{WHITE | BLACK, DEAD};

const agon::Ring& ring() {
    static const agon::Ring the_ring(7, 3, false);
    return the_ring;
}

U8* men(BoardData& data) { return reinterpret_cast<U8*>(&data); }

agon::Army army(const BoardData& data, U8 colour) {
    const U8* first = reinterpret_cast<const U8*>(&data);
    return {colour == WHITE ? first + MEN_OF_A_SIDE : first, MEN_OF_A_SIDE, KING_AMONG_MEN, colour};
}

U8 opponent(U8 colour) { return colour ^ (WHITE | BLACK); }

agon::Generator generator(const BoardData& data) { return {ring(), ENCODING, data.board_0}; }

std::unordered_set<U16> set_of(const agon::MoveList& list) {
    std::unordered_set<U16> set;
    set.reserve(list.count);
    set.insert(list.moves, list.moves + list.count);
    return set;
}

struct Turns {
    U8 quarter[64], half[64], three_quarters[64];
};

// Where a square is after each turn of the board; what is no square stays.
const Turns& turns() {
    static const Turns the_turns = [] {
        Turns turns;
        for (int square = 0; square < 64; ++square) {
            int x = getx(square), y = gety(square);
            bool moves = ring().side(square) >= 0;
            turns.quarter[square] = moves ? pos(y, 6 - x) : square;
            turns.half[square] = moves ? pos(6 - x, 6 - y) : square;
            turns.three_quarters[square] = moves ? pos(6 - y, x) : square;
        }
        return turns;
    }();
    return the_turns;
}

// Writes a square on all four boards.
void put(BoardData& data, U8 square, U8 piece) {
    const Turns& turned = turns();
    data.board_0[square] = piece;
    data.board_90[turned.quarter[square]] = piece;
    data.board_180[turned.half[square]] = piece;
    data.board_270[turned.three_quarters[square]] = piece;
}

}  // namespace

Board::Board() {
    std::memset(data.board_0, 0, 4 * sizeof data.board_0);
    const PieceType kinds[MEN_OF_A_SIDE] = {ROOK, ROOK, KING, BISHOP, PAWN, PAWN};
    for (int i = 0; i < MEN; ++i) put(data, men(data)[i], (i < MEN_OF_A_SIDE ? BLACK : WHITE) | kinds[i % MEN_OF_A_SIDE]);
}

Board* Board::copy() const { return new Board(*this); }

std::unordered_set<U16> Board::get_legal_moves() const {
    agon::MoveList list;
    generator(data).legal(army(data, data.player_to_play), army(data, opponent(data.player_to_play)), list);
    return set_of(list);
}

bool Board::in_check() const {
    agon::Army us = army(data, data.player_to_play);
    return _under_threat(us.squares[us.king]);
}

bool Board::_under_threat(U8 piece_pos) const {
    return generator(data).attacked(army(data, opponent(data.player_to_play)), piece_pos);
}

std::unordered_set<U16> Board::_get_pseudolegal_moves() const {
    return _get_pseudolegal_moves_for_side(data.player_to_play);
}

std::unordered_set<U16> Board::_get_pseudolegal_moves_for_side(U8 color) const {
    agon::MoveList list;
    generator(data).side(army(data, color), list);
    return set_of(list);
}

std::unordered_set<U16> Board::_get_pseudolegal_moves_for_piece(U8 piece_pos) const {
    agon::MoveList list;
    generator(data).man(piece_pos, list);
    return set_of(list);
}

void Board::_flip_player() { data.player_to_play = static_cast<PlayerColor>(opponent(data.player_to_play)); }

void Board::do_move(U16 move) {
    _do_move(move);
    _flip_player();
}

void Board::_do_move(U16 move) {
    U8 from = getp0(move), to = getp1(move), piece = data.board_0[from];
    data.last_killed_piece = 0;
    data.last_killed_piece_idx = -1;
    if (from == to) return;
    for (int i = 0; i < MEN; ++i) {
        U8& square = men(data)[i];
        if (square == to && to != DEAD) {
            data.last_killed_piece = data.board_0[to];
            data.last_killed_piece_idx = i;
            square = DEAD;
        } else if (square == from && from != DEAD) {
            square = to;
        }
    }
    if (getpromo(move)) piece = (piece & (WHITE | BLACK)) | (getpromo(move) == PAWN_ROOK ? ROOK : BISHOP);
    put(data, to, piece);
    put(data, from, EMPTY);
}

void Board::_undo_last_move(U16 move) {
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

std::string move_to_str(U16 move) {
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
    if (move.size() < 4) return 0;
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
    return piece & WHITE ? static_cast<char>(std::toupper(letter)) : letter;
}

std::string board_to_str(const U8* b) {
    std::string text;
    for (int y = 6; y >= 0; --y) {
        for (int x = 0; x < 7; ++x) text += ring().side(pos(x, y)) < 0 ? ' ' : piece_to_char(b[pos(x, y)]);
        text += '\n';
    }
    return text;
}

std::string all_boards_to_str(const Board& b) {
    std::string text;
    for (const U8* board : {b.data.board_0, b.data.board_90, b.data.board_180, b.data.board_270}) {
        text += board_to_str(board) + '\n';
    }
    return text;
}
