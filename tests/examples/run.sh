#!/bin/sh
# Compiles every example with one plain line, and runs those that have a stored output (tests/examples/NAME.txt): it must
# be the same. One that needs more than that, as the mesh tool, has a script tests/examples/NAME.sh, which gets its path.
#
#     tests/examples/run.sh BUILD CC CFLAGS

set -u
cd "${0%/*}/../.." || exit 1
build=$1/examples compiler=$2 flags=$3
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

for source in examples/*.c; do
    [ -e "$source" ] || continue
    name=$(basename "$source" .c)
    want=tests/examples/$name.txt script=tests/examples/$name.sh
    rm -f "$build/$name"
    $compiler $flags -o "$build/$name" "$source" -I. -lm >"$build/output" 2>&1
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
