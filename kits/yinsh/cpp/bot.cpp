// A Yinsh bot that plays random legal turns: make it better.
//
// It talks in lines. The first line it reads is "PLAYER N SECONDS K"; after that, every line it reads is a turn of the
// opponent, and every line it prints is a turn of its own. Stdout is the wire, so print nothing else there. To see what
// your bot thinks, write to std::cerr.

#include <algorithm>
#include <array>
#include <chrono>
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

const int NONE = -1;
const int RINGS_TO_WIN = 3;

// Steps (x, y) along the lines of the board, clockwise from straight up. The last three go the first three backwards.
const std::array<std::pair<int, int>, 6> DIRECTIONS = {{{0, 1}, {1, 1}, {1, 0}, {0, -1}, {-1, -1}, {-1, 0}}};

// The points of the board, which are numbered from 0, and the lines between them.
struct Board {
    std::vector<std::pair<int, int>> names;      // hexagon and position of each point
    std::map<std::pair<int, int>, int> numbers;  // the other way round
    std::vector<std::array<int, 6>> next;        // the next point in each direction, or NONE

    explicit Board(int size) {
        std::vector<std::pair<int, int>> places;
        std::map<std::pair<int, int>, int> point_at;
        for (int hexagon = 0; hexagon <= size; hexagon++) {
            for (int position = 0; position < std::max(1, 6 * hexagon); position++) {
                int side = hexagon == 0 ? 0 : position / hexagon, rest = hexagon == 0 ? 0 : position % hexagon;
                if (hexagon == size && rest == 0) continue;  // The outermost hexagon has no corners.
                auto [x1, y1] = DIRECTIONS[side];
                auto [x2, y2] = DIRECTIONS[(side + 1) % 6];
                places.push_back({x1 * (hexagon - rest) + x2 * rest, y1 * (hexagon - rest) + y2 * rest});
                numbers[{hexagon, position}] = point_at[places.back()] = int(names.size());
                names.push_back({hexagon, position});
            }
        }
        for (auto [x, y] : places) {
            next.emplace_back();
            for (int d = 0; d < 6; d++) {
                auto neighbour = point_at.find({x + DIRECTIONS[d].first, y + DIRECTIONS[d].second});
                next.back()[d] = neighbour == point_at.end() ? NONE : neighbour->second;
            }
        }
    }

    // All points from one to another on the same line, both included.
    std::vector<int> line(int from, int to) const {
        for (int d = 0; d < 6; d++) {
            std::vector<int> points = {from};
            while (points.back() != to && next[points.back()][d] != NONE) points.push_back(next[points.back()][d]);
            if (points.back() == to) return points;
        }
        return {};
    }
};

enum Kind { PLACE, MOVE, TAKE_ROW, TAKE_RING, NOTHING };

// A part of a turn. A ring moves from one point to another, a row lies between two; otherwise both are the same.
struct Move {
    Kind kind;
    int from, to;
};

using Turn = std::vector<Move>;

// What stands on each point, who is to move, and which kind of move is due.
struct Position {
    const Board* board;
    int rings;       // for each player
    int row;         // markers in a row
    std::string at;  // for each point '.', a ring 'A' or 'B', or a marker 'a' or 'b'
    int player = 1;
    Kind due = PLACE;
    bool given = false;  // Whether the row that is due was made by the opponent, so that a ring move comes after it.
    std::array<int, 3> taken = {};  // rings, by player

    Position(const Board& board, int rings, int row)
        : board(&board), rings(rings), row(row), at(board.names.size(), '.') {}

    char ring() const { return player == 1 ? 'A' : 'B'; }
    char marker() const { return player == 1 ? 'a' : 'b'; }

    // All legal moves.
    std::vector<Move> moves() const {
        if (due == TAKE_ROW) return rows();
        std::vector<Move> found;
        for (int point = 0; point < int(at.size()); point++) {
            if (due == PLACE && at[point] == '.') found.push_back({PLACE, point, point});
            if (due == TAKE_RING && at[point] == ring()) found.push_back({TAKE_RING, point, point});
            if (due == MOVE && at[point] == ring()) add_ring_moves(point, found);
        }
        return found;
    }

    // A ring goes over empty points, and then over one block of markers to the point right behind it.
    void add_ring_moves(int from, std::vector<Move>& found) const {
        for (int d = 0; d < 6; d++) {
            bool jumped = false;
            for (int to = board->next[from][d]; to != NONE; to = board->next[to][d]) {
                if (at[to] == 'A' || at[to] == 'B') break;
                if (at[to] == '.') {
                    found.push_back({MOVE, from, to});
                    if (jumped) break;
                } else {
                    jumped = true;
                }
            }
        }
    }

