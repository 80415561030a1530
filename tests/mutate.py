#!/usr/bin/env python3
"""Mutation testing: breaks the library's modules one place at a time, and looks whether the tests notice.

    tests/mutate.py --per-module 20 --jobs 16 --seconds 500     again and again, until it says that all is done
    tests/mutate.py --modules core/solve,hull/quickhull         some modules; all their mutants
    tests/mutate.py --report                                    the table of what has been tried, and the survivors

A mutant is one module's .c with one change, compiled alone and loaded before the library (LD_PRELOAD). It is run through
the cases that reach the changed line, which a build with -fsanitize-coverage tells; those first that killed others of the
module, then the quick ones. A failed check, a crash, a time limit, or another hash over results than before kills it.
Survivors are tried with more repeats and in the double build. What stays alive is a test to be written, or a change that
changes nothing: those are listed with the reason in tests/mutants.txt.

Needs gcc, make, binutils and Linux; all lies in build/mutate. Each result is a line of build/mutate/log.jsonl, so that a
run can be cut off at any time; it goes on where it stood. A module that is changed begins anew; --again tries survivors
once more, after tests were written.
"""

import argparse
import bisect
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import queue
import random
import re
import shutil
import struct
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "mutate"
LISTED = ROOT / "tests" / "mutants.txt"
LOG = BUILD / "log.jsonl"
HASH = "hash/everything_gives_one_number"
BYTES = 6 << 30  # address space of a test program

# ---- the tokens of a module -------------------------------------------------------------------------------------

TOKEN = re.compile(r"""
    (?P<skip>/\*.*?\*/ | //[^\n]* | ^[ \t]*\#(?:\\\n|[^\n])* | \s+)
  | (?P<string>"(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*')
  | (?P<number>(?:0[xX][0-9a-fA-F]+ | (?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?)[uUlLfF]*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<op><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^~!<>=?:;,.(){}\[\]])
""", re.X | re.S | re.M)

Token = collections.namedtuple("Token", "kind text at")
Mutant = collections.namedtuple("Mutant", "kind line at end new")  # text[at:end] becomes new
TYPE_WORDS = {"const", "static", "struct", "union", "enum", "unsigned", "signed", "volatile", "register"}
STATEMENTS = {"return", "if", "else", "for", "while", "do", "switch", "case", "default", "goto", "break", "continue"}
# The order of their arguments does not matter.
SYMMETRIC = re.compile(r"(min|max|dot|add|union|merge|same|equal|overlap|distance|mul|near|hypot|gcd|mid|blend2)", re.I)


def tokens_of(text):
    found = []
    at = 0
    while at < len(text):
        m = TOKEN.match(text, at)
        if not m:
            raise ValueError(f"no token: {text[at:at + 20]!r}")
        if m.lastgroup != "skip":
            found.append(Token(m.lastgroup, m[0], at))
        at = m.end()
    return found


class Source:
    """A module's text with what is needed to change it: pairs of brackets, functions, statements."""

    def __init__(self, text):
        self.text, self.tokens = text, tokens_of(text)
        self.starts = [0] + [m.end() for m in re.finditer("\n", text)]
        self.pair, self.inside = {}, []
        stack = []
        for i, t in enumerate(self.tokens):
            if t.kind == "op" and t.text in ")]}":
                self.pair[i], self.pair[stack[-1]] = stack[-1], i
                stack.pop()
            self.inside.append(stack[-1] if stack else -1)
            if t.kind == "op" and t.text in "([{":
                stack.append(i)
        self.functions = self.find_functions()
        self.statements = self.find_statements()

    def line(self, at):
        return bisect.bisect_right(self.starts, at)

    def line_text(self, number):
        return self.text[self.starts[number - 1]:].split("\n", 1)[0]

    def is_op(self, i, *texts):
        return 0 <= i < len(self.tokens) and self.tokens[i].kind == "op" and self.tokens[i].text in texts

    def find_functions(self):
        """(first token of the body, last, its return type)"""
        found = []
        begin = i = 0
        while i < len(self.tokens):
            if self.is_op(i, ";"):
                begin = i + 1
            if self.is_op(i, "{"):
                if self.is_op(i - 1, ")"):
                    name = self.pair[i - 1] - 1
                    words = [t.text for t in self.tokens[begin:name] if t.text not in ("static", "extern", "const", "inline")]
                    words = [w for w in words if not re.match(r"(CDI?_[A-Z]+|__\w+)$", w)]
                    found.append((i, self.pair[i], " ".join(words)))
                    begin = self.pair[i] + 1
                i = self.pair[i]
            i += 1
        return found

    def find_statements(self):
        """(first token, the closing semicolon) of the simple statements in functions."""
        found = []
        for first, last, _ in self.functions:
            i = begin = first + 1
            while i < last:
                if self.is_op(i, "{", "}"):
                    if self.is_op(i, "{") and i != begin and not self.is_op(i - 1, ")") and self.tokens[i - 1].text not in ("else", "do"):
                        i = self.pair[i]  # an initialiser
                    else:
                        begin = i + 1
                elif self.is_op(i, ";"):
                    found.append((begin, i))
                    begin = i + 1
                elif self.is_op(i, "(") and i - 1 == begin and self.tokens[begin].text in ("if", "for", "while", "switch"):
                    if not (self.tokens[begin].text == "while" and self.is_op(self.pair[i] + 1, ";")):
                        i = self.pair[i]
                        begin = i + 1
                elif self.tokens[i].text in ("else", "do") and i == begin:
                    begin = i + 1
                elif self.is_op(i, ":") and self.tokens[begin].text in ("case", "default"):
                    begin = i + 1
                elif self.is_op(i, "("):
                    i = self.pair[i]
                i += 1
        return found


