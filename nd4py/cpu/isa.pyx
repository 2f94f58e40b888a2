"""Which instruction set's loops are used: the best the processor has, or the one named by ND4PY_ISA."""

import importlib.util
import os

from cpython.pycapsule cimport PyCapsule_GetPointer

from .._spec.ops import LOOPS
from .._spec.render import dtypes_hash, table_hash

cdef extern from * nogil:
    """
    static int has_level(int level) {
    #if defined(__x86_64__)
      __builtin_cpu_init();
      if (level == 4)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
            && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq")
            && __builtin_cpu_supports("avx512vl");
      if (level == 3)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
      if (level == 2) return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
    #endif
      return level == 0;
    }
    """
    bint has_level(int level)

cdef dict LEVELS = {"v4": 4, "v3": 3, "v2": 2, "generic": 0}
cdef str OF_TABLE = table_hash(), OF_DTYPES = dtypes_hash()
cdef dict FAMILIES = {
    "map": OF_TABLE, "reduce": OF_TABLE, "move": OF_DTYPES, "conv": OF_DTYPES, "sort": OF_DTYPES, "product": OF_DTYPES,
}
cdef Py_ssize_t N_ROWS = len(LOOPS)
cdef RowLoops merged_rows[1024]
cdef LoopTable table
cdef object chosen = None


cdef const LoopTable* loops() noexcept nogil:
    """The loops of the chosen instruction set."""
    return &table


def supported():
    """The instruction sets this processor can run and this build contains, best first."""
    return [name for name, level in LEVELS.items() if has_level(level) and is_built(name)]


def is_built(name):
    """Whether the package holds loops for this instruction set."""
    return all([importlib.util.find_spec(f"{__package__}._{family}_{name}") is not None for family in FAMILIES])


def active():
    """The name of the instruction set in use."""
    return chosen


def select(name=None):
    """Use the loops of one instruction set: "v4", "v3", "v2" (x86-64 levels) or "generic"; by default the best.

    Raises ImportError when the processor or the build lacks it, or the build does not match the table of operations.
    """
    global chosen
    usable = supported()
    if name is None and usable:
        name = usable[0]
    if name not in usable:
        raise ImportError(f"instruction set {name!r} is not usable here; ND4PY_ISA may be one of {usable}")
    modules = {family: importlib.import_module(f"{__package__}._{family}_{name}") for family in FAMILIES}
    for family, hash_ in FAMILIES.items():
        if family_table(modules[family]).hash.decode() != hash_:
            raise ImportError("the compiled loops do not match nd4py/_spec/ops.py; rebuild: pip install -e .")
    cdef const MeasureTable* measures = <const MeasureTable*>family_table(modules["reduce"]).table
    merge_rows(<const RowLoops*>family_table(modules["map"]).table, measures.rows)
    cdef const MoveTable* moves = <const MoveTable*>family_table(modules["move"]).table
    table.rows = &merged_rows[0]
    table.cast = moves.cast
    table.planes = moves.planes
    table.streamed_planes = moves.streamed_planes
    table.stream = moves.stream
    table.finish_streams = moves.finish_streams
    table.measures = measures
    table.conv = <const ConvLoops*>family_table(modules["conv"]).table
    table.products = <const ProductLoop*>family_table(modules["product"]).table
    table.sort = <const SortTable*>family_table(modules["sort"]).table
    chosen = name


cdef const FamilyTable* family_table(module) except NULL:
    return <const FamilyTable*>PyCapsule_GetPointer(module.table, "nd4py.loops")


cdef void merge_rows(const RowLoops* maps, const RowLoops* reductions) noexcept:
    """Every row has its loops in one of the two tables."""
    cdef Py_ssize_t row, number
    for row in range(N_ROWS):
        for number in range(15):
            merged_rows[row][number] = maps[row][number] if maps[row][number] != NULL else reductions[row][number]


select(os.environ.get("ND4PY_ISA") or None)
