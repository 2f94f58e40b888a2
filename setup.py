"""Build the extension modules: Cython drivers, and the loops once per instruction set.

ND4PY_DEBUG=1 builds with bounds, wraparound and initialisation checks; ND4PY_JOBS sets the number of compilers;
ND4PY_BUILD_ISA says which instruction sets the loops are built for: "native" (this machine's best one, and the baseline
for older machines; the default), "all" (for wheels), or names such as "v4,v3".  ND4PY_CUDA_FATBIN=1 compiles the
commonest kernels for CUDA devices with nvcc and puts them into the wheel; ND4PY_BUILD_MEASURES=1 installs the modules
that benchmarks measure with, which otherwise are built in place alone.
ND4PY_SANITIZE=address builds with AddressSanitizer and UndefinedBehaviorSanitizer, ND4PY_SANITIZE=thread with
ThreadSanitizer; tests/sanitizers/run.py makes such builds apart, and runs tests on them.

Design: every .pyx is a shared object of its own.  One for each layer would save little: to load 112 of them, and to
make their module objects, took 12 to 18 ms of the 190 to 270 ms of processor time of `import nd4py`.
"""

import importlib
import os
import platform
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import types
import zipfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from Cython import __version__ as cython_version
from setuptools import Extension, find_packages, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import CompileError, LinkError

ROOT = Path(__file__).resolve().parent
os.chdir(ROOT)