def is_declaration(source, first, last):
    words = [t for t in source.tokens[first:last]]
    i = 0
    while i < len(words) and words[i].text in TYPE_WORDS:
        i += 1
    if i > 0 and words[0].text in TYPE_WORDS:
        return True
    if i + 1 < len(words) and words[i].kind == "name" and words[i].text not in STATEMENTS:
        j = i + 1
        while j < len(words) and words[j].text == "*":
            j += 1
        return j < len(words) and words[j].kind == "name" and (j == i + 1 or source.text[words[j].at - 1] == "*")
    return False


# ---- the mutants of a module ------------------------------------------------------------------------------------

NEGATED = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}
EDGE = {"<": "<=", ">": ">=", "<=": "<", ">=": ">"}
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "&": "|", "|": "&", "^": "&", "<<": ">>", ">>": "<<"}
ASSIGNED = {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "|=": "&=", "&=": "|=", "^=": "|=", "<<=": ">>=", ">>=": "<<="}
COMPONENT = {"x": "y", "y": "x", "z": "x"}


def next_number(text):
    """1 becomes 0: 2 is often as true as 1. Others become one more."""
    m = re.match(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)$", text)
    if m:
        hexadecimal = m[1][:2] in ("0x", "0X")
        value = int(m[1], 16 if hexadecimal else 10)
        value = 0 if value == 1 else value + 1
        return (f"0x{value:x}" if hexadecimal else str(value)) + m[2]
    value = float(text.rstrip("fFlL"))
    return {0.0: "1.0", 1.0: "0.0"}.get(value, f"({text} + 1.0)")


def simple_argument(tokens):
    return [t.kind for t in tokens] == ["name"] or (len(tokens) == 2 and tokens[0].text == "&" and tokens[1].kind == "name")


def mutants_of(source):
    found = []
    tokens, text = source.tokens, source.text

    def add(kind, i, new, last=None):
        last = i if last is None else last
        at = tokens[i].at
        found.append(Mutant(kind, source.line(at), at, tokens[last].at + len(tokens[last].text), new))

    def spaced(i):
        end = tokens[i].at + len(tokens[i].text)
        return text[tokens[i].at - 1].isspace() and text[end:end + 1].isspace()

    body = [False] * len(tokens)
    kept = [False] * len(tokens)  # sizes of arrays that are declared; counters of work
    heads = [False] * len(tokens)  # the parentheses of for
    for first, last, _ in source.functions:
        for i in range(first + 1, last):
            body[i] = True
    for i, t in enumerate(tokens):
        if body[i] and t.text == "for" and t.kind == "name":
            for j in range(i + 1, source.pair[i + 1]):
                heads[j] = True
    for first, last in source.statements:
        if is_declaration(source, first, last):
            value, depth = False, source.inside[first]
            for i in range(first, last):
                if source.inside[i] == depth and source.is_op(i, "="):
                    value = True
                if source.inside[i] == depth and source.is_op(i, ","):
                    value = False
                if not value and source.is_op(i, "["):
                    for j in range(i, source.pair[i] + 1):
                        kept[j] = True
        elif tokens[first].text in ("CDI_COUNT", "assert", "CDI_ASSERT"):
            for i in range(first, last):
                kept[i] = True

    for i, t in enumerate(tokens):
        if not body[i] or kept[i]:
            continue
        before = tokens[i - 1]
        operand = before.kind in ("name", "number") and before.text not in STATEMENTS or source.is_op(i - 1, ")", "]")
        if t.kind == "op":
            if t.text in NEGATED and spaced(i):
                add("relation", i, NEGATED[t.text])
                if t.text in EDGE:
                    add("loop" if heads[i] else "boundary", i, EDGE[t.text])
            elif t.text in ("&&", "||"):
                add("logic", i, "||" if t.text == "&&" else "&&")
            elif t.text in ARITHMETIC and operand and spaced(i):
                add("arithmetic", i, ARITHMETIC[t.text])
            elif t.text in ASSIGNED:
                add("arithmetic", i, ASSIGNED[t.text])
            elif t.text in ("++", "--") and not heads[i]:
                add("arithmetic", i, "--" if t.text == "++" else "++")
            elif t.text in ("-", "~", "!") and not spaced(i):
                if not (t.text == "-" and operand and not source.is_op(i - 1, ")")):
                    add("unary", i, " ")
        elif t.kind == "number":
            add("constant", i, next_number(t.text))
        elif t.kind == "name":
            if t.text in ("true", "false"):
                add("constant", i, "false" if t.text == "true" else "true")
            elif t.text in COMPONENT and source.is_op(i - 1, ".", "->"):
                add("component", i, COMPONENT[t.text])
            elif t.text in ("if", "while") and source.is_op(i + 1, "("):
                inner = range(i + 2, source.pair[i + 1])
                if not source.is_op(i + 2, "!") and not any(source.is_op(j, *NEGATED, "&&", "||") for j in inner):
                    end = source.pair[i + 1]
                    whole = text[tokens[i + 1].at:tokens[end].at + 1]
                    add("relation", i + 1, f"(!{whole})", end)
            elif source.is_op(i + 1, "(") and not SYMMETRIC.search(t.text):
                add_swaps(source, i, add)

    for first, last in source.statements:
        if not body[first] or kept[first] or heads[first] or is_declaration(source, first, last) or first == last:
            continue
        word = tokens[first].text
        if word in ("break", "continue") or word not in STATEMENTS and word != "(":
            add("deletion", first, "", last - 1)
        elif word == "return" and last > first + 1:
            add_return(source, first, last, add)
    return found


