"""Leaves what is hard to remove: folders thousands deep, closed to everybody, with names that are no text."""

import os

from common import refused, until_go

DEPTH = 3000

until_go()
for folder in (os.getcwd(), os.environ["TMPDIR"]):
    os.chdir(folder)
    for name in (b"new\nline", b"\xff\xfe not text", b"-rf", b"a" * 255, b"'; exit 1; '"):
        os.mkdir(name)
        open(name + b"/file" if len(name) < 200 else name + b"/f", "w").close()
        os.chmod(name, 0)
    try:
        for _ in range(DEPTH):
            os.mkdir("deep")
            os.chdir("deep")
    except OSError:
        pass
    open("bottom", "w").close()
    os.chmod(".", 0)
    os.chdir("/")
    try:
        os.chmod(folder, 0)
    except OSError:
        # Not its own, though it may write there.
        pass
refused()