DEBUG = os.environ.get("ND4PY_DEBUG") == "1"
IS_WINDOWS = sys.platform == "win32"
IS_X86 = platform.machine().lower() in {"x86_64", "amd64"}
IS_GCC = "clang" not in f"{os.environ.get('CXX') or sysconfig.get_config_var('CXX')}"
ISA_FLAGS = {
    "v4": ["-march=x86-64-v4", "-mprefer-vector-width=512"],
    "v3": ["-march=x86-64-v3"],
    "v2": ["-march=x86-64-v2"],
    "generic": [],
}
HAS_MEASURES = os.environ.get("ND4PY_BUILD_MEASURES") == "1"
JOBS = int(os.environ.get("ND4PY_JOBS", os.cpu_count() or 1))
BUILT_ISA = os.environ.get("ND4PY_BUILD_ISA", "native")
BASELINE = "v2" if IS_X86 else "generic"
# What a processor says it has, as nd4py/cpu/isa/isa.pyx asks for it.
PROCESSOR_FLAGS = {
    "v4": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
    "v3": {"avx2", "fma", "bmi2"},
}
# Of -ffast-math only what changes no result: errno and floating-point traps are not observed, signed integers wrap.
# Nothing is thrown, and no debugger's tables are needed.
LOOP_FLAGS = [
    "-g0",
    "-fno-exceptions",
    "-fno-asynchronous-unwind-tables",
    "-std=c++17",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fwrapv",
    "-fvisibility=hidden",
]
# Families of loops come to run no slower, in less time to compile and in half to nine tenths of the size, where gcc
# makes SIMD code of them but neither copies nor unrolls them further.  Some have short loops inside, over the operands
# or the vectors of a block or a tile, which must be unrolled whole.  At -O3 the last four were a fifth larger and no
# faster, but for sorts of 16 bits with AVX2, which took a tenth less time.
LEAN_FLAGS = ["-O2", "-ftree-vectorize", *["-fvect-cost-model=dynamic"] * IS_GCC]
UNROLLED_FAMILIES = {"map", "map_functions", "map_gradients", "recurrent", "attention", "product", "sort"}
UNROLLED_FLAGS = [*LEAN_FLAGS, *["-fpeel-loops", "--param=max-completely-peel-times=4", "-funswitch-loops"] * IS_GCC]
# What is left of a line after whole registers goes element by element, not through shorter registers first: a tenth
# less of code.  It counts in calls of some ten elements, which are those of these families.
SMALL_CALL_FAMILIES = {"map", "map_functions"}
WHOLE_REGISTERS = ["--param=vect-epilogues-nomask=0"] * IS_GCC
# For size, without the passes that look for what was computed before: a fifth smaller than at -O1, as fast to compile.
# Without copies of the conditions of loops, and in the order in which it was written, it is compressed by a tenth more.
SIZE_FLAGS = [
    "-Os",
    *("-fno-tree-pre", "-fno-gcse", "-fno-code-hoisting", "-fno-tree-dominator-opts") * IS_GCC,
    *("-fno-tree-ch", "-fno-schedule-insns2") * IS_GCC,
]
# Of a baseline that stands behind a better instruction set: it has no multiplication with addition in one step, so its
# results have the same bits at any level.  Such a loop makes no use of SIMD instructions: one of each row is enough.
BASELINE_FLAGS = [*SIZE_FLAGS, "-DND_ONE_LOOP"]
DRIVER_FLAGS = ["-g0", "-fvisibility=hidden"]
LOOP_DRIVER_FLAGS = ["-O2"]
# Drivers without loops of their own.  They took two thirds longer to compile at -O2.
GLUE_FOLDERS = (
    *("nd4py/_core", "nd4py/_mem", "nd4py/_exec", "nd4py/cuda", "nd4py/cpu/isa", "nd4py/cpu/onednn", "nd4py/cpu/conv"),
    *(
        "nd4py/cpu/pooling",
        "nd4py/cpu/recurrent",
        "nd4py/cpu/attention",
        "nd4py/cpu/matmul/blas",
        "nd4py/cpu/matmul/correlation",
    ),
    *("nd4py/cpu/linalg/lapack", "nd4py/cpu/linalg/large_matrices"),
)
GLUE_FLAGS = SIZE_FLAGS
# Those that small calls go through, which take 4 to 6 percent longer at that level.
FAST_DRIVERS = {
    "_core": "array array_base upcalls operators deferred panic plan shape threads views",
    "_exec": "assignment backend_function conversion creation dispatch concat index_keys run_chain matmul nodes "
    "outputs creation_by_device reductions row_table eager promotion scans",
    "_mem": "pool pool_guard pool_magazines pool_shared",
}
FAST_FLAGS = ["-O2"]
# No exception of C++ passes through a driver in C: the tables for that are a tenth of its size.
C_FLAGS = ["-fno-asynchronous-unwind-tables", "-fno-unwind-tables"]
# On Windows the compiler's own libraries go into each module, but OpenMP's: one team of threads serves all of them.
WINDOWS_LINK_FLAGS = ["-static-libgcc", "-static-libstdc++", "-Wl,-Bstatic,-lwinpthread,-Bdynamic"]
STRIPPED = "-Wl,--strip-all"
# An identity serves to find a debugger's tables, which there are not, and is what compresses least.  Code and constants
# share their pages: apart they take two pages more in each of 430 modules.
LINK_FLAGS = {
    "linux": [f"{STRIPPED},--build-id=none,-z,noseparate-code"],
    "win32": [STRIPPED, *WINDOWS_LINK_FLAGS],
}.get(sys.platform, [])
# Random numbers are made in their driver, with the same bits on every instruction set: nothing may be contracted.  The
# short loops inside those over elements, rounds and terms of polynomials, have to be unrolled whole for SIMD code of
# the outer ones: at -O2 a number took three times as long (asv_bench/numpy_names.py gamma).
EXACT_FLAGS = ["-O3", *WHOLE_REGISTERS, "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off"]
if IS_GCC:  # as many rounds as Philox has: longer loops are not unrolled whole
    EXACT_FLAGS.append("--param=max-completely-peel-times=10")
