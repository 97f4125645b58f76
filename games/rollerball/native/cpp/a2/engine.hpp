// What an engine of the first round is.
#pragma once

#include <atomic>

#include "board.hpp"

class Engine {
  public:
    // The best move so far; read when the search has ended.
    std::atomic<U16> best_move;
    // False as soon as the search has to end.
    std::atomic<bool> search;

    virtual void find_best_move(const Board& b);
};
