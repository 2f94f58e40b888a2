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
from libc.string cimport memset
from nd4py._core.array.array cimport NDArray, new_array
from nd4py._core.threads.interrupts cimport goes_on, raise_if_stopped
from nd4py._core.layout.shape cimport MAX_NDIM
from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py.cpu.matmul.blas cimport (
    DOUBLE, DOUBLE_COMPLEX, NO_LETTER, SINGLE, SINGLE_COMPLEX, Matrix, describe, is_vector, letter_of, load_blas,
    multiply_matrices, multiply_vector,
)
from nd4py.cpu.isa.isa cimport loops
from nd4py.cpu.matmul.long_products cimport (
    Dot, LongProduct, ProductLoop, StridedMatrix, count_runs, is_long_dot, run_dot, run_long_dot, run_long_product,
)
from nd4py.cpu.matmul.product_pieces cimport BY_BLAS, BY_INTEGERS, BY_LOOP, block_rows, choose_pieces, leaves_no_room
from nd4py.cpu.parallel.tasks cimport Hold, holds, share_among, share_by_time
from nd4py.cpu.copy.transpose cimport transpose_rows

from ..._mem.diagnostics.memory_wants import out_of_memory
from ..._spec.dtypes import DTYPES, NUMBER

cdef extern from "integer_matmul.h" nogil:
    ctypedef void (*IntegerMatmul)(ptrdiff_t m, ptrdiff_t n, ptrdiff_t k, const StridedMatrix* a,
                                   const StridedMatrix* b, char* c, ptrdiff_t c_stride) noexcept nogil
    IntegerMatmul integer_matmul(ptrdiff_t itemsize, bint is_bool)

cdef extern from "small_products.h" nogil:
    cdef struct DotOperand:
        const char* data
        ptrdiff_t step
        ptrdiff_t stride
    void short_dots(const DotOperand& a, const DotOperand& b, char* c, ptrdiff_t n, ptrdiff_t k, bint is_double,
                    bint is_complex)
    ctypedef void (*SmallProduct)(ptrdiff_t m, const char* a, ptrdiff_t a_row, ptrdiff_t a_column, const char* b,
                                  ptrdiff_t b_row, ptrdiff_t b_column, char* c) noexcept nogil
    SmallProduct small_product(ptrdiff_t m, ptrdiff_t k, ptrdiff_t n, bint is_double)

cdef enum:
    PANEL_WORK = 2000000                 # multiplications that pay for a panel's packing (asv products.TimeMatmul)
    LOW_PANEL = 48                       # rows, where there are few columns, which are packed in no time
    NARROW_PANEL = 192
    WIDE_PANEL = 256                     # of matrices larger than L2
    SERIAL_WORK = 2000000                # multiplications that pay for a thread, which may have to be woken
    VECTOR_WORK = 250000                 # the same of a vector, which waits for memory
    VECTOR_BYTES = 8000000               # bytes of vector operands that pay for a thread (asv peers, "einsum ij,j->i")
    SHORT_DOT = 24                       # elements below which a dot product is not worth a call of BLAS
    MAX_CHUNKS = 256                     # pieces that threads share a long stack in
    ROW_ALIGNMENT = 12                   # of panels: whole register tiles of the loops, and of OpenBLAS
    COLUMN_ALIGNMENT = 64
    BLAS_ALIGNMENT = 16
    LOOP_WORK = 500000                   # multiplications from which the loops are as fast as OpenBLAS
    NARROW_WORK = 1200000                # the same of fewer columns than this where rows of b lie without gaps, for
    NARROW_COLUMNS = 32                  # which OpenBLAS has kernels that pack nothing (asv products.TimeMatmul)
    VECTOR_WIDTH = 64                    # bytes whose columns are computed together, at most
    NEAR_BYTES = 1024                    # between rows of a transposed operand that the loops read in place
    SINGLE_COLUMNS = 384                 # columns of the result that pay for copying a transposed left operand: where
    DOUBLE_COLUMNS = 64                  # BLAS is nearly as fast as the loops, and where it is not (asv peers)

