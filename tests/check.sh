#!/bin/sh
# What `make check` runs: the hygiene scripts, and the tests in every lane: a compiler, its flags, perhaps an emulator. Each
# lane runs the float and the double build, and all lanes must agree on the hash over results that the tests print.
#
#     tests/check.sh [WORD...]     only the scripts and lanes whose names contain one of the words
#
# Scripts and lanes are jobs, JOBS of them at once (from the environment, as is SEED). What is not installed is skipped, and
# counts neither way. The last line is `N passed, N failed`, over hygiene lines, test cases of lanes, and hashes compared.

set -u
cd "${0%/*}/.." || exit 1
unset MAKEFLAGS MFLAGS MAKELEVEL
SEED=${SEED:-1} JOBS=${JOBS:-2}
export SEED JOBS
BUILD=build/check
RESULTS=$BUILD/results # a file for each job: lines `count PASSED FAILED`, `hash REAL VALUE LANE`, `row TEXT`

# ---- the lanes: NAME SIZE NEEDS RUNNER MAKE-VARIABLE... ----
#
# NEEDS are the commands that must exist. SIZE is 1 where the tests run in full, and smaller in lanes that are slow, or that
# differ little from others, so that all is done in some 35 minutes on two cores. Long lanes come first. In a `library` lane only the
# library is compiled with the lane's compiler and flags; its tests are those of the first lane (BASE names it). REALS leaves out
# a number type where it would show little that other lanes do not, and SUITES what other lanes stand for. FUSED names the tool
# and the machine for tests/fused.sh, in lanes whose flags let the compiler fuse products and sums.
#
# SUITE_CFLAGS has suites compiled without optimising, where that takes longer than the suites then run.
#
# The first lane draws from another seed than `make test`, and runs as much.
#
# LEVEL is the instances of kernels that are taken in all cases, where others take turns; see tests/test.h. COVERED has
# tests/coverage.py look at what the tests reached.
#
# TESTED, from the environment, is a folder in which `cc -O2` has just built the test programs: where cc is gcc, they are those
# of the first lane. With SOAK=n (`make soak`) all lanes run all suites with both number types, n times as much of each.

