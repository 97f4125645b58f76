#include "worth.hpp"

int worth(const Board& b) {
    U8* pieces = (U8*)&b.data;
    int sum = 0;
    for (int i = 0; i < 2 * b.data.n_pieces; i++) {
        if (pieces[i] == DEAD) continue;
        U8 piece = b.data.board_0[pieces[i]];
        int value = piece & PAWN ? 1 : piece & BISHOP ? 5 : piece & KING ? 0 : 3;
        sum += color(piece) == b.data.player_to_play ? value : -value;
    }
    return sum;
}
