"""append, block, insert, delete and their like give what NumPy's give."""

import numpy
import pytest
from beside_numpy import check, parameters

import nd4py as nd

DTYPES = ("bool", "int8", "uint16", "int64", "float32", "float64", "complex64", "complex128")
SHAPES = ((), (1,), (6,), (0,), (3, 4), (0, 3), (2, 3, 4), (2, 1, 3, 2))
LAYOUTS = {
    "whole": lambda x: x,
    "reversed": lambda x: x[::-1] if x.ndim else x,
    "transposed": lambda x: x.T if x.ndim == 2 else x,
    "every other": lambda x: x[..., ::2] if x.ndim else x,
}


def numbers(np, shape, dtype="float64", layout="whole"):
    """Numbers, some of them 0, in a dtype and a layout."""
    n = int(numpy.prod(shape))
    values = numpy.asarray([(7 * i) % 5 - 1 for i in range(n)]).astype(dtype).reshape(shape)
    return LAYOUTS[layout](np.asarray(values))


JOINING = {
    "append": [
        lambda np, x: np.append(x, x), lambda np, x: np.append(x, x, axis=0), lambda np, x: np.append(x, [1, 2]),
        lambda np, x: np.append(x, x, axis=-1), lambda np, x: np.append(x, 3), lambda np, x: np.append(x, x, axis=5),
    ],
    "column_stack": [lambda np, x: np.column_stack([x, x]), lambda np, x: np.column_stack((x, x, x))],
    "dstack": lambda np, x: np.dstack([x, x]),
    "vstack": lambda np, x: np.vstack([x, x]),
    "hsplit": [lambda np, x: np.hsplit(x, 2), lambda np, x: np.hsplit(x, [1, 2]), lambda np, x: np.hsplit(x, 3)],
    "vsplit": [lambda np, x: np.vsplit(x, 1), lambda np, x: np.vsplit(x, [1])],
    "dsplit": [lambda np, x: np.dsplit(x, 2), lambda np, x: np.dsplit(x, [1, 3])],
    "block": [
        lambda np, x: np.block(x), lambda np, x: np.block([x, x]), lambda np, x: np.block([[x, x], [x, x]]),
        lambda np, x: np.block([x, 1]), lambda np, x: np.block([[x], [x, x]]), lambda np, x: np.block([]),
        lambda np, x: np.block([x, [x]]),
    ],
    "resize": [
        lambda np, x: np.resize(x, (2, 3)), lambda np, x: np.resize(x, 20), lambda np, x: np.resize(x, (0, 2)),
        lambda np, x: np.resize(x, ()), lambda np, x: np.resize(x, (-1,)),
    ],
    "trim_zeros": [
        lambda np, x: np.trim_zeros(x), lambda np, x: np.trim_zeros(x, "f"), lambda np, x: np.trim_zeros(x, "B"),
        lambda np, x: np.trim_zeros(x, axis=0), lambda np, x: np.trim_zeros(x * 0), lambda np, x: np.trim_zeros(x, "x"),
        lambda np, x: np.trim_zeros(x, axis=(0, -1)),
    ],
    "rollaxis": [
        lambda np, x: np.rollaxis(x, 1), lambda np, x: np.rollaxis(x, -1, 1), lambda np, x: np.rollaxis(x, 0, 2),
        lambda np, x: np.rollaxis(x, 0, -1), lambda np, x: np.rollaxis(x, 0, 9),
    ],
}  # fmt: skip
PLACES = (
    *(0, 2, -1, 7, -9, slice(1, 3), slice(None), slice(None, None, -2), slice(4, 1), [0, 2], [2, 0, 0], [-1, 1], []),
    *([9], (1, 2), 1.5, [0.5], "x", [[0, 1], [1, 2]]),
)
EDITING = {
    "delete": [
        lambda np, x, at: np.delete(x, at), lambda np, x, at: np.delete(x, at, axis=0),
        lambda np, x, at: np.delete(x, at, axis=-1),
    ],
    "insert": [
        lambda np, x, at: np.insert(x, at, 3), lambda np, x, at: np.insert(x, at, 3, axis=0),
        lambda np, x, at: np.insert(x, at, 3.7, axis=-1),
    ],
}  # fmt: skip
VALUES = (5, [5], [5, 6], [[5], [6], [7]], [[5, 6, 7, 8]], [5, 6, 7, 8], [[[1]]])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("program", parameters(JOINING))
def test_joining_and_cutting(program, shape):
    if program is JOINING["trim_zeros"][4] and shape == ():
        return
    check(lambda np: program(np, numbers(np, shape)))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", sorted(JOINING.keys() - {"trim_zeros"}))
def test_dtypes_and_layouts(name, layout, dtype):
    program = next(iter(JOINING[name])) if isinstance(JOINING[name], list) else JOINING[name]
    check(lambda np: program(np, numbers(np, (4, 4), dtype, layout)))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("at", PLACES, ids=repr)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("program", parameters(EDITING))
