// Moves on a ring, for both generations of the board.
#pragma once

#include <cstdint>

#include "ring.hpp"

namespace agon {

// Whether bishops on corners of the small board of the second round bounce. They did; but who conducts a game by the rules of the first
// round may say that they do not.
inline bool corner_bishops_bounce = true;

// The men of one side: where they are (64 and more: nowhere), and which of them is the king.
struct Army {
    const std::uint8_t* squares;
    int count;
    int king;
    std::uint8_t colour;
};

// What the generations of the board write differently.
struct Encoding {
    std::uint8_t colours;  // the bits of both colours
    std::uint8_t dead;     // where captured men are
};

// Moves as the course packs them: target, promotion, origin.
struct MoveList {
    static constexpr int ROOM = 1024;
    std::uint16_t moves[ROOM];
    int count = 0;

    void add(int from, int to, int promotion) {
        if (count < ROOM) moves[count++] = static_cast<std::uint16_t>(from << 8 | to | promotion);
    }
};

// Reads a board of 64 bytes that it does not own.
class Generator {
  public:
    Generator(const Ring& ring, Encoding encoding, const std::uint8_t* board)
        : ring_(ring), encoding_(encoding), board_(board) {}

    // Where the man on a square could go if kings did not matter.
    void man(int square, MoveList& list) const;
    // The same for all men of a side.
    void side(const Army& army, MoveList& list) const;
    // Whether a man of the army could go to a square.
    bool attacked(const Army& by, int square) const { return attacked(board_, by, square, encoding_.dead); }
    // The moves of `us` that do not leave its king attacked by `them`.
    void legal(const Army& us, const Army& them, MoveList& list) const;

  private:
    const Ring& ring_;
    Encoding encoding_;
    const std::uint8_t* board_;

    // Whether a man there is not on the board: captured, or put anywhere by somebody who wrote to the squares.
    bool absent(int square) const { return square == encoding_.dead || square > 63 || ring_.side(square) < 0; }
    bool attacked(const std::uint8_t* board, const Army& by, int square, int captured) const;
};

}  // namespace agon
