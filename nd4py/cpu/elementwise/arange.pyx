"""Evenly spaced numbers."""

from libc.stdint cimport int64_t, uint64_t
from nd4py._core.array.array cimport NDArray, new_array
from nd4py._core.threads.threads cimport raise_if_stopped
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py.cpu.parallel.tasks cimport run_tasks

from ..._spec.dtypes import NUMBER

cdef int INT64 = NUMBER["int64"]
cdef int64_t FAR = 1 << 61               # sums and differences of numbers up to it have 64 bits
cdef enum:
    CHUNK_ELEMENTS = 65536

cdef struct Words:                       # 64-bit integers: sums wrap, so both signs share the code
    uint64_t* y
    Py_ssize_t n
    uint64_t start
    uint64_t step

cdef struct Doubles:
    double* y
    Py_ssize_t n
    double start
    double step


cdef void fill_words(void* work, Py_ssize_t chunk) noexcept nogil:
    cdef const Words* numbers = <const Words*>work
    cdef Py_ssize_t first = chunk * CHUNK_ELEMENTS, i
    cdef uint64_t* y = numbers.y
    cdef uint64_t step = numbers.step, value = numbers.start + <uint64_t>first * step
    for i in range(first, min(numbers.n, first + CHUNK_ELEMENTS)):
        y[i] = value
        value += step                    # a product for each number would take twice as long


cdef void fill_doubles(void* work, Py_ssize_t chunk) noexcept nogil:
    cdef const Doubles* numbers = <const Doubles*>work
    cdef Py_ssize_t i
    for i in range(chunk * CHUNK_ELEMENTS, min(numbers.n, (chunk + 1) * CHUNK_ELEMENTS)):
        numbers.y[i] = numbers.start + <double>i * numbers.step


def fill_whole(NDArray y, start: int, step: int) -> None:
    """Write start + i * step, modulo 2**64, into contiguous elements of 64-bit integers."""
    cdef Words numbers = Words(<uint64_t*>y.data, y.info.size, start % 2 ** 64, step % 2 ** 64)
    cdef Hold hold
    if numbers.n <= CHUNK_ELEMENTS:
        fill_words(&numbers, 0)
        return
    hold.add(holds, numbers.y)
    with nogil:
        run_tasks(fill_words, &numbers, (numbers.n + CHUNK_ELEMENTS - 1) // CHUNK_ELEMENTS, numbers.n)
    raise_if_stopped()


def numbers_of_range(start, stop, step) -> NDArray | None:
    """start, start + step ... up to but not including `stop`, as int64; None unless all are ints far below 2**63, the
    step is not 0, and the array may have room."""
    cdef Py_ssize_t n = 0
    cdef int64_t first, last, stride
    if type(start) is not int or type(stop) is not int or type(step) is not int:
        return None
    try:
        first, last, stride = start, stop, step
    except OverflowError:
        return None
    if stride == 0 or max(first, last, stride) > FAR or min(first, last, stride) < -FAR:
        return None
    if stride > 0 and last > first:
        n = (last - first - 1) // stride + 1
    elif stride < 0 and last < first:
        n = (first - last - 1) // -stride + 1
    if n > FAR // 64:
        return None
    cdef NDArray y = new_array(INT64, 1, &n)
    fill_whole(y, first, stride)
    return y


def fill_real(NDArray y, double start, double step) -> None:
    """Write start + i * step, each rounded once from the product and once from the sum, into contiguous float64."""
    cdef Doubles numbers = Doubles(<double*>y.data, y.info.size, start, step)
    cdef Hold hold
    if numbers.n <= CHUNK_ELEMENTS:
        fill_doubles(&numbers, 0)
        return
    hold.add(holds, numbers.y)
    with nogil:
        run_tasks(fill_doubles, &numbers, (numbers.n + CHUNK_ELEMENTS - 1) // CHUNK_ELEMENTS, numbers.n)
    raise_if_stopped()
