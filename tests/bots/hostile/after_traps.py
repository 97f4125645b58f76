"""Looks at what the build before it has left, and takes every trap that is still there for a breach."""

import os
import stat

from common import breach, refused, until_go

until_go()
for folder, folders, files in os.walk("."):
    for name in folders + files:
        path = os.path.join(folder, name)
        mode = os.lstat(path).st_mode
        if mode & (stat.S_ISUID | stat.S_ISGID):
            breach("%s runs as its owner" % path)
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)):
            breach("%s is neither file nor folder" % path)
        if stat.S_ISLNK(mode) and not os.path.realpath(path).startswith(os.getcwd()):
            breach("%s leads to %s" % (path, os.path.realpath(path)))
with open("inside") as file:
    if file.read() != "fine\n":
        breach("a link to a file of its own is gone")
refused()
