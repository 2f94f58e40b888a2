"""Arrays of nested lists and tuples that hold arrays without axes, NumPy's scalars and Python's numbers."""

import itertools

import numpy as np
import pytest

import nd4py as nd
from nd4py._spec.dtypes import DTYPES, promote

NAMES = [row.name for row in DTYPES]
NUMPY_NAMES = [row.name for row in DTYPES if row.buffer]
PYTHON = {bool: True, int: 3, float: 2.5, complex: 1j}
FORMS = {
    "row": lambda a, b: [a, b],
    "tuple": lambda a, b: (a, b),
    "matrix": lambda a, b: [[a, b], (b, a)],
    "deep": lambda a, b: (([a], [b]), ((b,), (a,))),
}


def alone(dtype, value=1):
    """An array of one element without axes."""
    return nd.asarray(value).astype(dtype)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("dtype", NUMPY_NAMES)
def test_none_is_nan_among_floats_and_an_error_elsewhere(dtype, form):
    given = form(1, None)
    if np.dtype(dtype).kind in "fc":
        got, want = nd.asarray(given, dtype), np.asarray(given, dtype)
        np.testing.assert_array_equal(np.asarray(got), want)
        assert got.dtype == dtype
    else:
        with pytest.raises(TypeError, match="None is no number; write nan"):
            nd.asarray(given, dtype)
    for alone in (given, None):
        with pytest.raises(TypeError, match="None is no number"):
            nd.asarray(alone)
    with pytest.raises(TypeError, match="None is no number"):
        nd.asarray(None, dtype)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("dtype", NAMES)
def test_arrays_without_axes_keep_their_dtype(dtype, form):
    x = nd.asarray(form(alone(dtype, 0), alone(dtype, 1)))
    plain = nd.asarray(form(0, 1))
    assert (x.dtype, x.shape) == (dtype, plain.shape)
    assert x.tolist() == plain.tolist()


@pytest.mark.parametrize(("first", "second"), list(itertools.combinations(NAMES, 2)))
def test_dtypes_are_promoted_as_everywhere(first, second):
    form = [[alone(first), alone(second)]]
    expected = promote(first, second)
    if expected is None:
        with pytest.raises(TypeError, match="have no common dtype; give dtype="):
            nd.asarray(form)
        assert nd.asarray(form, dtype="float64").dtype == "float64"
    else:
        assert nd.asarray(form).dtype == expected


@pytest.mark.parametrize("kind", PYTHON, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("dtype", NUMPY_NAMES)
@pytest.mark.parametrize("make", [alone, lambda dtype: np.dtype(dtype).type(1)], ids=["ours", "numpy"])
def test_beside_pythons_numbers_as_numpy_does(make, dtype, kind):
    x = nd.asarray([make(dtype), PYTHON[kind]])
    expected = np.asarray([np.dtype(dtype).type(1), PYTHON[kind]])
    if (dtype, kind) == ("uint64", int):
        assert x.dtype == "uint64"  # exact, where NumPy goes over to float64
    else:
        assert x.dtype == expected.dtype
    assert x.tolist() == expected.tolist()


@pytest.mark.parametrize("dtype", NUMPY_NAMES)
def test_numpys_scalars_keep_their_dtype(dtype):
    scalar = np.dtype(dtype).type(1)
    assert nd.asarray([[scalar], [scalar]]).dtype == dtype
    assert nd.asarray([scalar, alone(dtype)]).dtype == dtype


def test_values_are_exact():
    big = 2**64 - 1
    assert nd.asarray([nd.asarray(big), 3]).tolist() == [big, 3]
    assert nd.asarray([[np.uint64(big)], [np.uint64(1)]]).tolist() == [[big], [1]]
    assert nd.asarray([nd.asarray(2**53 + 1), 3]).tolist() == [2**53 + 1, 3]
    with pytest.raises(TypeError, match="have no common dtype"):
        nd.asarray([nd.asarray(big), -1])
    with pytest.raises(OverflowError, match="outside the range of int8"):
        nd.asarray([np.int16(300), 1], dtype="int8")


def test_arrays_with_axes_and_buffers_stand_in_lists_at_any_depth():
    row = nd.asarray([1.0, 2.0])
    assert nd.asarray([[row, row], [row, row]]).shape == (2, 2, 2)
    assert nd.asarray([row, [3, 4]]).tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert nd.asarray([[bytearray(b"ab")], [bytearray(b"cd")]]).tolist() == [[[97, 98]], [[99, 100]]]
    assert nd.asarray([[], []]).shape == (2, 0)
    for ragged in ([row, 1.0], [[row], [row, row]], [row, [1.0]], [[row], row]):
        with pytest.raises(ValueError, match="ragged"):
            nd.asarray(ragged)


def test_what_holds_itself_is_refused():
    loop = []
    loop.append(loop)
    with pytest.raises(ValueError, match="nested deeper than the 32 dimensions"):
        nd.asarray(loop)
    deep = 1.0
    for _ in range(32):
        deep = [deep]
    assert nd.asarray(deep).ndim == 32
    with pytest.raises(ValueError, match="nested deeper"):
        nd.asarray([deep])


def test_gradients_flow_through_lists():
    def loss(x):
        return nd.sum(nd.asarray([[x[0], 2.0], [x[1] * x[1], x[0]]]))

    assert nd.grad(loss)(nd.asarray([3.0, 5.0])).tolist() == [2.0, 10.0]


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint16", "float16", "float32", "float64", "complex64"])
@pytest.mark.parametrize("texts", ["12", ["1", " 2 "], [["1", "2"], ["3", "4"]], [], ["-0"]])
def test_texts_that_hold_numbers_are_read_where_a_dtype_is_given(texts, dtype):
    found, expected = nd.asarray(texts, dtype=dtype), np.asarray(texts).astype(dtype)
    assert found.dtype == dtype
    assert found.tolist() == expected.tolist()


def test_texts_that_hold_no_numbers_are_told():
    assert nd.float64("1.5").tolist() == 1.5
    assert nd.asarray(["7", 8, True, np.int8(3)], dtype=int).tolist() == [7, 8, 1, 3]
    assert nd.array(["1.5", "nan", "-inf"], dtype=float).tolist()[::2] == [1.5, -np.inf]
    with pytest.raises(ValueError, match="'1.5' holds no number that int64 has"):
        nd.asarray(["1.5"], dtype=int)
    with pytest.raises(ValueError, match="'x' holds no number that float64 has"):
        nd.asarray(["1", "x"], dtype=float)
    with pytest.raises(OverflowError, match="300 is outside the range of int8"):
        nd.asarray(["300"], dtype="int8")
    for given, dtype in ((["1"], None), ("1", None), (["1"], "bool")):
        with pytest.raises(TypeError, match="str '1'.* dtype=float where texts hold numbers"):
            nd.asarray(given, dtype=dtype)
