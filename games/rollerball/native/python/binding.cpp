// The board of the first round for Python: what board.py calls.
#include "../common/generator.hpp"

#include "../a2/board.hpp"

extern "C" {

Board* agon_board_new() { return new Board(); }
Board* agon_board_copy(const Board* board) { return board->copy(); }
void agon_board_delete(Board* board) { delete board; }
void agon_board_play(Board* board, unsigned word) { board->do_move(static_cast<U16>(word)); }
int agon_board_in_check(const Board* board) { return board->in_check(); }

// Writes at most `room` legal moves and returns how many there are.
int agon_board_legal(const Board* board, U16* moves, int room) {
    int count = 0;
    for (U16 word : board->get_legal_moves()) {
        if (count < room) moves[count] = word;
        ++count;
    }
    return count;
}

}
