/* Plays the first empty cell of the active local board. Fit for the original arena: it reads numbers, not to the end. */

#include <math.h>
#include <stdio.h>

static int grid[9][9];

static int play_in(int board) {
    for (int place = 0; place < 9; place++) {
        int row = board / 3 * 3 + place / 3, column = board % 3 * 3 + place % 3;
        if (grid[row][column] == 0) {
            printf("%d %d\n", row, column);
            return 1;
        }
    }
    return 0;
}

int main(void) {
    int connect, rows, columns, player, row, column;
    if (scanf("%d %d %d", &connect, &rows, &columns) != 3) return 1;
    for (int cell = 0; cell < 81; cell++)
        if (scanf("%d", &grid[cell / 9][cell % 9]) != 1) return 1;
    if (scanf("%d %d %d", &player, &row, &column) != 3) return 1;
    int active = row < 0 ? 4 : row % 3 * 3 + column % 3;
    /* The root is there to see that the mathematical library is linked. */
    if (play_in((int)sqrt((double)(active * active)))) return 0;
    for (int board = 0; board < 9; board++)
        if (play_in(board)) return 0;
    return 1;
}
