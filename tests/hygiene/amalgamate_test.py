#!/usr/bin/env python3
"""Shows that every check of tools/amalgamate.py fires, with what, why and how to mend, and that it copies bytes.

Each test builds a tiny project in a temporary folder and runs the tool on it. Prints lines as the hygiene scripts do.
"""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOL = ROOT / "tools" / "amalgamate.py"
sys.dont_write_bytecode = True  # nothing is left beside the sources

CONFIG = """\
#pragma once
/* config: the version. */

#include <stddef.h>

#define CD_VERSION_STRING "1.2.3"

/// The number type.
typedef float cd_real;
"""

FRAME = """\
/* version {{version}}
{{contents}}
 */
{{link_names}}
{{api}}
// the implementation
{{implementation}}
{{undefine}}
/*
{{licence}}
 */
"""

MODULES = """\
# order
core/config              what all need
core/vec                 vectors

core/inner     internal  not for users
shape/ball               spheres
shape/meet               do they meet?
"""

OVERLAP = """\
kinds ball box ray
ball ball  cd_test_ball_ball  exact    # a comment
ball box   gjk
box  box   gjk

ball ray   none
ray  box   none
ray  ray   none
"""

README = """\
# A project

<!-- overlap tests, from tools/overlap.txt -->

| | ball | box | ray |
|---|:-:|:-:|:-:|
| ball | E | | |
| box | g | g | |
| ray | - | - | - |

<!-- end of overlap tests -->
The end.
"""

# A sound project; tests change one file of it.
SOUND = {
    "LICENSE": "Do what you like.\n",
    "README.md": README,
    "tools/overlap.txt": OVERLAP,
    "tools/modules.txt": MODULES,
    "tools/src/collide.in": FRAME,
    "tools/src/core/config.h": CONFIG,
    "tools/src/core/vec.h": '#pragma once\n#include "core/config.h"\n\n/// A sum.\nCD_API cd_real cd_sum(cd_real a, cd_real b);\n',
    "tools/src/core/vec.c": '#include "core/vec.h"\n\nCD_API cd_real cd_sum(cd_real a, cd_real b) {\n    return a + b;\n}\n',
    "tools/src/core/inner.h": "#pragma once\n#define CDI_TWO 2\nCDI_FN int cdi_two(void);\n",
    "tools/src/core/inner.c": '#include "core/inner.h"\n#include <math.h>\n\nCDI_FN int cdi_two(void) {\n    return CDI_TWO;\n}\n',
    "tools/src/shape/ball.h": '#pragma once\n#include "core/vec.h"\n\n/// A ball.\ntypedef struct cd_ball {\n    cd_real r;\n} cd_ball;\n',
    "tools/src/shape/meet.h": '#pragma once\n#include "shape/ball.h"\n\n/// Do they?\nCD_API int cd_test_ball_ball(cd_ball a, cd_ball b);\n',
}

VEC, BALL, MEET = "tools/src/core/vec.h", "tools/src/shape/ball.h", "tools/src/shape/meet.h"
VEC_BODY, INNER, INNER_BODY = "tools/src/core/vec.c", "tools/src/core/inner.h", "tools/src/core/inner.c"


class Project:
    """A project in a temporary folder: the sound one with some files changed, or (None) left out."""

    def __init__(self, **changes):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        for name, text in {**SOUND, **changes.get("files", {})}.items():
            if text is not None:
                self.write(name, text)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())

    def run(self, *options, **environment):
        return subprocess.run([sys.executable, str(TOOL), "--root", str(self.root), *options], capture_output=True,
                              text=True, encoding="utf-8", env={**os.environ, **environment}, check=False)

    def header(self):
        return (self.root / "collide.h").read_bytes().decode()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()


