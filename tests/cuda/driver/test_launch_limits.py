"""Limits of blocks and of their threads: what is launched changes with them, the results do not."""

import numpy as np
import pytest

import nd4py as nd


@pytest.fixture
def limits():
    """The configuration, as it was afterwards."""
    config = nd.cuda.config
    before = config.maximum_grid_size, config.maximum_block_size
    yield config
    config.maximum_grid_size, config.maximum_block_size = before


def results(x, indices):
    """Results of kernels of every shape, as bytes."""
    found = [
        x + x, nd.exp(x.T), x[:, ::2] * 2.0, nd.where(x > 0, x, -x), nd.sum(x, axis=0), nd.mean(x), x @ x.T,
        nd.cumulative_sum(x, axis=0), nd.cumulative_sum(x.reshape(-1)), nd.argsort(x, axis=1), x[x > 0.5],
        nd.take(x, indices, axis=1), nd.astype(x, "float32"), nd.full((7,), 3.0, device=x.device),
    ]  # fmt: skip
    return [np.asarray(y.to_device("cpu")).tobytes() for y in found]


def test_results_do_not_depend_on_the_size_of_blocks(simulator, limits):
    x = nd.asarray(np.random.default_rng(0).normal(size=(45, 70)), device="cuda:0")
    indices = nd.asarray([3, 69, -1, 3], device="cuda:0")
    want = results(x, indices)
    for n_threads, n_blocks in ((32, 2**31 - 1), (33, 3), (100, 1), (1024, 2)):
        limits.maximum_block_size, limits.maximum_grid_size = n_threads, n_blocks
        assert results(x, indices) == want


def test_smaller_blocks_are_more(stub, limits):
    x = nd.zeros((5000,), dtype="float32", device="cuda:0")
    shape = (np.ctypeslib.ctypes.c_uint * 7)()
    for n_threads, n_blocks in ((1024, 5), (256, 5), (64, 20)):
        limits.maximum_block_size = n_threads
        x + x  # in packets of 4
        stub.library.last(shape)
        assert (shape[0], shape[3]) == (n_blocks, min(n_threads, 256))


@pytest.mark.parametrize(
    ("value", "error"), [(31, ValueError), (1025, ValueError), (64.0, TypeError), (True, TypeError)]
)
def test_wrong_limits(limits, value, error):
    with pytest.raises(error, match="maximum_block_size"):
        limits.maximum_block_size = value
    assert limits.maximum_block_size == 1024
