#!/usr/bin/env python3
"""Which lines and branches of the library the tests reach, told of the modules in tools/src.

    tests/coverage.py FOLDER...             a table: for each floor, and in all; the last lines are for tests/check.sh
    tests/coverage.py --modules FOLDER...   a line for each module, the worst first
    tests/coverage.py --missing FOLDER...   every line that is not reached, and every one with a branch never taken
                                            (of the modules whose names contain --of WORD)

A FOLDER holds collide.gcno and collide.gcda: tests/collide.c, compiled by gcc with -O0 --coverage, and run. A line of a module
that is spliced several times, or built for both number types, is reached when one of its copies is; so is a branch.

tests/coverage.txt lists the lines that no test reaches, each with the reason: `floor/module.c | the line | why`. A reason that
begins with "sometimes" is of a line that other draws, or another machine, may reach.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
sys.dont_write_bytecode = True
import amalgamate  # noqa: E402

SOMETIMES = "sometimes: "
GATE = {"lines": 98.0, "branches": 90.0}


class Place:
    """A line of a module: how often it ran, and how often each branch of it was taken."""

    def __init__(self):
        self.count = 0
        self.branches = {}  # those of copies with as many branches are added

    def add(self, line):
        self.count += line["count"]
        taken = [branch["count"] for branch in line["branches"]]
        before = self.branches.get(len(taken), [0] * len(taken))
        self.branches[len(taken)] = [a + b for a, b in zip(before, taken)]

    def taken(self):
        return [count for counts in self.branches.values() for count in counts]


def measured(folder):
    """The lines of collide.h, as gcov tells them."""
    command = ["gcov", "--branch-probabilities", "--json-format", "--stdout", "collide.gcda"]
    told = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
    for file in json.loads(told)["files"]:
        if os.path.basename(file["file"]) == "collide.h":
            yield from file["lines"]


def origins():
    """For each line of collide.h, the module file and the line that it stands on there; None for those of no module."""

    def of(place):
        file, _, number = place.rpartition(":")
        return (file.removeprefix("tools/src/"), int(number)) if number.isdigit() else None

    return [of(place) for place in amalgamate.generate(ROOT / "tools", ROOT).origin]


def places(folders):
    """(module file, line) -> Place."""
    origin = origins()
    found = collections.defaultdict(Place)
    for folder in folders:
        for line in measured(folder):
            place = origin[line["line_number"] - 1]
            if place:
                found[place].add(line)
    return found


def allowed():
    """(module file, text) -> reason."""
    listed = {}
    for line in (ROOT / "tests/coverage.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            file, text, reason = (field.strip() for field in line.split(" | "))
            listed[file, text] = reason
    return listed


class Share:
    def __init__(self):
        self.lines, self.reached, self.branches, self.taken = 0, 0, 0, 0

    def add(self, place):
        taken = place.taken()
        self.lines += 1
        self.reached += place.count > 0
        self.branches += len(taken)
        self.taken += sum(count > 0 for count in taken)

    def percent(self):
        return {"lines": 100 * self.reached / max(self.lines, 1), "branches": 100 * self.taken / max(self.branches, 1)}

    def row(self, name):
        percent = self.percent()
        return (f"{name:32} {self.lines:7} {self.reached:7} {percent['lines']:7.2f}"
                f" {self.branches:7} {self.taken:7} {percent['branches']:7.2f}")


HEAD = f"{'':32} {'lines':>7} {'reached':>7} {'%':>7} {'branch':>7} {'taken':>7} {'%':>7}"


def shares(found, group):
    sums = collections.defaultdict(Share)
    for (file, _), place in sorted(found.items()):
        sums[group(file)].add(place)
    return sums


def source(file):
    return (ROOT / "tools/src" / file).read_text().splitlines()


def show_missing(found, word):
    for file in sorted({file for file, _ in found if word in file}):
        text = source(file)
        for (_, number), place in sorted(item for item in found.items() if item[0][0] == file):
            taken = place.taken()
            if place.count == 0 or 0 in taken:
                never = "line" if place.count == 0 else f"{taken.count(0)}/{len(taken)}"
                print(f"{file}:{number}: {never:>6}: {text[number - 1].strip()}")


def show_modules(found):
    print(HEAD)
    sums = shares(found, lambda file: file)
    for file in sorted(sums, key=lambda name: (sums[name].percent()["lines"], sums[name].percent()["branches"])):
        print(sums[file].row(file))


def judge(found):
    """The lines `ok` and `FAILED` of tests/check.sh: the gates, and the list of what is not reached."""
    whole = shares(found, lambda _: "library")["library"]
    percent, failed = whole.percent(), False
    for what, gate in GATE.items():
        good = percent[what] >= gate
        failed |= not good
        print(f"{'ok' if good else 'FAILED'} {what}: {percent[what]:.2f} % (at least {gate:g} %)")
    missing = {(file, source(file)[number - 1].strip()) for (file, number), place in found.items() if place.count == 0}
    listed = allowed()
    for file, text in sorted(missing - set(listed)):
        failed = True
        print(f"FAILED {file}: no test reaches `{text}`, and tests/coverage.txt gives no reason")
    for file, text in sorted(set(listed) - missing):
        there = text in {line.strip() for line in source(file)}
        if there and listed[file, text].startswith(SOMETIMES):
            continue
        failed = True
        print(f"FAILED tests/coverage.txt: `{text}` of {file} is {'reached' if there else 'gone'}: take it off the list")
    if not failed:
        print(f"ok all of the {len(missing)} lines that no test reaches have a reason")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--modules", action="store_true")
    parser.add_argument("--missing", action="store_true")
    parser.add_argument("--of", default="", metavar="WORD")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    found = places(options.folders)
    if options.missing:
        show_missing(found, options.of)
    elif options.modules:
        show_modules(found)
    else:
        print(HEAD)
        for floor, share in shares(found, lambda file: file.split("/")[0]).items():
            print(share.row(floor))
        print(shares(found, lambda _: "all")["all"].row("all"))
        return 1 if judge(found) else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
