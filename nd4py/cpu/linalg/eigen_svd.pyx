"""Eigenvalues, singular values and least squares of stacks of matrices.

Every function takes contiguous arrays of one dtype that LAPACK has, writes its results into the arrays given, and
returns (position, status) of the first matrix that failed, or (-1, 0): NOT_FINITE for NaN or infinity, a positive
status where the iteration did not converge.
"""

from libc.stdint cimport int64_t
from nd4py._core.array.array cimport NDArray
from nd4py.cpu.linalg.lapack cimport (
    ComplexGeev, ComplexGelsd, ComplexGesdd, Geev, Gelsd, Gesdd, Heevd, Syevd, lapack,
)
from nd4py.cpu.linalg.matrix_batch cimport NOT_FINITE as NOT_FINITE_STATUS
from nd4py.cpu.linalg.matrix_batch cimport (
    Batch, add_area, add_operand, from_columns, is_finite, matrix, run_batch, start_batch, to_columns, work_size,
)

cdef extern from "eigen_pairs.h" nogil:
    void pair_up(const char* parts, const char* columns, Py_ssize_t n, char* values, char* vectors, bint is_double)

NOT_FINITE: int = NOT_FINITE_STATUS


cdef int start_spectrum(Batch* batch, NDArray a, NDArray values, NDArray vectors, Py_ssize_t n_matrices) except -1:
    """Begin a batch whose results are values and, unless they are None, vectors."""
    start_batch(batch, a, n_matrices)
    add_operand(batch, a)
    add_operand(batch, values)
    if vectors is not None:
        add_operand(batch, vectors)
    batch.n = a.info.shape[a.info.ndim - 1]
    batch.job = b"N" if vectors is None else b"V"
    return 0


def eigh(NDArray a, NDArray values, NDArray vectors: NDArray | None, Py_ssize_t n_matrices) -> tuple[int, int]:
    """values (..., n), ascending, and vectors (..., n, n), in columns, or None, of the lower triangles of a."""
    cdef Batch batch
    cdef Py_ssize_t n = a.info.shape[a.info.ndim - 1]
    start_spectrum(&batch, a, values, vectors, n_matrices)
    ask_eigh(&batch)
    add_area(&batch, n * n * batch.itemsize)
    add_area(&batch, batch.work_size * batch.itemsize)
    add_area(&batch, batch.n_reals * batch.real_size)
    add_area(&batch, batch.n_integers * sizeof(int))
    return run_batch(&batch, eigh_one, (3.0 if vectors is None else 9.0) * n * n * n)


cdef int ask_eigh(Batch* batch) except -1:
    """The workspaces of eigh."""
    cdef int status = 0
    cdef double work[2]
    cdef double real[1]
    cdef int integer = 1
    batch.work_size = batch.n_reals = batch.n_integers = -1
    call_eigh(batch, NULL, NULL, <char*>work, <char*>real, &integer, &status)
    batch.work_size = work_size(batch, work)
    batch.n_reals = work_size(batch, real) if batch.is_complex else 0
    batch.n_integers = integer
    return 0


cdef void call_eigh(const Batch* batch, char* a, char* values, char* work, char* reals, int* integers,
                    int* status) noexcept nogil:
    cdef int n = batch.n
    if batch.is_complex:
        (<Heevd>lapack.eigh[batch.letter])(&batch.job, b"L", &n, a, &n, values, work, &batch.work_size, reals,
                                           &batch.n_reals, integers, &batch.n_integers, status, 1, 1)
    else:
        (<Syevd>lapack.eigh[batch.letter])(&batch.job, b"L", &n, a, &n, values, work, &batch.work_size, integers,
                                           &batch.n_integers, status, 1, 1)


