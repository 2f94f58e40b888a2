"""Factorizations of one large matrix by all threads.

Design: LAPACK's own blocked algorithms, with the work behind each block of columns cut into chunks of columns that
threads share.  Blocks and chunks depend on the size only, so neither do results on the number of threads; LAPACK's
parallel versions promise no such thing, which is why the library's threads are off.  Source: Golub & Van Loan, Matrix
Computations, 3.2.11 and 4.2.9.
"""

from nd4py._core.threads.threads cimport acquire_threads, goes_on, release_threads
from nd4py.cpu.matmul.blas cimport DOUBLE, DOUBLE_COMPLEX, N_LETTERS, SINGLE, blas_function
from nd4py.cpu.linalg.lapack cimport lapack, load_lapack
from nd4py.cpu.parallel.tasks cimport Task, take_turns

ctypedef void (*Gemm)(const char* a_transposed, const char* b_transposed, const int* m, const int* n, const int* k,
                      const void* alpha, const void* a, const int* a_stride, const void* b, const int* b_stride,
                      const void* beta, void* c, const int* c_stride, size_t, size_t) noexcept nogil
ctypedef void (*Trsm)(const char* side, const char* triangle, const char* transposed, const char* diagonal,
                      const int* m, const int* n, const void* alpha, const void* a, const int* a_stride, void* b,
                      const int* b_stride, size_t, size_t, size_t, size_t) noexcept nogil
ctypedef void (*Laswp)(const int* n, void* a, const int* a_stride, const int* first, const int* last,
                       const int* pivots, const int* step) noexcept nogil

cdef enum:
    BLOCK_COLUMNS = 128                  # columns factorized by one thread
    CHUNK = 128                          # columns of one task
    SOLVED_ROWS = 1024                   # of right sides, at a time

# A block of columns that has been factorized, or right sides of equations.
cdef struct Elimination:
    int letter, n
    char* a
    const int* pivots
    int first, width                     # of the block
    int k                                # right sides
    char* b
    Py_ssize_t n_chunks                  # of columns behind the block, or of right sides

cdef Gemm gemm[N_LETTERS]
cdef Trsm trsm[N_LETTERS]
cdef Laswp laswp[N_LETTERS]
cdef bint is_loaded = False

# 1, -1 as single and double, with an imaginary part of 0.
cdef float SINGLE_ONE[2]
cdef float SINGLE_MINUS_ONE[2]
cdef double DOUBLE_ONE[2]
cdef double DOUBLE_MINUS_ONE[2]
SINGLE_ONE[:] = [1, 0]
SINGLE_MINUS_ONE[:] = [-1, 0]
DOUBLE_ONE[:] = [1, 0]
DOUBLE_MINUS_ONE[:] = [-1, 0]


cdef int load_large() except -1:
    """Look the functions up.  Raises ImportError where one is missing."""
    global is_loaded
    cdef int i
    if is_loaded:
        return 0
    load_lapack()
    for i in range(N_LETTERS):
        letter = "sdcz"[i]
        gemm[i] = <Gemm>blas_function(letter + "gemm_")
        trsm[i] = <Trsm>blas_function(letter + "trsm_")
        laswp[i] = <Laswp>blas_function(letter + "laswp_")
    is_loaded = True
    return 0


cdef bint has_doubles(int letter) noexcept nogil:
    return letter == DOUBLE or letter == DOUBLE_COMPLEX


cdef const void* one(int letter) noexcept nogil:
    return <const void*>DOUBLE_ONE if has_doubles(letter) else <const void*>SINGLE_ONE


cdef const void* minus_one(int letter) noexcept nogil:
    return <const void*>DOUBLE_MINUS_ONE if has_doubles(letter) else <const void*>SINGLE_MINUS_ONE


cdef Py_ssize_t itemsize_of(int letter) noexcept nogil:
    return (8 if has_doubles(letter) else 4) * (1 if letter == SINGLE or letter == DOUBLE else 2)


cdef char* at(int letter, char* a, Py_ssize_t stride, Py_ssize_t row, Py_ssize_t column) noexcept nogil:
    """The element of a matrix in columns."""
    return a + (column * stride + row) * itemsize_of(letter)


cdef int large_getrf(int letter, int n, char* a, int* pivots) noexcept nogil:
    """getrf of a square matrix: LU factors in place, and the row exchanges.  Returns its status."""
    cdef int first = 0, width, rows, status = 0, found = 0, i
    cdef Elimination work
    work.letter, work.n, work.a, work.pivots, work.n_chunks = letter, n, a, pivots, (n + CHUNK - 1) // CHUNK
    while first < n and goes_on():
        width = min(<int>BLOCK_COLUMNS, n - first)
        rows = n - first
        lapack.getrf[letter](&rows, &width, at(letter, a, n, first, first), &n, pivots + first, &found)
        if found > 0 and status == 0:
            status = found + first
        for i in range(first, first + width):
            pivots[i] += first
        work.first, work.width = first, width
        share_chunks(update_columns, &work)
        first += width
    return status


cdef void share_chunks(Task task, Elimination* work) noexcept nogil:
    cdef int n_threads = acquire_threads(work.n_chunks)
    take_turns(task, work, work.n_chunks, n_threads)
    release_threads(n_threads)


