"""Nothing of the standard is missing, signatures are its or wider, and every function takes every dtype it must."""

import inspect
import math

import pytest

from .subject import ARRAY, DTYPES, dtype_of, find, xp
from .tables.names import (
    ATTRIBUTES,
    CONSTANTS,
    FUNCTIONS,
    INSPECTION,
    METHODS,
    VERSION,
    operator_methods,
)

POSITIONAL, EITHER, REST, KEYWORD, KEYWORDS = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.VAR_POSITIONAL,
    inspect.Parameter.KEYWORD_ONLY,
    inspect.Parameter.VAR_KEYWORD,
)
ROWS = [pytest.param(row, id=f"{row.where}.{row.name}".lstrip(".")) for row in FUNCTIONS]
CALLS = [
    pytest.param(row, dtype, id=f"{row.where}.{row.name}-{dtype}".lstrip("."))
    for row in FUNCTIONS
    for dtype in row.dtypes or ("float64",)
]


def test_the_table_is_as_long_as_the_standard():
    """136 functions in the main namespace (with `__array_namespace_info__`), 25 in linalg, 14 in fft."""
    counts = {where: sum(row.where == where for row in FUNCTIONS) for where in ("", "linalg", "fft")}
    assert counts == {"": 135, "linalg": 25, "fft": 14}
    assert len({(row.where, row.name) for row in FUNCTIONS}) == 174
    assert len(METHODS) + len(ATTRIBUTES) + len(operator_methods()) == 41 + 13 + 13
    assert len(DTYPES["all"]) == 13


@pytest.mark.parametrize("name", CONSTANTS)
def test_constants(name):
    value, want = getattr(xp, name), CONSTANTS[name]
    assert value is want if want is None else type(value) is float
    assert want is None or value == want or (math.isnan(value) and math.isnan(want))


@pytest.mark.parametrize("name", DTYPES["all"])
def test_dtypes_are_names_and_equal_only_to_themselves(name):
    dtype = dtype_of(name)
    assert [other for other in DTYPES["all"] if dtype_of(other) == dtype] == [name]
    assert dtype != 3
    assert {dtype: name}[dtype_of(name)] == name
    assert xp.zeros(1, dtype=dtype).dtype == dtype


def test_version():
    assert xp.__array_api_version__ == VERSION


def standard_signature(text):
    """The signature object of one that is written as in the standard."""
    return inspect.signature(eval(f"lambda {text[1:-1]}: None"))


def misfits(given, wanted):
    """What a caller may write by the standard and this signature does not take."""
    given, wanted = list(given.parameters.values()), list(wanted.parameters.values())
    by_name = {parameter.name: parameter for parameter in given}
    takes_any_keyword = any(parameter.kind is KEYWORDS for parameter in given)
    for position, want in enumerate(wanted):
        at_place = given[position] if position < len(given) else None
        named = by_name.get(want.name)
        if want.kind in (POSITIONAL, EITHER) and (at_place is None or at_place.kind not in (POSITIONAL, EITHER, REST)):
            yield f"{want.name} is not taken at position {position}"
        if want.kind is REST and (at_place is None or at_place.kind is not REST):
            yield f"any number of {want.name} is not taken"
        if want.kind in (EITHER, KEYWORD) and not takes_any_keyword:
            if named is None or named.kind not in (EITHER, KEYWORD):
                yield f"{want.name} is not taken by name"
            elif want.kind is EITHER and named is not at_place:
                yield f"{want.name} stands at another position"
        holder = at_place if want.kind is POSITIONAL else named
        has_default = want.default is not want.empty and holder is not None and holder.kind not in (REST, KEYWORDS)
        if has_default and holder.default != want.default:
            yield f"{want.name} defaults to {holder.default} instead of {want.default}"
    known = {want.name for want in wanted} | {parameter.name for parameter in given[: len(wanted)]}
    for parameter in given:
        if (
            parameter.name not in known
            and parameter.default is parameter.empty
            and parameter.kind not in (REST, KEYWORDS)
        ):
            yield f"{parameter.name} must be given, and is not in the standard"


@pytest.mark.parametrize("row", ROWS)
def test_signatures(row):
    given = inspect.signature(find(row.name, row.where))
    assert list(misfits(given, standard_signature(row.signature))) == []


def test_misfits_are_found():
    """The check of signatures sees each kind of difference."""
    wanted = standard_signature("(x, /, shape, *, axis=None, copy=True)")
    for text, fault in {
        "(x, /, shape, axis=None, *, copy=True, out=None)": None,
        "(*, x, shape, axis=None, copy=True)": "x is not taken at position 0",
        "(x, size, /, *, axis=None, copy=True)": "shape is not taken by name",
        "(x, /, shape, *, copy=True)": "axis is not taken by name",
        "(x, /, shape, *, axis=0, copy=True)": "axis defaults to 0 instead of None",
        "(x, /, shape, *, axis=None, copy=True, out)": "out must be given, and is not in the standard",
        "(x, out, shape, *, axis=None, copy=True)": "shape stands at another position",
    }.items():
        found = list(misfits(standard_signature(text), wanted))
        assert fault in found if fault else not found


@pytest.mark.parametrize("name", INSPECTION)
def test_inspection_signatures(name):
    given = inspect.signature(getattr(xp.__array_namespace_info__(), name))
    assert list(misfits(given, standard_signature(INSPECTION[name]))) == []


@pytest.mark.parametrize("name", [*ATTRIBUTES, *METHODS, *operator_methods()])
def test_the_array_has(name):
    if name not in ATTRIBUTES:
        assert callable(getattr(type(xp.ones((2, 2))), name))
    getattr(xp.ones((2, 2)), name)


def results_of(outcome):
    """The arrays a call gave."""
    return outcome if isinstance(outcome, tuple) else (outcome,)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("row, dtype", CALLS)
def test_sample_calls(row, dtype):
    """The sample of the table is taken, for each dtype, and gives arrays of the dtypes the table says."""
    positional, keywords = row.sample(xp, dtype)
    outcome = find(row.name, row.where)(*positional, **keywords)
    if row.result == "no array":
        assert not isinstance(outcome, ARRAY)
        return
    assert getattr(outcome, "_fields", ()) == row.fields
    assert isinstance(outcome, tuple) == (isinstance(row.result, tuple) or row.result.endswith("*"))
    results, wanted = results_of(outcome), row.result_dtypes(dtype)
    wanted = wanted * len(results) if str(row.result).endswith("*") else wanted
    assert all(isinstance(result, ARRAY) for result in results)
    assert [result.dtype for result in results] == [dtype_of(name) for name in wanted]
