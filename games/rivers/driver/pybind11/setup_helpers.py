"""What a setup.py imports: an extension that finds the headers, and the command that builds it."""

import os
import shlex

from setuptools import Extension
from setuptools.command.build_ext import build_ext as _build_ext

from . import get_include

STANDARD = 17


class Pybind11Extension(Extension):
    """An extension in C++ with the headers of pybind11."""

    def __init__(self, *arguments, **named):
        named.setdefault("language", "c++")
        with_pybind11 = named.pop("include_pybind11", True)
        self._standard = named.pop("cxx_std", 0)
        super().__init__(*arguments, **named)
        if with_pybind11 and get_include() not in self.include_dirs:
            self.include_dirs.append(get_include())
        self.extra_compile_args[:0] = ["-fvisibility=hidden"] + shlex.split(os.environ.get("CFLAGS", ""))

    @property
    def cxx_std(self):
        return self._standard

    @cxx_std.setter
    def cxx_std(self, level):
        self._standard = level


class build_ext(_build_ext):
    """Builds each extension by the newest usual standard unless it asks for another one."""

    def build_extensions(self):
        for extension in self.extensions:
            if not any(flag.startswith("-std=") for flag in extension.extra_compile_args):
                standard = getattr(extension, "cxx_std", 0) or STANDARD
                extension.extra_compile_args.append("-std=c++%d" % standard)
        super().build_extensions()


def intree_extensions(paths, package_dir=None):
    """An extension for each source, named after its path."""
    found = []
    for path in paths:
        name = os.path.splitext(path)[0]
        for prefix in (package_dir or {}).values():
            if name.startswith(prefix + os.sep):
                name = name[len(prefix) + 1 :]
        found.append(Pybind11Extension(name.replace(os.sep, "."), [path]))
    return found


def naive_recompile(obj, src):
    """Whether a source is newer than what was made of it."""
    return os.stat(obj).st_mtime < os.stat(src).st_mtime


class ParallelCompile:
    """Compiles one file after the other: there is one core."""

    def __init__(self, envvar=None, default=0, max=0, needs_recompile=None):
        pass

    def install(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass
