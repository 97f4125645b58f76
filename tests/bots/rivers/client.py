"""A client in the manner of the original's: connects, asks for the state, moves when it is its turn, and goes.

    python3 client.py circle PORT SCRIPT

SCRIPT is a file with a list of moves. The time that it had before each move is printed.
"""

import json
import sys
import time
import urllib.request


def ask(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request("http://127.0.0.1:%s%s" % (sys.argv[2], path), data=data, method=method)
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def main():
    player = sys.argv[1]
    with open(sys.argv[3]) as file:
        script = json.load(file)
    hello = {"name": "scripted_%s" % player, "strategy": "student", "version": "1.0"}
    assert ask("POST", "/bot/connect/%s" % player, hello)["success"]
    while True:
        state = ask("GET", "/bot/game_state/%s" % player)
        if state["game_status"] == "finished":
            break
        if state["game_status"] != "active" or not state["your_turn"]:
            time.sleep(0.01)
            continue
        print(state["time_left"], flush=True)
        # What a bot says about its time is not believed, least of all this.
        body = {"move": script.pop(0), "thinking_time": -1000.0}
        answer = ask("POST", "/bot/move/%s" % player, body)
        assert answer["success"], answer
    assert ask("POST", "/bot/disconnect/%s" % player, {})["success"]


main()