if IS_GCC:  # which looks for memory that it may use again only when it has taken 300 MB: a tenth less time
    LOOP_FLAGS += ["--param=ggc-min-heapsize=300000"]
    # Passes that look for what was computed before, and order instructions as the processor does itself: a quarter of
    # the time to compile reductions and copies, which run as fast without them.  Loops with branches in each element do
    # not, as those of greatest common divisors.
    LEAN_FLAGS += [
        *("-fno-tree-pre", "-fno-gcse", "-fno-code-hoisting", "-fno-thread-jumps", "-fno-tree-dominator-opts"),
        "-fno-schedule-insns2",
    ]
    # What small calls are as fast with as at -O2, in two thirds of the time to compile.
    FAST_FLAGS = [
        *("-O1", "-finline-small-functions", "-freorder-blocks", "-foptimize-sibling-calls", "-fthread-jumps"),
        *("-ftree-vrp", "-fstrict-aliasing", "-fcaller-saves", "-fpeephole2", "-fipa-ra"),
    ]
    # Half of what C++ reads for Python.h are special functions, which <math.h> brings; this says that they were read.
    LOOP_FLAGS.append("-D_GLIBCXX_SPECFUN_H")
    DRIVER_FLAGS.append("-D_GLIBCXX_SPECFUN_H")
    # Python asks for -Wall, which takes a twentieth of the time.  Builds that look for mistakes have it, but for this:
    # GCC 12 takes the undefined operands of its own AVX-512 intrinsics for mistakes, in 20,000 lines of warnings
    # (https://gcc.gnu.org/bugzilla/show_bug.cgi?id=105593).
    for flags in (LOOP_FLAGS, DRIVER_FLAGS):
        flags.append("-Wno-maybe-uninitialized" if DEBUG else "-Wno-all")
if IS_X86 and IS_GCC:
    # GCC clears a new array's struct with `rep stos`, which starts slowly: a quarter of `x + x` on ten elements.
    DRIVER_FLAGS.append("-mmemset-strategy=unrolled_loop:256:noalign,libcall:-1:noalign")
SANITIZERS = {
    "address": ["-fsanitize=address,undefined", "-fno-sanitize=vptr"],
    "thread": ["-fsanitize=thread", "-Wno-tsan"],
}
SANITIZE = os.environ.get("ND4PY_SANITIZE", "")
if SANITIZE and SANITIZE not in SANITIZERS:
    raise SystemExit(f"ND4PY_SANITIZE must be one of {', '.join(SANITIZERS)}, given {SANITIZE!r}")
SANITIZER_FLAGS = SANITIZERS.get(SANITIZE, [])
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": DEBUG,
    "initializedcheck": DEBUG,
    "cdivision": True,
    "annotation_typing": False,  # annotations are for stubs: C types stand before the names
    "auto_pickle": False,  # classes that may be pickled say how themselves; pickle refuses the others
    "emit_code_comments": DEBUG,  # a quarter of what the compiler reads
}
# What Cython's modules have in common, such as functions seen from Python, is compiled once: on 140 drivers that takes
# 30 processor seconds and 2 MB off.  No driver has memoryviews, whose code is the longest.
SHARED_CODE = "nd4py._cython"
SHARED_FEATURES = ["--exclude", "MemoryView"]
# The command `cython`, which looks for no garbage: that took a quarter of its time, and what it makes it keeps.
CYTHON = "import gc; gc.disable(); from Cython.Compiler.Main import main; main(command_line=1)"
MOST_TRANSLATED = 40  # drivers by one process, which then has 450 MB
# The families of loops: each is one translation unit per instruction set.  A part of the table of rows also has the
# functors and the table of its rows.  Those that take longest to compile come first.
LOOP_FAMILIES = (
    *("map", "reduce", "reduce_choices", "map_functions", "normalize", "map_gradients", "reduce_steps", "sort"),
    *("argreduce", "conv", "move", "scan", "product", "recurrent", "attention"),
)
# Parts of the table of rows that share a module's frame.
FRAMES = {
    "map_functions": "map",
    "map_gradients": "map",
    "reduce_choices": "reduce_rows",
    "reduce_steps": "reduce_rows",
}
# Headers are included by their names alone, which differ, whichever folder they are in.
INCLUDE_FOLDERS = sorted(
    {
        str(path.parent.relative_to(ROOT))
        for folder in ("nd4py", "kernels")
        for path in (ROOT / folder).rglob("*.*")
        if path.suffix in {".h", ".inc", ".cuh"}
    }
    | {"nd4py/cpu/gen"}
)
INCLUDE_FLAGS = [f"-iquote{folder}" for folder in INCLUDE_FOLDERS]
# What a .pxd says of a .pyx: a class, or a function that is not written there.
PROMISE = re.compile(r"^(?:cdef class|cpdef|cdef (?!extern|inline|struct|enum|union).*\()", re.MULTILINE)
# A family of loops names what is made of its rows in macros, which its headers include.
INCLUSION = re.compile(r'^\s*(?:#\s*include|#\s*define ND_\w+|cdef extern from) "([^"<]+)"', re.MULTILINE)
# Of a module of the package that it is written in.
RELATIVE_IMPORT = re.compile(r"^\s*from (\.+)(\w[\w.]*) import ", re.MULTILINE)
CIMPORT = re.compile(r"^from (nd4py[\w.]*) cimport (\([^)]*\)|.*)", re.MULTILINE)
CIMPORTED = re.compile(r"(\w+)(?: +as +\w+)?")
# What C has no word for.  Drivers that declare or include nothing of it are translated to C: Python's headers, which
# are what short drivers take longest for, are read twice as fast as C as they are as C++.
CPLUSPLUS = re.compile(
    r"^\s*(?:template|namespace|using|constexpr|#\s*include <\w+>|extern \"C)|\b(?:cppclass|libcpp|nullptr|std::)",
    re.MULTILINE,
)
OPENMP_PROBE = "#include <omp.h>\nint main() { return omp_get_max_threads() < 1; }\n"


