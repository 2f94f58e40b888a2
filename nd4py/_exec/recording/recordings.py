"""Recordings: the operations that a function ran, from its inputs to its results."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from ..._core.devices import UnsupportedOnDevice
from ..autodiff.nodes import is_array, version_of

Place = tuple[tuple[CodeType, int], ...]  # frames, the innermost first


class NotRecorded(UnsupportedOnDevice):
    """What a function does cannot be recorded."""


WAYS = {  # round functions that are refused
    "nd4py.asarray_chkfinite": "use nd.asarray",
    "nd4py.bincount": "give minlength= larger than every number, where the counts have that length",
    "nd4py.histogram": "give range=, or the edges as bins",
    "nd4py.histogram_bin_edges": "give range=",
    "nd4py.unique": "use nd.isin, or nd.bincount with minlength=, whose results have known shapes",
}


def seen_by(name: str) -> NotRecorded:
    """The error of a function of ours that looks at values."""
    way = f"; {WAYS[name]}" if name in WAYS else ""
    return NotRecorded(f"{name} looks at values, to check them or to choose what it does{way}")


class LookedAt(TypeError):  # noqa: N818 - it says what happened
    """A program looks at a value."""


class Value:
    """What stands for the elements of an array at one time: an input, or a result of a call.

    shape, dtype: those of the example
    """

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: tuple[int, ...], dtype: Any) -> None:
        self.shape = shape
        self.dtype = dtype


@dataclass
class Call:
    """One operation.

    kind: "row", "reduction", "position", "scan", "product", "conversion", "view", "index", "filled", "assign", "join",
    "driver", or "function", one with a gradient of its own, which consists of the calls `inner`; None where what it
    consists of cannot be recorded, for the reason `why`
    operands: values, arrays from outside of the function, numbers, or lists of these    settings: all else
    results: values; what is no array is not among them
    family: of a driver, the module that has it
    """

    kind: str
    name: str
    operands: tuple[Any, ...]
    settings: dict[str, Any]
    results: tuple[Value, ...]
    inner: list[Call] | None = None
    why: str = ""
    family: str = ""

    @property
    def title(self) -> str:
        """What the operation is called."""
        return self.name


@dataclass
class Recording:
    """The operations of one run of a function, in order.

    looks: errors of the program's looks at values, which it may have caught
    constants: arrays from outside, and how often each had been written when it was first read
    made: arrays that the function made without its inputs, and where in the program, by their identity
    kept: such places, whose arrays are recorded from the start    wanted: those which have to be, as was found out
    """

    inputs: list[Value] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    constants: dict[int, tuple[Any, int]] = field(default_factory=dict)
    is_open: bool = True
    looks: list[Exception] = field(default_factory=list)
    made: dict[int, tuple[Any, Place]] = field(default_factory=dict)
    kept: frozenset[Place] = frozenset()
    wanted: set[Place] = field(default_factory=set)

    def note(self, call: Call) -> None:
        """One more operation, which ran.  Raises ValueError where the recording has ended."""
        if not self.is_open:
            raise ValueError("this array belongs to a recording that has ended; return it from the function instead")
        for x in call.operands:
            for array in x if isinstance(x, list) else (x,):
                if is_array(array):
                    self.constants.setdefault(id(array), (array, version_of(array)))
        self.calls.append(call)

    def end(self) -> None:
        """No more operations are taken.

        Raises the error of a look at a value, NotRecorded where the function wrote to an array from outside.
        """
        self.is_open = False
        if self.looks:
            raise self.looks[0]
        if any(version_of(array) != version for array, version in self.constants.values()):
            raise NotRecorded("an array from outside of the function is written after it was read; copy it first")
