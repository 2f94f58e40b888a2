"""Choice of the instruction set whose loops run.  It is the best the processor has, or the one named by ND4PY_ISA."""

import importlib
import os

from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.string cimport strcmp
from nd4py._core.graphs.launch_recording cimport loops_chosen

from ..._spec.fingerprint import check

cdef extern from "loop_parts.gen.h":
    const char* ND_TABLES
    enum:
        N_LOOP_PARTS

    cdef struct LoopPart:                # a module of loops
        const char* family
        const char* hash                 # of what it is to be compiled from now
        int n_rows
        const short* rows                # where the whole table has its rows
    const LoopPart LOOP_PARTS[N_LOOP_PARTS]

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
cdef list FAMILIES = [LOOP_PARTS[number].family.decode() for number in range(N_LOOP_PARTS)]
cdef set LATER = {"recurrent", "attention"}  # families that few programs need, imported when they are first asked for
cdef set BUILT = {file.partition(".")[0] for file in os.listdir(os.path.dirname(__file__))}
cdef RowLoops merged_rows[1024]
cdef object chosen = None
cdef dict later_tables = {}               # {family: address}, of the chosen instruction set


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
    modules = {family: loops_module(family, name) for family in FAMILIES if family not in LATER}
    loops.reductions = <const ReduceTable*>family_table(modules["reduce"]).table
    for number in range(N_LOOP_PARTS):
        if FAMILIES[number] in LATER:
            continue
        merge_rows(&LOOP_PARTS[number], loops.reductions.rows if FAMILIES[number] == "reduce"
                   else <const RowLoops*>family_table(modules[FAMILIES[number]]).table)
    cdef const MoveTable* moves = <const MoveTable*>family_table(modules["move"]).table
    loops.rows = &merged_rows[0]
    loops.cast = moves.cast
    loops.strided_copies = moves.strided_copies
    loops.streamed_copies = moves.streamed_copies
    loops.stream = moves.stream
    loops.finish_streams = moves.finish_streams
    loops.measures = <const MeasureTable*>family_table(modules["normalize"]).table
    loops.conv = <const ConvLoops*>family_table(modules["conv"]).table
    loops.products = <const ProductLoop*>family_table(modules["product"]).table
    loops.sort = <const SortTable*>family_table(modules["sort"]).table
    if name != chosen:
        loops_chosen()
    chosen = name
    later_tables.clear()


cdef object loops_module(str family, str name):
    """The module of a family's loops for an instruction set.  Raises ImportError where it is of another build."""
    module = importlib.import_module(f"{__package__}._{family}_{name}")
    if strcmp(family_table(module).hash, LOOP_PARTS[FAMILIES.index(family)].hash) != 0:
        raise ImportError("the compiled loops do not match nd4py/_spec/ops.py; rebuild: pip install -e .")
    return module


cdef const void* loops_of_family(str family) except NULL:
    """The loops of one of the families that are imported later, of the chosen instruction set."""
    found = later_tables.get(family)
    if found is None:
        found = <size_t>family_table(loops_module(family, chosen)).table
        later_tables[family] = found
    return <const void*><size_t>found


cdef const FamilyTable* family_table(module) except NULL:
    return <const FamilyTable*>PyCapsule_GetPointer(module.table, "nd4py.loops")


cdef void merge_rows(const LoopPart* part, const RowLoops* rows) noexcept:
    """Put a part's rows where the whole table has them."""
    cdef int index, number
    for index in range(part.n_rows):
        for number in range(15):
            merged_rows[part.rows[index]][number] = rows[index][number]


check(ND_TABLES)
select(os.environ.get("ND4PY_ISA") or None)
