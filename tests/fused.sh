#!/bin/sh
# No product and sum is fused into one instruction inside the library, whatever the flags of the file that holds it, while
# the user's own code in that file is left as it was: there the fused instruction must show, which also proves that the
# flags allow it and that the search finds it.
#
#     tests/fused.sh OBJDUMP x86|arm FILE     FILE holds the library, and a function user_fused that returns a * b + c
#
# Prints a line that begins with `ok` or `FAILED`.

set -u
case $2 in
x86) pattern='vfn?m(add|sub)[0-9a-z]*' ;;
*) pattern='fn?m(add|sub|la|ls)' ;;
esac

# The function in front of each fused instruction.
"$1" -d --no-show-raw-insn "$3" | sed 's/^[0-9a-f]* <\(.*\)>:$/function \1/' | awk -v pattern="^[ \t]*[0-9a-f]+:[ \t]+$pattern([ \t.]|\$)" '
    $1 == "function" { at = $2 }
    $0 ~ pattern && !seen[at]++ { if (at ~ /user_fused/) user = 1; else inside = inside " " at }
    END {
        if (inside) print "FAILED fused instructions in the library:" inside
        else if (!user) print "FAILED a * b + c of the user is not fused: the flags do not allow it, or the search is blind"
        else print "ok nothing is fused"
    }'
