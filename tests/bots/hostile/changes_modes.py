"""Opens, closes and redates files that are not its own, without reading or writing them."""

import os

from common import TOLD, breach, refused, until_go

until_go()
for path in TOLD["secrets"] + TOLD["canaries"]:
    try:
        before = os.stat(path)
    except OSError:
        continue
    # Set to what they are: enough to see whether they could be changed.
    for name, change in (
        ("mode", lambda: os.chmod(path, before.st_mode & 0o7777)),
        ("owner", lambda: os.chown(path, before.st_uid, before.st_gid)),
        ("times", lambda: os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))),
        ("attributes", lambda: os.setxattr(path, "user.agon", b"x")),
    ):
        try:
            change()
        except OSError:
            continue
        breach("could change the %s of %s" % (name, path))
refused()
