"""Arrays whose operations are deferred, for the tests of op combination."""

import sysconfig

import numpy as np

import nd4py as nd

N = 100_000  # elements: cheap operations on so many are deferred too
VALUES = np.linspace(-3, 3, N)
# Without a GIL another thread may be about to read an array that is written in place: it keeps its memory.
DEFERS_IN_PLACE = not sysconfig.get_config_var("Py_GIL_DISABLED")


def fresh(values=VALUES):
    """An array whose memory nd4py alone knows."""
    return nd.array(values, copy=True)


def is_deferred(x):
    return nd.explain(x) is not None


def equal(x, values):
    np.testing.assert_array_equal(np.asarray(x), values)
