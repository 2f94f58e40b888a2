"""Functions that write to arrays, and gradients that do, as ONNX files: both runtimes compute what the functions do."""

import operator

import numpy as np
import pytest
from test_export_functions import exported, states

import nd4py as nd

X = states(3, 4)
PLACES = nd.asarray([2, 0, 2])
NUMBERS = nd.asarray([[0, -1], [1, 2], [2, 3]])


def written(write):
    """A function that writes to a copy of its input, and returns it."""

    def function(x):
        y = x.copy()
        write(y, x)
        return y

    return function


def to_a_view(y, x):
    row = y[1]
    row[1:] = 5.0
    row[0] = x[0, 0]


def to_a_view_of_a_view(y, x):
    y.T[1:3][0] = x[:, 0]


def to_columns(y, x):
    y[0] += 1
    y[:, 1] *= 2
    y += x
    y[::2] -= x[::2]


def to_rows_in_a_loop(y, x):
    for i in range(y.shape[0]):
        row = y[i]
        row[...] = x[-1 - i] * i


def to_lines(y, x):
    y.reshape(-1)[::5] = 7.0
    y.reshape(2, 6)[1] += x.sum()


def by_a_function(y, x):
    nd.clip(y[1:], -0.5, 0.5, out=y[1:])


def to_known_places(y, x):
    y[PLACES] = x[:3]  # of two for one row the last stays
    y[NUMBERS[:, 0], NUMBERS[:, 1]] = nd.asarray([1.0, 2.0, 3.0], dtype="float32")


def to_one_place(y, x):
    y[nd.argmax(x[:, 0])] = x[0]
    y[1, nd.argmin(x[1])] += 1.0


def one_value(y, x):
    y[:, nd.argsort(x[0])[:2]] = 0.0


def to_a_mask(y, x):
    y[y > 0] = -1.0


def to_a_diagonal(y, x):
    nd.fill_diagonal(y[:, :3], 0)


WRITES = [
    to_a_view, to_a_view_of_a_view, to_columns, to_rows_in_a_loop, to_lines, by_a_function, to_known_places,
    to_one_place, one_value, to_a_mask, to_a_diagonal,
]  # fmt: skip


@pytest.mark.parametrize("write", WRITES, ids=lambda write: write.__name__)
def test_writing(write, tmp_path):
    exported(written(write), str(tmp_path / "f.onnx"), [X])


def test_views_show_what_is_written_after_they_were_made(tmp_path):
    def function(x):
        y = x.copy()
        top, turned, flat = y[0], y.T, y.reshape(-1)
        y[0, 1] = 3.0
        first = top.sum() + turned[1] + flat[:3]
        top[2] = -1.0
        turned[0] *= 2
        return first, top, turned, flat, y

    exported(function, str(tmp_path / "f.onnx"), [X])


def test_functions_read_views_of_what_was_written(tmp_path):
    """Those with nodes of their own, which consist of others, too."""

    def function(x):
        y = x.copy()
        rows, turned = y[1:], y.T
        y[1] = 2.0
        first = nd.softmax(rows, axis=1)
        turned[0] = x[:, 1]
        return first, nd.log_softmax(rows, axis=0), nd.pad(turned, ((1, 1), (0, 0))), nd.roll(rows, 1, axis=1), y

    exported(function, str(tmp_path / "f.onnx"), [X])


def test_what_a_gradient_needs_may_not_be_written(tmp_path):
    def function(x):
        def inner(v):
            kept = x.copy()
            y = (v * kept).sum()
            kept[0] = 0.0
            return y

        return nd.grad(inner)(x)

    with pytest.raises(ValueError, match="needed for a gradient was written in place"):
        nd.onnx.export(function, tmp_path / "f.onnx", X)


OUTSIDE = states(3, 4)


def sum_of_rows(x):
    total = nd.zeros(4, dtype="float32")
    for i in range(x.shape[0]):
        total += x[i] * i
    return total


def written_under_another_name(x):
    y = nd.ones((3, 4), dtype="float32")
    also, rows = y, y[1:]
    also += x
    rows *= x[0]
    return y


def differences(x):
    y = nd.empty(x.shape, dtype="float32")
    y[0] = 0.0
    nd.subtract(x[1:], x[:-1], out=y[1:])
    return y


