"""Batches of matrices given to LAPACK one by one, shared among threads.

Arrays hold matrices row by row, LAPACK wants columns: each matrix is transposed into scratch of its task, worked on
there, and transposed back.  Matrices do not depend on each other, so neither do results on the number of threads.
"""

from libc.limits cimport INT_MAX
from nd4py._core.array.array cimport NDArray
from nd4py._core.threads.threads cimport acquire_threads, goes_on, raise_if_stopped, release_threads
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py.cpu.matmul.blas cimport DOUBLE, DOUBLE_COMPLEX, NO_LETTER, SINGLE_COMPLEX, letter_of
from nd4py.cpu.linalg.lapack cimport load_lapack
from nd4py.cpu.parallel.tasks cimport take_turns

from ..._mem.diagnostics.memory_wants import out_of_memory

cdef extern from "matrix_copies.h" nogil:
    void transpose_matrix(const char* x, Py_ssize_t x_stride, char* y, Py_ssize_t y_stride, Py_ssize_t rows,
                          Py_ssize_t columns, Py_ssize_t itemsize)
    bint all_finite(const char* x, Py_ssize_t n, bint is_double)

cdef enum:
    ALIGNMENT = 64
    NO_MEMORY = -1001
    TRANSPOSED_ROWS = 1024               # of what is transposed between two questions whether to go on
    TRANSPOSED_COLUMNS = 256
    TASK_WORK = 200000                   # multiplications that pay for handing a task out
    THREAD_WORK = 400000                 # multiplications that pay for a thread, which may have to be woken

# What the threads of a batch share.
cdef struct Shared:
    const Batch* batch
    OneMatrix run
    Py_ssize_t per_task                  # matrices


cdef int start_batch(Batch* batch, NDArray x, Py_ssize_t n_matrices) except -1:
    """Begin a batch of `n_matrices` matrices of the dtype of `x`.  Raises ImportError without LAPACK."""
    load_lapack()
    batch.letter = letter_of(x.number)
    if batch.letter == NO_LETTER:
        raise TypeError(f"LAPACK has no functions for {x.dtype}")
    batch.is_complex = batch.letter >= SINGLE_COMPLEX
    batch.is_double = batch.letter in (DOUBLE, DOUBLE_COMPLEX)
    batch.itemsize = x.info.itemsize
    batch.real_size = 8 if batch.is_double else 4
    batch.n_matrices = n_matrices
    batch.n_operands = batch.n_areas = 0
    batch.scratch_bytes = 0
    batch.is_large = False
    batch.work_size = batch.n_reals = batch.n_integers = 0
    return 0


cdef int add_operand(Batch* batch, NDArray x) except -1:
    """Add a stack of one matrix, vector or number for each matrix.  Raises ValueError unless it is contiguous."""
    if not x.info.is_contiguous:
        raise ValueError(f"matrices must lie without gaps, given strides {x.strides}")
    for i in range(x.info.ndim):
        if x.info.shape[i] > INT_MAX:
            raise ValueError(f"LAPACK counts to {INT_MAX}, given shape {x.shape}")
    batch.operand[batch.n_operands] = x.data
    batch.operand_bytes[batch.n_operands] = x.info.size * x.info.itemsize // max(batch.n_matrices, 1)
    batch.n_operands += 1
    return 0


