#!/bin/sh
# Flags and modes under which results would not be right: the implementation refuses them where it can see them, and where
# it cannot, cd_selftest tells, or the answers are the same nevertheless.
. "${0%/*}/common.sh"

REFUSED='error.*collide.h: ' # with -Wfatal-errors nothing behind it is looked at
printf '#define COLLIDE_IMPLEMENTATION\n#include "collide.h"\n' >library.c

# compile FLAG...: the library.
compile() {
    $compiler -O2 -I"$ROOT" $(real_flags $real) "$@" -c library.c -o library.o
}

# compile_answers FLAG...: as much of it as answers.c asks.
compile_answers() {
    $compiler -O2 -I"$ROOT" $(real_flags $real) "$@" -c "$HERE/answers_library.c" -o library.o
}

# ---- what every compiler announces is refused ----

for compiler in $COMPILERS; do
    real=float
    for flag in -ffast-math -Ofast -ffinite-math-only; do
        refuse "$compiler$flag" "$REFUSED" compile -Wfatal-errors $flag
    done
    # x87 arithmetic is wider than its types. -ffreestanding: no 32-bit C library is needed for this.
    refuse "$compiler-m32" "$REFUSED" compile -Wfatal-errors -m32 -mno-sse -mfpmath=387 -ffreestanding -DCOLLIDE_NO_STDLIB
    attempt "$compiler-m32-sse" compile -fsyntax-only -m32 -msse2 -mfpmath=sse -ffreestanding -DCOLLIDE_NO_STDLIB -DCOLLIDE_NO_SIMD
done
if have gcc; then
    compiler=gcc
    for flag in -fassociative-math -freciprocal-math -fno-signed-zeros; do
        refuse gcc$flag "$REFUSED" compile -Wfatal-errors $flag -fno-signed-zeros -fno-trapping-math
    done
    refuse gcc-funsafe-math-optimizations "$REFUSED" compile -Wfatal-errors -funsafe-math-optimizations
fi

# ---- what is not announced is told by cd_selftest, or changes no answer ----

# harmless NAME FLAG...
harmless() {
    name=$compiler-$real-$1
    shift
    if compile_answers "$@" >output 2>&1 && $compiler answers.o library.o -o answers -lm >>output 2>&1; then
        ./answers >answer
        if grep -q '^selftest 0 ' answer && ! cmp -s answer usual; then
            cat usual answer >output
            failed "$name" "other answers, and cd_selftest does not tell: $*"
        else
            ok "$name"
        fi
    elif grep -q "$REFUSED" output; then
        ok "$name"
    else
        failed "$name" "does not compile: $*"
    fi
}

for compiler in $COMPILERS; do
    for real in float double; do
        $compiler -std=c99 -O1 -Wall -Wextra $(real_flags $real) -I"$ROOT" -c "$HERE/answers.c" -o answers.o
        compile_answers && $compiler answers.o library.o -o answers -lm && ./answers >usual
        grep -q '^selftest 0 ' usual || failed "$compiler-$real-usual" "cd_selftest is not 0 without any flag"

        harmless unsafe -funsafe-math-optimizations # the next four are parts of it
        harmless contract -ffp-contract=fast
        [ $real = float ] || continue # the others do the same to both
        harmless associative -fassociative-math -fno-signed-zeros -fno-trapping-math
        harmless reciprocal -freciprocal-math
        harmless signed-zeros -fno-signed-zeros
        harmless trapping -fno-trapping-math
        harmless rounding -frounding-math
        harmless contract-o3 -ffp-contract=fast -O3
        if grep -q -w fma /proc/cpuinfo 2>/dev/null; then
            harmless fma -mfma -mavx2
            harmless contract-fma -ffp-contract=fast -mfma
        fi
        harmless aliasing -fno-strict-aliasing -fwrapv
        harmless vectors -O3 -ftree-vectorize
    done
done

# ---- modes of the machine, at run time ----

for compiler in $COMPILERS; do
    case $compiler in *gcc*) least=-O1 ;; *) least=-O0 ;; esac # gcc -O0 takes ten times as long: it keeps all that is static
    for level in $least/double -O2/float; do
        real=${level#*/}
        attempt "$compiler-modes-$real${level%/*}" sh -c '"$@" -lm -o modes && ./modes' build $compiler ${level%/*} \
            $(real_flags $real) -I"$ROOT" "$HERE/modes.c"
    done
done
if have aarch64-linux-gnu-gcc && have qemu-aarch64; then
    attempt aarch64-modes sh -c '"$@" -o modes && qemu-aarch64 ./modes' build aarch64-linux-gnu-gcc -static -O2 \
        -I"$ROOT" "$HERE/modes.c" -lm
else
    skipped aarch64-modes "no cross compiler or no qemu-user"
fi
finish
