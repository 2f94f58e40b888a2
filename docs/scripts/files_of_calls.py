"""The files that a call passes through, counted on a build that records which functions run.

    python docs/scripts/files_of_calls.py               # all calls of CALLS: the number of files, and their names
    python docs/scripts/files_of_calls.py --build       # makes the build in build/recorded-calls before

A file is one where a function stands that runs from the call to its result, on the second call: functions that are put
into their callers too, since the compiler calls the recorder for each (-finstrument-functions).  Declarations (.pxd)
with inline functions are counted apart, but where the module is among the files.  What the build writes counts as what
it is made from.  The record knows drivers, the loops of RECORDED_LOOPS and Python; functions that are empty in an
ordinary build are left out.
"""

import argparse
import ctypes
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TREE = ROOT / "build" / "recorded-calls"
RECORDED_LOOPS = "map|map_functions|reduce|product"
EMPTY = {"nd4py/_mem/diagnostics/sanitizer.h"}
PREPARATION = """
import nd4py as nd
small, x, y, long = nd.ones(10), nd.ones(1_000_000), nd.ones(1_000_000), nd.ones(10_000_000)
columns = nd.ones((300, 300))
"""
CALLS = {
    "a + b of ten elements": "small + small",
    "sum(x) of ten elements": "nd.sum(small)",
    "sum(x) of ten million elements": "nd.sum(long)",
    "exp(x) * 2 + y of a million elements, read": "(nd.exp(x) * 2 + y).block()",
    "x @ y of 300 by 300 elements": "columns @ columns",
}
# Beside the compiler: it takes the flags of ordinary builds, and has what is wanted compiled with a call of the
# recorder in each function.
COMPILER = f"""#!/bin/bash
is_recorded=0
for word in "$@"; do
  case "$word" in
    nd4py/cpu/gen/*) [[ "$word" =~ /({RECORDED_LOOPS})_(v[34]|generic)\\.cpp$ ]] && is_recorded=1;;
    nd4py/*.c|nd4py/*.cpp) is_recorded=1;;
  esac
done
words=()
for word in "$@"; do
  case "$word" in
    -Wl,--strip-all) continue;;
    -g0) [ $is_recorded = 1 ] && word=-g1;;
    -O2|-Os|-O3) [ $is_recorded = 1 ] && word=-O1;;
  esac
  words+=("$word")
done
[ $is_recorded = 1 ] && words+=(-finstrument-functions)
exec $(command -v ccache) "$(basename "$0" | sed s/-recording//)" "${{words[@]}}"
"""
RECORDER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#define PLAIN __attribute__((no_instrument_function))
enum { N = 1 << 16 };
static void* seen[N];
static volatile int is_on;
PLAIN void nd_record(int on) { is_on = on; }
PLAIN void __cyg_profile_func_enter(void* function, void* caller) {
  (void)caller;
  if (!is_on) return;
  for (uintptr_t i = ((uintptr_t)function >> 2) % N;; i = (i + 1) % N) {
    void* there = __atomic_load_n(&seen[i], __ATOMIC_RELAXED);
    if (!there) __atomic_compare_exchange_n(&seen[i], &there, function, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    if (!there || there == function) return;
  }
}
PLAIN void __cyg_profile_func_exit(void* function, void* caller) { (void)function, (void)caller; }
PLAIN void nd_print(void) {
  Dl_info library;
  for (int i = 0; i < N; i++)
    if (seen[i] && dladdr(seen[i], &library))
      printf("%s %lx\n", library.dli_fname, (unsigned long)((char*)seen[i] - (char*)library.dli_fbase));
  fflush(stdout);
}
"""


def main():
    """Print the files of each call."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", action="store_true", help="make or renew the build first, which takes minutes")
    parser.add_argument("--functions", action="store_true", help="name the functions too")
    parser.add_argument("--run", metavar="CODE", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.run:
        record(given.run)
        return
    if given.build:
        build()
    for name, code in CALLS.items():
        files = files_of(code)
        n_inline = sum(path.endswith(".pxd") for path in files)
        print(f"{name}: {len(files) - n_inline} files, and {n_inline} declarations with inline functions")
        for path, functions in sorted(files.items()):
            print(f"    {path}" + f"    {', '.join(sorted(functions))}" * given.functions)


def build():
    """A copy of the sources, built in place by a compiler that has calls recorded."""
    runpy.run_path(str(ROOT / "tests/sanitizers/run.py"))["copy_sources"](TREE)
    tools = TREE / "build"
    tools.mkdir(exist_ok=True)
    (tools / "recorder.c").write_text(RECORDER)
    recorder = ["gcc", "-O1", "-shared", "-fPIC", "recorder.c", "-o", "recorder.so", "-ldl"]
    subprocess.run(recorder, cwd=tools, check=True)
    for name in ("gcc", "g++"):
        compiler = tools / f"{name}-recording"
        compiler.write_text(COMPILER)
        compiler.chmod(0o755)
    compilers = {"CC": str(tools / "gcc-recording"), "CXX": str(tools / "g++-recording")}
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    subprocess.run(command, cwd=TREE, env=os.environ | compilers, check=True)


def files_of(code):
    """{file: functions} of what runs in a piece of code, on its second call."""
    settings = {"LD_PRELOAD": str(TREE / "build/recorder.so"), "PYTHONPATH": str(TREE), "OMP_WAIT_POLICY": "passive"}
    command = [sys.executable, __file__, "--run", code]
    lines = subprocess.run(command, env=os.environ | settings, check=True, capture_output=True, text=True).stdout
    files, addresses = {}, {}
    for library, address in map(str.split, lines.splitlines()):
        addresses.setdefault(library, []).append(address)
    for library, found in addresses.items():
        if library.endswith(".py"):
            files.setdefault(made_from(Path(library)), set()).update(found)
            continue
        words = ["addr2line", "-C", "-f", "-e", library, *found]
        pairs = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
        for function, place in zip(pairs[::2], pairs[1::2], strict=True):
            path = source_of(function, place, library)
            if path is not None and path not in EMPTY:
                files.setdefault(path, set()).add(short_name(function))
    return {path: names for path, names in files.items() if f"{path[:-3]}pyx" not in files or path.endswith(".pyx")}


def record(code):
    """Run code twice, and print where the functions of the second run are: a library, or a file of Python, and where in
    it."""
    names, seen = {}, set()
    exec(PREPARATION, names)
    call = compile(code, "<call>", "eval")
    for _ in range(3):
        eval(call, names)
    recorder = ctypes.CDLL(None)

    def note(frame, event, argument):
        if event == "call" and frame.f_code.co_filename.startswith(str(TREE)):
            seen.add((frame.f_code.co_filename, frame.f_code.co_name))

    sys.setprofile(note)
    recorder.nd_record(1)
    eval(call, names)
    recorder.nd_record(0)
    sys.setprofile(None)
    for file, function in sorted(seen):
        print(file, function)
    sys.stdout.flush()
    recorder.nd_print()


def source_of(function, place, library):
    """The file that a function stands in; None for what Cython adds to every module, and for what is not nd4py's."""
    path = Path(place.rpartition(":")[0])
    path = path.resolve() if path.is_absolute() else (TREE / path).resolve()
    if not path.is_relative_to(TREE):
        return None
    if path.suffix not in {".c", ".cpp"}:
        return made_from(path)
    if path.parent.name == "gen":
        return None
    mangled = re.search(r"(?<![0-9])5nd4py_.*", function)
    if mangled:
        return source_of_module(*module_of(mangled[0]))
    if "__Pyx" in function or "__pyx" in function:
        return None
    return verbatim_source(short_name(function), path)


def made_from(path):
    """The file itself, or what a generated one says that it is made from."""
    found = re.search(r"Made from (\S+) by ", path.open().readline())
    return found[1] if found else str(path.relative_to(TREE))


def module_of(mangled):
    """(module, function): from a name that Cython made of a module, its classes and a function."""
    parts, found = [], (None, "")
    while match := re.match(r"_?(\d+)", mangled):
        length = int(match[1])
        parts.append(mangled[match.end() : match.end() + length])
        mangled = mangled[match.end() + length :]
        path = "/".join(parts)
        if any((TREE / (path + ending)).exists() for ending in (".pyx", ".pxd")):
            found = path, mangled.strip("_").partition("(")[0]
    return found


def source_of_module(module, function):
    """Where a function of a module stands: a .pxd file has the inline ones."""
    declarations = TREE / f"{module}.pxd"
    inline = re.compile(rf"^cdef inline [^(]*\b{re.escape(function)}\(", re.MULTILINE)
    is_inline = declarations.exists() and inline.search(declarations.read_text())
    return f"{module}.pxd" if is_inline or not (TREE / f"{module}.pyx").exists() else f"{module}.pyx"


def verbatim_source(name, path):
    """The file with a function in C that Cython copies into a module: its own, or a .pxd file that it cimports."""
    definition = re.compile(rf"\b{re.escape(name)}\([^;{{}}]*\) *(?:const *)?\{{")
    for source in (path.with_suffix(".pyx"), *sorted(TREE.glob("nd4py/**/*.pxd"))):
        if definition.search(source.read_text()):
            return str(source.relative_to(TREE))
    return None


def short_name(function):
    """A function's name without arguments, namespaces, and what Cython puts before it."""
    name = re.sub(r"[<(\[].*", "", function.replace("(anonymous namespace)::", "").replace("operator()", "call"))
    name = name.split("::")[-1].split(" ")[-1]
    return module_of(name[name.index("5nd4py_") :])[1] if "5nd4py_" in name else name


if __name__ == "__main__":
    main()
