"""Matrix products with long sums and a small result, and dot products.

The sums are cut into runs, which threads share.  Each run is a product of its own, and their results are added in
order.  The runs, and the steps that the longest ones are made in, depend on the sizes only, so the result does not
depend on the number of threads.
"""

from libc.string cimport memcpy
from nd4py._core.array.array cimport NDArray, new_array
from nd4py._core.threads.threads cimport acquire_threads, goes_on, release_threads
from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py.cpu.matmul.blas cimport (
    DOUBLE, DOUBLE_COMPLEX, NO_LETTER, SINGLE, SINGLE_COMPLEX, letter_of, multiply_vectors,
)
from nd4py.cpu.copy.strided_copy cimport copy_transposed
from nd4py.cpu.parallel.tasks cimport share_by_time, share_evenly

cdef enum:
    LONGEST_SIDE = 256                   # of a result that is not cut itself
    RUN_WORK = 2000000                   # multiplications of one run (asv peers, "tall-skinny transposed")
    LEAST_RUN = 1024                     # products of one run: below, adding up the results shows
    RUN_ALIGNMENT = 256                  # whole passes of the loops
    MOST_RUNS = 64
    STEP_WORK = 200000000                # multiplications of a run between two questions whether to go on
    PANEL_BYTES = 256                    # of columns whose elements below the diagonal need not be computed
    PARTIAL_BYTES = 8 << 20              # of the results of all runs
    DOT_PIECE = 65536                    # elements of one run of a dot product, at least
    MAX_DOT_PIECES = 64

cdef double DOT_BYTE_NS = 0.03           # nanoseconds of a dot product by the bytes of one operand, in the caches

cdef struct LongDot:
    const Dot* dot
    Py_ssize_t piece                     # elements of one
    double sums[MAX_DOT_PIECES][2]


