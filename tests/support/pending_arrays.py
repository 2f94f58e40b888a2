"""Arrays whose operations are put off, for the tests of op combination."""

import numpy as np

import nd4py as nd

N = 100_000  # elements: cheap operations on so many are put off too
VALUES = np.linspace(-3, 3, N)


def fresh(values=VALUES):
    """An array whose memory nd4py alone knows."""
    return nd.array(values, copy=True)


def is_pending(x):
    return nd.explain(x) is not None


def equal(x, values):
    np.testing.assert_array_equal(np.asarray(x), values)
