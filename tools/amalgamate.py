#!/usr/bin/env python3
"""Splices the modules of tools/src into collide.h.

    tools/amalgamate.py             writes collide.h
    tools/amalgamate.py --check     compares it in memory, and says how to mend it
    tools/amalgamate.py --where N   tells which line of which module line N of collide.h is

Files are copied byte for byte, in the order of tools/modules.txt, into the places that tools/src/collide.in leaves
open; only the lines `#pragma once`, includes of other modules, and in the interface includes of the three system
headers, are left out. What a reader of collide.h relies on is checked first: see the functions named check_*.
Modules marked `isa` are internal, and spliced again for each of the instruction sets below, with all names they define
suffixed by macros: the headers without a body, and the bodies of the others.
The table of overlap tests (tools/overlap.txt) is compared with the modules and printed into README.md.
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
sys.dont_write_bytecode = True  # nothing is left beside the sources
import overlap  # noqa: E402
INSTANCES = ["avx2", "avx512"]
INTERFACE_HEADERS = {"stdbool.h", "stddef.h", "stdint.h"}
INCLUDE = re.compile(r'#\s*include\s+([<"])([^>"]+)[>"]')


class Fault(Exception):
    """What is wrong, why it matters, how to mend it."""

    def __init__(self, what, why, mend):
        super().__init__(f"error: {what}\n  why: {why}\n  mend: {mend}")


class Module:
    """One line of modules.txt and the files behind it."""

    def __init__(self, source, name, kind, about):
        self.name, self.about = name, about
        self.internal, self.isa = kind in ("internal", "isa"), kind == "isa"
        self.floor = name.split("/")[0]
        self.header = source / f"{name}.h"
        self.body = source / f"{name}.c"

    def files(self):
        return [f for f in (self.header, self.body) if f.exists()]

    def instanced(self):
        """The file that is spliced again for each instruction set."""
        return self.body if self.body.exists() else self.header


def read_modules(tools):
    modules = []
    for line in (tools / "modules.txt").read_text().splitlines():
        fields = line.split("#")[0].split(None, 1)
        if fields:
            name, about = fields
            kind = about.split(None, 1)[0]
            if kind in ("internal", "isa"):
                about = about[len(kind):]
            modules.append(Module(tools / "src", name, kind, about.strip()))
    return modules


# ---- what is checked -------------------------------------------------------------------------------------------


def check_files(tools, modules):
    listed = {m.name for m in modules}
    for m in modules:
        if not m.header.exists():
            raise Fault(f"{m.name} is in modules.txt, but there is no {m.header.name}",
                        "a module is a header with its body", "add the file or delete the line")
    for f in sorted((tools / "src").rglob("*.[ch]")):
        name = f.relative_to(tools / "src").with_suffix("").as_posix()
        if name not in listed:
            raise Fault(f"tools/src/{name}{f.suffix} is not in modules.txt", "it would silently be left out",
                        "give the module a line at its place in the reading order")


def check_includes(modules):
    place = {m.name: i for i, m in enumerate(modules)}
    by_name = {m.name: m for m in modules}
    floors = list(dict.fromkeys(m.floor for m in modules))
    for m in modules:
        for f in m.files():
            for number, line in enumerate(f.read_text().splitlines(), 1):
                found = INCLUDE.match(line)
                if not found:
                    continue
                here, target = f"{m.name}{f.suffix}:{number}", found[2].removesuffix(".h")
                if found[1] == "<":
                    if f.suffix == ".h" and not m.internal and found[2] not in INTERFACE_HEADERS:
                        raise Fault(f"{here} includes <{found[2]}>",
                                    "the interface costs its users no more than <stddef.h> <stdint.h> <stdbool.h>",
                                    "include it in the implementation (core/platform)")
                    continue
                if target not in place:
                    raise Fault(f'{here} includes "{found[2]}", which is no module', "it would not be found in collide.h",
                                "write it as floor/module.h, and list the module")
                other = by_name[target]
                if floors.index(other.floor) > floors.index(m.floor):
                    raise Fault(f"{here} includes {target} from a higher floor",
                                f"{m.floor} must stand without {other.floor}",
                                "move the code down, or the user of it up")
                if f.suffix == ".h" and other.internal and not m.internal:
                    raise Fault(f"{here}: an interface includes the internal {target}",
                                "internal headers come after the whole interface", "keep it out of the public header")
                if f.suffix == ".h" and other.internal == m.internal and place[target] >= place[m.name]:
                    raise Fault(f"{here} includes {target}, which comes later", "collide.h is read from top to bottom",
                                "move the line of the included module up in modules.txt")


def blank_comments(text):
    """The text with comments and strings blanked, lines kept."""
    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S)


def file_scope(text):
    """The declarations at file scope, as (line, code) with bodies cut out."""
    lines = blank_comments(text).split("\n")
    depth, start, code, continued = 0, 0, "", False
    for number, line in enumerate(lines, 1):
        if continued or line.lstrip().startswith("#"):
            continued = line.endswith("\\")
            continue
        for c in line:
            if c == "{":
                code += "{" if depth == 0 else ""
                depth += 1
            elif c == "}":
                depth -= 1
                code += "}" if depth == 0 else ""
            elif depth == 0:
                if not code.strip():
                    start = number
                code += c
            if depth == 0 and (c == ";" or (c == "}" and not re.match(r"\s*(typedef|struct|union|enum)|.*=", code, re.S))):
                yield start, " ".join(code.split())
                code = ""
        if depth == 0:
            code += " "


def declared_name(code):
    """The name that a declaration at file scope introduces, and whether it defines it."""
    found = re.match(r"typedef .*\(\*(\w+)\)", code) or re.match(r"typedef .*?(\w+)(?:\[[^\]]*\])?;$", code)
    if found:
        return found[1], True
    code = re.sub(r"__attribute__\(\(.*?\)\)", "", code)
    found = re.match(r"[\w\s*]*?\b(\w+)\s*\(", code) or re.match(r"[\w\s*]*?\b(\w+)(?:\[[^\]]*\])*\s*=", code)
    return (found[1], not code.endswith(";") or "=" in code) if found else (None, False)


def macros(text):
    return re.findall(r"^[ \t]*#\s*define\s+(\w+)", blank_comments(text), re.M)


def check_names(modules):
    """No name at file scope in two modules; macros of bodies undefined at their end."""
    owner = {}
    for m in modules:
        for f in m.files():
            text, here = f.read_text(), f"{m.name}{f.suffix}"
            names = {n for _, code in file_scope(text) for n, defines in [declared_name(code)] if n and defines}
            names |= set(macros(text)) if f.suffix == ".h" else set()
            for name in sorted(names):
                if owner.setdefault(name, here) != here:
                    raise Fault(f"{name} is defined in {owner[name]} and in {here}", "they share one file in collide.h",
                                "share the definition, or rename one")
            if f.suffix == ".c":
                left = set(macros(text)) - set(re.findall(r"^#undef (\w+)", text, re.M))
                if left:
                    raise Fault(f"{here} leaves {', '.join(sorted(left))} defined",
                                "a macro would reach into the modules after it", "#undef it at the end of the file")
            elif m.internal:
                wrong = [n for n in macros(text) if not n.startswith("CDI_")]
                if wrong:
                    raise Fault(f"{here} defines {wrong[0]}", "internal macros are CDI_, and undefined at the end",
                                "rename it")


def public_names(module):
    """(line, name, kind) of what a public header declares."""
    text = module.header.read_text()
    for line, code in file_scope(text):
        name, _ = declared_name(code)
        if name:
            yield line, name, "type" if code.startswith("typedef") else "function"


def check_interface(modules):
    """Every public name has its prefix and, right above it, a doc comment."""
    for m in modules:
        if m.internal:
            continue
        text = m.header.read_text()
        lines = text.split("\n")
        for line, name, kind in public_names(m):
            here = f"{m.name}.h:{line}"
            if not name.startswith("cd_"):
                raise Fault(f"{here} declares {name}", "only cd_ names reach the user", "rename it, or make it internal")
            if kind == "function" and not re.match(r"CD_API |CD_INLINE ", lines[line - 1]):
                raise Fault(f"{here}: {name} is neither CD_API nor CD_INLINE", "it would miss its linkage", "mark it")
            if not lines[line - 2].startswith("///") and name != "cd_real":
                raise Fault(f"{here}: {name} has no doc comment", "every public name says what it is",
                            "write one with /// right above it")
        for name in macros(text):
            if not name.startswith(("CD_", "COLLIDE_")):
                raise Fault(f"{m.name}.h defines {name}", "only CD_ macros reach the user", "rename it")
        for constant in re.findall(r"^    (\w+)(?: = [^,\n]*)?,?\s*(?:///.*)?$", enums(text), re.M):
            if not constant.startswith("CD_"):
                raise Fault(f"{m.name}.h has the constant {constant}", "only CD_ constants reach the user", "rename it")


def check_instances(modules):
    """What is compiled once more for each instruction set is no interface."""
    for m in modules:
        if m.isa and re.search(r"^CD_API ", m.instanced().read_text(), re.M):
            raise Fault(f"{m.name} is marked isa, but has a public function", "it would be there again under another name",
                        "keep the kernel in a module of its own, and call it by CDI_RUN")


def enums(text):
    return "\n".join(re.findall(r"^typedef enum \w+ \{\n(.*?)^\}", text, re.M | re.S))


# ---- the splice -------------------------------------------------------------------------------------------------


class Output:
    """Lines, and for each where it came from."""

    def __init__(self):
        self.lines, self.origin = [], []

    def add(self, line, origin):
        self.lines.append(line)
        self.origin.append(origin)

    def add_file(self, module, path, interface):
        name = f"{module.name}{path.suffix}"
        self.add("/* ---- %s %s */" % (name, "-" * max(4, 104 - len(name))), name)
        self.add("", name)
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = INCLUDE.match(line)
            spliced = found and (found[1] == '"' or (interface and found[2] in INTERFACE_HEADERS))
            if not spliced and line != "#pragma once" and (line or self.lines[-1]):
                self.add(line, f"tools/src/{name}:{number}")
        self.add("", name)


def contents(modules):
    return [" *   %-26s %s" % (m.name, m.about) for m in modules if not m.internal]


def link_names(modules):
    names = sorted(n for m in modules if not m.internal for _, n, _ in public_names(m))
    return [f"#define {n} {n}_f64" for n in dict.fromkeys(names)]


def defined_names(text):
    """All that is declared at file scope, the constants of enumerations among them."""
    constants = re.findall(r"^(?:typedef )?enum\b[^{;]*\{(.*?)\}", blank_comments(text), re.M | re.S)
    return ({n for _, code in file_scope(text) for n in [declared_name(code)[0]] if n} |
            {n for c in constants for n in re.findall(r"(?:^|,)\s*(\w+)", c)})


def instance(out, modules, suffix):
    """What is marked `isa`, once more."""
    again = [m for m in modules if m.isa]
    names = set().union(*(defined_names(m.instanced().read_text()) for m in again))
    for name in sorted(names):
        out.add(f"#define {name} {name}_{suffix}", suffix)
    for m in sorted(again, key=lambda m: m.body.exists()):
        out.add_file(m, m.instanced(), False)
    for name in sorted(names):
        out.add(f"#undef {name}", suffix)


def undefine(modules):
    names = [n for m in modules if m.internal for n in macros(m.header.read_text())]
    return [f"#undef {n}" for n in dict.fromkeys(["CDI_FN"] + names)]


def version(modules):
    config = next(m for m in modules if m.name == "core/config")
    return re.search(r'CD_VERSION_STRING\s+"([^"]+)"', config.header.read_text())[1]


def number_lines(out):
    """The numbers that #line is told in collide.in: of the last lines, and of the one after the directive."""
    last = str(len(out.lines) - 4)  # room for what is put there
    for i, line in enumerate(out.lines):
        if line.startswith("#line "):
            out.lines[i] = line.replace("{{last_line}}", last).replace("{{next_line}}", str(i + 2))


