// Everything that an engine of the first round may use.
#pragma once

#include "board.hpp"
#include "engine.hpp"
