"""Streams of random numbers, from which all threads fill arrays.  A stream is made of Philox blocks.

Design: element i of a draw is a function of (seed, offset, i), where the offset counts the blocks drawn before.  Chunks
only share out the work, so results do not depend on the number of threads, and a stream is saved as two numbers.  A
generator that steps its state from element to element was rejected: it cannot be split without changing the numbers.
"""

cimport cython
from libc.stddef cimport ptrdiff_t
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset
from nd4py._core.array.array cimport NDArray, new_array
from nd4py._core.observing.observers cimport MOVE, Operation, begun, n_observers
from nd4py._core.threads.threads cimport begin_region, goes_on, raise_if_stopped
from nd4py._core.layout.shape cimport MAX_NDIM, parse_shape
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py.cpu.parallel.tasks cimport share_by_time

from ..._spec.dtypes import DEFAULT_FLOAT, DEFAULT_INT, NUMBER

cdef extern from "random_table.h" nogil:
    cdef struct PhiloxKey:
        uint32_t word[2]
    cdef struct PhiloxBlock:
        uint32_t word[4]
    cdef struct RandomDraw:
        char* out
        uint64_t seed, offset
        uint32_t part
        const double* values[4]
        double scalars[4]
        uint64_t low, span
        const double* table
        int itemsize
    ctypedef void (*FillLoop)(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) noexcept nogil
    cdef struct Distribution:
        const char* name
        FillLoop narrow, wide
        int narrow_lanes, wide_lanes
    const Distribution* DISTRIBUTIONS
    int N_DISTRIBUTIONS
    uint64_t WORD_SPAN
    PhiloxBlock philox(PhiloxBlock counter, PhiloxKey key)
    void fill_words[T](const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last)
    void fill_wides(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last)
    void fill_log_gamma(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last)
    void fill_share(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last)
    void fill_categorical(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last)
    void fill_multinomial(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last)
    void fill_permutation(const RandomDraw* draw, ptrdiff_t n, ptrdiff_t first, ptrdiff_t last)
    void fill_sample(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last, uint64_t* moved, uint64_t n_slots)

cdef enum:
    IN_ORDER_ELEMENTS = 1 << 18          # elements between two questions whether to go on, where one thread draws
    CHUNK_ELEMENTS = 8192                # elements of one task, a multiple of TILE_ELEMENTS

cdef double DRAW_NS = 0.75, TRIAL_NS = 6  # nanoseconds of an element drawn from a block of many, or from one of its own
cdef int INT = NUMBER[DEFAULT_INT]
cdef dict ROWS = {DISTRIBUTIONS[i].name.decode(): i for i in range(N_DISTRIBUTIONS)}


