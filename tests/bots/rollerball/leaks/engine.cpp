// An engine that never deletes a board, as the course's own did not. It says how many it has made.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "board.hpp"
#include "engine.hpp"

static int made = 0;

void Engine::find_best_move(const Board& b) {
    auto moves = b.get_legal_moves();
    best_move = *std::max_element(moves.begin(), moves.end());
    for (int i = 0; i < 40000; i++) {
        Board* next = b.copy();
        next->do_move(best_move);
        made += next->data.player_to_play != b.data.player_to_play;
    }
    std::filesystem::directory_iterator tasks("/proc/self/task");
    std::cerr << made << " boards, " << std::distance(begin(tasks), end(tasks)) << " threads" << std::endl;
}
