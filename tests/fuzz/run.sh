#!/bin/sh
# run.sh [TARGET...]: builds the fuzz targets, and runs each for a while; all of them when none is named. Findings are FAILED lines, and the
# inputs that show them stay in build/fuzz/<real>/<target>-crash-*: `FUZZ_TARGET=<target> build/fuzz/<real>/fuzz FILE` runs one again.
#
# Of the environment:
#   SEED=1              of what libFuzzer draws
#   SECONDS_EACH=20     for each target; 0: no time limit
#   RUNS=-1             ... or so many runs (of random inputs, with ENGINE=replay)
#   REAL=float          or double
#   ENGINE=libfuzzer    or replay: without libFuzzer, for gcc and others
#   CC=clang            gcc with ENGINE=replay
#   CORPUS=             a folder of inputs, one folder a target; build/fuzz/<real>/corpus
#   FUZZ_LIBRARY=       an object of tests/collide.c that is at hand (clang -O1 -g1 -fsanitize=fuzzer-no-link,address,undefined): compiling it
#                       takes minutes. It must be of the same number type
#   SUITES=all          the suites that are linked, by name; "": none, which builds in seconds
#   BUILD_ONLY=         not empty: leaves build/fuzz/<real>/fuzz, and runs nothing
#   JOBS=               compilers, and workers of libFuzzer
set -u
LC_ALL=C
export LC_ALL
ROOT=$(cd "${0%/*}/../.." && pwd)
cd "$ROOT" || exit 1
REAL=${REAL:-float}
ENGINE=${ENGINE:-libfuzzer}
JOBS=${JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)}
OUT=build/fuzz/$REAL
[ "$ENGINE" = libfuzzer ] || OUT=build/fuzz/$ENGINE-$REAL
CORPUS=${CORPUS:-$OUT/corpus}
mkdir -p "$OUT"

complain() {
    echo "FAILED fuzz/$1: $2"
    failed=1
}

# ---- building ----

if [ "$ENGINE" = libfuzzer ]; then
    CC=${CC:-clang}
    SANITIZE='-fsanitize=address,undefined -fno-sanitize=float-divide-by-zero -fno-sanitize-recover=all'
    COVER=-fsanitize=fuzzer-no-link MAIN=
    LINK="$(echo "$CC" | sed 's/clang/clang++/') -fsanitize=fuzzer -static-libstdc++ -static-libgcc" # to be run elsewhere, too
else
    CC=${CC:-cc}
    SANITIZE=${SANITIZE:-} COVER='' LINK=$CC MAIN=tests/fuzz/replay.c
fi
FLAGS="-O1 -g1 -ffp-contract=off -Wall -Wextra -Wno-misleading-indentation -I. -Itests -Itests/fuzz -I$OUT -Itools/src"
[ "$REAL" != double ] || FLAGS="$FLAGS -DCOLLIDE_DOUBLE"

SUITES=${SUITES-all}
[ "$SUITES" != all ] || SUITES=$(ls tests/test_*.c | sed 's/.*test_\(.*\)\.c/\1/')

# Writes standard input to a file, unless it holds that already.
keep() {
    cat >"$1.new"
    if cmp -s "$1" "$1.new"; then rm "$1.new"; else mv "$1.new" "$1"; fi
}

for suite in $SUITES; do echo "SUITE($suite)"; done | keep "$OUT/suites.inc"
{
    echo '#ifdef COLLIDE_DOUBLE'
    sed -n '/^#define \(cd_[a-z0-9_]*\) \1_f64$/p' collide.h
    echo '#endif'
    awk '/^[a-z]/ { print "#include \"" $1 ".h\"" }' tools/modules.txt
} | keep "$OUT/modules.inc"

# compile FLAGS SOURCE...: prints the commands for what is older than its source, or than what all of them include.
compile() {
    with=$1
    shift
    for source in "$@"; do
        object=$OUT/$(echo "${source%.c}" | tr / _).o
        objects="$objects $object"
        newest=$source
        for header in collide.h tests/fuzz/*.h tests/*.h "$OUT/suites.inc"; do
            case $header in *suites.inc) [ "$source" = tests/fuzz/fuzz.c ] || continue ;; esac
            [ "$newest" -nt "$header" ] || newest=$header
        done
        [ "$object" -nt "$newest" ] || echo "$CC $FLAGS $SANITIZE $with -c $source -o $object" >>"$OUT/commands"
    done
}

objects=
: >"$OUT/commands"
if [ -n "${FUZZ_LIBRARY:-}" ]; then objects=$FUZZ_LIBRARY; else compile "$COVER" tests/collide.c; fi
compile "$COVER -Wshadow -Wconversion" tests/fuzz/fuzz_*.c
compile "$COVER -Wno-unused-function -Wno-unused-parameter" tests/fuzz/reader_*.c
compile '-Wshadow -Wconversion' tests/fuzz/fuzz.c $MAIN
compile '' tests/harness.c tests/gen.c tests/cases.c tests/hulls.c tests/sweeps.c tests/oracle.c tests/convex_truth.c \
    tests/any_truth.c tests/any_judge.c tests/any_things.c
for suite in $SUITES; do compile '' "tests/test_$suite.c"; done
if ! xargs -P "$JOBS" -I '{}' sh -c '{}' <"$OUT/commands" >"$OUT/build.log" 2>&1 || [ -s "$OUT/build.log" ] ||
    ! $LINK $SANITIZE $objects -lm -o "$OUT/fuzz" 2>"$OUT/build.log"; then
    echo "FAILED fuzz/build: the targets do not compile without a word"
    sed -e 's/^/    /' -e 40q "$OUT/build.log"
    exit 1
fi
echo "ok fuzz/build"
[ -z "${BUILD_ONLY:-}" ] || exit 0

# ---- running ----

failed=0
[ $# -gt 0 ] || set -- $(tr -d ' \n' <tests/fuzz/targets.h | grep -o 'TARGET([a-z_0-9]*,"' | tr -d 'TARGET(,"')
UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
export UBSAN_OPTIONS
for target in "$@"; do
    FUZZ_TARGET=$target
    export FUZZ_TARGET
    log=$OUT/$target.log
    if [ "$ENGINE" = libfuzzer ]; then
        mkdir -p "$CORPUS/$target"
        "$OUT/fuzz" -max_total_time="${SECONDS_EACH:-20}" -runs="${RUNS:--1}" -timeout=30 -rss_limit_mb=3000 -max_len=4096 -len_control=20 \
            -seed="${SEED:-1}" -print_final_stats=1 -verbosity=1 -artifact_prefix="$OUT/$target-" "$CORPUS/$target" >"$log" 2>&1
    else
        "$OUT/fuzz" -runs="${RUNS:-1000}" >"$log" 2>&1
    fi
    status=$?
    runs=$(sed -n -e 's/^stat::number_of_executed_units: *//p' -e 's/^\([0-9]*\) runs$/\1/p' "$log" | tail -1)
    if [ $status -eq 0 ]; then
        echo "ok fuzz/$target ${runs:-0} runs"
    else
        complain "$target" "$(grep -m 1 -E 'does not hold|: got |runtime error|ERROR: |libFuzzer: ' "$log" | cut -c 1-300)"
        grep -A 3 -E 'does not hold|: got |runtime error|SUMMARY|Test unit written' "$log" | cut -c 1-1500 | sed -e 's/^/    /' -e 20q
    fi
done
exit $failed