class Case(unittest.TestCase):
    def refuse(self, files, *words):
        """The tool fails on the changed files, says what, why and how to mend, and names all the words."""
        with Project(files=files) as project:
            ran = project.run()
            self.assertEqual(ran.returncode, 1, "it should fail")
            self.assertRegex(ran.stderr, r"^error: .+\n  why: .+\n  mend: .+\n$")
            for word in words:
                self.assertIn(word, ran.stderr)
            self.assertFalse((project.root / "collide.h").exists(), "nothing is written on failure")

    def accept(self, files):
        with Project(files=files) as project:
            ran = project.run()
            self.assertEqual((ran.returncode, ran.stderr), (0, ""))
            return project.header()


class Files(Case):
    def test_sound_project(self):
        header = self.accept({})
        self.assertIn("version 1.2.3", header)
        self.assertIn("#define cd_ball cd_ball_f64\n", header)
        self.assertIn("#undef CDI_TWO\n", header)
        self.assertIn(" * Do what you like.\n", header)
        self.assertNotIn('#include "', header)
        self.assertNotIn("#pragma once", header)
        self.assertIn("#include <math.h>", header)
        self.assertNotIn("core/inner", header.split("// the implementation")[0], "contents list only the interface")

    def test_order_is_that_of_modules_txt(self):
        header = self.accept({})
        places = [header.index(f"/* ---- {name} ") for name in
                  ("core/config.h", "core/vec.h", "shape/ball.h", "core/inner.h", "core/vec.c", "core/inner.c")]
        self.assertEqual(places, sorted(places))

    def test_missing_from_disk(self):
        self.refuse({BALL: None}, "shape/ball is in modules.txt, but there is no ball.h")

    def test_unknown_header(self):
        self.refuse({"tools/src/shape/box.h": "#pragma once\n"}, "tools/src/shape/box.h is not in modules.txt")

    def test_unknown_body(self):
        self.refuse({"tools/src/core/extra.c": "\n"}, "tools/src/core/extra.c is not in modules.txt")


class Instances(Case):
    """Modules marked `isa` come again for each instruction set."""

    FILES = {
        "tools/modules.txt": MODULES.replace("core/inner     internal", "core/wide isa lanes\ncore/inner isa"),
        "tools/src/core/wide.h": "#pragma once\nenum { CDI_FEW = 3, CDI_MANY };\nCDI_INLINE int cdi_lane(int a) {\n    return a;\n}\n",
        "tools/src/collide.in": FRAME.replace("{{undefine}}", "{{avx2}}\n{{undefine}}"),
    }

    def test_bodies_and_headers_without_one_come_again(self):
        header = self.accept(self.FILES)
        first, again = header.split("#define cdi_lane cdi_lane_avx2\n")
        self.assertEqual((first.count("int cdi_lane(int a) {"), again.count("int cdi_lane(int a) {")), (1, 1))
        self.assertEqual((first.count("int cdi_two(void) {"), again.count("int cdi_two(void) {")), (1, 1))
        self.assertNotIn("cdi_two(void);", again, "the header of a body is there once")

    def test_names_go_with_them(self):
        header = self.accept(self.FILES)
        for name in "cdi_lane", "cdi_two", "CDI_FEW", "CDI_MANY":
            self.assertEqual(header.count(f"#define {name} {name}_avx2\n"), 1)
            self.assertEqual(header.count(f"#undef {name}\n"), 1)

    def test_headers_come_before_bodies(self):
        again = self.accept(self.FILES).split("#define cdi_lane ")[1]
        self.assertLess(again.index("cdi_lane(int a)"), again.index("cdi_two(void) {"))

    def test_interface_is_refused(self):
        self.refuse({**self.FILES, INNER_BODY: SOUND[VEC_BODY].replace("cd_sum", "cd_other")}, "core/inner is marked isa")


