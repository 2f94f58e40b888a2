"""Quantiles of elements that count as often as weights say, as NumPy's."""

import numpy as np
import pytest

import nd4py as nd

RNG = np.random.default_rng(4)
X = RNG.normal(size=(5, 8))
WEIGHTS = RNG.integers(0, 4, (5, 8)).astype(float)
WEIGHTS[:, 0] = 1
HOLES = np.where(X > 1, np.nan, X)


def spread(weights, axis):
    """Weights of every element: NumPy's functions that skip NaN take no others."""
    weights = np.asarray(weights)
    return weights if weights.ndim == 2 else np.broadcast_to(weights[:, None] if axis == 0 else weights, X.shape)


@pytest.mark.parametrize("name", ["quantile", "nanquantile", "percentile", "nanpercentile"])
@pytest.mark.parametrize("x", [X, X.astype("float32"), (X * 10).astype(int), HOLES], ids=["f8", "f4", "int", "nan"])
@pytest.mark.parametrize("axis, weights", [(None, WEIGHTS), (1, WEIGHTS), (0, [1, 2, 0, 1, 1]), (1, WEIGHTS[0])])
def test_weights(name, x, axis, weights):
    for q in (0.5, [0, 0.2, 0.7, 1], [[0.1], [0.9]]):
        asked = np.asarray(q) * (100 if "percent" in name else 1)
        settings = {"axis": axis, "weights": weights, "method": "inverted_cdf"}
        for keepdims in (False, True):
            with np.errstate(all="ignore"):
                want = getattr(np, name)(x, asked, keepdims=keepdims, **settings | {"weights": spread(weights, axis)})
            got = getattr(nd, name)(nd.asarray(x), asked, keepdims=keepdims, **settings)
            np.testing.assert_array_equal(np.asarray(got), want)


@pytest.mark.parametrize(
    "settings",
    [
        {"weights": [1] * 8},
        {"weights": [1] * 7, "axis": 1},
        {"weights": [-1] * 8, "axis": 1},
        {"weights": [[1] * 8]},
        {"weights": [0] * 8, "axis": 1},
        {"weights": [1] * 7 + [np.inf], "axis": 1},
        {"weights": X * np.nan},
    ],  # fmt: skip
)
def test_mistakes(settings):
    with pytest.raises(ValueError, match="weights"):
        nd.quantile(X, 0.5, **{"method": "inverted_cdf", **settings})
    with pytest.raises(ValueError, match="inverted_cdf"):
        nd.quantile(X, 0.5, weights=WEIGHTS)
