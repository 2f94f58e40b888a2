"""DLPack: both directions with NumPy, versions, devices, copies and refusals."""

import ctypes
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from .arrays import EXAMPLES, arrays
from .subject import DTYPES, assert_array, numpy_of, xp

CPU = (1, 0)
every_dtype = pytest.mark.parametrize("dtype", DTYPES["all"])


class Producer:
    """Exports another array, and notes what it was asked for."""

    def __init__(self, x, takes_keywords=True):
        self.x, self.takes_keywords, self.asked = x, takes_keywords, []

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()

    def __dlpack__(self, **keywords):
        self.asked.append(keywords)
        if not self.takes_keywords and set(keywords) - {"stream"}:
            raise TypeError("__dlpack__() got an unexpected keyword argument")
        return self.x.__dlpack__(**keywords)


class Refusing(Producer):
    def __dlpack__(self, **keywords):
        raise BufferError("no")


class Versioned(ctypes.Structure):
    """The beginning of DLManagedTensorVersioned, https://dmlc.github.io/dlpack/latest/c_api.html"""

    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
    )


READ_ONLY, IS_COPIED = 1, 2


def read_versioned(capsule):
    """Version and flags of a versioned capsule."""
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    return Versioned.from_address(pointer_of(capsule, b"dltensor_versioned"))


def name_of_capsule(capsule):
    return re.search(r'"(\w+)"', repr(capsule))[1]


@every_dtype
@EXAMPLES
@given(data=st.data())
def test_to_numpy_and_back(dtype, data):
    values, x = data.draw(arrays(dtype))
    assert_values(np.from_dlpack(x), values)
    assert_array(xp.from_dlpack(x), values)
    assert_array(xp.from_dlpack(np.ascontiguousarray(values) if values.ndim else values.copy()), values)


def assert_values(got, want):
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    np.testing.assert_array_equal(got, want)


def test_memory_is_shared_unless_copied():
    x = xp.arange(4)
    shared, copied = xp.from_dlpack(x), xp.from_dlpack(x, copy=True)
    view = np.from_dlpack(x)
    x[0] = 9
    assert numpy_of(shared)[0] == 9
    assert view[0] == 9
    assert numpy_of(copied)[0] == 0
    assert_array(xp.from_dlpack(x, copy=False, device=x.device), np.asarray([9, 1, 2, 3]))
    values = np.arange(3)
    y = xp.from_dlpack(values)
    values[1] = 7
    assert_array(y, np.asarray([0, 7, 2]))


def test_device():
    device = xp.ones(2).__dlpack_device__()
    assert isinstance(device, tuple)
    assert tuple(map(int, device)) == CPU


def test_versions():
    """The old capsule without a version, the new one with any version that is new enough."""
    x = xp.ones(3)
    assert name_of_capsule(x.__dlpack__()) == "dltensor"
    assert name_of_capsule(x.__dlpack__(stream=None, max_version=None, dl_device=None, copy=None)) == "dltensor"
    assert name_of_capsule(x.__dlpack__(max_version=(0, 8))) == "dltensor"
    for version in ((1, 0), (1, 3), (2, 0)):
        assert name_of_capsule(x.__dlpack__(max_version=version)) == "dltensor_versioned"


def test_flags():
    """A copy says that it is one; nothing else claims to be read-only."""
    x = xp.ones(3)
    for copy, flags in ((None, 0), (False, 0), (True, IS_COPIED)):
        capsule = x.__dlpack__(max_version=(1, 0), copy=copy)
        found = read_versioned(capsule)
        assert (found.major, found.flags & IS_COPIED, found.flags & READ_ONLY) == (1, flags, 0)


def test_capsules_that_are_not_taken_are_freed():
    """With and without a version; the array lives on."""
    x = xp.arange(5)
    for version in (None, (1, 0)):
        capsules = [x.__dlpack__(max_version=version) for _ in range(50)]
        del capsules
    assert_array(x, np.arange(5))


def test_the_memory_outlives_its_array():
    y = xp.from_dlpack(xp.arange(1000) + 1)
    z = np.from_dlpack(xp.arange(1000) + 2)
    junk = [xp.zeros(1000, dtype=xp.int64) for _ in range(20)]
    assert_array(y, np.arange(1000) + 1)
    assert_values(z, np.arange(1000) + 2)
    del junk


def test_devices_and_streams_that_are_not_there():
    x = xp.ones(3)
    x.__dlpack__(dl_device=CPU)
    x.__dlpack__(dl_device=CPU, max_version=(1, 0), copy=True)
    with pytest.raises(BufferError):
        x.__dlpack__(dl_device=(2, 0))
    with pytest.raises((BufferError, RuntimeError, TypeError, ValueError)):
        x.__dlpack__(stream=7)


def test_copies():
    x = xp.arange(3)
    capsule_owner = Producer(x)
    y = xp.from_dlpack(capsule_owner, copy=True)
    y[0] = 5
    assert_array(x, np.arange(3))
    assert_array(xp.from_dlpack(Producer(x), copy=False), np.arange(3))


def test_the_producer_is_asked_for_a_version():
    """First with max_version; a producer that knows no keywords is asked again without."""
    new, old = Producer(xp.arange(3)), Producer(xp.arange(3), takes_keywords=False)
    for producer in (new, old):
        assert_array(xp.from_dlpack(producer), np.arange(3))
    assert new.asked[0]["max_version"] >= (1, 0)
    assert set(old.asked[-1]) <= {"stream"}


def test_refusals_of_the_producer_pass_through():
    with pytest.raises(BufferError):
        xp.from_dlpack(Refusing(xp.ones(2)))
    for foreign in (3, [1, 2], object()):
        with pytest.raises((AttributeError, TypeError)):
            xp.from_dlpack(foreign)
