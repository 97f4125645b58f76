"""Stands in for the Python package pybind11 while a submission is built, where only the system's headers are installed.

Build scripts of the course ask it for paths and for its version.
"""

from .commands import get_cmake_dir, get_include, get_pkgconfig_dir, version

__version__ = version()
version_info = tuple(int(part) if part.isdigit() else part for part in __version__.split("."))

__all__ = ("version_info", "__version__", "get_include", "get_cmake_dir", "get_pkgconfig_dir")
