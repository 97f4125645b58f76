#include "ring.hpp"

namespace agon {

namespace {
constexpr int FAR = 8;
constexpr int NEAR_HALF = 4;  // from this file on a rook at the bottom goes inward by one step only
}  // namespace

Ring::Ring(int size, int hole, bool corner_bishops_bounce)
    : size_(size), rings_((size - hole) / 2), corner_bishops_bounce_(corner_bishops_bounce) {
    steps_.push_back(0);  // where everything without ways begins
    for (auto& starts : start_) starts.fill(0);
    for (auto& reaches : reach_) reaches.fill(0);
    find_sides();
    find_promotions();
    for (int square = 0; square < 64; ++square) {
        for (Man man : {Man::pawn, Man::rook, Man::king, Man::bishop, Man::knight}) {
            if (side_[square] >= 0) find_ways(man, square);
        }
    }
}

bool Ring::on_board(Point point) const {
    auto inside = [](int value, int low, int high) { return value >= low && value < high; };
    bool in_hole = inside(point.x, rings_, size_ - rings_) && inside(point.y, rings_, size_ - rings_);
    return inside(point.x, 0, size_) && inside(point.y, 0, size_) && !in_hole;
}

// Where a point comes to when the board is turned clockwise.
Ring::Point Ring::turned(Point point, int quarters) const {
    for (; quarters > 0; --quarters) point = Point{point.y, size_ - 1 - point.x};
    return point;
}

void Ring::slide(Way& way, Point from, Point step, int limit) const {
    Point next{from.x + step.x, from.y + step.y};
    for (; limit > 0 && on_board(next); --limit) {
        way.push_back(next);
        next = Point{next.x + step.x, next.y + step.y};
    }
}

std::vector<Ring::Way> Ring::single_steps(Point from, const std::vector<Point>& steps) const {
    std::vector<Way> ways;
    for (Point step : steps) {
        ways.emplace_back();
        slide(ways.back(), from, step, 1);
    }
    return ways;
}

std::vector<Ring::Way> Ring::rook_ways(Point from) const {
    std::vector<Way> ways = single_steps(from, {{1, 0}, {0, -1}});
    Way inward, forward;
    slide(inward, from, {0, 1}, from.x >= NEAR_HALF ? 1 : FAR);
    slide(forward, from, {-1, 0}, FAR);
    if (from.y == 0) slide(forward, {0, 0}, {0, 1}, FAR);
    ways.push_back(inward);
    ways.push_back(forward);
    return ways;
}

std::vector<Ring::Way> Ring::bishop_ways(Point from) const {
    std::vector<Way> ways = single_steps(from, {{1, 1}, {1, -1}});
    bool at_corner = from.x == size_ - 1 && from.y == 0;
    bool bounces = corner_bishops_bounce_ || !at_corner;
    Way inward, outward;
    slide(inward, from, {-1, 1}, FAR);
    if (bounces && !inward.empty()) {
        Point wall = inward.back();
        slide(inward, wall, wall.x == 0 ? Point{1, 1} : Point{-1, -1}, FAR);
    }
    slide(outward, from, {-1, -1}, FAR);
    if (bounces && !outward.empty()) {
        Point wall = outward.back();
        slide(outward, wall, {-1, 1}, FAR);
    }
    ways.push_back(inward);
    ways.push_back(outward);
    return ways;
}

// The ways from a square of the bottom side, where forward is west.
std::vector<Ring::Way> Ring::ways_at_bottom(Man man, Point from) const {
    switch (man) {
    case Man::pawn: return single_steps(from, {{-1, -1}, {-1, 0}, {-1, 1}});
    case Man::rook: return rook_ways(from);
    case Man::bishop: return bishop_ways(from);
    case Man::king: return single_steps(from, {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}});
    case Man::knight:
        return single_steps(from, {{-2, -1}, {-2, 1}, {-1, -2}, {-1, 2}, {1, -2}, {1, 2}, {2, -1}, {2, 1}});
    }
    return {};
}

void Ring::find_sides() {
    side_.fill(-1);
    for (int y = 0; y < rings_; ++y) {
        for (int x = y + 1; x < size_ - y; ++x) {
            for (int quarters = 0; quarters < 4; ++quarters) {
                Point point = turned({x, y}, quarters);
                side_[point.y * 8 + point.x] = quarters;
            }
        }
    }
}

// Black's pawns become something at the bottom, on the third file; white's half a turn from there.
void Ring::find_promotions() {
    for (int square = 0; square < 64; ++square) {
        if (side_[square] == 2) promotion_[0].from |= 1ull << square;
        if (side_[square] == 0) promotion_[1].from |= 1ull << square;
    }
    for (int y = 0; y < rings_; ++y) {
        for (int half = 0; half < 2; ++half) {
            Point point = turned({2, y}, half * 2);
            promotion_[1 - half].to |= 1ull << (point.y * 8 + point.x);
        }
    }
}

void Ring::find_ways(Man man, int square) {
    int kind = static_cast<int>(man), side = side_[square];
    start_[kind][square] = static_cast<std::uint16_t>(steps_.size());
    Point at_bottom = turned({square % 8, square / 8}, (4 - side) % 4);
    for (const Way& way : ways_at_bottom(man, at_bottom)) {
        if (way.empty()) continue;
        steps_.push_back(static_cast<std::uint8_t>(way.size()));
        for (Point point : way) {
            Point target = turned(point, side);
            int number = target.y * 8 + target.x;
            steps_.push_back(static_cast<std::uint8_t>(number));
            reach_[kind][square] |= 1ull << number;
        }
    }
    steps_.push_back(0);
}

}  // namespace agon
