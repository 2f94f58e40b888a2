"""One piece of work, done on NumPy's arrays and on ours."""

import numpy as np

import nd4py as nd


def assert_same(got, want, rtol=1e-6, atol=1e-8, *, is_ours=True):
    """`got` has the values of `want`, also inside containers, and its arrays are ours unless told otherwise."""
    if isinstance(want, dict):
        assert got.keys() == want.keys()
        for name in want:
            assert_same(got[name], want[name], rtol, atol, is_ours=is_ours)
    elif isinstance(want, tuple | list):
        assert len(got) == len(want)
        for one, expected in zip(got, want, strict=True):
            assert_same(one, expected, rtol, atol, is_ours=is_ours)
    elif isinstance(want, np.ndarray):
        if is_ours:
            assert isinstance(got, nd.NDArray), f"a {type(got).__name__} came back"
        got = np.asarray(got)
        assert got.shape == want.shape
        np.testing.assert_allclose(got, want, rtol=rtol, atol=atol)
    else:
        np.testing.assert_allclose(np.asarray(got), np.asarray(want), rtol=rtol, atol=atol)


def check(work, *arrays, rtol=1e-6, atol=1e-8, is_ours=True):
    """`work(*arrays)` gives the same for our arrays as for NumPy's."""
    want = work(*arrays)
    got = work(*[nd.asarray(x) if isinstance(x, np.ndarray) else x for x in arrays])
    assert_same(got, want, rtol, atol, is_ours=is_ours)