cdef double NARROW_BYTE_NS = 0.003       # nanoseconds of a multiplication of few columns, by bytes of its dtype

# The index of each dtype in the table of loops, or -1.
cdef int loop_indices[32]
loop_indices[:] = [-1] * 32
for index, row in enumerate([row for row in DTYPES if row.kind == "real floating"]):
    loop_indices[NUMBER[row.name]] = index

# One operand: its matrix at stack position 0, as BLAS sees it, and the strides in bytes of the stack's axes.
cdef struct Operand:
    StridedMatrix matrix
    Matrix described
    Py_ssize_t strides[MAX_NDIM]

cdef struct Product:
    Py_ssize_t m, n, k, itemsize
    int letter                           # of the BLAS functions
    IntegerMatmul integers               # these three are NULL where BLAS does the work
    SmallProduct small
    const ProductLoop* loop
    size_t scratch_bytes                 # of the loop, for one panel
    bint transposes                      # rows of `a` are copied first, each to neighbours
    bint is_narrow                       # the loop has few columns to compute
    int n_axes                           # of the stack
    Py_ssize_t shape[MAX_NDIM]
    Py_ssize_t n_stacked
    Operand a, b
    char* c
    bint streams                         # the result goes past the caches
    bint cuts_rows                       # panels are rows of c, else columns
    Py_ssize_t panel, n_panels
    Py_ssize_t first_row, n_rows         # that panels of columns are worked on for
    Py_ssize_t n_chunks                  # of the panels of all matrices, that threads take
    bint has_memory
    bint has_short_dots
    double cost                          # of one product, in multiplications, those past the last column too

# A matrix of the stack: where its matrices are, and how many follow along the last axis.
cdef struct Cursor:
    Py_ssize_t index[MAX_NDIM]
    char* a
    char* b
    char* c


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
    hold.add(holds, a.data, b.data)      # from here on: loading BLAS runs Python
    check_shapes(a, b)
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
    p.cuts_rows = p.m >= (4 * p.n if reads_rows and p.n >= WIDE_PANEL else p.n)
    p.has_short_dots = p.m == 1 and p.n == 1 and p.k < SHORT_DOT and p.letter != NO_LETTER
    cut_panels(p)
    return 0


cdef const ProductLoop* find_loop(const Product* p, int number) noexcept:
    """The loop for this product, or NULL where BLAS is the faster one or has to do it."""
    if loop_indices[number] < 0 or p.small != NULL:
        return NULL
    cdef const ProductLoop* loop = loops().products + loop_indices[number]
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


