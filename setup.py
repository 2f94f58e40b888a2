"""Build the extension modules: Cython drivers, and the loops once per instruction set.

ND4PY_DEBUG=1 builds with bounds, wraparound and initialisation checks; ND4PY_JOBS sets the number of compilers;
ND4PY_BUILD_ISA="v4,v3" builds the loops for these instruction sets only; ND4PY_CUDA_FATBIN=1 compiles the commonest
kernels for CUDA devices with nvcc and puts them into the wheel.
"""

import importlib
import os
import platform
import runpy
import shutil
import sys
import sysconfig
import tempfile
import types
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, find_packages, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import CompileError, LinkError

ROOT = Path(__file__).resolve().parent
os.chdir(ROOT)

DEBUG = os.environ.get("ND4PY_DEBUG") == "1"
IS_X86 = platform.machine().lower() in {"x86_64", "amd64"}
ISA_FLAGS = {
    "v4": ["-march=x86-64-v4", "-mprefer-vector-width=512"],
    "v3": ["-march=x86-64-v3"],
    "v2": ["-march=x86-64-v2"],
    "generic": [],
}
JOBS = int(os.environ.get("ND4PY_JOBS", os.cpu_count() or 1))
BUILT_ISA = os.environ.get("ND4PY_BUILD_ISA", ",".join(ISA_FLAGS)).split(",")
# Of -ffast-math only what changes no result: errno and floating-point traps are not observed, signed integers wrap.
LOOP_FLAGS = ["-g0", "-std=c++17", "-fno-math-errno", "-fno-trapping-math", "-fwrapv", "-fvisibility=hidden"]
# Families of many small loops, which come to run no slower, in half the time to compile and half the size, where
# gcc makes SIMD code of them but neither copies nor unrolls them further.
LEAN_FAMILIES = {"reduce", "move"}
LEAN_FLAGS = ["-O2", "-ftree-vectorize", "-fvect-cost-model=dynamic"]
DRIVER_FLAGS = ["-O2", "-g0", "-std=c++17", "-fvisibility=hidden"]
if IS_X86 and "clang" not in f"{os.environ.get('CXX')} {sysconfig.get_config_var('CXX')}":
    # GCC clears a new array's struct with `rep stos`, which starts slowly: a quarter of `x + x` on ten elements.
    DRIVER_FLAGS.append("-mmemset-strategy=unrolled_loop:256:noalign,libcall:-1:noalign")
# Random numbers are made in their driver, with the same bits on every instruction set: nothing may be contracted.
EXACT_FLAGS = ["-O3", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off"]
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": DEBUG,
    "initializedcheck": DEBUG,
    "cdivision": True,
}
# The families of loops: each is one translation unit per instruction set, made of files with these prefixes.
LOOP_FAMILIES = {
    "map": ("map_", "half_", "near_", "lane_", "power_", "vector_", "functors"),
    "reduce": ("reduce_", "fused_", "scan_", "cast_", "vector_", "functors"),
    "move": ("move_", "cast_", "plane_", "stream_", "dtypes_"),
    "conv": ("conv_", "pool_", "dtypes_"),
    "product": ("product_", "integer_matmul", "dtypes_"),
    "sort": ("sort_", "search_", "dtypes_"),
}
SHARED_HEADERS = ("loop_module.h", "loops.h")
OPENMP_PROBE = "#include <omp.h>\nint main() { return omp_get_max_threads() < 1; }\n"


def write_if_changed(path, text):
    """Generated files keep their date while their text stays the same, so that nothing is rebuilt for nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def render_table():
    """Write the headers and the functions made from the table of operations."""
    for name in ("nd4py", "nd4py.cuda"):  # the real ones would import the extensions built below
        package = types.ModuleType(name)
        package.__path__ = [str(ROOT / name.replace(".", os.sep))]
        sys.modules[name] = package
    render = importlib.import_module("nd4py._spec.render")
    headers = {
        "functors": render.functors(),
        "map_table": render.row_table(("map",)),
        "fused_rows": render.fused_rows(),
        "reduce_table": render.row_table(("reduce", "argreduce", "scan")),
        "move_table": render.move_table(),
        "sort_table": render.sort_table(),
        "dtypes_hash": render.dtypes_header(),
    }
    for name, text in headers.items():
        write_if_changed(ROOT / f"nd4py/cpu/gen/{name}.gen.h", text)
    write_if_changed(ROOT / "nd4py/api/elementwise.py", render.elementwise())
    write_if_changed(ROOT / "nd4py/api/reductions.py", render.reductions())
    write_if_changed(ROOT / "nd4py/api/scans.py", render.scans())


def loop_extensions():
    """The loops of each family, once per instruction set this machine's compiler may target."""
    names = [name for name in (["v4", "v3", "v2"] if IS_X86 else ["generic"]) if name in BUILT_ISA]
    return [
        Extension(
            f"nd4py.cpu._{family}_{name}",
            [translation_unit(family, name)],
            language="c++",
            depends=loop_headers(family),
            extra_compile_args=[*(LEAN_FLAGS if family in LEAN_FAMILIES else ["-O3"]), *LOOP_FLAGS, *ISA_FLAGS[name]],
        )
        for name in names
        for family in LOOP_FAMILIES
    ]