def generate(tools, root):
    modules = read_modules(tools)
    check_files(tools, modules)
    check_includes(modules)
    check_names(modules)
    check_interface(modules)
    check_instances(modules)
    out = Output()
    generated = {
        "contents": lambda: contents(modules),
        "link_names": lambda: link_names(modules),
        "undefine": lambda: undefine(modules),
        "licence": lambda: [(" * " + line).rstrip() for line in (root / "LICENSE").read_text().splitlines()],
    }
    for number, line in enumerate((tools / "src" / "collide.in").read_text().splitlines(), 1):
        place = re.fullmatch(r"\{\{(\w+)\}\}", line)
        here = f"tools/src/collide.in:{number}"
        if not place:
            out.add(line.replace("{{version}}", version(modules)), here)
        elif place[1] == "api":
            for m in modules:
                if not m.internal:
                    out.add_file(m, m.header, True)
        elif place[1] == "implementation":
            for m in modules:
                if m.internal:
                    out.add_file(m, m.header, False)
            for m in modules:
                if m.body.exists():
                    out.add_file(m, m.body, False)
        elif place[1] in INSTANCES:
            instance(out, modules, place[1])
        else:
            for made in generated[place[1]]():
                out.add(made, here)
    number_lines(out)
    return out


def overlap_table(tools):
    """The table of overlap tests, in agreement with the public functions."""
    try:
        table = overlap.Table((tools / "overlap.txt").read_text())
        modules = [m for m in read_modules(tools) if not m.internal]
        table.check({name for m in modules for _, name, kind in public_names(m) if kind == "function"})
        return table
    except overlap.Problem as problem:
        raise Fault(*problem.args) from None


