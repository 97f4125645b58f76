#include "pool.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <new>
#include <vector>

namespace agon {

namespace {

constexpr std::size_t BLOCK = 1 << 20;

// What stands in a block for each of its places: during which search its board was made, or that it is free and which one follows it in
// the list of the block's free places.
using Mark = std::uint16_t;
constexpr Mark FREE = 0x8000, LAST_FREE = 0xffff;
// Boards that were made outside of searches.
constexpr Mark OUTSIDE = 0x7fff;

// Boards hold nothing that is wider than a pointer.
constexpr std::size_t aligned(std::size_t size) { return (size + alignof(void*) - 1) & ~(alignof(void*) - 1); }

// Memory at a multiple of its size: marks, then places.
struct Block {
    Block* next_with_room = nullptr;
    Mark free = LAST_FREE;
    std::uint16_t begun = 0;  // places that were ever used

    Mark* marks() { return reinterpret_cast<Mark*>(this + 1); }
};

// What the program may use up, as far as anybody says. An opponent may run beside it on the same machine.
std::size_t memory_limit() {
    const char* told = std::getenv("AGON_MEMORY");
    if (unsigned long long bytes = told ? std::strtoull(told, nullptr, 10) : 0) return bytes;
    std::uint64_t limit = std::uint64_t(::sysconf(_SC_PHYS_PAGES)) * std::uint64_t(::sysconf(_SC_PAGESIZE)) / 2;
    for (auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
        rlimit found{};
        if (::getrlimit(resource, &found) != 0 || found.rlim_cur == RLIM_INFINITY) continue;
        limit = std::min<std::uint64_t>(limit, found.rlim_cur);
    }
    for (const char* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
        std::uint64_t bytes = 0;
        if (std::ifstream(file) >> bytes && bytes > 0) limit = std::min(limit, bytes);
    }
    return limit;
}

class Pool {
  public:
    void* take(std::size_t size);
    bool give_back(void* place);
    void begin_search();
    void end_search() { mark_ = OUTSIDE; }
    std::size_t bytes() const { return blocks_.size() * BLOCK; }
    std::size_t bound() const { return limit_ / 2; }

    // Engines may search with several threads.
    void lock() {
        while (locked_.test_and_set(std::memory_order_acquire)) ::sched_yield();
    }
    void unlock() { locked_.clear(std::memory_order_release); }

  private:
    std::size_t limit_ = memory_limit();
    std::size_t size_ = 0, first_ = 0, places_ = 0;  // of a place; where places begin in a block; how many there are
    std::vector<Block*> blocks_;
    std::vector<Block*> found_;  // the same, to be found by address: an open hash table
    Block* with_room_ = nullptr;
    std::array<std::uint32_t, OUTSIDE> alive_{};  // boards of each search
    Mark search_ = 0, mark_ = OUTSIDE;
    // Where the sweep is that looks for boards of searches up to `reclaimed_`.
    std::size_t swept_block_ = 0, swept_place_ = 0;
    Mark reclaimed_ = 0;
    std::atomic_flag locked_ = ATOMIC_FLAG_INIT;

