import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What stands on each point, who is to move, and which kind of move is due. */
class Position {
    private static final int RINGS_TO_WIN = 3;

    final Board board;
    final int rings; // for each player
    final int row; // markers in a row
    char[] at; // for each point '.', a ring 'A' or 'B', or a marker 'a' or 'b'
    int player = 1;
    Move.Kind due = Move.Kind.PLACE;
    boolean given = false; // Whether the row that is due was made by the opponent, so that a ring move comes after it.
    int[] taken = new int[3]; // rings, by player

    Position(Board board, int rings, int row) {
        this.board = board;
        this.rings = rings;
        this.row = row;
        at = new char[board.names.size()];
        Arrays.fill(at, '.');
    }

    Position copy() {
        Position copy = new Position(board, rings, row);
        copy.at = at.clone();
        copy.player = player;
        copy.due = due;
        copy.given = given;
        copy.taken = taken.clone();
        return copy;
    }

    private char ring() {
        return player == 1 ? 'A' : 'B';
    }

    private char marker() {
        return player == 1 ? 'a' : 'b';
    }

    /** All legal moves. */
    List<Move> moves() {
        if (due == Move.Kind.TAKE_ROW) {
            return rows();
        }
        List<Move> found = new ArrayList<>();
        for (int point = 0; point < at.length; point++) {
            boolean empty = at[point] == '.', own = at[point] == ring();
            if (due == Move.Kind.PLACE && empty || due == Move.Kind.TAKE_RING && own) {
                found.add(new Move(due, point, point));
            } else if (due == Move.Kind.MOVE_RING && own) {
                addRingMoves(point, found);
            }
        }
        return found;
    }

    /** A ring goes over empty points, and then over one block of markers to the point right behind it. */
    private void addRingMoves(int from, List<Move> found) {
        for (int d = 0; d < 6; d++) {
            boolean jumped = false;
            for (int to = board.next[from][d]; to != Board.NONE; to = board.next[to][d]) {
                if (at[to] == 'A' || at[to] == 'B') {
                    break;
                } else if (at[to] != '.') {
                    jumped = true;
                } else {
                    found.add(new Move(Move.Kind.MOVE_RING, from, to));
                    if (jumped) {
                        break;
                    }
                }
            }
        }
    }

    /** The rows that the player to move could take. In a longer run any part of the right length will do. */
    private List<Move> rows() {
        List<Move> found = new ArrayList<>();
        for (int start = 0; start < at.length; start++) {
            for (int d = 0; d < 3; d++) {
                int length = 0;
                for (int end = start; end != Board.NONE && at[end] == marker(); end = board.next[end][d]) {
                    length++;
                    if (length == row) {
                        found.add(new Move(Move.Kind.TAKE_ROW, start, end));
                        break;
                    }
                }
            }
        }
        return found;
    }

    void play(Move move) {
        switch (move.kind) {
            case PLACE:
                at[move.from] = ring();
                endTurn();
                break;
            case MOVE_RING:
                moveRing(move.from, move.to);
                break;
            case TAKE_ROW:
                board.line(move.from, move.to).forEach(point -> at[point] = '.');
                due = Move.Kind.TAKE_RING;
                break;
            default:
                takeRing(move.from);
        }
    }

    private void moveRing(int from, int to) {
        given = false;
        for (int crossed : board.line(from, to)) {
            if (at[crossed] == 'a' || at[crossed] == 'b') {
                at[crossed] = at[crossed] == 'a' ? 'b' : 'a';
            }
        }
        at[from] = marker();
        at[to] = ring();
        if (rows().isEmpty()) {
            endTurn();
        } else {
            due = Move.Kind.TAKE_ROW;
        }
    }

    private void takeRing(int point) {
        at[point] = '.';
        taken[player]++;
        if (taken[player] == RINGS_TO_WIN) {
            due = Move.Kind.NOTHING;
        } else if (!rows().isEmpty()) {
            // With two rows from the opponent there is no ring move any more: the course's server plays it so.
            due = Move.Kind.TAKE_ROW;
            given = false;
        } else if (given) {
            due = Move.Kind.MOVE_RING;
        } else {
            endTurn();
        }
    }

    private void endTurn() {
        boolean placing = due == Move.Kind.PLACE;
        player = 3 - player;
        given = !rows().isEmpty();
        if (placing && new String(at).chars().filter(piece -> piece == ring()).count() < rings) {
            due = Move.Kind.PLACE;
        } else {
            due = given ? Move.Kind.TAKE_ROW : Move.Kind.MOVE_RING;
        }
    }
}