lanes() {
    fma= fused=
    if grep -q -w -s fma /proc/cpuinfo; then fma='objdump x86' fused='-mavx2 -mfma'; fi
    # Where bytes, bits and blocks of memory are looked at, and what hangs on the machine: a few seconds where it is not emulated.
    part="SUITES=any_matrix batch batch_rays box_manifold bvh bvh_compact bvh_fuzz bvh_layouts bvh_nodes bvh_rays bvh_volumes \
        bvtree classic_kdtree corpus dyntree gjk hash heights hull integer manifold mesh_view obb predicate trig \
        uncertain vec"
    float=REALS=float double=REALS=double
    if [ "${SOAK-}" ]; then part=SOAK=1 float=SOAK=1 double=SOAK=1; fi
    # Without lines in AddressSanitizer's traces (add -g1 to see them), and with clang's quick ways to choose instructions and
    # registers: the library with all its checks is a third sooner compiled than it then runs longer.
    sanitize='-fno-sanitize-recover=all -Werror -fsanitize='
    quick='-mllvm -fast-isel=true -mllvm -optimize-regalloc=false -mllvm -regalloc=fast'
    lane gcc-O2 0.1 gcc '' CC=gcc CFLAGS='-O2 -Werror' BASE=$(tested)
    # With what libFuzzer asks for: tests/hygiene/fuzz.sh takes the library's object.
    lane clang-sanitizers 0.02 clang '' CC=clang CFLAGS="-O1 ${sanitize}undefined,address" \
        SUITE_CFLAGS="-O0 ${sanitize}undefined,address" \
        IMPLEMENTATION_CFLAGS="-O1 $quick ${sanitize}undefined,address,fuzzer-no-link" $float LEVEL=1
    lane clang-memory 0.02 clang '' CC=clang CFLAGS="-O1 ${sanitize}memory" SUITE_CFLAGS="-O0 ${sanitize}memory" \
        IMPLEMENTATION_CFLAGS="-O1 $quick ${sanitize}memory" $double LEVEL=2
    library_lane gcc-O0-coverage 0.01 gcc CC=gcc CFLAGS=-O0 IMPLEMENTATION_CFLAGS='-O0 --coverage' LDLIBS='-lm --coverage' COVERED=yes
    emulated aarch64 $double "$part" CC=aarch64-linux-gnu-gcc IMPLEMENTATION_CFLAGS=-O2 FUSED='aarch64-linux-gnu-objdump arm'
    emulated arm $float "$part" CC=arm-linux-gnueabihf-gcc # scalar: its NEON flushes small numbers
    emulated riscv64 $double "$part" CC=riscv64-linux-gnu-gcc
    emulated s390x $float "$part" CC=s390x-linux-gnu-gcc # big-endian
    lane gcc-m32-sse2 0.03 i686-linux-gnu-gcc '' \
        CC=i686-linux-gnu-gcc CFLAGS='-O1 -msse2 -mfpmath=sse -static' SUITE_CFLAGS='-O0 -msse2 -mfpmath=sse' $float "$part"
    lane windows-gcc 0.02 'x86_64-w64-mingw32-gcc-win32 wine' tests/wine.sh CC=x86_64-w64-mingw32-gcc-win32 \
        CFLAGS='-O1 -static -D__USE_MINGW_ANSI_STDIO=1' SUITE_CFLAGS='-O0 -D__USE_MINGW_ANSI_STDIO=1' $double "$part" LEVEL=1
    # Clang 14 moves loads behind stores where they fill a vector; simd.h keeps it from that, but in loops that the compiler makes
    # vectors of itself it cannot. Node's WASI writes into freed memory when a program's memory has grown: it is large from the start.
    wasm wasm-simd $float "$part" IMPLEMENTATION_CFLAGS='-O2 -msimd128 -fno-vectorize -fno-slp-vectorize'
    wasm wasm-scalar $double "$part" IMPLEMENTATION_CFLAGS='-O1 -fno-vectorize -fno-slp-vectorize'
    library_lane gcc-O3-native-gnu99 0.03 gcc CC=gcc CFLAGS='-O3 -march=native -std=gnu99 -Werror' $float FUSED="$fma"
    library_lane clang-O3-native 0.03 clang CC=clang CFLAGS='-O3 -march=native -Werror' $double LEVEL=2 FUSED="$fma"
    library_lane gcc-11-O2-c99 0.01 gcc-11 CC=gcc IMPLEMENTATION_CC=gcc-11 CFLAGS='-O2 -std=c99 -Werror' $double LEVEL=1
    library_lane clang-13-O0 0.01 clang-13 CC=gcc IMPLEMENTATION_CC=clang-13 CFLAGS=-O0 IMPLEMENTATION_CFLAGS="-O0 -fPIE" $float LEVEL=1
    library_lane clang-19-O2-c23 0.02 clang-19 CC=gcc CFLAGS=-O2 IMPLEMENTATION_CC='clang-19 -std=c23' $float LEVEL=2
    library_lane gcc-Os-no-simd-fma 0.02 gcc CC=gcc CFLAGS="-Os $fused -DCOLLIDE_NO_SIMD -Werror" $float FUSED="$fma"
    library_lane g++-c++11-fma 0.02 g++ CC=gcc CFLAGS="-O2 -Werror $fused" $double \
        IMPLEMENTATION_CC='g++ -x c++ -std=c++11' LEVEL=1 FUSED="$fma"
    library_lane tcc 0.01 tcc CC=gcc CFLAGS='-O2 -DCOLLIDE_NO_SIMD' $double IMPLEMENTATION_CC=tcc
    if [ "${SOAK-}" ]; then
        emulated aarch64 $float "$part" CC=aarch64-linux-gnu-gcc IMPLEMENTATION_CFLAGS=-O2 FUSED='aarch64-linux-gnu-objdump arm' \
            IMPLEMENTATION_CC='clang --target=aarch64-linux-gnu'
        library_lane clang++-c++20-fma 0.02 clang++ CC=gcc CFLAGS="-O2 -Werror $fused" $float \
            IMPLEMENTATION_CC='clang++ -x c++ -std=c++20' FUSED="$fma"
    fi
}

# A machine that qemu stands for. Only the library is optimised.
emulated() {
    machine=$1
    shift
    compiler= name=gcc
    for variable in "$@"; do
        case $variable in
        CC=*) compiler=${variable#CC=} ;;
        IMPLEMENTATION_CC=*) name=clang ;;
        esac
    done
    lane "$machine-$name" 0.01 "$name $compiler qemu-$machine" "qemu-$machine" CFLAGS='-O1 -static' SUITE_CFLAGS=-O0 "$@"
}

wasm() {
    name=$1
    shift
    lane "$name" 0.01 'clang wasm-ld node' 'node --no-warnings tests/wasi.mjs' CC='clang --target=wasm32-wasi --sysroot=/usr' \
        CFLAGS=-O1 SUITE_CFLAGS=-O0 LDLIBS='-lm -Wl,-z,stack-size=8388608,--initial-memory=536870912' "$@"
}

library_lane() {
    lane=$1 size=$2 needs=$3
    shift 3
    lane "$lane" "$size" "gcc $needs" '' BASE=gcc-O2 "$@"
}

# The long scripts first, too, and the short ones last, where they fill what is left.
scripts() {
    { echo units.sh && echo switches.sh && ls tests/hygiene; } |
        grep -e '\.sh$' -e '_test\.py$' | grep -v -x common.sh | awk '!seen[$0]++'
}