class Includes(Case):
    def test_upward(self):
        self.refuse({VEC: SOUND[VEC].replace("core/config", "shape/ball")},
                    "core/vec.h:2 includes shape/ball from a higher floor")

    def test_upward_in_body(self):
        self.refuse({VEC_BODY: '#include "shape/ball.h"\n' + SOUND[VEC_BODY]}, "core/vec.c:1", "higher floor")

    def test_no_module(self):
        self.refuse({VEC: SOUND[VEC].replace("core/config", "core/nothing")},
                    'core/vec.h:2 includes "core/nothing.h", which is no module')

    def test_later_module(self):
        self.refuse({"tools/src/core/config.h": CONFIG.replace("<stddef.h>", '"core/vec.h"')},
                    "core/config.h:4 includes core/vec, which comes later")

    def test_internal_in_interface(self):
        self.refuse({VEC: SOUND[VEC].replace("core/config", "core/inner")}, "an interface includes the internal core/inner")

    def test_system_header_in_interface(self):
        self.refuse({VEC: SOUND[VEC].replace('"core/config.h"', "<stdio.h>")}, "core/vec.h:2 includes <stdio.h>")

    def test_system_headers_that_are_allowed(self):
        for name in "stdbool", "stddef", "stdint":
            self.accept({VEC: f"#include <{name}.h>\n" + SOUND[VEC]})


class Names(Case):
    def twice(self, name, in_vec, in_inner):
        self.refuse({VEC_BODY: SOUND[VEC_BODY] + in_vec, INNER_BODY: SOUND[INNER_BODY] + in_inner},
                    f"{name} is defined in core/vec.c and in core/inner.c")

    def test_function_twice(self):
        self.twice("cdi_twin", "static int cdi_twin(void) {\n    return 1;\n}\n", "static int cdi_twin(int x) { return x; }\n")

    def test_type_twice(self):
        self.twice("cdi_twin", "typedef struct cdi_twin {\n    int x;\n} cdi_twin;\n", "typedef int cdi_twin;\n")

    def test_function_type_twice(self):
        self.twice("cdi_twin", "typedef int (*cdi_twin)(int);\n", "typedef int cdi_twin[3];\n")

    def test_table_twice(self):
        self.twice("cdi_twin", "static const int cdi_twin[2] = {1, 2};\n", "static const int cdi_twin[] = {\n    3,\n};\n")

    def test_macro_twice(self):
        self.refuse({INNER: SOUND[INNER] + "#define CD_VERSION_STRING 1\n"}, "CD_VERSION_STRING is defined in")

    def test_prototype_and_definition_are_one(self):
        self.accept({INNER: SOUND[INNER] + "CDI_FN int cdi_two(void);\n"})

    def test_same_name_inside_functions(self):
        body = "static int cdi_{0}(void) {{\n    static const int table[] = {{1}};\n    return table[0];\n}}\n"
        self.accept({VEC_BODY: SOUND[VEC_BODY] + body.format("a"), INNER_BODY: SOUND[INNER_BODY] + body.format("b")})

    def test_names_in_comments_and_strings(self):
        words = '/* static int cdi_twin(void) {} */\n// static int cdi_twin(void) {}\nstatic const char *const cdi_NAME = "int f() {";\n'
        self.accept({VEC_BODY: SOUND[VEC_BODY] + words.replace("NAME", "a"),
                     INNER_BODY: SOUND[INNER_BODY] + words.replace("NAME", "b")})

    def test_macro_left_defined(self):
        self.refuse({VEC_BODY: "#define CDI_LEFT(x) x\n" + SOUND[VEC_BODY]}, "core/vec.c leaves CDI_LEFT defined")

    def test_macro_undefined_again(self):
        self.accept({VEC_BODY: "#define CDI_LEFT 1\n" + SOUND[VEC_BODY] + "#undef CDI_LEFT\n"})

    def test_internal_macro_without_prefix(self):
        self.refuse({INNER: SOUND[INNER] + "#define TWO 2\n"}, "core/inner.h defines TWO", "CDI_")


