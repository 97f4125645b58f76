#include <cstdio>

// Which of so many moves to play: one after the other, from the first.
extern "C" int choice(int turn, int count) {
    std::printf("printed by C++\n");
    std::fflush(stdout);
    return turn % count;
}