cdef int eigh_one(const Batch* batch, Py_ssize_t i, char* scratch) noexcept nogil:
    cdef int n = batch.n, status = 0
    cdef char* columns = scratch + batch.area[0]
    if not is_finite(batch, matrix(batch, 0, i), <Py_ssize_t>n * n):
        return NOT_FINITE_STATUS
    to_columns(batch, matrix(batch, 0, i), columns, n, n, n)
    call_eigh(batch, columns, matrix(batch, 1, i), scratch + batch.area[1], scratch + batch.area[2],
              <int*>(scratch + batch.area[3]), &status)
    if batch.job == b"V":
        from_columns(batch, columns, n, matrix(batch, 2, i), n, n)
    return status


def eig(NDArray a, NDArray values, NDArray vectors: NDArray | None, Py_ssize_t n_matrices) -> tuple[int, int]:
    """values (..., n) and vectors (..., n, n), in columns, or None; both complex of the width of a."""
    cdef Batch batch
    cdef Py_ssize_t n = a.info.shape[a.info.ndim - 1]
    start_spectrum(&batch, a, values, vectors, n_matrices)
    batch.n_reals = 2 * n
    ask_eig(&batch)
    add_area(&batch, n * n * batch.itemsize)
    add_area(&batch, n * n * batch.itemsize if vectors is not None else 1)
    add_area(&batch, batch.work_size * batch.itemsize)
    add_area(&batch, batch.n_reals * batch.real_size)
    return run_batch(&batch, eig_one, (10.0 if vectors is None else 25.0) * n * n * n)


cdef int ask_eig(Batch* batch) except -1:
    """The workspace of eig."""
    cdef int status = 0
    cdef double work[2]
    cdef double real[2]
    batch.work_size = -1
    call_eig(batch, NULL, NULL, NULL, <char*>work, <char*>real, &status)
    batch.work_size = work_size(batch, work)
    return 0


cdef void call_eig(const Batch* batch, char* a, char* values, char* vectors, char* work, char* reals,
                   int* status) noexcept nogil:
    """Values of real matrices go to `reals`, all real parts before all imaginary ones."""
    cdef int n = batch.n
    if batch.is_complex:
        (<ComplexGeev>lapack.geev[batch.letter])(b"N", &batch.job, &n, a, &n, values, NULL, &n, vectors, &n, work,
                                                 &batch.work_size, reals, status, 1, 1)
    else:
        (<Geev>lapack.geev[batch.letter])(b"N", &batch.job, &n, a, &n, reals, reals + n * batch.real_size, NULL, &n,
                                          vectors, &n, work, &batch.work_size, status, 1, 1)


cdef int eig_one(const Batch* batch, Py_ssize_t i, char* scratch) noexcept nogil:
    cdef int n = batch.n, status = 0
    cdef char* columns = scratch + batch.area[0]
    cdef char* vectors = scratch + batch.area[1]
    cdef char* reals = scratch + batch.area[3]
    cdef char* values = matrix(batch, 1, i)
    if not is_finite(batch, matrix(batch, 0, i), <Py_ssize_t>n * n):
        return NOT_FINITE_STATUS
    to_columns(batch, matrix(batch, 0, i), columns, n, n, n)
    call_eig(batch, columns, values, vectors, scratch + batch.area[2], reals, &status)
    if batch.is_complex:
        if batch.job == b"V":
            from_columns(batch, vectors, n, matrix(batch, 2, i), n, n)
    else:
        pair_up(reals, vectors, n, values, matrix(batch, 2, i) if batch.job == b"V" else NULL, batch.is_double)
    return status


