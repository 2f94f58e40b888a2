"""Frames of pandas and polars, tables of Arrow, and columns of them, as arrays of numbers."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import numpy

from nd4py import api as nd
from nd4py.api.arguments import is_missing, of_texts


def framed(given: Any) -> Any:
    """A frame, a table or a column as one of NumPy's arrays; anything else as it is.

    Numbers of several dtypes and bools come together in a dtype that holds all; what is missing is NaN.
    Raises TypeError naming a column of anything else, such as texts.
    """
    if isinstance(given, numpy.ndarray) or hasattr(given, "__array_namespace__"):
        return given
    if hasattr(given, "to_numpy"):
        found = to_numpy(given)
        if found.dtype.kind != "O":
            return found
    elif not hasattr(given, "column_names"):
        return given
    columns = [as_numbers(name, column) for name, column in named_columns(given)]
    if not hasattr(given, "columns"):
        return columns[0]
    dtypes = [column.dtype for column in columns if column.dtype.kind != "b"]
    return numpy.stack(columns, axis=1).astype(numpy.result_type(*dtypes) if dtypes else bool, copy=False)


def to_numpy(column: Any) -> numpy.ndarray:
    """A column, or a frame of one dtype, as an array; those of Arrow are copied where they must be."""
    is_of_arrow = hasattr(column, "null_count") and hasattr(column, "type")
    return numpy.asarray(column.to_numpy(zero_copy_only=False) if is_of_arrow else column.to_numpy())


def labels_array(given: Any, device: str | None = None) -> nd.NDArray:
    """Labels as an array.  Raises TypeError where they are none, saying what makes numbers of texts."""
    try:
        return nd.asarray(framed(given), device=device)
    except TypeError as error:
        raise of_texts(error) from None


def as_array(given: Any) -> Any:
    """What has a shape as it is; a frame, or an array that is written out, as an array."""
    return given if hasattr(given, "shape") else nd.asarray(framed(given))


def named_columns(given: Any) -> Iterator[tuple[Any, Any]]:
    """The columns of a frame or a table with their names; a column has its own."""
    if hasattr(given, "column_names"):  # of Arrow
        yield from zip(given.column_names, given.columns, strict=True)
    elif hasattr(given, "columns"):
        for number, name in enumerate(given.columns):
            yield name, given.iloc[:, number] if hasattr(given, "iloc") else given[name]  # pandas may have a name twice
    else:
        yield getattr(given, "name", None), given


def as_numbers(name: Any, column: Any) -> numpy.ndarray:
    """A column as an array of numbers or bools.  Raises TypeError where it holds other things."""
    found = to_numpy(column)
    if found.dtype.kind in "fiub":
        return found
    values = [float("nan") if is_missing(value) else value for value in found.tolist()]
    if found.dtype.kind == "O" and all(isinstance(value, int | float | Decimal) for value in values):
        return numpy.array(values, dtype="float64")
    kind = getattr(column, "dtype", None) or getattr(column, "type", found.dtype)
    which = "a column" if name is None else f"column {name!r} of the table"
    raise TypeError(
        f"{which} is of {kind}, and networks take numbers; leave it out, or make numbers of it, "
        "as pandas.get_dummies and data.TransformProcess do"
    )
