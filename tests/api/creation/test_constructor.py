"""`nd.ndarray(shape, dtype, buffer, offset, strides, order)`, as programs with shared memory call NumPy's class."""

from multiprocessing.shared_memory import SharedMemory

import numpy
import pytest
from beside_numpy import check, parameters

import nd4py as nd

PROGRAMS = {
    "over a buffer": [
        lambda np: np.ndarray((3,), "uint8", b"abcdef"),
        lambda np: np.ndarray(3, "uint8", b"abcdef", 2),
        lambda np: np.ndarray((2, 2), np.int16, buffer=np.arange(9, dtype="int16"), offset=4),
        lambda np: np.ndarray((2, 3), int, np.arange(6), order="F"),
        lambda np: np.ndarray((2, 3, 2), int, np.arange(12), order="f"),
        lambda np: np.ndarray((), float, np.arange(3.0), 8),
        lambda np: np.ndarray(shape=(2, 2), dtype=int, buffer=np.arange(4), offset=0, strides=(8, 16)),
        lambda np: np.ndarray((2, 3), "int32", bytearray(range(40)), 4, (16, 4)),
        lambda np: np.ndarray((0, 3), int, b""),
    ],
    "refused": [
        lambda np: np.ndarray(),
        lambda np: np.ndarray((3,), "uint8", b"ab"),
        lambda np: np.ndarray((3,), "uint8", b"abcd", 2),
        lambda np: np.ndarray((2, 2), int, np.arange(4), 8, (8, 16)),
        lambda np: np.ndarray((-1,)),
        lambda np: np.ndarray("x"),
        lambda np: np.ndarray((2,), "nonsense"),
        lambda np: np.ndarray((2,), float, 5.0),
        lambda np: np.ndarray((2,), float, None, 0, None, "x"),
    ],
}


@pytest.mark.parametrize("program", parameters(PROGRAMS))
def test_the_class_makes_what_numpys_makes(program):
    check(program)


def test_a_new_array_has_the_shape_and_dtype():
    x = nd.ndarray((2, 3), "float32")
    assert (x.shape, x.dtype, type(x)) == ((2, 3), nd.float32, nd.NDArray)
    assert nd.ndarray(4).dtype == nd.float64
    with pytest.raises(ValueError, match="strides need a buffer"):
        nd.ndarray((2,), strides=(8,))


def test_an_array_over_shared_memory_writes_to_it():
    shared = SharedMemory(create=True, size=64)
    try:
        ours = nd.ndarray((4,), dtype="int64", buffer=shared.buf, offset=8)
        ours[:] = nd.arange(4)
        assert numpy.ndarray((5,), dtype="int64", buffer=shared.buf).tolist() == [0, 0, 1, 2, 3]
        del ours
    finally:
        shared.close()
        shared.unlink()


def test_an_array_over_bytes_is_read_only():
    assert not nd.ndarray((3,), "uint8", b"abc").is_writable
