# Read before a submission is built: whatever it compiles must fit the Python that will import it.

python=$(python3 -c 'import sys; print(sys.executable)')

# The shims of version managers answer to the name of every Python, and CMake takes the first that answers.
others=$(printf %s "$PATH" | tr ':' '\n' | grep -v '/shims$' | paste -s -d : -)
PATH=$(dirname "$python"):$others
export PATH

# The course's scripts ask Python where pybind11 is, or pybind11-config; here it may be installed without either knowing.
if ! python3 -c 'import pybind11' 2>/dev/null; then
    PYTHONPATH=$PWD/.agon/tools${PYTHONPATH:+:$PYTHONPATH}
    export PYTHONPATH
    if ! command -v pybind11-config >/dev/null; then
        mkdir -p .agon/tools/bin
        printf '#!/bin/sh\nexec python3 -m pybind11 "$@"\n' > .agon/tools/bin/pybind11-config
        chmod +x .agon/tools/bin/pybind11-config
        PATH=$PATH:$PWD/.agon/tools/bin
    fi
fi