def rows_of_a_list(x):
    rows = []
    for i in range(3):
        row = nd.full(4, float(i))
        row[i] = x[i, i]
        rows.append(row)
    return nd.stack(rows) * len(nd.zeros(2))


def through_views(x):
    y = nd.zeros((4, 3))
    turned, flat = y.T, y.reshape(-1)
    turned[1][2:] = x[0, :2]
    flat[::5] += x[1, 1]
    return y, turned


def of_other_dtypes(x):
    counts, numbers = nd.arange(3), nd.asarray([0.0, 1.0, 2.0]).astype("float32")
    counts[1:] = x[1:, 0] * 10
    numbers *= x[:, 0]
    return counts, numbers


def copies(x):
    y, also = OUTSIDE.copy(), nd.copy(OUTSIDE)
    y[nd.argmax(x[:, 0])] = 1.0
    nd.copyto(also, x)
    return y + OUTSIDE, also, nd.sum(x, axis=0, out=nd.ones((2, 4), dtype="float32")[1])


def constants_are_looked_at(x):
    y = nd.zeros(3)
    n = int(nd.ones(3).sum())
    y[0] = x[0, 0]
    return y[:n]


def weights_of_a_gradient(x):
    y = nd.linspace(0, 1, 4)
    y[1] = x[0, 1]
    return nd.grad(lambda v: (v * y).sum() ** 2)(x[1].astype("float64"))


def one_for_each(x):
    def first(row):
        y = nd.zeros(2, dtype="float32")
        y[0] = row[0]
        return y

    return nd.vmap(first)(x)


MADE_INSIDE = [
    sum_of_rows, written_under_another_name, differences, rows_of_a_list, through_views, of_other_dtypes, copies,
    constants_are_looked_at, weights_of_a_gradient, one_for_each,
]  # fmt: skip


@pytest.mark.parametrize("function", MADE_INSIDE, ids=lambda function: function.__name__)
def test_writing_to_arrays_that_the_function_makes(function, tmp_path):
    exported(function, str(tmp_path / "f.onnx"), [X])


def test_arrays_that_a_function_makes_for_batches_of_any_size(tmp_path):
    def function(x):
        y, means = nd.zeros((x.shape[0] + 1, x.shape[1] + 2)), nd.empty(x.shape[0], dtype="float32")
        y[1:, 1:-1] = x
        means[...] = x.mean(axis=1)
        means[-1] += 1
        return y[:, 2:] - y[:, :-2], means

    path = str(tmp_path / "f.onnx")
    nd.onnx.export(function, path, X, dynamic_axes={"x": {0: "batch", 1: "length"}})
    for shape in ((3, 4), (1, 1), (7, 5)):
        given = states(*shape)
        for found, want in zip(nd.onnx.load(path).run([given]), function(given), strict=True):
            np.testing.assert_allclose(found, want, rtol=1e-6)


def test_arrays_from_outside_are_not_written(tmp_path):
    before = OUTSIDE.tolist()
    for write in (
        lambda x: OUTSIDE.__setitem__(0, x[0]),
        lambda x: nd.exp(x, out=OUTSIDE),
        lambda x: operator.iadd(OUTSIDE[1:], x[1:]),
    ):
        with pytest.raises(NotImplementedError, match="not made of the inputs cannot hold them; make it in the func"):
            nd.onnx.export(lambda x, write=write: (write(x), x)[1], tmp_path / "f.onnx", X)
    assert OUTSIDE.tolist() == before


def test_several_values_for_places_that_depend_on_the_inputs_are_refused(tmp_path):
    for write, way in (
        (lambda y, x: y.__setitem__(nd.argsort(x[:, 0]), x), "use nd.put_along_axis"),
        (lambda y, x: y.__setitem__(x > 0, x[x > 0]), "use nd.where"),
    ):
        with pytest.raises(NotImplementedError, match=way):
            nd.onnx.export(written(write), tmp_path / "f.onnx", X)


def slope(function):
    """The gradient of the sum of squares."""
    return nd.grad(lambda x: (function(x) ** 2).sum())


