"""Control of deferred operations: combine, flush, synchronize, explain, and their counters."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from ..._core.array.array import NDArray
from ..._core.array.released import type_name
from ..._core.lazy.deferring import set_combining
from ..._core.lazy_modules import LazyModule
from ..._exec.autodiff.nodes import is_array
from ..._exec.lazy import across_backends

drawing = LazyModule(f"{__package__}.program_picture", globals())

__all__ = ["CombineStatistics", "PendingProgram", "combine", "combine_statistics", "explain", "flush", "synchronize"]


class CombineStatistics(NamedTuple):
    """Counters of op combination, over all threads, since the start of the process.

    queued: operations that were deferred
    launched: passes over memory that ran some of them
    combined: operations that shared a pass with others
    passes_saved: passes over memory that were not needed
    bytes_saved: bytes that were neither read nor written
    pending_bytes: of the arrays that deferred operations will read
    read_at_call: operations that ran at once because others may write what they read, such as a NumPy array that the
        program holds; `nd.array(x)` copies it once, and operations on the copy are deferred

    >>> nd.combine_statistics().queued >= 0
    True
    """

    queued: int
    launched: int
    combined: int
    passes_saved: int
    bytes_saved: int
    pending_bytes: int
    read_at_call: int


def combine_statistics() -> CombineStatistics:
    """The counters of op combination now, on the host and on devices.

    Raises nothing.

    >>> x = nd.ones(100_000)
    >>> before = nd.combine_statistics()
    >>> total = float((x * 2 + 1).sum())
    >>> nd.combine_statistics().launched - before.launched
    1
    """
    return CombineStatistics(*across_backends.combine_counts())


@contextmanager
def combine(wanted: bool) -> Iterator[None]:
    """Allow or forbid this thread to defer operations inside a `with` block; ND4PY_COMBINE=0 forbids it for all.

    wanted: True allows it, False forbids it.
    Operations that are deferred when the block begins stay deferred.  Results have the same bits either way.
    Returns a context manager.
    Raises TypeError for anything but True and False.

    >>> with nd.combine(False):
    ...     y = nd.ones(1_000_000) * 2
    >>> nd.explain(y) is None  # it was computed at once
    True
    """
    if not isinstance(wanted, bool):
        raise TypeError(f"combine: wanted must be True or False, given {wanted!r}")
    before = set_combining(wanted)
    try:
        yield
    finally:
        set_combining(before)


def flush() -> None:
    """Run the operations that this thread has deferred, those on devices without waiting for them.

    Operations that lack memory stay deferred; reading their results raises MemoryError.
    Raises nothing.

    >>> x = nd.ones(1_000_000) + 1
    >>> nd.flush()  # runs what this thread has deferred
    >>> nd.explain(x) is None
    True
    """
    across_backends.flush()


def synchronize() -> None:
    """Run the operations that any thread has deferred, and wait for those that run, on devices too.

    Operations that lack memory stay deferred; reading their results raises MemoryError.  Raises errors of devices.

    >>> x = nd.ones(1_000_000) + 1
    >>> nd.synchronize()
    """
    across_backends.synchronize()


class PendingProgram(NamedTuple):
    """The program that computes a deferred array; printed, a line for each step.

    shape: of all values    tile: elements that go through all steps at a time    registers: tiles beside the operands
    device: where; a chain on a device other than "cpu" is one kernel, without tiles and registers
    leaves: (name, dtype, shape) of the arrays that are read
    steps: (result, operation, operands, dtype, where it was called) in order
    outputs: names of the values that are written    dropped: how many operations have results that are not referenced

    >>> program = nd.explain(nd.ones(1_000_000) * 2 + 1)
    >>> program.shape, len(program.steps)
    ((1000000,), 2)
    """

    shape: tuple[int, ...]
    tile: int
    registers: int
    leaves: list[tuple[str, str, tuple[int, ...]]]
    steps: list[tuple[str, str, list[str], str, str]]
    outputs: list[str]
    dropped: int
    device: str = "cpu"

    @property
    def way(self) -> str:
        """How elements go through the steps."""
        return f"{self.tile} elements at a time" if self.tile else f"one kernel on {self.device}"

    def __str__(self) -> str:
        lines = [f"{len(self.steps)} operations on {self.shape}, {self.way}"]
        lines += [f"  read   {name}: {dtype} {shape}" for name, dtype, shape in self.leaves]
        lines += [f"  {name:6} = {op}({', '.join(read)}): {dtype}" + (f"    # {where}" if where else "")
                  for name, op, read, dtype, where in self.steps]  # fmt: skip
        lines += [f"  write  {name}" for name in self.outputs]
        lines += [f"  {self.dropped} operations are dropped: their results are not referenced"] if self.dropped else []
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)

    def plot(self, path: str) -> None:
        """Draw the program to a file, such as "program.svg"; needs matplotlib (extra `examples`).

        Raises ImportError without matplotlib, OSError where the file cannot be written.
        """
        nodes = {name: drawing.Node(f"{name}\n{dtype}", drawing.LEAF, ()) for name, dtype, _ in self.leaves}
        for names, op, read, *_ in self.steps:
            scalars = ", ".join(item for item in read if item not in nodes)
            reads = tuple(item for item in read if item in nodes)
            for name in names.split(", "):
                color = drawing.WRITTEN if name in self.outputs else drawing.INNER
                nodes[name] = drawing.Node(f"{op}\n{scalars}".strip(), color, reads)
        drawing.picture(nodes, f"{len(self.steps)} operations, one pass, {self.way}").savefig(path)


def explain(x: NDArray) -> PendingProgram | None:
    """The program that will run when a value of `x` is read; `x` stays deferred.  None when `x` has its values.

    Operations on large arrays have theirs at once where others may write what they read:
    `combine_statistics().read_at_call` counts those, and `nd.array(x)` defers.
    Raises TypeError for anything but an array.

    >>> x = nd.ones(100_000)
    >>> print(nd.explain(x * 2 + 1))  # doctest: +SKIP
    2 operations on (100000,), 1024 elements at a time
      read   leaf0: float64 (100000,)
      v2     = multiply(leaf0, 2.0): float64    # example.py, line 2
      v4     = add(v2, 1.0): float64    # example.py, line 2
      write  v4
    """
    if not is_array(x):
        raise TypeError(f"explain: x must be an nd4py array, given {type_name(x)}")
    program = across_backends.deferred_program(x)
    return None if program is None else PendingProgram(**program)
