"""python3 -m pybind11, and pybind11-config: prints where pybind11 is."""

import argparse
import sysconfig

from . import __version__, get_cmake_dir, get_include, get_pkgconfig_dir


def includes():
    paths = sysconfig.get_path("include"), sysconfig.get_path("platinclude"), get_include()
    return " ".join("-I" + path for path in dict.fromkeys(paths))


def main():
    parser = argparse.ArgumentParser(prog="pybind11-config")
    parser.add_argument("--version", action="version", version=__version__)
    parser.add_argument("--includes", action="store_true", help="options for the compiler")
    parser.add_argument("--cmakedir", action="store_true", help="the folder for CMake's option -Dpybind11_ROOT")
    parser.add_argument("--pkgconfigdir", action="store_true", help="the folder for the variable PKG_CONFIG_PATH")
    parser.add_argument("--extension-suffix", action="store_true", help="how the name of a module ends")
    told = parser.parse_args()
    if not any(vars(told).values()):
        parser.print_help()
    if told.includes:
        print(includes())
    if told.cmakedir:
        print(get_cmake_dir())
    if told.pkgconfigdir:
        print(get_pkgconfig_dir())
    if told.extension_suffix:
        print(sysconfig.get_config_var("EXT_SUFFIX"))


if __name__ == "__main__":
    main()