cdef void cut_panels(Product* p) noexcept:
    """How long a panel is, how many there are, and what a product costs."""
    cdef Py_ssize_t lanes = VECTOR_WIDTH // p.itemsize
    cdef Py_ssize_t columns = (p.n + lanes - 1) // lanes * lanes if p.is_narrow else p.n  # that are computed
    cdef Py_ssize_t longer = max(p.m if p.cuts_rows else p.n, 1)
    cdef Py_ssize_t work = max((columns if p.cuts_rows else p.m) * p.k, 1)
    cdef Py_ssize_t align = BLAS_ALIGNMENT if p.loop == NULL else ROW_ALIGNMENT if p.cuts_rows else COLUMN_ALIGNMENT
    cdef bint has_vector = min(p.m, p.n) == 1
    p.cost = <double>longer * work
    if has_vector:
        p.cost *= <double>SERIAL_WORK / VECTOR_BYTES * p.itemsize * (2 if longer == 1 else 1)
    p.panel = max(LOW_PANEL if p.is_narrow else WIDE_PANEL if longer >= 4 * WIDE_PANEL else NARROW_PANEL,
                  (VECTOR_WORK if has_vector else PANEL_WORK) // work)
    # As long as each other, and an even number of them, so that two threads finish together.
    p.n_panels = (longer + p.panel - 1) // p.panel
    p.n_panels += p.n_panels % 2 if p.n_panels > 1 else 0
    p.panel = (longer + p.n_panels - 1) // p.n_panels
    p.panel = (p.panel + align - 1) // align * align
    p.n_panels = (longer + p.panel - 1) // p.panel
    if p.loop != NULL:
        p.scratch_bytes = p.loop.scratch_bytes(min(p.panel, p.m) if p.cuts_rows else p.m,
                                               p.n if p.cuts_rows else min(p.panel, p.n), p.k)
        if not p.cuts_rows and p.n % p.panel == 1:  # the last panel is a column, which is copied whole
            p.scratch_bytes = max(p.scratch_bytes, p.loop.scratch_bytes(p.m, 1, p.k))


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
    return p.n_axes


cdef int run_product(Product* p) except -1:
    """Run every panel of every matrix of the stack.  Raises MemoryError where a loop has no memory to pack in."""
    cdef Py_ssize_t n_runs
    cdef Dot dot
    cdef char* transposed_copy = NULL
    cdef Hold hold
    hold.add(holds, p.a.matrix.data, p.b.matrix.data, p.c)
    if p.k == 0 or p.m == 0 or p.n == 0 or p.n_stacked == 0:
        memset(p.c, 0, p.n_stacked * p.m * p.n * p.itemsize)
        return 0
    if p.m == 1 and p.n == 1 and p.n_stacked == 1 and p.letter != NO_LETTER and is_long_dot(p.k):
        dot = dot_of(p, &p.a.matrix, &p.b.matrix)
        with nogil:
            run_long_dot(&dot, p.c)
        return raise_if_stopped()
    if p.loop != NULL and p.letter != NO_LETTER and p.n_stacked == 1:
        n_runs = count_runs(p.m, p.n, p.k, p.itemsize)
        if n_runs > 1:
            return run_long(p, n_runs)
    p.streams = leaves_no_room(p.n_stacked * (p.m * p.k + p.m * p.n) * p.itemsize)
    p.first_row = 0
    p.n_rows = p.m if p.cuts_rows or p.loop == NULL else block_rows(p.m, p.k * p.itemsize)
    p.has_memory = True
    if p.transposes:
        transposed_copy = <char*>pool_allocate(p.m * p.k * p.itemsize)
        if transposed_copy == NULL:
            raise out_of_memory(p.m * p.k * p.itemsize, "matmul to copy its transposed operand to", "free arrays")
    with nogil:
        if p.transposes:
            transpose_rows(&p.a.matrix, p.m, p.k, p.itemsize, transposed_copy)
            p.a.matrix = StridedMatrix(transposed_copy, p.k * p.itemsize, p.itemsize)
        while p.first_row < p.m and p.has_memory:
            share_panels(p)
            p.first_row += p.n_rows
        if p.transposes:
            pool_release(transposed_copy, p.m * p.k * p.itemsize)
    return raise_if_stopped() if p.has_memory else raise_memory(p)


cdef void share_panels(Product* p) noexcept nogil:
    """Every panel of every matrix of the stack, by all threads.

    Those of few columns take little time for a thread that sleeps, and enough for one that is awake.
    """
    cdef double cost = p.n_stacked * p.cost
    cdef Py_ssize_t wanted = 1 + <Py_ssize_t>min(cost / SERIAL_WORK, 1e6)
    p.n_chunks = min(p.n_stacked * p.n_panels, <Py_ssize_t>MAX_CHUNKS)
    if p.is_narrow:
        share_by_time(run_chunk, p, p.n_chunks, cost * p.itemsize * NARROW_BYTE_NS)
        return
    if wanted == 1:
        p.n_chunks = 1
    share_among(run_chunk, p, p.n_chunks, min(p.n_chunks, wanted))


cdef int raise_memory(const Product* p) except -1:
    raise out_of_memory(p.scratch_bytes, "matmul to work in", "free arrays or multiply in parts")


cdef int run_long(const Product* p, Py_ssize_t n_runs) except -1:
    """One product whose sums are cut into runs."""
    cdef LongProduct product
    cdef bint has_memory
    cdef Hold hold
    hold.add(holds, p.a.matrix.data, p.b.matrix.data, p.c)
    product.loop, product.itemsize, product.n_runs = p.loop, p.itemsize, n_runs
    product.m, product.n, product.k = p.m, p.n, p.k
    product.a, product.b, product.c = p.a.matrix, p.b.matrix, p.c
    with nogil:
        has_memory = run_long_product(&product)
    return raise_if_stopped() if has_memory else raise_memory(p)


cdef void run_chunk(void* product, Py_ssize_t chunk) noexcept nogil:
    """Some panels, in memory of their own."""
    cdef Product* p = <Product*>product
    cdef Py_ssize_t n = p.n_stacked * p.n_panels
    cdef char* scratch = NULL
    if p.scratch_bytes:
        scratch = <char*>pool_allocate(p.scratch_bytes)
        if scratch == NULL:
            p.has_memory = False
            return
    run_panels(p, n * chunk // p.n_chunks, n * (chunk + 1) // p.n_chunks, scratch)
    if scratch != NULL:
        pool_release(scratch, p.scratch_bytes)


cdef void run_panels(const Product* p, Py_ssize_t first, Py_ssize_t last, char* scratch) noexcept nogil:
    """Panels first to last, counted through the matrices of the stack."""
    cdef Cursor cursor
    cdef Py_ssize_t panel = first % p.n_panels, line
    go_to(p, first // p.n_panels, &cursor)
    while first < last and goes_on():
        if p.has_short_dots:
            line = min(last - first, p.shape[p.n_axes - 1] - cursor.index[p.n_axes - 1] if p.n_axes else 1)
            run_short_dots(p, &cursor, line)
            go_on(p, &cursor, line)
            first += line
            continue
        run_panel(p, &cursor, panel, scratch)
        first += 1
        panel += 1
        if panel == p.n_panels:
            panel = 0
            go_on(p, &cursor, 1)


cdef void go_to(const Product* p, Py_ssize_t position, Cursor* cursor) noexcept nogil:
    """Stand at a position of the stack, counted in C order."""
    cdef int axis
    cursor.a = p.a.matrix.data
    cursor.b = p.b.matrix.data
    cursor.c = p.c + position * p.m * p.n * p.itemsize
    for axis in range(p.n_axes - 1, -1, -1):
        cursor.index[axis] = position % p.shape[axis]
        position //= p.shape[axis]
        cursor.a += cursor.index[axis] * p.a.strides[axis]
        cursor.b += cursor.index[axis] * p.b.strides[axis]


cdef void go_on(const Product* p, Cursor* cursor, Py_ssize_t n) noexcept nogil:
    """Go n matrices further, no more than are left along the last axis."""
    cdef int axis = p.n_axes - 1
    cursor.c += n * p.m * p.n * p.itemsize
    while axis >= 0:
        cursor.index[axis] += n
        cursor.a += n * p.a.strides[axis]
        cursor.b += n * p.b.strides[axis]
        if cursor.index[axis] < p.shape[axis]:
            return
        cursor.a -= p.shape[axis] * p.a.strides[axis]
        cursor.b -= p.shape[axis] * p.b.strides[axis]
        cursor.index[axis] = 0
        n = 1
        axis -= 1


cdef void run_short_dots(const Product* p, const Cursor* cursor, Py_ssize_t n) noexcept nogil:
    """n sums of few products, along the stack's last axis."""
    cdef DotOperand a, b
    a = DotOperand(cursor.a, p.a.strides[p.n_axes - 1] if p.n_axes else 0, p.a.matrix.column_stride)
    b = DotOperand(cursor.b, p.b.strides[p.n_axes - 1] if p.n_axes else 0, p.b.matrix.row_stride)
    short_dots(a, b, cursor.c, n, p.k, p.letter == DOUBLE or p.letter == DOUBLE_COMPLEX, p.letter >= SINGLE_COMPLEX)


cdef void run_panel(const Product* p, const Cursor* cursor, Py_ssize_t panel, char* scratch) noexcept nogil:
    """One panel of one matrix of the stack."""
    cdef StridedMatrix a = p.a.matrix, b = p.b.matrix
    cdef Py_ssize_t m = min(p.n_rows, p.m - p.first_row), n = p.n, first = panel * p.panel
    cdef char* c = cursor.c
    a.data = cursor.a
    b.data = cursor.b
    if p.cuts_rows:
        m = min(p.panel, m - first)
        a.data += first * a.row_stride
        c += first * n * p.itemsize
    else:
        n = min(p.panel, n - first)
        a.data += p.first_row * a.row_stride
        b.data += first * b.column_stride
        c += (p.first_row * p.n + first) * p.itemsize
    if p.small != NULL:
        p.small(m, a.data, a.row_stride, a.column_stride, b.data, b.row_stride, b.column_stride, c)
    else:
        run_pieces(p, m, n, &a, &b, c, scratch)


cdef void run_pieces(const Product* p, Py_ssize_t m, Py_ssize_t n, const StridedMatrix* a, const StridedMatrix* b,
                     char* c, char* scratch) noexcept nogil:
    """One panel, some rows and columns at a time where it takes long."""
    cdef StridedMatrix rows = a[0], columns = b[0]
    cdef Py_ssize_t n_rows = m, n_columns = n, row = 0, column, width, count
    choose_pieces(m, n, p.k, BY_INTEGERS if p.integers != NULL else BY_BLAS if p.loop == NULL else BY_LOOP, &n_rows,
                  &n_columns)
    while row < m:
        count = min(n_rows, m - row)
        rows.data = a.data + row * a.row_stride
        column = 0
        while column < n:
            if row + column > 0 and not goes_on():
                return
            columns.data = b.data + column * b.column_stride
            width = n_columns if column + n_columns + 1 < n else n - column  # loops do a single column otherwise
            run_piece(p, count, width, &rows, &columns, c + (row * p.n + column) * p.itemsize, scratch)
            column += width
        row += n_rows


cdef void run_piece(const Product* p, Py_ssize_t m, Py_ssize_t n, const StridedMatrix* a, const StridedMatrix* b,
                    char* c, char* scratch) noexcept nogil:
    if p.integers != NULL:
        p.integers(m, n, p.k, a, b, c, p.n * p.itemsize)
    elif p.loop == NULL:
        run_blas(p, m, n, a, b, c)
    elif p.streams:
        p.loop.run_past_caches(m, n, p.k, a, b, c, p.n * p.itemsize, scratch)
    else:
        p.loop.run(m, n, p.k, a, b, c, p.n * p.itemsize, scratch)


cdef void run_blas(const Product* p, Py_ssize_t m, Py_ssize_t n, const StridedMatrix* a, const StridedMatrix* b,
                   char* c) noexcept nogil:
    """One panel by the BLAS function that its shape asks for."""
    cdef Matrix left = p.a.described, right = p.b.described
    cdef Dot dot
    cdef int k = <int>p.k
    left.data = a.data
    right.data = b.data
    if p.m == 1 and p.n == 1 and is_vector(a.column_stride, p.itemsize) and is_vector(b.row_stride, p.itemsize):
        dot = dot_of(p, a, b)
        run_dot(&dot, c)
    elif p.n == 1 and is_vector(b.row_stride, p.itemsize):
        multiply_vector(p.letter, <int>m, k, &left, b.data, <int>(b.row_stride // p.itemsize), c, 1)
    elif p.m == 1 and is_vector(a.column_stride, p.itemsize):
        right.is_transposed = not right.is_transposed
        multiply_vector(p.letter, <int>n, k, &right, a.data, <int>(a.column_stride // p.itemsize), c, 1)
    else:
        multiply_matrices(p.letter, <int>m, <int>n, k, &left, &right, c, <int>p.n)


cdef Dot dot_of(const Product* p, const StridedMatrix* a, const StridedMatrix* b) noexcept nogil:
    """The product of a row and a column."""
    return Dot(p.letter, p.k, p.itemsize, a.data, a.column_stride, b.data, b.row_stride)
