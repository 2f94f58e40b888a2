"""Conditions on the values of a column: which rows fulfil them."""

import operator

from nd4py import api as nd

from ..records.tables import MISSING, Texts, lookup

COMPARISONS = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
CONDITIONS = (*COMPARISONS, "in", "not in", "missing", "not missing")


def fulfilled(column, condition, value):
    """(n,) bool: the rows whose value fulfils a condition; nan and the empty text are missing."""
    if condition.startswith("not "):
        return nd.logical_not(fulfilled(column, condition.removeprefix("not "), value))
    if isinstance(column, Texts):
        return lookup(column, [_is_fulfilled(text, condition, value) for text in column.names], "bool")
    if condition == "missing":
        return nd.isnan(column) if nd.isdtype(column.dtype, "real floating") else nd.zeros(column.shape, dtype="bool")
    if condition == "in":
        found = nd.zeros(column.shape, dtype="bool")
        for each in value:
            found = found | (column == each)
        return found
    return COMPARISONS[condition](column, value)


def _is_fulfilled(text, condition, value):
    if condition == "missing":
        return text in MISSING
    return text in value if condition == "in" else COMPARISONS[condition](text, value)


def check_condition(what, condition, value, is_text):
    """Raise ValueError for an unknown condition, TypeError for a value that the column is not compared with."""
    if condition not in CONDITIONS:
        raise ValueError(f"{what}: condition must be one of {', '.join(CONDITIONS)}, given {condition!r}")
    if condition.endswith("missing"):
        return
    is_several = condition.endswith("in")
    if is_several and not isinstance(value, list | tuple):
        raise TypeError(f"{what}: value must be a list for {condition!r}, given {type(value).__name__}")
    for each in value if is_several else [value]:
        check_value(what, each, is_text)


def check_value(what, value, is_text):
    """Raise TypeError unless `value` is a text for a column of texts, and a number for another."""
    wanted = str if is_text else int | float
    if not isinstance(value, wanted) or isinstance(value, bool):
        raise TypeError(f"{what}: value must be a {'text' if is_text else 'number'}, given {type(value).__name__}")
