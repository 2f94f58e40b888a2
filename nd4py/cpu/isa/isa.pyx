"""Choice of the instruction set whose loops run.  It is the best the processor has, or the one named by ND4PY_ISA."""

import importlib
import os

from cpython.pycapsule cimport PyCapsule_GetPointer

from ..._spec.render.loop_parts import PARTS, part_hash
from ..._spec.render.row_render import dtypes_hash

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
# What is compiled of each family now.
cdef dict FAMILIES = {
    **{part: part_hash(part) for part in PARTS},
    **dict.fromkeys(("normalize", "move", "conv", "product", "sort"), dtypes_hash()),
}
cdef set BUILT = {file.partition(".")[0] for file in os.listdir(os.path.dirname(__file__))}
cdef RowLoops merged_rows[1024]
cdef LoopTable table
cdef object chosen = None


cdef const LoopTable* loops() noexcept nogil:
    """The loops of the chosen instruction set."""
    return &table


def supported() -> list[str]:
    """The instruction sets this processor can run and this build contains, best first."""
    return [name for name, level in LEVELS.items() if has_level(level) and is_built(name)]


def is_built(name: str) -> bool:
    """Whether the package holds loops for this instruction set."""
    return all([f"_{family}_{name}" in BUILT for family in FAMILIES])


def active() -> str:
    """The name of the instruction set in use."""
    return chosen


def select(name: str | None = None) -> None:
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
    table.reductions = <const ReduceTable*>family_table(modules["reduce"]).table
    for part in PARTS:
        merge_rows(PARTS[part], table.reductions.rows if part == "reduce"
                   else <const RowLoops*>family_table(modules[part]).table)
    cdef const MoveTable* moves = <const MoveTable*>family_table(modules["move"]).table
    table.rows = &merged_rows[0]
    table.cast = moves.cast
    table.strided_copies = moves.strided_copies
    table.streamed_copies = moves.streamed_copies
    table.stream = moves.stream
    table.finish_streams = moves.finish_streams
    table.measures = <const MeasureTable*>family_table(modules["normalize"]).table
    table.conv = <const ConvLoops*>family_table(modules["conv"]).table
    table.products = <const ProductLoop*>family_table(modules["product"]).table
    table.sort = <const SortTable*>family_table(modules["sort"]).table
    chosen = name


cdef const FamilyTable* family_table(module) except NULL:
    return <const FamilyTable*>PyCapsule_GetPointer(module.table, "nd4py.loops")


cdef int merge_rows(list numbers, const RowLoops* rows) except -1:
    """Put a part's rows where the whole table has them."""
    cdef Py_ssize_t index, row, number
    for index in range(len(numbers)):
        row = numbers[index]
        for number in range(15):
            merged_rows[row][number] = rows[index][number]
    return 0


select(os.environ.get("ND4PY_ISA") or None)