def add_swaps(source, i, add):
    """Two neighbouring arguments that are names change places."""
    tokens, open_, close = source.tokens, i + 1, source.pair[i + 1]
    commas = [j for j in range(open_ + 1, close) if source.is_op(j, ",") and source.inside[j] == open_]
    cuts = [open_] + commas + [close]
    args = [(a + 1, b) for a, b in zip(cuts, cuts[1:])]
    for (a, b), (c, d) in zip(args, args[1:]):
        one, two = tokens[a:b], tokens[c:d]
        if simple_argument(one) and simple_argument(two) and [t.text for t in one] != [t.text for t in two]:
            add("swap", a, source.text[two[0].at:two[-1].at + len(two[-1].text)] + ", " +
                source.text[one[0].at:one[-1].at + len(one[-1].text)], d - 1)


def add_return(source, first, last, add):
    """return of a truth or a number: another one."""
    kind = next(type_ for a, b, type_ in source.functions if a < first < b)
    tokens = source.tokens[first + 1:last]
    value = source.text[tokens[0].at:tokens[-1].at + len(tokens[-1].text)]
    if len(tokens) == 1 and (tokens[0].text in ("true", "false") or tokens[0].kind == "number"):
        return  # a constant is changed anyway
    if kind == "bool":
        add("return", first, f"return !({value})", last - 1)
    elif kind in ("int", "double", "cd_real", "float", "size_t", "uint32_t", "int32_t", "uint64_t", "int64_t"):
        add("return", first, f"return ({value}) + 1", last - 1)


def key_of(source, mutant):
    """What identifies a mutant as long as its function does not change."""
    return f"{mutant.kind}:{mutant.line}:{mutant.at - source.starts[mutant.line - 1]}:{mutant.new}"


# ---- the tests, and what they reach -----------------------------------------------------------------------------


def module_path(name):
    return ROOT / "tools" / "src" / f"{name}.c"


def all_modules():
    names = (line.split()[0] for line in (ROOT / "tools/modules.txt").read_text().splitlines() if re.match(r"\w", line))
    return [n for n in names if module_path(n).exists()]


def run_tests(program, cases, size, seed, env=None, timeout=None, words=()):
    """Its exit code, None when it was stopped, and what it printed."""
    whole = dict(os.environ, MUTATE_BYTES=str(BYTES), MUTATE_CORE="0", **(env or {}))
    try:
        done = subprocess.run([str(program), "-t", "-x", str(size), "-s", str(seed), *words], input="".join(c + "\n" for c in cases),
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT, env=whole, timeout=timeout,
                              text=True, errors="replace")
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout


