"""Factorizations of stacks of matrices: LU (solve, inverse, determinant), Cholesky and QR.

Every function takes contiguous arrays of one dtype that LAPACK has, writes its results into the arrays given, and
returns (position, status) of the first matrix that failed, or (-1, 0).
"""

from libc.math cimport NAN
from libc.string cimport memcpy, memset
from nd4py._core.array.array cimport NDArray
from nd4py._core.threads.threads cimport goes_on
from nd4py.cpu.linalg.lapack cimport lapack
from nd4py.cpu.linalg.large_matrices cimport FEW_MATRICES, LARGE_ROWS, large_getrf, large_getrs, large_potrf, load_large
from nd4py.cpu.linalg.matrix_batch cimport (
    NOT_FINITE, Batch, add_area, add_operand, from_columns, is_finite, matrix, run_batch, start_batch, to_columns,
    work_size,
)

cdef extern from "determinant.h" nogil:
    cdef struct Determinant:
        double re
    Determinant determinant_of(const char* a, Py_ssize_t n, const int* pivots, bint is_singular, bint is_double,
                               bint is_complex)
    void store_determinant(const Determinant& d, char* y, bint is_double, bint is_complex)
    void store_sign_and_logarithm(const Determinant& d, char* sign, char* logarithm, bint is_double, bint is_complex)


cdef int find_large(Batch* batch) except -1:
    """Decide, by the sizes alone, whether each matrix is worked on by all threads."""
    batch.is_large = batch.n >= LARGE_ROWS and batch.n_matrices < FEW_MATRICES
    return load_large() if batch.is_large else 0


cdef int factorize(const Batch* batch, char* a, int* pivots) noexcept nogil:
    """LU factors of a matrix in columns, in place.  Returns LAPACK's status."""
    cdef int n = batch.n, status = 0
    if batch.is_large:
        return large_getrf(batch.letter, n, a, pivots)
    if n:
        lapack.getrf[batch.letter](&n, &n, a, &n, pivots, &status)
    return status


cdef double cube(Py_ssize_t n) noexcept:
    return <double>n * n * n


def solve(NDArray a, NDArray b: NDArray | None, NDArray x, Py_ssize_t n_matrices) -> tuple[int, int]:
    """x (..., n, k) with a (..., n, n) @ x = b (..., n, k); b is None for the identity.

    a or b may be one matrix for the whole stack.  A positive status says that the matrix is singular.
    """
    cdef Batch batch
    cdef Py_ssize_t n = a.info.shape[a.info.ndim - 1], k = x.info.shape[x.info.ndim - 1]
    if x.info.size == 0:
        return -1, 0
    start_batch(&batch, a, n_matrices)
    add_operand(&batch, a)
    add_operand(&batch, x if b is None else b)
    add_operand(&batch, x)
    batch.job = b"I" if b is None else b"B"
    for operand, array in enumerate((a, b)):
        if array is not None and array.ndim == 2:
            batch.operand_bytes[operand] = 0  # the same for all
    batch.n, batch.k = n, k
    add_area(&batch, n * n * batch.itemsize)
    add_area(&batch, n * k * batch.itemsize)
    add_area(&batch, n * sizeof(int))
    find_large(&batch)
    return run_batch(&batch, solve_one, cube(n) / 3 + <double>n * n * k)


cdef int solve_one(const Batch* batch, Py_ssize_t i, char* scratch) noexcept nogil:
    cdef int n = batch.n, k = batch.k, status = 0
    cdef char* factors = scratch + batch.area[0]
    cdef char* x = scratch + batch.area[1]
    cdef int* pivots = <int*>(scratch + batch.area[2])
    to_columns(batch, matrix(batch, 0, i), factors, n, n, n)
    status = factorize(batch, factors, pivots)
    if not goes_on():
        return 0
    if status == 0:
        if batch.job == b"I":
            set_identity(batch, x)
        else:
            to_columns(batch, matrix(batch, 1, i), x, n, k, n)
        if batch.is_large:
            large_getrs(batch.letter, n, k, factors, pivots, x)
        else:
            lapack.getrs[batch.letter](b"N", &n, &k, factors, &n, pivots, x, &n, &status, 1)
        from_columns(batch, x, n, matrix(batch, 2, i), n, k)
    elif not is_finite(batch, matrix(batch, 0, i), <Py_ssize_t>n * n):
        status = NOT_FINITE
    return status


