"""Gradients against central differences."""

import numpy as np

import nd4py as nd

STEP = 1e-6


def central_difference(f, x):
    """The gradient of f, from NumPy arrays to float, at x."""
    g = np.empty_like(x)
    for i in np.ndindex(x.shape):
        low, high = x.copy(), x.copy()
        low[i] -= STEP
        high[i] += STEP
        g[i] = (f(high) - f(low)) / (2 * STEP)
    return g


def check_gradient(function, x, rtol=2e-6, atol=1e-8):
    """nd.grad of `function`, from arrays to an array without dimensions, against central differences."""
    got = np.asarray(nd.grad(function)(nd.asarray(x)))
    want = central_difference(lambda value: float(function(nd.asarray(value))), x)
    np.testing.assert_allclose(got, want, rtol=rtol, atol=max(atol, 1e-9 * np.abs(want).max(initial=0)))
