// The same for the second round.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "board.hpp"
#include "butils.hpp"
#include "engine.hpp"

static int made = 0;

void Engine::find_best_move(const Board& b) {
    auto moves = b.get_legal_moves();
    best_move = *std::max_element(moves.begin(), moves.end());
    for (int i = 0; i < 30000; i++) {
        Board* next = new Board(b);
        next->do_move_(best_move);
        made += next->data.player_to_play != b.data.player_to_play;
    }
    std::filesystem::directory_iterator tasks("/proc/self/task");
    std::cerr << made << " boards, " << std::distance(begin(tasks), end(tasks)) << " threads" << std::endl;
}
