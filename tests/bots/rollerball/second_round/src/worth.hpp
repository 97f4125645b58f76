#pragma once

#include "board.hpp"

// What the men of the side to move are worth, less those of the other.
int worth(const Board& b);
