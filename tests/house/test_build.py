"""What the build says when something is missing, and what keeps a stale build from running."""

import ast
import os
import platform
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from nd4py._spec.ops import LOOPS
from nd4py._spec.render import loop_parts, row_render

ROOT = Path(__file__).parents[2]

# What the loops are built for, and at which level, on a machine whose processor has these flags.
SETS = """
import setuptools, sys
from pathlib import Path
setuptools.setup = lambda **given: None
read = Path.read_text
def read_text(path, *given, **named):
    if str(path) != "/proc/cpuinfo":
        return read(path, *given, **named)
    if sys.argv[1] == "None":
        raise OSError
    return "processor: 0\\nflags\\t: " + sys.argv[1] + "\\nbugs: none\\n"
Path.read_text = read_text
import runpy
build = runpy.run_path("setup.py")
found = {}
for extension in build["loop_extensions"]():
    family, name = extension.name.rpartition("._")[2].rsplit("_", 1)
    found.setdefault(family, []).append((name, extension.extra_compile_args[0]))
for family, sets in found.items():
    print(family, repr(sets).replace(" ", ""))
"""

# The headers whose dates the build compares with those of the loops, by families.
HEADERS = """
import setuptools
setuptools.setup = lambda **given: None
import runpy
for extension in runpy.run_path("setup.py")["loop_extensions"]():
    family = extension.name.rpartition("._")[2].rsplit("_", 1)[0]
    print(family, *(path.rpartition("/")[2] for path in extension.depends))
"""

LEFTOVERS = """
import setuptools
setuptools.setup = lambda **given: None
import runpy, sysconfig
from pathlib import Path
build = runpy.run_path("setup.py")["BuildLoops"](setuptools.Distribution())
leftover = Path("nd4py/_core/gone" + sysconfig.get_config_var("EXT_SUFFIX"))
leftover.touch()
build.inplace, build.extensions = True, []
build.finalize_options()
build.inplace, build.extensions = False, []  # as setuptools has them while it builds
build.remove_leftovers()
print(leftover.exists())
"""

STALE_TABLES = """
import sys, types
package = types.ModuleType("nd4py")
package.__path__ = [sys.argv[1]]
sys.modules["nd4py"] = package
import importlib
import nd4py._spec.fingerprint as fingerprint
*made_of_these_rows, module = sys.argv[2:]
for name in made_of_these_rows:
    importlib.import_module(name)
fingerprint.TABLES = (*fingerprint.TABLES, "generated.py")
fingerprint.fingerprint.cache_clear()
importlib.import_module(module)
"""
STALE_LOOPS = """
import ctypes, importlib, sys, types
from nd4py.cpu.isa import isa
class FamilyTable(ctypes.Structure):
    _fields_ = [("hash", ctypes.c_char_p), ("table", ctypes.c_void_p)]
ctypes.pythonapi.PyCapsule_New.restype = ctypes.py_object
stale = FamilyTable(b"of other rows", None)
table = ctypes.pythonapi.PyCapsule_New(ctypes.byref(stale), ctypes.c_char_p(b"nd4py.loops"), None)
real = importlib.import_module
is_part = f"_{sys.argv[1]}_{isa.active()}".__eq__
fake = types.SimpleNamespace(table=table)
importlib.import_module = lambda name: fake if is_part(name.split(".")[-1]) else real(name)
isa.select(isa.active())
"""


def run(*command, folder=ROOT, **environment):
    """The result of a command run in the root of the repository, or in another folder."""
    environment = {**os.environ, **environment}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


def is_made(path):
    """Whether a path is one of a generated file."""
    return "nd4py/cpu/gen" in str(path) or path.suffix in {".so", ".o", ".pyc"} or "__pycache__" in path.parts


def is_source(path):
    """Whether a path inside nd4py, kernels or tests is one of a file written by hand."""
    made = is_made(path) or path.suffix == ".cpp" and path.parts[0] == "nd4py"
    return not made and path.suffix in {".py", ".pyx", ".pxd", ".pyi", ".h", ".inc", ".cuh", ".cu", ".cpp", ".typed"}


