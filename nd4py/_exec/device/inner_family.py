"""InnerFamily: what families share whose arrays stand for values of other families, inside of a function.

Design: dispatch asks such a family for its rules first, which take whole calls over; what a backend does for devices
(kernels, copies to and from the host, deferred operations) is the values' own family's part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..autodiff.nodes import version_of, without_node
from ..conversion import empty
from ..dispatch.promotion import check_kind
from ..indexing import assignment


def values_for(name: str, target: Any, value: Any, is_converted: bool = False) -> Any:
    """`value` as an array whose elements `target`, an array of such a family, takes.  Raises as
    `nd4py._exec.indexing.assignment.values_for` does."""
    if type(value) is not type(target):
        return assignment.values_for(name, empty((), target.dtype), value, is_converted)
    check_kind(name, value.dtype.number, target.dtype.number, is_converted)
    return value


class InnerRules:
    """What operations on arrays are; each takes what the function does that asks for it."""

    values = staticmethod(values_for)

    @staticmethod
    def to_check(x: Any) -> Any:
        """The array whose elements a check of arguments looks at."""
        return x

    @staticmethod
    def is_watched_outside(x: Any) -> bool:
        """Whether the tape watches the values too, outside of the function."""
        return False

    @staticmethod
    def on_one_tape(operands: Iterable[Any]) -> list[Any]:
        """Operands as arrays that a tape inside of the function may record beside each other."""
        return list(operands)

    @staticmethod
    def constant(x: Any) -> Any:
        """The array as a constant for every tape."""
        return without_node(x)

    @staticmethod
    def version_of(x: Any) -> int:
        """How often the memory of an array has been written in place."""
        return version_of(x.value)


class InnerFamily:
    """See `nd4py._core.devices.Backend`."""

    functions: Mapping[str, Callable[..., Any]] = {}

    def helpers(self) -> str:
        """None of its own."""
        return ""

    def device_names(self) -> tuple[str, ...]:
        """None of its own."""
        return ()

    def dtype_number(self, x: Any) -> int:
        """The number of an array's dtype in the table."""
        return x.dtype.number

    def prepare_to_write(self, x: Any) -> None:
        """Nothing: the values' own family does it where they are written."""

    def shares(self, x: Any, y: Any) -> bool:
        """Whether two arrays may have a byte in common: as far as is known, any two."""
        return True

    def falls_back(self, name: str) -> bool:
        """Never by a copy."""
        return False

    def flush(self, every_thread: bool = False) -> None:
        """Nothing: the values' own family does it."""

    def synchronize(self) -> None:
        """Nothing: the values' own family does it."""

    def combine_counts(self) -> tuple[int, int, int, int, int, int, int]:
        """Nothing that was not counted where the values are."""
        return (0, 0, 0, 0, 0, 0, 0)

    def deferred_program(self, x: Any) -> dict[str, Any] | None:
        """None: the values have one."""
        return None
