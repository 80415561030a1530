#!/bin/sh
# The files of the project: collide.h is what its modules make, everything is formatted, and the top level holds only what
# belongs there.
. "${0%/*}/common.sh"
cd "$ROOT" || exit 1

if have python3; then
    attempt header-is-fresh python3 tools/amalgamate.py --check
else
    skipped header-is-fresh "no python3"
fi

if have clang-format; then
    find tools/src tests examples bench -name '*.[ch]' -o -path 'bench/*.cpp' | sort >"$WORK/sources"
    attempt formatted xargs clang-format --dry-run -Werror <"$WORK/sources"
else
    skipped formatted "no clang-format"
fi

if git rev-parse >/dev/null 2>&1; then
    git ls-files | sed 's|/.*||' | sort -u | grep -v '^\.' |
        grep -v -x -e collide.h -e tests -e examples -e bench -e tools -e Makefile -e README.md -e LICENSE >"$WORK/strange"
    empty top-level "files that do not belong to the top level" "$WORK/strange"
else
    skipped top-level "not a git checkout"
fi
finish
