// The ring: which ways lead from a square, worked out once for each board.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace agon {

// The number of the bit that a man has in its byte on the board.
enum class Man : int { pawn = 1, rook = 2, king = 3, bishop = 4, knight = 5 };

// The man in a byte that is not empty. Of several bits the lowest counts.
inline Man man_of(std::uint8_t byte) { return static_cast<Man>(__builtin_ctz((byte & 0x3e) | 0x40)); }

constexpr std::uint8_t WHITE_BIT = 0x40;

// Squares are numbered rank * 8 + file on every board.
class Ring {
  public:
    // `corner_bishops_bounce` is false in the first round of the course, whose program forgot them.
    Ring(int size, int hole, bool corner_bishops_bounce);

    // The ways of a man: for each its length and so many squares in the order in which it comes to them; a zero after the last.
    // Turns at corners and walls are part of a way: whatever stops a man before one also stops it there.
    const std::uint8_t* ways(Man man, int square) const { return &steps_[start_[static_cast<int>(man)][square]]; }

    // Every square that a man could come to if it stood alone, a bit for each.
    std::uint64_t reach(Man man, int square) const { return reach_[static_cast<int>(man)][square]; }

    // Whether a pawn that goes there must become another man.
    bool promotes(std::uint8_t pawn, int from, int to) const {
        const Promotion& promotion = promotion_[(pawn & WHITE_BIT) ? 0 : 1];
        return (promotion.from >> from & 1) && (promotion.to >> to & 1);
    }

    // The side of the ring by whose rules a man on the square moves: 0 bottom, 1 left, 2 top, 3 right, and -1 off the board.
    int side(int square) const { return side_[square]; }

  private:
    static constexpr int KINDS = 7;

    struct Promotion {
        std::uint64_t from = 0, to = 0;
    };

    int size_;
    int rings_;
    bool corner_bishops_bounce_;
    std::array<int, 64> side_;
    std::array<Promotion, 2> promotion_;
    std::vector<std::uint8_t> steps_;
    std::array<std::array<std::uint16_t, 64>, KINDS> start_;
    std::array<std::array<std::uint64_t, 64>, KINDS> reach_;

    struct Point {
        int x, y;
    };
    using Way = std::vector<Point>;

    bool on_board(Point point) const;
    Point turned(Point point, int quarters) const;
    void slide(Way& way, Point from, Point step, int limit) const;
    std::vector<Way> ways_at_bottom(Man man, Point from) const;
    std::vector<Way> rook_ways(Point from) const;
    std::vector<Way> bishop_ways(Point from) const;
    std::vector<Way> single_steps(Point from, const std::vector<Point>& steps) const;
    void find_sides();
    void find_promotions();
    void find_ways(Man man, int square);
};

}  // namespace agon
