// A Cannon bot that plays random legal moves: make it better.
//
// It talks in lines. The first line it reads is "PLAYER ROWS COLUMNS SECONDS"; after that, every line it reads is a
// turn of the opponent, and every line it prints is a turn of its own. Stdout is the wire, so print nothing else there.
// To see what your bot thinks, write to std::cerr.

#include <chrono>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

// x counts columns from the left, y counts rows from the top, both from 0.
struct Square {
    int x, y;
};

// A soldier moves (action 'M') to a square, or has its cannon shoot (action 'B') at one.
struct Turn {
    Square soldier;
    char action;
    Square to;
};

std::ostream& operator<<(std::ostream& out, const Turn& turn) {
    return out << "S " << turn.soldier.x << ' ' << turn.soldier.y << ' '
               << turn.action << ' ' << turn.to.x << ' ' << turn.to.y;
}

std::istream& operator>>(std::istream& in, Turn& turn) {
    char letter;  // Always 'S'.
    return in >> letter >> turn.soldier.x >> turn.soldier.y >> turn.action >> turn.to.x >> turn.to.y;
}

class Board {
public:
    Board(int rows, int columns) : squares(rows, std::string(columns, '.')) {
        // Each column holds the soldiers of one side and a hall of the other, at the far end.
        for (int x = 0; x < columns; x++) {
            bool black = x % 2 == 0;
            for (int i = 0; i < 3; i++) squares[black ? rows - 1 - i : i][x] = black ? 'S' : 's';
            squares[black ? 0 : rows - 1][x] = black ? 't' : 'T';
        }
    }

    std::vector<Turn> legal_turns(int player) const {
        std::vector<Turn> turns;
        for (int y = 0; y < int(squares.size()); y++) {
            for (int x = 0; x < int(squares[y].size()); x++) {
                if (!holds({x, y}, player == 1 ? "S" : "s")) continue;
                add_soldier_moves(player, {x, y}, turns);
                add_cannon_turns(player, {x, y}, turns);
            }
        }
        return turns;
    }

    void play(const Turn& turn) {
        char& from = squares[turn.soldier.y][turn.soldier.x];
        char& to = squares[turn.to.y][turn.to.x];
        to = turn.action == 'M' ? from : '.';
        if (turn.action == 'M') from = '.';
    }

private:
    // Rows from the top. 'S' and 'T' are soldiers and halls of player 1, Black, who starts at the bottom and moves up;
    // 's' and 't' those of player 2, White, who starts at the top and moves down; '.' is empty.
    std::vector<std::string> squares;

    // Whether one of the wanted letters stands on a square; outside the board there is none.
    bool holds(Square at, const std::string& wanted) const {
        bool inside = at.y >= 0 && at.y < int(squares.size()) && at.x >= 0 && at.x < int(squares[at.y].size());
        return inside && wanted.find(squares[at.y][at.x]) != std::string::npos;
    }

    // Where a soldier can go on its own: steps, captures to the side, retreats.
    void add_soldier_moves(int player, Square at, std::vector<Turn>& turns) const {
        const std::string enemies = player == 1 ? "st" : "ST", enemy_soldier = player == 1 ? "s" : "S";
        const int ahead = player == 1 ? -1 : 1;
        bool may_retreat = false;
        for (int dx : {-1, 0, 1}) {
            Square before{at.x + dx, at.y + ahead}, beside{at.x + dx, at.y};
            if (holds(before, "." + enemies)) turns.push_back({at, 'M', before});
            if (holds(beside, enemies)) turns.push_back({at, 'M', beside});
            may_retreat = may_retreat || holds(before, enemy_soldier) || holds(beside, enemy_soldier);
        }
        for (int dx : {-2, 0, 2}) {
            Square behind{at.x + dx, at.y - 2 * ahead};
            if (may_retreat && holds(behind, "." + enemy_soldier)) turns.push_back({at, 'M', behind});
        }
    }

    // What cannons (three soldiers in a line) can do whose rear soldier stands on a square.
    void add_cannon_turns(int player, Square rear, std::vector<Turn>& turns) const {
        const std::string enemies = player == 1 ? "st" : "ST", own_soldier = player == 1 ? "S" : "s";
        for (int dx : {-1, 0, 1}) {
            for (int dy : {-1, 0, 1}) {
                auto ahead = [&](int steps) { return Square{rear.x + steps * dx, rear.y + steps * dy}; };
                // A direction of 0 0 leads nowhere: there the square in front is the soldier's own, which is not empty.
                if (!holds(ahead(1), own_soldier) || !holds(ahead(2), own_soldier) || !holds(ahead(3), ".")) continue;
                turns.push_back({rear, 'M', ahead(3)});
                for (int steps : {4, 5}) {
                    // A shot at an empty square is legal too: it is the only way to pass.
                    if (holds(ahead(steps), "." + enemies)) turns.push_back({rear, 'B', ahead(steps)});
                }
            }
        }
    }
};

// Your idea goes here. This one takes any legal turn. Play a turn on a copy of the board to see where it leads.
Turn choose(const Board& board, int player) {
    static std::mt19937 random(std::chrono::system_clock::now().time_since_epoch().count());
    std::vector<Turn> turns = board.legal_turns(player);
    return turns[random() % turns.size()];
}

int main() {
    // The seconds are for the whole game, and only the time between reading a line and printing one counts.
    int me, rows, columns, seconds;
    std::cin >> me >> rows >> columns >> seconds;
    Board board(rows, columns);
    for (int player = 1;; player = 3 - player) {
        Turn turn;
        if (player == me) {
            turn = choose(board, me);
            std::cout << turn << std::endl;  // endl flushes: a turn that stays in the buffer is never seen.
        } else if (!(std::cin >> turn)) {
            return 0;  // No further turn: the game is over.
        }
        board.play(turn);
    }
}
