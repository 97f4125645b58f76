"""Leaves messages for its next match and for everybody else, everywhere it can."""

import os

from common import TOLD, breach, refused, until_go

until_go()
message = TOLD["token"] + "-message"
folders = TOLD["canaries"] + [".", os.environ.get("TMPDIR", "/tmp"), "/tmp", "/dev/shm", "/var/tmp", "/run", "/run/lock", "/", "/usr", "/opt", "/etc"]
for folder in folders:
    path = os.path.join(folder, message)
    if os.path.exists(path):
        breach("found the message of the last match in %s" % folder)
# Before it makes anything that only looks like them.
for path in filter(os.path.lexists, TOLD["secrets"]):
    for change in (lambda: open(path, "a").write("x"), lambda: os.truncate(path, 0), lambda: os.unlink(path), lambda: os.rename(path, path + "-moved"),
                   lambda: os.link(path, message + "-hard")):
        try:
            change()
            breach("changed %s" % path)
        except OSError:
            pass
for folder in folders:
    path = os.path.join(folder, message)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write("hello")
        os.symlink("/etc/shadow", path + "-link")
        os.mkfifo(path + "-fifo")
    except OSError:
        pass
refused()