def write_if_changed(path, text):
    """Generated files keep their date while their text stays the same, so that nothing is rebuilt for nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def check_sources():
    """Raises SystemExit, naming them, when files are missing without which nd4py would be built and not work."""
    modules = [path for path in ROOT.glob("nd4py/**/*.p[xy]*") if path.suffix in {".py", ".pyi", ".pyx", ".pxd"}]
    missing = sorted({path for source in modules for path in missing_modules(source)})
    headers = [path for folder in INCLUDE_FOLDERS for path in ROOT.glob(f"{folder}/*.[hi]*")]
    sources = [*(path for path in headers if ".gen." not in path.name), *modules]
    missing += sorted({path for source in sources for path in missing_headers(source)})
    if missing:
        raise SystemExit(
            f"nd4py cannot be built: {len(missing)} of its sources are missing, such as {', '.join(missing[:3])}; "
            "build from a clone of the repository or from a whole source distribution (python -m build --sdist)"
        )


def missing_modules(source):
    """The modules of nd4py that a .py, .pyi, .pyx or .pxd file needs and that have no source."""
    if source.suffix == ".pyi":  # describes the module beside it
        own = source.with_suffix("")
        return [] if has_source(own) else [f"{own.relative_to(ROOT)}.pyx"]
    if source.suffix == ".py":
        folders = [part_of(source, dots, name) for dots, name in RELATIVE_IMPORT.findall(source.read_text("utf-8"))]
    else:
        lacking = [path for path in declarations_of(source) if not path.exists()]
        own = source.with_suffix(".pyx")
        is_torn = not own.exists() and PROMISE.search(source.read_text())
        return [str(path.relative_to(ROOT)) for path in [*lacking, *[own] * bool(is_torn)]]
    return [f"{path.relative_to(ROOT)}.pyx" for path in folders if not has_source(path)]


def part_of(source, dots, name):
    """The path, without an ending, of the module that `from <dots><name> import` in a file means."""
    return source.parents[len(dots) - 1].joinpath(*name.split("."))


def has_source(path):
    """Whether a module or package can be made at a path without an ending."""
    return any(path.with_suffix(ending).exists() for ending in (".py", ".pyx")) or (path / "__init__.py").exists()


def missing_headers(source):
    """The headers of nd4py that a file includes and that are not there."""
    return [name for name, path in headers_of(source) if path is None and ".gen." not in name and name != "Python.h"]


def headers_of(source):
    """(name, path) of every header that a file includes in quotes; the path is None where there is none in nd4py."""
    folders = [source.parent, *(ROOT / folder for folder in INCLUDE_FOLDERS)]
    for name in INCLUSION.findall(source.read_text()):
        yield name, next((folder / name for folder in folders if (folder / name).exists()), None)


def declarations_of(source):
    """The .pxd files that a .pyx or .pxd file cimports from: a module's, or those of modules of a package."""
    for name, words in CIMPORT.findall(source.read_text()):
        path = ROOT / name.replace(".", os.sep)
        if not path.is_dir():
            yield path.with_suffix(".pxd")
        else:
            yield from (path / f"{module}.pxd" for module in CIMPORTED.findall(re.sub("#.*", "", words)))


