"""Random programs of operations that graphs hold, and inputs for them."""

import numpy as np

import nd4py as nd

DTYPES = ("float32", "float64", "float16", "bfloat16", "int32", "bool", "complex64")
FLOATS = ("float32", "float64")


def sample(rng, shape, dtype):
    """An array of small numbers."""
    values = rng.integers(-4, 5, size=shape) / 2
    return nd.astype(nd.asarray(np.asarray(values, dtype="float64")), dtype)


def laid_out(rng, x):
    """The same elements in another layout, sometimes."""
    kind = rng.integers(0, 4)
    if kind == 0 and x.ndim > 1:
        return nd.permute_dims(nd.permute_dims(x, tuple(range(x.ndim))[::-1]).copy(), tuple(range(x.ndim))[::-1])
    if kind == 1 and x.ndim:
        return nd.flip(nd.flip(x).copy())
    if kind == 2 and x.ndim:
        return nd.concat([x, x], axis=-1).copy()[..., : x.shape[-1]]
    return x


def mixed(a, b):
    """Two float arrays whose rows fit: a broadcast sum, or the array alone."""
    return a + b if a.shape[-1:] == b.shape[-1:] else a


UNARY = (
    lambda x: nd.tanh(x), lambda x: x * 2.5, lambda x: 1.0 - x, lambda x: nd.exp(-nd.abs(x)), lambda x: nd.relu(x),
    lambda x: x.T, lambda x: x.reshape(-1, x.shape[0]).copy(), lambda x: x[::-1], lambda x: x[:, ::2],
    lambda x: nd.softmax(x, axis=1), lambda x: nd.softmax(x, axis=0), lambda x: nd.log_softmax(x),
    lambda x: nd.layer_norm(x), lambda x: x - x.mean(axis=1, keepdims=True), lambda x: x / (1 + x.sum(axis=0) ** 2),
    lambda x: nd.concat([x, x * x], axis=0), lambda x: nd.stack([x[0], x[-1]]), lambda x: nd.clip(x, -1, 1),
    lambda x: nd.where(x > 0, x, 0.1 * x), lambda x: nd.leaky_relu(x, alpha=0.3), lambda x: x @ x.T, lambda x: x.T @ x,
    lambda x: x.max(axis=0, keepdims=True) + x, lambda x: nd.var(x, axis=1, keepdims=True) * x,
    lambda x: x.astype("float16").astype("float32"), lambda x: x.astype("float64") + 1, lambda x: nd.zeros_like(x) + x,
    lambda x: nd.logsumexp(x, axis=1)[:, None] + x, lambda x: x.copy(), lambda x: nd.broadcast_to(x[0], x.shape) * x,
    lambda x: written_in_place(x),
)  # fmt: skip


def written_in_place(x):
    """In-place operations on an array of the function's own."""
    y = x * 2
    y += x
    y[0] = x[-1] * 3
    return y


def program(seed, n_steps):
    """A function of two matrices that does some of the above, and returns several arrays."""

    def run(x, w):
        rng = np.random.default_rng(seed)
        values = [x, w]
        for _ in range(n_steps):
            value = values[rng.integers(0, len(values))]
            value = UNARY[rng.integers(0, len(UNARY))](value)
            other = values[rng.integers(0, len(values))]
            value = mixed(value, other[:1]) if rng.random() < 0.3 else value
            if value.size and value.size < 200_000:
                values.append(value)
        return values[-1], {"all": values[2:], "total": values[-1].sum()}

    return run


def arrays_of(result):
    """The arrays of a result, in order."""
    if isinstance(result, dict):
        return [array for item in result.values() for array in arrays_of(item)]
    if isinstance(result, tuple | list):
        return [array for item in result for array in arrays_of(item)]
    return [result]


def assert_same(results, expected):
    """Arrays of the same shapes, dtypes and bits."""
    results, expected = arrays_of(results), arrays_of(expected)
    assert len(results) == len(expected)
    for x, y in zip(results, expected, strict=True):
        assert (x.shape, x.dtype, x.tobytes()) == (y.shape, y.dtype, y.tobytes())
