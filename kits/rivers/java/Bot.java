import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Scanner;
import java.util.Set;

/** A Rivers and Stones bot that plays any legal move. It speaks UGI on stdin and stdout. */
public class Bot {
    static final int[][] DIRECTIONS = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    static final char EMPTY = '.';
    static final Random RANDOM = new Random();

    /** A column and a row, from the top left. `d8` is column 3, row 8. */
    record Cell(int x, int y) {
        static Cell read(String text) {
            return new Cell(text.charAt(0) - 'a', Integer.parseInt(text.substring(1)));
        }

        Cell step(int dx, int dy) {
            return new Cell(x + dx, y + dy);
        }

        @Override
        public String toString() {
            return (char) ('a' + x) + "" + y;
        }
    }

    // ---- the board: S a stone, H a horizontal river, V a vertical one; capitals for circle, small letters for square ----

    final char[][] board;
    boolean circleToMove;

    /** The start: two rows of stones for each side. */
    Bot(String variant) {
        int rows = variant.equals("large") ? 17 : variant.equals("medium") ? 15 : 13;
        int columns = rows - 1;
        board = new char[rows][columns];
        for (char[] row : board) {
            Arrays.fill(row, EMPTY);
        }
        int left = (columns - columns / 2) / 2;
        for (int column = left; column < left + columns / 2; column++) {
            board[3][column] = board[4][column] = 's';
            board[rows - 5][column] = board[rows - 4][column] = 'S';
        }
        circleToMove = true;
    }

    /** Reads `ROW/ROW/…`, where numbers are runs of empty cells, and who is to move. */
    Bot(String rows, boolean circleToMove) {
        String[] lines = rows.split("/");
        board = new char[lines.length][];
        for (int row = 0; row < lines.length; row++) {
            StringBuilder cells = new StringBuilder();
            for (String part : lines[row].split("(?<=[A-Za-z])|(?=[A-Za-z])")) {
                boolean run = Character.isDigit(part.charAt(0));
                cells.append(run ? String.valueOf(EMPTY).repeat(Integer.parseInt(part)) : part);
            }
            board[row] = cells.toString().toCharArray();
        }
        this.circleToMove = circleToMove;
    }

    static boolean isCircle(char piece) {
        return Character.isUpperCase(piece);
    }

    static boolean isRiver(char piece) {
        return "HVhv".indexOf(piece) >= 0;
    }

    char piece(Cell cell) {
        return board[cell.y][cell.x];
    }

    /** Whether a player's pieces may be there: on the board, and not in the area where the opponent scores. */
    boolean isOpen(Cell cell, boolean circle) {
        int rows = board.length, columns = board[0].length, width = (rows - 5) / 2, left = (columns - width) / 2;
        boolean onBoard = cell.x >= 0 && cell.x < columns && cell.y >= 0 && cell.y < rows;
        boolean closedRow = cell.y == (circle ? rows - 3 : 2);
        return onBoard && !(closedRow && cell.x >= left && cell.x < left + width);
    }

    // ---- legal moves, as UGI writes them: d8-d7, d9*d8-d7 (a push), d8h, d8v, d8s (flips), d8r (a rotation) ----

    /** The empty cells where rivers carry a player's piece that comes from `origin`. The first river lies on `start`. */
    Set<Cell> flow(Cell start, char line, Cell origin, boolean circle) {
        Set<Cell> found = new LinkedHashSet<>(), seen = new HashSet<>(Set.of(start));
        Deque<Cell> waiting = new ArrayDeque<>(seen);
        while (!waiting.isEmpty()) {
            Cell river = waiting.pop();
            // On `start` there may still be the stone that is pushed.
            char axis = Character.toUpperCase(river.equals(start) ? line : piece(river));
            for (int way : new int[] {1, -1}) {
                int dx = axis == 'H' ? way : 0, dy = axis == 'H' ? 0 : way;
                for (Cell cell = river.step(dx, dy); isOpen(cell, circle); cell = cell.step(dx, dy)) {
                    if (cell.equals(origin)) {
                        continue; // The piece has left it: no obstacle, but no place to stop either.
                    }
                    if (piece(cell) != EMPTY) {
                        if (isRiver(piece(cell)) && seen.add(cell)) {
                            waiting.add(cell); // Another river carries on along its own line.
                        }
                        break;
                    }
                    found.add(cell);
                }
            }
        }
        return found;
    }

