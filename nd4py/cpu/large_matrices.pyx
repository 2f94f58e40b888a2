"""Factorizations of one large matrix by all threads.

Design: LAPACK's own blocked algorithms, with the work behind each block of columns cut into chunks of columns that
threads share.  Blocks and chunks depend on the size only, so neither do results on the number of threads; LAPACK's
parallel versions promise no such thing, which is why the library's threads are off.  Source: Golub & Van Loan, Matrix
Computations, 3.2.11 and 4.2.9.
"""

from cython.parallel cimport prange
from nd4py._core.threads cimport acquire_threads, current_core, leave_core, release_threads
from nd4py.cpu.blas cimport DOUBLE, DOUBLE_COMPLEX, N_LETTERS, SINGLE, blas_function
from nd4py.cpu.lapack cimport lapack, load_lapack

ctypedef void (*Gemm)(const char* a_transposed, const char* b_transposed, const int* m, const int* n, const int* k,
                      const void* alpha, const void* a, const int* a_stride, const void* b, const int* b_stride,
                      const void* beta, void* c, const int* c_stride, size_t, size_t) noexcept nogil
ctypedef void (*Trsm)(const char* side, const char* triangle, const char* transposed, const char* diagonal,
                      const int* m, const int* n, const void* alpha, const void* a, const int* a_stride, void* b,
                      const int* b_stride, size_t, size_t, size_t, size_t) noexcept nogil
ctypedef void (*Laswp)(const int* n, void* a, const int* a_stride, const int* first, const int* last,
                       const int* pivots, const int* step) noexcept nogil

cdef enum:
    BLOCK = 128                          # columns factorized by one thread
    CHUNK = 128                          # columns of one task

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
    cdef int first = 0, width, rows, status = 0, found = 0, i, n_threads, home
    cdef Py_ssize_t chunk, n_chunks = (n + CHUNK - 1) // CHUNK
    while first < n:
        width = min(<int>BLOCK, n - first)
        rows = n - first
        lapack.getrf[letter](&rows, &width, at(letter, a, n, first, first), &n, pivots + first, &found)
        if found > 0 and status == 0:
            status = found + first
        for i in range(first, first + width):
            pivots[i] += first
        n_threads = acquire_threads(n_chunks)
        home = current_core()
        for chunk in prange(n_chunks, num_threads=n_threads, schedule="dynamic"):
            leave_core(home)
            update_columns(letter, n, a, pivots, first, width, <int>chunk)
        release_threads(n_threads)
        first += width
    return status


cdef void update_columns(int letter, int n, char* a, const int* pivots, int first, int width,
                         int chunk) noexcept nogil:
    """A chunk of columns after the block at `first`: its row exchanges, and behind the block its elimination."""
    cdef int start = chunk * CHUNK, end = min(n, start + CHUNK), low = first + 1, high = first + width, step = 1
    cdef int rows = n - high, columns
    if start == first:                   # the block itself, a chunk as wide
        return
    columns = end - start
    laswp[letter](&columns, at(letter, a, n, 0, start), &n, &low, &high, pivots, &step)
    if start < first:
        return
    trsm[letter](b"L", b"L", b"N", b"U", &width, &columns, one(letter), at(letter, a, n, first, first), &n,
                 at(letter, a, n, first, start), &n, 1, 1, 1, 1)
    if rows:
        gemm[letter](b"N", b"N", &rows, &columns, &width, minus_one(letter), at(letter, a, n, high, first), &n,
                     at(letter, a, n, first, start), &n, one(letter), at(letter, a, n, high, start), &n, 1, 1)


cdef void large_getrs(int letter, int n, int k, const char* a, const int* pivots, char* b) noexcept nogil:
    """getrs: the solution, in place of b (n, k), by the factors of a."""
    cdef int n_threads, home
    cdef Py_ssize_t chunk, n_chunks = (k + CHUNK - 1) // CHUNK
    n_threads = acquire_threads(n_chunks)
    home = current_core()
    for chunk in prange(n_chunks, num_threads=n_threads, schedule="dynamic"):
        leave_core(home)
        solve_columns(letter, n, k, a, pivots, b, <int>chunk)
    release_threads(n_threads)


cdef void solve_columns(int letter, int n, int k, const char* a, const int* pivots, char* b,
                        int chunk) noexcept nogil:
    cdef int start = chunk * CHUNK, columns = min(<int>CHUNK, k - start), status = 0
    lapack.getrs[letter](b"N", &n, &columns, a, &n, pivots, at(letter, b, n, 0, start), &n, &status, 1)


cdef int large_potrf(int letter, int n, char* a) noexcept nogil:
    """potrf of the upper triangle, in place; what stands below is overwritten.  Returns its status."""
    cdef int first = 0, width, status = 0, n_threads, home
    cdef Py_ssize_t chunk, n_chunks
    while first < n:
        width = min(<int>BLOCK, n - first)
        n_chunks = (n - first - width + CHUNK - 1) // CHUNK
        lapack.potrf[letter](b"U", &width, at(letter, a, n, first, first), &n, &status, 1)
        if status != 0:
            status += first if status > 0 else 0
            break
        n_threads = acquire_threads(n_chunks)
        home = current_core()
        for chunk in prange(n_chunks, num_threads=n_threads, schedule="dynamic"):
            leave_core(home)
            solve_row(letter, n, a, first, width, <int>chunk)
        for chunk in prange(n_chunks, num_threads=n_threads, schedule="dynamic"):
            subtract_squares(letter, n, a, first, width, <int>(n_chunks - 1 - chunk))
        release_threads(n_threads)
        first += width
    return status


cdef void solve_row(int letter, int n, char* a, int first, int width, int chunk) noexcept nogil:
    """A chunk of the block's rows, right of the block: those of the factor."""
    cdef int start = first + width + chunk * CHUNK, columns = min(<int>CHUNK, n - start)
    trsm[letter](b"L", b"U", b"C", b"N", &width, &columns, one(letter), at(letter, a, n, first, first), &n,
                 at(letter, a, n, first, start), &n, 1, 1, 1, 1)


cdef void subtract_squares(int letter, int n, char* a, int first, int width, int chunk) noexcept nogil:
    """A chunk of columns behind the block: the block's part of the product is taken off, down to the diagonal."""
    cdef int next = first + width, start = next + chunk * CHUNK, columns = min(<int>CHUNK, n - start)
    cdef int rows = start + columns - next
    gemm[letter](b"C", b"N", &rows, &columns, &width, minus_one(letter), at(letter, a, n, first, next), &n,
                 at(letter, a, n, first, start), &n, one(letter), at(letter, a, n, next, start), &n, 1, 1)
