"""The garbage collector looks at no array that refers to nothing else."""

import gc

import numpy as np

import nd4py as nd


def test_new_arrays_and_elements_are_not_looked_at():
    x = nd.arange(5.0)
    for made in (x, nd.zeros((2, 3)), x + 1.0, x[2], *x, *[nd.ones(2) for _ in range(2000)]):
        assert not gc.is_tracked(made)


def test_arrays_that_refer_to_others_are_looked_at():
    x = nd.asarray(np.arange(5.0), copy=False)
    y = nd.arange(5.0)
    for made in (x, x[1:], y[1:], y.T):
        assert gc.is_tracked(made)
