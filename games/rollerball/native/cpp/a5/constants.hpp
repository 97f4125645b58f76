// The words for squares and moves in the second round of the course, and what its boards look like.
#pragma once

#include <cstdint>
#include <map>
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
#define DEAD 0xff

#define color(p) ((PlayerColor)((p) & (WHITE | BLACK)))
#define oppcolor(p) ((PlayerColor)(color(p) ^ (WHITE | BLACK)))
#define occupied(b, p, c) ((b)[(p)] & (c))
#define inboard(b, x, y) (((x) >= 0) && ((x) <= 7) && ((y) >= 0) && ((y) <= 7) && ((b)[pos((x), (y))] != 1))

namespace agon {

struct Squares {
    U8 cell[64];
};

// What a cell of a board mask says: 1 is no square; 2, 3, 4 and 5 are the bottom, left, top and right side of the ring.
constexpr Squares board_mask(int size, int hole) {
    Squares mask{};
    for (int i = 0; i < 64; ++i) mask.cell[i] = 1;
    for (int y = 0; y < (size - hole) / 2; ++y) {
        for (int x = y + 1; x < size - y; ++x) {
            mask.cell[pos(x, y)] = 2;
            mask.cell[pos(y, size - 1 - x)] = 3;
            mask.cell[pos(size - 1 - x, size - 1 - y)] = 4;
            mask.cell[pos(size - 1 - y, x)] = 5;
        }
    }
    return mask;
}

// Where each cell is after some clockwise quarter turns; on the small board what is no square stays.
constexpr Squares turned(int size, int quarters) {
    Squares turn{}, mask = board_mask(size, size == 7 ? 3 : 0);
    for (int i = 0; i < 64; ++i) {
        int x = getx(i), y = gety(i);
        for (int quarter = 0; quarter < quarters; ++quarter) {
            int old_x = x;
            x = y;
            y = size - 1 - old_x;
        }
        turn.cell[i] = static_cast<U8>(mask.cell[i] == 1 ? i : pos(x, y));
    }
    return turn;
}

inline constexpr Squares TURNS_7[4] = {turned(7, 0), turned(7, 1), turned(7, 2), turned(7, 3)};
inline constexpr Squares TURNS_8[4] = {turned(8, 0), turned(8, 1), turned(8, 2), turned(8, 3)};
inline constexpr Squares MASKS[3] = {board_mask(7, 3), board_mask(8, 4), board_mask(8, 2)};

}  // namespace agon

using SquareTable = const U8 (&)[64];

inline constexpr SquareTable id_7x7 = agon::TURNS_7[0].cell;
inline constexpr SquareTable cw_90_7x7 = agon::TURNS_7[1].cell;
inline constexpr SquareTable cw_180_7x7 = agon::TURNS_7[2].cell;
inline constexpr SquareTable acw_90_7x7 = agon::TURNS_7[3].cell;
inline constexpr SquareTable id_8x8 = agon::TURNS_8[0].cell;
inline constexpr SquareTable cw_90_8x8 = agon::TURNS_8[1].cell;
inline constexpr SquareTable cw_180_8x8 = agon::TURNS_8[2].cell;
inline constexpr SquareTable acw_90_8x8 = agon::TURNS_8[3].cell;
inline constexpr SquareTable board_7_3 = agon::MASKS[0].cell;
inline constexpr SquareTable board_8_4 = agon::MASKS[1].cell;
inline constexpr SquareTable board_8_2 = agon::MASKS[2].cell;