@pytest.fixture(scope="module")
def source_distribution(tmp_path_factory):
    """The folder that a source distribution of this tree unpacks to."""
    folder = tmp_path_factory.mktemp("distribution")
    copy = folder / "copy"  # the command writes beside setup.py, where other tests read
    copied = ("nd4py", "kernels", "tests", "docs", "asv_bench", ".ci")
    for name in copied:
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    for name in ("setup.py", "pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "CHANGELOG.md", ".clang-format"):
        shutil.copy(ROOT / name, copy)
    (copy / "nd4py/cpu/gen/leftover.cpp").write_text("")
    (copy / "nd4py/_core/array.cpp").write_text("")
    result = run(sys.executable, "setup.py", "-q", "sdist", "-d", str(folder), folder=copy)
    assert result.returncode == 0, result.stderr
    with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    return next((folder / "unpacked").iterdir())


def test_a_missing_compiler_is_named(tmp_path):
    command = [sys.executable, "setup.py", "build_ext", "--build-temp", str(tmp_path), "--build-lib", str(tmp_path)]
    result = run(*command, CC="/bin/false", CXX="/bin/false")
    assert result.returncode != 0
    assert "nd4py needs a C++17 compiler such as g++" in result.stderr


@pytest.mark.parametrize("part", [*loop_parts.PARTS, *loop_parts.WITHOUT_ROWS])
def test_loops_of_other_rows_are_refused(part):
    result = run(sys.executable, "-c", STALE_LOOPS, part)
    assert "the compiled loops do not match nd4py/_spec/ops.py; rebuild" in result.stderr


@pytest.mark.parametrize("modules", [["nd4py.cpu.isa.isa"], ["nd4py.cpu.isa.isa", "nd4py._exec.dispatch.row_table"]])
def test_tables_of_other_rows_are_refused(modules):
    result = run(sys.executable, "-c", STALE_TABLES, str(ROOT / "nd4py"), *modules)
    assert "the compiled tables do not match nd4py/_spec/ops.py; rebuild" in result.stderr


def test_what_the_interpreter_keeps_beside_modules_is_no_source(source_distribution, tmp_path):
    folder = shutil.copytree(source_distribution, tmp_path / "copy")
    kept = folder / "nd4py/_spec/__pycache__/ops.cpython-311.pyc"
    kept.parent.mkdir(exist_ok=True)
    kept.write_bytes(b"\xa7\r\r\n")
    result = run(sys.executable, "setup.py", "--version", folder=folder)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("wish", ["v9", "v3,avx2", "", "native,v2", "ALL"])
def test_an_unknown_instruction_set_is_refused_in_words(wish):
    result = run(sys.executable, "setup.py", "--version", ND4PY_BUILD_ISA=wish)
    assert result.returncode != 0
    assert "ND4PY_BUILD_ISA must be native, all or some of" in result.stderr
    assert repr(wish) in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.skipif(platform.machine() not in {"x86_64", "AMD64"}, reason="other processors have one set of loops")
@pytest.mark.parametrize(
    "wish, flags, built, light",
    [
        ("native", "sse4_2 avx2 fma bmi2 avx512f avx512bw avx512cd avx512dq avx512vl", ["v4", "v2"], ["v2"]),
        ("native", "sse4_2 avx2 fma bmi2 avx512f", ["v3", "v2"], ["v2"]),
        ("native", "sse4_2 avx2", ["v2"], []),
        ("native", None, ["v4", "v2"], ["v2"]),
        ("all", "sse4_2", ["v4", "v3", "v2"], ["v2"]),
        ("v2,v4", "sse4_2", ["v4", "v2"], ["v2"]),
        ("v2", "sse4_2 avx2 fma bmi2", ["v2"], []),
    ],
)
def test_which_instruction_sets_are_built(wish, flags, built, light, source_distribution, tmp_path):
    folder = shutil.copytree(source_distribution, tmp_path / "copy")  # setup.py writes into it
    result = run(sys.executable, "-c", SETS, str(flags), folder=folder, ND4PY_BUILD_ISA=wish)
    assert result.returncode == 0, result.stderr
    sets = {family: dict(ast.literal_eval(line)) for family, line in map(str.split, result.stdout.splitlines())}
    assert {"map", "reduce", "sort"} < set(sets)
    for levels in sets.values():
        assert list(levels) == built
        assert [name for name, level in levels.items() if level == "-O1"] == light


def test_a_changed_header_has_the_families_compiled_that_include_it(source_distribution, tmp_path):
    folder = shutil.copytree(source_distribution, tmp_path / "copy")  # setup.py writes into it
    result = run(sys.executable, "-c", HEADERS, folder=folder)
    assert result.returncode == 0, result.stderr
    headers = {family: set(names) for family, *names in map(str.split, result.stdout.splitlines())}
    own = {"map_module.h", "map_functors.gen.h", "map_table.gen.h", "map_loops.inc"}
    assert {*own, "loop_module.h", "loops.h", "exponential.h"} <= headers["map"]
    assert "map_gradients_functors.gen.h" in headers["map_gradients"]
    assert not own & headers["sort"]
    assert all("exponential.h" in names for names in headers.values())


def test_modules_of_earlier_builds_do_not_stay_beside_the_sources(source_distribution, tmp_path):
    folder = shutil.copytree(source_distribution, tmp_path / "copy")
    result = run(sys.executable, "-c", LEFTOVERS, folder=folder)
    assert result.stdout.split() == ["False"], result.stderr


def test_a_changed_row_is_compiled_in_its_own_part_alone(monkeypatch):
    before = loop_parts.part_headers()
    rows = tuple(op._replace(expr="x / (C(1) + 2 * x)") if op.name == "softsign" else op for op in LOOPS)
    monkeypatch.setattr(loop_parts, "LOOPS", rows)
    monkeypatch.setattr(row_render, "LOOPS", rows)
    after = loop_parts.part_headers()
    assert {name for name in before if before[name] != after[name]} == {"map_functors", "map_table"}
    assert loop_parts.part_of(LOOPS[[op.name for op in LOOPS].index("softsign")]) == "map"


def test_every_row_has_one_part():
    assert sorted(row for rows in loop_parts.PARTS.values() for row in rows) == list(range(len(LOOPS)))


def test_the_build_contains_what_this_machine_needs():
    import nd4py as nd

    config = nd.config()
    assert config["instruction set"] in config["usable instruction sets"]
    assert config["operations"] >= 90


def test_a_source_distribution_holds_every_source_and_nothing_made_from_them(source_distribution):
    held = {path.relative_to(source_distribution) for path in source_distribution.rglob("*") if path.is_file()}
    folders = [path for name in ("nd4py", "kernels", "tests") for path in (ROOT / name).rglob("*")]
    written = {path.relative_to(ROOT) for path in folders if is_source(path.relative_to(ROOT))}
    assert len([path for path in written if path.suffix == ".pyx"]) >= 100
    assert sorted(map(str, written - held)) == []
    assert [str(path) for path in held if is_made(path) or path.suffix == ".cpp" and path.parts[0] == "nd4py"] == []
    assert {Path("LICENSE"), Path("README.md"), Path("setup.py"), Path("pyproject.toml")} <= held


def test_what_is_installed_holds_no_sources_but_the_declarations(source_distribution, tmp_path):
    command = [sys.executable, "setup.py", "-q", "build_py", "--build-lib", str(tmp_path)]
    assert run(*command, folder=source_distribution).returncode == 0
    held = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    outside = {path for path in held if path.parts[:3] != ("nd4py", "cuda", "sources")}
    assert {path.suffix for path in outside} == {".py", ".pyi", ".pxd", ".typed"}
    assert {path.suffix for path in held - outside} == {".h", ".cu", ".cuh"}
    written = [path.relative_to(ROOT) for path in (ROOT / "nd4py").rglob("*") if path.suffix in {".py", ".pyi", ".pxd"}]
    measures = [path for path in written if path.stem.endswith("_measures")]
    assert measures
    assert sorted(set(written) - held) == sorted(measures)


@pytest.mark.parametrize(
    "missing",
    [
        "nd4py/**/*.pyx",
        "nd4py/_core/array/array.pyx",
        "nd4py/_exec/lazy/defer.pyx",
        "nd4py/_core/layout/shape.pxd",
        "nd4py/cpu/elementwise/map_loops.inc",
        "nd4py/_core/array/type_change.h",
        "kernels/math/scalar.h",
        "nd4py/api/creation/basic_creation.py",
    ],
)
def test_a_build_without_some_sources_fails_in_words(missing, source_distribution, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(source_distribution, copy)
    gone = list(copy.glob(missing))
    assert gone
    for path in gone:
        path.unlink()
    result = run(sys.executable, "setup.py", "-q", "build_ext", folder=copy)
    assert result.returncode != 0
    assert "nd4py cannot be built" in result.stderr
    assert min(path.name for path in gone) in result.stderr or len(gone) > 1
    assert "Traceback" not in result.stderr


def test_a_package_that_is_not_built_says_so(source_distribution):
    result = run(sys.executable, "-c", "import nd4py", folder=source_distribution, PYTHONPATH=str(source_distribution))
    assert result.returncode != 0
    assert "nd4py is not built" in result.stderr
    assert "pip install" in result.stderr
