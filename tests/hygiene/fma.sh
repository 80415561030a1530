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

# look_at NAME OBJDUMP PATTERN COMPILER FLAG...: at each of $levels, LEVEL/LANGUAGE/REAL. Compilers fuse most at -O2 and -O3; what
# keeps them from it does not hang on language or number type, so that not every combination has to be tried.
look_at() {
    prefix=$1 tool=$2 instruction=$3 with=$4
    shift 4
    for level in $levels; do
        optimise=${level%%/*} real=${level##*/} mode=${level#*/}
        mode=${mode%/*}
        case $mode in *++*) language=c++ ;; *) language=c ;; esac
        look "$prefix-$mode$optimise-$real" "$tool" "$instruction" "$with" "$optimise" "$mode" "$@" $(real_flags $real)
    done
}

if [ "$(uname -m)" = x86_64 ]; then
    levels='-O3/gnu99/float -O2/gnu99/double -O2/c++11/float -Os/gnu99/double'
    for cc in $COMPILERS; do look_at "$cc-mfma" objdump "$X86" "$cc" -mfma -mavx2; done
    levels='-O3/gnu99/float'
    if grep -q -w fma /proc/cpuinfo; then
        for cc in $COMPILERS; do look_at "$cc-native" objdump "$X86" "$cc" -march=native; done
    else
        skipped native "this machine has no fused instruction"
    fi
else
    skipped x86-64 "another machine"
fi

levels='-O2/gnu99/float -O3/gnu99/double'
if have aarch64-linux-gnu-gcc; then
    look_at aarch64-gcc aarch64-linux-gnu-objdump "$ARM" aarch64-linux-gnu-gcc
    if have clang; then
        look_at aarch64-clang aarch64-linux-gnu-objdump "$ARM" "clang --target=aarch64-linux-gnu"
    fi
else
    skipped aarch64 "no cross compiler"
fi
finish