class Reach:
    """For one number type: the cases, their seconds, and by which of them each line of a module is reached.

    What a suite reaches is kept as long as neither it nor the library changes: a file with a line of JSON, and then for each
    case the numbers of the blocks that it runs through."""

    def __init__(self, real, options):
        self.real, self.folder, self.options = real, BUILD / real, options
        self.program = self.folder / "tests"
        self.suites = re.findall(r"^SUITE\((\w+)\)$", (self.folder / "suites.inc").read_text(), re.M)
        digests = self.digests()
        files = {s: self.folder / "reached" / f"{s}-{digests[s]}" for s in self.suites}
        total = hashlib.sha256("".join(digests[s] for s in self.suites).encode()).hexdigest()[:12]
        whole = self.folder / f"reach-{total}.json"
        if not whole.exists():
            self.measure([s for s in self.suites if not files[s].exists()], files)
            whole.write_text(json.dumps(self.summary(files)))
        stored = json.loads(whole.read_text())
        self.cases, self.seconds, self.hash = stored["cases"], stored["seconds"], stored["hash"]
        self.sets = [int(s, 16) for s in stored["sets"]]
        self.modules = stored["modules"]
        self.places = {name: i for i, name in enumerate(self.cases)}
        breadth = collections.Counter()
        for name in self.modules:
            breadth.update(self.members(self.whole(name)))
        self.breadth = [breadth[i] for i in range(len(self.cases))]

    @staticmethod
    def members(mask):
        while mask:
            low = mask & -mask
            yield low.bit_length() - 1
            mask ^= low

    def digests(self):
        """suite: what its reach depends on"""
        common = hashlib.sha256(f"{self.options.size} {self.options.seed}".encode())
        for f in sorted(self.folder.glob("c/*/*.o")) + sorted(set(self.folder.glob("t/*.o")) - set(self.folder.glob("t/test_*.o"))):
            if f.name != "main.o":
                common.update(f.read_bytes())
        found = {}
        for s in self.suites:
            own = common.copy()
            own.update((self.folder / f"t/test_{s}.o").read_bytes())
            found[s] = own.hexdigest()[:12]
        return found

    def measure(self, suites, files):
        """Runs suites, in the order of the time they take to compile, which is that of their length."""
        options = self.options
        say(f"{self.real}: what {len(suites)} suites reach")
        (self.folder / "reached").mkdir(exist_ok=True)
        numbers = {address: i for i, (_, address) in enumerate(self.calls())}

        def one(suite):
            if options.seconds and time.time() > options.begun + options.seconds:
                return False
            how = (options.size, options.seed)
            _, out = run_tests(self.program, [], *how, {"MUTATE_GO_ON": "1"}, None, [suite + "/"])
            seconds = {m[2]: float(m[1]) for m in re.finditer(r"^took (\S+) (\S+)$", out, re.M) if m[2].startswith(suite + "/")}
            bad = set(re.findall(r": (\w+/\w+) \(seed", out)) | set(re.findall(r"^skipped (\S+):", out, re.M))
            cases = [c for c in seconds if c not in bad]
            part = files[suite].with_name(suite + ".part")
            part.write_bytes(b"")
            if cases:
                run_tests(self.folder / "cover", cases, *how, {"MUTATE_COVER": str(part), "MUTATE_GO_ON": "1"})
            data = part.read_bytes()
            rows, at = [], 0
            while at < len(data):
                end = data.index(b"\n", at)
                name, count = data[at:end].decode().split()
                at = end + 1 + 4 * int(count)
                rows.append((name, sorted(numbers[a] for a in struct.unpack_from(f"<{count}I", data, end + 1))))
            found = re.search(r"^hash \w+ (0x\w+)$", out, re.M)
            head = {"cases": [[name, seconds[name], len(blocks)] for name, blocks in rows], "bad": sorted(bad), "hash": found and found[1]}
            part.write_bytes(json.dumps(head).encode() + b"\n" + b"".join(struct.pack(f"<{len(b)}I", *b) for _, b in rows))
            for old in part.parent.glob(f"{suite}-*"):
                old.unlink()
            part.rename(files[suite])
            return True

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            sizes = {s: (self.folder / f"t/test_{s}.o").stat().st_size for s in suites}
            if not all(pool.map(one, sorted(suites, key=lambda s: (s != "hash", -sizes[s])))):
                raise SystemExit("there are more: start it again")

    def summary(self, files):
        cases, seconds, hash_ = [], [], None
        blocks = collections.defaultdict(int)
        for suite in self.suites:
            data = files[suite].read_bytes()
            at = data.index(b"\n") + 1
            head = json.loads(data[:at])
            if head["bad"]:
                say(f"{self.real}: left out, since they fail or are skipped: {' '.join(head['bad'])}")
            hash_ = head["hash"] or hash_
            for name, took, count in head["cases"]:
                for block in struct.unpack_from(f"<{count}I", data, at):
                    blocks[block] |= 1 << len(cases)
                at += 4 * count
                cases.append(name)
                seconds.append(took)
        sets, modules = {}, {}
        for module, lines in self.lines(blocks).items():
            modules[module] = {str(line): sets.setdefault(mask, len(sets)) for line, mask in sorted(lines.items())}
        return {"cases": cases, "seconds": seconds, "hash": hash_, "sets": [f"{m:x}" for m in sets], "modules": modules}

    def lines(self, blocks):
        """A line's code lies between two calls of the tracer; what is after a call belongs to its block."""
        places = self.code_places()
        begins = [p[0] for p in places]
        calls = sorted((address, i) for i, (_, address) in enumerate(self.calls()))
        starts = [c[0] for c in calls]
        masks = collections.defaultdict(dict)
        listing = subprocess.Popen(["objdump", "--dwarf=decodedline", str(self.folder / "cover")], stdout=subprocess.PIPE, text=True)
        for row_ in listing.stdout:
            fields = row_.split()
            if len(fields) < 3 or not fields[0].endswith(".c") or not fields[1].isdigit():
                continue
            address, line = int(fields[2], 16), int(fields[1])
            _, end, module = places[bisect.bisect_right(begins, address) - 1]
            if address < end and fields[0] == module.split("/")[1] + ".c":
                block = calls[bisect.bisect_right(starts, address + 5) - 1][1]
                masks[module][line] = masks[module].get(line, 0) | blocks.get(block, 0)
        listing.wait()
        return masks

    def code_places(self):
        """(begin, end, module) of code, from the linker's map."""
        text = (self.folder / "cover.map").read_text()
        found = re.findall(r"^ \.text\S*\s+0x(\w+)\s+0x(\w+)\s+\S*/c/(\w+/\w+)\.o$", text, re.M)
        return sorted((int(at, 16), int(at, 16) + int(size, 16), module) for at, size, module in found if int(size, 16))

    def calls(self):
        """(module, address behind a call of the tracer), in an order that does not depend on the tests."""
        program = self.folder / "cover"
        names = subprocess.run(["nm", str(program)], stdout=subprocess.PIPE, text=True, check=True).stdout
        target = int(re.search(r"^(\w+) \w __sanitizer_cov_trace_pc$", names, re.M)[1], 16)
        head = subprocess.run(["readelf", "-SW", str(program)], stdout=subprocess.PIPE, text=True, check=True).stdout
        address, offset, size = (int(x, 16) for x in re.search(r"\] \.text\s+PROGBITS\s+(\w+) (\w+) (\w+)", head).groups())
        data = pathlib.Path(program).read_bytes()[offset:offset + size]
        places = self.code_places()
        begins = [p[0] for p in places]
        calls, at = [], data.find(b"\xe8")
        while 0 <= at <= size - 5:
            if address + at + 5 + struct.unpack_from("<i", data, at + 1)[0] == target:
                calls.append((places[bisect.bisect_right(begins, address + at) - 1][2], address + at + 5))
            at = data.find(b"\xe8", at + 1)
        return sorted(calls)

    def whole(self, module):
        """The cases that reach a module at all."""
        mask = 0
        for s in set(self.modules.get(module, {}).values()):
            mask |= self.sets[s]
        return mask

    def mask(self, module, line):
        """The cases that reach a line; one without code is part of a statement, or of a table: those of the next with code on both sides."""
        lines = self.modules.get(module, {})
        if str(line) in lines:
            return self.sets[lines[str(line)]]
        mask = 0
        for way in (-1, 1):
            near = next((n for n in range(line + way, line + 40 * way, way) if str(n) in lines), None)
            mask |= self.sets[lines[str(near)]] if near else 0
        return mask