def test_slices_out_and_in(program, shape, at):
    check(lambda np: program(np, numbers(np, shape), at))


@pytest.mark.parametrize("values", VALUES, ids=str)
@pytest.mark.parametrize("at", [0, 1, [1], [0, 2], [0, 1, 1], slice(0, 2), [0, 1, 2]], ids=str)
@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_values_that_are_inserted(axis, at, values):
    check(lambda np: np.insert(numbers(np, (3, 4)), at, values, axis=axis))


@pytest.mark.parametrize("at", [[0, 2], 1, slice(0, 3, 2)], ids=str)
def test_indices_as_arrays_and_masks(at):
    check(lambda np: np.delete(numbers(np, (4,)), np.asarray([False, True, False, True])))
    check(lambda np: np.insert(numbers(np, (4,)), np.asarray([False, True, False, True]), [8, 9]))
    check(lambda np: np.delete(numbers(np, (3, 4)), [True, False, True], axis=0))
    check(lambda np: np.delete(numbers(np, (3, 4)), [True, False, True], axis=1))
    if not isinstance(at, slice):
        check(lambda np: np.delete(numbers(np, (4,)), np.asarray(at)))
        check(lambda np: np.insert(numbers(np, (4, 3)), np.asarray(at), [7, 8, 9], axis=0))


@pytest.mark.parametrize("n", [2, 31, 32, 33, 200])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_many_places(axis, n):
    places = numpy.random.default_rng(n).integers(-6, 7, n)
    check(lambda np: np.insert(numbers(np, (6, 6)), np.asarray(places), 9, axis=axis))
    check(lambda np: np.insert(numbers(np, (6, 6)), list(places), np.arange(n), axis=1 if axis else None))
    check(lambda np: np.insert(numbers(np, (6, 6)), np.asarray([*places, 99]), 9, axis=axis))
    check(lambda np: np.insert(numbers(np, (6, 6)), np.asarray([*places, -99]), 9, axis=axis))


CASTS = [(casting, dtype) for casting in ("no", "safe", "same_kind") for dtype in DTYPES]
CASTS += [("unsafe", dtype) for dtype in ("int8", "int64", "float32", "complex64")]  # of -1 others make what they will


@pytest.mark.parametrize(("casting", "dtype"), CASTS)
@pytest.mark.parametrize("given", ["int8", "float32", "float64"])
def test_joined_in_a_dtype(given, casting, dtype):
    check(lambda np: np.concatenate([numbers(np, (3, 4), given)] * 2, dtype=dtype, casting=casting))
    check(lambda np: np.concatenate([numbers(np, (2, 0, 2), given), numbers(np, (2, 3, 2))], -2, dtype=dtype))
    check(lambda np: np.stack([numbers(np, (3, 4), given)] * 2, 1, dtype=dtype, casting=casting))
    check(lambda np: np.hstack([numbers(np, (3,), given), numbers(np, (3, 4))], dtype=dtype, casting=casting))
    check(lambda np: np.concatenate([numbers(np, (3,), given)] * 2, 5, dtype=dtype, casting=casting))
    check(lambda np: np.concatenate([numbers(np, (3,), given)] * 2, None, dtype=dtype, casting=casting))


def test_gradients_of_what_was_edited():
    x, y = nd.arange(1.0, 5.0), nd.asarray([7.0, 8.0])
    weights = nd.asarray([1.0, 10.0, 100.0, 1e3, 1e4, 1e5])
    assert nd.grad(lambda x: (nd.insert(x, [1, 3], y) * weights).sum())(x).tolist() == [1.0, 100.0, 1e3, 1e5]
    assert nd.grad(lambda y: (nd.insert(x, [1, 3], y) * weights).sum())(y).tolist() == [10.0, 1e4]
    many = [0] * 40
    assert nd.grad(lambda x: nd.insert(x, many, 1.0)[40:].sum())(x).tolist() == [1.0] * 4
    assert nd.grad(lambda x: (nd.resize(x, 6) * weights).sum())(x).tolist() == [10001.0, 100010.0, 100.0, 1e3]
    assert nd.grad(lambda x: nd.block([[x, x], [x, y, y]]).sum())(x).tolist() == [3.0] * 4
    assert nd.grad(lambda x: (nd.delete(x, 1) * weights[:3]).sum())(x).tolist() == [1.0, 0.0, 10.0, 100.0]


def test_lists_stay_lists_where_numpy_keeps_them():
    assert nd.trim_zeros([0, 1, 2, 0]) == [1, 2]
    assert nd.trim_zeros((0, 1, 0)) == (1,)


def test_results_are_copies():
    x = nd.asarray([1.0, 2.0, 3.0])
    for copy in (nd.delete(x, []), nd.insert(x, [], []), nd.resize(x, 3), nd.resize(x, 2), nd.block(x), nd.block([x])):
        copy[...] = 0
    assert x.tolist() == [1.0, 2.0, 3.0]
