"""The table of all overlap tests, tools/overlap.txt: read, compared with the public functions, printed as Markdown.

tools/amalgamate.py runs it. Problems are told as (what, why, how to mend).
"""

import re

BEGIN, END = "<!-- overlap tests, from tools/overlap.txt -->", "<!-- end of overlap tests -->"
SIGNS = {"exact": "E", "tolerant": "T", "conservative": "C", "gjk": "g", "none": "-"}
HOW = "mend the line in tools/overlap.txt"


class Problem(Exception):
    """Three strings: what is wrong, why it matters, how to mend it."""


class Table:
    """The kinds in their order; for each pair the function (or None) and the class, `gjk` or `none`."""

    def __init__(self, text):
        self.kinds, self.pairs = [], {}
        for number, line in enumerate(text.splitlines(), 1):
            words = line.split("#")[0].split()
            if words and not self.kinds:
                self.kinds = words[1:]
            elif words:
                self.add(words, f"overlap.txt:{number}")

    def key(self, a, b):
        return tuple(sorted((a, b), key=self.kinds.index))

    def add(self, words, here):
        strange = [k for k in words[:2] if k not in self.kinds]
        direct = len(words) == 4 and words[2].startswith("cd_test_") and words[3] in ("exact", "tolerant", "conservative")
        if strange:
            raise Problem(f"{here}: there is no kind {strange[0]}", "the table is of the kinds of its first line", HOW)
        if not direct and not (len(words) == 3 and words[2] in ("gjk", "none")):
            raise Problem(f"{here} is not of the table's form", "its head says how lines are read", HOW)
        if self.key(*words[:2]) in self.pairs:
            raise Problem(f"{here}: {words[0]} and {words[1]} stand there twice", "one answer a pair", "delete one of the lines")
        self.pairs[self.key(*words[:2])] = (words[2], words[3]) if direct else (None, words[2])

    def check(self, functions):
        """Every pair once; every function there; none left out."""
        for i, a in enumerate(self.kinds):
            for b in self.kinds[i:]:
                if (a, b) not in self.pairs:
                    raise Problem(f"overlap.txt has no line for {a} and {b}", "users look for every pair", f"add `{a} {b} none`")
        for (a, b), (function, _) in self.pairs.items():
            if function and function not in functions:
                raise Problem(f"overlap.txt names {function} for {a} and {b}, which is no public function",
                              "the README would promise it", "write the function, or gjk or none in its place")
            for name in f"cd_test_{a}_{b}", f"cd_test_{b}_{a}":
                if name in functions and function != name:
                    raise Problem(f"overlap.txt leaves out {name}", "the README would say there is none",
                                  f"write `{a} {b} {name} <class>` for that pair, and add it to tests/test_overlap_table.c")

    def cell(self, a, b):
        return SIGNS[self.pairs[self.key(a, b)][1]]

    def markdown(self):
        """The lower triangle, a row a kind."""
        rows = ["| |" + "|".join(f" {k} " for k in self.kinds) + "|", "|---" + "|:-:" * len(self.kinds) + "|"]
        for i, a in enumerate(self.kinds):
            cells = [self.cell(a, b) for b in self.kinds[: i + 1]] + [""] * (len(self.kinds) - i - 1)
            rows.append(f"| {a} | " + " | ".join(cells) + " |")
        return "\n".join(re.sub(r" +\|", " |", row) for row in rows)


def put_into(readme, table):
    """The README with the table between its marks."""
    parts = re.fullmatch(f"(.*{re.escape(BEGIN)}\n).*?(\n{re.escape(END)}.*)", readme, re.S)
    if not parts:
        raise Problem(f"README.md lacks the lines {BEGIN} and {END}", "the table of overlap tests stands between them",
                      "put them where the table is to be")
    return f"{parts[1]}\n{table.markdown()}\n{parts[2]}"
