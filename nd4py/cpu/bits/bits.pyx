"""Bits of whole numbers: packed into bytes, unpacked, counted, and joined along an axis; and the parts of real ones.

Operands are contiguous.  Joining is the same for all integers, so that its loops know their size alone.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from nd4py._core.array.array cimport NDArray, new_array
from nd4py._core.layout.shape cimport MAX_NDIM
from nd4py._core.threads.threads cimport raise_if_stopped
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py.cpu.parallel.tasks cimport Task, share_by_time

from ..._spec.dtypes import NUMBER

cdef extern from "bit_loops.h" namespace "bits" nogil:
    void pack(const uint8_t* x, Py_ssize_t n, uint8_t* y, bint is_big)
    void unpack(const uint8_t* x, Py_ssize_t n, uint8_t* y, bint is_big)
    void count[T](const char* x, Py_ssize_t n, uint8_t* y)
    void join_any(int how, bint is_running, const char* x, Py_ssize_t n, Py_ssize_t inner, Py_ssize_t itemsize, char* y)
    void divisors(const uint64_t* x, Py_ssize_t n, bint is_running, uint64_t* y)

cdef extern from "mantissa_loops.h" namespace "bits" nogil:
    void part[T](const char* x, Py_ssize_t n, char* mantissa, int32_t* exponent)

__all__ = ["binary_parts", "bits_counted", "bits_joined", "bits_packed", "bits_unpacked", "common_divisors"]

ctypedef void (*Count)(const char* x, Py_ssize_t n, uint8_t* y) noexcept nogil
ctypedef void (*Part)(const char* x, Py_ssize_t n, char* mantissa, int32_t* exponent) noexcept nogil

cdef enum:
    PIECE = 1 << 15                      # elements of one task, a multiple of eight

# Nanoseconds of one thread for each element.
cdef double PACKED_NS = 0.04, UNPACKED_NS = 0.2, COUNTED_NS = 0.3, DIVISOR_NS = 3.0
cdef double JOINED_BYTE_NS = 0.012, PARTED_BYTE_NS = 0.03

cdef int BYTE = NUMBER["uint8"], WORD = NUMBER["uint64"], EXPONENT = NUMBER["int32"], DOUBLE = NUMBER["float64"]
cdef Count counts[16]
counts[<int>NUMBER["int8"]], counts[<int>NUMBER["uint8"]] = count[int8_t], count[uint8_t]
counts[<int>NUMBER["int16"]], counts[<int>NUMBER["uint16"]] = count[int16_t], count[uint16_t]
counts[<int>NUMBER["int32"]], counts[<int>NUMBER["uint32"]] = count[int32_t], count[uint32_t]
counts[<int>NUMBER["int64"]], counts[<int>NUMBER["uint64"]] = count[int64_t], count[uint64_t]

cdef struct Bits:
    const char* x
    char* y
    Count count
    Py_ssize_t n, inner, total           # elements of a line; elements between two of one line; of all lines
    Py_ssize_t per_line                  # tasks of one line
    Py_ssize_t itemsize, line_bytes, result_bytes
    int how
    bint is_packed, is_big, is_running, is_divisor
    Part part
    int32_t* exponents


cdef NDArray along_last(NDArray x, int number, Py_ssize_t size):
    """An array like `x` of another dtype, with `size` elements along the last axis."""
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef int i
    for i in range(x.info.ndim):
        shape[i] = x.info.shape[i]
    shape[x.info.ndim - 1] = size
    return new_array(number, x.info.ndim, shape)


cdef int run(Task task, Bits* work, NDArray x, NDArray y, Py_ssize_t n_tasks, double element_ns) except -1:
    cdef Hold hold
    hold.add(holds, x.data, y.data)
    work.x, work.y = x.data, y.data
    with nogil:
        share_by_time(task, work, n_tasks, x.info.size * element_ns)
    raise_if_stopped()
    return 0


def bits_packed(NDArray x, bint is_big) -> NDArray:
    """Eight bytes (..., n) as the bits of one: 1 where a byte is not 0; zeros behind the last."""
    cdef Py_ssize_t n = x.info.shape[x.info.ndim - 1]
    cdef NDArray y = along_last(x, BYTE, (n + 7) // 8)
    if x.info.size:
        run_lines(x, y, n, True, is_big)
    return y


def bits_unpacked(NDArray x, bint is_big) -> NDArray:
    """The bits of the bytes (..., n) as elements 0 and 1."""
    cdef Py_ssize_t n = x.info.shape[x.info.ndim - 1]
    cdef NDArray y = along_last(x, BYTE, 8 * n)
    if x.info.size:
        run_lines(x, y, n, False, is_big)
    return y


cdef int run_lines(NDArray x, NDArray y, Py_ssize_t n, bint is_packed, bint is_big) except -1:
    cdef Bits work
    work.is_packed, work.is_big = is_packed, is_big
    work.n = n if is_packed and n % 8 else x.info.size           # lines of whole bytes are one
    work.per_line = (work.n + PIECE - 1) // PIECE
    work.line_bytes, work.result_bytes = work.n, (work.n + 7) // 8 if is_packed else 8 * work.n
    return run(pack_some, &work, x, y, x.info.size // work.n * work.per_line,
               PACKED_NS if is_packed else UNPACKED_NS)


cdef void pack_some(void* given, Py_ssize_t task) noexcept nogil:
    cdef const Bits* work = <const Bits*>given
    cdef Py_ssize_t line = task // work.per_line, first = task % work.per_line * PIECE
    cdef Py_ssize_t n = min(<Py_ssize_t>PIECE, work.n - first)
    cdef const uint8_t* x = <const uint8_t*>work.x + line * work.line_bytes + first
    cdef uint8_t* y = <uint8_t*>work.y + line * work.result_bytes
    if work.is_packed:
        pack(x, n, y + first // 8, work.is_big)
    else:
        unpack(x, n, y + 8 * first, work.is_big)


def bits_counted(NDArray x) -> NDArray:
    """How many bits of the magnitudes of integers are 1, as uint8."""
    cdef NDArray y = new_array(BYTE, x.info.ndim, x.info.shape)
    cdef Bits work
    work.count, work.n, work.itemsize = counts[x.number], x.info.size, x.info.itemsize
    run(count_some, &work, x, y, (x.info.size + PIECE - 1) // PIECE, COUNTED_NS)
    return y


cdef void count_some(void* given, Py_ssize_t task) noexcept nogil:
    cdef const Bits* work = <const Bits*>given
    cdef Py_ssize_t first = task * PIECE
    work.count(work.x + first * work.itemsize, min(<Py_ssize_t>PIECE, work.n - first), <uint8_t*>work.y + first)


def binary_parts(NDArray x) -> tuple[NDArray, NDArray]:
    """The mantissas of float32 or float64 numbers, and their exponents as int32."""
    cdef NDArray mantissas = new_array(x.number, x.info.ndim, x.info.shape)
    cdef NDArray exponents = new_array(EXPONENT, x.info.ndim, x.info.shape)
    cdef Hold hold
    cdef Bits work
    hold.add(holds, exponents.data)
    work.part = part[double] if x.number == DOUBLE else part[float]
    work.n, work.itemsize, work.exponents = x.info.size, x.info.itemsize, <int32_t*>exponents.data
    run(part_some, &work, x, mantissas, (x.info.size + PIECE - 1) // PIECE, PARTED_BYTE_NS * work.itemsize)
    return mantissas, exponents


cdef void part_some(void* given, Py_ssize_t task) noexcept nogil:
    cdef const Bits* work = <const Bits*>given
    cdef Py_ssize_t first = task * PIECE, offset = first * work.itemsize
    work.part(work.x + offset, min(<Py_ssize_t>PIECE, work.n - first), work.y + offset, work.exponents + first)


def bits_joined(NDArray x, int how, bint is_running) -> NDArray:
    """The integers or bools (outer, n, inner), n > 0, joined along the middle axis: as (outer, 1, inner), or all
    running results.  how: by and (0), or (1), exclusive or (2)"""
    cdef Py_ssize_t shape[3]
    shape[0], shape[1], shape[2] = x.info.shape[0], x.info.shape[1] if is_running else 1, x.info.shape[2]
    cdef NDArray y
    cdef Bits work
    work.how, work.is_running, work.is_divisor = how, is_running, False
    if not is_running and shape[0] == 1 and shape[2] == 1 and x.info.size > 2 * PIECE:
        shape[1] = (x.info.size + PIECE - 1) // PIECE            # pieces, and then these
        y = new_array(x.number, 3, shape)
        work.total, work.n, work.inner, work.itemsize = x.info.size, PIECE, 1, x.info.itemsize
        work.line_bytes, work.result_bytes = PIECE * work.itemsize, work.itemsize
        run(join_some, &work, x, y, shape[1], work.itemsize * JOINED_BYTE_NS)
        return bits_joined(y, how, False)
    y = new_array(x.number, 3, shape)
    if y.info.size:
        join_all(&work, x, y)
    return y


def common_divisors(NDArray x, bint is_running) -> NDArray:
    """The greatest common divisors of the uint64 lines (outer, n, 1), n > 0: of each, or all running ones."""
    cdef Py_ssize_t shape[3]
    shape[0], shape[1], shape[2] = x.info.shape[0], x.info.shape[1] if is_running else 1, 1
    cdef NDArray y = new_array(WORD, 3, shape)
    cdef Bits work
    work.is_running, work.is_divisor = is_running, True
    if y.info.size:
        join_all(&work, x, y)
    return y


cdef int join_all(Bits* work, NDArray x, NDArray y) except -1:
    work.n, work.inner, work.itemsize = x.info.shape[1], x.info.shape[2], x.info.itemsize
    work.total = x.info.shape[0] * work.n
    work.line_bytes = work.n * work.inner * work.itemsize
    work.result_bytes = (work.n if work.is_running else 1) * work.inner * work.itemsize
    cdef double element_ns = DIVISOR_NS if work.is_divisor else work.itemsize * JOINED_BYTE_NS
    return run(join_some, work, x, y, x.info.shape[0], element_ns)


cdef void join_some(void* given, Py_ssize_t task) noexcept nogil:
    cdef const Bits* work = <const Bits*>given
    cdef const char* x = work.x + task * work.line_bytes
    cdef char* y = work.y + task * work.result_bytes
    if work.is_divisor:
        divisors(<const uint64_t*>x, work.n, work.is_running, <uint64_t*>y)
    else:
        join_any(work.how, work.is_running, x, min(work.n, work.total - task * work.n), work.inner, work.itemsize, y)
