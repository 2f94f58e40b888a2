"""Indices, writing, choosing and loops give what NumPy's give."""

import numpy
import pytest
from beside_numpy import check, parameters

import nd4py as nd

DTYPES = ("int8", "int64", "uint16", "float32", "float64")


def numbers(np, *shape, dtype="float64"):
    n = int(numpy.prod(shape))
    return np.asarray((numpy.arange(n) * 7 % 5 - 1).astype(dtype).reshape(shape))


INDICES = {
    "diag_indices": [lambda np: np.diag_indices(3), lambda np: np.diag_indices(2, 3), lambda np: np.diag_indices(0)],
    "diag_indices_from": [
        lambda np: np.diag_indices_from(np.ones((3, 3))), lambda np: np.diag_indices_from(np.ones((2, 3))),
        lambda np: np.diag_indices_from(np.ones(3)), lambda np: np.diag_indices_from(np.ones((2, 2, 2))),
    ],
    "tril_indices": [
        lambda np, n=n, k=k, m=m: np.tril_indices(n, k, m)
        for n in (0, 3) for k in (-9, -1, 0, 2) for m in (None, 2, 5)
    ],
    "triu_indices": [
        lambda np, n=n, k=k, m=m: np.triu_indices(n, k, m)
        for n in (0, 3) for k in (-9, -1, 0, 2) for m in (None, 2, 5)
    ],
    "tril_indices_from": [
        lambda np: np.tril_indices_from(np.ones((2, 3)), 1), lambda np: np.tril_indices_from(np.ones(3)),
    ],
    "triu_indices_from": [
        lambda np: np.triu_indices_from(np.ones((3, 2)), -1), lambda np: np.triu_indices_from(np.ones(3)),
    ],
    "mask_indices": [lambda np: np.mask_indices(3, np.triu), lambda np: np.mask_indices(3, np.tril, 1)],
    "unravel_index": [
        lambda np: np.unravel_index([1, 5], (2, 3)), lambda np: np.unravel_index(4, (2, 3)),
        lambda np: np.unravel_index(4, (2, 3), "F"),
        lambda np: np.unravel_index([[0, 3], [7, 23]], (2, 3, 4)), lambda np: np.unravel_index([[0, 3], [7, 23]],
        (2, 3, 4), order="F"),
        lambda np: np.unravel_index([6], (2, 3)), lambda np: np.unravel_index([-1], (2, 3)),
        lambda np: np.unravel_index(1.5, (2, 3)),
        lambda np: np.unravel_index(3, 5), lambda np: np.unravel_index(shape=(2, 2), indices=[3]),
        lambda np: np.unravel_index(0, (2, 3), "x"),
    ],
    "ravel_multi_index": [
        lambda np: np.ravel_multi_index(([0, 1], [1, 2]), (2, 3)), lambda np: np.ravel_multi_index((1, 2),
        (2, 3), order="F"),
        lambda np: np.ravel_multi_index(np.asarray([[0, 1], [1, 2]]), (2, 3)),
        lambda np: np.ravel_multi_index(([3], [4]), (2, 3)),
        lambda np: np.ravel_multi_index(([3, -4], [4, -5]), (2, 3), mode="clip"),
        lambda np: np.ravel_multi_index(([3, -4], [4, -5]), (2, 3), mode="wrap"),
        lambda np: np.ravel_multi_index(([3, 1], [4, -5]), (4, 3), mode=("raise", "wrap")),
        lambda np: np.ravel_multi_index(([0],), (2, 3)),
        lambda np: np.ravel_multi_index(([[0], [1]], [0, 1, 2]), (2, 3)), lambda np: np.ravel_multi_index(([0.5], [1]),
        (2, 3)),
    ],
    "choose": [
        lambda np: np.choose([0, 1, 0], [[1, 2, 3], [4, 5, 6]]), lambda np: np.choose([[0], [1]], [10, [1, 2, 3]]),
        lambda np: np.choose([0, 2], [[1, 2], [4, 5]]), lambda np: np.choose([5, -3], [[1, 2], [4, 5]], mode="wrap"),
        lambda np: np.choose([5, -3], [[1, 2], [4, 5]], mode="clip"), lambda np: np.choose([0.5], [[1]]),
        lambda np: np.choose([0, 0], [[1.5, 2.5]]),
        lambda np: np.asarray([1, 0]).choose([[1, 2], [4.5, 5]]),
        lambda np: np.choose([0, 1], np.asarray([[1, 2], [4, 5]]), out=np.zeros(2, dtype=int)),
    ],
    "select": [
        lambda np: np.select([numbers(np, 5) > 1, numbers(np, 5) < 0], [numbers(np, 5), numbers(np, 5) * 10]),
        lambda np: np.select([numbers(np, 2, 3) > 1], [7], -1),
        lambda np: np.select([numbers(np, 5) > 1, np.asarray(True)], [1, 2.5]),
        lambda np: np.select([numbers(np, 5)], [1]), lambda np: np.select([], []),
        lambda np: np.select([numbers(np, 3) > 0], [1, 2]),
        lambda np: np.select([numbers(np, 2, 1) > 0], [numbers(np, 3)], 9),
        lambda np: np.select([numbers(np, 4) > 0], [numbers(np, 4, dtype="float32")], 2),
    ],
    "piecewise": [
        lambda np: np.piecewise(numbers(np, 6), [numbers(np, 6) < 0, numbers(np, 6) >= 0], [-1, 1]),
        lambda np: np.piecewise(numbers(np, 6), [numbers(np, 6) < 1], [lambda v: -v, lambda v: v * 10]),
        lambda np: np.piecewise(numbers(np, 2, 3), numbers(np, 2, 3) > 1, [lambda v, k: v * k, 7], 3),
        lambda np: np.piecewise(numbers(np, 6), [numbers(np, 6) < 1, numbers(np, 6) > 2], [lambda v, k=1: v + k], k=2),
        lambda np: np.piecewise(numbers(np, 6), [numbers(np, 6) < 9, numbers(np, 6) > 2], [1, 2]),
        lambda np: np.piecewise(-2.0, [-2.0 < 0, -2.0 >= 0], [lambda v: -v, lambda v: v]),
    ],
    "take": [
        lambda np: np.take(numbers(np, 2, 3), [0, 5]), lambda np: np.take(numbers(np, 2, 3), indices=[1], axis=1),
        lambda np: np.take(numbers(np, 5), [7, -9], mode="wrap"),
        lambda np: np.take(numbers(np, 5), [7, -9], mode="clip"),
        lambda np: np.take(numbers(np, 2, 3), [[0, 1]], 0, np.zeros((1, 2, 3))), lambda np: numbers(np, 2, 3).take([4]),
        lambda np: np.take(numbers(np, 5), [7]), lambda np: np.take(numbers(np, 5), [0], mode="x"),
        lambda np: np.take(numbers(np, 2, 3), [5, -1], 1, mode="clip"),
    ],
    "compress": [
        lambda np: np.compress([True, False, True], numbers(np, 3, 2), axis=0),
        lambda np: numbers(np, 3, 2).compress([0, 1], axis=1),
        lambda np: np.compress([True, False], numbers(np, 3, 2)),
        lambda np: np.compress([1, 0, 1], numbers(np, 3), out=np.zeros(2)),
    ],
    "apply_along_axis": [
        lambda np: np.apply_along_axis(np.sum, 0, numbers(np, 2, 3)),
        lambda np: np.apply_along_axis(np.sort, -1, numbers(np, 2, 3)),
        lambda np: np.apply_along_axis(lambda v: v[:2], 1, numbers(np, 2, 3, 4)),
        lambda np: np.apply_along_axis(np.diag, -1, numbers(np, 2, 3)),
        lambda np: np.apply_along_axis(lambda v, k: v.max() + k, 1, numbers(np, 2, 3), 10),
        lambda np: np.apply_along_axis(np.sum, 5, numbers(np, 2)),
        lambda np: np.apply_along_axis(np.sum, 0, np.ones((2, 0))),
        lambda np: np.apply_along_axis(np.outer, 0, numbers(np, 2, 3), [1, 2]),
    ],
    "apply_over_axes": [
        lambda np: np.apply_over_axes(np.sum, numbers(np, 2, 3, 4), [0, 2]),
        lambda np: np.apply_over_axes(np.sum, numbers(np, 2, 3), 1),
        lambda np: np.apply_over_axes(np.cumsum, numbers(np, 2, 3), (0, -1)),
    ],
    "vectorize": [
        lambda np: np.vectorize(lambda a, b: a if a > b else b)([1, 5, 3], 2),
        lambda np: np.vectorize(lambda a: a / 2)(numbers(np, 2, 3, dtype="int64")),
        lambda np: np.vectorize(lambda a: (a, a * 2))([1, 2]),
        lambda np: np.vectorize(lambda a: a, otypes=[float])([1, 2]), lambda np: np.vectorize(lambda a: a)([]),
        lambda np: np.vectorize(lambda a: a, otypes="d")([]),
        lambda np: np.vectorize(lambda a, k: a + k, excluded=["k"])([1, 2], k=3),
        lambda np: np.vectorize(lambda a, k: a + len(k), excluded=[1])([1, 2], [3, 4, 5]),
        lambda np: np.vectorize(lambda a, b=1: a + b)([[1], [2]], b=[3, 4]),
        lambda np: np.vectorize(lambda a: 1)([1.5, 2.5]), lambda np: np.vectorize(lambda a: a > 1)([1, 2]),
        lambda np: np.vectorize(lambda text, a: len(text) * a)("abc", [1, 2]),
        lambda np: np.vectorize(lambda a, kind="x": a + len(kind))([[1], [2]], kind="abcd"),
        lambda np: np.vectorize(lambda text: len(text))("abc"), lambda np: np.vectorize(len)(b"abcd"),
        lambda np: np.vectorize(5),
        lambda np: np.vectorize(otypes=[float])(lambda a: a * 2)([1, 2]),
        lambda np: np.vectorize(signature="(n)->()")(lambda row: row.sum())(numbers(np, 2, 3)),
        lambda np: np.vectorize(doc="twice")(lambda a: a * 2).__doc__, lambda np: np.vectorize(otypes="d")(5),
    ],
    "ndindex": [
        lambda np: list(np.ndindex(2, 3)), lambda np: list(np.ndindex((2, 2))), lambda np: list(np.ndindex()),
        lambda np: list(np.ndindex(3, 0)), lambda np: list(np.ndindex(-1)),
    ],
    "ndenumerate": lambda np: [(i, x.item()) for i, x in np.ndenumerate(numbers(np, 2, 3))],
    "nditer": [
        lambda np: [x.item() for x in np.nditer(numbers(np, 2, 3))],
        lambda np: [(x.item(), y.item()) for x, y in np.nditer([numbers(np, 2, 3), numbers(np, 3)])],
    ],
    "broadcast": [
        lambda np: np.broadcast(np.ones((3, 1)), np.ones(4)).shape,
        lambda np: [tuple(map(float, pair)) for pair in np.broadcast([1, 2], [[3], [4]])],
        lambda np: np.broadcast(np.ones((3, 1)), np.ones(4)).size, lambda np: np.broadcast([1, 2], [1, 2, 3]),
        lambda np: np.broadcast([1, 2], 3).numiter,
    ],
    "shares_memory": [
        lambda np: np.shares_memory(*(lambda x: (x[::2], x[1::2]))(np.zeros(6))),
        lambda np: np.may_share_memory(*(lambda x: (x[::2], x[1::2]))(np.zeros(6))),
        lambda np: np.shares_memory(*(lambda x: (x, x.T))(np.zeros((2, 3)))),
        lambda np: np.shares_memory(np.zeros(3), np.zeros(3)), lambda np: np.may_share_memory(np.zeros(3), np.zeros(3)),
    ],
    "windows": [
        lambda np: np.lib.stride_tricks.sliding_window_view(numbers(np, 6), 3),
        lambda np: np.lib.stride_tricks.sliding_window_view(numbers(np, 4, 5), (2, 3)),
        lambda np: np.lib.stride_tricks.sliding_window_view(numbers(np, 4, 5), 2, axis=0),
        lambda np: np.lib.stride_tricks.sliding_window_view(numbers(np, 4, 5), 9, axis=0),
        lambda np: np.lib.stride_tricks.sliding_window_view(numbers(np, 4, 5), 2),
        lambda np: np.lib.stride_tricks.sliding_window_view(numbers(np, 4, 5), (2, 2), axis=(1, 1)),
        lambda np: np.lib.stride_tricks.as_strided(numbers(np, 6), (4, 3), (8, 8)),
        lambda np: np.lib.stride_tricks.as_strided(numbers(np, 6), (3,), (16,)),
        lambda np: np.lib.stride_tricks.as_strided(numbers(np, 6)[::-1], (2, 3), (-24, -8)),
        lambda np: np.lib.stride_tricks.as_strided(numbers(np, 6), (2, 0), (8, 8)),
        lambda np: np.lib.stride_tricks.as_strided(numbers(np, 1), (5,), (0,)),
        lambda np: np.lib.stride_tricks.sliding_window_view(numbers(np, 4), -1),
    ],
}  # fmt: skip


