import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Scanner;

/**
 * An Ultimate Connect-X bot that plays any legal cell.
 *
 * It is started for every turn: it reads the position from stdin, prints `row col`, and ends.
 */
public class Bot {
    static final int SIZE = 9;

    /** 0 is empty, 1 and 2 are stones. */
    final int[][] grid = new int[SIZE][SIZE];
    /** The number of our stones. */
    final int me;
    /** The opponent's last stone; -1 -1 if there is none. */
    final int lastRow, lastColumn;

    /** Reads the position. */
    Bot(Scanner input) {
        input.nextInt(); // 4, the stones to connect
        input.nextInt(); // 9, the rows
        input.nextInt(); // 9, the columns
        for (int row = 0; row < SIZE; row++) {
            for (int column = 0; column < SIZE; column++) {
                grid[row][column] = input.nextInt();
            }
        }
        me = 3 - input.nextInt();
        lastRow = input.nextInt();
        lastColumn = input.nextInt();
    }

    /** The empty cells of a local board, each as {row, column}. Boards are numbered 0 to 8, row by row. */
    List<int[]> emptyCells(int board) {
        List<int[]> cells = new ArrayList<>();
        int top = board / 3 * 3, left = board % 3 * 3;
        for (int row = top; row < top + 3; row++) {
            for (int column = left; column < left + 3; column++) {
                if (grid[row][column] == 0) {
                    cells.add(new int[] {row, column});
                }
            }
        }
        return cells;
    }

    /** The cells where we may play. */
    List<int[]> legalMoves() {
        if (lastRow < 0) {
            return emptyCells(4); // The first stone goes to the middle.
        }
        // The place of the last stone within its local board is the number of the board where we must play.
        List<int[]> cells = emptyCells(lastRow % 3 * 3 + lastColumn % 3);
        // If that board is full, it is the lowest-numbered one with an empty cell.
        for (int board = 0; cells.isEmpty() && board < 9; board++) {
            cells = emptyCells(board);
        }
        return cells;
    }

    /** Your idea goes here: connect four stones with the number `me` before the opponent does. */
    int[] choose() {
        List<int[]> cells = legalMoves();
        return cells.get(new Random().nextInt(cells.size()));
    }

    public static void main(String[] arguments) {
        int[] cell = new Bot(new Scanner(System.in)).choose();
        System.out.println(cell[0] + " " + cell[1]);
    }
}
