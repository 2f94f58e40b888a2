"""Running a matrix product that has been cut into panels: every panel of every matrix of a stack, by all threads."""

from libc.string cimport memset
from nd4py._core.graphs.launch_recording cimport Launch, is_recording, n_captures, new_launch
from nd4py._core.threads.threads cimport goes_on, raise_if_stopped
from nd4py._core.layout.shape cimport MAX_NDIM
from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py.cpu.matmul.blas cimport (
    DOUBLE, DOUBLE_COMPLEX, NO_LETTER, SINGLE_COMPLEX, Matrix, is_vector, multiply_matrices, multiply_vector,
)
from nd4py.cpu.matmul.long_products cimport (
    LEAST_SYMMETRIC_BYTES, Dot, DotOperand, LongProduct, StridedMatrix, count_runs, is_long_dot, run_dot, run_long_dot,
    run_long_product, short_dots,
)
from nd4py.cpu.matmul.product_pieces cimport BY_BLAS, BY_INTEGERS, BY_LOOP, block_rows, choose_pieces, leaves_no_room
from nd4py.cpu.parallel.tasks cimport Hold, holds, share_among, share_by_time, share_in_turns
from nd4py.cpu.copy.strided_copy cimport copy_transposed, transpose_rows

from ..._mem.diagnostics.memory_wants import out_of_memory

cdef enum:
    STACKED_DOT = 16384                  # products of a sum of a stack, up to which many are made between two signals
    MAX_CHUNKS = 256                     # pieces that threads share a long stack in

# A matrix of the stack: where its matrices are, and how many follow along the last axis.
cdef struct Cursor:
    Py_ssize_t index[MAX_NDIM]
    char* a
    char* b
    char* c


cdef bint is_by_itself(const Product* p) noexcept nogil:
    """Whether `b` is `a` transposed: the result is symmetric.  A graph may be run with other arrays than this."""
    return (p.a.matrix.data == p.b.matrix.data and p.m == p.n and p.a.matrix.row_stride == p.b.matrix.column_stride
            and p.a.matrix.column_stride == p.b.matrix.row_stride)


cdef int run_product(Product* p) except -1:
    """Run every panel of every matrix of the stack.  Raises MemoryError where a loop has no memory to pack in."""
    cdef size_t missing
    cdef Hold hold
    hold.add(holds, p.a.matrix.data, p.b.matrix.data, p.c)
    if n_captures and is_recording():
        record(p)
    with nogil:
        missing = compute(p)
    if missing:
        raise out_of_memory(missing, "matmul to work in", "free arrays or multiply in parts")
    return raise_if_stopped()


cdef size_t compute(Product* p) noexcept nogil:
    """The product in the way that its sizes ask for.  Returns the bytes that there were not, or 0."""
    cdef Py_ssize_t n_runs
    cdef Dot dot
    if p.k == 0 or p.m == 0 or p.n == 0 or p.n_stacked == 0:
        memset(p.c, 0, p.n_stacked * p.m * p.n * p.itemsize)
        return 0
    if p.m == 1 and p.n == 1 and p.n_stacked == 1 and p.letter != NO_LETTER and is_long_dot(p.k):
        dot = dot_of(p, &p.a.matrix, &p.b.matrix)
        run_long_dot(&dot, p.c)
        return 0
    if p.loop != NULL and p.letter != NO_LETTER and p.n_stacked == 1:
        n_runs = count_runs(p.m, p.n, p.k, p.itemsize)
        if n_runs > 1:
            return run_long(p, n_runs)
    return run_blocks(p)


cdef size_t run_blocks(Product* p) noexcept nogil:
    """Some rows of the result at a time, by all threads."""
    cdef StridedMatrix a = p.a.matrix
    cdef char* transposed_copy = NULL
    p.is_symmetric = p.may_mirror and is_by_itself(p)
    p.streams = not p.is_symmetric and leaves_no_room(p.n_stacked * (p.m * p.k + p.m * p.n) * p.itemsize)
    p.first_row = 0
    p.n_rows = p.m if p.cuts_rows or p.loop == NULL else block_rows(p.m, p.k * p.itemsize)
    p.has_memory = True
    if p.transposes:
        transposed_copy = <char*>pool_allocate(p.m * p.k * p.itemsize)
        if transposed_copy == NULL:
            return p.m * p.k * p.itemsize
        transpose_rows(&a, p.m, p.k, p.itemsize, transposed_copy)
        p.a.matrix = StridedMatrix(transposed_copy, p.k * p.itemsize, p.itemsize)
    while p.first_row < p.m and p.has_memory:
        share_panels(p)
        p.first_row += p.n_rows
    p.a.matrix = a
    if p.transposes:
        pool_release(transposed_copy, p.m * p.k * p.itemsize)
    return 0 if p.has_memory else p.scratch_bytes


