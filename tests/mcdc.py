#!/usr/bin/env python3
"""Which conditions of the library's decisions the tests have shown to act by themselves (modified condition/decision coverage).

    tests/mcdc.py FOLDER...             a table: for each floor, and in all; then the modules with the lowest shares
    tests/mcdc.py --verbose FOLDER...   every condition not shown (of the modules whose names contain --of WORD)

A decision is an expression of several conditions joined by && and ||. A condition of it is shown when two evaluations were seen
in which it alone differs, of those that were evaluated, and the decision with it. Conditions that are constants are left out.

A FOLDER holds the program `tests` and its `library.profraw`, with the library compiled by clang with -fcoverage-mcdc: `make mcdc`.
A condition that is spliced several times, or built for both number types, is shown when one of its copies is. Clang 19 does not
look at a decision with another decision inside one of its conditions, as `a && !(b || c)`: those are not counted.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys

import coverage

LOWEST = 12


class Decision:
    """For each condition: its text, whether it was shown, and whether it is a constant in all copies."""

    def __init__(self, texts):
        self.texts = texts
        self.shown = [False] * len(texts)
        self.constant = [True] * len(texts)

    def add(self, shown, constant):
        self.shown = [a or b for a, b in zip(self.shown, shown)]
        self.constant = [a and b for a, b in zip(self.constant, constant)]

    def verdicts(self):
        return [shown for shown, constant in zip(self.shown, self.constant) if not constant]


def tool(name, *words):
    return subprocess.run([f"llvm-{name}-19", *words], check=True, stdout=subprocess.PIPE, text=True).stdout


def exported(folder):
    """What llvm-cov tells of collide.h, and the constants among the conditions: they are branches of no function."""
    profile = folder / "library.profdata"
    tool("profdata", "merge", "-o", profile, folder / "library.profraw")
    words = ["export", folder / "tests", f"-instr-profile={profile}", "--skip-expansions"]
    told = json.loads(tool("cov", *words))["data"][0]
    varying = {tuple(branch[:4]) for function in told["functions"] for branch in function["branches"]}
    for file in told["files"]:
        if os.path.basename(file["filename"]) == "collide.h":
            branches = sorted({tuple(branch[:4]) for branch in file["branches"]})
            return file["mcdc_records"], branches, varying
    raise SystemExit(f"{folder}: it knows nothing of collide.h")


def text_of(lines, region):
    """The source from (line, column) to (line, column), in one line."""
    first, begin, last, end = region
    cut = lines[first - 1 : last]
    cut[-1] = cut[-1][: end - 1]
    cut[0] = cut[0][begin - 1 :]
    return " ".join(" ".join(cut).split())


def conditions(branches, record):
    """The outermost of the branches inside a decision are its conditions; others stand inside of macros' arguments."""
    inside = [b for b in branches if tuple(record[:2]) <= b[:2] and b[2:] <= tuple(record[2:4])]
    outer = [b for b in inside if not any(c != b and c[:2] <= b[:2] and b[2:] <= c[2:] for c in inside)]
    return outer if len(outer) == len(record[-1]) else None


def measured(folder, lines):
    """(line of collide.h, column, end), texts, shown, constant; for each decision of each copy."""
    records, branches, varying = exported(folder)
    for record in records:
        of, shown = conditions(branches, record), record[-1]
        texts = [text_of(lines, c) for c in of] if of else [text_of(lines, record[:4])] * len(shown)
        constant = [c not in varying for c in of] if of else [False] * len(shown)
        yield record[:4], texts, shown, constant


def decisions(folders):
    """(module file, line, column, length, conditions) -> Decision."""
    origin = coverage.origins()
    lines = (coverage.ROOT / "collide.h").read_text().splitlines()
    found = {}
    for folder in folders:
        for (first, begin, last, end), texts, shown, constant in measured(folder, lines):
            place = origin[first - 1]
            if place:
                key = (*place, begin, last - first, end, len(texts))
                found.setdefault(key, Decision(texts)).add(shown, constant)
    return {key: found[key] for key in sorted(found) if found[key].verdicts()}


class Share:
    def __init__(self):
        self.decisions, self.conditions, self.shown = 0, 0, 0

    def add(self, verdicts):
        self.decisions += 1
        self.conditions += len(verdicts)
        self.shown += sum(verdicts)

    def percent(self):
        return 100 * self.shown / max(self.conditions, 1)

    def row(self, name):
        return f"{name:32} {self.decisions:9} {self.conditions:10} {self.shown:7} {self.percent():7.2f}"


HEAD = f"{'':32} {'decisions':>9} {'conditions':>10} {'shown':>7} {'%':>7}"


def shares(found, group):
    sums = collections.defaultdict(Share)
    for key, decision in found.items():
        sums[group(key[0])].add(decision.verdicts())
    return sums


def show_missing(found, word):
    for (file, number, *_), decision in found.items():
        for index, text in enumerate(decision.texts):
            if word in file and not decision.shown[index] and not decision.constant[index]:
                print(f"{file}:{number}: {index + 1}/{len(decision.texts)}: {text}")


def show_table(found):
    print(HEAD)
    for floor, share in shares(found, lambda file: file.split("/")[0]).items():
        print(share.row(floor))
    print(shares(found, lambda _: "all")["all"].row("all"))
    print(f"\nlowest:\n{HEAD}")
    modules = shares(found, lambda file: file)
    for file in sorted(modules, key=lambda name: modules[name].percent())[:LOWEST]:
        print(modules[file].row(file))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--of", default="", metavar="WORD")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    found = decisions(options.folders)
    if options.verbose:
        show_missing(found, options.of)
    else:
        show_table(found)


if __name__ == "__main__":
    main()
