"""Runs a StudentAgent for Agon's referee.

    python3 .agon/driver.py MODULE [MODULE ...]

The first module that can be imported is used; it must have a class StudentAgent. The referee and this file exchange
lines of JSON over the pipes that the process was started with:

    {"new": {"player": "circle"}}          -> {"ready": true}   or {"error": "..."}
    {"choose": {"board": [[...]], "rows": 13, "cols": 12, "score_cols": [4, 5, 6, 7],
                "my_time": 120.0, "opponent_time": 120.0}}
                                           -> {"move": {...}, "seconds": 0.01}
                                           or {"illegal": "...", "sent": "...", "seconds": 0.01}
                                           or {"error": "..."}

The agent never sees these pipes: what it prints goes to stderr, and its stdin is empty.
"""

import importlib
import importlib.util
import json
import os
import sys
import time
import traceback
import types

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.dirname(HERE)

# Further from every board than anyone can count; longer numbers would not fit into the answer.
FAR = 10**9

# The places that each action needs; everything else in a move is ignored.
PLACES = {
    "move": ("from", "to"),
    "push": ("from", "to", "pushed_to"),
    "flip": ("from",),
    "rotate": ("from",),
}


def take_pipes():
    """Moves our two pipes out of the agent's reach and gives what it reads and prints a harmless place."""
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    for stream in (sys.stdout, sys.stderr):
        # Agents print emoji and forget to flush.
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
    return requests, answers


def set_paths():
    """The agent's folder comes first, then its build folder, then our stand-ins for the course's files."""
    build = os.path.join(FOLDER, "build")
    first = [FOLDER, build] if os.path.isdir(build) else [FOLDER]
    sys.path[:] = first + [HERE] + [path for path in sys.path if os.path.abspath(path) != HERE]
    os.chdir(FOLDER)
    sys.argv = [os.path.join(FOLDER, "gameEngine.py")]
    if os.path.isdir(build) and not os.path.exists(os.path.join(build, "__init__.py")):
        # `import build.student_agent_module`: an installed package of that name would come before a plain folder.
        package = types.ModuleType("build")
        package.__path__ = [build]
        sys.modules["build"] = package


def load_module(name):
    """Imports a module. The course's text prints `student_agent.cpp.py`, a name that `import` cannot say."""
    printed = os.path.join(FOLDER, name.replace("_cpp", ".cpp") + ".py")
    plain = os.path.join(FOLDER, name + ".py")
    if os.path.isfile(plain) or not name.endswith("_cpp") or not os.path.isfile(printed):
        return importlib.import_module(name)
    spec = importlib.util.spec_from_file_location(name, printed)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def load_agent_class(names):
    """The class StudentAgent of the first module that can be imported."""
    for position, name in enumerate(names):
        try:
            module = load_module(name)
        except ImportError as problem:
            following = names[position + 1 :]
            if not following:
                raise
            print("%s cannot be imported (%s); trying %s" % (name, problem, following[0]), file=sys.stderr)
            continue
        if not hasattr(module, "StudentAgent"):
            raise AttributeError("%s.py has no class StudentAgent" % name)
        return module.StudentAgent


def piece_class():
    """The agent's own idea of a piece, if it has imported one; else ours."""
    found = getattr(sys.modules.get("gameEngine"), "Piece", None)
    return found if isinstance(found, type) else importlib.import_module("agon_rivers").Piece


def make_board(rows, piece):
    """A fresh board of piece objects."""

    def make(cell):
        if cell is None:
            return None
        made = piece(cell["owner"], cell["side"])
        # The constructor turns None into "horizontal", which is not what the original's board held.
        made.orientation = cell["orientation"]
        return made

    return [[make(cell) for cell in row] for row in rows]


def is_empty(value):
    """What the original takes for a missing place. Arrays refuse to be asked whether they are true."""
    try:
        return not value
    except Exception:
        return len(value) == 0


def whole(value):
    """The original's conversion of a coordinate."""
    return max(-FAR, min(FAR, int(value)))


def clean_move(move):
    """The move as an object that JSON can hold."""
    action = move.get("action")
    if not isinstance(action, str):
        return {"action": None if action is None else repr(action)[:100]}
    cleaned = {"action": str(action)}
    for name in PLACES.get(action, ()):
        value = move.get(name)
        if not is_empty(value):
            cleaned[name] = [whole(value[0]), whole(value[1])]
    if action == "flip" and move.get("orientation") in ("horizontal", "vertical"):
        cleaned["orientation"] = str(move["orientation"])
    return cleaned


def answer_for(move):
    """What the referee is told about a result of choose."""
    sent = repr(move)[:500]
    if isinstance(move, dict) and move:
        try:
            return {"move": clean_move(move)}
        except Exception as problem:
            reason = "%s: %s" % (type(problem).__name__, problem)
            return {"illegal": "expected places [column, row] of whole numbers (%s)" % reason[:300], "sent": sent}
    try:
        missing = not move
    except Exception:
        missing = False
    if missing:
        return {"illegal": "no move: choose returned %s" % sent, "sent": sent}
    return {"illegal": "move must be dict: choose returned %s" % type(move).__name__, "sent": sent}


def choose(agent, request):
    """Asks the agent for its move."""
    board = make_board(request["board"], piece_class())
    begun = time.perf_counter()
    move = agent.choose(
        board,
        request["rows"],
        request["cols"],
        list(request["score_cols"]),
        float(request["my_time"]),
        float(request["opponent_time"]),
    )
    seconds = time.perf_counter() - begun
    return dict(answer_for(move), seconds=seconds)


def last_line(problem):
    """What went wrong, in a line; the whole story goes to stderr."""
    traceback.print_exc()
    said = traceback.format_exception_only(type(problem), problem)[-1].strip()
    frames = traceback.extract_tb(problem.__traceback__)
    inside = [frame for frame in frames if os.path.dirname(os.path.abspath(frame.filename)) != HERE]
    if inside:
        said = "%s (%s, line %s)" % (said, os.path.basename(inside[-1].filename), inside[-1].lineno)
    return " ".join(said.split())[:1000]


def flush_prints():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass


def main():
    requests, answers = take_pipes()
    names = sys.argv[1:]
    set_paths()
    agent = None
    for line in requests:
        # Even SystemExit is a failure of the agent: it has to be reported, not obeyed.
        try:
            request = json.loads(line)
            if "new" in request:
                agent = load_agent_class(names)(request["new"]["player"])
                answer = {"ready": True}
            else:
                answer = choose(agent, request["choose"])
        except BaseException as problem:
            answer = {"error": last_line(problem)}
        flush_prints()
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
    # Threads that the agent has left behind must not keep the process alive.
    flush_prints()
    os._exit(0)
