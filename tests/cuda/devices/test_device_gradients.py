"""Gradients on simulated devices: the same rows as on the CPU, and its results to rounding."""

import random

import numpy as np
import pytest
from kernel_bench import EVERYTHING
from table import MAPS, REDUCTIONS, params_of, sample

import nd4py as nd
from nd4py.cuda.compile import row_kernels
from nd4py.cuda.fallback import counts

pytestmark = pytest.mark.usefixtures("simulator")
ROUNDING = {"float32": 2e-6, "float64": 4e-15}
DIFFERENTIABLE = [
    (op, i) for op in MAPS if len(op.outputs) == 1 for i in range(len(op.args)) if i < len(op.vjp) and op.vjp[i]
]
SAMPLE = DIFFERENTIABLE if EVERYTHING else random.Random(20).sample(DIFFERENTIABLE, 20)
REDUCED = [op for op in REDUCTIONS if op.vjp and op.family == "reduce"]

WEIGHTS = np.asarray([[1.0, 2.0, -1.0, 0.5], [3.0, 0.0, 1.0, 1.0], [0.5, 1.0, 1.0, 2.0]], "float32")


def on(values, device="cuda:0"):
    return nd.asarray(values, device=device)


def numpy_of(x):
    return np.asarray(x.to_device("cpu"))


def assert_same_gradients(function, *operands, rtol, atol=None):
    """Value and gradients of `function` on the device against the CPU's; the gradients stay on the device."""
    numbers = tuple(range(len(operands)))
    want, want_gradients = nd.value_and_grad(function, numbers)(*(nd.asarray(x) for x in operands))
    got, gradients = nd.value_and_grad(function, numbers)(*(on(x) for x in operands))
    np.testing.assert_allclose(float(got), float(want), rtol=64 * rtol, atol=64 * rtol)
    for x, g, expected in zip(operands, gradients, want_gradients, strict=True):
        assert g.device == "cuda:0"
        assert g.dtype == x.dtype
        assert g.shape == x.shape
        expected = np.asarray(expected)
        slack = 8 * rtol * np.abs(expected).max(initial=0) if atol is None else atol
        np.testing.assert_allclose(numpy_of(g), expected, rtol=32 * rtol, atol=slack)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("op, i", SAMPLE, ids=lambda item: getattr(item, "name", item))
def test_rows(op, i, dtype):
    inputs = [x.reshape(6, 5) for x in sample(op, dtype, n=30, seed=5)]
    weights = np.linspace(-1, 1, 30).reshape(6, 5).astype(dtype)

    def function(x):
        beside = nd.asarray if x.device == "cpu" else on
        operands = [beside(value) for value in inputs]
        operands[i] = x
        return nd.sum(getattr(nd, op.name)(*operands, **params_of(op)) * beside(weights))

    assert_same_gradients(function, inputs[i], rtol=ROUNDING[dtype])


def test_the_sample_is_of_rows_of_every_kind():
    assert {len(op.args) for op, _ in SAMPLE} >= {1, 2}
    assert any(i == 1 for _, i in SAMPLE)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("op", REDUCED, ids=lambda op: op.name)
