// Where boards lie that engines make with `new` and `copy`.
//
// Many engines never delete them. So a board remembers during which search it was made; and where boards would fill more than half of
// the memory that the program may use, those of finished searches that nobody has deleted give up their places to new ones, those of the
// oldest search first. Below that nothing is touched, since engines may keep a tree between their turns; and never a board of the search
// that runs, nor one that was made outside of searches.
#pragma once

#include <cstddef>
#include <new>

namespace agon {

// A place for a board. All boards of a program have the same size.
void* take_place(std::size_t size);

// Takes a place back; false if there is none at this address. One that is free already stays so.
bool give_back(void* place) noexcept;

void search_begins();
void search_ends();

// How much memory the places take up, and from where on those of finished searches are used again.
std::size_t pool_bytes();
std::size_t pool_bound();

// What a board inherits, and nothing else: its size stays as it is. Only `new` and `delete` of a single board mean the pool; members, arrays
// and containers have their boards where they have always had them.
template <class Board>
struct Pooled {
    static void* operator new(std::size_t size) {
        // A class that engines derive from the board is larger.
        return size == sizeof(Board) ? take_place(size) : ::operator new(size);
    }
    static void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
        try {
            return operator new(size);
        } catch (const std::bad_alloc&) {
            return nullptr;
        }
    }
    static void* operator new(std::size_t, void* place) noexcept { return place; }

    static void operator delete(void* board) noexcept {
        if (!give_back(board)) ::operator delete(board);
    }
    static void operator delete(void* board, const std::nothrow_t&) noexcept { operator delete(board); }
    static void operator delete(void*, void*) noexcept {}
};

}  // namespace agon
