"""Attention as a function: against NumPy, central differences, masks, threads, strides."""

import numpy as np
import pytest
from central_differences import central_difference

import nd4py as nd

SHAPES = [
    ((), 3, 4, 5, 6), ((2,), 5, 5, 4, 4), ((2, 3), 100, 130, 20, 9), ((1, 2), 1, 70, 33, 40), ((2, 1), 50, 20, 8, 100),
    ((2, 2, 3), 4, 6, 3, 2), ((1, 1), 900, 64, 8, 16),
]  # fmt: skip


def operands(stack, n_queries, n_keys, size, value_size, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(*stack, *sizes)) for sizes in ((n_queries, size), (n_keys, size), (n_keys, value_size))]


def reference(q, k, v, mask=None, causal=False, scale=None):
    """softmax(q k^T * scale) v over the keys that are seen; 0 where none is."""
    scores = q @ k.swapaxes(-1, -2) * (1 / np.sqrt(q.shape[-1]) if scale is None else scale)
    seen = np.ones(scores.shape, bool) if mask is None else np.broadcast_to(mask, scores.shape) != 0
    if causal:
        seen = seen & np.tri(scores.shape[-2], scores.shape[-1], scores.shape[-1] - scores.shape[-2], dtype=bool)
    weights = np.where(seen, np.exp(scores - scores.max(initial=0)), 0)
    total = weights.sum(-1, keepdims=True)
    return weights / np.where(total == 0, 1, total) @ v


def masks_of(q, k, rng):
    """None, one for keys, one for all pairs, and one with a query that sees nothing."""
    pairs = rng.random((q.shape[-2], k.shape[-2])) < 0.6
    pairs[-1] = False
    return [None, rng.random(k.shape[-2]) < 0.7, pairs, rng.random((*q.shape[:-1], k.shape[-2])) < 0.5]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("causal", [False, True])
def test_values(shape, causal, instruction_set):
    q, k, v = operands(*shape)
    for mask in masks_of(q, k, np.random.default_rng(1)):
        given = None if mask is None else nd.asarray(mask)
        got = nd.dot_product_attention(*map(nd.asarray, (q, k, v)), mask=given, causal=causal)
        np.testing.assert_allclose(np.asarray(got), reference(q, k, v, mask, causal), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("number", range(4))
def test_gradients_against_central_differences(causal, number, instruction_set):
    given = operands((2, 2), 4, 5, 3, 2)
    mask, weights = (
        masks_of(*given[:2], np.random.default_rng(1))[number],
        np.random.default_rng(2).normal(size=(2, 2, 4, 2)),
    )
    mask = None if mask is None else nd.asarray(mask)

    def function(*arrays):
        return nd.sum(nd.dot_product_attention(*arrays, mask=mask, causal=causal) * nd.asarray(weights))

    got = nd.grad(function, (0, 1, 2))(*map(nd.asarray, given))
    for i in range(3):

        def moved(value, i=i):
            return float(function(*[nd.asarray(value if j == i else x) for j, x in enumerate(given)]))

        np.testing.assert_allclose(np.asarray(got[i]), central_difference(moved, given[i]), rtol=2e-6, atol=1e-8)


@pytest.mark.parametrize("shape", SHAPES[2:], ids=str)
@pytest.mark.parametrize("causal", [False, True])
def test_gradients_of_blocks_are_those_of_all_pairs(shape, causal):
    """Over several blocks; the matrix of all pairs is made of differentiable functions."""
    q, k, v = map(nd.asarray, operands(*shape))
    mask = nd.asarray(masks_of(q, k, np.random.default_rng(1))[2])
    seen = np.asarray(mask)
    if causal:
        seen = seen & np.tri(*seen.shape, seen.shape[1] - seen.shape[0], dtype=bool)
    seen = nd.asarray(seen)

    def of_all_pairs(q, k, v):
        scores = nd.where(seen, q @ k.mT / np.sqrt(q.shape[-1]), -1e30)
        return nd.sum((nd.where(seen, nd.softmax(scores), 0.0) @ v) ** 2)

    def of_blocks(q, k, v):
        return nd.sum(nd.dot_product_attention(q, k, v, mask=mask, causal=causal) ** 2)

    for one, other in zip(
        nd.grad(of_blocks, (0, 1, 2))(q, k, v), nd.grad(of_all_pairs, (0, 1, 2))(q, k, v), strict=True
    ):
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-10, atol=1e-12)


