#!/bin/sh
# Builds a submission's engine into .agon/bin/rollerball, in the folder where it is called.
#
#   sh .agon/rollerball/build.sh ROUND FILE
#
# ROUND, a2 or a5, is the round of the course for which it seems to be written; the other one is tried after it. FILE is the engine,
# ./engine.cpp or src/engine.cpp. Of the submission its own headers and sources are used, but not its copies of what the course handed out, unless
# nothing else works: the course's own referee did not use them either.

round=$1
engine=$2
folder=${engine%/*}
ours=.agon/rollerball
desk=.agon/desk
compile="${CXX:-g++} -std=c++17 -w -fmax-errors=5"
fast="-O3 -funroll-loops"
# Our own files find each other through ../common.
paths="-I $desk -I $folder -I include -I $ours/common"

handed_out='^(board|bdata|butils|server|uciws|rollerball|rollerball_py|main|arbiter|bindings)\.[ch]pp$|^constants\.hpp$'
handed_out_board='^(board|bdata|butils)\.[ch]pp$|^constants\.hpp$'

# lay_out ROUND ours|theirs: puts our files of a round on the desk and the submission's over them.
lay_out() {
    rm -rf "$desk" && mkdir -p "$desk/objects" && cp "$ours/$1"/* "$desk" || exit 1
    for file in include/*.h include/*.hpp "$folder"/*.h "$folder"/*.hpp "$folder"/*.inl "$folder"/*.cpp; do
        [ -f "$file" ] || continue
        name=${file##*/}
        if ! echo "$name" | grep -Eq "$handed_out" || { [ "$2" = theirs ] && echo "$name" | grep -Eq "$handed_out_board"; }; then
            cp "$file" "$desk/$name"
        fi
    done
    cp "$engine" "$desk/engine.cpp"
}

# compile_all FLAGS SOURCE...
compile_all() {
    flags=$1
    shift
    for source in "$@"; do
        name=${source##*/}
        $compile $flags $paths -c "$source" -o "$desk/objects/${name%.cpp}.o" || return 1
    done
}

link() {
    mkdir -p .agon/bin && $compile "$desk"/objects/*.o -pthread -o .agon/bin/rollerball
}

# Sources that belong to the engine and are neither another engine nor a program of their own.
further_sources() {
    for file in "$folder"/*.cpp; do
        name=${file##*/}
        echo "$name" | grep -Eq "$handed_out" && continue
        grep -Eq 'Engine::find_best_move|(^|[^A-Za-z0-9_])main *\(' "$file" || echo "$desk/$name"
    done
}

# attempt ROUND ours|theirs with|without: builds with or without the standard headers before everything else.
attempt() {
    lay_out "$1" "$2"
    before="-include $ours/common/prelude.hpp"
    [ "$3" = with ] || before=
    compile_all "$fast $before" "$desk/engine.cpp" || return 1
    board=$(cd "$ours/$1" && ls *.cpp | grep -v uciws | sed "s#^#$desk/#")
    compile_all "$fast $before" "$ours/common/generator.cpp" $board || return 1
    # The conversation is not what takes an engine's time.
    slow=$(ls "$ours"/common/*.cpp | grep -v generator)
    compile_all -O1 $slow "$desk/uciws.cpp" || return 1
    link 2> "$desk/unlinked" && return 0
    more=$(further_sources)
    [ -n "$more" ] && compile_all "$fast $before" $more && link && return 0
    cat "$desk/unlinked" >&2
    return 1
}

[ "$round" = a2 ] && other=a5 || other=a2
[ -f "$folder/board.cpp" ] && whose='ours theirs' || whose=ours
for which in "$round" "$other"; do
    for files in $whose; do
        for headers in with without; do
            attempt "$which" "$files" "$headers" 2> .agon/errors && exit 0
            [ -f .agon/first-errors ] || cp .agon/errors .agon/first-errors
        done
    done
done
sed "s#$desk/engine.cpp#$engine#g; s#$desk/#$folder/#g; s#\./##g" .agon/first-errors | head -n 36 >&2
echo "${engine##*/} does not build; above are the errors with the board of $round" >&2
exit 1
