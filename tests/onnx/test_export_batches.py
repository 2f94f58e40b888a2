"""Functions as ONNX files whose batch has any size: onnxruntime and nd4py compute for every size what they do."""

import numpy as np
import onnxruntime
import pytest
from table import params_of, sample

import nd4py as nd
from nd4py._spec.ops import OPS

ROWS = [row for row in OPS if row.family in ("map", "reduce", "scan") and "float32" in row.dtypes]
NOT_WRITTEN = {"nextafter", "frexp"}  # for any size
SIZES = (1, 2, 6, 33)
W = nd.asarray(np.linspace(-1, 2, 12, dtype=np.float32).reshape(3, 4))


def leaves(result):
    return [np.asarray(y) for y in (result if isinstance(result, tuple | list) else [result])]


def assert_alike(got, want):
    got = np.asarray(got)
    assert got.dtype == want.dtype
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)


def assert_any_size(function, path, inputs_of, sizes=SIZES):
    """The file computes what the function does for batches of all sizes."""
    nd.onnx.export(function, path, tuple(map(nd.asarray, inputs_of(4))), dynamic_batch=True)
    model, session = nd.onnx.load(path), onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    for size in sizes:
        inputs = inputs_of(size)
        want = leaves(function(*map(nd.asarray, inputs)))
        names = [each.name for each in session.get_inputs()]
        for found in (model.run(inputs), session.run(None, dict(zip(names, inputs, strict=True)))):
            for one, other in zip(found, want, strict=True):
                assert_alike(one, other)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("row", [pytest.param(row, id=row.name) for row in ROWS if row.name not in NOT_WRITTEN])
def test_rows(row, tmp_path):
    settings = {"axis": -1} if row.family != "map" else params_of(row)

    def inputs_of(size):
        return [x.reshape(size, 8) for x in sample(row, "float32", n=8 * size)]

    def function(*operands):
        return getattr(nd, row.name)(*operands, **settings)

    assert_any_size(function, str(tmp_path / "row.onnx"), inputs_of)


FUNCTIONS = {
    "a layer": lambda x: nd.softmax(nd.tanh(x @ W)),
    "a shape from the size": lambda x: x.reshape(x.shape[0] * 3).sum(),
    "a mean by the size": lambda x: x.sum(axis=0) / x.shape[0],
    "a mean by its inverse": lambda x: x.sum(axis=0) * (1 / x.shape[0]),
    "ends": lambda x: x[-1] + x[0],
    "all but one": lambda x: x[1:] - x[:-1],
    "backwards": lambda x: x[::-1],
    "zeros of the size": lambda x: nd.concat([x, nd.zeros((x.shape[0], 2), dtype="float32")], axis=1),
    "pairs": lambda x: ((x[:, None, :] - x[None]) ** 2).sum(axis=-1),
    "sorted": lambda x: nd.sort(x, axis=0),
    "vmap": nd.vmap(lambda row: nd.softmax(row) * row.sum()),
    "a gradient": lambda x: nd.grad(lambda v: nd.tanh(v @ W).mean())(x),
    "of a batch": lambda x: (x - x.mean(axis=0)) / nd.sqrt(x.var(axis=0) + 1e-5),
    "classes": lambda x: nd.one_hot(nd.argmax(x, axis=1), 3),
    "running": lambda x: nd.cumulative_max(x, axis=0),
    "rolled": lambda x: nd.roll(x, 1, axis=0),
    "repeated": lambda x: nd.tile(x, (2, 1)),
    "padded": lambda x: nd.pad(x, ((0, 0), (1, 1))),
}


def batch_of(size):
    return np.random.default_rng(size).standard_normal((size, 3)).astype(np.float32)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name, tmp_path):
    assert_any_size(FUNCTIONS[name], str(tmp_path / "f.onnx"), lambda size: [batch_of(size)])


REFUSED = {
    "does other steps for 5 examples than for 2": lambda x: x if x.shape[0] > 4 else -x,
    "neither a . size . b nor a / size, in variance": lambda x: nd.std(x, axis=0, correction=2),
    "nor a / size, in multiply .a number.": lambda x: x * (float("nan") if x.shape[0] < 3 else 1 / x.shape[0]),
    "nor a / size, in getitem": lambda x: x[: x.shape[0] // 2],
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_depends_on_the_size_otherwise_is_refused(why, tmp_path):
    path = tmp_path / "f.onnx"
    with pytest.raises(NotImplementedError, match=why):
        nd.onnx.export(REFUSED[why], path, batch_of(4), dynamic_batch=True)
    assert not path.exists()


def test_inputs_that_have_the_batch_are_named(tmp_path):
    path = str(tmp_path / "f.onnx")
    x, weights = batch_of(4), np.asarray(W)
    nd.onnx.export(lambda x, weights: x @ weights, path, (x, weights), dynamic_batch="x")
    session = onnxruntime.InferenceSession(path)
    assert [each.shape for each in session.get_inputs()] == [["batch", 3], [3, 4]]
    assert session.get_outputs()[0].shape == ["batch", 4]
    (found,) = session.run(None, {"x": batch_of(9), "weights": weights})
    assert_alike(found, batch_of(9) @ weights)


@pytest.mark.parametrize("wanted", ["other", ["x", "y"], [], True])
def test_wrong_names_and_sizes_are_errors(wanted, tmp_path):
    with pytest.raises(ValueError, match=r"must name inputs, x, y|must have one size"):
        nd.onnx.export(lambda x, y: x @ y, tmp_path / "f.onnx", (batch_of(4), np.asarray(W)), dynamic_batch=wanted)
