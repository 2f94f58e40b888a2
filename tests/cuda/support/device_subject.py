"""nd4py with arrays on a simulated device, as a subject of tests/standard (ND4PY_TEST_SUBJECT=device_subject).

The one thing NumPy may do with such an array is read it, by a copy; tests compare through that.
"""

import numpy
from simulated_devices import default_driver
from simulator.compiler import QUICK

import nd4py
from nd4py import *  # noqa: F403 - a subject is a namespace

nd4py.cuda.use_driver(default_driver(flags=QUICK))
nd4py.set_default_device("cuda:0")
float32, float64, bool = nd4py.float32, nd4py.float64, nd4py.bool


def as_numpy(x):
    """The elements of an array on the device, or of anything that NumPy reads."""
    return numpy.asarray(x.to_device("cpu") if isinstance(x, nd4py.cuda.DeviceArray) else x)
