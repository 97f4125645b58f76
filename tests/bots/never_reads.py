"""Says that it is there, and reads nothing of what it is told."""

from ugi import say, wait_for_ever

say("ugiok")
wait_for_ever()
