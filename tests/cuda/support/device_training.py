"""A network on a device beside one on the host: the measure of training there."""

import numpy as np
import pytest

import nd4py as nd


def numpy_of(x):
    """The elements of an array on a device."""
    assert x.device.startswith("cuda:")
    return np.asarray(nd.asarray(x, device="cpu"))


def assert_trains_alike(make, data, rtol=2e-5):
    """A network on the device and one on the host: equal first parameters, then equal scores and parameters."""
    there, here = make().to_device("cuda:0"), make()
    assert (there.device, here.device) == ("cuda:0", "cpu")
    np.testing.assert_array_equal(numpy_of(there.params()), np.asarray(here.params()))
    for features, labels in data:
        assert there.fit_batch(features, labels) == pytest.approx(here.fit_batch(features, labels), rel=rtol)
    np.testing.assert_allclose(numpy_of(there.params()), np.asarray(here.params()), rtol=10 * rtol, atol=10 * rtol)
    return there, here