    void* place(Block* block, std::size_t index) const { return reinterpret_cast<char*>(block) + first_ + index * size_; }
    void* stamp(Block* block, std::size_t index);
    bool grow();
    void* reclaim();
    void* sweep();
    bool more_to_reclaim();
    bool is_block(Block* block) const;
    void remember(Block* block);
};

void* Pool::take(std::size_t size) {
    if (size_ == 0) {
        size_ = aligned(size);
        places_ = (BLOCK - sizeof(Block) - alignof(void*)) / (size_ + sizeof(Mark));
        first_ = aligned(sizeof(Block) + places_ * sizeof(Mark));
    }
    if (Block* block = with_room_) {
        std::size_t index = block->free & ~FREE;
        block->free = block->marks()[index];
        if (block->free == LAST_FREE) with_room_ = block->next_with_room;
        return stamp(block, index);
    }
    if (blocks_.empty() || blocks_.back()->begun == places_) {
        void* old = bytes() + BLOCK > bound() ? reclaim() : nullptr;
        if (old) return old;
        if (!grow()) return reclaim();
    }
    return stamp(blocks_.back(), blocks_.back()->begun++);
}

void* Pool::stamp(Block* block, std::size_t index) {
    block->marks()[index] = mark_;
    if (mark_ != OUTSIDE) ++alive_[mark_];
    return place(block, index);
}

bool Pool::give_back(void* at) {
    auto address = reinterpret_cast<std::uintptr_t>(at);
    Block* block = reinterpret_cast<Block*>(address & ~(BLOCK - 1));
    if (!is_block(block)) return false;
    std::size_t offset = address - reinterpret_cast<std::uintptr_t>(block), index = (offset - first_) / size_;
    if (offset < first_ || place(block, index) != at || index >= block->begun) return false;
    Mark& mark = block->marks()[index];
    if (mark & FREE) return true;
    if (mark != OUTSIDE) --alive_[mark];
    mark = block->free;
    if (block->free == LAST_FREE) {
        block->next_with_room = with_room_;
        with_room_ = block;
    }
    block->free = static_cast<Mark>(FREE | index);
    return true;
}

void Pool::begin_search() {
    // Nobody searches so often. If anybody does, what follows is one long search.
    if (search_ + 1 < OUTSIDE) ++search_;
    mark_ = search_;
}

// A place of a finished search, or nothing.
void* Pool::reclaim() {
    do {
        if (void* old = sweep()) return old;
    } while (more_to_reclaim());
    return nullptr;
}

void* Pool::sweep() {
    for (; reclaimed_ > 0 && swept_block_ < blocks_.size(); ++swept_block_, swept_place_ = 0) {
        Block* block = blocks_[swept_block_];
        while (swept_place_ < block->begun) {
            std::size_t index = swept_place_++;
            Mark mark = block->marks()[index];
            if (mark > reclaimed_) continue;
            --alive_[mark];
            return stamp(block, index);
        }
    }
    return nullptr;
}

// Begins another sweep, for the oldest searches that are worth one.
bool Pool::more_to_reclaim() {
    int last_finished = mark_ == OUTSIDE ? search_ : search_ - 1;
    std::size_t boards = 0, worth_it = blocks_.size() * places_ / 64;
    reclaimed_ = 0;
    for (int search = 1; search <= last_finished && boards <= worth_it; ++search) {
        boards += alive_[search];
        if (alive_[search] > 0) reclaimed_ = static_cast<Mark>(search);
    }
    swept_block_ = swept_place_ = 0;
    return boards > 0;
}

// Memory for more places. Blocks stay for ever: whoever still looks at a board that is gone sees another one.
bool Pool::grow() {
    void* memory = ::mmap(nullptr, 2 * BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return false;
    char* begin = static_cast<char*>(memory);
    char* block = reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(begin) + BLOCK - 1) & ~(BLOCK - 1));
    if (block > begin) ::munmap(begin, block - begin);
    ::munmap(block + BLOCK, begin + BLOCK - block);
    blocks_.push_back(new (block) Block);
    remember(blocks_.back());
    return true;
}

std::size_t slot_of(Block* block, std::size_t slots) {
    return (reinterpret_cast<std::uintptr_t>(block) / BLOCK * 0x9e3779b97f4a7c15u >> 32) & (slots - 1);
}

bool Pool::is_block(Block* block) const {
    std::size_t slots = found_.size();
    if (slots == 0) return false;
    for (std::size_t slot = slot_of(block, slots); found_[slot]; slot = (slot + 1) & (slots - 1)) {
        if (found_[slot] == block) return true;
    }
    return false;
}

void Pool::remember(Block* block) {
    if (found_.size() < 2 * blocks_.size()) {
        found_.assign(std::max<std::size_t>(64, 2 * found_.size()), nullptr);
        for (Block* known : blocks_) {
            if (known != block) remember(known);
        }
    }
    std::size_t slots = found_.size(), slot = slot_of(block, slots);
    while (found_[slot]) slot = (slot + 1) & (slots - 1);
    found_[slot] = block;
}

// Never destroyed: boards are made before `main` and deleted after it.
Pool& pool() {
    static Pool* the_pool = new Pool;
    return *the_pool;
}

struct Turn {
    Pool& in = pool();
    Turn() { in.lock(); }
    ~Turn() { in.unlock(); }
};

}  // namespace

void* take_place(std::size_t size) {
    void* place = Turn().in.take(size);
    if (!place) throw std::bad_alloc();
    return place;
}

bool give_back(void* place) noexcept { return place && Turn().in.give_back(place); }

void search_begins() { Turn().in.begin_search(); }

void search_ends() { Turn().in.end_search(); }

std::size_t pool_bytes() { return Turn().in.bytes(); }

std::size_t pool_bound() { return Turn().in.bound(); }

}  // namespace agon
