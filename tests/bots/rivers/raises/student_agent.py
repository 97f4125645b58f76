class StudentAgent:
    def __init__(self, player):
        self.player = player

    def choose(self, board, rows, cols, score_cols, current_player_time, opponent_time):
        return board[rows][cols]