def test_operands_of_any_strides():
    rng = np.random.default_rng(0)
    q, k, v = (nd.asarray(rng.normal(size=(2, 20, 3, 8))) for _ in range(3))
    for axes in ((0, 2, 1, 3), (2, 0, 1, 3), (0, 2, 3, 1)):
        views = [nd.permute_dims(x, axes)[..., ::-1, :] for x in (q, k, v)]
        want = reference(*map(np.asarray, views))
        np.testing.assert_allclose(np.asarray(nd.dot_product_attention(*views)), want, rtol=1e-12, atol=1e-13)
    one = nd.broadcast_to(k[:, :1], k.shape)
    got = nd.dot_product_attention(q, one, v)
    np.testing.assert_allclose(np.asarray(got), reference(*map(np.asarray, (q, one, v))), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("dtype, tolerance", [("float16", 2e-3), ("bfloat16", 2e-2), ("float32", 1e-5)])
def test_dtypes(dtype, tolerance):
    given = [nd.asarray(x).astype(dtype) for x in operands((2,), 70, 70, 16, 8)]
    got = nd.dot_product_attention(*given)
    assert got.dtype == dtype
    want = reference(*[np.asarray(x.astype("float64")) for x in given])
    np.testing.assert_allclose(np.asarray(got.astype("float64")), want, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_bits_do_not_depend_on_threads(dtype):
    given = [nd.asarray(x).astype(dtype) for x in operands((1, 3), 900, 300, 24, 40)]

    def results():
        function = nd.value_and_grad(lambda *a: nd.sum(nd.dot_product_attention(*a, causal=True) ** 2), (0, 1, 2))
        value, gradients = function(*given)
        return [np.asarray(y) for y in (value, nd.dot_product_attention(*given), *gradients)]

    with nd.threads(1):
        want = results()
    with nd.threads(2):
        for one, other in zip(results(), want, strict=True):
            np.testing.assert_array_equal(one, other)


def test_large_scores_do_not_overflow():
    q = nd.asarray([[300.0, 0.0]]) * 100.0
    got = nd.dot_product_attention(
        q, nd.asarray([[1.0, 0.0], [2.0, 0.0], [-9.0, 0.0]]), nd.asarray([[1.0], [2.0], [3.0]])
    )
    assert got.tolist() == [[2.0]]


def test_nans_are_not_hidden():
    q, k, v = map(nd.asarray, operands((), 70, 70, 4, 4))
    q[3, 0] = np.nan
    got = np.asarray(nd.dot_product_attention(q, k, v))
    assert np.isnan(got[3]).all()
    assert not np.isnan(got[[2, 4]]).any()


@pytest.mark.parametrize("sizes", [(0, 3, 4, 5), (3, 0, 4, 5), (3, 4, 0, 5), (3, 4, 5, 0)], ids=str)
def test_empty(sizes):
    given = [nd.asarray(x) for x in operands((2,), *sizes)]
    want = reference(*map(np.asarray, given), scale=1.0)
    np.testing.assert_allclose(np.asarray(nd.dot_product_attention(*given, scale=1.0)), want)
    gradients = nd.grad(lambda *a: nd.sum(nd.dot_product_attention(*a) ** 2), (0, 1, 2))(*given)
    assert [g.shape for g in gradients] == [x.shape for x in given]


def test_memory_grows_with_the_lengths_and_not_with_their_product():
    """All pairs of 6,000 steps are 144 MB in float32; gradients and all take less than 20."""
    given = [nd.asarray(x).astype("float32") for x in operands((1, 1), 6000, 6000, 32, 32)]
    nd.memory.reset_peak()
    before = nd.memory.stats().live_bytes
    nd.grad(lambda *a: nd.sum(nd.dot_product_attention(*a)), (0, 1, 2))(*given)
    assert nd.memory.stats().peak_live_bytes - before < 20e6


@pytest.mark.parametrize("is_causal", [False, True])
def test_batches_of_batches(is_causal):
    q, k, v = map(nd.asarray, operands((3, 2), 5, 6, 4, 4))

    def each(q, k, v):
        return nd.dot_product_attention(q, k, v, causal=is_causal)

    def gradient(q, k, v):
        return nd.grad(lambda q: nd.sum(each(q, k, v) ** 2))(q)

    for function in (each, gradient):
        want = nd.stack([function(q[i], k[i], v[i]) for i in range(3)])
        np.testing.assert_allclose(np.asarray(nd.vmap(function)(q, k, v)), np.asarray(want), rtol=1e-11, atol=1e-13)


def test_graphs():
    q, k, v = map(nd.asarray, operands((2, 2), 5, 6, 4, 4))
    graph = nd.capture(lambda q: nd.dot_product_attention(q, k, v) * 2.0, q)
    np.testing.assert_array_equal(np.asarray(graph(q * 3.0)), np.asarray(nd.dot_product_attention(q * 3.0, k, v) * 2.0))


Q, K, V = nd.ones((2, 3, 4)), nd.ones((2, 5, 4)), nd.ones((2, 5, 6))


@pytest.mark.parametrize(
    "function, error, words",
    [
        (lambda: nd.dot_product_attention(Q, K[:1], V), ValueError, r"q must be \(..., queries, size\), k .* given"),
        (lambda: nd.dot_product_attention(Q, K, Q), ValueError, r"given \(2, 3, 4\), \(2, 5, 4\) and \(2, 3, 4\)"),
        (lambda: nd.dot_product_attention(Q[0, 0], K, V), ValueError, r"given \(4,\)"),
        (lambda: nd.dot_product_attention(Q.astype("int32"), K, V), TypeError, "no int32 loop"),
        (
            lambda: nd.dot_product_attention(Q, K, V, mask=nd.ones((3, 4))),
            ValueError,
            r"mask must broadcast to \(2, 3, 5\)",
        ),
        (lambda: nd.dot_product_attention(Q, K, V, mask=[1, 0]), TypeError, "mask must be an array, given list"),
        (lambda: nd.dot_product_attention(Q, K, V, scale="1"), TypeError, "dot_product_attention: scale must be"),
    ],
)
def test_refusals(function, error, words):
    with pytest.raises(error, match=words):
        function()