    void addMovesOf(Cell from, Set<String> moves) {
        char mover = piece(from);
        for (int[] way : DIRECTIONS) {
            Cell to = from.step(way[0], way[1]), behind = to.step(way[0], way[1]);
            if (!isOpen(to, isCircle(mover))) {
                continue;
            }
            char other = piece(to);
            if (other == EMPTY) {
                moves.add(from + "-" + to);
            } else if (isRiver(other)) {
                for (Cell end : flow(to, other, from, isCircle(mover))) {
                    moves.add(from + "-" + end);
                }
            } else if (isRiver(mover)) { // It pushes a stone along its line, and becomes a stone.
                for (Cell end : flow(to, mover, from, isCircle(other))) {
                    moves.add(from + "*" + to + "-" + end);
                }
            } else if (isOpen(behind, isCircle(other)) && piece(behind) == EMPTY) {
                moves.add(from + "*" + to + "-" + behind); // A stone pushes a stone, anybody's, by one.
            }
        }
        for (String turn : isRiver(mover) ? List.of("s", "r") : List.of("h", "v")) {
            moves.add(from + turn);
        }
    }

    List<String> legalMoves() {
        Set<String> moves = new LinkedHashSet<>(); // Two ways may lead to one cell.
        for (int y = 0; y < board.length; y++) {
            for (int x = 0; x < board[y].length; x++) {
                if (board[y][x] != EMPTY && isCircle(board[y][x]) == circleToMove) {
                    addMovesOf(new Cell(x, y), moves);
                }
            }
        }
        return new ArrayList<>(moves);
    }

    void put(Cell cell, char kind) {
        board[cell.y][cell.x] = circleToMove ? Character.toUpperCase(kind) : Character.toLowerCase(kind);
    }

    void play(String move) {
        String[] cells = move.split("[*-]");
        if (cells.length == 1) {
            Cell at = Cell.read(move.substring(0, move.length() - 1));
            char turn = move.charAt(move.length() - 1);
            put(at, turn != 'r' ? turn : "Hh".indexOf(piece(at)) >= 0 ? 'V' : 'H');
        } else {
            Cell from = Cell.read(cells[0]), to = Cell.read(cells[1]);
            if (cells.length == 3) {
                Cell end = Cell.read(cells[2]);
                board[end.y][end.x] = piece(to);
                put(to, 'S'); // A river that has pushed is a stone.
            } else {
                put(to, piece(from));
            }
            board[from.y][from.x] = EMPTY;
        }
        circleToMove = !circleToMove;
    }

    /** Your idea goes here: fill your score area with stones before the opponent fills his. */
    String choose() {
        List<String> moves = legalMoves();
        return moves.isEmpty() ? "none" : moves.get(RANDOM.nextInt(moves.size()));
    }

    // ---- UGI ----

    /** Reads `position startpos moves d8-d7 …` or `position fen "ROWS SIDE" moves …`. */
    static Bot readPosition(String line, String variant) {
        String[] words = line.replace("\"", " ").trim().split("\\s+");
        boolean fen = words[1].equals("fen");
        Bot bot = fen ? new Bot(words[2], words[3].equals("circle")) : new Bot(variant);
        int moves = fen ? 4 : 2; // Where the word `moves` is, if there are any.
        for (int i = moves + 1; i < words.length; i++) {
            bot.play(words[i]);
        }
        return bot;
    }

    public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in);
        String variant = "small";
        Bot bot = new Bot(variant);
        while (input.hasNextLine()) {
            String line = input.nextLine().trim();
            if (line.equals("ugi")) {
                System.out.println("id name rivers-java\nugiok");
            } else if (line.startsWith("setoption name Variant value ")) {
                variant = line.substring(line.lastIndexOf(' ') + 1);
            } else if (line.equals("isready")) {
                System.out.println("readyok");
            } else if (line.startsWith("position ")) {
                bot = readPosition(line, variant);
            } else if (line.startsWith("go")) {
                System.out.println("bestmove " + bot.choose());
            } else if (line.equals("quit")) {
                return;
            } // Other options, the beginning of a game: nothing to do.
        }
    }
}