def test_reductions(op, dtype):
    x = sample(op, dtype, n=24, seed=6)[0].reshape(2, 3, 4)

    def function(x):
        reduced = getattr(nd, op.name)
        return nd.sum(reduced(x, axis=1, keepdims=True) * x) + nd.sum(reduced(x, axis=(0, 2))) + reduced(x)

    assert_same_gradients(function, x, rtol=ROUNDING[dtype])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "function",
    [
        lambda x: nd.sum(nd.square(x.reshape(6, 4)[1:3])),
        lambda x: nd.sum(nd.square(x.permute_dims((2, 0, 1))) * x.permute_dims((2, 0, 1))),
        lambda x: nd.sum(nd.square(x.permute_dims((2, 1, 0)).reshape(-1)[::3])),
        lambda x: nd.sum(nd.square(x[1, ::2, None, ::-1])),
        lambda x: nd.sum(nd.square(nd.broadcast_to(x[0], (5, 3, 4)))),
        lambda x: nd.sum(x * x[0] * x[:, :1] * x[0, 0, 0]),
        lambda x: nd.sum(nd.square(nd.concat([x, x[:, :1] * 2.0, x], axis=1))),
        lambda x: nd.sum(nd.square(nd.stack([x, x * 2.0], axis=-1))),
        lambda x: nd.sum(x.copy() * x.astype("float64").astype("float32")),
        lambda x: nd.sum(nd.flip(x) * x.mT.mT),
        lambda x: nd.sum(2.0 / (1.0 + x * x) - 3.0 * x),
        lambda x: nd.sum(-x + abs(x) ** 1.5 / (x * x + 1.0) - +x),
        lambda x: nd.sum(x * x * x + x * x) + nd.sum(x[0] * 2.0),
        lambda x: nd.sum(nd.where(x > 0.8, x * x, 3.0 * x)),
        lambda x: nd.sum(nd.softmax(x) * x) + nd.sum(nd.softmax(x, axis=(0, 2)) * x),
        lambda x: nd.sum(nd.log_softmax(x, axis=1) * x),
        lambda x: nd.sum(nd.logsumexp(x, axis=1) * nd.logsumexp(x)),
        lambda x: nd.sum(nd.var(x, axis=2, correction=1.0) + nd.std(x, axis=2)),
        lambda x: nd.sum(nd.layer_norm(x, x[0, 0], x[1, 0]) * x),
        lambda x: nd.sum(nd.rms_norm(x, x[0, 0]) * x),
        lambda x: nd.sum(nd.cumulative_sum(x, axis=1) * nd.cumulative_prod(x, axis=0, include_initial=True)[1:]),
    ],
    ids=["reshape", "permute", "strided reshape", "getitem", "broadcast", "operand broadcast", "concat", "stack",
         "copy and cast", "flip", "scalars", "operators", "reused", "where", "softmax", "log_softmax", "logsumexp",
         "var", "layer_norm", "rms_norm", "scans"],
)  # fmt: skip
def test_views_and_functions(function, dtype):
    x = np.random.default_rng(1).uniform(0.3, 1.3, (2, 3, 4)).astype(dtype)
    rounding = ROUNDING["float32"] if dtype == "float32" else 2e-7 if "float32" in str(function) else ROUNDING[dtype]
    assert_same_gradients(function, x, rtol=rounding, atol=None if dtype == "float64" else 1e-4)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "shapes",
    [((3, 4), (4, 5)), ((2, 3, 4), (4, 5)), ((2, 1, 3, 4), (5, 4, 2)), ((4,), (4, 3)), ((3, 4), (4,))],
    ids=str,
)
def test_products(shapes, dtype):
    a, b = (np.random.default_rng(i).normal(size=shape).astype(dtype) for i, shape in enumerate(shapes))
    assert_same_gradients(lambda x, y: nd.sum(nd.square(x @ y)), a, b, rtol=ROUNDING[dtype])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_elements_taken_several_times(dtype):
    x = np.random.default_rng(3).normal(size=(3, 4, 5)).astype(dtype)
    for axis in (0, 1, 2):

        def function(x, axis=axis):
            indices = nd.asarray([[2, 0], [2, -1]], device=x.device)
            return nd.sum(nd.square(nd.take(x, indices, axis=axis)) + nd.take(x, indices, axis=axis)) + nd.sum(
                x[indices]
            )

        assert_same_gradients(function, x, rtol=ROUNDING[dtype])


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize(
    "function",
    [
        lambda x, a: nd.sum(nd.square(nd.sort(x, axis=1)) * a(WEIGHTS)),
        lambda x, a: nd.sum(nd.square(nd.sort(x, axis=0, descending=True))[0]),
        lambda x, a: nd.sum(nd.square(nd.sort(x, axis=None))[3:9]),
        lambda x, a: nd.sum(nd.square(nd.topk(x, 2, axis=0).values)) - nd.sum(nd.topk(x, 3, largest=False).values),
        lambda x, a: nd.sum(nd.square(nd.take_along_axis(x, nd.argsort(x), axis=-1))[..., 1]),
        lambda x, a: nd.sum(nd.square(nd.take_along_axis(x, a([[[0], [2], [2], [-1], [2]]]), axis=1))),
        lambda x, a: nd.sum(nd.square(nd.take_along_axis(x[:, :1], a(np.ones((2, 3, 4), int)), axis=2))),
        lambda x, a: nd.sum(nd.square(nd.take_along_axis(x, a([5, 5, -1]), axis=None))),
        lambda x, a: nd.sum(nd.square(x[a([0, 1, 1, 0]), a([2, -1, 2, 2])])),
        lambda x, a: nd.sum(nd.square(x[a([0, 1]), :, a([[3], [3]])]) + x[0, 0, 0]),
        lambda x, a: nd.sum(nd.square(x[:, [0, 0], ::2])),
        lambda x, a: nd.sum(nd.square(x[1, None, a([2, 2]), 1:])),
        lambda x, a: nd.sum(nd.square(x[nd.stop_gradient(x) > 0.8])),
        lambda x, a: nd.sum(nd.square(x[:, nd.stop_gradient(x)[0] > 0.8])),
        lambda x, a: nd.sum(nd.square(nd.median(x, axis=1))) + nd.quantile(x, 0.3),
        lambda x, a: nd.sum(nd.square(nd.index_add(x, a([0, 0, 1]), x[[1, 1, 0]]))),
    ],
    ids=["sort", "descending", "flat sort", "topk", "argsort", "take_along", "broadcast lines", "flat take_along",
         "two arrays", "arrays apart", "a list", "beside ints", "mask", "mask of axes", "quantiles", "index_add"],
)  # fmt: skip
def test_order_and_keys_of_arrays(function, dtype):
    values = np.random.default_rng(9).permutation(24).reshape(2, 3, 4) / 16
    assert_same_gradients(
        lambda x: function(x, lambda y: nd.asarray(np.asarray(y), device=x.device)),
        values.astype(dtype),
        rtol=2e-3 if dtype == "float16" else ROUNDING[dtype],
    )


