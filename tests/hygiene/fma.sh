#!/bin/sh
# No product and sum is fused into one instruction inside the library, whatever the flags of the file that holds it, while
# the user's own code in that file is left as it was: there the fused instruction must show, which also proves that the
# flags allow it and that the search finds it.
. "${0%/*}/common.sh"

cat >fused.c <<'END'
#define COLLIDE_IMPLEMENTATION
#include "collide.h"
double user_fused(double a, double b, double c);
double user_fused(double a, double b, double c) { return a * b + c; }
END

X86="vfn?m(add|sub)[0-9a-z]*"
ARM="fn?m(add|sub|la|ls)"

# Whether a * b + c is fused at all: gcc does it from -O2 on, and not in ISO C.
expected() {
    case "$1 $2 $3" in
    *gcc*" -O"[01]" "* | *gcc*" c99") return 1 ;;
    esac
}

# look NAME OBJDUMP PATTERN COMPILER OPTIMISATION STANDARD FLAG...
look() {
    name=$1 objdump=$2 pattern=$3 compiler=$4 level=$5 standard=$6
    shift 6
    if ! $compiler -x "$language" "$level" "-std=$standard" "$@" -I"$ROOT" -c fused.c -o fused.o >output 2>&1; then
        failed "$name" "does not compile"
        return
    fi
    $objdump -d --no-show-raw-insn fused.o | sed 's/^[0-9a-f]* <\(.*\)>:$/function \1/' >code
    # The function in front of each fused instruction.
    awk -v pattern="^[ \t]*[0-9a-f]+:[ \t]+$pattern([ \t.]|$)" '
        $1 == "function" { at = $2 } $0 ~ pattern { print at }' code | sort | uniq -c >fused
    grep -v user_fused fused >inside
    if [ -s inside ]; then
        cp inside output
        failed "$name" "fused instructions in these functions of the library"
    elif expected "$compiler" "$level" "$standard" && ! grep -q user_fused fused; then
        : >output
        failed "$name" "a * b + c of the user is not fused: the flags do not allow it, or the search is blind"
    else
        ok "$name"
    fi
}

# look_at_all NAME OBJDUMP PATTERN COMPILER FLAG...: every language of $modes, at every level of $levels in the first of them and
# at -O2 in the others; the double build only at -O2 and -O3 of the first, where compilers fuse most.
look_at_all() {
    prefix=$1 tool=$2 instruction=$3 with=$4
    shift 4
    at="$levels" double=double
    for mode in $modes; do
        case $mode in *++*) language=c++ ;; *) language=c ;; esac
        for optimise in $at; do
            case $optimise in -O[23]) reals="float $double" ;; *) reals=float ;; esac
            for real in $reals; do
                look "$prefix-$mode$optimise-$real" "$tool" "$instruction" "$with" $optimise $mode "$@" $(real_flags $real)
            done
        done
        at=-O2 double=
    done
}

modes='gnu99 c99 c++11' levels='-O0 -O1 -O2 -O3 -Os'
if [ "$(uname -m)" = x86_64 ]; then
    for cc in $COMPILERS; do look_at_all "$cc-mfma" objdump "$X86" "$cc" -mfma -mavx2; done
    modes=gnu99 levels=-O3
    if grep -q -w fma /proc/cpuinfo; then
        for cc in $COMPILERS; do look_at_all "$cc-native" objdump "$X86" "$cc" -march=native; done
    else
        skipped native "this machine has no fused instruction"
    fi
else
    skipped x86-64 "another machine"
fi

levels='-O2 -O3'
if have aarch64-linux-gnu-gcc; then
    # C++ needs the headers of the C++ library for that machine.
    if have aarch64-linux-gnu-g++; then modes='gnu99 c++11'; else modes=gnu99; fi
    look_at_all aarch64-gcc aarch64-linux-gnu-objdump "$ARM" aarch64-linux-gnu-gcc
    if have clang; then
        look_at_all aarch64-clang aarch64-linux-gnu-objdump "$ARM" "clang --target=aarch64-linux-gnu"
    fi
else
    skipped aarch64 "no cross compiler"
fi
finish
