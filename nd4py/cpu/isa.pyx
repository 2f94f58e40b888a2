"""Which instruction set's loops are used: the best the processor has, or the one named by ND4PY_ISA."""

import importlib.util
import os

from cpython.pycapsule cimport PyCapsule_GetPointer

from .._spec.render import sort_hash, table_hash

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
cdef const LoopTable* table = NULL
cdef const SortTable* sort_table = NULL
cdef object chosen = None


cdef const LoopTable* loops() noexcept nogil:
    """The loops of the chosen instruction set."""
    return table


cdef const SortTable* sort_loops() noexcept nogil:
    """The sorting loops of the chosen instruction set."""
    return sort_table


def supported():
    """The instruction sets this processor can run and this build contains, best first."""
    return [name for name, level in LEVELS.items() if has_level(level) and is_built(name)]


def is_built(name):
    """Whether the package holds loops for this instruction set."""
    return importlib.util.find_spec(f"{__package__}._isa_{name}") is not None


def active():
    """The name of the instruction set in use."""
    return chosen


def select(name=None):
    """Use the loops of one instruction set: "v4", "v3", "v2" (x86-64 levels) or "generic"; by default the best.

    Raises ImportError when the processor or the build lacks it, or the build does not match the table of operations.
    """
    global table, sort_table, chosen
    usable = supported()
    if name is None and usable:
        name = usable[0]
    if name not in usable:
        raise ImportError(f"instruction set {name!r} is not usable here; ND4PY_ISA may be one of {usable}")
    capsule = importlib.import_module(f"{__package__}._isa_{name}").table
    cdef const LoopTable* candidate = <const LoopTable*>PyCapsule_GetPointer(capsule, "nd4py.loops")
    capsule = importlib.import_module(f"{__package__}._sort_{name}").table
    cdef const SortTable* sort_candidate = <const SortTable*>PyCapsule_GetPointer(capsule, "nd4py.sort_loops")
    if candidate.hash.decode() != table_hash() or sort_candidate.hash.decode() != sort_hash():
        raise ImportError("the compiled loops do not match nd4py/_spec/ops.py; rebuild: pip install -e .")
    table = candidate
    sort_table = sort_candidate
    chosen = name


select(os.environ.get("ND4PY_ISA") or None)
