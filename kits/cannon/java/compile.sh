#!/bin/sh
cd "$(dirname "$0")" && javac Bot.java
