import build.student_agent_module as student_agent


class StudentAgent:
    def __init__(self, player):
        self.agent = student_agent.StudentAgent(player)

    def choose(self, board, rows, cols, score_cols, current_player_time, opponent_time):
        def described(cell):
            return {name: value or "" for name, value in cell.to_dict().items()} if cell else {}

        cells = [[described(cell) for cell in row] for row in board]
        move = self.agent.choose(cells, rows, cols, score_cols, current_player_time, opponent_time)
        return {"action": move.action, "from": move.from_pos, "to": move.to_pos, "orientation": move.orientation}
