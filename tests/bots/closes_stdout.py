"""Closes its stdout instead of answering, and lives on."""

import os

from ugi import Session, wait_for_ever

Session().asked()
os.close(1)
wait_for_ever()
