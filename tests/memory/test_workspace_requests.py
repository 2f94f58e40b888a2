"""What creation takes from an arena: the bytes of its result, and nothing for what is needed on the way."""

import numpy as np
import pytest

import nd4py as nd

VALUES = np.arange(10.0)

# Each makes one array, or writes into one that is there.
CREATIONS = {
    "empty": lambda: nd.empty(10),
    "zeros": lambda: nd.zeros((2, 5)),
    "ones": lambda: nd.ones(10),
    "ones of float32": lambda: nd.ones(10, dtype="float32"),
    "ones of float16": lambda: nd.ones(10, dtype="float16"),
    "ones of bool": lambda: nd.ones(10, dtype="bool"),
    "full": lambda: nd.full(10, 3.5),
    "full of int": lambda: nd.full(10, 3),
    "full of a large int": lambda: nd.full(10, 2**63),
    "full of bool": lambda: nd.full(10, True),
    "full of complex": lambda: nd.full(10, 1 + 2j),
    "full of float32": lambda: nd.full(10, 3, dtype="float32"),
    "full of a NumPy scalar": lambda: nd.full(10, np.float32(3)),
    "linspace": lambda: nd.linspace(0, 1, 10),
    "linspace of float32": lambda: nd.linspace(0, 1, 10, dtype="float32"),
    "linspace of complex": lambda: nd.linspace(0, 1j, 10),
    "linspace of complex64": lambda: nd.linspace(0, 1j, 10, dtype="complex64"),
    "arange": lambda: nd.arange(10),
    "arange of floats": lambda: nd.arange(0.0, 5.0, 0.5),
    "arange of float32": lambda: nd.arange(10, dtype="float32"),
    "arange of int8": lambda: nd.arange(10, dtype="int8"),
    "eye": lambda: nd.eye(10),
    "eye of bool": lambda: nd.eye(4, 7, k=2, dtype="bool"),
    "eye of complex": lambda: nd.eye(4, 7, k=-2, dtype="complex64"),
    "eye beyond the matrix": lambda: nd.eye(4, 7, k=-(2**88)),
    "asarray": lambda: nd.asarray([1.0, 2.0, 3.0]),
    "asarray of a scalar": lambda: nd.asarray(3.0),
    "asarray of float32": lambda: nd.asarray([1.0, 2.0, 3.0], dtype="float32"),
    "asarray of float64": lambda: nd.asarray([1, 2, 3], dtype="float64"),
    "asarray of int8": lambda: nd.asarray([1, 2, 3], dtype="int8"),
    "asarray of bools": lambda: nd.asarray([True, False]),
    "copy of NumPy's": lambda: nd.asarray(VALUES, copy=True),
    "conversion of NumPy's": lambda: nd.asarray(VALUES, dtype="float32"),
    "zeros_like": lambda: nd.zeros_like(nd.asarray(VALUES)),
    "ones_like": lambda: nd.ones_like(nd.asarray(VALUES)),
    "full_like": lambda: nd.full_like(nd.asarray(VALUES), 7),
    "empty_like": lambda: nd.empty_like(nd.asarray(VALUES)),
}


@pytest.mark.parametrize("name", CREATIONS)
def test_creation_takes_its_result(name):
    with nd.Workspace("measured", nd.WorkspaceConfiguration(initial_size=1 << 16)) as ws:
        x = CREATIONS[name]()
        x.block() if hasattr(x, "block") else None
        assert x.is_attached()
        assert ws.cycle_allocations == ws.host_offset == (x.nbytes + 15) // 16 * 16
        assert ws.spilled_size == 0
        beside = np.asarray(x).copy()
    with nd.scope_out_of_workspaces():
        np.testing.assert_array_equal(beside, np.asarray(CREATIONS[name]()) if "empty" not in name else beside)


FILLS = {
    "everything": lambda x: x.__setitem__(..., 1.0),
    "an element": lambda x: x.__setitem__((0, 1), 1.0),
    "a row": lambda x: x.__setitem__(0, 1),
    "a slice": lambda x: x.__setitem__((slice(None), slice(0, None, 2)), 2.5),
    "a bool": lambda x: x.__setitem__(..., True),
    "a NumPy scalar": lambda x: x.__setitem__(..., np.float64(2)),
    "half": lambda x: x.__setitem__((slice(None), slice(2, 4)), -1),
}


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16", "complex64", "complex128"])
@pytest.mark.parametrize("name", FILLS)
def test_filling_takes_nothing(name, dtype):
    with nd.Workspace("measured", nd.WorkspaceConfiguration(initial_size=1 << 16)) as ws:
        x = nd.zeros((3, 5), dtype=dtype)
        before = ws.host_offset
        FILLS[name](x)
        assert ws.host_offset == before
        assert np.asarray(x.astype("complex128")).any()


def test_eye_is_numpys():
    for n_rows, n_cols in ((0, 0), (1, 1), (4, 4), (3, 7), (7, 3), (0, 5), (5, 0)):
        for k in (-10, -3, -2, -1, 0, 1, 2, 3, 6, 7, 10, 2**70, -(2**88)):
            want = np.eye(n_rows, n_cols, k=max(-100, min(k, 100)))
            np.testing.assert_array_equal(np.asarray(nd.eye(n_rows, n_cols, k=k)), want)


def test_linspace_is_numpys():
    for dtype in ("float64", "float32", "complex128", "complex64", "int64"):
        for num in (0, 1, 2, 50):
            for endpoint in (True, False):
                want = np.linspace(1, 5, num, endpoint=endpoint, dtype=dtype)
                if dtype == "int64" and not endpoint:
                    continue
                got = np.asarray(nd.linspace(1, 5, num, endpoint=endpoint, dtype=dtype))
                np.testing.assert_allclose(got, want, rtol=1e-6)


def test_scalars_of_masks_and_indices_are_beside_the_arena():
    """The scalar itself; the masks and positions of such calls are of the scope."""
    with nd.Workspace("measured", nd.WorkspaceConfiguration(initial_size=1 << 16)) as ws:
        x = nd.zeros(10)
        positions = nd.asarray([1, 2])
        before = ws.host_offset
        x[positions] = 3.0
        assert ws.host_offset == before
        assert x.sum() == 6.0
