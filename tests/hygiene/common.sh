# common.sh - what the hygiene scripts share; each of them is one concern, and begins with
#
#     . "${0%/*}/common.sh"
#
# A script prints lines `ok NAME`, `FAILED NAME: reason` or `skipped NAME: reason` (details are indented below), ends
# with `finish`, and exits 1 when something failed. It works in build/hygiene/<script>, which it finds empty. Compilers and
# flags are lists of words: they stand unquoted on purpose.

set -u
LC_ALL=C
export LC_ALL

HERE=$(cd "${0%/*}" && pwd)
ROOT=$(cd "$HERE/../.." && pwd)
SCRIPT=${0##*/}
SCRIPT=${SCRIPT%.sh}
WORK=$ROOT/build/hygiene/$SCRIPT
rm -rf "$WORK"
mkdir -p "$WORK"
cd "$WORK" || exit 1

failures=0
finished=
trap '[ "$finished" ] || echo "FAILED $SCRIPT: the script stopped before its end"' EXIT

# What collide.h promises to compile without a word under. (To look at indentation, gcc reads a long file again and again: two
# seconds a compile, which standards.sh alone takes.)
WARNINGS="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion -Werror -Wno-misleading-indentation"
C_WARNINGS="$WARNINGS -Wstrict-prototypes -Wmissing-prototypes -Wc++-compat"

ok() {
    echo "ok $SCRIPT/$1"
}

# failed NAME REASON; the file `output` of the work folder, if any, is shown.
failed() {
    echo "FAILED $SCRIPT/$1: $2" | cut -c 1-400
    [ ! -s "$WORK/output" ] || sed -e 's/^/    /' -e 12q "$WORK/output"
    failures=$((failures + 1))
}

skipped() {
    echo "skipped $SCRIPT/$1: $2"
}

# attempt NAME COMMAND...: the command succeeds.
attempt() {
    name=$1
    shift
    if "$@" >"$WORK/output" 2>&1; then ok "$name"; else failed "$name" "$*"; fi
}

# refuse NAME TEXT COMMAND...: the command fails, and says why: its output holds the text.
refuse() {
    name=$1 text=$2
    shift 2
    if "$@" >"$WORK/output" 2>&1; then
        failed "$name" "should not have worked: $*"
    elif grep -q -e "$text" "$WORK/output"; then
        ok "$name"
    else
        failed "$name" "does not say '$text': $*"
    fi
}

# empty NAME REASON FILE: nothing stands in the file.
empty() {
    if [ -s "$3" ]; then
        cp "$3" "$WORK/output"
        failed "$1" "$2"
    else
        ok "$1"
    fi
}

have() {
    command -v "$1" >/dev/null 2>&1
}

# The compilers of this machine; others can be named in the environment: COMPILERS='gcc-11 clang-19'.
wanted=${COMPILERS:-gcc clang}
COMPILERS=
for compiler in $wanted; do
    if have "$compiler"; then COMPILERS="$COMPILERS $compiler"; else skipped "$compiler" "not installed"; fi
done

# The flags with which a compiler is quickest with a program of one file that uses little of the library: gcc at once drops what
# is not used, when it may; clang only what is static, to which end the second argument names how to say COLLIDE_STATIC.
quick_flags() {
    case $1 in
    *gcc*) echo "-O1 -fwhole-program" ;;
    *) echo "-O0 $2" ;;
    esac
}

# A folder with collide.h without its kernels for AVX2 and AVX-512, a fifth of what there is to compile, to be named by -I before
# $ROOT: for builds that are about something else. Each script that uses it compiles the whole header elsewhere.
baseline_header() {
    mkdir -p "$WORK/baseline"
    sed '/^#define CDI_WITH_INSTANCES$/d' "$ROOT/collide.h" >"$WORK/baseline/collide.h"
    ! cmp -s "$ROOT/collide.h" "$WORK/baseline/collide.h" || failed baseline-header "collide.h has no CDI_WITH_INSTANCES to leave out"
}

# The flags of a number type.
real_flags() {
    if [ "$1" = double ]; then echo -DCOLLIDE_DOUBLE; fi
}

# The flags of a language standard, with the warnings of its language.
language_flags() {
    case $1 in
    *++*) echo "-x c++ -std=$1 $WARNINGS" ;;
    *) echo "-x c -std=$1 $C_WARNINGS" ;;
    esac
}

finish() {
    finished=yes
    [ $failures -eq 0 ]
    exit $?
}
