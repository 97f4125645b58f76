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
prelude="-include $ours/common/prelude.hpp"
# Our own files find each other through ../common.
paths="-I $desk -I $folder -I include -I $ours/common"

handed_out='^(board|bdata|butils|server|uciws|rollerball|rollerball_py|main|arbiter|bindings)\.[ch]pp$|^constants\.hpp$'
handed_out_board='^(board|bdata|butils)\.[ch]pp$|^constants\.hpp$'

# lay_out ROUND ours|theirs: puts our files of a round on the desk and the submission's over them.
lay_out() {
    rm -rf "$desk" && mkdir -p "$desk/objects" && cp "$ours/$1"/* "$desk" || exit 1
    echo "s#$desk/engine\.cpp#$engine#g" > .agon/names
    for file in "$folder"/*.h "$folder"/*.hpp "$folder"/*.inl "$folder"/*.cpp include/*.h include/*.hpp; do
        name=${file##*/}
        [ -f "$file" ] && ! grep -qF "#$desk/$name:#" .agon/names || continue
        if ! echo "$name" | grep -Eq "$handed_out" || { [ "$2" = theirs ] && echo "$name" | grep -Eq "$handed_out_board"; }; then
            cp "$file" "$desk/$name"
            echo "s#$desk/$name:#$file:#g" >> .agon/names
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

# Some engines free boards that came from `new`.
[ "$(uname)" = Linux ] && wrapped=-Wl,--wrap=free || wrapped=

link() {
    mkdir -p .agon/bin && $compile "$desk"/objects/*.o -pthread $wrapped -o .agon/bin/rollerball
}

# Sources that belong to the engine and are neither another engine nor a program of their own.
further_sources() {
    for file in "$folder"/*.cpp; do
        name=${file##*/}
        echo "$name" | grep -Eq "$handed_out" && continue
        grep -Eq 'Engine::find_best_move|(^|[^A-Za-z0-9_])main *\(' "$file" || echo "$desk/$name"
    done
}

# Errors in the author's words: files are where the author has them, and ours are called so.
name_files() {
    sed -f .agon/names -e "s#$desk/objects/##g; s#$desk/#(agon) #g; s#$ours/[a-z0-9]*/#(agon) #g; s#\./##g"
}

# attempt ROUND ours|theirs with|without: builds with or without the standard headers before everything else.
attempt() {
    lay_out "$1" "$2"
    [ "$3" = with ] && before=$prelude || before=
    compile_all "$fast $before" "$desk/engine.cpp" || return 1
    board=$(cd "$ours/$1" && ls *.cpp | grep -v uciws | sed "s#^#$desk/#")
    compile_all "$fast $before" "$ours/common/generator.cpp" "$ours/common/pool.cpp" $board || return 1
    # The conversation is not what takes an engine's time. But it reads the engine's header, which may rely on what others include.
    compile_all "-O1 $prelude" "$desk/uciws.cpp" || { [ "$3" = without ] && compile_all -O1 "$desk/uciws.cpp"; } || return 1
    compile_all -O1 "$ours/common/handshake.cpp" "$ours/common/program.cpp" "$ours/common/ring.cpp" "$ours/common/websocket.cpp" || return 1
    [ -z "$wrapped" ] || compile_all "$fast" "$ours/common/freeing.cpp" || return 1
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
            [ -f .agon/first-errors ] || name_files < .agon/errors > .agon/first-errors
        done
    done
done
head -n 36 .agon/first-errors >&2
echo "${engine##*/} does not build; above are the errors with the board of $round" >&2
exit 1
