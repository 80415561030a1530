#!/bin/sh
# What an include of collide.h costs its user: milliseconds over an empty file, the minimum of many runs. A measurement,
# not a verdict.
. "${0%/*}/common.sh"

if ! have python3; then
    skipped cost "no python3"
    finish
fi
cat >cost.py <<'END'
import os, resource, subprocess, sys

def milliseconds(command):
    """Processor time of the fastest of many runs."""
    def once():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return 1000 * min(once() for _ in range(25))

compiler, root = sys.argv[1:]
for language, limit in ("c", 25), ("c++", 45):
    cost = [milliseconds([compiler, "-x", language, "-I", root, "-c", "-o", os.devnull, source])
            for source in ("empty.c", "interface.c")]
    print(f"    {compiler} {language}: {cost[1] - cost[0]:.1f} ms over an empty file (aim: at most {limit})")
END
: >empty.c
echo '#include "collide.h"' >interface.c
for compiler in $COMPILERS; do
    if python3 cost.py "$compiler" "$ROOT"; then ok "$compiler"; else failed "$compiler" "could not be measured"; fi
done
finish