@cache
def read_by(source):
    """The headers and .pxd files that a source, a header or a .pxd file itself names, as far as they are there."""
    found = {path.resolve() for _, path in headers_of(source) if path is not None}
    if source.suffix in {".pyx", ".pxd"}:
        found.update(path for path in (source.with_suffix(".pxd"), *declarations_of(source)) if path.exists())
    return found - {source}


def all_read_by(source):
    """The same, of a source and of all that is read for it in turn.

    Cython's own search ends at modules that are cimported from a package, as in `from nd4py._core.lazy cimport chain`.
    """
    found, waiting = set(), [source]
    while waiting:
        new = read_by(waiting.pop()) - found
        found |= new
        waiting += new
    return sorted(found)


def openmp_flags():
    """(flags to compile, flags to link) with OpenMP, as compilers have them; the first that works counts.

    Apple's clang has no library for it; that of Homebrew, MacPorts or conda is used.
    """
    yield ["-fopenmp"], ["-fopenmp"]
    for prefix in (sys.prefix, "/opt/homebrew/opt/libomp", "/usr/local/opt/libomp", "/opt/local"):
        if (Path(prefix) / "include/omp.h").exists():
            yield ["-Xpreprocessor", "-fopenmp", f"-I{prefix}/include"], [f"-L{prefix}/lib", "-lomp"]


def render_table():
    """Write what is made from the table of operations and from other sources: headers, functions, stubs."""
    for name in ("nd4py", "nd4py.cuda"):  # the real ones would import the extensions built below
        package = types.ModuleType(name)
        package.__path__ = [str(ROOT / name.replace(".", os.sep))]
        sys.modules[name] = package
    for path, text in importlib.import_module("nd4py._spec.generated").files(ROOT):
        write_if_changed(path, text)


def loop_extensions():
    """The loops of each family, once per instruction set this machine's compiler may target."""
    names = built_sets(BUILT_ISA)
    return [loop_extension(family, name, names) for family in LOOP_FAMILIES for name in names]


def loop_extension(family, name, names):
    """The loops of one family for one of the instruction sets that are built."""
    if name == BASELINE != names[0]:
        level = BASELINE_FLAGS
    else:
        level = UNROLLED_FLAGS if family in UNROLLED_FAMILIES else LEAN_FLAGS
        level = level if family in SMALL_CALL_FAMILIES else [*level, *WHOLE_REGISTERS]
    source = translation_unit(family, name, level)
    return Extension(
        f"nd4py.cpu.isa._{family}_{name}",
        [source],
        language="c++",
        depends=relative(all_read_by(ROOT / source)),
        extra_compile_args=[*level, *LOOP_FLAGS, *ISA_FLAGS[name], *INCLUDE_FLAGS],
    )


