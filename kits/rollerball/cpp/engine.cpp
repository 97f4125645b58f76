// A Rollerball engine of the second round: it plays any legal move, on all three boards.
#include <iostream>
#include <random>
#include <vector>

#include "board.hpp"
#include "butils.hpp"
#include "engine.hpp"

// Called for every move. `b.data.player_to_play` is your colour, `time_left` is what is left on your clock for the whole game, and
// the move to play has to be in `best_move` on return.
void Engine::find_best_move(const Board& b) {
    std::unordered_set<U16> legal = b.get_legal_moves();
    if (legal.empty()) {
        best_move = 0;
        return;
    }
    std::vector<U16> moves(legal.begin(), legal.end());

    // Your idea goes here. To look ahead, play on a copy:
    //   Board next(b);
    //   next.do_move_(moves[0]);
    //   next.get_legal_moves(), next.in_check(), next.data.board_0[pos(x, y)] ...
    static std::mt19937 random(std::random_device{}());
    best_move = moves[random() % moves.size()];

    std::cerr << "playing " << move_to_str(best_move) << " with " << time_left.count() << " ms left" << std::endl;
}
