"""Opens files and never closes them."""

import os

from common import breach, refused, until_go

MOST = 5_000
ALLOWED = 512

until_go()
opened = 0
try:
    for opened in range(MOST):
        os.open("/dev/null", os.O_RDONLY)
except OSError:
    pass
if opened > ALLOWED:
    breach("%d open descriptors, allowed were %d" % (opened, ALLOWED))
refused("after %d descriptors" % opened)
