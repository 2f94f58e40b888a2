"""Functions run once on an example, and the operations that they ran noted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..._exec.autodiff.nodes import is_array
from ..._exec.recording import made_arrays, recording_backend
from ..._exec.recording.recorded_array import RecordedArray, recorded, refresh
from ..._exec.recording.recordings import Call as Call
from ..._exec.recording.recordings import LookedAt as LookedAt
from ..._exec.recording.recordings import NotRecorded as NotRecorded
from ..._exec.recording.recordings import Recording as Recording
from ..._exec.recording.recordings import Value as Value
from ..creation.creation import asarray
from .structures import rebuilt

__all__: list[str] = []
FAMILY = recording_backend.family


def recording_of(
    function: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[Recording, Any, Any]:
    """(the recording, the structure of the results with what stands for them, the same with arrays of the example) of
    one run of a function.

    Raises NotRecorded, LookedAt, and what the function raises.
    """
    places: frozenset[Any] = frozenset()
    while True:
        recording = Recording(kept=places)
        try:
            with made_arrays.noticed_in(recording):
                return run_of(function, args, keywords, recording)
        except Exception:
            if recording.wanted <= places:
                raise
        places |= recording.wanted


def run_of(
    function: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any], recording: Recording
) -> tuple[Recording, Any, Any]:
    """One run for a recording.  Raises as `recording_of` does, and notes which places it wants."""

    def entered(x: Any) -> Any:
        array = asarray(x).copy()
        recording.inputs.append(Value(array.shape, array.dtype))
        return recorded(array, recording, recording.inputs[-1])

    results = function(*rebuilt(args, entered), **rebuilt(keywords, entered))
    rebuilt(results, as_written)
    recording.end()
    if recording.wanted:
        raise NotRecorded("an error that the function caught")
    return recording, rebuilt(results, source_of), rebuilt(results, example_of)


def as_written(y: Any) -> Any:
    """A result, whose elements are read before the recording ends: what it is a view of may have been written."""
    if type(y) is RecordedArray:
        refresh(y)
    return y


def source_of(y: Any) -> Any:
    """What stands for a result in the recording: a value, or an array that does not depend on the inputs."""
    return y.source if type(y) is RecordedArray else example_of(y)


def example_of(y: Any) -> Any:
    """A result of the example.  Raises TypeError for what is no array."""
    if type(y) is RecordedArray:
        return y.value
    if y is None or isinstance(y, str | bytes) or not (is_array(y) or isinstance(y, bool | int | float)):
        raise TypeError(f"a function that is exported must return arrays, given {type(y).__name__}")
    return asarray(y)
