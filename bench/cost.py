#!/usr/bin/env python3
"""What collide.h costs the program that takes it: the bench area `cost`; see run.sh.

    include   milliseconds of processor time over an empty file (aim: at most 25 in C, 45 in C++); peers' headers beside it
    compile   seconds of processor time for the file that holds the implementation: all of it, or with COLLIDE_STATIC what a
              program of one query needs
    text      bytes of code and constants in the object

The least of QUICK's 5, otherwise 25 includes; compiles are timed once, or three times when they take less than a second. The
last column is the size of the object, since there are no results to add up.
"""

import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUNS = 5 if os.environ.get("QUICK") else 25
ONE_QUERY = """
int main(int argc, char **argv) {
    cd_sphere a = {{0, 0, 0}, 1}, b = {{(cd_real)argc, 0, 0}, 1};
    (void)argv;
    return cd_test_sphere_sphere(a, b);
}
"""
PEERS = [
    ("c", "libccd", "ccd/ccd.h", ""),
    ("c++", "Bullet", "btBulletCollisionCommon.h", "bullet"),
    ("c++", "FCL", "fcl/fcl.h", "eigen3"),
    ("c++", "ODE", "ode/ode.h", ""),
]


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def line(case, name, value, unit, checksum):
    print(f"cost\t{case}\t{name}\t{value}\t{unit}\t{checksum}", flush=True)


class Files:
    """A folder of sources, and of the objects made of them."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.object = self.folder / "object.o"

    def source(self, name, text):
        (self.folder / name).write_text(text)
        return str(self.folder / name)

    def compile(self, compiler, language, flags, source):
        of = [] if compiler == "tcc" else ["-x", language]
        return seconds([compiler, *flags, *of, "-I", str(ROOT), "-c", source, "-o", str(self.object)])

    def text(self):
        told = subprocess.run(["size", str(self.object)], capture_output=True, text=True, check=True).stdout
        return int(told.splitlines()[1].split()[0])


def include(files, compiler, language, name, header, flags):
    with_it = files.source("with.c", f"#include <{header}>\n")
    empty = files.source("empty.c", "")
    try:
        files.compile(compiler, language, flags, with_it)
    except subprocess.CalledProcessError:
        return
    least = [min(files.compile(compiler, language, flags, source) for _ in range(RUNS)) for source in (with_it, empty)]
    line(f"include-{language}", f"{name}-{compiler}", f"{1000 * (least[0] - least[1]):.1f}", "ms", files.object.stat().st_size)


def implementation(files, compiler, language, flags, case, text):
    source = files.source("library.c", text)
    name = "-".join([compiler, *(flag.lstrip("-") for flag in flags)])
    least = files.compile(compiler, language, flags, source)
    if least < 1:
        least = min([least] + [files.compile(compiler, language, flags, source) for _ in range(2)])
    line(f"compile-{case}", name, f"{least:.2f}", "s", files.object.stat().st_size)
    line(f"text-{case}", name, files.text(), "bytes", files.object.stat().st_size)


def main():
    have = [compiler for compiler in ("gcc", "clang", "tcc") if shutil.which(compiler)]
    whole = '#define COLLIDE_IMPLEMENTATION\n#include "collide.h"\n'
    with tempfile.TemporaryDirectory() as folder:
        files = Files(folder)
        for compiler in have:
            if compiler != "tcc":
                for language in ("c", "c++"):
                    include(files, compiler, language, "ours", "collide.h", [])
                for language, name, header, system in PEERS:
                    include(files, compiler, language, name, header, [f"-I/usr/include/{system}"] if system else [])
            levels = [[]] if compiler == "tcc" else [["-O0"], ["-Os"], ["-O2"]]
            for flags in levels:
                implementation(files, compiler, "c", flags, "all", whole)
                implementation(files, compiler, "c", flags, "one-query", "#define COLLIDE_STATIC\n" + whole + ONE_QUERY)
            if compiler != "tcc":
                implementation(files, compiler, "c", ["-O2", "-DCOLLIDE_DOUBLE"], "all", whole)
                implementation(files, compiler, "c", ["-O2", "-DCOLLIDE_NO_SIMD"], "all", whole)
                implementation(files, compiler, "c", ["-O2", "-DCOLLIDE_NO_CLASSIC"], "all", whole)
    return 0


if __name__ == "__main__":
    sys.exit(main())
