"""Random numbers on the CPU: a stream of Philox blocks that all threads fill arrays from.

Design: element i of a draw is a function of (seed, offset, i), where the offset counts the blocks drawn before.  Chunks
only share out the work, so results do not depend on the number of threads, and a stream is saved as two numbers.  A
generator that steps its state from element to element was rejected: it cannot be split without changing the numbers.
"""

from cython.parallel cimport prange
from libc.stddef cimport ptrdiff_t
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from nd4py._core.array cimport NDArray, new_array
from nd4py._core.shape cimport MAX_NDIM, parse_shape
from nd4py._core.threads cimport acquire_threads, current_core, leave_core, release_threads

from .._spec.dtypes import DEFAULT_INT, NUMBER

cdef extern from "random_loops.h" nogil:
    cdef struct PhiloxKey:
        uint32_t word[2]
    cdef struct PhiloxBlock:
        uint32_t word[4]
    cdef struct RandomDraw:
        char* out
        uint64_t seed, offset
        double start, scale, end
        uint64_t low, span
    PhiloxBlock philox(PhiloxBlock counter, PhiloxKey key)
    void fill_uniform[T](const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last)
    void fill_normal[T](const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last)
    void fill_integers[T](const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last)
    void fill_permutation(const RandomDraw* draw, ptrdiff_t n)

ctypedef void (*FillLoop)(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) noexcept nogil

cdef enum:
    BLOCK_BYTES = 16                     # one Philox block
    CHUNK = 8192                         # elements of one task, a multiple of TILE_ELEMENTS


def philox_block(counter, key):
    """The four 32-bit words of one block, for a counter of four words and a key of two."""
    cdef PhiloxBlock words
    cdef PhiloxKey key_words
    words.word[0], words.word[1], words.word[2], words.word[3] = counter
    key_words.word[0], key_words.word[1] = key
    words = philox(words, key_words)
    return words.word[0], words.word[1], words.word[2], words.word[3]


cdef class Stream:
    """The numbers that follow from `seed`; `offset` counts the blocks drawn so far."""

    cdef public uint64_t seed
    cdef public uint64_t offset

    def __init__(self, uint64_t seed, uint64_t offset=0):
        self.seed = seed
        self.offset = offset

    def uniform(self, object shape, int number, double low, double high):
        """Numbers in [low, high) of a dtype of 4 or 8 bytes."""
        cdef NDArray out = new_shaped(number, shape)
        cdef RandomDraw draw = self.reserve(out, out.info.itemsize)
        draw.start, draw.scale, draw.end = low, high - low, high
        run(fill_uniform[float] if out.info.itemsize == 4 else fill_uniform[double], &draw, out.info.size)
        return out

    def normal(self, object shape, int number, double mean, double deviation):
        """Normally distributed numbers of a dtype of 4 or 8 bytes."""
        cdef NDArray out = new_shaped(number, shape)
        cdef RandomDraw draw = self.reserve(out, out.info.itemsize)
        draw.start, draw.scale = mean, deviation
        run(fill_normal[float] if out.info.itemsize == 4 else fill_normal[double], &draw, out.info.size)
        return out

    def integers(self, object shape, int number, uint64_t low, uint64_t span):
        """Numbers low, low + 1, ... low + span - 1, modulo 2**64, of any integer dtype; span 0 means 2**64."""
        cdef NDArray out = new_shaped(number, shape)
        cdef RandomDraw draw = self.reserve(out, sizeof(uint64_t))
        draw.low, draw.span = low, span
        run(integer_loop(out.info.itemsize), &draw, out.info.size)
        return out

    def permutation(self, Py_ssize_t n):
        """The numbers 0 ... n - 1 in random order."""
        cdef NDArray out = new_shaped(NUMBER[DEFAULT_INT], n)
        cdef RandomDraw draw = self.reserve(out, sizeof(uint64_t))
        with nogil:
            fill_permutation(&draw, n)
        return out

    cdef RandomDraw reserve(self, NDArray out, Py_ssize_t lane_bytes) noexcept:
        """A draw for `out`, whose blocks no later draw will use."""
        cdef RandomDraw draw
        cdef Py_ssize_t lanes = BLOCK_BYTES // lane_bytes
        draw.out, draw.seed, draw.offset = out.data, self.seed, self.offset
        draw.start = draw.scale = draw.end = 0
        draw.low = draw.span = 0
        self.offset += (out.info.size + lanes - 1) // lanes
        return draw


cdef NDArray new_shaped(int number, object shape):
    """An uninitialised array.  Raises ValueError and TypeError for what is no shape."""
    cdef Py_ssize_t sizes[MAX_NDIM]
    cdef int ndim = parse_shape(shape, sizes)
    return new_array(number, ndim, sizes)


cdef FillLoop integer_loop(Py_ssize_t itemsize) noexcept:
    if itemsize == 1:
        return fill_integers[uint8_t]
    if itemsize == 2:
        return fill_integers[uint16_t]
    return fill_integers[uint32_t] if itemsize == 4 else fill_integers[uint64_t]


cdef void run(FillLoop fill, const RandomDraw* draw, Py_ssize_t size) noexcept:
    """Fill all elements, in parallel where there is more than one chunk."""
    cdef Py_ssize_t i, n_chunks = (size + CHUNK - 1) // CHUNK
    cdef int n_threads, home
    with nogil:
        n_threads = acquire_threads(n_chunks)
        home = current_core()
        for i in prange(n_chunks, num_threads=n_threads, schedule="static"):
            leave_core(home)
            fill(draw, i * CHUNK, min(size, (i + 1) * CHUNK))
        release_threads(n_threads)
