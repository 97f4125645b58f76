import time

time.sleep(1)


class StudentAgent:
    def __init__(self, player):
        self.player = player

    def choose(self, *told):
        return {"action": "flip", "from": [3, 9] if self.player == "circle" else [3, 3], "orientation": "vertical"}