def built_sets(wish):
    """The instruction sets to build, best first.  Raises SystemExit for a name that is none.

    Of gcc for Windows the baseline alone: it puts wide registers where the stack is not aligned for them
    (https://gcc.gnu.org/bugzilla/show_bug.cgi?id=54412).  clang does not.
    """
    every = ["v4", "v3", BASELINE] if IS_X86 and not (IS_WINDOWS and IS_GCC) else [BASELINE]
    if wish == "all":
        return every
    if wish == "native":
        best = next(name for name in every if name == BASELINE or PROCESSOR_FLAGS[name] <= processor_flags())
        return list(dict.fromkeys([best, BASELINE]))
    names = wish.split(",")
    if not set(names) <= set(every):
        raise SystemExit(f"ND4PY_BUILD_ISA must be native, all or some of {','.join(every)}, given {wish!r}")
    return [name for name in every if name in names]


def processor_flags():
    """What this machine's processor has; everything where that cannot be read."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return set().union(*PROCESSOR_FLAGS.values())
    return set(next((line for line in lines if line.startswith("flags")), "").split())


def translation_unit(family, isa, level):
    """The path of a written source that builds one family for one instruction set; flags change it, so that it is
    compiled again."""
    path = f"nd4py/cpu/gen/{family}_{isa}.cpp"
    own = "".join(
        f'#define ND_{kind.upper()} "{family}_{kind}.gen.h"\n'
        for kind in ("functors", "table")
        if (ROOT / f"nd4py/cpu/gen/{family}_functors.gen.h").exists()
    )
    text = f'#define ND_FAMILY {family}\n#define ND_ISA {isa}\n{own}#include "{FRAMES.get(family, family)}_module.h"\n'
    text += f"// {' '.join(level)}\n"
    write_if_changed(ROOT / path, text)
    return path


def relative(paths):
    """Paths below the root, as setuptools takes them."""
    return [str(path.relative_to(ROOT)) for path in paths]


def driver_extensions():
    """Every .pyx of the package, not yet translated, and what they have in common, which Cython writes in C."""
    flags = [*DRIVER_FLAGS, *LOOP_DRIVER_FLAGS]
    shared = Extension(SHARED_CODE, [SHARED_CODE.replace(".", os.sep) + ".c"], extra_compile_args=flags)
    return [shared, *map(driver_extension, sorted((ROOT / "nd4py").rglob("*.pyx")))]


def driver_extension(path):
    """One .pyx, which is made of all .pxd files and headers that Cython or the compiler reads for it."""
    (source,), read = relative([path]), all_read_by(path)
    is_c = not any(each.suffix == ".cuh" or CPLUSPLUS.search(each.read_text()) for each in (path, *read))
    return Extension(
        source[:-4].replace(os.sep, "."),
        [source],
        language=None if is_c else "c++",
        depends=relative(read),
        extra_compile_args=[
            *(C_FLAGS if is_c else ["-std=c++17"]),
            *DRIVER_FLAGS,
            *driver_levels(source),
            *INCLUDE_FLAGS,
        ],
    )


def driver_levels(source):
    """What one driver is compiled with besides the flags of all."""
    if source.endswith("cpu/random/random.pyx"):
        return EXACT_FLAGS
    path = Path(source)
    is_fast = path.stem in FAST_DRIVERS.get(path.parts[1], "").split()
    return FAST_FLAGS if is_fast else GLUE_FLAGS if source.startswith(GLUE_FOLDERS) else LOOP_DRIVER_FLAGS


def stale_drivers(extensions):
    """Those of the drivers whose C or C++ is not up to date; the extensions then name what Cython writes, or wrote."""
    stale = []
    for driver in extensions:
        if driver.sources[0].endswith(".pyx") or driver.name == SHARED_CODE:
            text = Path(driver.sources[0]).with_suffix(".cpp" if driver.language else ".c")
            if is_stale(driver, text):
                stale.append((driver.language, driver.sources[0]))
            driver.sources = [str(text)]
    return stale


def translations(stale):
    """What `cython` is asked for, by processes side by side, to translate drivers of either language."""
    directives = ",".join(f"{name}={value}" for name, value in DIRECTIVES.items())
    for language, *flags in ((None,), ("c++", "--cplus")):
        sources = [source for own, source in stale if own == language and source.endswith(".pyx")]
        n = max(JOBS, -(-len(sources) // MOST_TRANSLATED))
        for part in filter(None, (sources[i::n] for i in range(n))):
            yield [*flags, "-X", directives, "--shared", SHARED_CODE, *part]
    for _, source in stale:
        if not source.endswith(".pyx"):
            yield ["generate-shared", source, *SHARED_FEATURES]


def translate(arguments):
    """Run `cython`, in a process of its own.  Raises CompileError where it fails."""
    if subprocess.run([sys.executable, "-c", CYTHON, *arguments]).returncode:
        raise CompileError("Cython cannot translate all drivers; its messages stand above")


def is_stale(driver, text):
    """Whether a driver's text is not there, is another Cython's, or is older than something that it is made of."""
    if not text.exists() or f"Generated by Cython {cython_version} " not in text.open().readline():
        return True
    sources = [path for path in (*driver.sources, *driver.depends) if path != str(text)]
    return any(os.stat(path).st_mtime_ns > text.stat().st_mtime_ns for path in sources)


def is_loops(extension):
    """Whether an extension has the loops of a family, not what Cython wrote."""
    return extension.sources[0].startswith("nd4py/cpu/gen/")


def size_of_text(extension):
    """Bytes of what is compiled: what takes long comes first."""
    return Path(extension.sources[0]).stat().st_size


class BuildLoops(build_ext):
    """Probe the compiler first, then build extensions side by side."""

    def finalize_options(self):
        if IS_WINDOWS and self.compiler is None:  # Microsoft's has no vectors of a size of one's own
            self.compiler = "mingw32"
        super().finalize_options()
        self.is_in_place = bool(self.inplace or self.editable_mode)  # setuptools clears `inplace` while it builds
        if self.editable_mode:  # in the folders of that mode, which do not last, everything would be compiled each time
            lasting = build(self.distribution)
            lasting.ensure_finalized()
            self.build_lib, self.build_temp = lasting.build_platlib, lasting.build_temp
        if not (self.is_in_place or HAS_MEASURES):
            self.extensions = [e for e in self.extensions if not e.name.endswith("_measures")]

    def build_extensions(self):
        if not self.can_build("int main() { return 0; }\n", []):
            raise SystemExit("nd4py needs a C++17 compiler such as g++; install one (Debian: apt install g++)")
        openmp = next((flags for flags in openmp_flags() if self.can_build(OPENMP_PROBE, *flags)), None)
        if openmp is None:
            print(
                "nd4py: this compiler has no OpenMP, so operations will run on one thread; install libgomp or libomp "
                "and rebuild to use all cores",
                file=sys.stderr,
            )
        self.use_ccache()
        for extension in self.extensions:
            extension.extra_link_args += [] if SANITIZE else LINK_FLAGS
            if not is_loops(extension):
                compile_flags, link_flags = openmp or ([], [])
                extension.extra_compile_args += compile_flags
                extension.extra_link_args += link_flags
            # After the others, so that these levels hold.  Loops share nothing but what drivers hand them.
            if SANITIZER_FLAGS and not (is_loops(extension) and SANITIZE == "thread"):
                extension.extra_compile_args += [*SANITIZER_FLAGS, "-O1", "-g1", "-fno-omit-frame-pointer"]
                extension.extra_link_args += SANITIZER_FLAGS
        stale = stale_drivers(self.extensions)
        with ThreadPoolExecutor(JOBS) as pool:
            try:
                translated = pool.map(translate, translations(stale))
                loops = pool.map(self.build_extension, filter(is_loops, self.extensions))  # wait for no translation
                list(translated)
                drivers = [extension for extension in self.extensions if not is_loops(extension)]
                list(pool.map(self.build_extension, sorted(drivers, key=size_of_text, reverse=True)))
                list(loops)
            finally:
                pool.shutdown(cancel_futures=True)  # after a mistake the rest is not waited for
        self.remove_leftovers()

    def use_ccache(self):
        """Compile through ccache where it is there, unless the user chose the compiler."""
        if shutil.which("ccache") and not {"CC", "CXX"} & os.environ.keys():
            compilers = ("compiler", "compiler_so", "compiler_cxx", "compiler_so_cxx")
            found = {name: getattr(self.compiler, name, None) for name in compilers}
            self.compiler.set_executables(**{name: ["ccache", *command] for name, command in found.items() if command})

    def remove_leftovers(self):
        """Delete modules of earlier builds, such as loops for other instruction sets, which may be of other rows."""
        own = {self.get_ext_filename(extension.name) for extension in self.extensions}
        for folder in [Path(self.build_lib), *[ROOT] * self.is_in_place]:
            for path in folder.glob(f"nd4py/**/*{sysconfig.get_config_var('EXT_SUFFIX')}"):
                if str(path.relative_to(folder)) not in own:
                    path.unlink()

    def can_build(self, source, compile_flags, link_flags=()):
        """Whether the compiler compiles and links a small program."""
        folder = tempfile.mkdtemp()
        try:
            path = Path(folder) / "probe.cpp"
            path.write_text(source)
            objects = self.compiler.compile([str(path)], output_dir=folder, extra_postargs=list(compile_flags))
            self.compiler.link_executable(
                objects, str(Path(folder) / "probe"), target_lang="c++", extra_postargs=[*link_flags]
            )
        except (CompileError, LinkError):
            return False
        finally:
            shutil.rmtree(folder)
        return True


# Modules of nd4py/_spec that nothing imports once nd4py is built.
BUILD_ONLY = {
    "generated",
    *("cuda_structs", "cython_definitions", "dispatch_table", "driver_tables", "folders", "loop_headers", "loop_parts"),
    "stubs",
}


class PackWheel(bdist_wheel):
    """Packs the wheel as tightly as zip can: a third of a percent less, for two seconds."""

    def run(self):
        super().run()
        for command, _, path in self.distribution.dist_files:
            if command == "bdist_wheel":
                pack_tightly(path)


def pack_tightly(path):
    """Write a wheel again, with the same files in the same order, at zlib's highest level."""
    with zipfile.ZipFile(path) as wheel:
        files = [(file, wheel.read(file)) for file in wheel.infolist()]
    with zipfile.ZipFile(f"{path}.packed", "w") as wheel:
        for file, content in files:
            wheel.writestr(file, content, compresslevel=9)
    os.replace(f"{path}.packed", path)


