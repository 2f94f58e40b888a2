"""Reductions of views whose elements lie in short runs, in steps, or in reverse, and work on reversed arrays."""

import numpy as np
import pytest

import nd4py as nd

VIEWS = {
    "every other pixel": lambda x: x[::2, ::2],
    "a column of pixels": lambda x: x[:, 5],
    "a channel": lambda x: x[..., 1],
    "a channel, turned": lambda x: x[:, :, 0].T,
    "channels first": lambda x: x.transpose((2, 0, 1)),
    "reversed": lambda x: x[::-1, ::-1],
    "channels reversed": lambda x: x[..., ::-1],
    "a part": lambda x: x[3:17, 2:12],
    "repeated": lambda x: x[:1].repeat(1, 0)[:, :, :] if isinstance(x, np.ndarray) else x[:1],
    "few": lambda x: x[:3, 1],
}
NAMES = ("sum", "mean", "max", "min", "prod", "any", "all", "var", "std", "count_nonzero", "ptp")


def pixels(dtype):
    a = np.random.default_rng(5).integers(0, 3, (48, 40, 3)).astype(dtype)
    return a - 1 if dtype.startswith("float") else a


@pytest.mark.parametrize("dtype", ["uint8", "int64", "float32", "float64"])
@pytest.mark.parametrize("view", VIEWS)
def test_reductions_along_every_axis(view, dtype):
    a = pixels(dtype)
    wanted, x = VIEWS[view](a), VIEWS[view](nd.array(a))
    for name in NAMES:
        for axis in (None, *range(-1, wanted.ndim), tuple(range(wanted.ndim))[:2]):
            found = getattr(nd, name)(x, axis=axis)
            np.testing.assert_allclose(found, getattr(np, name)(wanted, axis=axis), rtol=2e-5, atol=1e-6)
    for name in ("argmax", "argmin"):
        for axis in (None, *range(-1, wanted.ndim)):
            np.testing.assert_array_equal(getattr(nd, name)(x, axis=axis), getattr(np, name)(wanted, axis=axis))


@pytest.mark.parametrize("view", VIEWS)
def test_programs_that_end_in_a_reduction(view):
    a = np.random.default_rng(6).normal(size=(300, 200, 3))
    wanted, x = VIEWS[view](a), VIEWS[view](nd.array(a))
    np.testing.assert_allclose((x * 2 + 1).sum(), (wanted * 2 + 1).sum())
    np.testing.assert_allclose((x > 0).sum(), (wanted > 0).sum())
    y = x * x
    np.testing.assert_allclose(y.sum(), (wanted * wanted).sum())
    np.testing.assert_array_equal(y, wanted * wanted)
    assert nd.array_equal(x, wanted)


def test_a_graph_has_the_same_bits():
    x = nd.random.Generator(1).normal(size=(300, 200, 3), dtype="float32")
    graph = nd.capture(lambda x: (x[::2, ::2].sum(), x[..., 1].mean(axis=0), x[::-1].var()), x)
    for found, wanted in zip(graph(x), (x[::2, ::2].sum(), x[..., 1].mean(axis=0), x[::-1].var()), strict=True):
        np.testing.assert_array_equal(found, wanted)


def test_nothing_of_it_stays_in_a_workspace():
    x = nd.ones((300, 200, 3))
    with nd.workspace("scattered", nd.WorkspaceConfiguration(initial_size=4096)) as workspace:
        assert float(x[::2, ::2].sum()) == 150 * 100 * 3
        assert workspace.current_size < 10_000  # a copy has 360,000 bytes


@pytest.mark.parametrize("n", [3, 1000, 100_000])
def test_reversed_arrays_are_written_in_place(n):
    a = np.random.default_rng(7).normal(size=(n, 2))
    x, wanted = nd.array(a), a.copy()
    for array in (x, wanted):
        backwards = array[::-1]
        backwards += 1
        backwards *= backwards
        array[::-1, ::-1][...] = array + 1
        backwards[: n // 2] = 0
        array[::-1][1:] -= array[::-1][:-1]
        np.abs(array[::-1], out=array[::-1]) if array is wanted else nd.abs(array[::-1], out=array[::-1])
    np.testing.assert_array_equal(x, wanted)