# ---- one mutant -------------------------------------------------------------------------------------------------


class Lab:
    """Compiles and tries mutants."""

    def __init__(self, options, reaches):
        self.options, self.reaches = options, reaches
        self.hot = collections.defaultdict(list)  # module: cases that killed, the latest first
        self.plain, self.fast = {}, {}
        self.lock = threading.Lock()
        self.module_locks = collections.defaultdict(threading.Lock)

    def compile(self, source, target, real, *how):
        double = ["-DCOLLIDE_DOUBLE"] if real == "double" else []
        return self.succeeds(self.options.cc, "-std=gnu11", "-ffp-contract=off", "-Werror=implicit-function-declaration",
                             "-Werror=int-conversion", "-Werror=incompatible-pointer-types", *double,
                             "-I", str(ROOT / "tools/src"), *how, "-o", str(target), str(source))

    @staticmethod
    def succeeds(*command):
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT).returncode == 0

    def library(self, source, target, real, module, trap):
        """Not optimised: it takes longer to compile than to run. tcc takes a hundredth of the time. With `trap` undefined behaviour
        ends the program, as it does where the tests run with sanitizers."""
        if self.is_fast(module, real) and not trap:
            return self.fast_library(source, target, real)
        checks = ["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"] if trap else []
        header = BUILD / real / ("names.h" if trap else "all.h")
        return self.compile(source, target, real, "-include", str(header), "-O0", "-fPIC", *checks, "-shared", "-nostdlib")

    def fast_library(self, source, target, real):
        double = ["-DCOLLIDE_DOUBLE"] if real == "double" else []
        return self.succeeds("tcc", "-Werror", "-DCOLLIDE_NO_SIMD", *double, "-include", str(BUILD / real / "names.h"), "-I",
                             str(ROOT / "tools/src"), "-shared", "-nostdlib", "-o", str(target), str(source))

    def is_fast(self, module, real):
        """Do the tests pass with the module compiled by tcc? Looked at where there is enough to gain."""
        with self.module_locks[module]:
            known = self.fast.get((module, real))
            if known is None:
                known = self.fast[module, real] = self.find_fast(module, real)
        return known

    def find_fast(self, module, real):
        reach = self.reaches[real]
        mask = reach.whole(module)
        seconds = sum(reach.seconds[c] for c in reach.members(mask))
        if not shutil.which("tcc") or seconds > 0.1 * self.options.wanted[module]:
            return False
        folder = BUILD / "tmp" / f"tcc-{real}-{module.replace('/', '-')}"
        folder.mkdir(parents=True)
        good = self.fast_library(module_path(module), folder / "m.so", real) and \
            not self.try_cases(reach, folder / "m.so", module, mask, self.options.size, self.options.seed)
        shutil.rmtree(folder)
        return good

    def code(self, source, folder, real):
        """What the optimiser makes of it: the sections that hold code and constants."""
        target, dump = folder / "code.o", folder / "code.bin"
        if not self.compile(source, target, real, "-include", str(BUILD / real / "names.h"), "-O2", "-fno-asynchronous-unwind-tables", "-c"):
            return None
        subprocess.run(["objcopy", "--remove-section=.comment", "--remove-section=.note.GNU-stack", "--remove-section=.note.gnu.property",
                        "--strip-debug", str(target), str(dump)], check=True)
        listing = subprocess.run(["objdump", "-sr", str(dump)], stdout=subprocess.PIPE, check=True).stdout
        return hashlib.sha256(listing.split(b"\n", 2)[2]).hexdigest()

    def same_code(self, module, path, folder):
        """Is the compiled code the module's own, in all builds?"""
        for real in self.reaches:
            with self.lock:
                known = self.plain.get((module, real))
            if known is None:
                mutated = path.read_text()
                shutil.copy(module_path(module), path)
                known = self.code(path, folder, real)
                path.write_text(mutated)
                with self.lock:
                    self.plain[module, real] = known
            if self.code(path, folder, real) != known:
                return False
        return True

    def batches(self, reach, module, mask, size):
        """The cases, in groups that take longer and longer."""
        with self.lock:
            hot = [reach.places[c] for c in self.hot[module] if c in reach.places]
        rank = {c: i for i, c in enumerate(hot)}
        chosen = [c for c in reach.members(mask) if reach.cases[c] != HASH]
        chosen.sort(key=lambda c: (rank.get(c, len(hot)), reach.seconds[c] + 0.0003 * reach.breadth[c]))
        scale = size / self.options.size
        batch, total, room = [], 0.0, 0.1
        for c in chosen:
            cost = reach.seconds[c] * scale
            if batch and total + cost > room:
                yield batch, total
                batch, total, room = [], 0.0, room * 3
            batch.append(c)
            total += cost
        if batch:
            yield batch, total
        if reach.places.get(HASH) is not None and mask >> reach.places[HASH] & 1 and size == self.options.size:
            yield [reach.places[HASH]], reach.seconds[reach.places[HASH]]

    def try_cases(self, reach, library, module, mask, size, seed):
        """The name of what kills it, or None."""
        spent = 0.0
        for batch, seconds in self.batches(reach, module, mask, size):
            names = [reach.cases[c] for c in batch]
            if size != self.options.size:
                spent += seconds
                if spent > self.options.patience:
                    return None
            limit = 10 * seconds + 3
            env = {"LD_PRELOAD": str(library), "MUTATE_SECONDS": str(int(limit) + 1)}
            code, out = run_tests(reach.program, names, size, seed, env, 3 * limit + 20)
            if code == 0 and names == [HASH]:
                found = re.search(r"^hash \w+ (0x\w+)$", out, re.M)
                if not found or found[1] != reach.hash:
                    return HASH
            if code == 0:
                continue
            found = re.search(r"^killed (\S+)", out, re.M)
            if found:
                with self.lock:
                    hot = self.hot[module]
                    if found[1] in hot:
                        hot.remove(found[1])
                    hot.insert(0, found[1])
                    del hot[8:]
                return found[1]
            return f"{'time' if code is None or code in (-14, -24, -9) else 'crash'} in {names[0]}..."
        return None

    def judge(self, module, source, mutant, folder):
        """(result, by whom)"""
        path = folder / "m.c"
        path.write_text(source.text[:mutant.at] + mutant.new + source.text[mutant.end:])
        reached = False
        for stage, (real, size, seed) in enumerate(self.options.stages):
            trap = stage >= len(self.reaches)
            reach, library = self.reaches[real], folder / f"{real}{'-trap' if trap else ''}.so"
            mask = reach.mask(module, mutant.line) or reach.whole(module)  # a table has no code
            if not mask:
                continue
            if stage == 0 or not library.exists():
                library.unlink(missing_ok=True)
                if not self.library(path, library, real, module, trap):
                    if stage == 0:
                        return "invalid", ""
                    continue
            if stage == 1 and self.same_code(module, path, folder):
                return "equivalent", ""
            reached = True
            killer = self.try_cases(reach, library, module, mask, size, seed)
            if killer:
                return ("killed", killer) if killer != HASH else ("hash", killer)
        if not reached:
            if not self.compile(path, folder / "u.o", self.options.reals[0], "-include", str(BUILD / self.options.reals[0] / "names.h"), "-O0", "-c"):
                return "invalid", ""
            return ("equivalent", "") if self.same_code(module, path, folder) else ("uncovered", "")
        return "survived", ""


