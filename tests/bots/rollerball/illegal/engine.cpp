#include "board.hpp"
#include "engine.hpp"

// There is nothing on a1.
void Engine::find_best_move(const Board& b) { best_move = move(pos(0, 0), pos(0, 1)); }
