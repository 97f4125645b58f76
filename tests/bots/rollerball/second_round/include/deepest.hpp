#pragma once

constexpr int DEEPEST = 2;