class Interface(Case):
    def in_ball(self, text, *words):
        self.refuse({BALL: SOUND[BALL] + text}, *words)

    def test_function_without_comment(self):
        self.in_ball("\nCD_API int cd_bare(void);\n", "shape/ball.h:9: cd_bare has no doc comment")

    def test_function_with_plain_comment(self):
        self.in_ball("\n/* Not a doc comment. */\nCD_API int cd_bare(void);\n", "shape/ball.h:10: cd_bare has no doc comment")

    def test_inline_without_comment(self):
        self.in_ball("\nCD_INLINE int cd_bare(int x) {\n    return x;\n}\n", "shape/ball.h:9: cd_bare has no doc comment")

    def test_type_without_comment(self):
        self.in_ball("\ntypedef struct cd_bare {\n    int x;\n} cd_bare;\n", "shape/ball.h:9: cd_bare has no doc comment")

    def test_function_without_prefix(self):
        self.in_ball("/// Doc.\nCD_API int bare(void);\n", "shape/ball.h:9 declares bare", "cd_")

    def test_type_without_prefix(self):
        self.in_ball("/// Doc.\ntypedef int cdi_hidden;\n", "shape/ball.h:9 declares cdi_hidden")

    def test_function_without_linkage(self):
        self.in_ball("/// Doc.\nint cd_plain(void);\n", "shape/ball.h:9: cd_plain is neither CD_API nor CD_INLINE")

    def test_static_function(self):
        self.in_ball("/// Doc.\nstatic inline int cd_plain(void) { return 1; }\n", "cd_plain is neither CD_API nor CD_INLINE")

    def test_macro_without_prefix(self):
        self.in_ball("#define BALL 1\n", "shape/ball.h defines BALL")

    def test_constant_without_prefix(self):
        self.in_ball("\n/// Doc.\ntypedef enum cd_kind {\n    CD_GOOD = 1, ///< fine\n    BAD ///< not\n} cd_kind;\n",
                     "shape/ball.h has the constant BAD")

    def test_constant_with_value_without_prefix(self):
        self.in_ball("\n/// Doc.\ntypedef enum cd_kind {\n    BAD = 1,\n    CD_GOOD = 2\n} cd_kind;\n",
                     "shape/ball.h has the constant BAD")


class Overlap(Case):
    """The table of overlap tests and its place in README.md."""

    def in_table(self, before, after, *words):
        self.refuse({"tools/overlap.txt": OVERLAP.replace(before, after)}, *words)

    def test_function_is_missing(self):
        self.in_table("ball box   gjk", "ball box cd_test_ball_box exact", "names cd_test_ball_box for ball and box")

    def test_function_is_left_out(self):
        text = "\n/// Do they?\nCD_API int cd_test_{}(int x);\n"
        for name in "ball_box", "box_ball":
            self.refuse({MEET: SOUND[MEET] + text.format(name)}, f"overlap.txt leaves out cd_test_{name}",
                        f"write `ball box cd_test_{name} <class>`")
        self.accept({MEET: SOUND[MEET] + text.format("ball_cone") + text.format("ball_box_fast")})

    def test_type_is_no_function(self):
        self.refuse({MEET: SOUND[MEET].replace("CD_API int cd_test_ball_ball(cd_ball a, cd_ball b)", "typedef int cd_test_ball_ball")},
                    "names cd_test_ball_ball")

    def test_pair_is_missing(self):
        self.in_table("ball ray   none\n", "", "no line for ball and ray", "`ball ray none`")

    def test_pair_twice(self):
        self.in_table("ray  ray   none", "ray ray none\nray ball none", "overlap.txt:9: ray and ball stand there twice")

    def test_unknown_kind(self):
        self.in_table("ray  ray ", "ray  way", "overlap.txt:8: there is no kind way")

    def test_form(self):
        for line in "ray ray", "ray ray maybe", "ray ray gjk exact", "ray ray cd_test_ray_ray", "ray ray cd_test_ray_ray fine":
            self.in_table("ray  ray   none", line, "overlap.txt:8 is not of the table's form")

    def test_no_marks(self):
        self.refuse({"README.md": "# A project\n"}, "README.md lacks the lines <!-- overlap tests")

    def test_readme_is_written(self):
        with Project(files={"README.md": README.replace("| box | g | g | |", "")}) as project:
            ran = project.run("--check")
            self.assertEqual(ran.returncode, 1)
            self.assertRegex(ran.stderr, r"^error: README.md is stale\n  why: .+\n  mend: run tools/amalgamate.py.*\n$")
            project.run()
            self.assertEqual((project.root / "README.md").read_bytes().decode(), README)
            self.assertEqual(project.run("--check").returncode, 0)

    def test_every_direct_pair_is_tested(self):
        """tests/test_overlap_table.c has a line for each function of the table, as exact as it says there."""
        tested = set(re.findall(r"^    P\((\w+), (\w+), (\w+)\)", (ROOT / "tests/test_overlap_table.c").read_text(), re.M))
        words = [line.split() for line in (ROOT / "tools/overlap.txt").read_text().splitlines()]
        names = {"exact": "EXACT", "tolerant": "LOOSE", "conservative": "SURE"}
        listed = {(w[2], names[w[3]]) for w in words if len(w) == 4 and w[2].startswith("cd_test_")}
        self.assertEqual({(f"cd_test_{a}_{b}", how) for a, b, how in tested}, listed)