def translation_unit(family, isa):
    """The path of a written source that builds one family for one instruction set."""
    path = f"nd4py/cpu/gen/{family}_{isa}.cpp"
    text = f'#define ND_FAMILY {family}\n#define ND_ISA {isa}\n#include "../{family}_module.h"\n'
    write_if_changed(ROOT / path, text)
    return path


def loop_headers(family):
    """What a family of loops is made of besides its translation unit."""
    patterns = ("nd4py/cpu/*.inc", "nd4py/cpu/*.h", "nd4py/cpu/gen/*.h")
    headers = [p for pattern in patterns for p in ROOT.glob(pattern)]
    own = [p for p in headers if p.name.startswith(LOOP_FAMILIES[family]) or p.name in SHARED_HEADERS]
    return sorted(str(p.relative_to(ROOT)) for p in [*own, *ROOT.glob("kernels/*.h")])


def driver_extensions():
    """Every .pyx of the package."""
    sources = sorted(str(p.relative_to(ROOT)) for p in (ROOT / "nd4py").rglob("*.pyx"))
    extensions = [
        Extension(
            source[:-4].replace(os.sep, "."),
            [source],
            language="c++",
            include_dirs=["nd4py/_core", "nd4py/cpu", "kernels"],
            extra_compile_args=[*DRIVER_FLAGS, *(EXACT_FLAGS if source.endswith("cpu/random.pyx") else [])],
        )
        for source in sources
    ]
    texts = [Path(source).with_suffix(".cpp") for source in sources]
    before = [(path, path.read_bytes(), path.stat()) for path in texts if path.exists()]
    modules = cythonize(extensions, compiler_directives=DIRECTIVES, nthreads=JOBS, quiet=True)
    for path, text, status in before:  # pip's fresh copy of Cython looks newer than every text made from it
        if path.read_bytes() == text:
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    return modules


class BuildLoops(build_ext):
    """Probe the compiler first, then build extensions side by side."""

    def finalize_options(self):
        super().finalize_options()
        if self.editable_mode:  # in the folders of that mode, which do not last, everything would be compiled each time
            lasting = build(self.distribution)
            lasting.ensure_finalized()
            self.build_lib, self.build_temp = lasting.build_platlib, lasting.build_temp

    def build_extensions(self):
        if not self.can_build("int main() { return 0; }\n", []):
            raise SystemExit("nd4py needs a C++17 compiler such as g++; install one (Debian: apt install g++)")
        openmp = ["-fopenmp"] if self.can_build(OPENMP_PROBE, ["-fopenmp"]) else []
        if not openmp:
            print(
                "nd4py: this compiler has no OpenMP, so operations will run on one thread; install libgomp or libomp "
                "and rebuild to use all cores",
                file=sys.stderr,
            )
        for extension in self.extensions:
            if not extension.sources[0].startswith("nd4py/cpu/gen/"):
                extension.extra_compile_args += openmp
                extension.extra_link_args += openmp
        with ThreadPoolExecutor(JOBS) as pool:
            list(pool.map(self.build_extension, self.extensions))

    def can_build(self, source, compile_flags, link_flags=()):
        """Whether the compiler compiles and links a small program."""
        folder = tempfile.mkdtemp()
        try:
            path = Path(folder) / "probe.cpp"
            path.write_text(source)
            objects = self.compiler.compile([str(path)], output_dir=folder, extra_postargs=list(compile_flags))
            self.compiler.link_executable(
                objects, str(Path(folder) / "probe"), target_lang="c++", extra_postargs=[*compile_flags, *link_flags]
            )
        except (CompileError, LinkError):
            return False
        finally:
            shutil.rmtree(folder)
        return True


class BuildPackage(build_py):
    """The kernels' sources go with the package: they are compiled for the device that is there."""

    def run(self):
        super().run()
        target = Path(self.build_lib) / "nd4py/cuda/sources"
        target.mkdir(parents=True, exist_ok=True)
        for path in sorted((ROOT / "kernels").glob("*.[ch]*")):
            shutil.copy(path, target)
        if os.environ.get("ND4PY_CUDA_FATBIN") == "1":
            pack = runpy.run_path(str(ROOT / "kernels/pack.py"))
            size = pack["write_pack"](target.parent / "kernels.zip", pack["common_modules"](), JOBS)
            print(f"nd4py: kernels for CUDA devices, compiled: {size / 2**20:.1f} MiB")


render_table()
setup(
    packages=find_packages(include=["nd4py", "nd4py.*"]),
    package_data={"nd4py": ["py.typed", "**/*.pyi", "**/*.pxd"]},
    ext_modules=loop_extensions() + driver_extensions(),
    cmdclass={"build_ext": BuildLoops, "build_py": BuildPackage},
)