def svd(
    NDArray a, NDArray s, NDArray u: NDArray | None, NDArray vh: NDArray | None, Py_ssize_t n_matrices
) -> tuple[int, int]:
    """s (..., k), descending, u (..., m, c) and vh (..., r, n) with c = m, r = n or c = r = k; u and vh may be None."""
    cdef Batch batch
    cdef Py_ssize_t m = a.info.shape[a.info.ndim - 2], n = a.info.shape[a.info.ndim - 1], k = min(m, n)
    start_batch(&batch, a, n_matrices)
    add_operand(&batch, a)
    add_operand(&batch, s)
    batch.m, batch.n, batch.k = m, n, k
    batch.job = b"N"
    if u is not None:
        add_operand(&batch, u)
        add_operand(&batch, vh)
        batch.job = b"A" if u.info.shape[u.info.ndim - 1] == m and vh.info.shape[vh.info.ndim - 2] == n else b"S"
    ask_svd(&batch)
    add_area(&batch, m * n * batch.itemsize)
    add_area(&batch, m * columns_of_u(&batch) * batch.itemsize)
    add_area(&batch, n * rows_of_vh(&batch) * batch.itemsize)
    add_area(&batch, batch.work_size * batch.itemsize)
    add_area(&batch, batch.n_reals * batch.real_size)
    add_area(&batch, 8 * k * sizeof(int))
    return run_batch(&batch, svd_one, (4.0 if u is None else 20.0) * m * n * k)


cdef int columns_of_u(const Batch* batch) noexcept nogil:
    return 0 if batch.job == b"N" else (batch.m if batch.job == b"A" else batch.k)


cdef int rows_of_vh(const Batch* batch) noexcept nogil:
    return 0 if batch.job == b"N" else (batch.n if batch.job == b"A" else batch.k)


cdef int ask_svd(Batch* batch) except -1:
    """The workspaces of svd.  That of reals is the one in the documentation of zgesdd."""
    cdef Py_ssize_t least = batch.k, most = max(batch.m, batch.n), n_reals = 7 * least
    cdef double work[2]
    cdef int status = 0
    batch.work_size = -1
    call_svd(batch, NULL, NULL, NULL, NULL, <char*>work, NULL, NULL, &status)
    batch.work_size = work_size(batch, work)
    if batch.is_complex:
        if batch.job != b"N":
            n_reals = least * max(5 * least + 7, 2 * most + 2 * least + 1)
        batch.n_reals = <int>n_reals     # used for its own area only, whose size is no argument
        if n_reals != batch.n_reals:
            raise ValueError(f"svd: a matrix of ({batch.m}, {batch.n}) is out of LAPACK's reach; use smaller matrices")
    return 0


cdef void call_svd(const Batch* batch, char* a, char* s, char* u, char* vh, char* work, char* reals, int* integers,
                   int* status) noexcept nogil:
    cdef int m = batch.m, n = batch.n, vh_stride = max(rows_of_vh(batch), 1)
    if batch.is_complex:
        (<ComplexGesdd>lapack.gesdd[batch.letter])(&batch.job, &m, &n, a, &m, s, u, &m, vh, &vh_stride, work,
                                                   &batch.work_size, reals, integers, status, 1)
    else:
        (<Gesdd>lapack.gesdd[batch.letter])(&batch.job, &m, &n, a, &m, s, u, &m, vh, &vh_stride, work,
                                            &batch.work_size, integers, status, 1)


cdef int svd_one(const Batch* batch, Py_ssize_t i, char* scratch) noexcept nogil:
    cdef int m = batch.m, n = batch.n, status = 0
    cdef char* columns = scratch + batch.area[0]
    cdef char* u = scratch + batch.area[1]
    cdef char* vh = scratch + batch.area[2]
    if not is_finite(batch, matrix(batch, 0, i), <Py_ssize_t>m * n):
        return NOT_FINITE_STATUS
    to_columns(batch, matrix(batch, 0, i), columns, m, n, m)
    call_svd(batch, columns, matrix(batch, 1, i), u, vh, scratch + batch.area[3], scratch + batch.area[4],
             <int*>(scratch + batch.area[5]), &status)
    if batch.job != b"N":
        from_columns(batch, u, m, matrix(batch, 2, i), m, columns_of_u(batch))
        from_columns(batch, vh, rows_of_vh(batch), matrix(batch, 3, i), rows_of_vh(batch), n)
    return status


