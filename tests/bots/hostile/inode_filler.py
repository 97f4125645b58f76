"""Makes a great many empty files."""

import os

from common import refused, until_go, wait_for_the_end

MOST = 30_000
ALLOWED = 10_000

until_go()
made = 0
try:
    for folder in range(MOST // 1000):
        os.mkdir("f%d" % folder)
        for file in range(1000):
            os.close(os.open("f%d/%d" % (folder, file), os.O_CREAT | os.O_WRONLY))
            made += 1
except OSError:
    pass
if made <= ALLOWED:
    refused("after %d files" % made)
wait_for_the_end(20, "%d files were there for 20 seconds" % made)
