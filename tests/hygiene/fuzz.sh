#!/bin/sh
# The fuzz targets of all areas, for a moment each: always the same inputs, as far as they get. The library is that of the lane
# clang-sanitizers (see tests/check.sh): it is not compiled here. With SOAK, all targets for ten minutes each, with both number types
# and the suites' own cases (see tests/fuzz/run.sh).
. "${0%/*}/common.sh"

LIBRARY=$ROOT/build/check/clang-sanitizers/float/collide.o

fuzz() {
    sh "$ROOT/tests/fuzz/run.sh" >log || failures=$((failures + 1))
    cat log
}

export FUZZ_LIBRARY SUITES RUNS SECONDS_EACH REAL
if ! have clang++; then
    skipped fuzz "no clang++"
elif [ "${SOAK-}" ]; then
    for REAL in float double; do
        FUZZ_LIBRARY='' SUITES=all RUNS=-1 SECONDS_EACH=600 fuzz
    done
elif [ -f "$LIBRARY" ]; then
    FUZZ_LIBRARY=$LIBRARY SUITES='' RUNS=500 SECONDS_EACH=4 JOBS=1 REAL=float fuzz
else
    skipped fuzz "the lane clang-sanitizers left no library"
fi
finish
