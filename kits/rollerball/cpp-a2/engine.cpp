// A Rollerball engine of the first round: it plays any legal move on the 7-3 board.
#include <random>
#include <vector>

#include "board.hpp"
#include "engine.hpp"

// Called for every move. The best move so far has to be in `best_move` at any time; when `search` becomes false, return at once.
// `b.data.player_to_play` is your colour.
void Engine::find_best_move(const Board& b) {
    std::unordered_set<U16> legal = b.get_legal_moves();
    if (legal.empty()) {
        best_move = 0;
        return;
    }
    std::vector<U16> moves(legal.begin(), legal.end());

    // Something legal first, so that there is an answer whatever happens.
    static std::mt19937 random(std::random_device{}());
    best_move = moves[random() % moves.size()];

    // Your idea goes here: look deeper and deeper while there is time. To look ahead, play on a copy:
    //   for (int depth = 1; search; ++depth) {
    //       Board* next = b.copy();
    //       next->do_move(moves[0]);
    //       ... next->get_legal_moves(), next->in_check(), next->data.board_0[pos(x, y)] ...
    //       delete next;
    //   }
}
