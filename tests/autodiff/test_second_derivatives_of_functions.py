"""Gradients of gradients of every function that states its own gradient, against central differences."""

import numpy as np
import pytest

import nd4py as nd

STEP = 1e-5
RNG = np.random.default_rng(7)


def numbers(*shape):
    return RNG.normal(size=shape)


def positive_definite(n):
    a = numbers(n, n)
    return a @ a.T + n * np.eye(n)


def symmetric(x):
    return (x + x.mT) / 2


def last(result):
    return result[0] if isinstance(result, tuple) else result


SEQUENCE = numbers(2, 3, 2)
MASK = nd.asarray([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0]])
INDICES = nd.asarray([[2, 0], [1, 2]])
# A function of the arrays behind it.
FUNCTIONS = {
    "index arrays": (lambda x: x[INDICES] ** 3, numbers(3, 2)),
    "two index arrays": (lambda x: x[INDICES, nd.asarray([0, 1])] ** 3, numbers(3, 2)),
    "mask": (lambda x: x[x > 0] ** 3, numbers(3, 3)),
    "take": (lambda x: nd.take(x, INDICES, axis=1) ** 3, numbers(2, 3)),
    "take_along_axis": (lambda x: nd.take_along_axis(x, INDICES, axis=1) ** 3, numbers(2, 3)),
    "index_add": (lambda x, y: nd.index_add(x, [0, 2, 2], y) ** 3, numbers(3), numbers(3)),
    "sort": (lambda x: nd.sort(x, axis=0) ** 3, numbers(4, 2)),
    "topk": (lambda x: nd.topk(x, 2).values ** 3, numbers(2, 4)),
    "concat": (lambda x, y: nd.concat([x, y * y, x], axis=1) ** 3, numbers(2, 2), numbers(2, 1)),
    "stack": (lambda x, y: nd.stack([x, y]) ** 3, numbers(3), numbers(3)),
    "pad": (lambda x: nd.pad(x, ((1, 0), (0, 2)), constant_values=2.0) ** 3, numbers(2, 2)),
    "reflected": (lambda x: nd.pad(x, 1, mode="reflect") ** 3, numbers(3, 3)),
    "roll": (lambda x: nd.roll(x, (1, 2), axis=(0, 1)) ** 3, numbers(3, 3)),
    "flip": (lambda x: nd.flip(x) ** 3, numbers(3)),
    "repeat": (lambda x: nd.repeat(x, 2) ** 3, numbers(3)),
    "tile": (lambda x: nd.tile(x, (2, 1)) ** 3, numbers(2, 2)),
    "diag": (lambda x: nd.diag(x, 1) ** 3, numbers(3)),
    "diagonal": (lambda x: nd.linalg.diagonal(x) ** 3, numbers(3, 3)),
    "trace": (lambda x: nd.trace(x) ** 3, numbers(3, 3)),
    "bincount": (lambda x: nd.bincount(nd.asarray([0, 2, 0]), weights=x) ** 3, numbers(3)),
    "histogram": (lambda x: nd.histogram(nd.asarray([0.1, 0.9, 0.4]), 2, weights=x)[0] ** 3, numbers(3)),
    "cumulative_sum": (lambda x: nd.cumulative_sum(x, axis=1) ** 3, numbers(2, 5)),
    "cumulative_sum with initial": (lambda x: nd.cumulative_sum(x, include_initial=True) ** 3, numbers(5)),
    "cumulative_prod": (lambda x: nd.cumulative_prod(x, axis=0) ** 2, numbers(5, 2)),
    "cumulative_prod of zeros": (lambda x: nd.cumulative_prod(x) ** 2, np.asarray([0.5, 0.0, 2.0, 0.0, 3.0])),
    "cumulative_max": (lambda x: nd.cumulative_max(x) ** 3, numbers(6)),
    "cumulative_min": (lambda x: nd.cumulative_min(x) ** 3, numbers(6)),
    "log_cumulative_sum_exp": (lambda x: nd.log_cumulative_sum_exp(x) ** 2, numbers(6)),
    "var": (lambda x: nd.var(x, axis=0, correction=1) ** 2, numbers(4, 2)),
    "std": (lambda x: nd.std(x, axis=0) ** 2, numbers(4, 2)),
    "layer_norm": (lambda x, s, b: nd.layer_norm(x, s, b) ** 2, numbers(2, 4), numbers(4), numbers(4)),
    "layer_norm of two axes": (lambda x: nd.layer_norm(x, axis=(1, 2)) ** 3, numbers(2, 2, 3)),
    "rms_norm": (lambda x, s: nd.rms_norm(x, s) ** 2, numbers(2, 4), numbers(4)),
    "rms_norm of two axes": (lambda x: nd.rms_norm(x, axis=(1, 2)) ** 3, numbers(2, 2, 3)),
    "convolve": (lambda x, y: nd.convolve(x, y) ** 2, numbers(4), numbers(3)),
    "interp": (lambda y: nd.interp(nd.asarray([0.3, 1.2]), nd.asarray([0.0, 1.0, 2.0]), y) ** 3, numbers(3)),
    "max_pool2d": (lambda x: nd.max_pool2d(x, (2, 3), stride=(2, 1), padding=1) ** 3, numbers(1, 2, 4, 5)),
    "avg_pool2d": (lambda x: nd.avg_pool2d(x, 2, stride=1, padding=(1, 0, 0, 1)) ** 3, numbers(1, 2, 3, 3)),
    "max_pool3d": (lambda x: nd.max_pool3d(x, 2, stride=1) ** 3, numbers(1, 1, 3, 3, 2)),
    "avg_pool3d": (lambda x: nd.avg_pool3d(x, 2, stride=1) ** 3, numbers(1, 1, 3, 3, 2)),
    "conv2d": (lambda x, w: nd.conv2d(x, w, padding=1) ** 2, numbers(1, 2, 3, 3), numbers(2, 2, 2, 2)),
    "cholesky": (lambda x: nd.linalg.cholesky(symmetric(x)) ** 2, positive_definite(3)),
    "qr": (lambda x: nd.linalg.qr(x).R ** 2, numbers(4, 3)),
    "qr of wide matrices": (lambda x: nd.linalg.qr(x).Q ** 3, numbers(2, 3)),
    "svd": (lambda x: nd.linalg.svd(x, full_matrices=False).U ** 2, numbers(3, 3)),
    "svdvals": (lambda x: nd.linalg.svdvals(x) ** 3, numbers(3, 2)),
    "eigh": (lambda x: nd.linalg.eigh(symmetric(x)).eigenvectors ** 2, positive_definite(3)),
    "eigvalsh": (lambda x: nd.linalg.eigvalsh(symmetric(x)) ** 2, positive_definite(3)),
    "solve": (lambda a, b: nd.linalg.solve(a, b) ** 2, positive_definite(3), numbers(3, 2)),
    "inv": (lambda a: nd.linalg.inv(a) ** 2, positive_definite(3)),
    "pinv": (lambda a: nd.linalg.pinv(a) ** 2, numbers(4, 2)),

    "lstsq": (lambda a, b: nd.linalg.lstsq(a, b)[0] ** 2, numbers(4, 2), numbers(4)),
    "lstsq's residuals": (lambda a, b: nd.linalg.lstsq(a, b)[1] ** 2, numbers(4, 2), numbers(4, 3)),
    "lstsq of wide matrices": (lambda a, b: nd.linalg.lstsq(a, b)[0] ** 2, numbers(2, 3), numbers(2)),
    "det": (lambda a: nd.linalg.det(a) ** 2, numbers(3, 3)),
    "slogdet": (lambda a: nd.linalg.slogdet(a).logabsdet ** 2, numbers(3, 3)),
    "matrix_norm": (lambda a: nd.linalg.matrix_norm(a) ** 3, numbers(3, 2)),
    "einsum": (lambda a, b: nd.einsum("ij,jk->ik", a, b) ** 2, numbers(2, 3), numbers(3, 2)),
    "attention": (lambda q, k, v: nd.dot_product_attention(q, k, v, causal=True) ** 2,
                  numbers(3, 2), numbers(3, 2), numbers(3, 2)),
    "lstm": (lambda x, w, rw: last(nd.lstm(x, w, rw)) ** 2, SEQUENCE, numbers(2, 8), numbers(2, 8)),
    "gru": (lambda x, w, rw: last(nd.gru(x, w, rw)) ** 2, SEQUENCE, numbers(2, 6), numbers(2, 6)),
    "gru with a mask": (lambda x, w, rw: last(nd.gru(x, w, rw, mask=MASK)) ** 2,
                        SEQUENCE, numbers(2, 6), numbers(2, 6)),
    "simple_rnn": (lambda x, w, rw: last(nd.simple_rnn(x, w, rw)) ** 2, SEQUENCE, numbers(2, 2), numbers(2, 2)),
    "to_device": (lambda x: x.to_device("cpu") ** 3, numbers(3)),
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_second_derivatives(name):
    """The gradient of the slope in a random direction, for each operand, in a random direction too."""
    function, *operands = FUNCTIONS[name]
    rng = np.random.default_rng(1)
    first, second = ([nd.asarray(rng.normal(size=x.shape)) for x in operands] for _ in range(2))
    everything = tuple(range(len(operands)))

    def slope(*given):
        found = nd.grad(lambda *given: nd.sum(function(*given)), everything)(*given)
        return sum(nd.sum(g * d) for g, d in zip(found, first, strict=True))

    def moved(by):
        return float(slope(*(nd.asarray(x) + by * d for x, d in zip(operands, second, strict=True))))

    found = nd.grad(slope, everything)(*map(nd.asarray, operands))
    got = float(sum(nd.sum(g * d) for g, d in zip(found, second, strict=True)))
    want = (moved(STEP) - moved(-STEP)) / (2 * STEP)
    assert got == pytest.approx(want, rel=1e-5, abs=1e-6)
