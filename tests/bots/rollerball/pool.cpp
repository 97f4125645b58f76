// What becomes of boards on the heap, where the program may use 16 MiB. Ends with an assertion if anything is not so.
#undef NDEBUG
#include <cassert>
#include <cstdlib>
#include <memory>
#include <set>
#include <vector>

#include "board.hpp"

struct Larger : Board {
    char more[100];
};

static U8 next_sign = 1;

// A search that makes boards, marks them, and deletes none.
static std::vector<Board*> search_for(int boards) {
    agon::search_begins();
    std::vector<Board*> made;
    for (int i = 0; i < boards; i++) {
        made.push_back(new Board());
        made.back()->data.board_0[0] = next_sign;
    }
    agon::search_ends();
    next_sign++;
    return made;
}

static bool all_have(const std::vector<Board*>& boards, U8 sign) {
    for (Board* board : boards) {
        if (board->data.board_0[0] != sign) return false;
    }
    return true;
}

static void old_searches_make_room_oldest_first() {
    assert(agon::pool_bound() == 8 << 20);
    Board outside;
    Board* apart = new Board(outside);
    const int all = int((8 << 20) / sizeof(Board)), part = all / 5;
    std::vector<std::vector<Board*>> trees;
    for (int i = 0; i < 4; i++) trees.push_back(search_for(part));
    for (int i = 0; i < 4; i++) assert(all_have(trees[i], U8(i + 1)));
    // Now there is no room for a whole tree more.
    trees.push_back(search_for(part + part / 2));
    assert(!all_have(trees[0], 1));
    for (int i = 1; i < 5; i++) assert(all_have(trees[i], U8(i + 1)));
    for (int i = 0; i < 100; i++) {
        auto last = search_for(part), newest = search_for(part);
        assert(all_have(last, U8(next_sign - 2)) && all_have(newest, U8(next_sign - 1)));
    }
    assert(agon::pool_bytes() <= agon::pool_bound());
    assert(apart->data.board_0[0] == outside.data.board_0[0]);
    // A search that needs more than there is for all of them loses nothing of its own.
    auto much = search_for(2 * all);
    assert(all_have(much, U8(next_sign - 1)) && agon::pool_bytes() > agon::pool_bound());
    std::size_t most = agon::pool_bytes();
    for (int i = 0; i < 10; i++) search_for(all);
    assert(agon::pool_bytes() == most);
}

static void what_is_deleted_is_used_again() {
    std::size_t before = agon::pool_bytes();
    std::set<Board*> places;
    agon::search_begins();
    for (int i = 0; i < 100000; i++) {
        Board* board = new Board();
        places.insert(board);
        delete board;
    }
    agon::search_ends();
    assert(places.size() < 10 && agon::pool_bytes() == before);
    // Twice is once.
    Board* board = new Board();
    delete board;
    delete board;
    assert(new Board() != new Board());
    delete static_cast<Board*>(nullptr);
}

static void boards_live_anywhere() {
    std::vector<Board> many(1000);
    many.insert(many.begin(), Board());
    Board* row = new Board[10];
    delete[] row;
    delete new Larger();
    delete ::new Board();
    delete new (std::nothrow) Board();
    auto owned = std::make_unique<Board>();
    auto shared = std::make_shared<Board>(*owned);
    alignas(Board) char room[sizeof(Board)];
    Board* placed = new (room) Board(*shared);
    assert((void*)placed == room);
    placed->~Board();
}

int main() {
    boards_live_anywhere();
    old_searches_make_room_oldest_first();
    what_is_deleted_is_used_again();
    boards_live_anywhere();
}
