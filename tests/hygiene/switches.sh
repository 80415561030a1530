#!/bin/sh
# Every switch alone, all together, and the named pairs: no warning, and a program that uses the library is right.
# What COLLIDE_API and COLLIDE_NO_STDLIB promise about the object file is looked up there.
#
# The kernels for AVX2 and AVX-512 are there in the builds in C of the switches that change their text or their linkage, and in
# the shared objects; elsewhere they are left out.
. "${0%/*}/common.sh"
baseline_header

printf '#include "use.c"\n#include "main.c"\n' >program.c

# build_and_run NAME COMPILER STANDARD SWITCH...
build_and_run() {
    name=$1 compiler=$2 standard=$3
    shift 3
    with='' libraries='' folder=$WORK/baseline
    case "$standard $*" in
    "c99 DOUBLE" | "c99 STATIC" | "c99 API" | "c99 ASSERT") folder=$ROOT ;;
    esac
    for switch in "$@"; do
        with="$with -DWITH_$switch"
        case " $* " in
        *" API "* | *" DOUBLE NO_SIMD "*) quick=$(quick_flags "$compiler" "") ;; # these as they are, with code for everything
        *) quick=$(quick_flags "$compiler" -DWITH_STATIC) ;;
        esac
        # On the machines of these checks only the scalar form needs more than the C library: its sqrt.
        [ "$switch" != NO_SIMD ] || libraries=-lm
    done
    attempt "$name" sh -c '"$@" -o program && ./program' build "$compiler" $(language_flags "$standard") \
        $quick -DHOLDS_LIBRARY $with -I"$folder" -I"$HERE" program.c $libraries
}

ALL="DOUBLE STATIC NO_SIMD NO_STDLIB NO_CLASSIC API MALLOC ASSERT VEC3_EXTRA"
SOME="DOUBLE STATIC VEC3_EXTRA" # those that look different in C++
for compiler in $COMPILERS; do
    for standard in c99 c++11; do
        case $standard in c99) each=$ALL ;; *) each=$SOME ;; esac
        for switch in $each; do build_and_run "$compiler-$standard-$switch" $compiler $standard "$switch"; done
        build_and_run "$compiler-$standard-all" $compiler $standard $ALL
        [ $standard = c99 ] || continue
        for pair in "DOUBLE NO_SIMD" "STATIC DOUBLE" "NO_STDLIB NO_SIMD" "NO_STDLIB MALLOC"; do
            build_and_run "$compiler-$standard-${pair% *}+${pair#* }" $compiler $standard $pair
        done
    done
done

# COLLIDE_API stands before all functions of the interface, and nothing else leaves a shared object that hides by default; without
# it, collide.h says nothing of what is seen outside. COLLIDE_NO_STDLIB: the object asks for nothing but what compilers bring in
# themselves. (One number type each for the calls. What optimisers put in does not hang on the switch: tests/check.sh looks at the
# objects of its first lanes for that.)
printf '#include "switches.h"\n#define COLLIDE_IMPLEMENTATION\n#include "collide.h"\n' >library.c
for compiler in $COMPILERS; do
    case $compiler in *gcc*) real= ;; *) real=-DCOLLIDE_DOUBLE ;; esac
    with="-I$ROOT -I$HERE library.c"
    $compiler $real -E $with | grep -w visibility >output
    empty "$compiler-hidden" "functions leave a shared object that hides them" output
    $compiler $real -O0 -fPIC -fvisibility=hidden -DWITH_API -DWITH_NO_STDLIB -c $with -o library.o &&
        $compiler -shared library.o -o library.so && nm -D --defined-only library.so >names
    if grep -q ' T cd_version' names && ! grep ' [A-Z] ' names | grep -v ' T cd_' >output; then
        ok "$compiler-exported"
    else
        failed "$compiler-exported" "with COLLIDE_API, not just the cd_ functions leave a shared object"
    fi
    nm -u library.o | grep -v -w -e memcpy -e memmove -e memset -e sqrt -e _GLOBAL_OFFSET_TABLE_ >asked
    empty "$compiler-no-stdlib${real:+-double}-calls" "the C library is called" asked
    for real in "" -DCOLLIDE_DOUBLE; do
        $compiler -ffreestanding -DWITH_NO_STDLIB -DWITH_NO_SIMD $real -E $with |
            sed -n 's/^# [0-9]* "\([^"]*\.h\)".*/\1/p' | sort -u |
            grep -v -e /lib/gcc -e /lib/clang -e /lib/llvm -e "^$ROOT/" >asked
        empty "$compiler-no-stdlib${real:+-double}-headers" "headers of the C library are included" asked
    done
done
finish
