"""Operations on elements, recorded as the row which runs for their operands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..._core.array.released import type_name
from ..._core.dtype import dtype_of
from ..._spec.dtypes import DTYPES
from ..._spec.ops import ALL
from ..autodiff.nodes import is_array
from ..autodiff.row_gradients import record_row
from ..dispatch.dispatch import call
from ..dispatch.output_checks import check_fits
from ..dispatch.promotion import computed_row
from .recorded_array import RecordedArray, recorded
from .recorded_operands import example, is_watched, noted, recording_of, source
from .recorded_writes import replaced
from .recordings import Call, Recording, Value


class Dtypes:
    """What tells the dtypes of operands, of the recording and from outside, to the rules of promotion."""

    @staticmethod
    def dtype_number(x: Any) -> int:
        """The number of an array's dtype in the table."""
        number: int = x.dtype.number
        return number


def map_row(op: int, operands: tuple[Any, ...], params: tuple[Any, ...], out: Any) -> Any:
    """A map row, noted as that one which runs for its operands, with the dtype that it computes in."""
    recording = recording_of((*operands, *(out if isinstance(out, tuple | list) else (out,))))
    given = tuple(x if type(x) is RecordedArray or not is_array(x) else as_recorded(recording, x) for x in operands)
    row, given, number = computed_row(op, given, Dtypes)
    results: Any = call(row, tuple(example(x) for x in given), params, None)
    settings = {"row": ALL[row], "dtype": dtype_of(DTYPES[number].name), "params": params}
    result = noted("row", ALL[row].name, given, settings, results)
    if out is not None:
        return written(ALL[op].name, operands, result, out)
    if is_watched(operands):
        outputs = list(result) if isinstance(result, tuple) else [result]
        result = record_row(row, given if row != op else operands, params, outputs)
    return result


def as_recorded(recording: Recording, x: Any) -> Any:
    """An array from outside, as one that is recorded."""
    y = Value(x.shape, x.dtype)
    recording.note(Call("constant", "constant", (source(x),), {}, (y,)))
    return recorded(example(x), recording, y, x.node)


def written(name: str, operands: Sequence[Any], results: Any, out: Any) -> Any:
    """Results of a map row, written to arrays.  Raises as on arrays outside."""
    targets = tuple(out) if isinstance(out, tuple | list) else (out,)
    if is_watched((*operands, *targets)):
        raise ValueError(f"{name}: out= cannot be used while its operands are being differentiated; use x = x + 1")
    for target, y in zip(targets, results if isinstance(results, tuple) else (results,), strict=True):
        if not is_array(target):
            raise TypeError(f"{name}: out must be an nd4py array, given {type_name(target)}")
        check_fits(name, target, y.shape, y.dtype.number)
        replaced(name, target, y.astype(target.dtype, copy=False))
    return targets[0] if len(targets) == 1 else targets