def philox_block(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """The four 32-bit words of one block, for a counter of four words and a key of two."""
    cdef PhiloxBlock words
    cdef PhiloxKey key_words
    words.word[0], words.word[1], words.word[2], words.word[3] = counter
    key_words.word[0], key_words.word[1] = key
    words = philox(words, key_words)
    return words.word[0], words.word[1], words.word[2], words.word[3]


@cython.final
cdef class Stream:
    """The numbers that follow from `seed`; `offset` counts the blocks drawn so far.

    A number's position in the stream is taken in one step, so that Python threads may draw from one stream.
    """

    cdef uint64_t seed
    cdef uint64_t offset

    def __init__(self, uint64_t seed, uint64_t offset=0):
        self.restart(seed, offset)

    @property
    def state(self) -> tuple[int, int]:
        """(seed, offset)"""
        cdef uint64_t seed, offset
        with cython.critical_section(self):
            seed, offset = self.seed, self.offset
        return seed, offset

    def restart(self, uint64_t seed, uint64_t offset=0) -> None:
        """Continue from another position."""
        with cython.critical_section(self):
            self.seed, self.offset = seed, offset

    def __reduce__(self) -> tuple[object, ...]:
        """A copy goes on from the same position."""
        return Stream, self.state

    def draw(self, str name, object shape: Sizes, int number, *parameters: float | NDArray) -> NDArray:
        """Numbers of a distribution; each parameter is a float, or float64 values for the elements in C order."""
        cdef const Distribution* row = &DISTRIBUTIONS[<int>ROWS[name]]
        cdef NDArray out = new_shaped(number, shape)
        cdef bint is_wide = out.info.itemsize == 8
        cdef int lanes = row.wide_lanes if is_wide else row.narrow_lanes
        cdef RandomDraw draw = self.reserve(out, lanes)
        cdef int i
        for i, parameter in enumerate(parameters):
            set_parameter(&draw, i, parameter)
        run(out, row.wide if is_wide else row.narrow, &draw, out.info.size, CHUNK_ELEMENTS,
            TRIAL_NS if lanes == 1 else DRAW_NS)
        return out

    def beta(self, object shape: Sizes, int number, a: float | NDArray, b: float | NDArray) -> NDArray:
        """Beta distributed numbers, from the logarithms of two gamma numbers at one position; parameters as in draw."""
        cdef NDArray out = new_shaped(number, shape)
        cdef NDArray x = new_shaped(NUMBER[DEFAULT_FLOAT], shape), y = new_shaped(NUMBER[DEFAULT_FLOAT], shape)
        cdef RandomDraw draw = self.reserve(x, 1), share = draw
        set_parameter(&draw, 0, a)
        run(x, fill_log_gamma, &draw, x.info.size, CHUNK_ELEMENTS, TRIAL_NS)
        draw.out, draw.part = y.data, 2
        set_parameter(&draw, 0, b)
        run(y, fill_log_gamma, &draw, x.info.size, CHUNK_ELEMENTS, TRIAL_NS)
        share.out, share.values[0], share.values[1] = out.data, <const double*>x.data, <const double*>y.data
        share.itemsize = out.info.itemsize
        run(out, fill_share, &share, x.info.size, CHUNK_ELEMENTS, DRAW_NS)
        return out

    def integers(self, object shape: Sizes, int number, uint64_t low, uint64_t span) -> NDArray:
        """Numbers low, low + 1, ... low + span - 1, modulo 2**64, of any integer dtype; span 0 means 2**64."""
        cdef NDArray out = new_shaped(number, shape)
        cdef bint is_narrow = 0 < span <= WORD_SPAN
        cdef RandomDraw draw = self.reserve(out, 4 if is_narrow else 2)
        draw.low, draw.span = low, span
        run(out, integer_loop(out.info.itemsize, is_narrow), &draw, out.info.size, CHUNK_ELEMENTS, DRAW_NS)
        return out

    def categorical(self, object shape: Sizes, NDArray sums) -> NDArray:
        """Columns of the rows of `sums`, cumulated probabilities; the rows belong to elements in turn."""
        cdef NDArray out = new_shaped(INT, shape)
        cdef RandomDraw draw = self.reserve(out, 2)
        draw.low, draw.span = sums.info.shape[0], sums.info.shape[1]
        draw.table = <const double*>sums.data
        run(out, fill_categorical, &draw, out.info.size, CHUNK_ELEMENTS, TRIAL_NS)
        return out

    def multinomial(self, object shape: Sizes, double n, NDArray shares) -> NDArray:
        """Counts that add up to n along the last axis; `shares` are probabilities among a category and later ones."""
        cdef NDArray out = new_shaped(INT, shape)
        cdef RandomDraw draw = self.reserve(out, 1)
        cdef Py_ssize_t n_columns = shares.info.size
        draw.span = n_columns
        draw.scalars[0] = n
        draw.table = <const double*>shares.data
        run(out, fill_multinomial, &draw, out.info.size // n_columns, CHUNK_ELEMENTS // n_columns + 1,
            TRIAL_NS * n_columns)
        return out

    def permutation(self, Py_ssize_t n) -> NDArray:
        """The numbers 0 ... n - 1 in random order."""
        cdef Operation operation = begun_draw()
        cdef NDArray out = new_shaped(INT, n)
        cdef RandomDraw draw = self.reserve(out, 4 if <uint64_t>n <= WORD_SPAN else 2)
        cdef Py_ssize_t first
        cdef Hold hold
        hold.add(holds, out.data)
        with nogil:
            begin_region()
            for first from 0 <= first < n by IN_ORDER_ELEMENTS:
                if not goes_on():
                    break
                fill_permutation(&draw, n, first, min(n, first + IN_ORDER_ELEMENTS))
        raise_if_stopped()
        finish_draw(operation, out)
        return out

    def sample(self, Py_ssize_t population, Py_ssize_t n) -> NDArray:
        """`n` different numbers of 0 ... population - 1 in random order, in memory that grows with n alone."""
        cdef Operation operation = begun_draw()
        cdef NDArray out = new_shaped(INT, n)
        cdef Py_ssize_t n_slots = 4, first
        while n_slots <= 2 * n:
            n_slots *= 2
        cdef NDArray moved = new_shaped(INT, 2 * n_slots)
        cdef RandomDraw draw = self.reserve(out, 2)
        draw.span = population
        cdef Hold hold
        hold.add(holds, out.data, moved.data)
        with nogil:
            memset(moved.data, 0, 2 * n_slots * sizeof(uint64_t))
            begin_region()
            for first from 0 <= first < n by IN_ORDER_ELEMENTS:
                if not goes_on():
                    break
                fill_sample(&draw, first, min(n, first + IN_ORDER_ELEMENTS), <uint64_t*>moved.data, n_slots)
        raise_if_stopped()
        finish_draw(operation, out)
        return out

    def reserve_blocks(self, uint64_t n) -> tuple[int, int]:
        """(seed, offset) of the next `n` blocks, which no later draw will use: for numbers drawn elsewhere."""
        cdef uint64_t offset
        with cython.critical_section(self):
            offset = self.offset
            self.offset += n
            return self.seed, offset

    cdef RandomDraw reserve(self, NDArray out, int lanes):
        """A draw for `out`, whose blocks no later draw will use."""
        cdef RandomDraw draw
        memset(&draw, 0, sizeof(RandomDraw))
        draw.out, draw.itemsize = out.data, out.info.itemsize
        with cython.critical_section(self):
            draw.seed, draw.offset = self.seed, self.offset
            self.offset += (out.info.size + lanes - 1) // lanes
        return draw


cdef NDArray new_shaped(int number, object shape):
    """An uninitialised array.  Raises ValueError and TypeError for anything but a shape."""
    cdef Py_ssize_t sizes[MAX_NDIM]
    cdef int ndim = parse_shape(shape, sizes)
    return new_array(number, ndim, sizes)


cdef int set_parameter(RandomDraw* draw, int i, object parameter) except -1:
    """Make a float or an array parameter `i` of a draw.  The caller keeps the array alive."""
    draw.values[i] = NULL
    if isinstance(parameter, NDArray):
        draw.values[i] = <const double*>(<NDArray>parameter).data
    else:
        draw.scalars[i] = parameter
    return 0


cdef FillLoop integer_loop(Py_ssize_t itemsize, bint is_narrow) noexcept:
    if not is_narrow:
        return fill_wides
    if itemsize == 1:
        return fill_words[uint8_t]
    if itemsize == 2:
        return fill_words[uint16_t]
    return fill_words[uint32_t] if itemsize == 4 else fill_words[uint64_t]


cdef struct Fill:
    FillLoop loop
    const RandomDraw* draw
    Py_ssize_t size
    Py_ssize_t chunk                     # elements of one task


cdef int run(NDArray out, FillLoop fill, const RandomDraw* draw, Py_ssize_t size, Py_ssize_t chunk,
             double nanoseconds) except -1:
    """Fill all elements of `out`, each of which takes so long on one thread."""
    cdef Fill work = Fill(fill, draw, size, chunk)
    cdef Py_ssize_t n_chunks = (size + chunk - 1) // chunk
    cdef Operation operation = begun_draw()
    cdef Hold hold
    hold.add(holds, draw.out, draw.table)
    hold.add_all(holds, draw.values, 4)
    with nogil:
        share_by_time(fill_chunk, &work, n_chunks, size * nanoseconds)
    raise_if_stopped()
    return finish_draw(operation, out)


cdef inline Operation begun_draw():
    """The operation that observers shall be told of, or None."""
    return begun(MOVE, "random draw") if n_observers else None


cdef inline int finish_draw(Operation operation, NDArray out) except -1:
    """`out` has its numbers."""
    return 0 if operation is None else operation.finish((), (out,))


cdef void fill_chunk(void* work, Py_ssize_t i) noexcept nogil:
    cdef const Fill* fill = <const Fill*>work
    fill.loop(fill.draw, i * fill.chunk, min(fill.size, (i + 1) * fill.chunk))
