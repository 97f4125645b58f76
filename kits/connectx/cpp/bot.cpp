// An Ultimate Connect-X bot that plays any legal cell.
//
// It is started for every turn: it reads the position from stdin, prints `row col`, and ends.

#include <iostream>
#include <random>
#include <vector>

const int SIZE = 9;

struct Cell {
    int row, column;
};

struct Position {
    int grid[SIZE][SIZE];  // 0 is empty, 1 and 2 are stones.
    int me;                // The number of our stones.
    Cell last;             // The opponent's last stone; -1 -1 if there is none.
};

Position read_position() {
    Position position;
    int connect, rows, columns, last_player;
    std::cin >> connect >> rows >> columns;  // 4 9 9
    for (auto& row : position.grid)
        for (int& stone : row) std::cin >> stone;
    std::cin >> last_player >> position.last.row >> position.last.column;
    position.me = 3 - last_player;
    return position;
}

// The empty cells of a local board. Boards are numbered 0 to 8, row by row.
std::vector<Cell> empty_cells(const Position& position, int board) {
    std::vector<Cell> cells;
    int top = board / 3 * 3, left = board % 3 * 3;
    for (int row = top; row < top + 3; row++)
        for (int column = left; column < left + 3; column++)
            if (position.grid[row][column] == 0) cells.push_back({row, column});
    return cells;
}

// The cells where we may play.
std::vector<Cell> legal_moves(const Position& position) {
    if (position.last.row < 0) return empty_cells(position, 4);  // The first stone goes to the middle.
    // The place of the last stone within its local board is the number of the board where we must play.
    std::vector<Cell> cells = empty_cells(position, position.last.row % 3 * 3 + position.last.column % 3);
    // If that board is full, it is the lowest-numbered one with an empty cell.
    for (int board = 0; cells.empty() && board < 9; board++) cells = empty_cells(position, board);
    return cells;
}

// Your idea goes here: connect four stones with the number `position.me` before the opponent does.
Cell choose(const Position& position) {
    std::vector<Cell> cells = legal_moves(position);
    std::mt19937 random(std::random_device{}());
    return cells[random() % cells.size()];
}

int main() {
    Cell cell = choose(read_position());
    std::cout << cell.row << " " << cell.column << std::endl;
}