class Check(Case):
    def test_fresh(self):
        with Project() as project:
            project.run()
            ran = project.run("--check")
            self.assertEqual((ran.returncode, ran.stderr), (0, ""))

    def stale(self, change):
        with Project() as project:
            project.run()
            change(project)
            before = project.header() if (project.root / "collide.h").exists() else None
            ran = project.run("--check")
            self.assertEqual(ran.returncode, 1)
            self.assertRegex(ran.stderr, r"^error: collide.h is stale\n  why: .+\n  mend: run tools/amalgamate.py.*\n$")
            after = project.header() if (project.root / "collide.h").exists() else None
            self.assertEqual(before, after, "--check writes nothing")

    def test_stale_module(self):
        self.stale(lambda p: p.write(VEC_BODY, SOUND[VEC_BODY] + "/* new */\n"))

    def test_stale_header(self):
        self.stale(lambda p: p.write("collide.h", p.header().replace("a + b", "b + a")))

    def test_one_byte_more(self):
        self.stale(lambda p: p.write("collide.h", p.header() + "\n"))

    def test_missing_header(self):
        self.stale(lambda p: (p.root / "collide.h").unlink())

    def test_runs_are_equal(self):
        with Project() as project:
            project.run()
            first = project.header()
            project.run()
            self.assertEqual(first, project.header())
            project.run(LC_ALL="C", PYTHONHASHSEED="5")
            self.assertEqual(first, project.header(), "the environment does not matter")


class Bytes(Case):
    BODY = '''\
#include "core/vec.h"

/* a "comment' with quotes, and // another */
// it's "half a quote
static const char *const cdi_link = "http://x/*y*/"; // tail  
static const char cdi_quote = '"', cdi_escape = '\\'';
#define CDI_LONG(x) \\
    do {            \\
        (void)(x);  \\
    } while (0)

CD_API cd_real cd_sum(cd_real a, cd_real b) {
	return a + /* tab above */ b;
}
#undef CDI_LONG
/* UTF-8: \u00e9 \u2264 */
'''

    def copied(self, **environment):
        with Project(files={VEC_BODY: self.BODY}) as project:
            ran = project.run(**environment)
            self.assertEqual((ran.returncode, ran.stderr), (0, ""))
            return project.header()

    def test_bytes_are_copied(self):
        self.assertIn(self.BODY.split("\n", 2)[2], self.copied())

    def test_last_line_without_end(self):
        for text in SOUND[VEC_BODY], SOUND[VEC_BODY].rstrip("\n"):
            header = self.accept({VEC_BODY: text})
            self.assertIn("    return a + b;\n}\n\n", header)
            self.assertTrue(header.endswith(" */\n"))


