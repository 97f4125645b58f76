/** A part of a turn. A ring moves from one point to another, a row lies between two; otherwise both are the same. */
class Move {
    enum Kind {
        PLACE, MOVE_RING, TAKE_ROW, TAKE_RING, NOTHING
    }

    final Kind kind;
    final int from;
    final int to;

    Move(Kind kind, int from, int to) {
        this.kind = kind;
        this.from = from;
        this.to = to;
    }
}