cdef void update_columns(void* elimination, Py_ssize_t chunk) noexcept nogil:
    """A chunk of columns after the block: its row exchanges, and behind the block its elimination."""
    cdef const Elimination* work = <const Elimination*>elimination
    cdef int letter = work.letter, n = work.n, first = work.first, width = work.width
    cdef char* a = work.a
    cdef int start = <int>chunk * CHUNK, end = min(n, start + CHUNK), low = first + 1, high = first + width, step = 1
    cdef int rows = n - high, columns
    if start == first:                   # the block itself, a chunk as wide
        return
    columns = end - start
    laswp[letter](&columns, at(letter, a, n, 0, start), &n, &low, &high, work.pivots, &step)
    if start < first:
        return
    trsm[letter](b"L", b"L", b"N", b"U", &width, &columns, one(letter), at(letter, a, n, first, first), &n,
                 at(letter, a, n, first, start), &n, 1, 1, 1, 1)
    if rows:
        gemm[letter](b"N", b"N", &rows, &columns, &width, minus_one(letter), at(letter, a, n, high, first), &n,
                     at(letter, a, n, first, start), &n, one(letter), at(letter, a, n, high, start), &n, 1, 1)


cdef void large_getrs(int letter, int n, int k, const char* a, const int* pivots, char* b) noexcept nogil:
    """getrs: the solution, in place of b (n, k), by the factors of a."""
    cdef Elimination work
    work.letter, work.n, work.a, work.pivots, work.k, work.b = letter, n, <char*>a, pivots, k, b
    work.n_chunks = (k + CHUNK - 1) // CHUNK
    share_chunks(solve_columns, &work)


cdef void solve_columns(void* elimination, Py_ssize_t chunk) noexcept nogil:
    """A chunk of right sides: forwards through the lower factor and back through the upper one, by blocks of rows."""
    cdef const Elimination* work = <const Elimination*>elimination
    cdef int letter = work.letter, n = work.n, start = <int>chunk * CHUNK, columns = min(<int>CHUNK, work.k - start)
    cdef int first, width, rest, low = 1, step = 1
    cdef char* b = at(letter, work.b, n, 0, start)
    laswp[letter](&columns, b, &n, &low, &n, work.pivots, &step)
    for first from 0 <= first < n by SOLVED_ROWS:
        if not goes_on():
            return
        width = min(<int>SOLVED_ROWS, n - first)
        rest = n - first - width
        solve_block(work, b"L", b"U", first, width, columns, b)
        if rest:
            eliminate_block(work, first + width, rest, first, width, columns, b)
    first = (n - 1) // SOLVED_ROWS * SOLVED_ROWS
    while first >= 0 and goes_on():
        width = min(<int>SOLVED_ROWS, n - first)
        solve_block(work, b"U", b"N", first, width, columns, b)
        if first:
            eliminate_block(work, 0, first, first, width, columns, b)
        first -= SOLVED_ROWS


cdef void solve_block(const Elimination* work, const char* triangle, const char* diagonal, int first, int width,
                      int columns, char* b) noexcept nogil:
    """The block's rows of b become those of the solution."""
    cdef int letter = work.letter, n = work.n
    trsm[letter](b"L", triangle, b"N", diagonal, &width, &columns, one(letter), at(letter, work.a, n, first, first), &n,
                 at(letter, b, n, first, 0), &n, 1, 1, 1, 1)


cdef void eliminate_block(const Elimination* work, int row, int rows, int first, int width, int columns,
                          char* b) noexcept nogil:
    """What the block's part of the solution contributes is taken off other rows of b."""
    cdef int letter = work.letter, n = work.n
    gemm[letter](b"N", b"N", &rows, &columns, &width, minus_one(letter), at(letter, work.a, n, row, first), &n,
                 at(letter, b, n, first, 0), &n, one(letter), at(letter, b, n, row, 0), &n, 1, 1)


cdef int large_potrf(int letter, int n, char* a) noexcept nogil:
    """potrf of the upper triangle, in place; the elements below it are overwritten.  Returns its status."""
    cdef int first = 0, width, status = 0
    cdef Elimination work
    work.letter, work.n, work.a = letter, n, a
    while first < n and goes_on():
        width = min(<int>BLOCK_COLUMNS, n - first)
        work.first, work.width, work.n_chunks = first, width, (n - first - width + CHUNK - 1) // CHUNK
        lapack.potrf[letter](b"U", &width, at(letter, a, n, first, first), &n, &status, 1)
        if status != 0:
            status += first if status > 0 else 0
            break
        share_chunks(solve_row, &work)
        share_chunks(subtract_squares, &work)
        first += width
    return status


cdef void solve_row(void* elimination, Py_ssize_t chunk) noexcept nogil:
    """A chunk of the block's rows, right of the block: those of the factor."""
    cdef const Elimination* work = <const Elimination*>elimination
    cdef int letter = work.letter, n = work.n, first = work.first, width = work.width
    cdef char* a = work.a
    cdef int start = first + width + <int>chunk * CHUNK, columns = min(<int>CHUNK, n - start)
    trsm[letter](b"L", b"U", b"C", b"N", &width, &columns, one(letter), at(letter, a, n, first, first), &n,
                 at(letter, a, n, first, start), &n, 1, 1, 1, 1)


cdef void subtract_squares(void* elimination, Py_ssize_t number) noexcept nogil:
    """A chunk of columns behind the block, the longest ones first: the block's part of the product is taken off, down
    to the diagonal."""
    cdef const Elimination* work = <const Elimination*>elimination
    cdef int letter = work.letter, n = work.n, first = work.first, width = work.width
    cdef char* a = work.a
    cdef int next = first + width, start = next + <int>(work.n_chunks - 1 - number) * CHUNK
    cdef int columns = min(<int>CHUNK, n - start), rows = start + columns - next
    gemm[letter](b"C", b"N", &rows, &columns, &width, minus_one(letter), at(letter, a, n, first, next), &n,
                 at(letter, a, n, first, start), &n, one(letter), at(letter, a, n, next, start), &n, 1, 1)