cdef int add_area(Batch* batch, Py_ssize_t n_bytes) except -1:
    """Reserve a piece of each task's scratch."""
    batch.area[batch.n_areas] = batch.scratch_bytes
    batch.n_areas += 1
    batch.scratch_bytes += (n_bytes + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
    return 0


cdef int work_size(const Batch* batch, const void* answer) except -1:
    """The size that LAPACK asks for, as a number of the matrices' own kind.  Raises ValueError beyond its reach."""
    cdef double size = (<const double*>answer)[0] if batch.is_double else (<const float*>answer)[0]
    if size >= INT_MAX:
        raise ValueError(f"LAPACK asks for a workspace of {size:.0f} elements and counts to {INT_MAX}; use smaller "
                         "matrices")
    return max(<int>size, 1)


cdef tuple run_batch(Batch* batch, OneMatrix run, double work):
    """Do `run`, which costs `work` multiplications, to every matrix.

    Returns (position, status) of the first matrix whose status is not 0, or (-1, 0).  Raises MemoryError.
    """
    cdef Shared shared
    cdef Py_ssize_t n = batch.n_matrices, n_tasks, i
    cdef size_t n_bytes = n * sizeof(int)
    cdef int n_threads
    cdef Hold hold
    hold.add_all(holds, batch.operand, batch.n_operands)
    batch.status = <int*>pool_allocate(n_bytes)
    if batch.status == NULL:
        raise_no_memory(n_bytes)
    shared.batch, shared.run = batch, run
    shared.per_task = max(<Py_ssize_t>(TASK_WORK / max(work, 1.0)), <Py_ssize_t>1)
    n_tasks = (n + shared.per_task - 1) // shared.per_task
    with nogil:
        n_threads = 1 if batch.is_large else acquire_threads(threads_worth(n_tasks, n * work))
        if n_threads == 1:
            shared.per_task, n_tasks = n, 1
        take_turns(run_some, &shared, n_tasks, n_threads)
        if not batch.is_large:
            release_threads(n_threads)
    failed = (-1, 0)
    for i in range(n):
        if batch.status[i] != 0:
            failed = (i, batch.status[i])
            break
    pool_release(batch.status, n_bytes)
    raise_if_stopped()
    if failed[1] == NO_MEMORY:
        raise_no_memory(batch.scratch_bytes)
    return failed


cdef Py_ssize_t threads_worth(Py_ssize_t n_tasks, double work) noexcept nogil:
    """How many threads that many multiplications pay for."""
    return min(n_tasks, 1 + <Py_ssize_t>min(work / THREAD_WORK, 1e6))


cdef int raise_no_memory(size_t n_bytes) except -1:
    raise out_of_memory(n_bytes, "LAPACK to work in", "free arrays or use smaller matrices")


cdef void run_some(void* shared, Py_ssize_t task) noexcept nogil:
    """The matrices of one task, in scratch of their own."""
    cdef const Shared* work = <const Shared*>shared
    cdef const Batch* batch = work.batch
    cdef char* scratch = <char*>pool_allocate(batch.scratch_bytes)
    cdef Py_ssize_t i
    for i in range(task * work.per_task, min((task + 1) * work.per_task, batch.n_matrices)):
        if not goes_on():
            break
        batch.status[i] = NO_MEMORY if scratch == NULL else work.run(batch, i, scratch)
    if scratch != NULL:
        pool_release(scratch, batch.scratch_bytes)


cdef char* matrix(const Batch* batch, int operand, Py_ssize_t i) noexcept nogil:
    """Where matrix i of an operand begins."""
    return batch.operand[operand] + i * batch.operand_bytes[operand]


cdef void to_columns(const Batch* batch, const char* x, char* y, Py_ssize_t rows, Py_ssize_t columns,
                     Py_ssize_t stride) noexcept nogil:
    """The matrix x, row by row, into y, column by column; columns begin `stride` elements apart."""
    transpose(batch, x, columns, y, stride, rows, columns)


cdef void from_columns(const Batch* batch, const char* x, Py_ssize_t stride, char* y, Py_ssize_t rows,
                       Py_ssize_t columns) noexcept nogil:
    """The first rows and columns of x, column by column, into y, row by row."""
    transpose(batch, x, stride, y, columns, columns, rows)


cdef void transpose(const Batch* batch, const char* x, Py_ssize_t x_stride, char* y, Py_ssize_t y_stride,
                    Py_ssize_t rows, Py_ssize_t columns) noexcept nogil:
    """y[j, i] = x[i, j], piece by piece, so that a signal need not wait until the system has found all pages of y."""
    cdef Py_ssize_t row, column
    for column from 0 <= column < columns by TRANSPOSED_COLUMNS:
        for row from 0 <= row < rows by TRANSPOSED_ROWS:
            if row + column > 0 and not goes_on():
                return
            transpose_matrix(x + (row * x_stride + column) * batch.itemsize, x_stride,
                             y + (column * y_stride + row) * batch.itemsize, y_stride,
                             min(<Py_ssize_t>TRANSPOSED_ROWS, rows - row),
                             min(<Py_ssize_t>TRANSPOSED_COLUMNS, columns - column), batch.itemsize)


cdef bint is_finite(const Batch* batch, const char* x, Py_ssize_t n) noexcept nogil:
    """Whether n elements hold neither NaN nor infinity."""
    return all_finite(x, 2 * n if batch.is_complex else n, batch.is_double)
