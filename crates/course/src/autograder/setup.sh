#!/usr/bin/env bash
# What submissions need to be built, and bubblewrap, in which bots are contained where the host allows it.
set -eu
apt-get update
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
  build-essential cmake python3 python3-dev pybind11-dev default-jdk-headless bubblewrap