# ---- one job ----

have() {
    command -v "$1" >/dev/null 2>&1
}

result() {
    echo "$*" >>"$RESULTS/$job"
}

skip() {
    echo "skipped $job: $1"
    result row "$(row "$job" - - - - -) skipped: $1"
}

# Shows lines that belong to the line before them.
indent() {
    sed 's/^/    /'
}

row() {
    printf '%-24s %6s %6s %6s %6s %6s' "$@"
}

run_script() {
    log=$BUILD/$job.log begin=$(date +%s)
    case $job in *.py) have python3 || { skip "no python3" && return; } ;; esac
    case $job in
    *.py) python3 "tests/hygiene/$job" ;;
    *) sh "tests/hygiene/$job" ;;
    esac >"$log" 2>&1
    code=$?
    [ $code -eq 0 ] || grep -q '^FAILED ' "$log" || echo "FAILED $job: exit code $code" >>"$log"
    good=$(grep -c '^ok ' "$log") bad=$(grep -c '^FAILED ' "$log")
    result count "$good" "$bad"
    verdict=
    [ "$bad" -eq 0 ] || verdict="   FAILED: $bad"
    result row "$(row "$job" "$good" - - - $(($(date +%s) - begin)))$verdict"
    echo "$job: $good ok, $bad failed"
    grep -v '^ok ' "$log" | indent
}

# collect REAL: a test program's counts and hash. One that ends without its last line, or with another exit code than its
# failures explain, has one failure more.
collect() {
    log=$folder/$1.log
    set -- "$1" $(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$log" | tail -n 1)
    good=${2-0} bad=${3-1}
    if [ "$bad" -eq 0 ] && [ "$code" -ne 0 ]; then bad=1; fi
    result count "$good" "$bad"
    hash=$(sed -n "s/^hash $1 \\(0x[0-9a-f]*\\)\$/\\1/p" "$log" | tail -n 1)
    result hash "$1" "${hash:-none}" "$job"
    [ "$bad" -ne 0 ] || return 0
    verdict='   FAILED'
    echo "FAILED $job, $1 build: exit code $code"
    grep -v '^skipped ' "$log" | tail -n 40 | indent
}

# A compiler may lack the runtime of its sanitizers, or the machine an instruction set: the lane is left out. A library lane
# gets the objects of its base here, if they are there.
prepare() {
    for variable in "$@"; do
        case $variable in
        REALS=*) reals=${variable#REALS=} ;;
        FUSED=*) look_for_fused=${variable#FUSED=} ;;
        BASE=?*/*) cp -rp "${variable#BASE=}/float" "${variable#BASE=}/double" "${variable#BASE=}/suites.inc" \
            "${variable#BASE=}/modules.inc" "$folder" ;;
        BASE=?*) cp -rp "$BUILD/${variable#BASE=}/." "$folder" 2>/dev/null && rm -f "$folder"/*/collide.o "$folder"/*/tests ;;
        LEVEL=*) level="-i ${variable#LEVEL=}" ;;
        COVERED=*) covered=${variable#COVERED=} ;;
        CC=*) compiler=${variable#CC=} ;;
        CFLAGS=*) flags=${variable#CFLAGS=} ;;
        esac
    done
    echo 'int main(void) { return 0; }' >"$folder/probe.c"
    $compiler $flags "$folder/probe.c" -o "$folder/probe" >"$folder/probe.log" 2>&1 && $runner "$folder/probe"
}

# The folder that TESTED names, when its compiler is gcc.
tested() {
    [ -z "${TESTED-}" ] || [ "$(cc --version | sed 's/^[^ ]*//;q')" != "$(gcc --version | sed 's/^[^ ]*//;q')" ] || echo "$PWD/$TESTED"
}

# asks REAL: the library asks for nothing but what collide.h names, and what compilers put in themselves. (With COLLIDE_NO_STDLIB
# only the latter: tests/hygiene/switches.sh.)
asks() {
    nm -u "$folder/$1/collide.o" | awk '{ print $2 }' |
        grep -v -x -e memcpy -e memmove -e memset -e sqrt -e malloc -e free -e __assert_fail \
            -e __cpu_model -e __cpu_features2 -e _GLOBAL_OFFSET_TABLE_ >"$folder/$1.asked"
    if [ ! -s "$folder/$1.asked" ]; then result count 1 0 && return; fi
    result count 0 1
    verdict='   FAILED'
    echo "FAILED $job, $1 build: the library calls" $(cat "$folder/$1.asked")
}

# The shares of lines and branches that the tests reached. (Which lines are not depends on how much of each test runs: the list
# of them is judged by `make coverage`.)
look_at_coverage() {
    log=$folder/coverage.log
    python3 tests/coverage.py $(for real in $reals; do echo "$folder/$real"; done) >"$log" 2>&1
    good=$(grep -c '^ok [lb]' "$log")
    result count "$good" $((2 - good))
    [ "$good" -eq 2 ] && return
    verdict='   FAILED'
    echo "FAILED $job: coverage"
    tail -n 20 "$log" | indent
}

# Called by lanes: runs the lane whose turn it is.
run_lane() {
    size=$2 needs=$3 runner=$4
    shift 4
    for tool in $needs; do
        have "$tool" || { skip "no $tool" && return; }
    done
    folder=$BUILD/$job begin=$(date +%s) reals='float double' look_for_fused= level= covered=
    size=$(echo "$size ${SOAK:-1}" | awk '{ print $1 * $2 }')
    rm -rf "$folder"
    mkdir -p "$folder"
    prepare "$@" || { skip "an empty program cannot be built and run with its flags" && return; }
    if ! make test-programs "BUILD=$folder" "$@" >"$folder/build.log" 2>&1; then
        result count 0 1
        result row "$(row "$job" - - "$size" - -)   FAILED: does not build"
        echo "FAILED $job: does not build"
        grep -e 'error:' -e 'warning:' -e undefined -e ' \*\*\* ' "$folder/build.log" | head -n 20 | indent
        return
    fi
    built=$(($(date +%s) - begin)) goods='' verdict='' seed=$SEED
    if [ "$look_for_fused" ]; then
        for real in $reals; do
            case $(sh tests/fused.sh $look_for_fused "$folder/$real/collide.o") in
            ok*) result count 1 0 ;;
            *) result count 0 1 && verdict='   FAILED' && sh tests/fused.sh $look_for_fused "$folder/$real/collide.o" ;;
            esac
        done
    fi
    case $job in
    gcc-O2) asks float && asks double
        seed=$((SEED + 1)) ;;
    clang-O3-native) asks double ;;
    esac
    limit=
    if have timeout; then limit='timeout 1200'; fi # a test that hangs is a failure, not a halt
    for real in float double; do
        case $reals in *$real*) ;; *) goods="$goods -" && continue ;; esac
        $limit $runner "$folder/$real/tests" -s "$seed" -x "$size" $level >"$folder/$real.log" 2>&1
        code=$?
        collect $real
        goods="$goods $good"
    done
    if [ "$covered" ]; then look_at_coverage; fi
    line="$(row "$job" $goods "$size" "$built" $(($(date +%s) - begin)))$verdict"
    result row "$line"
    echo "$line"
}