def least_squares(
    NDArray a, NDArray b, NDArray rtol, NDArray x, NDArray s, NDArray rank, Py_ssize_t n_matrices
) -> tuple[int, int]:
    """x (..., max(m, n), k): in its first n rows the shortest x that minimizes |a (..., m, n) @ x - b (..., m, k)|.

    rtol: one real number; singular values s (..., min(m, n)) up to rtol * s[0] count as 0.  rank (...): int64.
    Where rank is n, the squares of a column's last m - n rows add up to its residual.
    """
    cdef Batch batch
    cdef Py_ssize_t m = a.info.shape[a.info.ndim - 2], n = a.info.shape[a.info.ndim - 1], most = max(m, n)
    cdef Py_ssize_t k = b.info.shape[b.info.ndim - 1]
    start_batch(&batch, a, n_matrices)
    for operand in (a, b, x, s, rank, rtol):
        add_operand(&batch, operand)
    batch.operand_bytes[5] = 0           # the same for all
    batch.m, batch.n, batch.k = m, n, k
    ask_least_squares(&batch)
    add_area(&batch, m * n * batch.itemsize)
    add_area(&batch, most * k * batch.itemsize)
    add_area(&batch, batch.work_size * batch.itemsize)
    add_area(&batch, batch.n_reals * batch.real_size)
    add_area(&batch, batch.n_integers * sizeof(int))
    return run_batch(&batch, least_squares_one, 10.0 * m * n * min(m, n))


cdef int ask_least_squares(Batch* batch) except -1:
    """The workspaces of least_squares."""
    cdef double work[2]
    cdef double real[2]
    cdef int integer = 1, status = 0, rank = 0
    batch.work_size = -1
    call_least_squares(batch, NULL, NULL, NULL, batch.operand[5], &rank, <char*>work, <char*>real, &integer, &status)
    batch.work_size = work_size(batch, work)
    batch.n_reals = work_size(batch, real) if batch.is_complex else 0
    batch.n_integers = max(integer, 1)
    return 0


cdef void call_least_squares(const Batch* batch, char* a, char* b, char* s, char* rtol, int* rank, char* work,
                             char* reals, int* integers, int* status) noexcept nogil:
    cdef int m = batch.m, n = batch.n, k = batch.k, b_stride = max(m, n)
    if batch.is_complex:
        (<ComplexGelsd>lapack.gelsd[batch.letter])(&m, &n, &k, a, &m, b, &b_stride, s, rtol, rank, work,
                                                   &batch.work_size, reals, integers, status)
    else:
        (<Gelsd>lapack.gelsd[batch.letter])(&m, &n, &k, a, &m, b, &b_stride, s, rtol, rank, work, &batch.work_size,
                                            integers, status)


cdef int least_squares_one(const Batch* batch, Py_ssize_t i, char* scratch) noexcept nogil:
    cdef int m = batch.m, n = batch.n, k = batch.k, most = max(m, n), rank = 0, status = 0
    cdef char* columns = scratch + batch.area[0]
    cdef char* x = scratch + batch.area[1]
    if not (is_finite(batch, matrix(batch, 0, i), <Py_ssize_t>m * n)
            and is_finite(batch, matrix(batch, 1, i), <Py_ssize_t>m * k)):
        return NOT_FINITE_STATUS
    to_columns(batch, matrix(batch, 0, i), columns, m, n, m)
    to_columns(batch, matrix(batch, 1, i), x, m, k, most)
    call_least_squares(batch, columns, x, matrix(batch, 3, i), batch.operand[5], &rank, scratch + batch.area[2],
                       scratch + batch.area[3], <int*>(scratch + batch.area[4]), &status)
    (<int64_t*>matrix(batch, 4, i))[0] = rank
    from_columns(batch, x, most, matrix(batch, 2, i), most, k)
    return status
