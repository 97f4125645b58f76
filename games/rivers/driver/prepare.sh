# Read before a submission is built: whatever it compiles must fit the Python that will import it.

python=$(python3 -c 'import sys; print(sys.executable)')

# The shims of version managers answer to the name of every Python, and CMake takes the first that answers.
others=$(printf %s "$PATH" | tr ':' '\n' | grep -v '/shims$' | paste -s -d : -)
PATH=$(dirname "$python"):$others
export PATH

# The course's scripts ask Python where pybind11 is; here it may be installed without Python knowing.
if ! python3 -c 'import pybind11' 2>/dev/null; then
    PYTHONPATH=$PWD/.agon/tools${PYTHONPATH:+:$PYTHONPATH}
    export PYTHONPATH
fi
