// An engine of the second round. One is made for every game, without arguments.
#pragma once

#include <atomic>

#include "engine_base.hpp"

class Engine : public AbstractEngine {
  public:
    void find_best_move(const Board& b) override;
};
