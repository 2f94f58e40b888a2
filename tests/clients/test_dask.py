"""dask.array over chunks that are our arrays, which it keeps."""

import numpy as np
import pytest

import nd4py as nd

da = pytest.importorskip("dask.array")

X = np.random.default_rng(0).normal(size=(12, 10))

WORK = {
    "arithmetic": lambda x: (x * 2 + 1) / 3 - x,
    "exp": da.exp,
    "sum": lambda x: x.sum(axis=0),
    "mean": lambda x: x.mean(axis=1),
    "std": lambda x: x.std(),
    "max": lambda x: x.max(axis=0),
    "transpose": lambda x: x.T,
    "matmul": lambda x: x @ x.T,
    "tensordot": lambda x: da.tensordot(x, x, axes=([1], [1])),
    "concatenate": lambda x: da.concatenate([x, x], axis=1),
    "stack": lambda x: da.stack([x, x]),
    "slice": lambda x: x[2:9, ::2],
    "fancy": lambda x: x[[1, 5, 7]],
    "mask": lambda x: x[x[:, 0] > 0],
    "rechunk": lambda x: x.rechunk((3, 10)) + 1,
    "reshape": lambda x: x.reshape(120),
    "where": lambda x: da.where(x > 0, x, 0.0),
    "clip": lambda x: x.clip(-1, 1),
    "cumsum": lambda x: x.cumsum(axis=0),
    "broadcast": lambda x: x + x[0],
    "map_blocks": lambda x: x.map_blocks(lambda block: block * 2),
    "einsum": lambda x: da.einsum("ij,kj->ik", x, x),
    "any": lambda x: (x > 2).any(axis=0),
    "fft": lambda x: da.fft.rfft(x.rechunk((4, 10))),
    "unique": lambda x: da.unique(da.round(x)),
    "diff": lambda x: da.diff(x, axis=0),
    "pad": lambda x: da.pad(x, 1, mode="constant"),
    "roll": lambda x: da.roll(x, 3, axis=0),
    "norm": lambda x: da.linalg.norm(x),
}


def test_argmax_gives_numpys():
    """dask carries values and places of a chunk in a structured array of NumPy's, so NumPy's arrays come back."""
    got = da.from_array(nd.asarray(X), chunks=(4, 5), asarray=False).argmax(axis=1).compute(scheduler="sync")
    np.testing.assert_array_equal(got, X.argmax(axis=1))


@pytest.mark.parametrize("name", WORK)
def test_chunks(name):
    ours = WORK[name](da.from_array(nd.asarray(X), chunks=(4, 5), asarray=False))
    want = WORK[name](da.from_array(X, chunks=(4, 5)))
    got = ours.compute(scheduler="sync")
    np.testing.assert_allclose(np.asarray(got), want.compute(scheduler="sync"))
    assert isinstance(got, nd.NDArray)
