#!/bin/sh
# Runs a Windows program under wine, as check.sh runs others: its lines end as ours do, its exit code is passed on.
#
#     tests/wine.sh PROGRAM ARGUMENT...     PROGRAM without .exe

program=$1
shift
WINEDEBUG=-all WINEPREFIX=$PWD/build/wine
export WINEDEBUG WINEPREFIX
mkdir -p "$WINEPREFIX"
log=$program.wine.log
wine "$program.exe" "$@" >"$log" 2>"$log.err"
code=$?
tr -d '\r' <"$log"
[ $code -eq 0 ] || cat "$log.err" >&2
exit $code
