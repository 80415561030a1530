#!/bin/sh
# What the library leaves in an object file: functions named cd_ (with COLLIDE_DOUBLE, ending in _f64), no variable that
# could change, and with COLLIDE_STATIC nothing.
. "${0%/*}/common.sh"

printf '#define COLLIDE_IMPLEMENTATION\n#include "collide.h"\n' >library.c

for compiler in $COMPILERS; do
    for language in c c++; do
        for real in float double; do
            name=$compiler-$language-$real
            build="$compiler -x $language -O0 -fno-pic -I$ROOT $(real_flags $real) -c library.c -o library.o"
            attempt "$name" $build
            case $real in
            float) allowed='^cd_[a-z0-9_]*$' refused='_f64$' ;;
            double) allowed='^cd_[a-z0-9_]*_f64$' refused='^$' ;;
            esac
            nm -g --defined-only library.o | awk '{ print $NF }' >names
            [ -s names ] || failed "$name-names" "there is no function at all"
            { grep -v -e "$allowed" names; grep -e "$refused" names; } >strange
            empty "$name-names" "external names that are not the interface's" strange
            nm library.o | grep ' [BbDdCGgSs] ' >variables
            empty "$name-variables" "there are variables" variables

            $build -DCOLLIDE_STATIC
            nm -g --defined-only library.o >names
            empty "$name-static" "COLLIDE_STATIC leaves external symbols" names
        done
    done
done
finish