    // The rows that the player to move could take. In a longer run any part of the right length will do.
    std::vector<Move> rows() const {
        std::vector<Move> found;
        for (int start = 0; start < int(at.size()); start++) {
            for (int d = 0; d < 3; d++) {
                int length = 0;
                for (int end = start; end != NONE && at[end] == marker() && length < row; end = board->next[end][d]) {
                    length++;
                    if (length == row) found.push_back({TAKE_ROW, start, end});
                }
            }
        }
        return found;
    }

    void play(const Move& move) {
        if (move.kind == PLACE) {
            at[move.from] = ring();
            end_turn();
        } else if (move.kind == MOVE) {
            given = false;
            for (int crossed : board->line(move.from, move.to)) {
                if (at[crossed] == 'a' || at[crossed] == 'b') at[crossed] = at[crossed] == 'a' ? 'b' : 'a';
            }
            at[move.from] = marker();
            at[move.to] = ring();
            if (rows().empty()) end_turn();
            else due = TAKE_ROW;
        } else if (move.kind == TAKE_ROW) {
            for (int point : board->line(move.from, move.to)) at[point] = '.';
            due = TAKE_RING;
        } else if (move.kind == TAKE_RING) {
            at[move.from] = '.';
            if (++taken[player] == RINGS_TO_WIN) {
                due = NOTHING;
            } else if (!rows().empty()) {
                // With two rows from the opponent there is no ring move any more: the course's server plays it so.
                due = TAKE_ROW;
                given = false;
            } else if (given) {
                due = MOVE;
            } else {
                end_turn();
            }
        }
    }

    void end_turn() {
        bool placing = due == PLACE;
        player = 3 - player;
        given = !rows().empty();
        if (placing && std::count(at.begin(), at.end(), ring()) < rings) due = PLACE;
        else due = given ? TAKE_ROW : MOVE;
    }
};

// Your idea goes here. This one takes any legal move until the turn is complete. It plays on a copy of the position.
Turn choose(Position position) {
    static std::mt19937 random(std::chrono::system_clock::now().time_since_epoch().count());
    Turn turn;
    int me = position.player;
    while (position.player == me) {
        std::vector<Move> moves = position.moves();
        if (moves.empty()) break;  // The game is over.
        turn.push_back(moves[random() % moves.size()]);
        position.play(turn.back());
    }
    return turn;
}

// "S 4 0 M 1 3 RS 0 0 RE 4 0 X 1 3": letters and points. M and RE bring the second point of a move.
Turn read_turn(const Board& board, const std::string& text) {
    const std::map<std::string, Kind> kinds = {{"P", PLACE}, {"S", MOVE}, {"RS", TAKE_ROW}, {"X", TAKE_RING}};
    Turn turn;
    std::istringstream words(text);
    std::string letter;
    int hexagon, position;
    while (words >> letter >> hexagon >> position) {
        int point = board.numbers.at({hexagon, position});
        if (letter == "M" || letter == "RE") turn.back().to = point;
        else turn.push_back({kinds.at(letter), point, point});
    }
    return turn;
}

std::string write_turn(const Board& board, const Turn& turn) {
    std::string text;
    auto write = [&](const std::string& letter, int point) {
        auto [hexagon, position] = board.names[point];
        text += (text.empty() ? "" : " ") + letter + " " + std::to_string(hexagon) + " " + std::to_string(position);
    };
    for (const Move& move : turn) {
        const std::string letters[] = {"P", "S", "RS", "X"};
        write(letters[move.kind], move.from);
        if (move.kind == MOVE) write("M", move.to);
        if (move.kind == TAKE_ROW) write("RE", move.to);
    }
    return text;
}

int main() {
    // The seconds are for the whole game, and only the time between reading a line and printing one counts.
    int me, size, seconds, row = 5;
    std::string line;
    std::getline(std::cin, line);
    std::istringstream first(line);
    first >> me >> size >> seconds;
    if (int told; first >> told) row = told;  // Old servers do not tell it.

    Board board(size);
    Position position(board, size, row);
    for (int player = 1;; player = 3 - player) {
        Turn turn;
        if (player == me) {
            turn = choose(position);
            std::cout << write_turn(board, turn) << std::endl;  // endl flushes: a turn in the buffer is never seen.
        } else {
            if (!std::getline(std::cin, line)) return 0;  // The game is over.
            turn = read_turn(board, line);
        }
        for (const Move& move : turn) position.play(move);
    }
}
