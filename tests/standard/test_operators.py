"""Operators: equal to their functions, reflected and in place too; what they refuse."""

import numpy as np
import pytest

from .subject import DTYPES, assert_array, find, numpy_of, xp
from .tables.names import ARITHMETIC_OPERATORS, COMPARISONS, UNARY_OPERATORS
from .tables.names_elementwise import ELEMENTWISE
from .tables.promotion import PROMOTION, pairs_within, scalars_for
from .tables.special_cases import real_cases
from .tables.special_real import BINARY

ROWS = {row.name: row for row in ELEMENTWISE}
LEFT, RIGHT = [3, 1, 2], [1, 2, 2]


class Foreign:
    """Knows what to do with arrays."""

    def __radd__(self, other):
        return "radd"

    def __rmatmul__(self, other):
        return "rmatmul"

    def __lt__(self, other):
        return "lt"

    def __gt__(self, other):
        return "gt"


def column(dtype, values):
    return xp.asarray(np.asarray(values).astype(dtype))


@pytest.mark.parametrize("method", UNARY_OPERATORS)
def test_unary(method):
    python_operator, name = UNARY_OPERATORS[method]
    for dtype in ROWS[name].dtypes:
        x = column(dtype, LEFT)
        assert_array(python_operator(x), numpy_of(find(name)(x)))
        assert_array(getattr(x, method)(), numpy_of(find(name)(x)))


@pytest.mark.parametrize("name", ARITHMETIC_OPERATORS)
def test_binary(name):
    """x1 op x2 equals the function for every pair of dtypes that promote."""
    python_operator, _, function = ARITHMETIC_OPERATORS[name]
    for a, b in pairs_within(ROWS[function].dtypes):
        x1, x2 = column(a, LEFT), column(b, RIGHT)
        want = numpy_of(find(function)(x1, x2))
        assert want.dtype.name == PROMOTION[a, b]
        assert_array(python_operator(x1, x2), want)
        assert_array(getattr(x1, f"__{name}__")(x2), want)
        assert_array(getattr(x2, f"__r{name}__")(x1), want)


@pytest.mark.parametrize("name", ARITHMETIC_OPERATORS)
def test_binary_with_scalars(name):
    python_operator, _, function = ARITHMETIC_OPERATORS[name]
    for dtype in ROWS[function].dtypes:
        x = column(dtype, LEFT)
        for scalar, common in scalars_for(dtype).items():
            if common not in ROWS[function].dtypes:
                continue
            assert_array(python_operator(x, scalar), numpy_of(find(function)(x, scalar)), common)
            assert_array(python_operator(scalar, x), numpy_of(find(function)(scalar, x)), common)


@pytest.mark.parametrize("method", COMPARISONS)
def test_comparisons(method):
    python_operator, function = COMPARISONS[method]
    for a, b in pairs_within(ROWS[function].dtypes):
        x1, x2 = column(a, LEFT), column(b, RIGHT)
        assert_array(python_operator(x1, x2), numpy_of(find(function)(x1, x2)), "bool")
    for dtype in ROWS[function].dtypes:
        x = column(dtype, LEFT)
        for scalar, common in scalars_for(dtype).items():
            if common in ROWS[function].dtypes:
                assert_array(python_operator(x, scalar), numpy_of(find(function)(x, scalar)), "bool")
                assert_array(python_operator(scalar, x), numpy_of(find(function)(scalar, x)), "bool")


@pytest.mark.parametrize("name", ARITHMETIC_OPERATORS)
def test_in_place(name):
    """x1 op= x2 gives what x1 op x2 gives, in x1, where the dtype and shape stay; the right one may be broadcast."""
    python_operator, in_place, function = ARITHMETIC_OPERATORS[name]
    for a, b in pairs_within(ROWS[function].dtypes):
        if PROMOTION[a, b] != a:
            continue
        x2 = column(b, RIGHT)
        for shape in ((3,), (2, 3), (1, 3), (0, 3)):
            x1 = xp.asarray(xp.broadcast_to(column(a, LEFT), shape), copy=True)
            want = numpy_of(python_operator(x1, x2))
            assert_array(in_place(x1, x2), want, label=f"{a}, {b}")
            assert_array(x1, want, label=f"{a}, {b}: the left operand")


