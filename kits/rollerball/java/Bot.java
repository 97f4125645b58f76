import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A Rollerball bot that plays any legal move. It speaks UGI on stdin and stdout. */
public class Bot {
    /** File and rank, from 0 at the bottom left; also a step. */
    record Square(int x, int y) {
        Square plus(Square step) {
            return new Square(x + step.x, y + step.y);
        }

        @Override
        public String toString() {
            return "" + (char) ('a' + x) + (y + 1);
        }
    }

    /** The promotion is what a pawn becomes, r or b, or nothing. */
    record Move(Square from, Square to, String promotion) {
        /** The referee sends legal moves only. */
        static Move read(String text) {
            Square from = new Square(text.charAt(0) - 'a', text.charAt(1) - '1');
            Square to = new Square(text.charAt(2) - 'a', text.charAt(3) - '1');
            return new Move(from, to, text.substring(4));
        }

        @Override
        public String toString() {
            return "" + from + to + promotion;
        }
    }

    /** Men are letters: P pawn, R rook, B bishop, K king, N knight; capitals for white. */
    static class Position {
        static final char EMPTY = '.', HOLE = '_';
        static final int FAR = 8;
        static final Square NORTH = new Square(0, 1), SOUTH = new Square(0, -1);
        static final Square EAST = new Square(1, 0), WEST = new Square(-1, 0);
        static final Square NORTH_EAST = new Square(1, 1), SOUTH_EAST = new Square(1, -1);
        static final Square NORTH_WEST = new Square(-1, 1), SOUTH_WEST = new Square(-1, -1);
        static final List<Square> PAWN = List.of(SOUTH_WEST, WEST, NORTH_WEST);
        static final List<Square> KING =
                List.of(NORTH, SOUTH, EAST, WEST, NORTH_EAST, SOUTH_EAST, NORTH_WEST, SOUTH_WEST);
        static final List<Square> KNIGHT = List.of(
                new Square(-2, -1), new Square(-2, 1), new Square(-1, -2), new Square(-1, 2),
                new Square(1, -2), new Square(1, 2), new Square(2, -1), new Square(2, 1));

        /** Ranks from the bottom. */
        final char[][] board;
        final int size;
        /** By the rules of the original programs, bishops on corners of the 7-3 board do not bounce. */
        final boolean cornerBishopsBounce;
        boolean whiteToMove;

        /** Reads rows from the top and the side to move. */
        Position(String text, String rules) {
            int end = text.lastIndexOf(' ');
            String[] rows = text.substring(0, end).replace(' ', HOLE).split("/");
            size = rows.length;
            board = new char[size][];
            for (int y = 0; y < size; y++) {
                board[y] = rows[size - 1 - y].toCharArray();
            }
            whiteToMove = text.endsWith("w");
            cornerBishopsBounce = !rules.equals("server") || size != 7;
        }

        Position(Position other) {
            size = other.size;
            board = new char[size][];
            for (int y = 0; y < size; y++) {
                board[y] = other.board[y].clone();
            }
            whiteToMove = other.whiteToMove;
            cornerBishopsBounce = other.cornerBishopsBounce;
        }

        static Position start(String variant, String rules) {
            String text = switch (variant) {
                case "8-4" -> "..prbp../..prkp../..____../..____../..____../..____../..PKRP../..PBRP.. w";
                case "8-2" -> "..r..p../..rknp../..pbnp../...__.../...__.../..PNBP../..PNKR../..P..R.. w";
                default -> "..rbp../..rkp../..___../..___../..___../..PKR../..PBR.. w";
            };
            return new Position(text, rules);
        }

        /** What is on a square; the hole also everywhere outside. */
        char at(Square square) {
            boolean inside = square.x >= 0 && square.x < size && square.y >= 0 && square.y < size;
            return inside ? board[square.y][square.x] : HOLE;
        }

        boolean isOwn(char man) {
            return Character.isLetter(man) && Character.isUpperCase(man) == whiteToMove;
        }

        /** Where a square is after so many clockwise quarter turns of the board. */
        Square turned(Square square, int quarters) {
            for (int i = 0; i < quarters; i++) {
                square = new Square(square.y, size - 1 - square.x);
            }
            return square;
        }

        /**
         * The rules of movement are the same on all four sides of the ring if one turns the board so that the side is at the bottom. By
         * how many quarter turns the bottom has to be turned to become the side of a square.
         */
        int side(Square square) {
            for (int quarters = 0; quarters < 4; quarters++) {
                Square seen = turned(square, (4 - quarters) % 4);
                if (seen.x > seen.y && seen.x < size - seen.y) {
                    return quarters;
                }
            }
            return 0;
        }

        /**
         * Goes step by step and collects the squares it comes to, all as seen from the bottom. Returns the last one if it went at all and no
         * man stopped it, else null.
         */
        Square slide(int side, Square from, Square step, int limit, List<Square> targets) {
            Square last = null;
            Square next = from.plus(step);
            for (int i = 0; i < limit; i++) {
                char man = at(turned(next, side));
                if (man == HOLE) {
                    break;
                }
                if (isOwn(man)) {
                    return null;
                }
                targets.add(next);
                if (man != EMPTY) {
                    return null;
                }
                last = next;
                next = next.plus(step);
            }
            return last;
        }

        void rook(int side, Square from, List<Square> targets) {
            slide(side, from, EAST, 1, targets);
            slide(side, from, SOUTH, 1, targets);
            slide(side, from, NORTH, from.x >= 4 ? 1 : FAR, targets);
            // Forward is west. On the outer ring the way goes on round the corner.
            Square corner = slide(side, from, WEST, FAR, targets);
            if (corner != null && from.y == 0) {
                slide(side, corner, NORTH, FAR, targets);
            }
        }

