"""Interpolation at positions, and between points, in any order in memory."""

import numpy as np
import pytest

import nd4py as nd


@pytest.mark.parametrize("n", [0, 1, 3, 100, 500])
@pytest.mark.parametrize("n_points", [1, 2, 10, 300])
def test_lines_in_steps(n, n_points):
    rng = np.random.default_rng(n)
    x, xp, fp = rng.random(2 * n) * 12 - 1, np.sort(rng.random(2 * n_points)) * 10, rng.random(2 * n_points)
    if n > 2:  # one point alone is not a number either, where NumPy takes it for all
        x[:4] = np.nan if n_points > 1 else 0.5, np.inf, -np.inf, xp[0]
    for step in (1, 2, -1):
        order = slice(None, None, abs(step))
        got = nd.interp(nd.asarray(x)[::step], nd.asarray(xp)[order], nd.asarray(fp)[::step][: len(xp[order])])
        expected = np.interp(x[::step], xp[order], fp[::step][: len(xp[order])])
        np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-12)
    table = nd.interp(nd.asarray(x).reshape(2, n).T, nd.asarray(xp), nd.asarray(fp))
    np.testing.assert_allclose(np.asarray(table), np.interp(x.reshape(2, n).T, xp, fp), rtol=1e-12)
