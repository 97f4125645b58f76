#!/bin/sh
# Makes build/student_agent.so, which student_agent_cpp.py loads.
set -e
cd "$(dirname "$0")"
mkdir -p build
g++ -O2 -std=c++17 -shared -fPIC -o build/student_agent.so student_agent.cpp