cdef void set_identity(const Batch* batch, char* x) noexcept nogil:
    """The identity (n, n)."""
    cdef Py_ssize_t n = batch.n, i
    cdef char* element
    memset(x, 0, n * n * batch.itemsize)
    for i in range(n):
        element = x + i * (n + 1) * batch.itemsize
        if batch.is_double:
            (<double*>element)[0] = 1
        else:
            (<float*>element)[0] = 1


def determinant(NDArray a, NDArray sign, NDArray logarithm: NDArray | None, Py_ssize_t n_matrices) -> tuple[int, int]:
    """The determinants of a (..., n, n) in `sign`, or their signs there and log|det| in `logarithm`."""
    cdef Batch batch
    cdef Py_ssize_t n = a.info.shape[a.info.ndim - 1]
    start_batch(&batch, a, n_matrices)
    add_operand(&batch, a)
    add_operand(&batch, sign)
    batch.n = n
    batch.job = b"D"
    if logarithm is not None:
        add_operand(&batch, logarithm)
        batch.job = b"L"
    add_area(&batch, n * n * batch.itemsize)
    add_area(&batch, n * sizeof(int))
    find_large(&batch)
    return run_batch(&batch, determinant_one, cube(n) / 3)


cdef int determinant_one(const Batch* batch, Py_ssize_t i, char* scratch) noexcept nogil:
    cdef int n = batch.n, status
    cdef char* factors = scratch + batch.area[0]
    cdef int* pivots = <int*>(scratch + batch.area[1])
    cdef Determinant d
    to_columns(batch, matrix(batch, 0, i), factors, n, n, n)
    status = factorize(batch, factors, pivots)
    d = determinant_of(factors, n, pivots, status > 0, batch.is_double, batch.is_complex)
    if status > 0 and not is_finite(batch, matrix(batch, 0, i), <Py_ssize_t>n * n):
        d.re = NAN
    if batch.job == b"D":
        store_determinant(d, matrix(batch, 1, i), batch.is_double, batch.is_complex)
    else:
        store_sign_and_logarithm(d, matrix(batch, 1, i), matrix(batch, 2, i), batch.is_double, batch.is_complex)
    return min(status, 0)


def cholesky(NDArray a, NDArray factor, bint is_upper, Py_ssize_t n_matrices) -> tuple[int, int]:
    """factor (..., n, n): lower L with a = L @ L^H, or upper U with a = U^H @ U; only that triangle of a is read.

    A positive status says that the matrix is not positive definite.
    """
    cdef Batch batch
    cdef Py_ssize_t n = a.info.shape[a.info.ndim - 1]
    if n == 0:
        return -1, 0
    start_batch(&batch, a, n_matrices)
    add_operand(&batch, a)
    add_operand(&batch, factor)
    batch.n = n
    # In columns the matrix is a^T, the conjugate of a: its upper factor lies where the rows have the lower one of a.
    batch.job = b"L" if is_upper else b"U"
    add_area(&batch, n * n * batch.itemsize if is_upper and n >= LARGE_ROWS else 1)
    find_large(&batch)
    return run_batch(&batch, large_cholesky_one if batch.is_large else cholesky_one, cube(n) / 6)


cdef int cholesky_one(const Batch* batch, Py_ssize_t i, char* scratch) noexcept nogil:
    cdef int n = batch.n, status = 0
    cdef char* factor = matrix(batch, 1, i)
    memcpy(factor, matrix(batch, 0, i), <Py_ssize_t>n * n * batch.itemsize)
    lapack.potrf[batch.letter](&batch.job, &n, factor, &n, &status, 1)
    return clear_triangle(batch, factor, status)