# ---- all mutants ------------------------------------------------------------------------------------------------


def say(text):
    print(text, flush=True)


def squeeze(text):
    return " ".join(text.split())


def listed_mutants():
    """tests/mutants.txt: {(module, line before, line after)}: changes that change nothing."""
    found, block = {}, []
    for line in (LISTED.read_text() if LISTED.exists() else "").splitlines() + [""]:
        if line.startswith("#"):
            continue
        if line.strip():
            block.append(line.strip())
        elif block:
            module, reason = block[0].split(":", 1)
            found[module, squeeze(block[1][1:]), squeeze(block[2][1:])] = reason.strip()
            block = []
    return found


def changed_line(source, mutant):
    """The line before and after."""
    first = source.starts[mutant.line - 1]
    last = source.text.find("\n", mutant.end)
    return squeeze(source.text[first:last]), squeeze(source.text[first:mutant.at] + mutant.new + source.text[mutant.end:last])


def read_log():
    results = {}
    if LOG.exists():
        for line in LOG.read_text().splitlines():
            try:
                entry = json.loads(line)
            except ValueError:
                continue  # the last line of a run that was cut off
            results[entry["module"], entry["source"], entry["key"]] = entry
    return results


class Plan:
    """The mutants of the modules in the order in which they are tried: a module's are shuffled by the seed."""

    def __init__(self, options):
        self.options = options
        self.sources, self.digests, self.mutants = {}, {}, {}
        for name in options.modules:
            text = module_path(name).read_text()
            source = self.sources[name] = Source(text)
            self.digests[name] = hashlib.sha256(text.encode()).hexdigest()[:12]
            drawn = mutants_of(source)
            if options.kinds:
                drawn = [m for m in drawn if m.kind in options.kinds]
            random.Random(f"{options.seed} {name}").shuffle(drawn)
            self.mutants[name] = drawn

    def entry_key(self, name, mutant):
        return name, self.digests[name], key_of(self.sources[name], mutant)

    def chosen(self, name, results):
        """Those tried, of which per_module count, and the next that are wanted."""
        tried, wanted, count = [], [], 0
        for m in self.mutants[name]:
            entry = results.get(self.entry_key(name, m))
            if count + len(wanted) >= self.options.per_module:
                break
            if entry and not (self.options.again and entry["result"] in ("survived", "uncovered") and entry["run"] < self.options.tests_built):
                tried.append((m, entry))
                count += entry["result"] not in ("invalid", "equivalent", "listed")
            else:
                wanted.append(m)
        return tried, wanted


