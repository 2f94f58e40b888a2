"""The house keeps its rules, and every rule can fail."""

import subprocess
import sys
from pathlib import Path

import pytest
from house_rules import RULES
from source_tree import Tree

ROOT = Path(__file__).parents[2]

# One tiny tree for each rule that breaks it: path -> text.  The first file is the one to be named.
BROKEN = {
    "files_are_short": {"nd4py/api/long.py": "x = 1\n" * 501},
    "lines_are_short": {"kernels/wide.h": "// " + "x" * 120 + "\n"},
    "folders_are_small": {f"nd4py/nn/layer{i:02}.{kind}": "" for i in range(13) for kind in ("py", "pyi")},
    "folders_say_what_they_hold": {"nd4py/nn/__init__.py": '""" """\n'},
    "files_import_little": {"nd4py/nn/hungry.py": "".join(f"from nd4py.api import m{i}\n" for i in range(16))},
    "imports_point_down": {"nd4py/_core/array/array.pyx": "from nd4py.cpu.elementwise.map cimport run\n"},
    "imports_stand_at_the_top": {"nd4py/api/late.py": "def f():\n    from nd4py._core import array\n"},
    "imports_have_no_cycle": {
        "nd4py/api/a.py": "from nd4py.api.b import f\n",
        "nd4py/api/b.py": "from .a import g\n",
    },
    "lazy_modules_exist": {"nd4py/api/later.py": 'sorting = LazyModule("nd4py.cpu.sort.gone", globals())\n'},
    "cupy_stays_in_cuda": {"nd4py/api/gpu.py": "import cupy as cp\n"},
    "devices_are_told_apart_in_exec": {"nd4py/api/where.py": 'fast = x.device == "cpu"\n'},
    "api_names_no_backend": {
        "nd4py/api/sorting/sorting.py": "lines = x if type(x) is NDArray else sorted_elsewhere(x)\n"
    },
    "dtypes_are_rows": {"nd4py/cpu/copy.pyx": 'if name == "float32":\n    pass\n'},
    "layers_above_use_public_names": {"nd4py/nn/deep.py": "from nd4py._mem import pool\n"},
    "threads_have_one_gate": {
        "nd4py/cpu/loop.pyx": 'for i in prange(f(n), nogil=True, schedule="static"):\n    pass\n'
    },
    "kernels_hold_their_memory": {
        "nd4py/cpu/rash.pyx": "def run(NDArray x):\n    cdef int n = 1\n\n    with nogil:\n        compute(x.data)\n"
    },
    "sections_begin_at_once": {
        "nd4py/_core/late.pyx": "def run(x):\n    x = 1\n    cdef Section section\n    enter(&section)\n"
    },
    "kernels_raise_what_stopped_them": {
        "nd4py/cpu/deaf.pyx": "def run(NDArray x):\n    raise_if_stopped()\n    with nogil:\n        compute(x.data)\n"
    },
    "memory_comes_from_the_pool": {"nd4py/cpu/leak.pyx": "from libc.stdlib cimport malloc\n"},
    "systems_have_their_headers": {"nd4py/cpu/mapping.h": "#include <sys/mman.h>\n"},
    "writers_ask_about_overlap": {"nd4py/api/filling.py": "def fill(x, y):\n    scatter(x, y)\n    mark_written(x)\n"},
    "writes_are_counted_first": {
        "nd4py/api/late.py": "def fill(x, y):\n    x = apart(x, y)\n    scatter(x, y)\n    mark_written(x)\n"
    },
    "imports_do_no_work": {"nd4py/cuda/eager.py": "KERNELS = compile_kernels()\n"},
    "annotations_are_texts": {"nd4py/api/eager.py": "def f(x: int) -> int:\n    return x\n"},
    "operations_are_listed_once": {
        "nd4py/api/names.py": 'NAMES = ["add", "exp", "log", "sin", "tanh"]\n',
        "nd4py/_spec/ops.py": "".join(f'unary("{name}", "")\n' for name in ("add", "exp", "log", "sin", "tanh")),
    },
    "operations_are_not_named_in_cpp": {
        "nd4py/cpu/elementwise/quick.h": "constexpr bool is_quick = std::is_same_v<Op, ops::op_add_vjp_x1>;\n",
        "nd4py/_spec/ops.py": 'binary("add", "")\n',
    },
    "file_names_say_the_subject": {"nd4py/nn/utils.py": ""},
    "file_names_have_one_meaning": {
        "nd4py/cpu/scan/scans.pyx": "",
        "nd4py/cpu/reduce/scans.pyx": "",
        "nd4py/_exec/scans.py": "",
    },
    "directives_stand_in_setup": {"nd4py/cpu/quick.pyx": "# cython: boundscheck=False\n"},
    "c_functions_state_how_they_fail": {
        "nd4py/cpu/mute.pyx": "cdef int run(void (*f)(int), int n) nogil:\n    return 0\n"
    },
    "words_are_those_of_the_field": {"nd4py/api/waiting.py": "# Operations are put" + " off.\n"},
    "nothing_is_left_open": {"nd4py/api/open.py": "# TO" + "DO: the rest\n"},
}


def broken_tree(folder, files):
    """Write `files` below `folder` and read them as a tree."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return Tree(folder)


@pytest.fixture(scope="module")
def house():
    return Tree(ROOT)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_house_keeps(rule, house):
    found = list(rule(house))
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_rule_finds_what_breaks_it(rule, tmp_path):
    files = BROKEN[rule.__name__]
    found = list(rule(broken_tree(tmp_path, files)))
    assert found
    assert all(message.startswith(next(iter(files)) + ":") for message in found)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_rule_is_calm_about_words_in_comments(rule, tmp_path):
    text = '"""Like `import cupy`, malloc or a float32 loop."""\n\n# from nd4py._exec import prange(n)\nx = 1\n'
    assert not list(rule(broken_tree(tmp_path, {"nd4py/cpu/calm.py": text})))


@pytest.mark.parametrize("line, target", [
    ("from nd4py.api import conv2d as conv", "nd4py.api.conv2d"),
    ("from . import plan", "nd4py._core.layout.plan"),
    ("from ...api import (\n    conv2d,\n    take,\n)", "nd4py.api.take"),
    ("from .shape cimport ShapeInfo  # sizes", "nd4py._core.layout.shape.ShapeInfo"),
    ("import numpy, nd4py.nn", "nd4py.nn"),
    ("cimport nd4py._mem.pool.pool", "nd4py._mem.pool.pool"),
])  # fmt: skip
def test_imports_are_resolved(line, target, tmp_path):
    [source] = broken_tree(tmp_path, {"nd4py/_core/layout/views.pyx": line + "\n"}).sources
    [found] = source.imports
    assert target in found.targets


def test_import_is_light():
    """Importing nd4py loads no optional package and no part of the GPU."""
    heavy = ("cupy", "matplotlib", "sklearn", "scipy.linalg", "tqdm", "nd4py.cuda", "nd4py.examples")
    program = f"import sys, nd4py; print([name for name in {heavy} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
    assert result.stdout.strip() == "[]"