READS = {
    "take": lambda x: nd.take(x, PLACES, axis=1),
    "rows": lambda x: x[PLACES],
    "columns": lambda x: x[:, NUMBERS],
    "elements": lambda x: x[NUMBERS[:, 0] % 3, NUMBERS[:, 1]],
    "apart": lambda x: nd.stack([x, x * 2])[PLACES % 2, :, NUMBERS[:, 1]],
    "found places": lambda x: x[nd.argsort(x[:, 1])[:2], nd.argmax(x, axis=1)[:2]],
    "along": lambda x: nd.take_along_axis(x, nd.asarray([[0, 0], [1, -1], [3, 2]]), axis=1),
    "along one line": lambda x: nd.take_along_axis(x[:1], nd.asarray([[0, 0], [1, 1], [3, 2]]), axis=1),
    "sort": lambda x: nd.sort(x, axis=0) * nd.arange(3, dtype="float32")[:, None],
    "topk": lambda x: nd.topk(x, 2)[0] * nd.asarray([1.0, 3.0], dtype="float32"),
    "median": lambda x: nd.median(x, axis=1),
    "one hot": lambda x: x * nd.one_hot(nd.argmax(x, axis=1), 4),
    "sum": lambda x: nd.cumulative_sum(x, axis=1),
    "sum with 0": lambda x: nd.cumulative_sum(x, axis=0, include_initial=True),
    "prod": lambda x: nd.cumulative_prod(x, axis=1),
    "prod with 1": lambda x: nd.cumulative_prod(x, axis=0, include_initial=True),
    "max": lambda x: nd.cumulative_max(x, axis=1),
    "min": lambda x: nd.cumulative_min(nd.round(x), axis=0),
    "log sum exp": lambda x: nd.log_cumulative_sum_exp(x, axis=1),
    "convolve": lambda x: nd.convolve(x[0], x[1, :2]),
    "mask": lambda x: nd.where(x > 0, x, x[PLACES]),
}


TABLE = states(5, 3)
LOOK_UPS = {
    "rows": lambda i: TABLE[i],
    "one row": lambda i: TABLE[i[0, 1]],
    "columns": lambda i: TABLE[:, i[0]],
    "elements": lambda i: TABLE[i, nd.asarray([0, 1, 2])],
    "from the end": lambda i: TABLE[i - 3],
    "take": lambda i: nd.take(TABLE, i, axis=0),
    "for each": nd.vmap(lambda row: TABLE[row].sum(axis=0)),
}


@pytest.mark.parametrize("name", LOOK_UPS)
def test_arrays_from_outside_are_indexed(name, tmp_path):
    """As words are looked up in a table."""
    exported(LOOK_UPS[name], str(tmp_path / "f.onnx"), [nd.asarray([[0, 2, 1], [2, 2, 0]])])


@pytest.mark.parametrize("name", READS)
def test_gradients(name, tmp_path):
    exported(slope(READS[name]), str(tmp_path / "f.onnx"), [X])
    exported(nd.vmap(slope(lambda x: READS[name](x))), str(tmp_path / "v.onnx"), [nd.stack([X, X * 0.5])])


@pytest.mark.parametrize("name", ["rows", "elements", "along", "sort", "sum", "prod", "max", "log sum exp"])
def test_gradients_of_gradients(name, tmp_path):
    inner = slope(READS[name])
    exported(slope(inner), str(tmp_path / "f.onnx"), [X], tolerance=1e-4)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_convolutions_of_rows(dtype, mode, tmp_path):
    rows = [nd.asarray(np.arange(-3, n - 3).astype(dtype)) for n in (9, 4)]
    for function in (nd.convolve, nd.correlate):
        exported(
            lambda x, y, function=function: function(x, y, mode=mode), str(tmp_path / "f.onnx"), rows,
            needs_onnxruntime=dtype == "float32",
        )  # fmt: skip


@pytest.mark.parametrize("weights", [None, nd.asarray(np.linspace(-1, 2, 12)).reshape(3, 4)], ids=["counts", "sums"])
def test_histograms(weights, tmp_path):
    edges = nd.asarray([-1.0, -0.25, 0.0, 2.0])
    edge_cases = nd.asarray(np.float32([-1.0, 2.0, 0.0, -0.25, np.nan, np.inf, -np.inf, -1.5, 1, 0.1, 2.5, 0.0]))
    for x in (X, edge_cases.reshape(3, 4)):
        exported(lambda x: nd.histogram(x, bins=edges, weights=weights)[0], str(tmp_path / "f.onnx"), [x])
        exported(lambda x: nd.histogram(x, bins=5, range=(-1, 2), weights=weights)[0], str(tmp_path / "g.onnx"), [x])
