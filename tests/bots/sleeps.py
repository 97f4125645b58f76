"""Never answers."""

from ugi import Session, wait_for_ever

Session().asked()
wait_for_ever()
