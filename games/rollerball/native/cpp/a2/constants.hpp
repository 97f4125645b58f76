// The words for squares and moves in the first round of the course.
#pragma once

#include <cstdint>
#include <stack>
#include <string>
#include <unordered_set>
#include <vector>

typedef uint8_t U8;
typedef uint16_t U16;

// A square: bits 0 to 2 are the file, bits 3 to 5 the rank.
#define pos(x, y) (((y) << 3) | (x))
#define getx(p) ((p) & 0x7)
#define gety(p) ((p) >> 3)

// A move: target in bits 0 to 5, promotion in 6 and 7, origin in 8 to 13.
#define move(p0, p1) (((p0) << 8) | (p1))
#define move_promo(p0, p1, promo) (((p0) << 8) | (p1) | (promo))
#define getp0(m) (((m) >> 8) & 0x3f)
#define getp1(m) ((m) & 0x3f)
#define getpromo(m) ((m) & (PAWN_BISHOP | PAWN_ROOK))

// Where captured men are.
#define DEAD pos(7, 7)
