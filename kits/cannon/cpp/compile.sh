#!/bin/sh
cd "$(dirname "$0")" && g++ -std=c++17 -O2 -Wall -o bot bot.cpp
