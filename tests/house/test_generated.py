"""Generated files are what their sources say now, and stubs are made by their rules."""

from pathlib import Path

import pytest

from nd4py._spec.dtypes import DTYPES
from nd4py._spec.generated import files
from nd4py._spec.render import driver_tables, loop_headers
from nd4py._spec.render.cuda_structs import structs
from nd4py._spec.render.cython_definitions import argument_of
from nd4py._spec.render.stubs import Stubs

ROOT = Path(__file__).parents[2]

SOURCE = '''
"""A module that is compiled."""

from nd4py._core.array.array cimport NDArray

LIMIT: int = 3
other = 4


cdef class Counter:
    """Counts."""

    cdef readonly size_t n_steps, most   # so far
    cdef public object owner
    cdef int hidden

    def __cinit__(self, NDArray x not None, bint is_fast=False):
        def inner(y):
            return y

    @property
    def share(self) -> float:
        return 0.5

    def _unseen(self):
        return None

    def __len__(self):
        return 3


def count(NDArray x, str name=None, *, tuple axes: tuple[int, ...] = (1, 2), double share=0.5) -> list[Counter]:
    """Count in `x`, (what)."""
    return []


cpdef int known(object x, int n) except -1:
    return 1


cdef int unknown(int n) except -1:
    return n
'''
STUB = """
from nd4py._core.array.array import NDArray
from typing import Any

LIMIT: int
def count(
    x: NDArray,
    name: str | None = None,
    *,
    axes: tuple[int, ...] = (1, 2),
    share: float = 0.5,
) -> list[Counter]: ...
def known(x: Any, n: int) -> int: ...

class Counter:
    @property
    def n_steps(self) -> int: ...
    @property
    def most(self) -> int: ...
    owner: Any
    def __init__(self, x: NDArray, is_fast: bool = False) -> None: ...
    @property
    def share(self) -> float: ...
    def __len__(self) -> int: ...
"""


@pytest.fixture
def tree(tmp_path):
    """A folder with what stubs are made from besides the compiled modules."""
    for folder in ("_core/array", "api"):
        (tmp_path / "nd4py" / folder).mkdir(parents=True)
    (tmp_path / "nd4py/_core/annotations.py").write_text(
        "Shape: TypeAlias = tuple[int, ...]\nOperand: TypeAlias = Shape\n"
    )
    (tmp_path / "nd4py/_core/array/array.pyx").write_text("cdef class NDArray:\n    pass\n")
    return tmp_path


def stub(tree, source):
    """The stub of a module, without its first line."""
    (tree / "nd4py/_core/module.pyx").write_text(source)
    return Stubs(tree).texts()[tree / "nd4py/_core/module.pyi"].partition("\n")[2]