def work(options, plan, results):
    """Tries mutants until all are, or the time is over. True when nothing is left."""
    reaches = {real: Reach(real, options) for real in options.reals}
    options.wanted = {name: len(plan.chosen(name, results)[1]) for name in options.modules}
    lab, listed = Lab(options, reaches), listed_mutants()
    end = options.begun + options.seconds if options.seconds else float("inf")
    folders = queue.SimpleQueue()
    for i in range(options.jobs):
        folder = BUILD / "tmp" / f"{os.getpid()}-{i}"
        folder.mkdir(parents=True, exist_ok=True)
        folders.put(folder)
    log = LOG.open("a")
    lock = threading.Lock()
    count = collections.Counter()

    def one(name, mutant):
        if time.time() > end:
            return
        source, begun = plan.sources[name], time.time()
        before, after = changed_line(source, mutant)
        folder = folders.get()
        try:
            for f in folder.iterdir():
                f.unlink()
            result, by = ("listed", listed[name, before, after]) if (name, before, after) in listed else \
                lab.judge(name, source, mutant, folder)
        finally:
            folders.put(folder)
        entry = {"module": name, "source": plan.digests[name], "key": key_of(source, mutant), "kind": mutant.kind, "line": mutant.line,
                 "before": before, "after": after, "result": result, "by": by, "seconds": round(time.time() - begun, 2), "run": round(begun, 1)}
        with lock:
            results[plan.entry_key(name, mutant)] = entry
            log.write(json.dumps(entry) + "\n")
            log.flush()
            count[result] += 1
            if result in ("survived", "uncovered") and options.verbose:
                show(entry)

    def left():
        rounds = [plan.chosen(name, results)[1] for name in options.modules]
        for turn in range(max(map(len, rounds), default=0)):
            for name, wanted in zip(options.modules, rounds):
                if turn < len(wanted):
                    yield name, wanted[turn]

    begun = time.time()
    while time.time() < end:
        tasks = list(left())
        if not tasks:
            break
        say(f"{len(tasks)} mutants to try")
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for future in [pool.submit(one, *t) for t in tasks]:
                future.result()
    log.close()
    shutil.rmtree(BUILD / "tmp", ignore_errors=True)
    took = time.time() - begun
    total = sum(count.values())
    say(f"{total} mutants in {took:.0f} s, {total / max(took, 1e-9):.1f} a second: " + ", ".join(f"{n} {r}" for r, n in count.most_common()))
    return not list(left())


def show(entry):
    say(f"tools/src/{entry['module']}.c:{entry['line']}: {entry['result']}, {entry['kind']}\n  - {entry['before']}\n  + {entry['after']}")


def report(options, plan, results):
    """The table, and what is alive. `boundary` is what only shows where two numbers are equal, and is counted apart."""
    say(f"\n{'module':34} {'tried':>6} {'killed':>7} {'%':>6} {'only by hash':>13} {'alive':>6} {'unreached':>10} {'listed':>7} {'same':>5} {'boundary':>10}")
    alive, total = [], collections.Counter()
    below = []
    for name in options.modules:
        tried, _ = plan.chosen(name, results)
        n = collections.Counter()
        for m, entry in tried:
            result = entry["result"]
            if m.kind == "boundary" and result not in ("equivalent", "invalid", "listed"):
                n["edge"] += 1
                n["edge killed"] += result in ("killed", "hash")
            else:
                n[result] += 1
            if result in ("survived", "uncovered"):
                alive.append(entry)
        if not tried:
            continue
        row(name, n)
        total.update(n)
        share = killed_share(n)
        if share is not None and share < 0.9:
            below.append(f"{name} {100 * share:.0f}")
    row("all", total)
    say("")
    for entry in sorted(alive, key=lambda e: (e["module"], e["line"])):
        if entry["kind"] != "boundary" or options.verbose:
            show(entry)
    say(f"\nbelow 90 %: {len(below)} modules" + (": " + ", ".join(below) if below else ""))
    return below


