"""The family of arrays of a batch, as dispatch sees it.

Design: dispatch asks a family for its rules first.  Those of batches take whole calls over; what a backend does for
devices (kernels, copies to and from the host) they have no use for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..._core.devices import register
from ..autodiff.nodes import version_of
from . import batched_array, batched_gradients, driver_rules, indexing_rules, row_rules, scan_rules
from .batched_array import BatchedArray
from .open_batches import NoBatchRule


class BatchRules:
    """What operations on arrays of a batch are; each takes what the function does that asks for it."""

    is_outermost = False

    row = staticmethod(row_rules.map_row)
    reduction = staticmethod(row_rules.reduction)
    argreduction = staticmethod(row_rules.argreduction)
    scan = staticmethod(scan_rules.running)
    conversion = staticmethod(row_rules.conversion)
    product = staticmethod(row_rules.product)
    join = staticmethod(row_rules.join)
    filled = staticmethod(row_rules.filled)
    values = staticmethod(row_rules.values_for)
    assign = staticmethod(row_rules.assign)
    getitem = staticmethod(indexing_rules.getitem)
    setitem = staticmethod(indexing_rules.setitem)
    selected = staticmethod(indexing_rules.selected)
    put = staticmethod(indexing_rules.put)
    taken_along = staticmethod(indexing_rules.taken_along)
    added_along = staticmethod(indexing_rules.added_along)
    write_along = staticmethod(indexing_rules.write_along)
    driver = staticmethod(driver_rules.run_driver)
    differentiated = staticmethod(batched_gradients.differentiated)

    @staticmethod
    def version_of(x: BatchedArray) -> int:
        """How often the memory of an array has been written in place."""
        return version_of(x.value)

    @staticmethod
    def refusal(name: str) -> NoBatchRule:
        """The error of a function that computes on arrays of the host alone."""
        return NoBatchRule(f"{name} has no rule for a batch")


class BatchFamily:
    """See `nd4py._core.devices.Backend`."""

    family = "batch"
    rules = BatchRules
    functions: Mapping[str, Callable[..., Any]] = {}
    with_node = staticmethod(batched_array.with_node)

    def helpers(self) -> str:
        """None of its own."""
        return ""

    def device_names(self) -> tuple[str, ...]:
        """None of its own."""
        return ()

    def device_of(self, x: BatchedArray) -> Any:
        """The batch."""
        return x.batch

    def dtype_number(self, x: BatchedArray) -> int:
        """The number of an array's dtype in the table."""
        return x.dtype.number

    def prepare_to_write(self, x: BatchedArray) -> None:
        """Nothing: the values' own family does it."""

    def shares(self, x: BatchedArray, y: BatchedArray) -> bool:
        """Whether two arrays may have a byte in common: as far as is known, any two."""
        return True

    def to_host(self, x: BatchedArray) -> Any:
        """Raises NoBatchRule: what has no rule is computed for each example."""
        raise NoBatchRule("a copy on the host has no rule for a batch")

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

    def deferred_program(self, x: BatchedArray) -> dict[str, Any] | None:
        """None: the values have one."""
        return None


family: Any = BatchFamily()
register(BatchedArray, family)
