#!/bin/sh
# exec: the bot takes the place of this shell, so that ending the one ends the other.
cd "$(dirname "$0")" && exec java Bot
