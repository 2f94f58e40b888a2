"""Type promotion in functions and operators, for arrays of any rank and for Python scalars on either side."""

import numpy as np
import pytest

from .subject import DTYPES, assert_array, dtype_of, find, name_of, xp
from .tables.names_elementwise import ELEMENTWISE
from .tables.promotion import PROMOTION, SIZES, pairs_within, scalars_for

BINARY = [row for row in ELEMENTWISE if row.signature == "(x1, x2, /)"]
ROWS = [pytest.param(row, id=row.name) for row in BINARY]
# Two operands whose results are exact, or near enough, in every dtype.
LEFT, RIGHT = [3, 1, 2], [1, 2, 2]


def column(dtype, values):
    return np.asarray(values).astype(dtype)


def test_the_tables_are_whole():
    """13 dtypes with themselves, 8 integers but uint64 with signed ones, 4 floating dtypes."""
    assert len(PROMOTION) == 1 + (16 + 16 + 2 * 12) + 16
    assert PROMOTION["uint8", "int8"] == "int16"
    assert PROMOTION["int8", "uint32"] == "int64"
    assert PROMOTION["float64", "complex64"] == "complex128"
    assert SIZES["complex64"] == 64


@pytest.mark.parametrize("shape", [(), (3,), (0,)], ids=str)
def test_result_type(shape):
    for (a, b), want in PROMOTION.items():
        x, y = xp.zeros(shape, dtype=dtype_of(a)), xp.zeros((), dtype=dtype_of(b))
        for pair in ((dtype_of(a), dtype_of(b)), (x, y), (x, dtype_of(b)), (dtype_of(a), y)):
            assert xp.result_type(*pair) == dtype_of(want), (a, b)


def test_result_type_is_associative():
    for names in (("int8", "uint8", "int16"), ("uint16", "int8", "int32"), ("float32", "complex64", "float64")):
        results = {
            name_of(xp.result_type(*map(dtype_of, order))) for order in (names, names[::-1], names[1:] + names[:1])
        }
        assert len(results) == 1


def test_result_type_with_scalars():
    for dtype in DTYPES["all"]:
        for scalar, want in scalars_for(dtype).items():
            array = xp.zeros(2, dtype=dtype_of(dtype))
            for arguments in ((array, scalar), (scalar, array), (dtype_of(dtype), scalar), (scalar, dtype_of(dtype))):
                assert xp.result_type(*arguments) == dtype_of(want), (dtype, scalar)


@pytest.mark.parametrize("row", ROWS)
def test_two_arrays(row):
    """Every pair of the table; an array of rank 0 counts as much as any other."""
    for a, b in pairs_within(row.dtypes):
        if row.name == "nextafter" and a != b:
            continue  # the second operand should have the first one's dtype
        common = PROMOTION[a, b]
        (result,) = row.result_dtypes(common)
        x1, x2 = column(a, LEFT), column(b, RIGHT)
        for left, right in ((x1, x2), (x1, x2[0]), (x1[0], x2), (x1[0], x2[0])):
            want = row.reference(left.astype(common), right.astype(common))
            got = find(row.name)(xp.asarray(np.asarray(left)), xp.asarray(np.asarray(right)))
            assert_array(got, want, result, ulp=row.ulp_of(common), label=f"{a}, {b}")


@pytest.mark.parametrize("row", ROWS)
def test_an_array_and_a_scalar(row):
    """A Python scalar takes the array's dtype (or its complex partner)."""
    for dtype in row.dtypes:
        for scalar, common in scalars_for(dtype).items():
            if common not in row.dtypes:
                continue
            (result,) = row.result_dtypes(common)
            for values in (column(dtype, LEFT), column(dtype, LEFT)[0]):
                array, other = xp.asarray(np.asarray(values)), np.asarray(scalar).astype(common)
                label = f"{dtype}, {scalar}"
                want = row.reference(values.astype(common), other)
                assert_array(find(row.name)(array, scalar), want, result, ulp=row.ulp_of(common), label=label)
                want = row.reference(other, values.astype(common))
                assert_array(find(row.name)(scalar, array), want, result, ulp=row.ulp_of(common), label=label)


@pytest.mark.parametrize("dtype", DTYPES["integral"])
def test_scalars_beyond_the_dtype_are_refused(dtype):
    limits = np.iinfo(dtype)
    x = xp.asarray(column(dtype, LEFT))
    for scalar in (int(limits.max) + 1, int(limits.min) - 1):
        with pytest.raises(OverflowError):
            xp.add(x, scalar)
        with pytest.raises(OverflowError):
            scalar - x
    assert_array(xp.maximum(x, int(limits.max)), np.full(3, limits.max, dtype))


@pytest.mark.parametrize("name", ["concat", "stack"])
def test_joining(name):
    for (a, b), want in PROMOTION.items():
        joined = find(name)([xp.asarray(column(a, LEFT)), xp.asarray(column(b, RIGHT))])
        assert_array(joined, getattr(np, name)([column(want, column(a, LEFT)), column(want, column(b, RIGHT))]))


def test_where():
    condition = np.asarray([True, False, True])
    for (a, b), common in PROMOTION.items():
        x1, x2 = column(a, LEFT), column(b, RIGHT)
        got = xp.where(xp.asarray(condition), xp.asarray(x1), xp.asarray(x2))
        assert_array(got, np.where(condition, x1.astype(common), x2.astype(common)), label=f"{a}, {b}")


@pytest.mark.parametrize("dtype", DTYPES["all"])
def test_where_with_scalars(dtype):
    condition, values = np.asarray([True, False, True]), column(dtype, LEFT)
    for scalar, common in scalars_for(dtype).items():
        other = np.asarray(scalar).astype(common)
        got = xp.where(xp.asarray(condition), xp.asarray(values), scalar)
        assert_array(got, np.where(condition, values.astype(common), other))
        got = xp.where(xp.asarray(condition), scalar, xp.asarray(values))
        assert_array(got, np.where(condition, other, values.astype(common)))


PRODUCTS = {
    "matmul": np.matmul,
    "tensordot": lambda x, y: np.tensordot(x, y, axes=2),
    "vecdot": lambda x, y: (np.conj(x) * y).sum(-1),
    "linalg.outer": lambda x, y: np.outer(x[0], y[0]),
    "linalg.cross": np.linalg.cross,
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_products(name):
    where, _, function = name.rpartition(".")
    for (a, b), common in PROMOTION.items():
        if common == "bool":
            continue
        x1, x2 = (column(dtype, [[3, 1, 2], [1, 2, 2], [0, 1, 1]]) for dtype in (a, b))
        want = PRODUCTS[name](x1.astype(common), x2.astype(common))
        operands = [xp.asarray(x[0] if name == "linalg.outer" else x) for x in (x1, x2)]
        assert_array(find(function, where)(*operands), want, common, ulp=8, label=f"{a}, {b}")
