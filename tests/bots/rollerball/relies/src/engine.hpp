// Relies on <queue>, which the course's own headers brought along wherever this one was read.
#pragma once

#include <atomic>

#include "board.hpp"

class Engine {
  public:
    std::atomic<U16> best_move;
    std::atomic<bool> search;
    std::queue<U16> waiting;

    virtual void find_best_move(const Board& b);
};
