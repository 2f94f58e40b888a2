"""On devices, too, bools are joined instead of added, and whole numbers compared with ints beyond their range."""

import numpy as np
import pytest

import nd4py as nd

pytestmark = pytest.mark.usefixtures("simulator")

DEVICE = "cuda:0"
BOOLS = [np.asarray([True, True, False, False]), np.asarray([True, False, True, False])]


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "minimum"])
def test_bools(name):
    got = getattr(nd, name)(*(nd.asarray(each, device=DEVICE) for each in BOOLS))
    assert (got.device, got.dtype) == (DEVICE, "bool")
    assert got.tolist() == getattr(np, name)(*BOOLS).tolist()


@pytest.mark.parametrize("name", ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"])
@pytest.mark.parametrize("number", [300, -1, 2**70])
def test_ints_beyond_the_range(name, number):
    values = np.asarray([0, 7, 255], dtype="uint8")
    x = nd.asarray(values, device=DEVICE)
    compare = getattr(nd, name)
    assert compare(x, number).tolist() == getattr(np, name)(values, number).tolist()
    assert compare(number, x).tolist() == getattr(np, name)(number, values).tolist()
