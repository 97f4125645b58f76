#include "board.hpp"
#include "engine.hpp"
#include "hint.hpp"

void Engine::find_best_move(const Board& b) {
    best_move = first_of(b.get_legal_moves()) + hint();
}