        void bishop(int side, Square from, List<Square> targets) {
            slide(side, from, NORTH_EAST, 1, targets);
            slide(side, from, SOUTH_EAST, 1, targets);
            boolean bounces = cornerBishopsBounce || from.x != size - 1 || from.y != 0;
            Square inner = slide(side, from, NORTH_WEST, FAR, targets);
            if (inner != null && bounces) {
                slide(side, inner, inner.x == 0 ? NORTH_EAST : SOUTH_WEST, FAR, targets);
            }
            Square outer = slide(side, from, SOUTH_WEST, FAR, targets);
            if (outer != null && bounces) {
                slide(side, outer, NORTH_WEST, FAR, targets);
            }
        }

        /** Adds the moves of a man of the side to move, whether or not they leave its king in check. */
        void movesOf(Square from, List<Move> moves) {
            char man = Character.toUpperCase(at(from));
            int side = side(from);
            Square seen = turned(from, (4 - side) % 4);
            List<Square> targets = new ArrayList<>();
            switch (man) {
                case 'P' -> PAWN.forEach(step -> slide(side, seen, step, 1, targets));
                case 'K' -> KING.forEach(step -> slide(side, seen, step, 1, targets));
                case 'N' -> KNIGHT.forEach(step -> slide(side, seen, step, 1, targets));
                case 'R' -> rook(side, seen, targets);
                default -> bishop(side, seen, targets);
            }
            // The far side is the top for white and the bottom for black; on the third file from its end pawns become something.
            boolean onFarSide = man == 'P' && side == (whiteToMove ? 2 : 0);
            for (Square target : targets) {
                Square to = turned(target, side);
                if (onFarSide && target.x == 2 && target.y < rings()) {
                    moves.add(new Move(from, to, "b"));
                    moves.add(new Move(from, to, "r"));
                } else {
                    moves.add(new Move(from, to, ""));
                }
            }
        }

        int rings() {
            int rings = 0;
            while (at(new Square(size / 2, rings)) != HOLE) {
                rings++;
            }
            return rings;
        }

        /** The moves of the side to move, whether or not they leave its king in check. */
        List<Move> moves() {
            List<Move> moves = new ArrayList<>();
            for (int y = 0; y < size; y++) {
                for (int x = 0; x < size; x++) {
                    if (isOwn(board[y][x])) {
                        movesOf(new Square(x, y), moves);
                    }
                }
            }
            return moves;
        }

        void play(Move move) {
            char man = at(move.from);
            if (!move.promotion.isEmpty()) {
                char kind = move.promotion.charAt(0);
                man = whiteToMove ? Character.toUpperCase(kind) : kind;
            }
            board[move.to.y][move.to.x] = man;
            board[move.from.y][move.from.x] = EMPTY;
            whiteToMove = !whiteToMove;
        }

        /** Whether the side to move could capture the other king. */
        boolean couldCaptureKing() {
            char king = whiteToMove ? 'k' : 'K';
            return moves().stream().anyMatch(reply -> at(reply.to) == king);
        }

        List<Move> legalMoves() {
            List<Move> moves = moves();
            moves.removeIf(candidate -> {
                Position next = new Position(this);
                next.play(candidate);
                return next.couldCaptureKing();
            });
            return moves;
        }
    }

    static final Random RANDOM = new Random();

    /** Your idea goes here: any of the legal moves for now. */
    static Move choose(Position position, List<Move> moves) {
        return moves.get(RANDOM.nextInt(moves.size()));
    }

    /** Words are separated by blanks; one with blanks in it is in double quotes. */
    static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = null;
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char letter = line.charAt(i);
            if (letter == ' ' && !quoted) {
                if (word != null) {
                    words.add(word.toString());
                }
                word = null;
                continue;
            }
            if (word == null) {
                word = new StringBuilder();
            }
            if (letter == '"') {
                quoted = !quoted;
            } else if (letter == '\\' && quoted && i + 1 < line.length()) {
                word.append(line.charAt(++i));
            } else {
                word.append(letter);
            }
        }
        if (word != null) {
            words.add(word.toString());
        }
        return words;
    }

    /** {@code position startpos moves …} or {@code position fen "…" moves …} */
    static Position setUp(List<String> words, String variant, String rules) {
        boolean fen = words.size() > 2 && words.get(1).equals("fen");
        Position position = fen ? new Position(words.get(2), rules) : Position.start(variant, rules);
        int moves = words.indexOf("moves");
        for (int i = moves + 1; moves > 0 && i < words.size(); i++) {
            position.play(Move.read(words.get(i)));
        }
        return position;
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        String variant = "7-3", rules = "text";
        Position position = Position.start(variant, rules);
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            List<String> words = words(line.trim());
            switch (words.isEmpty() ? "" : words.get(0)) {
                case "ugi" -> System.out.println("id name rollerball-java\nugiok");
                case "isready" -> System.out.println("readyok");
                case "setoption" -> {
                    // setoption name NAME value VALUE
                    if (words.size() == 5 && words.get(2).equals("Variant")) {
                        variant = words.get(4);
                    } else if (words.size() == 5 && words.get(2).equals("Rules")) {
                        rules = words.get(4);
                    }
                }
                case "position" -> position = setUp(words, variant, rules);
                case "go" -> {
                    List<Move> moves = position.legalMoves();
                    System.out.println("bestmove " + (moves.isEmpty() ? "0000" : choose(position, moves)));
                }
                case "quit" -> {
                    return;
                }
                default -> { }
            }
            System.out.flush();
        }
    }
}
