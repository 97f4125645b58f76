// Everything that an engine of the second round may use.
#pragma once

#include "board.hpp"
#include "butils.hpp"
#include "engine.hpp"