def test_halves_and_structures():
    x = on(np.asarray([0.5, 2.0], "float16"))
    g = nd.grad(lambda x: nd.sum(nd.square(x).astype("float64")))(x)
    assert g.dtype == "float16"
    assert g.tolist() == [1.0, 4.0]
    params = {"w": on([1.0, 2.0]), "layers": [on(3.0), (on([4.0]),)]}
    value, g = nd.value_and_grad(lambda p: nd.sum(p["w"]) * p["layers"][0] + nd.sum(p["layers"][1][0]))(params)
    assert float(value) == 13.0
    assert g["w"].tolist() == [3.0, 3.0]
    assert g["layers"][1][0].device == "cuda:0"


def test_no_dependence_is_zero():
    x = on([1.0, 2.0])
    found = nd.grad(lambda x: nd.sum(nd.ones(2, device="cuda:0")))(x)
    assert (found.tolist(), found.device) == ([0.0, 0.0], "cuda:0")
    assert nd.grad(lambda x: nd.sum(nd.floor(x)))(x).tolist() == [0.0, 0.0]
    assert nd.grad(lambda x: nd.sum(nd.stop_gradient(x) * x))(x).tolist() == [1.0, 2.0]


def test_gradients_cross_devices():
    x = nd.asarray([1.0, 2.0])
    g = nd.grad(lambda x: nd.sum(nd.square(x.to_device("cuda:1").to_device("cuda:0") * 2.0)).to_device("cpu"))(x)
    assert (g.tolist(), g.device) == ([8.0, 16.0], "cpu")


@pytest.mark.parametrize(
    "function, error, text",
    [
        (lambda x: x, ValueError, "must return one number"),
        (lambda x: nd.sum(x > 0.0), TypeError, "must return a floating array"),
        (lambda x: nd.sum(x.__iadd__(1.0)), ValueError, "cannot be written in place"),
        (lambda x: x.__setitem__(0, 1.0), ValueError, "gradients do not flow"),
        (lambda x: nd.zeros(3, device="cuda:0").__setitem__(..., x), ValueError, "gradients do not flow"),
        (lambda x: nd.sum(nd.add(x, x, out=nd.ones(3, device="cuda:0"))), ValueError, "out= cannot be used"),
        (lambda x: nd.sum(nd.adam_step(x, x, x, lr=0.1, b1=0.9, b2=0.9, c1=1.0, c2=1.0, eps=0.1)[0]),
         NotImplementedError, "rows with multiple results have no gradient"),
    ],
)  # fmt: skip
def test_refusals(function, error, text):
    with pytest.raises(error, match=text):
        nd.grad(function)(on(np.ones(3)))


@pytest.mark.parametrize("write", [
    lambda w: w.__setitem__(0, 5.0), lambda w: w.__iadd__(1.0), lambda w: w.__setitem__(w > 1.5, 0.0),
    lambda w: w[:1].__setitem__(0, 5.0), lambda w: nd.exp(w, out=w),
], ids=["assignment", "operator", "mask", "view", "out"])  # fmt: skip
def test_an_overwritten_operand_is_an_error_not_a_wrong_gradient(write):
    w = on([1.0, 2.0])

    def function(x):
        y = nd.sum(x * w)
        write(w)
        return y

    with pytest.raises(ValueError, match="written in place after its use"):
        nd.grad(function)(on([3.0, 4.0]))


@pytest.mark.filterwarnings("ignore::nd4py.cuda.HostFallbackWarning")
def test_gradients_of_rows_that_fall_back_on_the_host(monkeypatch):
    def without(name, dtype):
        raise TypeError(f"{name} of {dtype} has no kernel today")

    monkeypatch.setattr(row_kernels, "row_kernels", without)
    row_kernels.found_kernels.cache_clear()
    counts.clear()  # of what fell back in other files' tests
    before = nd.cuda.fallback("host")
    try:
        x = np.linspace(0.5, 1.0, 1013)  # of a size that nothing was planned for before
        assert_same_gradients(lambda x: nd.sum(nd.tan(x) * x), x, rtol=1e-15)
        assert nd.cuda.fallbacks()["tan"] == nd.cuda.fallbacks()["sum"] == 1
    finally:
        nd.cuda.fallback(before)
        row_kernels.found_kernels.cache_clear()
        counts.clear()
