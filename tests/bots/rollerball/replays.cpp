// Not an engine: answers questions about the boards that engines are built against. With -DSECOND_ROUND it is about those of the second
// round. A question is a line:
//   legal BOARD ROWS w|b       -> 1 or 0 for check, then the legal moves, sorted
//   play BOARD MOVE...         -> the rows after each move, and whether taking all of them back leads to the start again
//   perft BOARD DEPTH          -> the number of move sequences
// BOARD is 7-3, 8-4 or 8-2; in ROWS the hole is written with underscores.
#include <algorithm>
#include <cstring>
#include <iostream>
#include <set>
#include <sstream>

#include "board.hpp"
#ifdef SECOND_ROUND
#include "butils.hpp"
#endif

#ifdef SECOND_ROUND
const int MEN = 20;
const PieceType KINDS[10] = {ROOK, ROOK, KING, BISHOP, KNIGHT, KNIGHT, PAWN, PAWN, PAWN, PAWN};
PlayerColor owner(int place) { return place < 10 ? WHITE : BLACK; }
Board start(const std::string& name) {
    return Board(name == "7-3" ? SEVEN_THREE : name == "8-4" ? EIGHT_FOUR : EIGHT_TWO);
}
std::string rows_of(const Board& board) { return board_to_str(&board.data); }
void apply(Board& board, U16 m) { board.do_move_without_flip_(m); }
void undo(Board& board, U16 m) { board.undo_last_move_without_flip_(m); }
void flip(Board& board) { board.flip_player_(); }
const U8* turned(const Board& board, int quarters) { return board.data.transform_array[quarters]; }
int size_of(const Board& board) { return board.data.board_type == SEVEN_THREE ? 7 : 8; }
#else
const int MEN = 12;
const PieceType KINDS[6] = {ROOK, ROOK, KING, BISHOP, PAWN, PAWN};
PlayerColor owner(int place) { return place < 6 ? BLACK : WHITE; }
Board start(const std::string&) { return Board(); }
std::string rows_of(const Board& board) { return board_to_str(board.data.board_0); }
void apply(Board& board, U16 m) { board._do_move(m); }
void undo(Board& board, U16 m) { board._undo_last_move(m); }
void flip(Board& board) { board._flip_player(); }
int size_of(const Board&) { return 7; }
#endif

U8 byte_of(char letter) {
    const std::string letters = "prkbn";
    std::size_t kind = letters.find(std::tolower(letter));
    return kind == std::string::npos ? 0 : (std::isupper(letter) ? WHITE : BLACK) | (2 << kind);
}

// Writes a position as engines do that make their own: the men into their places, and all four boards.
Board set_up(const std::string& name, const std::string& rows, const std::string& turn) {
    Board board = start(name);
    U8* men = (U8*)&board.data;
    std::memset(men, DEAD, MEN);
    U8* boards[4] = {board.data.board_0, board.data.board_90, board.data.board_180, board.data.board_270};
    for (U8* each : boards) std::memset(each, 0, 64);
    int size = size_of(board), x = 0, y = size - 1;
    for (char letter : rows) {
        if (letter == '/') {
            x = 0, --y;
            continue;
        }
        U8 byte = byte_of(letter);
        if (byte) {
            int column = x, rank = y;
            for (U8* each : boards) {
                each[pos(column, rank)] = byte;
                int old = column;
                column = rank, rank = size - 1 - old;
            }
            // A place of its own kind, or a pawn's, or any that is left: only the king's matters.
            int best = -1;
            for (int wish = 0; wish < 3 && best < 0; ++wish) {
                for (int i = 0; i < MEN && best < 0; ++i) {
                    PieceType kind = KINDS[i % (MEN / 2)];
                    bool fits = wish == 0 ? (byte & kind) : wish == 1 ? kind == PAWN : kind != KING;
                    if (men[i] == DEAD && (byte & owner(i)) && fits && (kind != KING || (byte & KING))) best = i;
                }
            }
            if (best < 0) std::cerr << "too many men in " << rows << std::endl, std::exit(1);
            men[best] = pos(x, y);
        }
        ++x;
    }
    board.data.player_to_play = turn == "w" ? WHITE : BLACK;
    return board;
}

long long perft(Board& board, int depth) {
    std::unordered_set<U16> moves = board.get_legal_moves();
    if (depth == 1) return (long long)moves.size();
    long long count = 0;
    for (U16 m : moves) {
        Board next(board);
        apply(next, m);
        flip(next);
        count += perft(next, depth - 1);
    }
    return count;
}

// Whether each turned board is what its name says.
bool turned_rightly(const Board& board) {
    const BoardData& data = board.data;
    int last = size_of(board) - 1;
    for (int y = 0; y <= last; ++y) {
        for (int x = 0; x <= last; ++x) {
            U8 byte = data.board_0[pos(x, y)];
            if (data.board_90[pos(y, last - x)] != byte || data.board_180[pos(last - x, last - y)] != byte ||
                data.board_270[pos(last - y, x)] != byte) return false;
        }
    }
    return true;
}

void play(std::istringstream& words, const std::string& name) {
    Board board = start(name);
    const Board first = board;
    std::vector<std::pair<U16, std::pair<U8, int>>> played;
    std::string text, out = rows_of(board);
    bool right = turned_rightly(board);
    while (words >> text) {
        U16 m = str_to_move(text);
        right = right && move_to_str(m) == text && board.get_legal_moves().count(m);
        apply(board, m);
        played.push_back({m, {board.data.last_killed_piece, board.data.last_killed_piece_idx}});
        flip(board);
        right = right && turned_rightly(board);
        out += rows_of(board);
    }
    std::string shown;
    for (char letter : out) shown += letter == '\n' ? '/' : letter == ' ' ? '_' : letter;
    while (!played.empty()) {
        flip(board);
        board.data.last_killed_piece = played.back().second.first;
        board.data.last_killed_piece_idx = played.back().second.second;
        undo(board, played.back().first);
        played.pop_back();
    }
    right = right && std::memcmp(&board.data, &first.data, MEN + 4 * 64) == 0;
    std::cout << shown << (right ? " same" : " different") << std::endl;
}

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string question, name, rows, turn;
        words >> question >> name;
        if (question == "perft") {
            int depth;
            words >> depth;
            Board board = start(name);
            std::cout << perft(board, depth) << std::endl;
        } else if (question == "play") {
            play(words, name);
        } else {
            words >> rows >> turn;
            Board board = set_up(name, rows, turn);
            std::set<std::string> moves;
            for (U16 m : board.get_legal_moves()) moves.insert(move_to_str(m));
            std::cout << board.in_check();
            for (const std::string& m : moves) std::cout << ' ' << m;
            std::cout << '\n';
        }
    }
}
