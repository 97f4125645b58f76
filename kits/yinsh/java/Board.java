import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The points of the board, which are numbered from 0, the lines between them, and turns in their names. */
class Board {
    static final int NONE = -1;

    /** Steps (x, y) along the lines, clockwise from straight up. The last three go the first three backwards. */
    private static final int[][] DIRECTIONS = {{0, 1}, {1, 1}, {1, 0}, {0, -1}, {-1, -1}, {-1, 0}};

    /** The name of each point: "hexagon position". */
    final List<String> names = new ArrayList<>();
    /** The next point from each point in each direction, or NONE. */
    final int[][] next;

    Board(int size) {
        List<List<Integer>> places = new ArrayList<>();
        for (int hexagon = 0; hexagon <= size; hexagon++) {
            for (int position = 0; position < Math.max(1, 6 * hexagon); position++) {
                int side = position / Math.max(1, hexagon);
                int rest = position - side * hexagon;
                if (hexagon < size || rest > 0) { // The outermost hexagon has no corners.
                    int[] one = DIRECTIONS[side], two = DIRECTIONS[(side + 1) % 6];
                    int x = one[0] * (hexagon - rest) + two[0] * rest, y = one[1] * (hexagon - rest) + two[1] * rest;
                    places.add(Arrays.asList(x, y));
                    names.add(hexagon + " " + position);
                }
            }
        }
        next = new int[places.size()][6];
        for (int point = 0; point < places.size(); point++) {
            for (int d = 0; d < 6; d++) {
                int x = places.get(point).get(0) + DIRECTIONS[d][0], y = places.get(point).get(1) + DIRECTIONS[d][1];
                next[point][d] = places.indexOf(Arrays.asList(x, y)); // -1, which is NONE, outside the board
            }
        }
    }

    /** All points from one to another on the same line, both included. */
    List<Integer> line(int from, int to) {
        for (int d = 0; d < 6; d++) {
            List<Integer> points = new ArrayList<>();
            for (int point = from; point != NONE; point = next[point][d]) {
                points.add(point);
                if (point == to) {
                    return points;
                }
            }
        }
        throw new IllegalArgumentException("no line from " + names.get(from) + " to " + names.get(to));
    }

    /** Reads "S 4 0 M 1 3 RS 0 0 RE 4 0 X 1 3": letters and points. S and RS bring the first point of a move. */
    List<Move> read(String text) {
        String[] words = text.trim().split("\\s+");
        List<Move> turn = new ArrayList<>();
        int first = NONE;
        for (int i = 0; i + 2 < words.length; i += 3) {
            int point = names.indexOf(words[i + 1] + " " + words[i + 2]);
            switch (words[i]) {
                case "P": turn.add(new Move(Move.Kind.PLACE, point, point)); break;
                case "M": turn.add(new Move(Move.Kind.MOVE_RING, first, point)); break;
                case "RE": turn.add(new Move(Move.Kind.TAKE_ROW, first, point)); break;
                case "X": turn.add(new Move(Move.Kind.TAKE_RING, point, point)); break;
                default: first = point;
            }
        }
        return turn;
    }

    String write(List<Move> turn) {
        List<String> texts = new ArrayList<>();
        for (Move move : turn) {
            String from = names.get(move.from), to = names.get(move.to);
            switch (move.kind) {
                case PLACE: texts.add("P " + from); break;
                case MOVE_RING: texts.add("S " + from + " M " + to); break;
                case TAKE_ROW: texts.add("RS " + from + " RE " + to); break;
                default: texts.add("X " + from);
            }
        }
        return String.join(" ", texts);
    }
}
