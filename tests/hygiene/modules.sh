#!/bin/sh
# Every module compiles alone: its header first in a file, and its body. (A body that begins with its header does both.)
. "${0%/*}/common.sh"

(cd "$ROOT/tools/src" && find . -name '*.[ch]' | sed 's|^\./||' | sort) >files
while read -r file; do
    body=$ROOT/tools/src/${file%.h}.c
    case $file in
    *.h) [ -e "$body" ] && grep '^#' "$body" | head -n 1 | grep -q -x -F "#include \"$file\"" || echo "$file" ;;
    *) echo "$file" ;;
    esac
done <files >modules
# The first compiler looks at both number types, the others at one.
reals="float double"
for compiler in $COMPILERS; do
    for real in $reals; do
        while read -r file; do
            case $file in
            *.h) echo "#include \"$file\"" >one.c && source=one.c ;;
            *.c) source=$ROOT/tools/src/$file ;;
            esac
            attempt "$compiler-$real-$file" "$compiler" -std=c99 $(real_flags $real) -fsyntax-only -Wall -Wextra \
                -Werror -I"$ROOT/tools/src" "$source"
        done <modules
    done
    reals=double
done
finish
