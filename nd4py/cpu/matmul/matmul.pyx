"""Matrix products of one dtype.  Stacks are broadcast, transposed operands are read where they lie.

A product is cut into panels along one side of its result.  The borders depend on the shape only; each panel is one call
of a loop or of BLAS, so the result does not depend on the number of threads.

Design: real matrices run on loops of our own where these are at least as fast as OpenBLAS on all processors measured,
which does not depend on OpenBLAS knowing the processor.  Half types always do: they are converted while they are
packed, so that no copy in single precision is made.  A transposed left operand is copied into rows first, by all
threads, where that pays.  BLAS has the small products, vectors, complex numbers and the rest of the transposed ones.
"""

from libc.limits cimport INT_MAX
from libc.stddef cimport ptrdiff_t
from nd4py._core.array.array cimport NDArray, new_array
from nd4py._core.graphs.launch_recording cimport n_captures, note_operand
from nd4py._core.layout.shape cimport MAX_NDIM
from nd4py.cpu.matmul.blas cimport DOUBLE, NO_LETTER, SINGLE, Matrix, describe, letter_of, load_blas
from nd4py.cpu.isa.isa cimport loops
from nd4py.cpu.matmul.product_loops cimport ProductLoop, StridedMatrix
from nd4py.cpu.matmul.long_products cimport SHORT_DOT, is_short_dot, short_dot
from nd4py.cpu.matmul.run_product cimport IntegerMatmul, Product, SmallProduct, is_by_itself, run_product
from nd4py.cpu.parallel.tasks cimport Hold, holds

from ..._spec.dtypes import DTYPES, NUMBER

cdef extern from "integer_matmul.h" nogil:
    IntegerMatmul integer_matmul(ptrdiff_t itemsize, bint is_bool)

cdef extern from "small_products.h" nogil:
    SmallProduct small_product(ptrdiff_t m, ptrdiff_t k, ptrdiff_t n, bint is_double)

cdef enum:
    PANEL_WORK = 2000000                 # multiplications that pay for a panel's packing (asv products.TimeMatmul)
    LOW_PANEL = 48                       # rows, where there are few columns, which are packed in no time
    NARROW_PANEL = 192
    WIDE_PANEL = 256                     # of matrices larger than L2
    VECTOR_WORK = 250000                 # the same of a vector, which waits for memory
    SHARED_VECTOR_WORK = 100000          # multiplications by a vector that two threads share
    ROW_ALIGNMENT = 12                   # of panels: whole register tiles of the loops, and of OpenBLAS
    COLUMN_ALIGNMENT = 64
    BLAS_ALIGNMENT = 16
    LOOP_WORK = 500000                   # multiplications from which the loops are as fast as OpenBLAS
    NARROW_WORK = 1200000                # the same of fewer columns than this where rows of b lie without gaps, for
    NARROW_COLUMNS = 32                  # which OpenBLAS has kernels that pack nothing (asv products.TimeMatmul)
    VECTOR_WIDTH = 64                    # bytes whose columns are computed together, at most
    NEAR_BYTES = 1024                    # between rows of a transposed operand that the loops read in place
    SINGLE_COLUMNS = 128                 # columns of the result that pay for copying a transposed left operand: where
    DOUBLE_COLUMNS = 64                  # BLAS is nearly as fast as the loops, and where it is not (asv peers)

    SYMMETRIC_ROWS = 128                 # of x @ x.T, and bytes of its columns, for which copying half of the result
    SYMMETRIC_BYTES = 256                # takes less time than computing it
    SYMMETRIC_PANELS = 16                # which end at the diagonal: as many, or wide ones

cdef double NARROW_BYTE_NS = 0.003       # of a multiplication of few columns, by bytes of its dtype
cdef double VECTOR_BYTE_NS = 0.014       # of one by a vector, in the caches

# The index of each dtype in the table of loops, or -1.
cdef int loop_indices[32]
loop_indices[:] = [-1] * 32
for index, row in enumerate([row for row in DTYPES if row.kind == "real floating"]):
    loop_indices[NUMBER[row.name]] = index

cpdef bint needs_copy(NDArray x) noexcept:
    """Whether `x` must be made contiguous before matmul: its matrix has gaps between neighbours both ways."""
    cdef StridedMatrix matrix
    cdef Matrix out
    cdef int last = x.info.ndim - 1
    if x.info.size == 0 or last < 0 or letter_of(x.number) == NO_LETTER:
        return False
    matrix = StridedMatrix(x.data, x.info.strides[last - 1] if last else 0, x.info.strides[last])
    return not describe(&matrix, x.info.shape[last - 1] if last else 1, x.info.shape[last], x.info.itemsize, &out)


