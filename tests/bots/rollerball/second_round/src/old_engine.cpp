// What the engine used to be. It is not to be built: there would be two of them.
#include "engine.hpp"

void Engine::find_best_move(const Board& b) { best_move = *b.get_legal_moves().begin(); }
