#!/bin/sh
# Runs the test program of one number type, and shows what it printed when it has ended: two may run at once.
#
#     tests/run.sh BUILD OPTION... REAL

build=$1
shift
options=
while [ $# -gt 1 ]; do
    options="$options $1"
    shift
done
"$build/$1/tests" $options >"$build/$1.log" 2>&1 || echo failed >>"$build/$1.log"
{ echo "== $1 build" && cat "$build/$1.log"; } >"$build/$1.out"
cat "$build/$1.out"
