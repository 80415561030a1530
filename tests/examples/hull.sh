#!/bin/sh
# Hulls of small files, and messages about bad ones.
#
#     tests/examples/hull.sh PATH_TO_BINARY

set -u
case ${1:-} in
'') echo "usage: $0 PATH_TO_BINARY" >&2 && exit 2 ;;
/*) tool=$1 ;;
*) tool=$PWD/$1 ;;
esac
cd "${0%/*}/files" || exit 1
work=${TMPDIR:-/tmp}/hull_test.$$
mkdir "$work" || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

# run CODE MESSAGE ARGUMENTS...: the exit code, and what the last line of the standard error has to be.
run() {
    code=$1 message=$2
    shift 2
    "$tool" "$@" >"$work/out" 2>"$work/err"
    got=$?
    if [ $got -ne "$code" ] || [ "$(tail -n 1 "$work/err")" != "$message" ]; then
        failed=1
        echo "hull $*: exit code $got instead of $code, or not the message '$message' but"
        cat "$work/err"
    fi
}

# points TEXT...: a file of these lines.
points() {
    printf '%s\n' "$@" >"$work/points"
}

# wrote TEXT: what came out, its lines put together.
wrote() {
    [ "$(tr '\n' ';' <"$work/out")" = "$1" ] && return
    failed=1
    echo "wrote $(tr '\n' ';' <"$work/out") instead of $1"
}

run 0 '# dimension 3: 8 vertices, 12 edges, 6 faces, of 8 points' forms.obj
run 0 '# dimension 3: 8 vertices, 12 edges, 6 faces, of 8 points' forms.obj 0.125
: >"$work/points"
run 0 '# dimension -1: 0 vertices, 0 edges, 0 faces, of 0 points' "$work/points"
wrote ''
points '# a comment' '1 2 3' '' '1 2 3'
run 0 '# dimension 0: 1 vertices, 0 edges, 0 faces, of 2 points' "$work/points"
wrote 'v 1 2 3;p 1;'
points '0 0 0' '1 1 1' '  2	2 2' '.5 5e-1 0.5'
run 0 '# dimension 1: 2 vertices, 1 edges, 0 faces, of 4 points' "$work/points"
points 'v 0 0 1' 'v 2 0 1' 'v 2 2 1' 'v 0 2 1' 'v 1 1 1' 'f 1 2 3'
run 0 '# dimension 2: 4 vertices, 4 edges, 2 faces, of 5 points' "$work/points"

points '0 0 0' '1 2'
run 1 "$work/points:2: wanted three numbers" "$work/points"
points '0 0 0' 'v 1 2 x'
run 1 "$work/points:2: wanted three numbers" "$work/points"
points 'nan 0 0'
run 1 "$work/points:1: a number is not finite" "$work/points"
points '0 0 1e999'
run 1 "$work/points:1: a number is not finite" "$work/points"
run 1 "$work/none: No such file or directory" "$work/none"
run 2 'usage: hull [FILE [MERGE_DISTANCE]]' forms.obj -1
run 2 'usage: hull [FILE [MERGE_DISTANCE]]' forms.obj x
run 2 'usage: hull [FILE [MERGE_DISTANCE]]' forms.obj 1 2
exit $failed
