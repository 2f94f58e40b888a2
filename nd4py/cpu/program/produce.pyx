"""Elements computed on demand, in C order, by a program over a plan.

Results of the program that have memory are written there on the way.  The processor itself fetches what comes next:
asking for it made the sum of `a * b + c` a quarter slower beyond the caches, and a fifth within them.
"""

from nd4py._core.element_sizes cimport itemsizes
from nd4py._core.layout.plan cimport MAX_OPERANDS, Walk, next_line, start_walk
from nd4py.cpu.isa.isa cimport ReduceLoops, loops
from nd4py.cpu.program.program cimport ROOM_DOUBLES, Tile, can_reduce_run, reduce_run, run_steps, start_tile
from nd4py.cpu.elementwise.map cimport TILE_DOUBLES, bits_of


cdef void produce(const Source* source, Py_ssize_t first, Py_ssize_t n, char* to) noexcept nogil:
    """Put elements `first` to `first + n` of the last operand to `to`."""
    cdef Walk walk
    cdef Py_ssize_t at, size, itemsize = itemsizes[source.call.number[source.plan.n_operands - 1]]
    start_walk(source.plan, first, n, &walk)
    while walk.left > 0:
        at = 0
        while at < walk.line:
            size = min(source.call.program.tile, walk.line - at)
            run_part(source, walk.data, at, size, to)
            to += size * itemsize
            at += size
        next_line(source.plan, &walk)


cdef void run_part(const Source* source, char** data, Py_ssize_t at, Py_ssize_t n, char* to) noexcept nogil:
    """Run the program over `n` elements of a line, from its element `at` on."""
    cdef double room[ROOM_DOUBLES]
    cdef double gathered[MAX_OPERANDS][TILE_DOUBLES]
    cdef char* p[MAX_OPERANDS]
    cdef Py_ssize_t s[MAX_OPERANDS]
    cdef Py_ssize_t stride, size
    cdef int k, last = source.plan.n_operands - 1
    cdef Tile tile
    for k in range(last):
        stride, size = source.plan.strides[k][source.plan.ndim - 1], itemsizes[source.call.number[k]]
        p[k], s[k] = data[k] + at * stride, stride
        if k < source.call.n_in and stride != size and stride != 0:
            loops.strided_copies[bits_of(size)](p[k], 0, stride, <char*>gathered[k], 0, size, 1, n)
            p[k], s[k] = <char*>gathered[k], size
    p[last], s[last] = to, itemsizes[source.call.number[last]]
    start_tile(source.call.program, p, s, n, <char*>room, &tile)
    run_steps(&tile)


cdef bint can_reduce_produced(const Source* source, const ReduceLoops* reduction) noexcept:
    """Whether `reduce_produced` can: what is read lies side by side or is one value, and all steps are one run."""
    cdef int k
    for k in range(source.plan.n_operands):
        if source.plan.strides[k][0] not in (0, itemsizes[source.call.number[k]]):
            return False
    return source.plan.ndim == 1 and can_reduce_run(source.call.program, reduction)


cdef void reduce_produced(const Source* source, const ReduceLoops* reduction, Py_ssize_t first, Py_ssize_t n,
                          char* acc) noexcept nogil:
    """Reduce elements `first` to `first + n` of the last operand, which never leave the processor's registers."""
    cdef double room[ROOM_DOUBLES]
    cdef char* p[MAX_OPERANDS]
    cdef Py_ssize_t s[MAX_OPERANDS]
    cdef Tile tile
    cdef int k
    for k in range(source.plan.n_operands):
        s[k] = source.plan.strides[k][0]
        p[k] = source.plan.data[k] + first * s[k]
    start_tile(source.call.program, p, s, n, <char*>room, &tile)
    reduce_run(&tile, reduction, acc)
