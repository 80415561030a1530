#!/usr/bin/env python3
"""What the numerical sanitizer says of the library, told of the modules in tools/src: a report, and no verdict.

    tests/numerical.py PROGRAM [SUITE...]             a table: for each module, the most told last; all suites when none is named
    tests/numerical.py --places PROGRAM [SUITE...]    every place in a module, too

PROGRAM is tests and library compiled by clang 19 with -fsanitize=numerical (`make numerical`). Beside each float the sanitizer
reckons a double, and beside each double a long double. It tells where a comparison would have gone the other way there, and where an
argument or a result is off by more than two millionths of itself (2^-19), unless both are within 2^-32 of each other. Numbers are
hundreds of times as slow so: a suite that has not ended after a while is stopped, with what it has told until then, and named.

Most of what it tells is meant. Where the library asks on which side something lies, rounding decides only which of two ways is
taken: the quick one with its bound, or the exact one. The lower parts of sums without error, and bounds of error, are rounding and
nothing else; bits taken out of a number have no wider twin; and the tests ask on purpose for what cancels. So the table is a list of
places to look at.
"""

import argparse
import collections
import concurrent.futures
import os
import re
import resource
import subprocess
import sys
import tempfile

import coverage

OPTIONS = "fast_unwind_on_fatal=1:halt_on_error=0:disable_warnings=1:enable_warning_stats=1:print_stats_on_exit=1:symbolize=0"
WARNED = re.compile(r"warned (\d+) times out of \d+ (\w+) checks \(max relative error: ([^%]*)%\)")
FRAME = re.compile(r" +#\d+ \S+ +\(.*\+(0x[0-9a-f]+)\)")
OUT_OF_TIME = 3  # what tests/main.c ends with then
DEPTH = 8  # of the calls that are looked at


class Told:
    """Comparisons that hang on rounding, values that do, and the largest relative error of these."""

    def __init__(self):
        self.compared, self.values, self.worst = 0, 0, 0.0

    def add(self, other):
        self.compared += other.compared
        self.values += other.values
        self.worst = max(self.worst, other.worst)

    def row(self, name):
        worst = f"{self.worst:.2g}" if self.values else "-"
        return f"{name:56} {self.compared:12} {self.values:12} {worst:>10}"


def run(program, suite, size, seconds):
    """What was told of a suite, by the calls in the program that led there, and how it ended."""
    told = collections.defaultdict(Told)
    words = [program, "-s", "1", "-x", str(size), suite + "/"]
    with tempfile.TemporaryFile("w+") as log:
        done = subprocess.run(words, env={**os.environ, "NSAN_OPTIONS": OPTIONS}, stdout=subprocess.DEVNULL, stderr=log,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 30)))
        log.seek(0)
        read(log, told)
    return told, done.returncode


def read(lines, told):
    """One entry for each stack of calls, the innermost first."""
    entry, stack = Told(), []
    for line in lines:
        if m := WARNED.match(line):
            entry, stack = Told(), []
            if m[2] == "fcmp":
                entry.compared = int(m[1])
            else:
                entry.values, entry.worst = int(m[1]), float(m[3]) / 100
        elif m := FRAME.match(line):
            stack.append(int(m[1], 16) - 1)
        elif stack:
            told[tuple(stack[:DEPTH])].add(entry)
            stack = []


def lines_of(program, addresses):
    """For each address in collide.h, the module, the line there, and the function."""
    origin, found = coverage.origins(), {}
    asked = "".join(f"0x{at:x}\n" for at in addresses)
    words = ["llvm-symbolizer-19", "--output-style=GNU", "--no-inlines", f"--obj={program}"]
    out = subprocess.run(words, input=asked, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    for at, function, place in zip(addresses, out[::2], out[1::2]):
        file, line = place.split()[0].rsplit(":", 1)
        if file.endswith("collide.h") and line.isdigit() and int(line) and origin[int(line) - 1]:
            found[at] = (*origin[int(line) - 1], function)
    return found


def place_of(stack, lines):
    """Where it happened: vectors and small helpers of the lowest floor stand for those who call them."""
    within = [lines[at] for at in stack if at in lines]
    return next((place for place in within if not place[0].startswith("core/")), within[0] if within else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--places", action="store_true")
    parser.add_argument("--size", type=float, default=0.001, help="of the tests; see test.h")
    parser.add_argument("--seconds", type=int, default=15, help="of a core, for each suite")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("program")
    parser.add_argument("suites", nargs="*")
    options = parser.parse_args()
    suites = options.suites or sorted(file.stem[5:] for file in (coverage.ROOT / "tests").glob("test_*.c"))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        all_told = list(pool.map(lambda suite: run(options.program, suite, options.size, options.seconds), suites))
    told = [item for one, _ in all_told for item in one.items()]
    lines = lines_of(options.program, sorted({at for stack, _ in told for at in stack}))
    modules, places = collections.defaultdict(Told), collections.defaultdict(Told)
    for stack, entry in told:
        if place := place_of(stack, lines):
            modules[place[0]].add(entry)
            places[f"{place[0]}:{place[1]} {place[2]}"].add(entry)
    for table in [modules] + ([places] if options.places else []):
        print(f"{'':56} {'comparisons':>12} {'values':>12} {'worst':>10}")
        for name, entry in sorted(table.items(), key=lambda item: (item[1].compared + item[1].values, item[0])):
            print(entry.row(name))
        print()
    stopped = [suite for suite, (_, code) in zip(suites, all_told) if code == OUT_OF_TIME]
    broken = [suite for suite, (_, code) in zip(suites, all_told) if code not in (0, 1, OUT_OF_TIME)]
    print(f"{len(suites)} suites" + (f", {len(stopped)} of them stopped after {options.seconds} s: " + " ".join(stopped) if stopped else ""))
    if broken:
        print("broken off, with nothing told: " + " ".join(broken))


if __name__ == "__main__":
    sys.exit(main())
