#!/bin/sh
# Mutation testing: that its tool works. With SOAK, twenty mutants of each module, of which at least nine of ten must be noticed
# (see tests/mutate.py).
. "${0%/*}/common.sh"

if ! have python3 || ! have gcc; then
    skipped mutants "no python3 or no gcc"
    finish
fi
cd "$ROOT" || exit 1
attempt selftest python3 tests/mutate.py --selftest
[ ! "${SOAK-}" ] || attempt modules python3 tests/mutate.py --per-module 20 --gate
finish