cdef Py_ssize_t count_runs(Py_ssize_t m, Py_ssize_t n, Py_ssize_t k, Py_ssize_t itemsize) noexcept nogil:
    """How many runs the sums are cut into; 1: they are not."""
    cdef double work = <double>m * n * k
    cdef Py_ssize_t affordable = PARTIAL_BYTES // max(1, m * n * itemsize)
    if max(m, n) > LONGEST_SIDE or work < 2 * RUN_WORK:
        return 1
    return max(1, min(min(<Py_ssize_t>(work / RUN_WORK), k // LEAST_RUN), min(affordable, <Py_ssize_t>MOST_RUNS)))


cdef bint run_long_product(LongProduct* p) noexcept nogil:
    """Whether there was memory to work in."""
    cdef Py_ssize_t result_bytes = p.m * p.n * p.itemsize, run
    cdef size_t n_bytes
    cdef char* memory
    p.run = aligned((p.k + p.n_runs - 1) // p.n_runs)
    p.n_runs = (p.k + p.run - 1) // p.run
    p.step = min(p.run, aligned(STEP_WORK // (p.m * p.n)))
    p.loop_bytes = (p.loop.scratch_bytes(p.m, p.n, p.step) + 63) & ~<size_t>63
    p.scratch_bytes = p.loop_bytes + (((result_bytes + 63) & ~<size_t>63) if p.step < p.run else 0)
    p.n_threads = acquire_threads(p.n_runs)
    n_bytes = p.n_threads * p.scratch_bytes + p.n_runs * result_bytes
    memory = <char*>pool_allocate(n_bytes)
    if memory != NULL:
        p.memory = memory
        share_evenly(run_share, p, p.n_threads, p.n_threads)
        memory += p.n_threads * p.scratch_bytes
        memcpy(p.c, memory, result_bytes)
        for run in range(1, p.n_runs):
            p.loop.add(p.m * p.n, memory + run * result_bytes, p.c)
        if p.is_symmetric:
            copy_upper(p)
        pool_release(p.memory, n_bytes)
    release_threads(p.n_threads)
    return memory != NULL


cdef Py_ssize_t aligned(Py_ssize_t n) noexcept nogil:
    return (n + RUN_ALIGNMENT - 1) // RUN_ALIGNMENT * RUN_ALIGNMENT


cdef void run_share(void* product, Py_ssize_t worker) noexcept nogil:
    """One thread's runs."""
    cdef const LongProduct* p = <const LongProduct*>product
    cdef char* partial = p.memory + p.n_threads * p.scratch_bytes
    cdef Py_ssize_t run
    for run in range(p.n_runs * worker // p.n_threads, p.n_runs * (worker + 1) // p.n_threads):
        if not run_steps(p, run, p.memory + worker * p.scratch_bytes, partial + run * p.m * p.n * p.itemsize):
            return


cdef bint run_steps(const LongProduct* p, Py_ssize_t run, char* scratch, char* c) noexcept nogil:
    """One run, a step at a time where it is longer than a signal can wait for.  Whether to go on."""
    cdef Py_ssize_t start = run * p.run, end = min(start + p.run, p.k), first
    cdef StridedMatrix a = p.a, b = p.b
    cdef char* result = c
    for first from start <= first < end by p.step:
        if not goes_on():
            return False
        a.data = p.a.data + first * p.a.column_stride
        b.data = p.b.data + first * p.b.row_stride
        if p.is_symmetric:
            run_upper(p, min(p.step, end - first), &a, &b, result, scratch)
        else:
            p.loop.run(p.m, p.n, min(p.step, end - first), &a, &b, result, p.n * p.itemsize, scratch)
        if first > start:
            p.loop.add(p.m * p.n, result, c)
        result = scratch + p.loop_bytes
    return True


cdef void run_upper(const LongProduct* p, Py_ssize_t k, const StridedMatrix* a, const StridedMatrix* b, char* c,
                    char* scratch) noexcept nogil:
    """The elements above the diagonal, some columns at a time, and few of those below it."""
    cdef StridedMatrix columns = b[0]
    cdef Py_ssize_t width = PANEL_BYTES // p.itemsize, first = 0, n
    while first < p.n:
        n = width if first + width + 1 < p.n else p.n - first  # loops do a single column otherwise
        p.loop.run(first + n, n, k, a, &columns, c + first * p.itemsize, p.n * p.itemsize, scratch)
        columns.data += n * b.column_stride
        first += n


cdef void copy_upper(const LongProduct* p) noexcept nogil:
    """What `run_upper` has left out."""
    cdef Py_ssize_t width = PANEL_BYTES // p.itemsize, row_bytes = p.n * p.itemsize, first = width
    while first < p.n:
        copy_transposed(p.c + first * p.itemsize, first, min(width, p.n - first), p.itemsize,
                        p.c + first * row_bytes, row_bytes)
        first += width


cdef bint is_long_dot(Py_ssize_t k) noexcept nogil:
    return k > DOT_PIECE


cdef void run_dot(const Dot* dot, char* c) noexcept nogil:
    cdef double total[2]
    multiply(dot, 0, dot.k, total)
    store(dot.letter, c, total)


cdef void run_long_dot(const Dot* dot, char* c) noexcept nogil:
    cdef LongDot work
    cdef Py_ssize_t n_pieces = min((dot.k + DOT_PIECE - 1) // DOT_PIECE, <Py_ssize_t>MAX_DOT_PIECES), i
    cdef double total[2]
    work.dot, work.piece = dot, (dot.k + n_pieces - 1) // n_pieces
    share_by_time(run_dot_piece, &work, n_pieces, dot.k * dot.itemsize * DOT_BYTE_NS)
    total[0] = total[1] = 0
    for i in range(n_pieces):
        total[0] += work.sums[i][0]
        total[1] += work.sums[i][1]
    store(dot.letter, c, total)


cdef void run_dot_piece(void* long_dot, Py_ssize_t i) noexcept nogil:
    cdef LongDot* work = <LongDot*>long_dot
    multiply(work.dot, i * work.piece, min(work.piece, work.dot.k - i * work.piece), work.sums[i])


cdef void multiply(const Dot* dot, Py_ssize_t first, Py_ssize_t n, double* out) noexcept nogil:
    """The part of elements first to first + n: real and imaginary part."""
    multiply_vectors(dot.letter, <int>n, dot.a + first * dot.a_step, <int>(dot.a_step // dot.itemsize),
                     dot.b + first * dot.b_step, <int>(dot.b_step // dot.itemsize), out)


cdef void store(int letter, char* c, const double* value) noexcept nogil:
    if letter == SINGLE or letter == SINGLE_COMPLEX:
        (<float*>c)[0] = <float>value[0]
        if letter == SINGLE_COMPLEX:
            (<float*>c)[1] = <float>value[1]
    else:
        (<double*>c)[0] = value[0]
        if letter == DOUBLE_COMPLEX:
            (<double*>c)[1] = value[1]


cdef bint is_short_dot(NDArray a) noexcept:
    """Whether a vector is so short that its dot product is not worth a call of BLAS."""
    return 0 < a.info.size < SHORT_DOT and letter_of(a.number) != NO_LETTER


cdef NDArray short_dot(NDArray a, NDArray b):
    """The product of two such vectors, at once; the same sums as those of a stack of them."""
    cdef NDArray c = new_array(a.number, 0, NULL)
    cdef int letter = letter_of(a.number)
    short_dots(DotOperand(a.data, 0, a.info.strides[0]), DotOperand(b.data, 0, b.info.strides[0]), c.data, 1,
               a.info.size, letter == DOUBLE or letter == DOUBLE_COMPLEX, letter >= SINGLE_COMPLEX)
    return c