# `check.sh --job NAME` runs one job and shows what was not well; everything it prints comes at once.
if [ "${1-}" = --job ]; then
    job=$2
    case $job in
    *.sh | *.py) report=$(run_script) ;;
    *)
        lane() { if [ "$1" = "$job" ]; then run_lane "$@"; fi; }
        report=$(lanes)
        ;;
    esac
    echo "$report"
    exit
fi

# ---- all jobs ----

WORDS=$*
chosen() {
    [ "$WORDS" ] || return 0
    for word in $WORDS; do
        case $1 in *"$word"*) return 0 ;; esac
    done
    return 1
}

rm -rf "$RESULTS"
mkdir -p "$RESULTS"
lane() { echo "$1"; }
{ scripts | head -n 2 && lanes && scripts | tail -n +3; } |
    while read -r job; do if chosen "$job"; then echo "$job"; fi; done >"$BUILD/jobs"
if [ ! -s "$BUILD/jobs" ]; then
    echo "no script or lane has such a name"
    exit 1
fi
xargs -n 1 -P "$JOBS" sh tests/check.sh --job <"$BUILD/jobs"

# ---- the sum ----

# All results in the order of the jobs; a job that left none has failed.
while read -r job; do
    cat "$RESULTS/$job" 2>/dev/null || { echo "lost $job" && echo "count 0 1"; }
done <"$BUILD/jobs" >"$BUILD/results.all"

echo && row job float double size build seconds && echo
sed -n -e 's/^row //p' -e 's/^lost \(.*\)/FAILED \1: it stopped/p' "$BUILD/results.all"

# Every lane's hash is compared with the first that has one.
awk '
    $1 == "count" { passed += $2; failed += $3 }
    $1 == "hash" && !want[$2] && $3 != "none" { want[$2] = $3 }
    $1 == "hash" && $3 == want[$2] { same[$2]++; passed++ }
    $1 == "hash" && $3 != want[$2] { print "FAILED " $4 ": its " $2 " hash is " $3; failed++ }
    END {
        for (real in same) print real " hash " want[real] " in " same[real] " lanes"
        print passed + 0 " passed, " failed + 0 " failed"
        exit failed > 0
    }' "$BUILD/results.all"
