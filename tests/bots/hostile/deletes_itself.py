"""Deletes its own folder with everything in it, and all other folders that it may write to."""

import os
import shutil

from common import refused, until_go

until_go()
for folder in (os.environ["HOME"], os.environ["TMPDIR"], os.getcwd()):
    shutil.rmtree(folder, ignore_errors=True)
refused()