cdef size_t run_recorded(void* block) noexcept nogil:
    return compute(<Product*>block)


cdef int record(const Product* p) except -1:
    """Describe the product for the graph that is captured."""
    cdef Launch launch = new_launch("product", run_recorded)
    launch.add(p, sizeof(Product))
    launch.operand(&p.a.matrix.data, False)
    launch.operand(&p.b.matrix.data, False)
    launch.operand(&p.c, True)
    return launch.submit()


cdef void share_panels(Product* p) noexcept nogil:
    """Every panel of every matrix of the stack, by all threads.

    Those of few columns, and of vectors, take little time for a thread that sleeps, and enough for one that is awake.
    """
    cdef double cost = p.n_stacked * p.cost
    cdef Py_ssize_t wanted = 1 + <Py_ssize_t>min(cost / SERIAL_WORK, 1e6)
    p.n_chunks = min(p.n_stacked * p.n_panels, <Py_ssize_t>MAX_CHUNKS)
    if p.byte_ns > 0:
        share_by_time(run_chunk, p, p.n_chunks, cost * p.itemsize * p.byte_ns)
        return
    if wanted == 1:
        p.n_chunks = 1
    if p.is_symmetric:
        share_in_turns(run_chunk, p, p.n_chunks, min(p.n_chunks, wanted))
        return
    share_among(run_chunk, p, p.n_chunks, min(p.n_chunks, wanted))


cdef size_t run_long(const Product* p, Py_ssize_t n_runs) noexcept nogil:
    """One product whose sums are cut into runs."""
    cdef LongProduct product
    product.loop, product.itemsize, product.n_runs = p.loop, p.itemsize, n_runs
    product.m, product.n, product.k = p.m, p.n, p.k
    product.a, product.b, product.c = p.a.matrix, p.b.matrix, p.c
    product.is_symmetric = is_by_itself(p) and p.m * p.itemsize >= LEAST_SYMMETRIC_BYTES
    return 0 if run_long_product(&product) else p.scratch_bytes + 1


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
        if p.m == 1 and p.n == 1 and p.k <= STACKED_DOT and p.loop == NULL:  # loops have panels to pack
            line = min(last - first, p.shape[p.n_axes - 1] - cursor.index[p.n_axes - 1] if p.n_axes else 1)
            run_dots(p, &cursor, line)
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


cdef void run_dots(const Product* p, const Cursor* cursor, Py_ssize_t n) noexcept nogil:
    """n dot products along the stack's last axis, one call of what computes each of them."""
    cdef StridedMatrix a = p.a.matrix, b = p.b.matrix
    cdef Py_ssize_t i
    for i in range(n):
        a.data = cursor.a + i * p.a.strides[p.n_axes - 1] if p.n_axes else cursor.a
        b.data = cursor.b + i * p.b.strides[p.n_axes - 1] if p.n_axes else cursor.b
        run_piece(p, 1, 1, &a, &b, cursor.c + i * p.itemsize, NULL)


cdef void run_panel(const Product* p, const Cursor* cursor, Py_ssize_t panel, char* scratch) noexcept nogil:
    """One panel of one matrix of the stack."""
    cdef StridedMatrix a = p.a.matrix, b = p.b.matrix
    cdef Py_ssize_t m = min(p.n_rows, p.m - p.first_row), n = p.n
    cdef Py_ssize_t first = p.panel * (p.n_panels - 1 - panel if p.is_symmetric else panel)  # the longest first
    cdef char* c = cursor.c
    a.data = cursor.a
    b.data = cursor.b
    if p.cuts_rows:
        m = min(p.panel, m - first)
        a.data += first * a.row_stride
        c += first * n * p.itemsize
    else:
        n = min(p.panel, n - first)
        if p.is_symmetric:
            m = min(m, first + n - p.first_row)
            if m <= 0:
                return
        a.data += p.first_row * a.row_stride
        b.data += first * b.column_stride
        c += (p.first_row * p.n + first) * p.itemsize
    if p.small != NULL:
        p.small(m, a.data, a.row_stride, a.column_stride, b.data, b.row_stride, b.column_stride, c)
    else:
        run_pieces(p, m, n, &a, &b, c, scratch)
    if p.is_symmetric:                   # what is above the diagonal stands below it too
        copy_transposed(c, min(m, first - p.first_row), n, p.itemsize,
                        cursor.c + (first * p.n + p.first_row) * p.itemsize, p.n * p.itemsize)


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
