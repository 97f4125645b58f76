// What the program asks of an engine of the second round.
#pragma once

#include <chrono>

#include "board.hpp"

class AbstractEngine {
  public:
    // The move to play when the search returns; 0 if there is none.
    U16 best_move;
    // What was left on the clock when the search began.
    std::chrono::milliseconds time_left;

    virtual void find_best_move(const Board& b) = 0;
};