def readme_text(tools, root):
    try:
        return overlap.put_into((root / "README.md").read_text(encoding="utf-8"), overlap_table(tools))
    except overlap.Problem as problem:
        raise Fault(*problem.args) from None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--where", type=int, metavar="N", help="tell where line N comes from")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="another project folder")
    options = parser.parse_args()
    header = options.root / "collide.h"
    try:
        out = generate(options.root / "tools", options.root)
        if options.where is not None:
            if not 1 <= options.where <= len(out.lines):
                raise Fault(f"collide.h has no line {options.where}", f"it has {len(out.lines)}", "give another number")
            print(out.origin[options.where - 1])
            return 0
        text = "\n".join(out.lines) + "\n"
        readme, readme_new = options.root / "README.md", readme_text(options.root / "tools", options.root)
        if options.check:
            if readme.read_text(encoding="utf-8") != readme_new:
                raise Fault("README.md is stale", "its table of overlap tests is not that of tools/overlap.txt",
                            "run tools/amalgamate.py and commit README.md with the table")
            if not header.exists() or header.read_text() != text:
                raise Fault("collide.h is stale", "it is not what its modules make now",
                            "run tools/amalgamate.py and commit collide.h with the modules")
            return 0
        header.write_text(text, newline="\n")
        if readme.read_text(encoding="utf-8") != readme_new:
            readme.write_text(readme_new, encoding="utf-8", newline="\n")
        return 0
    except Fault as fault:
        print(fault, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
