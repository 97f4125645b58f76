// An engine as students of the first round wrote them: alpha-beta on copies of the board, deeper and deeper until it is stopped. The
// board's headers come first and the standard ones after them, which their macros make hard.
#include "board.hpp"
#include "engine.hpp"

#include <algorithm>
#include <chrono>
#include <climits>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <thread>
#include <unordered_map>

using namespace std;

const int DEEPEST = 3;

// Values by place: the twelve bytes are an array.
static const int VALUE[6] = {300, 300, 0, 500, 100, 100};

unordered_map<string, int> seen;

int material(const Board& b) {
    U8* pieces = (U8*)(&(b.data));
    int sum = 0;
    for (int i = 0; i < 12; i++) {
        if (pieces[i] == DEAD) continue;
        int value = VALUE[i % 6];
        if (b.data.board_0[pieces[i]] & BISHOP) value = 500;
        if (b.data.board_0[pieces[i]] & ROOK) value = 300;
        sum += i < 6 ? -value : value;
    }
    return b.data.player_to_play == WHITE ? sum : -sum;
}

bool captures(const Board& b, U16 m) { return b.data.board_0[getp1(m)] != EMPTY || getpromo(m) == PAWN_ROOK; }

int alpha_beta(Board* b, int depth, int alpha, int beta, atomic<bool>& search) {
    unordered_set<U16> moves = b->get_legal_moves();
    if (moves.empty()) return b->in_check() ? -100000 - depth : 0;
    if (depth == 0 || !search) return material(*b);
    vector<U16> ordered(moves.begin(), moves.end());
    sort(ordered.begin(), ordered.end(), [&](U16 a, U16 c) { return captures(*b, a) > captures(*b, c); });
    for (U16 m : ordered) {
        Board* next = b->copy();
        next->do_move(m);
        int score = -alpha_beta(next, depth - 1, -beta, -alpha, search);
        delete next;
        if (score >= beta) return score;
        alpha = max(alpha, score);
    }
    return alpha;
}

void Engine::find_best_move(const Board& b) {
    auto moveset = b.get_legal_moves();
    if (moveset.size() == 0) {
        this->best_move = 0;
        return;
    }
    seen[board_to_str(b.data.board_0)]++;
    cout << all_boards_to_str(b) << endl;
    this->best_move = *moveset.begin();
    unique_ptr<Board> mine(b.copy());
    for (int depth = 1; depth <= DEEPEST && this->search; depth++) {
        int best = INT_MIN;
        for (U16 m : moveset) {
            Board next = *mine;
            next.do_move(move_promo(pos(getx(getp0(m)), gety(getp0(m))), getp1(m), getpromo(m)));
            int score = -alpha_beta(&next, depth - 1, -1000000, 1000000, this->search);
            if (!this->search) break;
            if (score > best) {
                best = score;
                this->best_move = m;
            }
        }
    }
    cout << "playing " << move_to_str(this->best_move) << endl;
}