def test_generated_files_are_up_to_date():
    stale = [str(path.relative_to(ROOT)) for path, text in files(ROOT) if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run `python setup.py build_ext --inplace`, and commit what changed"


def test_no_stub_is_written_by_hand():
    assert set((ROOT / "nd4py").rglob("*.pyi")) == {path for path, _ in files(ROOT) if path.suffix == ".pyi"}


def test_a_stub_says_what_python_can_reach(tree):
    assert stub(tree, SOURCE) == STUB[1:]


def test_types_of_an_array_come_from_annotations_the_namespace_and_protocols(tree):
    (tree / "nd4py/api/f.py").write_text(
        '__all__ = ["sort", "topk"]\n'
        "def sort(x: NDArray, /, axis: int = -1) -> NDArray: ...\n"
        "def topk(x: NDArray, n: int, /) -> tuple[NDArray, NDArray]: ...\n"
    )
    (tree / "nd4py/_core/array/array.pyx").write_text(
        "cdef class NDArray(ArrayBase):\n    def __imatmul__(self, other): return self\n"
    )
    (tree / "nd4py/_core/array/array_base.pyx").write_text(
        "cdef class ArrayBase:\n    __array_priority__ = 100.0\n\n"
        "    def __add__(self, other): return 1\n    def __imatmul__(self, other): return 1\n"
        "    def copy(self) -> ArrayBase: return self\n"
    )
    source = (
        "class Methods:\n    def sort(self, *args, **keywords): return 1\n    def topk(self, n): return 1\n"
        "    @property\n    def sizes(NDArray self) -> Shape:\n        return 1\n\n\nextend(Methods)\n"
    )
    assert stub(tree, source) == "class Methods: ...\n"
    array = Stubs(tree).texts()[tree / "nd4py/_core/array/array.pyi"]
    assert "    def __add__(self, other: Operand) -> NDArray: ...\n" in array
    assert "    def __imatmul__(self, other: NDArray) -> Self: ...\n" in array
    assert "    def copy(self) -> NDArray: ...\n" in array
    assert array.count("__imatmul__") == 1
    assert "    def sort(self, axis: int = -1) -> NDArray: ...\n" in array
    assert "    def topk(self, n: int) -> tuple[NDArray, NDArray]: ...\n" in array
    assert "    @property\n    def sizes(self) -> Shape: ...\n" in array


def test_a_base_class_gives_what_the_class_of_the_object_is(tree):
    source = (
        "cdef class Base:\n    __array_priority__ = 100.0\n    def __sub__(self, other): return 1\n"
        "    def __matmul__(self, other): return 1\n\n\ncdef class Kind(Base):\n    pass\n"
    )
    assert stub(tree, source).endswith(
        "class Base:\n    __array_priority__: ClassVar[float]\n"
        "    def __sub__(self, other: Operand | Self) -> Self: ...\n"
        "    def __matmul__(self, other: Self) -> Self: ...\n\nclass Kind(Base): ...\n"
    )


@pytest.mark.parametrize("source, words", [
    ("def f(int n):\n    return n\n", "f has no type of its result"),
    ("def f(int n) -> Unheard:\n    return n\n", "the type Unheard is not known"),
])  # fmt: skip
def test_a_stub_without_types_is_refused(source, words, tree):
    with pytest.raises(ValueError, match=words):
        stub(tree, source)


def test_an_argument_that_cannot_be_read_is_named():
    with pytest.raises(ValueError, match=r"module.pyx: cannot read the argument 'int \(n\)'"):
        argument_of("int (n)", Path("module.pyx"))


def test_structs_are_read_from_the_header_of_the_kernels():
    text = structs(
        "#define ND_MAX_RANK 8\nstruct Divisor {\n  unsigned int size;\n};\n"
        "struct Lines {\n  const char *x, *w;  // read\n  long long* counts;\n  unsigned long long low, span;\n"
        "  double values[2][ND_MAX_RANK];\n  Divisor axes[ND_MAX_RANK];\n};\n"
    )
    assert text.endswith(
        "MAX_RANK = 8\n\nWide = ctypes.c_longlong\nAddress = ctypes.c_void_p\n\n\nclass Lines(ctypes.Structure):\n"
        '    _fields_ = [\n        ("x", Address),\n        ("w", Address),\n        ("counts", Address),\n'
        '        ("low", ctypes.c_ulonglong),\n        ("span", ctypes.c_ulonglong),\n'
        '        ("values", (ctypes.c_double * MAX_RANK) * 2),\n        ("axes", Divisor * MAX_RANK),\n    ]\n'
    )
    assert structs(
        "#define ND_MAX_RANK 8\n", "struct Own {\n};\nstruct LineArguments {\n  long long n;\n};\n"
    ).endswith('class LineArguments(ctypes.Structure):\n    _fields_ = [\n        ("n", Wide),\n    ]\n')
    with pytest.raises(ValueError, match="cannot read the field 'int'"):
        structs("struct Torn {\n  int;\n};\n")


def test_a_loop_is_a_member_an_entry_and_a_declaration(tmp_path):
    folder = tmp_path / "nd4py/cpu/sort"
    folder.mkdir(parents=True)
    (folder / "sort_loops.h").write_text(
        "enum { WIDTH = 4 };\nstruct Line {\n  ptrdiff_t n, k;  // elements\n  char room[WIDTH + 1];\n};\n"
        'inline bool is_long(Line* line) { return true; }\n#include "sort_dtype_loops.gen.h"\n'
    )
    (folder / "sort_module.h").write_text("")
    (folder / "lines.inc").write_text(
        "template <class T> void inner(T x) {}\n"
        "template <class T> ND_LOOP constexpr bool is_key = true;\n"
        "template <class T>\nND_LOOP void swap(const char* from,\n                  bool is_first, Line* line) {\n}\n"
    )
    files = loop_headers.families(tmp_path)["sort"]
    members = "  bool is_key;\n  void (*swap)(const char* from, bool is_first, Line* line);\n"
    assert f"typedef struct SortLoops {{\n{members}}} SortLoops;\n" in loop_headers.loops_header("sort", files)
    table = loop_headers.loops_table("sort", files)
    assert '#include "lines.inc"\n' in table
    assert "SORT_LOOPS = {is_key<T>, swap<T>};" in table
    assert table.count("&SORT_LOOPS<") == len(DTYPES) - 2, "complex numbers have no order"
    assert loop_headers.cython_declarations(tmp_path)[folder / "sort_loops.pxd"].partition("\n\n")[2] == (
        'cdef extern from "sort_loops.h" nogil:\n    enum:\n        WIDTH\n\n'
        "    cdef struct Line:\n        ptrdiff_t n, k\n        char room[5]\n\n"
        "    bint is_long(Line* line) noexcept\n\n"
        "    cdef struct SortLoops:\n        bint is_key\n"
        "        void (*swap)(const char* from_, bint is_first, Line* line) noexcept nogil\n"
    )
    (folder / "more.inc").write_text("template <class T> ND_LOOP void turn(char* x) {}\n")
    assert loop_headers.loops_hash(loop_headers.families(tmp_path)["sort"]) != loop_headers.loops_hash(files)


def driver_sources(root, texts):
    """Files that list drivers, below `root`."""
    for path, text in texts.items():
        (root / "nd4py" / path).parent.mkdir(parents=True, exist_ok=True)
        (root / "nd4py" / path).write_text(text)


def test_drivers_are_found_by_what_files_list(tmp_path):
    driver_sources(tmp_path, {
        "cpu/sort/lines.pyx": '__all__ = ["order", "turn"]\n\ndef order(x): return x\n\ndef other(x): return x\n',
        "_exec/drivers/by_rows.py": "def order(x):\n    return x\n\n\ndef other(x):\n    return x\n",
        "cuda/sort/device_lines.py": '__all__ = ["turn"]\n',
        "cuda/launch/streams.py": '__all__ = ["Stream"]\n',
    })  # fmt: skip
    host = driver_tables.host_table(tmp_path)
    assert host.endswith(
        "\norder = by_backend(\n"
        '    "order", LazyFunction("nd4py.cpu.sort.lines", "order"), '
        'LazyFunction("nd4py._exec.drivers.by_rows", "order")\n'
        ')\nturn = by_backend("turn", LazyFunction("nd4py.cpu.sort.lines", "turn"))\n'
    )
    device = driver_tables.device_table(tmp_path)
    assert "\nfrom .sort.device_lines import turn\n" in device
    assert device.endswith('= {\n    "turn": turn,\n}\n')


def test_two_drivers_of_one_name_are_refused(tmp_path):
    driver_sources(tmp_path, {"cpu/sort/a.pyx": '__all__ = ["order"]\n', "cpu/scan/b.pyx": '__all__ = ["order"]\n'})
    with pytest.raises(ValueError, match=r"cpu.sort.a and nd4py.cpu.scan.b both have a driver 'order'"):
        driver_tables.host_table(tmp_path)