cdef NDArray matmul(NDArray a, NDArray b):
    """The product of two arrays of one dtype, neither of which `needs_copy`.

    Raises ValueError for an operand without dimensions, inner sizes that differ, stacks that do not broadcast or sizes
    beyond BLAS.
    """
    cdef Product product
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef int ndim
    cdef Hold hold
    if a.info.ndim == 1 and b.info.ndim == 1 and is_short_dot(a) and a.info.size == b.info.size and not n_captures:
        return short_dot(a, b)
    hold.add(holds, a.data, b.data)      # from here on: loading BLAS runs Python
    check_shapes(a, b)
    if n_captures:
        note_operand(a)
        note_operand(b)
    fill_product(&product, a, b)
    ndim = fill_stack(&product, a, b)
    for axis in range(ndim):
        shape[axis] = product.shape[axis]
    if a.info.ndim > 1:
        shape[ndim] = product.m
        ndim += 1
    if b.info.ndim > 1:
        shape[ndim] = product.n
        ndim += 1
    cdef NDArray c = new_array(a.number, ndim, shape)
    product.c = c.data
    if product.integers == NULL and product.loop == NULL:
        load_blas()
    run_product(&product)
    return c


cdef int check_shapes(NDArray a, NDArray b) except -1:
    cdef Py_ssize_t inner, widest
    if a.info.ndim == 0 or b.info.ndim == 0:
        raise ValueError(f"matmul: an array without dimensions has no matrix product, {a.shape} @ {b.shape}; "
                         "use multiply")
    inner = b.info.shape[b.info.ndim - 2 if b.info.ndim > 1 else 0]
    if a.info.shape[a.info.ndim - 1] != inner:
        raise ValueError(f"matmul: inner sizes differ, {a.shape} @ {b.shape}")
    widest = max(inner, b.info.shape[b.info.ndim - 1])
    if letter_of(a.number) != NO_LETTER and (widest > INT_MAX or needs_copy(a) or needs_copy(b)):
        raise ValueError(f"matmul: {a.shape} @ {b.shape} is out of reach of BLAS, whose rows lie without gaps and hold "
                         f"at most {INT_MAX} elements; strides are {a.strides} and {b.strides}; copy first or add up "
                         "parts")
    return 0


cdef int fill_product(Product* p, NDArray a, NDArray b) except -1:
    """The sizes of one matrix product and how it is cut into panels."""
    cdef bint reads_rows
    cdef int a_last = a.info.ndim - 1, b_last = b.info.ndim - 1
    p.itemsize = a.info.itemsize
    p.letter = letter_of(a.number)
    p.integers = NULL
    if p.letter == NO_LETTER and loop_indices[a.number] < 0:
        p.integers = integer_matmul(p.itemsize, DTYPES[a.number].kind == "bool")
    p.m = a.info.shape[a_last - 1] if a_last else 1
    p.k = a.info.shape[a_last]
    p.n = b.info.shape[b_last] if b_last else 1
    p.a.matrix = StridedMatrix(a.data, a.info.strides[a_last - 1] if a_last else 0, a.info.strides[a_last])
    p.b.matrix = StridedMatrix(b.data, b.info.strides[max(b_last - 1, 0)], b.info.strides[b_last] if b_last else 0)
    p.small = NULL
    p.scratch_bytes = 0
    if p.letter == SINGLE or p.letter == DOUBLE:
        p.small = small_product(p.m, p.k, p.n, p.letter == DOUBLE)
    if p.letter != NO_LETTER:
        describe(&p.a.matrix, p.m, p.k, p.itemsize, &p.a.described)
        describe(&p.b.matrix, p.k, p.n, p.itemsize, &p.b.described)
    p.transposes = a_last == 1 and pays_transposing(p)
    p.loop = find_loop(p, a.number)
    p.transposes = p.transposes and p.loop != NULL
    p.is_narrow = p.loop != NULL and p.letter != NO_LETTER and p.n < NARROW_COLUMNS
    # A loop packs its columns of b for each panel of rows, and reads rows of a where they lie.
    reads_rows = p.loop != NULL and p.letter != NO_LETTER and (p.transposes or p.a.matrix.column_stride == p.itemsize)
    p.may_mirror = p.loop != NULL and pays_mirroring(p)
    p.cuts_rows = not p.may_mirror and p.m >= (4 * p.n if reads_rows and p.n >= WIDE_PANEL else p.n)
    p.has_short_dots = p.m == 1 and p.n == 1 and p.k < SHORT_DOT and p.letter != NO_LETTER
    cut_panels(p)
    return 0


cdef const ProductLoop* find_loop(const Product* p, int number) noexcept:
    """The loop for this product, or NULL where BLAS is the faster one or has to do it."""
    if loop_indices[number] < 0 or p.small != NULL:
        return NULL
    cdef const ProductLoop* loop = loops.products + loop_indices[number]
    if p.letter == NO_LETTER:
        return loop
    cdef bint is_packed_in_vain = p.n < NARROW_COLUMNS and p.b.matrix.column_stride == p.itemsize
    if p.m == 1 or p.n == 1 or <double>p.m * p.n * p.k < (NARROW_WORK if is_packed_in_vain else LOOP_WORK):
        return NULL
    return loop if p.transposes or p.a.matrix.column_stride == p.itemsize or lies_near(p) else NULL