def killed_share(n):
    tried = n["killed"] + n["hash"] + n["survived"] + n["uncovered"]
    return (n["killed"] + n["hash"]) / tried if tried else None


def row(name, n):
    tried = n["killed"] + n["hash"] + n["survived"] + n["uncovered"]
    share = killed_share(n)
    say(f"{name:34} {tried:6} {n['killed'] + n['hash']:7} {'' if share is None else f'{100 * share:.1f}':>6} {n['hash']:13} {n['survived']:6} "
        f"{n['uncovered']:10} {n['listed']:7} {n['equivalent']:5} {n['edge killed']:4} of {n['edge']:3}")


# ---- the command ------------------------------------------------------------------------------------------------


def selftest():
    """The operators on a few lines."""
    source = Source("static bool f(cd_vec3 *a, int n) {\n    double w[3], s = -a->x;\n    /* a < b */\n"
                    "    for (int i = 0; i < n; ++i) w[i] = g(a, n) * 2.0;\n    if (!a) return false;\n"
                    "    h(&w[0]);\n    return s + w[1] > 0.0 && n != 3;\n}\n")
    got = [(m.kind, m.line, source.text[m.at:m.end], m.new) for m in mutants_of(source)]
    wanted = [("unary", 2, "-", " "), ("component", 2, "x", "y"), ("loop", 4, "<", "<="), ("relation", 4, "<", ">="),
              ("constant", 4, "0", "1"), ("swap", 4, "a, n", "n, a"), ("arithmetic", 4, "*", "/"), ("constant", 4, "2.0", "(2.0 + 1.0)"),
              ("deletion", 4, "w[i] = g(a, n) * 2.0", ""), ("unary", 5, "!", " "),
              ("constant", 5, "false", "true"), ("constant", 6, "0", "1"), ("deletion", 6, "h(&w[0])", ""),
              ("arithmetic", 7, "+", "-"), ("constant", 7, "1", "0"), ("relation", 7, ">", "<="), ("boundary", 7, ">", ">="),
              ("constant", 7, "0.0", "1.0"), ("logic", 7, "&&", "||"), ("relation", 7, "!=", "=="), ("constant", 7, "3", "4"),
              ("return", 7, "return s + w[1] > 0.0 && n != 3", "return !(s + w[1] > 0.0 && n != 3)")]
    for m in sorted(set(wanted) ^ set(got)):
        print("missing" if m in wanted else "too many", m)
    return sorted(got) == sorted(wanted)


def build(options):
    for real in options.reals:
        begun = time.time()
        subprocess.run(["make", "-s", f"-j{options.jobs}", "-f", "tests/mutate.mk", f"REAL={real}", f"CC={options.cc}"], cwd=ROOT, check=True)
        say(f"{real}: built in {time.time() - begun:.0f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--modules", default="", help="floor/module or floor, with commas; all when left out")
    parser.add_argument("--per-module", type=int, default=0, help="so many mutants a module; all when left out")
    parser.add_argument("--seed", type=int, default=1, help="of the choice, and of the tests")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=0, help="ends after so long; what is running is finished")
    parser.add_argument("--kinds", default="", help="only these: relation, boundary, constant, ...")
    parser.add_argument("--size", type=float, default=0.02, help="of the tests; see test.h")
    parser.add_argument("--last-size", type=float, default=0.2, help="... for what survived")
    parser.add_argument("--patience", type=float, default=5, help="seconds of tests for a survivor at the last size")
    parser.add_argument("--reals", default="float,double")
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--again", action="store_true", help="tries survivors once more that are older than the tests")
    parser.add_argument("--report", action="store_true", help="only the table")
    parser.add_argument("--gate", action="store_true", help="fails where less than 90 %% of a module's mutants were noticed")
    parser.add_argument("--verbose", action="store_true", help="shows survivors as they come, and those of kind boundary")
    parser.add_argument("--selftest", action="store_true")
    options = parser.parse_args()
    if options.selftest:
        good = selftest()
        print("ok mutate" if good else "FAILED mutate")
        return 0 if good else 1
    options.begun, options.tests_built = time.time(), 0.0
    options.reals = options.reals.split(",")
    options.kinds = set(filter(None, options.kinds.split(",")))
    options.per_module = options.per_module or 1 << 30
    wanted = list(filter(None, options.modules.split(",")))
    options.modules = [n for n in all_modules() if not wanted or n in wanted or n.split("/")[0] in wanted]
    options.stages = [(options.reals[0], options.size, options.seed)] + \
        [(real, options.size, options.seed) for real in options.reals[1:]] + \
        [(real, options.last_size, options.seed + 1) for real in options.reals]
    BUILD.mkdir(parents=True, exist_ok=True)
    plan, results = Plan(options), read_log()
    done = True
    if not options.report:
        build(options)
        options.tests_built = max((BUILD / real / "tests").stat().st_mtime for real in options.reals)
        done = work(options, plan, results)
    below = report(options, plan, results)
    if not options.report:
        say("all is done" if done else "there are more: start it again")
    return 1 if options.gate and below else 0


if __name__ == "__main__":
    sys.exit(main())
