"""dask.array over chunks that are our arrays, which it keeps."""

import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import cloudpickle
import dask
import dask.array as da
import numpy as np
import pytest
from dask.sizeof import sizeof

import nd4py as nd
from nd4py.api.interop.dask_creation import creation
from nd4py.data import DataSet

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


CREATED = {
    "ones": lambda: da.ones((4, 5), chunks=2),
    "zeros": lambda: da.zeros((4, 5), chunks=(2, 5), dtype="float32"),
    "full": lambda: da.full((3, 2), 7, chunks=2),
    "arange": lambda: da.arange(10, chunks=3),
    "ones_like": lambda: da.ones_like(da.zeros(5, chunks=2)),
    "diag": lambda: da.diag(da.arange(3, chunks=3)),
    "stack": lambda: da.stack([da.ones(3), da.zeros(3)]),
}


@pytest.mark.parametrize("name", CREATED)
def test_creation_makes_our_chunks_where_dask_is_told_so(name):
    with dask.config.set({"array.backend": "nd4py"}):
        ours = CREATED[name]()
    want = CREATED[name]()
    assert ours.chunks == want.chunks
    assert ours.dtype == want.dtype
    got = ours.compute(scheduler="sync")
    assert isinstance(ours._meta, nd.NDArray)
    assert isinstance(got, nd.NDArray)
    np.testing.assert_array_equal(np.asarray(got), want.compute(scheduler="sync"))


def test_chunks_of_other_arrays_become_ours_and_numpys_again():
    ours = da.from_array(X, chunks=(4, 5)).to_backend("nd4py")
    assert isinstance((ours + 1).compute(scheduler="sync"), nd.NDArray)
    back = ours.to_backend("numpy")
    assert type(back.compute(scheduler="sync")) is np.ndarray
    np.testing.assert_array_equal(back.compute(scheduler="sync"), X)


def test_the_entry_point_names_the_class():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    module, _, name = project["entry-points"]["dask.array.backends"]["nd4py"].partition(":")
    assert getattr(import_module(module), name) is creation
    assert isinstance(creation().ones(3).compute(scheduler="sync"), nd.NDArray)


def test_dask_knows_the_bytes_of_our_arrays():
    for x in (nd.ones((100, 100)), nd.ones((100, 100)) + 1):
        assert 80_000 <= sizeof(x) < 81_000
    assert 80_000 <= sizeof([DataSet(nd.ones((100, 50)), nd.ones((100, 50)))]) < 82_000


def test_functions_that_use_our_modules_go_to_other_processes():
    """Also those that nobody has used yet: cloudpickle knows modules, and not what stands for one."""
    program = (
        "import cloudpickle, sys, nd4py; from nd4py import nn; f = lambda: nn.Adam(0.1).learning_rate\n"
        "sys.stdout.buffer.write(cloudpickle.dumps(f))"
    )
    pickled = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True).stdout
    assert cloudpickle.loads(pickled)() == 0.1
    assert len(pickled) < 2000