@pytest.mark.parametrize("name", ARITHMETIC_OPERATORS)
def test_in_place_with_scalars_and_views(name):
    python_operator, in_place, function = ARITHMETIC_OPERATORS[name]
    for dtype in ROWS[function].dtypes:
        for scalar, common in scalars_for(dtype).items():
            if common != dtype:
                continue
            x = column(dtype, [1, 2, 3, 1, 2, 3])
            want = numpy_of(x).copy()
            want[::-2] = numpy_of(python_operator(x[::-2], scalar))
            view = x[::-2]
            in_place(view, scalar)
            # Powers are approximated, and the end of a vector loop may round otherwise than its body.
            assert_array(view, want[::-2], ulp=4 if name == "pow" else 0, label=dtype)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow"])
@pytest.mark.parametrize("dtype", DTYPES["real floating"])
def test_special_cases_hold_for_operators(name, dtype):
    """Infinities, NaN and signed zeros: x1 op x2 and x1 op= x2 are what the function gives."""
    python_operator, in_place, function = ARITHMETIC_OPERATORS[name]
    columns = zip(*[operands for operands, _ in real_cases(BINARY[function], dtype)], strict=True)
    x1, x2 = (xp.asarray(np.asarray(values, dtype)) for values in columns)
    want = numpy_of(find(function)(x1, x2))
    assert_array(python_operator(x1, x2), want)
    assert_array(in_place(x1, x2), want)


@pytest.mark.parametrize("name", ARITHMETIC_OPERATORS)
def test_in_place_keeps_dtype_and_shape(name):
    """What would widen the dtype or the shape is refused, or leaves both as they are."""
    _, in_place, function = ARITHMETIC_OPERATORS[name]
    for a, b in pairs_within(ROWS[function].dtypes):
        if PROMOTION[a, b] == a:
            continue
        x = column(a, LEFT)
        try:
            result = in_place(x, column(b, RIGHT))
        except (TypeError, ValueError):
            continue
        assert result.dtype == x.dtype == column(a, []).dtype
    dtype = ROWS[function].dtypes[-1]
    with pytest.raises(ValueError, match=r"\w"):
        in_place(column(dtype, [1]), column(dtype, LEFT))
    with pytest.raises(ValueError, match=r"\w"):
        in_place(column(dtype, LEFT), column(dtype, [LEFT, RIGHT]))


@pytest.mark.parametrize("name", [*ARITHMETIC_OPERATORS, "matmul"])
def test_foreign_operands_get_their_turn(name):
    """NotImplemented for an object that is neither an array nor a scalar, so that Python asks the other side."""
    x = xp.ones(3, dtype=xp.int64)
    for method in (f"__{name}__", f"__r{name}__"):
        assert getattr(x, method)(Foreign()) is NotImplemented
        assert getattr(x, method)("text") is NotImplemented


def test_python_asks_foreign_operands():
    x = xp.ones(3)
    assert x + Foreign() == "radd"
    assert x @ Foreign() == "rmatmul"
    assert (x < Foreign()) == "gt"
    assert (x > Foreign()) == "lt"
    with pytest.raises(TypeError):
        x + "text"
    with pytest.raises(TypeError):
        x < "text"  # noqa: B015


def test_in_place_reads_before_it_writes():
    """Where the operands overlap, the result is that of x1[...] = x1 + x2."""
    x = xp.arange(6)
    part = x[1:]
    part += x[:-1]
    assert_array(x, np.asarray([0, 1, 3, 5, 7, 9]))
    x -= x[::-1]
    assert_array(x, np.asarray([-9, -6, -2, 2, 6, 9]))
    alone = xp.asarray(3.0)
    alone *= alone
    assert_array(alone, np.asarray(9.0))


def test_matmul_takes_no_scalar():
    x = xp.ones((2, 2))
    for call in (lambda: x @ 2.0, lambda: 2.0 @ x):
        with pytest.raises((TypeError, ValueError)):
            call()


def test_matmul_in_place():
    x = xp.asarray(np.asarray([[1.0, 2.0], [3.0, 4.0]]))
    y = xp.asarray(np.asarray([[0.0, 1.0], [1.0, 1.0]]))
    want = numpy_of(x @ y)
    x @= y
    assert_array(x, want)
    with pytest.raises(ValueError, match=r"\w"):
        x @= xp.ones((2, 3))
