import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Scanner;

/**
 * A Yinsh bot that plays random legal turns: make it better. Position.java has the rules, Board.java the points.
 *
 * It talks in lines. The first line it reads is "PLAYER N SECONDS K"; after that, every line it reads is a turn of the
 * opponent, and every line it prints is a turn of its own. Stdout is the wire, so print nothing else there. To see what
 * your bot thinks, use System.err.println.
 */
public class Bot {
    private static final Random RANDOM = new Random();

    /**
     * Your idea goes here. This one takes any legal move until the turn is complete. It may play on the position as it
     * likes: it is a copy.
     */
    static List<Move> choose(Position position) {
        List<Move> turn = new ArrayList<>();
        int me = position.player;
        while (position.player == me) {
            List<Move> moves = position.moves();
            if (moves.isEmpty()) {
                break; // The game is over.
            }
            Move move = moves.get(RANDOM.nextInt(moves.size()));
            turn.add(move);
            position.play(move);
        }
        return turn;
    }

    public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in);
        String[] first = input.nextLine().trim().split("\\s+");
        int me = Integer.parseInt(first[0]);
        int size = Integer.parseInt(first[1]);
        int seconds = Integer.parseInt(first[2]); // For the whole game; only the time from reading to printing counts.
        int row = first.length > 3 ? Integer.parseInt(first[3]) : 5; // Old servers do not tell it.

        Board board = new Board(size);
        Position position = new Position(board, size, row);
        for (int player = 1;; player = 3 - player) {
            List<Move> turn;
            if (player == me) {
                turn = choose(position.copy());
                System.out.println(board.write(turn));
                System.out.flush();
            } else if (input.hasNextLine()) {
                turn = board.read(input.nextLine());
            } else {
                return; // No further turn: the game is over.
            }
            turn.forEach(position::play);
        }
    }
}