class BuildPackage(build_py):
    """The kernels' sources go with the package: they are compiled for the device that is there.  What renders text for
    the build alone does not."""

    def find_package_modules(self, package, package_dir):
        modules = super().find_package_modules(package, package_dir)
        return [each for each in modules if not package.startswith("nd4py._spec") or each[1] not in BUILD_ONLY]

    def run(self):
        super().run()
        target = Path(self.build_lib) / "nd4py/cuda/sources"
        target.mkdir(parents=True, exist_ok=True)
        for path in sorted((ROOT / "kernels").rglob("*.[ch]*")):
            shutil.copy(path, target)
        if os.environ.get("ND4PY_CUDA_FATBIN") == "1":
            pack = runpy.run_path(str(ROOT / "kernels/pack.py"))
            size = pack["write_pack"](target.parent / "kernels.zip", pack["common_modules"](), JOBS)
            print(f"nd4py: kernels for CUDA devices, compiled: {size / 2**20:.1f} MiB")


check_sources()
render_table()
setup(
    packages=find_packages(include=["nd4py", "nd4py.*"]),
    # What users' tools read; the sources, which are in the source distribution, stay out of what is installed, and with
    # them the .pxd files, which need headers.
    package_data={"nd4py": ["py.typed", "**/*.pyi", "serve/page.html"]},
    exclude_package_data={} if HAS_MEASURES else {"": ["*_measures.p*"]},
    include_package_data=False,
    ext_modules=loop_extensions() + driver_extensions(),
    cmdclass={"bdist_wheel": PackWheel, "build_ext": BuildLoops, "build_py": BuildPackage},
)
