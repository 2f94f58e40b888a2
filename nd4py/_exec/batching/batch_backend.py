"""The family of arrays of a batch, as dispatch sees it."""

from __future__ import annotations

from typing import Any

from ..._core.devices import register
from ..device.inner_family import InnerFamily, InnerRules
from . import batched_array, batched_gradients, driver_rules, indexing_rules, row_rules, scan_rules
from .batch_operands import is_watched, on_one_tape
from .batched_array import BatchedArray
from .open_batches import NoBatchRule


class BatchRules(InnerRules):
    """What operations on arrays of a batch are; each takes what the function does that asks for it."""

    is_outermost = False

    is_watched_outside = staticmethod(is_watched)
    on_one_tape = staticmethod(on_one_tape)
    constant = staticmethod(batched_array.constant_array)

    row = staticmethod(row_rules.map_row)
    reduction = staticmethod(row_rules.reduction)
    argreduction = staticmethod(row_rules.argreduction)
    scan = staticmethod(scan_rules.running)
    conversion = staticmethod(row_rules.conversion)
    product = staticmethod(row_rules.product)
    join = staticmethod(row_rules.join)
    filled = staticmethod(row_rules.filled)
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
    def refusal(name: str) -> NoBatchRule:
        """The error of a function that computes on arrays of the host alone."""
        return NoBatchRule(f"{name} has no rule for a batch")

    @staticmethod
    def refusal_to_write(name: str, target: Any) -> NoBatchRule:
        """The error of writing to an array that has no values for each example."""
        return NoBatchRule(f"{name} has no rule for a batch")


class BatchFamily(InnerFamily):
    """See `nd4py._core.devices.Backend`."""

    family = "batch"
    rules = BatchRules
    with_node = staticmethod(batched_array.with_node)

    def device_of(self, x: BatchedArray) -> Any:
        """The batch."""
        return x.batch

    def to_host(self, x: BatchedArray) -> Any:
        """Raises NoBatchRule: what has no rule is computed for each example."""
        raise NoBatchRule("a copy on the host has no rule for a batch")


family: Any = BatchFamily()
register(BatchedArray, family)
