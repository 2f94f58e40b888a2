"""The family of arrays that are recorded, as dispatch sees it."""

from __future__ import annotations

from typing import Any

from ..._core.devices import register
from ..device.inner_family import InnerFamily, InnerRules
from . import recorded_array, recorded_elements, recorded_indexing, recorded_writes, recording_rules, running_results
from .recorded_array import RecordedArray
from .recorded_operands import example
from .recordings import NotRecorded, seen_by


class RecordingRules(InnerRules):
    """What operations on recorded arrays are; each takes what the function does that asks for it."""

    is_outermost = True

    to_check = staticmethod(example)

    version_of = staticmethod(recorded_array.n_written)

    row = staticmethod(recorded_elements.map_row)
    reduction = staticmethod(recording_rules.reduction)
    argreduction = staticmethod(recording_rules.argreduction)
    scan = staticmethod(running_results.running)
    scan_gradient = staticmethod(running_results.scan_gradient)
    conversion = staticmethod(recording_rules.conversion)
    product = staticmethod(recording_rules.product)
    join = staticmethod(recording_rules.join)
    filled = staticmethod(recording_rules.filled)
    assign = staticmethod(recorded_writes.assign)
    getitem = staticmethod(recorded_indexing.getitem)
    setitem = staticmethod(recorded_indexing.setitem)
    selected = staticmethod(recorded_indexing.selected)
    put = staticmethod(recorded_indexing.put)
    taken_along = staticmethod(recorded_indexing.taken_along)
    added_along = staticmethod(recorded_indexing.added_along)
    write_along = staticmethod(recorded_indexing.write_along)
    driver = staticmethod(recording_rules.run_driver)
    differentiated = staticmethod(recording_rules.differentiated)

    @staticmethod
    def refusal(name: str) -> NotRecorded:
        """The error of a function that computes on arrays of the host alone."""
        return seen_by(name)

    @staticmethod
    def refusal_to_write(name: str, target: Any) -> NotRecorded:
        """The error of writing to an array from outside, or to one that has to be recorded from the start."""
        return recorded_writes.refusal(name, target)


class RecordingFamily(InnerFamily):
    """See `nd4py._core.devices.Backend`."""

    family = "recording"
    rules = RecordingRules
    with_node = staticmethod(recorded_array.with_node)

    def device_of(self, x: RecordedArray) -> Any:
        """The recording."""
        return x.recording

    def to_host(self, x: RecordedArray) -> Any:
        """Raises NotRecorded: values on the host can be looked at."""
        raise NotRecorded("a copy on the host")


family: Any = RecordingFamily()
register(RecordedArray, family)
