#!/bin/sh
# Programs of several files: the library in one of them, C and C++ together, a float and a double build together, the
# header included again and in any order. Files that disagree about the number type must not link.
#
# What the library leaves in an object file: functions named cd_ (with COLLIDE_DOUBLE, ending in _f64), no variable that
# could change, and with COLLIDE_STATIC nothing.
#
# The whole header is compiled in C and float, and in C++ and double; the other builds are without the kernels for AVX2 and AVX-512.
# Where there are two compilers, the first, in which most time goes, makes one of the library's objects; each links all of them with
# callers that it made.
. "${0%/*}/common.sh"
baseline_header

printf '#define COLLIDE_IMPLEMENTATION\n#include "collide.h"\n' >library.c

# header LANGUAGE REAL: the folder of collide.h.
header() {
    case $1-$2 in
    c-float | c++-double) echo "$ROOT" ;;
    *) echo "$WORK/baseline" ;;
    esac
}

# object FILE LANGUAGE FLAG...: FILE-LANGUAGE.o, or a name of one's own with -o.
object() {
    file=$1 language=$2
    shift 2
    case $language in
    c) standard="c99" ;;
    c++) standard="c++11" ;;
    esac
    $compiler $(language_flags $standard) "$@" -I"$ROOT" -I"$HERE" -O0 -fno-pic -c "$file" 2>>output
}

# run NAME OBJECT...: they link, and the program is right.
run() {
    name=$1
    shift
    attempt "$compiler-$name" sh -c '"$@" -o program && ./program' link "$compiler" -no-pie "$@"
}

# maker LANGUAGE REAL: the compiler of the library's object: the first or the last that there is.
maker() {
    case $1-$2 in
    c-float) set -- $COMPILERS && echo "$1" ;;
    *) for last in $COMPILERS; do :; done && echo "$last" ;;
    esac
}

# symbols LANGUAGE REAL: those of the library's object.
symbols() {
    name=$compiler-$1-$2
    case $2 in
    float) allowed='^cd_[a-z0-9_]*$' refused='_f64$' ;;
    double) allowed='^cd_[a-z0-9_]*_f64$' refused='^$' ;;
    esac
    nm -g --defined-only library-$2-$1.o | awk '{ print $NF }' >names
    [ -s names ] || failed "$name-names" "there is no function at all"
    { grep -v -e "$allowed" names; grep -e "$refused" names; } >strange
    empty "$name-names" "external names that are not the interface's" strange
    nm library-$2-$1.o | grep ' [BbDdCGgSs] ' >variables
    empty "$name-variables" "there are variables" variables

    # (What is static and not used, gcc drops at once if it optimises.)
    : >output
    attempt "$name-compiles-static" "$compiler" -x $1 -O1 -fno-pic -I"$(header $1 $2)" $(real_flags $2) -DCOLLIDE_STATIC \
        -c library.c -o static.o
    nm -g --defined-only static.o >names
    empty "$name-static" "COLLIDE_STATIC leaves external symbols" names
}

: >output
for language in c c++; do
    for real in float double; do
        compiler=$(maker $language $real)
        object library.c $language -I"$(header $language $real)" $(real_flags $real) -o library-$real-$language.o
        symbols $language $real
    done
done
for compiler in $COMPILERS; do
    : >output
    for language in c c++; do
        for real in float double; do
            object "$HERE/use.c" $language $(real_flags $real) -o use-$real-$language.o
        done
        object "$HERE/main.c" $language -o main-float-$language.o
        object "$HERE/main.c" $language -DCOLLIDE_DOUBLE -o main-double-$language.o
        object "$HERE/main.c" $language -DBOTH -o main-both-$language.o
    done
    for real in float double; do
        for user in c c++; do
            for library in c c++; do
                run "$real-$library-library-in-$user" main-$real-c.o use-$real-$user.o library-$real-$library.o
            done
        done
    done

    # Each number type has its own user and its own library; all four languages mixed.
    run float-and-double-c main-both-c.o use-float-c.o use-double-c.o library-float-c.o library-double-c.o
    run float-and-double-mixed main-both-c++.o use-float-c++.o use-double-c.o library-float-c.o library-double-c++.o
    ./program >output
    if grep -q '^float: t = 4, 0 wrong' output && grep -q '^double: t = 4, 0 wrong' output; then
        ok "$compiler-float-and-double-results"
    else
        failed "$compiler-float-and-double-results" "not both results are printed"
    fi

    # One file with COLLIDE_DOUBLE, the other without.
    refuse "$compiler-double-user-of-float" 'undefined reference.*cd_.*_f64' \
        "$compiler" -no-pie main-double-c.o use-double-c.o library-float-c.o -o program
    refuse "$compiler-float-user-of-double" 'undefined reference.*cd_' \
        "$compiler" -no-pie main-float-c.o use-float-c.o library-double-c.o -o program
done

# ---- orders of inclusion: every program must work alike ----

# As functions of the interface in C by compilers that are quick with them, else as COLLIDE_STATIC.
order_flags() {
    case $standard in
    c99) quick_flags "$compiler" -DCOLLIDE_STATIC ;;
    *) echo "$(quick_flags "$compiler" "") -DCOLLIDE_STATIC" ;;
    esac
}

# order NAME: the program from standard input, as C and C++. (What comes before system headers, and what comes behind them, sees
# the whole header: it brings system headers of its own for the kernels.)
order() {
    { cat && echo 'int main(void) { return cd_version() == CD_VERSION ? 0 : 1; }'; } >"$1.c"
    case $1 in
    *-twice | interface-first) folder=$WORK/baseline ;;
    *) folder=$ROOT ;;
    esac
    for compiler in $COMPILERS; do
        for standard in c99 c++11; do
            attempt "$compiler-$standard-$1" sh -c '"$@" -o program && ./program' order \
                "$compiler" $(language_flags $standard) $(order_flags) -I"$folder" "$1.c"
        done
    done
}

order included-twice <<'END'
#define COLLIDE_IMPLEMENTATION
#include "collide.h"
#include "collide.h"
END
order interface-first <<'END'
#include "collide.h"
#include "collide.h"
#define COLLIDE_IMPLEMENTATION
#include "collide.h"
#undef COLLIDE_IMPLEMENTATION
#include "collide.h"
END
order implementation-twice <<'END'
#define COLLIDE_IMPLEMENTATION
#include "collide.h"
#define USER 1
#include "collide.h"
END
order before-system-headers <<'END'
#include "collide.h"
#define COLLIDE_IMPLEMENTATION
#include "collide.h"
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
END
order after-system-headers <<'END'
#include <assert.h>
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define COLLIDE_IMPLEMENTATION
#include "collide.h"
END
# What <windows.h> and older headers define must not matter.
order after-rude-macros <<'END'
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define near
#define far
#define small char
#define interface struct
#define IN
#define OUT
#define I 1
#include "collide.h"
#define COLLIDE_IMPLEMENTATION
#include "collide.h"
END
finish