cdef bint lies_near(const Product* p) noexcept:
    """Whether `a` is transposed with rows so near each other that the loops read it in place."""
    return p.a.matrix.row_stride == p.itemsize and 0 < p.a.matrix.column_stride <= NEAR_BYTES


cdef bint pays_transposing(const Product* p) noexcept:
    """Whether the loops and a copy of the transposed `a` in rows are faster than BLAS."""
    if (p.letter != SINGLE and p.letter != DOUBLE) or not p.a.described.is_transposed or lies_near(p):
        return False
    return p.n >= (SINGLE_COLUMNS if p.letter == SINGLE else DOUBLE_COLUMNS)


cdef bint pays_mirroring(const Product* p) noexcept:
    """Whether half of the product is all that has to be computed, and takes longer than copying it."""
    return (is_by_itself(p) and p.m >= SYMMETRIC_ROWS and p.k * p.itemsize >= SYMMETRIC_BYTES
            and p.letter != NO_LETTER)


cdef void cut_panels(Product* p) noexcept:
    """How long a panel is, how many there are, and what a product costs."""
    cdef Py_ssize_t lanes = VECTOR_WIDTH // p.itemsize
    cdef Py_ssize_t columns = (p.n + lanes - 1) // lanes * lanes if p.is_narrow else p.n  # that are computed
    cdef Py_ssize_t longer = max(p.m if p.cuts_rows else p.n, 1)
    cdef Py_ssize_t work = max((columns if p.cuts_rows else p.m) * p.k, 1)
    cdef Py_ssize_t align = BLAS_ALIGNMENT if p.loop == NULL else ROW_ALIGNMENT if p.cuts_rows else COLUMN_ALIGNMENT
    cdef bint has_vector = min(p.m, p.n) == 1
    p.cost = <double>longer * work
    p.byte_ns = NARROW_BYTE_NS if p.is_narrow else VECTOR_BYTE_NS if has_vector else 0
    if longer == 1:                      # a vector by a vector: both are read
        p.cost *= 2
    cdef Py_ssize_t least = LOW_PANEL if p.is_narrow else WIDE_PANEL if longer >= 4 * WIDE_PANEL else NARROW_PANEL
    if p.may_mirror:
        least = min(max(longer // SYMMETRIC_PANELS, <Py_ssize_t>COLUMN_ALIGNMENT), least)
    p.panel = max(least, (VECTOR_WORK if has_vector else PANEL_WORK) // work)
    # As long as each other, and an even number of them, so that two threads finish together.
    p.n_panels = (longer + p.panel - 1) // p.panel
    p.n_panels += p.n_panels % 2 if p.n_panels > 1 or (has_vector and longer * work >= SHARED_VECTOR_WORK) else 0
    p.panel = (longer + p.n_panels - 1) // p.n_panels
    p.panel = (p.panel + align - 1) // align * align
    while not p.cuts_rows and p.n > 1 and p.n % p.panel == 1:  # loops do a single column otherwise
        p.panel += align
    p.n_panels = (longer + p.panel - 1) // p.panel
    if p.loop != NULL:
        p.scratch_bytes = p.loop.scratch_bytes(min(p.panel, p.m) if p.cuts_rows else p.m,
                                               p.n if p.cuts_rows else min(p.panel, p.n), p.k)


cdef int fill_stack(Product* p, NDArray a, NDArray b) except -1:
    """The stack's shape and strides; returns its dimensions.  Raises ValueError where the stacks do not broadcast."""
    cdef int a_axes = max(a.info.ndim - 2, 0), b_axes = max(b.info.ndim - 2, 0), axis, i, j
    cdef Py_ssize_t a_size, b_size
    p.n_axes = max(a_axes, b_axes)
    p.n_stacked = 1
    for axis in range(p.n_axes):
        i, j = axis - p.n_axes + a_axes, axis - p.n_axes + b_axes
        a_size = a.info.shape[i] if i >= 0 else 1
        b_size = b.info.shape[j] if j >= 0 else 1
        if a_size != b_size and a_size != 1 and b_size != 1:
            raise ValueError(f"matmul: stacks of shapes {a.shape[:a_axes]} and {b.shape[:b_axes]} do not broadcast, "
                             f"{a.shape} @ {b.shape}")
        p.shape[axis] = b_size if a_size == 1 else a_size
        p.a.strides[axis] = a.info.strides[i] if a_size != 1 else 0
        p.b.strides[axis] = b.info.strides[j] if b_size != 1 else 0
        p.n_stacked *= p.shape[axis]
        p.may_mirror = p.may_mirror and p.a.strides[axis] == p.b.strides[axis]
    return p.n_axes
