"""Creation functions: values, inferred dtypes, copies and devices."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from .arrays import EXAMPLES, arrays, lay_out, layouts, shapes
from .subject import DTYPES, NAME, assert_array, dtype_of, find, name_of, numpy_of, xp

DEVICE = xp.zeros(1).device
DEFAULTS = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}
every_dtype = pytest.mark.parametrize("dtype", DTYPES["all"])


@every_dtype
@EXAMPLES
@given(shape=shapes())
def test_filled(dtype, shape):
    for name, value in (("zeros", 0), ("ones", 1)):
        want = np.full(shape, value).astype(dtype)
        assert_array(find(name)(shape, dtype=dtype_of(dtype), device=DEVICE), want)
        assert_array(find(f"{name}_like")(xp.asarray(np.full(shape, 7, "int8")), dtype=dtype_of(dtype)), want)
        assert_array(find(f"{name}_like")(xp.asarray(want), device=DEVICE), want)
    for empty in (xp.empty(shape, dtype=dtype_of(dtype)), xp.empty_like(xp.asarray(want))):
        assert empty.shape == shape
        assert empty.dtype == dtype_of(dtype)
    fill = np.asarray(1).astype(dtype).item()
    assert_array(xp.full(shape, fill, dtype=dtype_of(dtype)), want)
    assert_array(xp.full_like(xp.asarray(want), fill), want)


def test_shape_may_be_one_number():
    for name in ("zeros", "ones", "empty"):
        assert find(name)(3).shape == (3,)
        assert find(name)(0).shape == (0,)
    assert xp.full(3, 1.0).shape == (3,)


def test_default_dtypes():
    for name in ("zeros", "ones", "empty"):
        assert find(name)((2,)).dtype == xp.float64
    assert xp.eye(2).dtype == xp.float64
    for kind, dtype in DEFAULTS.items():
        assert xp.full((2,), kind(1)).dtype == dtype_of(dtype)
        assert xp.asarray(kind(1)).dtype == dtype_of(dtype)
        assert xp.asarray([[kind(1)], [kind(0)]]).dtype == dtype_of(dtype)
    assert xp.linspace(0, 1, 3).dtype == xp.float64
    assert xp.linspace(0, 1j, 3).dtype == xp.complex128
    assert xp.arange(3).dtype == xp.arange(0, 3, 2).dtype == xp.int64
    assert xp.arange(3.0).dtype == xp.arange(0, 3, 0.5).dtype == xp.arange(0, 3.0).dtype == xp.float64


def test_asarray_takes_the_widest_kind():
    for values, dtype in (
        ([True, 2], "int64"),
        ([True, False], "bool"),
        ([1, 2.5], "float64"),
        ([1, 2j], "complex128"),
        ([2.5, 1j], "complex128"),
    ):
        assert_array(xp.asarray(values), np.asarray(values), dtype)
        assert_array(xp.asarray(tuple(values)), np.asarray(values), dtype)
    assert_array(xp.asarray([[1, 2], [3, 4]], dtype=xp.float32), np.asarray([[1, 2], [3, 4]], np.float32))
    assert_array(xp.asarray([]), np.asarray([]))
    assert_array(xp.asarray([[], []]), np.zeros((2, 0)))
    assert_array(xp.asarray(2**63 - 1), np.asarray(2**63 - 1))
    with pytest.raises(ValueError, match=r"\w"):
        xp.asarray([[1, 2], [3]])


@every_dtype
@EXAMPLES
@given(data=st.data())
def test_asarray_of_arrays(dtype, data):
    """Of a NumPy array, a buffer and an array of its own, in any layout; copy=True is always new memory."""
    values, x = data.draw(arrays(dtype))
    assert_array(xp.asarray(values), values)
    assert_array(xp.asarray(memoryview(values.copy()) if values.size else values), values)
    assert_array(xp.asarray(x), values)
    assert_array(xp.asarray(x, copy=False, device=DEVICE), values)
    copied = xp.asarray(x, copy=True)
    assert_array(copied, values)
    copied[...] = xp.logical_not(copied) if dtype == "bool" else copied + 1
    assert_array(x, values)


def test_asarray_without_a_copy():
    """copy=False shares the memory or raises ValueError."""
    x = xp.arange(4)
    shared = xp.asarray(x, copy=False)
    shared[0] = 9
    assert_array(x, np.asarray([9, 1, 2, 3]))
    with pytest.raises(ValueError, match=r"\w"):
        xp.asarray(x, dtype=xp.float64, copy=False)
    for obj in (3, [1, 2], 2.5):
        with pytest.raises(ValueError, match=r"\w"):
            xp.asarray(obj, copy=False)
    values = np.arange(4)
    shared = xp.asarray(memoryview(values), copy=False)
    shared[1] = 7
    assert values[1] == 7


ARANGES = [
    *[(n,) for n in (0, 1, 5, -3, 2.5, 0.0)],
    *[(0, 5), (5, 0), (2, 2), (-3, 4), (0.5, 5), (1, 4.5), (10**15, 10**15 + 3)],
    *[(0, 10, 3), (0, 9, 3), (10, 0, -3), (9, 0, -3), (0, 10, -1), (10, 0, 1), (0, 1, 0.25), (1, 0, -0.25)],
    *[(0.5, 3, 0.5), (-1.5, 1, 0.5), (2**62, 2**62 + 10, 5), (-(2**63), -(2**63) + 3), (2**63 - 3, 2**63 - 1)],
]


@pytest.mark.parametrize("arguments", ARANGES, ids=str)
def test_arange(arguments):
    start, stop, step = (arguments + (None, None))[:3]
    start, stop = (0, start) if stop is None else (start, stop)
    step = 1 if step is None else step
    n = max(0, math.ceil((Fraction(stop) - Fraction(start)) / Fraction(step)))
    want = np.asarray([start + i * step for i in range(n)])
    whole = all(isinstance(argument, int) for argument in arguments)
    assert_array(xp.arange(*arguments), want.astype("int64" if whole else "float64"), ulp=0 if whole else 2)


@pytest.mark.parametrize("dtype", DTYPES["real"])
def test_arange_of_each_dtype(dtype):
    for arguments in ((5,), (1, 9, 2), (9, 1, -3), (3, 3)):
        got = xp.arange(*arguments, dtype=dtype_of(dtype), device=DEVICE)
        assert_array(got, np.arange(*arguments).astype(dtype))
    assert_array(xp.arange(0, stop=6, step=2), np.arange(0, 6, 2))


def test_arange_refuses_a_step_of_zero():
    with pytest.raises((ValueError, ZeroDivisionError)):
        xp.arange(0, 3, 0)


@pytest.mark.parametrize("dtype", DTYPES["floating"])
def test_linspace(dtype):
    stops = (10, -3.5, 1) if "float" in dtype else (10, -3.5 + 2j, 1j)
    for stop in stops:
        for num in (0, 1, 2, 5, 50, 131):
            for endpoint in (True, False):
                got = xp.linspace(1, stop, num, dtype=dtype_of(dtype), endpoint=endpoint, device=DEVICE)
                want = np.linspace(1, stop, num, endpoint=endpoint, dtype="complex128" if "c" in dtype else "float64")
                assert_array(got, want, dtype, ulp=4, scale=max(1, abs(stop)))
                if num:
                    assert numpy_of(got)[0] == 1
                if endpoint and num > 1:
                    assert numpy_of(got)[-1] == np.asarray(stop, dtype)


@every_dtype
def test_eye(dtype):
    for n_rows, n_cols in ((3, None), (2, 4), (4, 2), (0, 3), (3, 0)):
        for k in (-5, -1, 0, 1, 2, 7):
            got = xp.eye(n_rows, n_cols, k=k, dtype=dtype_of(dtype), device=DEVICE)
            assert_array(got, np.eye(n_rows, n_cols, k=k).astype(dtype))


@every_dtype
@EXAMPLES
@given(data=st.data(), k=st.integers(-5, 5), layout=layouts)
def test_triangles(dtype, data, k, layout):
    values, _ = data.draw(arrays(dtype, shapes(min_dims=2)))
    values, x = lay_out(values, layout)
    assert_array(xp.tril(x, k=k), np.tril(values, k=k))
    assert_array(xp.triu(x, k=k), np.triu(values, k=k))


@every_dtype
@EXAMPLES
@given(data=st.data(), n=st.integers(0, 4), indexing=st.sampled_from(["xy", "ij"]))
def test_meshgrid(dtype, data, n, indexing):
    pairs = [data.draw(arrays(dtype, st.tuples(st.integers(0, 4)))) for _ in range(n)]
    grids = xp.meshgrid(*[x for _, x in pairs], indexing=indexing)
    assert type(grids) is tuple
    wanted = np.meshgrid(*[values for values, _ in pairs], indexing=indexing)
    for got, want in zip(grids, wanted, strict=True):
        assert_array(got, want)
    if indexing == "xy":
        assert [g.shape for g in xp.meshgrid(*[x for _, x in pairs])] == [g.shape for g in grids]


def test_full_takes_the_fill_values_dtype():
    assert_array(xp.full((), 2.5), np.asarray(2.5))
    assert_array(xp.full((2,), float("nan"), dtype=xp.float32), np.full(2, np.nan, "float32"))
    assert_array(xp.full((2, 0), 1j), np.zeros((2, 0), "complex128"))
    assert_array(xp.full_like(xp.ones(2), 3, dtype=xp.int8), np.full(2, 3, "int8"))
    assert_array(xp.full(2, 2**63 - 1), np.full(2, 2**63 - 1))


def test_created_arrays_live_on_the_device():
    x = xp.ones((2, 2))
    for y in (xp.zeros(2), xp.asarray([1.0]), xp.arange(3), xp.full(2, 1), xp.linspace(0, 1, 3), xp.zeros_like(x)):
        assert y.device == x.device
    for name in ("zeros_like", "ones_like", "empty_like"):
        y = find(name)(x, dtype=xp.int16, device=x.device)
        assert (name_of(y.dtype), y.device, y.shape) == ("int16", x.device, (2, 2))
    assert xp.full_like(x, 2, device=x.device).device == x.device
    assert xp.tril(x).device == xp.triu(x).device == x.device


def test_wrong_arguments_are_refused():
    for call in (
        lambda: xp.zeros((-1,)),
        lambda: xp.ones((2, -3)),
        lambda: xp.linspace(0, 1, -1),
        lambda: xp.tril(xp.ones(3)),
        lambda: xp.triu(xp.ones(())),
        lambda: xp.meshgrid(xp.ones(2), indexing="yx"),
    ):
        with pytest.raises(ValueError, match=r"\w"):
            call()
    if NAME == "nd4py":
        with pytest.raises((TypeError, ValueError)):
            xp.zeros(2, device="moon")
