"""Sizes of the pieces in which a matrix product is computed.  They fit the caches, and a signal can wait for one.

Pieces follow from the sizes alone, so results do not depend on the number of threads.
"""

from libc.math cimport sqrt
from nd4py.cpu.isa.last_cache cimport LAST_CACHE_BYTES

cdef enum:
    BLOCK_ROWS = 512                     # of `a`, no fewer of which are worth packing the columns of b again
    BLOCK_ALIGNMENT = 96                 # whole passes of the loops
    LOOP_WORK = 200000000                # multiplications between two questions whether to go on: of the loops
    BLAS_WORK = 100000000                # of BLAS, in calls of at least so many rows and columns
    LEAST_SIDE = 64
    SIDE_ALIGNMENT = 16
    INTEGER_WORK = 10000000              # of the loop of integers, which packs nothing
    PIECE_ROWS = 96                      # of calls of the loops that would take too long, and their columns: whole
    PIECE_COLUMNS = 512                  # passes
    FEW_COLUMNS = 64


cdef Py_ssize_t block_rows(Py_ssize_t m, Py_ssize_t row_bytes) noexcept nogil:
    """How many rows of `a` are worked on before the next: every panel of columns reads them all, so a quarter of the
    last cache should hold them (1.08 and 1.11 times as fast on 2048 x 2048 of float32 and float64)."""
    cdef Py_ssize_t most = max(<Py_ssize_t>BLOCK_ROWS, LAST_CACHE_BYTES // (4 * row_bytes)), n_blocks, rows
    if m <= most:
        return m
    n_blocks = (m + most - 1) // most
    rows = (m + n_blocks - 1) // n_blocks
    return (rows + BLOCK_ALIGNMENT - 1) // BLOCK_ALIGNMENT * BLOCK_ALIGNMENT


cdef bint leaves_no_room(Py_ssize_t n_bytes) noexcept nogil:
    """Whether operands of so many bytes leave no room for a result in the last cache (asv peers, "tall-skinny")."""
    return n_bytes > LAST_CACHE_BYTES // 2


cdef void choose_pieces(Py_ssize_t m, Py_ssize_t n, Py_ssize_t k, Worker worker, Py_ssize_t* n_rows,
                        Py_ssize_t* n_columns) noexcept nogil:
    """How many rows and columns of a panel (m, n) are computed between two questions whether to go on; all of them,
    which is what the caller has set, unless they take long.

    The loops add up each element in the same order whatever the piece, but pack columns for each piece of rows.
    """
    cdef Py_ssize_t work = INTEGER_WORK if worker == BY_INTEGERS else BLAS_WORK if worker == BY_BLAS else LOOP_WORK
    cdef Py_ssize_t most = max(work // max(k, <Py_ssize_t>1), <Py_ssize_t>1)  # elements of the result
    if m * n <= most:
        return
    if worker == BY_INTEGERS:
        n_rows[0] = max(most // n, <Py_ssize_t>1)
        n_columns[0] = min(n, most)
    elif worker == BY_BLAS:
        n_rows[0] = max(<Py_ssize_t>LEAST_SIDE, aligned(<Py_ssize_t>sqrt(<double>most)), aligned(most // n))
        n_columns[0] = max(<Py_ssize_t>LEAST_SIDE, aligned(most // min(m, n_rows[0])))
    else:
        n_columns[0] = max(most // m // PIECE_COLUMNS, <Py_ssize_t>1) * PIECE_COLUMNS
        if m * min(n, n_columns[0]) > 8 * most:
            n_rows[0] = PIECE_ROWS
            n_columns[0] = max(most // PIECE_ROWS // FEW_COLUMNS, <Py_ssize_t>1) * FEW_COLUMNS


cdef Py_ssize_t aligned(Py_ssize_t n) noexcept nogil:
    return n // SIDE_ALIGNMENT * SIDE_ALIGNMENT
