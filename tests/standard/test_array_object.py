"""The array itself: attributes, conversions to Python scalars, namespace and devices."""

import math
import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from .arrays import EXAMPLES, arrays, draw_values, lay_out, layouts, seeds
from .subject import DTYPES, assert_array, dtype_of, xp
from .tables.names import VERSION

every_dtype = pytest.mark.parametrize("dtype", DTYPES["all"])


@every_dtype
@EXAMPLES
@given(data=st.data())
def test_attributes(dtype, data):
    values, x = data.draw(arrays(dtype))
    assert x.dtype == dtype_of(dtype)
    assert isinstance(x.shape, tuple)
    assert x.shape == values.shape
    assert (x.ndim, x.size) == (values.ndim, values.size)
    assert all(type(n) is int for n in (*x.shape, x.ndim, x.size))
    assert x.device == xp.zeros(1).device
    # The standard asks for an error where an array has not two axes; NumPy's programs reverse them all.
    assert_array(x.T, values.T)


def scalar(dtype, value):
    return xp.asarray(np.asarray(value).astype(dtype))


@every_dtype
def test_conversions(dtype):
    """To bool and complex from all dtypes; to int and float unless complex; to an index from integers."""
    for value in (0, 1, 3):
        x, want = scalar(dtype, value), np.asarray(value).astype(dtype)
        assert_exactly(bool(x), bool(value))
        assert_exactly(complex(x), complex(want))
        if "complex" in dtype:
            for convert in (int, float):
                with pytest.raises(TypeError):
                    convert(x)
        else:
            assert_exactly(int(x), int(want))
            assert_exactly(float(x), float(want))
        if dtype in DTYPES["integral"]:
            assert_exactly(operator.index(x), value)
            assert [10, 11, 12, 13][x] == 10 + value
        elif dtype != "bool":
            with pytest.raises(TypeError):
                operator.index(x)


def assert_exactly(got, want):
    """Same type and same value."""
    assert type(got) is type(want)
    assert got == want


@pytest.mark.parametrize("dtype", DTYPES["integral"])
def test_conversions_of_extreme_integers(dtype):
    limits = np.iinfo(dtype)
    for value in (int(limits.max), int(limits.min)):
        assert_exactly(int(scalar(dtype, value)), value)
        assert_exactly(operator.index(scalar(dtype, value)), value)


@pytest.mark.parametrize("dtype", DTYPES["real floating"])
def test_conversions_of_special_numbers(dtype):
    inf, nan = scalar(dtype, math.inf), scalar(dtype, math.nan)
    for x in (inf, -inf, nan):
        assert bool(x) is True
    assert bool(scalar(dtype, -0.0)) is False
    for x in (inf, -inf):
        with pytest.raises(OverflowError):
            int(x)
    with pytest.raises(ValueError, match=r"\w"):
        int(nan)
    assert int(scalar(dtype, -2.75)) == -2
    assert_exactly(int(scalar(dtype, -0.0)), 0)
    assert math.copysign(1, float(scalar(dtype, -0.0))) == -1
    assert float(inf) == math.inf
    assert math.isnan(float(nan))
    assert complex(inf) == complex(math.inf, 0)


@pytest.mark.parametrize("dtype", DTYPES["complex floating"])
def test_truth_of_complex_numbers(dtype):
    for value in (1j, 1, complex(0, math.nan), complex(math.inf, 0)):
        assert bool(scalar(dtype, value)) is True
    assert bool(scalar(dtype, complex(-0.0, -0.0))) is False


def test_only_rank_zero_is_a_number():
    for x in (xp.ones(2), xp.ones((2, 2)), xp.ones(0)):
        for convert in (bool, int, float, complex):
            with pytest.raises((TypeError, ValueError)):
                convert(x)
    for x in (xp.asarray([1, 2]), xp.ones((1, 1), dtype=xp.int64), xp.zeros(0, dtype=xp.int64)):
        with pytest.raises((TypeError, ValueError)):
            operator.index(x)


def test_results_are_arrays_of_rank_zero():
    """Nothing gives a Python or NumPy scalar."""
    x = xp.asarray(np.asarray([[1.0, 2.0], [3.0, 4.0]]))
    results = (x[0, 0], xp.sum(x), xp.argmax(x), xp.all(x > 0), x[0, 0] + x[1, 1], xp.count_nonzero(x), xp.sin(x[0, 0]))
    for result in results:
        assert isinstance(result, type(x))
        assert result.shape == ()


def test_namespace():
    """All of it, for the revision that is claimed and for earlier ones that it contains."""
    x = xp.ones(2)
    for namespace in (x.__array_namespace__(), x.__array_namespace__(api_version=VERSION)):
        assert namespace.sum is xp.sum
        assert namespace.__array_api_version__ == VERSION
    for version in ("1066.10", "2099.12", "latest"):
        with pytest.raises((ValueError, NotImplementedError)):
            x.__array_namespace__(api_version=version)


def test_devices():
    x = xp.arange(3)
    assert_array(x.to_device(x.device), np.arange(3))
    assert_array(x.to_device(x.device, stream=None), np.arange(3))
    assert x.to_device(x.device).device == x.device
    assert x.device == xp.ones(1).device
    assert (x.device == object()) is False
    with pytest.raises((TypeError, ValueError)):
        x.to_device("moon")


def test_hash_is_refused_where_equality_is_elementwise():
    """An array is no key: == gives an array."""
    with pytest.raises(TypeError):
        hash(xp.ones(2))


@EXAMPLES
@given(data=st.data(), layout=layouts)
def test_more_than_four_axes(data, layout):
    """The standard asks for four; eight are common in tensor work."""
    shape = data.draw(st.lists(st.integers(1, 2), min_size=5, max_size=8).map(tuple))
    values = draw_values(np.random.default_rng(data.draw(seeds)), "float32", shape)
    values, x = lay_out(values, layout)
    order = tuple(data.draw(st.permutations(range(len(shape)))))
    assert_array(xp.permute_dims(x, order) + x[(0,) * len(shape)], np.transpose(values, order) + values.flat[0])
    assert_array(xp.reshape(x, (math.prod(shape),)), values.reshape(-1))
