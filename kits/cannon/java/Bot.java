import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Scanner;

/**
 * A Cannon bot that plays random legal moves: make it better.
 *
 * It talks in lines. The first line it reads is "PLAYER ROWS COLUMNS SECONDS"; after that, every line it reads is a
 * turn of the opponent, and every line it prints is a turn of its own. Stdout is the wire, so print nothing else there.
 * To see what your bot thinks, use System.err.println.
 */
public class Bot {
    private static final Random RANDOM = new Random();

    /** Your idea goes here. This one takes any legal turn. Play a turn on board.copy() to see where it leads. */
    static String choose(Board board, int player) {
        List<String> turns = board.legalTurns(player);
        return turns.get(RANDOM.nextInt(turns.size()));
    }

    public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in);
        int me = input.nextInt();
        Board board = new Board(input.nextInt(), input.nextInt());
        int seconds = input.nextInt(); // For the whole game; only the time from reading a line to printing one counts.
        input.nextLine();

        for (int player = 1;; player = 3 - player) {
            String turn;
            if (player == me) {
                turn = choose(board, me);
                System.out.println(turn);
                System.out.flush();
            } else if (input.hasNextLine()) {
                turn = input.nextLine();
            } else {
                return; // No further turn: the game is over.
            }
            board.play(turn);
        }
    }
}

/** What stands on each square (x, y): x counts columns from the left, y counts rows from the top, both from 0. */
class Board {
    /**
     * Rows from the top. 'S' and 'T' are soldiers and halls of player 1, Black, who starts at the bottom and moves up;
     * 's' and 't' those of player 2, White, who starts at the top and moves down; '.' is empty.
     */
    private final char[][] squares;

    Board(int rows, int columns) {
        squares = new char[rows][columns];
        for (char[] row : squares) {
            Arrays.fill(row, '.');
        }
        // Each column holds the soldiers of one side and a hall of the other, at the far end.
        for (int x = 0; x < columns; x++) {
            boolean black = x % 2 == 0;
            for (int i = 0; i < 3; i++) {
                squares[black ? rows - 1 - i : i][x] = black ? 'S' : 's';
            }
            squares[black ? 0 : rows - 1][x] = black ? 't' : 'T';
        }
    }

    Board copy() {
        Board copy = new Board(squares.length, squares[0].length);
        for (int y = 0; y < squares.length; y++) {
            copy.squares[y] = squares[y].clone();
        }
        return copy;
    }

    /** Plays a turn: "S x y M x2 y2" is a move, "S x y B x2 y2" a shot. */
    void play(String turn) {
        String[] words = turn.trim().split("\\s+");
        int x = Integer.parseInt(words[1]), y = Integer.parseInt(words[2]);
        int toX = Integer.parseInt(words[4]), toY = Integer.parseInt(words[5]);
        if (words[3].equals("M")) {
            squares[toY][toX] = squares[y][x];
            squares[y][x] = '.';
        } else {
            squares[toY][toX] = '.';
        }
    }

    /** All legal turns of a player, as the texts that the referee understands. */
    List<String> legalTurns(int player) {
        List<String> turns = new ArrayList<>();
        for (int y = 0; y < squares.length; y++) {
            for (int x = 0; x < squares[y].length; x++) {
                if (holds(x, y, player == 1 ? "S" : "s")) {
                    addSoldierMoves(player, x, y, turns);
                    addCannonTurns(player, x, y, turns);
                }
            }
        }
        return turns;
    }

    /** Whether one of the wanted letters stands on a square; outside the board there is none. */
    private boolean holds(int x, int y, String wanted) {
        boolean inside = y >= 0 && y < squares.length && x >= 0 && x < squares[y].length;
        return inside && wanted.indexOf(squares[y][x]) >= 0;
    }

    /** Where a soldier can go on its own: steps, captures to the side, retreats. */
    private void addSoldierMoves(int player, int x, int y, List<String> turns) {
        String enemies = player == 1 ? "st" : "ST", enemySoldier = player == 1 ? "s" : "S";
        int before = player == 1 ? y - 1 : y + 1, behind = player == 1 ? y + 2 : y - 2;
        boolean mayRetreat = false;
        for (int toX = x - 1; toX <= x + 1; toX++) {
            if (holds(toX, before, "." + enemies)) {
                turns.add(text(x, y, "M", toX, before));
            }
            if (holds(toX, y, enemies)) {
                turns.add(text(x, y, "M", toX, y));
            }
            mayRetreat |= holds(toX, before, enemySoldier) || holds(toX, y, enemySoldier);
        }
        for (int toX = x - 2; mayRetreat && toX <= x + 2; toX += 2) {
            if (holds(toX, behind, "." + enemySoldier)) {
                turns.add(text(x, y, "M", toX, behind));
            }
        }
    }

    /** What cannons (three soldiers in a line) can do whose rear soldier stands on (x, y). */
    private void addCannonTurns(int player, int x, int y, List<String> turns) {
        String enemies = player == 1 ? "st" : "ST", own = player == 1 ? "S" : "s";
        for (int dx = -1; dx <= 1; dx++) {
            for (int dy = -1; dy <= 1; dy++) {
                boolean cannon = holds(x + dx, y + dy, own) && holds(x + 2 * dx, y + 2 * dy, own);
                // A direction of 0 0 leads nowhere: there the square in front is the soldier's own, which is not empty.
                if (!cannon || !holds(x + 3 * dx, y + 3 * dy, ".")) {
                    continue;
                }
                turns.add(text(x, y, "M", x + 3 * dx, y + 3 * dy));
                for (int steps = 4; steps <= 5; steps++) {
                    // A shot at an empty square is legal too: it is the only way to pass.
                    if (holds(x + steps * dx, y + steps * dy, "." + enemies)) {
                        turns.add(text(x, y, "B", x + steps * dx, y + steps * dy));
                    }
                }
            }
        }
    }

    private static String text(int x, int y, String action, int toX, int toY) {
        return "S " + x + " " + y + " " + action + " " + toX + " " + toY;
    }
}
