// A Rivers and Stones bot that plays any legal move: a shared library with one function, `choose`, at the end of the file.
// student_agent_cpp.py loads it.

#include <cstdio>
#include <random>
#include <set>
#include <string>
#include <vector>

struct Cell {
    int x, y;  // The column and the row, from the top left.
    bool operator==(const Cell& other) const { return x == other.x && y == other.y; }
    bool operator<(const Cell& other) const { return y != other.y ? y < other.y : x < other.x; }
    Cell operator+(const Cell& step) const { return {x + step.x, y + step.y}; }
};

const Cell DIRECTIONS[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
const char EMPTY = '.';

struct Move {
    std::string action;  // "move", "push", "flip" or "rotate"
    Cell from, to, pushed_to;
    char line;  // Of a stone that is flipped to a river: 'H' or 'V'.
};

// Pieces are letters: S a stone, H a horizontal river, V a vertical one; capitals for circle, small letters for square.
bool is_circle(char piece) { return piece < 'a'; }
char kind(char piece) { return is_circle(piece) ? piece : piece - 'a' + 'A'; }
bool is_river(char piece) { return piece != EMPTY && kind(piece) != 'S'; }

struct Position {
    std::string board;  // Row by row.
    int rows, columns, first_score_column, last_score_column;

    char piece(Cell cell) const { return board[cell.y * columns + cell.x]; }

    // Whether a player's pieces may be there: on the board, and not in the area where the opponent scores.
    bool is_open(Cell cell, bool circle) const {
        if (cell.x < 0 || cell.x >= columns || cell.y < 0 || cell.y >= rows) return false;
        bool closed_row = cell.y == (circle ? rows - 3 : 2);
        return !(closed_row && cell.x >= first_score_column && cell.x <= last_score_column);
    }

    // The empty cells where rivers carry a player's piece that comes from `origin`. The first river lies on `start`.
    std::set<Cell> flow(Cell start, char line, Cell origin, bool circle) const {
        std::set<Cell> found, seen = {start};
        std::vector<std::pair<Cell, char>> waiting = {{start, line}};
        while (!waiting.empty()) {
            auto [river, axis] = waiting.back();
            waiting.pop_back();
            for (int way : {1, -1}) {
                Cell step = axis == 'H' ? Cell{way, 0} : Cell{0, way};
                for (Cell cell = river + step; is_open(cell, circle); cell = cell + step) {
                    if (cell == origin) continue;  // The piece has left it: no obstacle, but no place to stop either.
                    if (piece(cell) == EMPTY) {
                        found.insert(cell);
                        continue;
                    }
                    // Another river carries on along its own line; a stone ends the ride.
                    if (is_river(piece(cell)) && seen.insert(cell).second) waiting.push_back({cell, kind(piece(cell))});
                    break;
                }
            }
        }
        return found;
    }

    void add_moves_of(Cell from, std::vector<Move>& moves) const {
        char mover = piece(from);
        std::set<Cell> ends;  // Two ways may lead to one cell.
        for (Cell step : DIRECTIONS) {
            Cell to = from + step;
            if (!is_open(to, is_circle(mover))) continue;
            char other = piece(to);
            if (other == EMPTY) {
                ends.insert(to);
            } else if (is_river(other)) {
                ends.merge(flow(to, kind(other), from, is_circle(mover)));
            } else if (is_river(mover)) {  // It pushes a stone along its line, and becomes a stone.
                for (Cell end : flow(to, kind(mover), from, is_circle(other))) moves.push_back({"push", from, to, end, 0});
            } else {  // A stone pushes a stone, anybody's, by one.
                Cell end = to + step;
                if (is_open(end, is_circle(other)) && piece(end) == EMPTY) moves.push_back({"push", from, to, end, 0});
            }
        }
        for (Cell end : ends) moves.push_back({"move", from, end, end, 0});
        if (is_river(mover)) {
            moves.push_back({"flip", from, from, from, 0});
            moves.push_back({"rotate", from, from, from, 0});
        } else {
            moves.push_back({"flip", from, from, from, 'H'});
            moves.push_back({"flip", from, from, from, 'V'});
        }
    }

    // Every legal move of a player; there is always one.
    std::vector<Move> legal_moves(bool circle) const {
        std::vector<Move> moves;
        for (int y = 0; y < rows; y++)
            for (int x = 0; x < columns; x++)
                if (piece({x, y}) != EMPTY && is_circle(piece({x, y})) == circle) add_moves_of({x, y}, moves);
        return moves;
    }
};

// Your idea goes here. The times are what is left, in seconds.
Move choose_move(const Position& position, bool circle, double my_time, double opponent_time) {
    (void)my_time, (void)opponent_time;
    static std::mt19937 random(std::random_device{}());
    std::vector<Move> moves = position.legal_moves(circle);
    return moves[random() % moves.size()];
}

// What Python calls: writes the move as JSON into `answer`.
extern "C" void choose(const char* board, int rows, int columns, int first_score_column, int last_score_column, int circle,
                       double my_time, double opponent_time, char* answer, int size) {
    Position position{board, rows, columns, first_score_column, last_score_column};
    Move move = choose_move(position, circle, my_time, opponent_time);
    auto cell = [](const char* name, Cell c) {
        return ", \"" + std::string(name) + "\": [" + std::to_string(c.x) + ", " + std::to_string(c.y) + "]";
    };
    std::string text = "{\"action\": \"" + move.action + "\"" + cell("from", move.from);
    if (move.action == "move" || move.action == "push") text += cell("to", move.to);
    if (move.action == "push") text += cell("pushed_to", move.pushed_to);
    if (move.line) text += std::string(", \"orientation\": \"") + (move.line == 'H' ? "horizontal" : "vertical") + "\"";
    std::snprintf(answer, size, "%s}", text.c_str());
}
