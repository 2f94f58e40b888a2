"""Methods of NumPy's scalars that arrays of one number have."""

import math

import numpy as np
import pytest

import nd4py as nd

DTYPES = ("int8", "int64", "uint64", "float16", "float32", "float64")
NUMBERS = (0, 1, 3, 7.5, 0.1, 100, 1e-7)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("number", NUMBERS)
def test_whole_or_a_fraction(dtype, number):
    theirs = np.dtype(dtype).type(number)
    for ours in (nd.asarray(theirs), nd.asarray([theirs, theirs])[1]):
        assert ours.is_integer() is bool(theirs.is_integer())
        if dtype.startswith("float"):
            assert ours.as_integer_ratio() == theirs.as_integer_ratio()
            assert ours.hex() == float(theirs).hex()
        else:
            assert ours.bit_count() == int(theirs).bit_count()


def test_results_of_functions():
    assert nd.float64(3.0).is_integer()
    assert not nd.asarray([1.5, 2.0]).sum().is_integer()
    assert nd.int64(-7).bit_count() == 3
    assert nd.complex128(1, 2).item() == 1 + 2j
    assert [math.trunc(nd.asarray(number)) for number in (2.7, -2.7, 5)] == [2, -2, 5]
    assert math.isnan(nd.complex64(1, math.nan).item().imag)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: nd.ones(3).is_integer(), ValueError, "is_integer: needs one number"),
        (lambda: nd.asarray(1j).is_integer(), TypeError, "is_integer: needs a number of integer or floating dtype"),
        (lambda: nd.asarray(True).bit_count(), TypeError, "bit_count: needs a number of integer dtype"),
        (lambda: nd.asarray(1).hex(), TypeError, "hex: needs a number of floating dtype"),
        (lambda: nd.asarray(math.inf).as_integer_ratio(), OverflowError, "Infinity"),
        (lambda: nd.float64(1, 2), TypeError, "float64: takes one value"),
    ],
)
def test_wrong_calls_are_refused(call, error, text):
    with pytest.raises(error, match=text):
        call()
