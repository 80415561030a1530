#!/bin/sh
# Interface and implementation compile without a word in every language standard, with both compilers; the double build's
# implementation in the oldest and the newest of either language.
. "${0%/*}/common.sh"

echo '#include "collide.h"' >interface.c
printf '#define COLLIDE_IMPLEMENTATION\n#include "collide.h"\n' >implementation.c

for compiler in $COMPILERS; do
    for standard in c99 c11 c17 c2x c++11 c++14 c++17 c++20 c++2b; do
        for real in float double; do
            case $standard-$real in c99-float | c++11-float) indentation=-Wmisleading-indentation ;; *) indentation= ;; esac
            case $standard-$real in
            c99-* | c2x-* | *++11-* | *++2b-* | *-float) parts="interface implementation" ;;
            *) parts=interface ;;
            esac
            for part in $parts; do
                # (What only the optimiser warns of stops the lanes of tests/check.sh.)
                attempt "$compiler-$standard-$real-$part" $compiler $(language_flags $standard) $indentation -fsyntax-only \
                    $(real_flags $real) -I"$ROOT" $part.c
            done
        done
    done
done
finish
