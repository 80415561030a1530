#!/bin/sh
# Compiles every example with one plain line, and runs those that have a stored output (tests/examples/NAME.txt): it must
# be the same. One that needs more than that, as the mesh tool, has a script tests/examples/NAME.sh, which gets its path.
#
#     tests/examples/run.sh BUILD CC CFLAGS
#
# JOBS (from the environment) are compiled at once. The programs are not those of `make examples`, which may have other flags.

set -u
cd "${0%/*}/../.." || exit 1
build=$1/examples-tested
rm -rf "$build"
mkdir -p "$build"
passed=0 failed=0

# result NAME: counts the exit code of the command before it; the output of a failure is shown.
result() {
    if [ $? -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED example $1"
        sed 's/^/    /' "$build/output"
    fi
}

for source in examples/*.c; do basename "$source" .c; done |
    xargs -n 1 -P "${JOBS:-1}" sh -c '$1 $2 -o "$0/$3" "examples/$3.c" -I. -lm >"$0/$3.log" 2>&1' "$build" "$2" "$3"

for source in examples/*.c; do
    name=$(basename "$source" .c)
    want=tests/examples/$name.txt script=tests/examples/$name.sh
    mv "$build/$name.log" "$build/output" && [ -x "$build/$name" ]
    result "$name: does not compile"
    [ -x "$build/$name" ] || continue
    if [ -e "$want" ]; then
        "$build/$name" >"$build/$name.txt" 2>"$build/output" && diff "$want" "$build/$name.txt" >"$build/output" 2>&1
        result "$name: not the stored output"
    fi
    if [ -e "$script" ]; then
        sh "$script" "$build/$name" >"$build/output" 2>&1
        result "$name: $script"
    fi
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
