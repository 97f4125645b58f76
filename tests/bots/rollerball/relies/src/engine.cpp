#include <queue>

#include "board.hpp"
#include "engine.hpp"

void Engine::find_best_move(const Board& b) {
    waiting = {};
    for (U16 m : b.get_legal_moves()) waiting.push(m);
    best_move = waiting.front();
}