@pytest.mark.parametrize("program", parameters(INDICES))
def test_programs_give_what_numpy_gives(program):
    check(program)


def written(write):
    """A program that writes to an array and gives it."""

    def program(np, x):
        write(np, x)
        return x

    return program


WRITING = {
    "put": [
        lambda np, x: np.put(x, [0, 3], [7, 8]), lambda np, x: np.put(x, [0, -1, 2], 1),
        lambda np, x: np.put(x, [0, 1, 2, 3], [1, 0]),
        lambda np, x: np.put(x, [99], 1), lambda np, x: np.put(x, [99, -99], 1, mode="clip"),
        lambda np, x: np.put(x, [99, -98], 1, "wrap"),
        lambda np, x: np.put(x, [], []), lambda np, x: np.put(x, [0], []), lambda np, x: x.put([1], 1),
        lambda np, x: np.put(x, [0], 1, "x"),
    ],
    "place": [
        lambda np, x: np.place(x, x > 0, [1, 0]), lambda np, x: np.place(x, x > 99, []),
        lambda np, x: np.place(x, np.ones(3, dtype=bool), 1),
        lambda np, x: np.place(x, x == x, [1, 0, 1]),
    ],
    "putmask": [
        lambda np, x: np.putmask(x, x > 0, 1), lambda np, x: np.putmask(x, x > 0, [1, 0]),
        lambda np, x: np.putmask(x, x == x, x),
        lambda np, x: np.putmask(x, np.ones(3, dtype=bool), 1), lambda np, x: np.putmask(x, x > 0, []),
    ],
    "copyto": [
        lambda np, x: np.copyto(x, 1), lambda np, x: np.copyto(x, x[:1]), lambda np, x: np.copyto(x, 1, where=x > 0),
        lambda np, x: np.copyto(x, np.ones(7)),
        lambda np, x: np.copyto(x, x * 1, where=[True] + [False] * (x.shape[-1] - 1)),
        lambda np, x: np.copyto(x, np.asarray(1.0), casting="no"),
        lambda np, x: np.copyto(x, np.asarray(1j), casting="same_kind"),
    ],
    "fill_diagonal": [
        lambda np, x: np.fill_diagonal(x, 1), lambda np, x: np.fill_diagonal(x, [1, 0]),
        lambda np, x: np.fill_diagonal(x, 1, wrap=True),
        lambda np, x: np.fill_diagonal(x.T, [1, 0, 1]),
    ],
    "fill": [lambda np, x: x.fill(1), lambda np, x: x.fill([1, 2])],
    "flat": [
        lambda np, x: x.flat.__setitem__(slice(None), 1), lambda np, x: x.flat.__setitem__(2, 1),
        lambda np, x: x.flat.__setitem__([0, 2], [1, 0]),
        lambda np, x: x.flat.__setitem__(slice(1, None, 2), [1, 0]), lambda np, x: setattr(x, "flat", [1, 0, 1]),
        lambda np, x: x.flat.__setitem__(999, 1),
    ],
    "sort": [
        lambda np, x: x.sort(), lambda np, x: x.sort(axis=0), lambda np, x: x.sort(kind="stable"),
        lambda np, x: x.sort(7),
    ],
}  # fmt: skip
PLACES = {
    "in C order": lambda x: x,
    "transposed": lambda x: x.T,
    "every other column": lambda x: x[:, ::2],
    "one row": lambda x: x[:1],
    "reversed": lambda x: x[::-1, ::-1],
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("write", parameters(WRITING))
def test_writing(write, place, dtype):
    check(lambda np: (lambda x: (write(np, PLACES[place](x)), x)[1])(numbers(np, 5, 4, dtype=dtype)))


def test_what_is_no_array_is_not_written_to():
    for write in (nd.put, nd.place, nd.putmask):
        with pytest.raises(TypeError, match="needs an array to write to"):
            write([1, 2], [0], 1)
    with pytest.raises(TypeError, match="needs an array to write to"):
        nd.copyto([1, 2], 1)
    with pytest.raises(TypeError, match="needs an array to write to"):
        nd.fill_diagonal([[1, 2], [3, 4]], 1)


WRITES = {
    "put": lambda x: nd.put(x, [0], 1),
    "place": lambda x: nd.place(x, x > -9, 1),
    "putmask": lambda x: nd.putmask(x, x > -9, 1),
    "copyto": lambda x: nd.copyto(x, 1),
    "copyto where": lambda x: nd.copyto(x, 1, where=[[True, False], [False, True]]),
    "fill_diagonal": lambda x: nd.fill_diagonal(x, 1),
    "fill": lambda x: x.fill(1),
    "flat": lambda x: x.flat.__setitem__(0, 1),
    "sort": lambda x: x.sort(),
    "partition": lambda x: x.partition(1),
    "put method": lambda x: x.put([0], 1),
}


@pytest.mark.parametrize("name", WRITES)
def test_writes_are_seen_by_the_tape_and_refused_where_they_must_be(name):
    with pytest.raises(ValueError, match="read-only"):
        WRITES[name](nd.broadcast_to(nd.asarray([2.0, 1.0]), (2, 2)))
    with pytest.raises((ValueError, TypeError), match="differentiated|gradients do not flow"):
        nd.grad(lambda x: (WRITES[name](x), x.sum())[1])(nd.ones((2, 2)))
    kept = nd.asarray([[2.0, 1.0], [4.0, 3.0]])

    def changed_behind(x):
        y = x * kept
        WRITES[name](kept)
        return y.sum()

    with pytest.raises(ValueError, match="changed|written|in place"):
        nd.grad(changed_behind)(nd.ones((2, 2)))


@pytest.mark.parametrize("name", WRITES)
def test_deferred_readers_see_the_values_before_a_write(name):
    x = nd.asarray(numpy.arange(1_000_000.0)[::-1].copy().reshape(1000, 1000)).copy()
    want = (numpy.asarray(x) * 2 + 1).copy()
    y = x * 2 + 1
    if name == "copyto where":
        nd.copyto(x, 1, where=x > 5)
    else:
        WRITES[name](x)
    numpy.testing.assert_array_equal(numpy.asarray(y), want)


def test_partial_strides_never_lead_out_of_memory():
    x = nd.arange(6)
    outside = (((7,), (8,)), ((2, 6), (8, 8)), ((2,), (-8,)), ((3,), (2**62,)), ((2**62,), (8,)), ((2,), (4,)))
    for shape, strides in outside:
        with pytest.raises(ValueError, match="as_strided"):
            nd.lib.stride_tricks.as_strided(x, shape, strides)
    view = nd.lib.stride_tricks.as_strided(x, (3, 2), (8, 8))
    assert not view.is_writable
    apart = nd.lib.stride_tricks.as_strided(x, (3, 2), (16, 8))
    apart[0, 1] = 9
    assert x[1] == 9
    assert not nd.lib.stride_tricks.as_strided(x, (3, 2), (16, 8), writeable=False).is_writable


def test_windows_have_gradients():
    x = nd.arange(5.0)
    g = nd.grad(lambda x: (nd.lib.stride_tricks.sliding_window_view(x, 3) * nd.asarray([1.0, 10.0, 100.0])).sum())(x)
    assert g.tolist() == [1.0, 11.0, 111.0, 110.0, 100.0]
    assert nd.grad(lambda x: nd.lib.stride_tricks.sliding_window_view(x, (2, 2)).sum())(nd.ones((3, 3))).tolist() == [
        [1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]
    ]  # fmt: skip


def test_gradient_of_piecewise_and_select():
    x = nd.asarray([-2.0, 0.5, 3.0])

    def f(x):
        negative, large = nd.stop_gradient(x) < 0, nd.stop_gradient(x) > 1
        return nd.piecewise(x, [negative, large], [lambda v: v * v, lambda v: v * 3]).sum()

    assert nd.grad(f)(x).tolist() == [-4.0, 0.0, 3.0]
    assert nd.grad(lambda x: nd.select([x < 0, x > 1], [x * x, x * 3], 0).sum())(x).tolist() == [-4.0, 0.0, 3.0]
    assert nd.grad(lambda x: nd.choose([0, 1, 0], [x, x * x]).sum())(x).tolist() == [1.0, 1.0, 1.0]


CHOSEN = {"where": (1.0, numbers(numpy, 4)), "extract": (numbers(numpy, 4),)}


class OfNumpy:
    """The functions of nd4py, beside the arrays of NumPy that a program makes."""

    MAKERS = ("asarray", "array", "arange", "ones", "zeros", "full", "eye")

    def __getattr__(self, name):
        return getattr(numpy if name in self.MAKERS else nd, name)


@pytest.mark.parametrize("name", ["piecewise", "select", "choose", "where", "compress", "extract", "take"])
def test_masks_and_choices_may_be_arrays_of_numpy(name):
    for program in INDICES.get(name, [lambda np: getattr(np, name)(numbers(np, 4) > 0, *CHOSEN[name])]):
        try:
            want = program(nd)
        except Exception:  # what it refuses is another test
            continue
        got = program(OfNumpy())
        assert numpy.array_equal(numpy.asarray(got), numpy.asarray(want), equal_nan=True)