class Where(Case):
    def test_lines_of_a_project(self):
        with Project() as project:
            project.run()
            lines = project.header().splitlines()
            for number in range(1, len(lines) + 1):
                ran = project.run("--where", str(number))
                self.assertEqual(ran.returncode, 0)
                self.compare(project.root, ran.stdout.strip(), lines[number - 1])
            self.assertEqual(ran.stdout, "tools/src/collide.in:11\n", "the last line")

    def test_beyond_the_ends(self):
        with Project() as project:
            project.run()
            beyond = len(project.header().splitlines()) + 1
            for number in 0, -1, beyond:
                ran = project.run(f"--where={number}")
                self.assertEqual(ran.returncode, 1)
                self.assertRegex(ran.stderr, rf"^error: collide.h has no line {number}\n  why: .+\n  mend: .+\n$")

    def test_every_line_of_collide_h(self):
        """Every line that has its origin in a file equals the line there, and no line of a module is lost."""
        spec = importlib.util.spec_from_file_location("amalgamate", TOOL)
        tool = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(tool)
        out = tool.generate(ROOT / "tools", ROOT)
        self.assertEqual((ROOT / "collide.h").read_bytes().decode().split("\n"), out.lines + [""])
        seen = set()
        for line, origin in zip(out.lines, out.origin):
            self.compare(ROOT, origin, line)
            seen.add(origin)
        for path in (ROOT / "tools" / "src").rglob("*.[ch]"):
            name = path.relative_to(ROOT).as_posix()
            for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
                if line.strip() and line != "#pragma once" and not line.startswith("#include"):
                    self.assertIn(f"{name}:{number}", seen)

    def test_where_agrees_on_collide_h(self):
        text = (ROOT / "collide.h").read_text(encoding="utf-8").split("\n")
        for number in 1, len(text) // 3, len(text) // 2, len(text) - 1:
            ran = subprocess.run([sys.executable, str(TOOL), "--where", str(number)], capture_output=True, text=True, check=True)
            self.compare(ROOT, ran.stdout.strip(), text[number - 1])

    def test_line_numbers_are_taken_up_again(self):
        """After the directives that lead to the end of collide.h and back, lines have their own numbers."""
        text = (ROOT / "collide.h").read_text(encoding="utf-8").split("\n")
        numbers = [(i, int(line.split()[1])) for i, line in enumerate(text, 1) if line.startswith("#line ")]
        self.assertEqual(len(numbers), 2)
        self.assertTrue(len(text) - 10 < numbers[0][1] < len(text))
        self.assertEqual(numbers[1][1], numbers[1][0] + 1)

    def compare(self, root, origin, line):
        """A line from a module equals its origin; frame lines too, but for what is filled in there."""
        name, _, number = origin.partition(":")
        if number:
            there = (root / name).read_text(encoding="utf-8").split("\n")[int(number) - 1]
            if "{{" not in there:
                self.assertEqual(there, line, origin)


class Lines(unittest.TestResult):
    """Results as the hygiene scripts print them."""

    def addSuccess(self, test):
        super().addSuccess(test)
        print(f"ok amalgamate/{test.id().split('.', 1)[1]}")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        reason = [line[:300] for line in str(err[1]).strip().split("\n")]
        print(f"FAILED amalgamate/{test.id().split('.', 1)[1]}: {reason[0]}")
        print("".join(f"    {line}\n" for line in reason[1:12]), end="")

    addError = addFailure


if __name__ == "__main__":
    results = Lines()
    unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"]).run(results)
    sys.exit(0 if results.testsRun > 0 and not results.failures else 1)
