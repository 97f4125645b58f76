"""Where the system has pybind11."""

import os
import re

PREFIXES = ("/usr", "/usr/local", "/opt/homebrew")


def _first(middles, wanted):
    for prefix in PREFIXES:
        for middle in middles:
            if os.path.exists(os.path.join(prefix, middle, wanted)):
                return os.path.join(prefix, middle)
    raise ImportError("pybind11 is not installed: expected the package pybind11-dev or `pip install pybind11`")


def get_include(user=False):
    """The folder of the headers."""
    return _first(("include",), "pybind11/pybind11.h")


def get_cmake_dir():
    """The folder for CMake."""
    return os.path.join(_first(("lib/cmake", "share/cmake"), "pybind11/pybind11Config.cmake"), "pybind11")


def get_pkgconfig_dir():
    """The folder for pkg-config."""
    return _first(("share/pkgconfig", "lib/pkgconfig"), "pybind11.pc")


def version():
    """The version of the headers."""
    with open(os.path.join(get_include(), "pybind11", "detail", "common.h"), encoding="utf-8") as header:
        found = dict(re.findall(r"#\s*define PYBIND11_VERSION_(MAJOR|MINOR|PATCH)\s+(\w+)", header.read()))
    return "%(MAJOR)s.%(MINOR)s.%(PATCH)s" % found