cdef int large_cholesky_one(const Batch* batch, Py_ssize_t i, char* scratch) noexcept nogil:
    """The upper factor of the columns is the lower one of the rows; an upper one is transposed."""
    cdef int n = batch.n, status
    cdef char* factor = matrix(batch, 1, i)
    if batch.job == b"U":
        memcpy(factor, matrix(batch, 0, i), <Py_ssize_t>n * n * batch.itemsize)
        status = large_potrf(batch.letter, n, factor)
    else:
        to_columns(batch, matrix(batch, 0, i), scratch, n, n, n)
        status = large_potrf(batch.letter, n, scratch)
        from_columns(batch, scratch, n, factor, n, n)
    return clear_triangle(batch, factor, status)


cdef int clear_triangle(const Batch* batch, char* factor, int status) noexcept nogil:
    """Zeros in the other triangle of a factor.  Returns its status: LAPACK lets NaN pass."""
    cdef Py_ssize_t n = batch.n, row_bytes = n * batch.itemsize, row
    for row in range(n):
        if batch.job == b"L":
            memset(factor + row * row_bytes, 0, row * batch.itemsize)
        else:
            memset(factor + row * row_bytes + (row + 1) * batch.itemsize, 0, (n - 1 - row) * batch.itemsize)
    return NOT_FINITE if status == 0 and not is_finite(batch, factor, n * n) else status


def qr(NDArray a, NDArray q, NDArray r, Py_ssize_t n_matrices) -> tuple[int, int]:
    """a (..., m, n) = q (..., m, c) @ r (..., c, n): c is m, or min(m, n)."""
    cdef Batch batch
    cdef Py_ssize_t m = a.info.shape[a.info.ndim - 2], n = a.info.shape[a.info.ndim - 1]
    cdef Py_ssize_t c = q.info.shape[q.info.ndim - 1], least = min(m, n)
    start_batch(&batch, a, n_matrices)
    add_operand(&batch, a)
    add_operand(&batch, q)
    add_operand(&batch, r)
    batch.m, batch.n, batch.k = m, n, c
    add_area(&batch, m * max(n, c) * batch.itemsize)
    add_area(&batch, least * batch.itemsize)
    batch.work_size = qr_work_size(&batch, least)
    add_area(&batch, batch.work_size * batch.itemsize)
    return run_batch(&batch, qr_one, 4.0 * m * n * least)


cdef int qr_work_size(Batch* batch, int least) except -1:
    cdef int m = batch.m, n = batch.n, c = batch.k, ask = -1, status = 0
    cdef double first[2]
    cdef double second[2]
    lapack.geqrf[batch.letter](&m, &n, NULL, &m, NULL, first, &ask, &status)
    lapack.orgqr[batch.letter](&m, &c, &least, NULL, &m, NULL, second, &ask, &status)
    return max(work_size(batch, first), work_size(batch, second))


cdef int qr_one(const Batch* batch, Py_ssize_t i, char* scratch) noexcept nogil:
    cdef int m = batch.m, n = batch.n, c = batch.k, least = min(m, n), status = 0
    cdef char* columns = scratch + batch.area[0]
    cdef char* tau = scratch + batch.area[1]
    cdef char* work = scratch + batch.area[2]
    cdef char* r = matrix(batch, 2, i)
    cdef Py_ssize_t row
    to_columns(batch, matrix(batch, 0, i), columns, m, n, m)
    lapack.geqrf[batch.letter](&m, &n, columns, &m, tau, work, &batch.work_size, &status)
    from_columns(batch, columns, m, r, c, n)
    for row in range(1, c):
        memset(r + row * n * batch.itemsize, 0, min(row, <Py_ssize_t>n) * batch.itemsize)
    lapack.orgqr[batch.letter](&m, &c, &least, columns, &m, tau, work, &batch.work_size, &status)
    from_columns(batch, columns, m, matrix(batch, 1, i), m, c)
    return status
