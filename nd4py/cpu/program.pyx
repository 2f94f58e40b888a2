"""A program: several loops over one tile after another, so that what lies between them never leaves the caches.

Design: the loops are those of the table, ready-made for every row and dtype; a program is only the order in which they
run and where their operands lie: in an operand of the plan, in a scalar, or in a register, which is a piece of room as
large as a tile.  Cheap steps in a row run as one, block by block, with what lies between them in the processor's own
registers (fusing.pyx).  Nothing is compiled when a chain is met for the first time.
"""

from nd4py.cpu.isa cimport FUSED_STORE, FUSED_VALUE, FusedStep, loops

# Where the operands of a tile lie.
cdef struct Tile:
    const Program* program
    char** p
    const Py_ssize_t* s
    Py_ssize_t n
    char* room


cdef void run_steps(const Program* program, char** p, const Py_ssize_t* s, Py_ssize_t n, char* room) noexcept nogil:
    """Run all steps over one tile of `n` elements whose operands lie at `p` with strides `s`; registers in `room`."""
    cdef Tile tile
    cdef int i = 0, run = 0
    tile.program, tile.p, tile.s, tile.n, tile.room = program, p, s, n, room
    while i < program.n_steps:
        if run < program.n_runs and program.runs[run].first_step == i:
            run_fused(&tile, &program.runs[run])
            i += program.runs[run].n_steps
            run += 1
        else:
            run_step(&tile, &program.steps[i], 0)
            i += 1


cdef inline void locate(const Tile* tile, int place, Py_ssize_t own_stride, char** at,
                        Py_ssize_t* stride) noexcept nogil:
    """Where an operand lies, and its bytes from one element to the next: `own_stride` of what is none of the plan."""
    cdef const Program* program = tile.program
    cdef int first_register = program.n_operands + program.n_scalars
    cdef int first_row_value = first_register + program.n_registers
    if place < program.n_operands:
        at[0], stride[0] = tile.p[place], tile.s[place]
        return
    stride[0] = own_stride
    if place < first_register:
        at[0] = <char*>program.scalars[place - program.n_operands]
    elif place < first_row_value:
        at[0] = tile.room + (place - first_register) * program.register_bytes
    else:
        at[0] = tile.room + program.n_registers * program.register_bytes + (place - first_row_value) * 16


cdef inline void run_step(const Tile* tile, const Step* step, Py_ssize_t done) noexcept nogil:
    """Run one step over the elements of a tile from `done` on."""
    cdef char* at[MAX_STEP_OPERANDS]
    cdef Py_ssize_t strides[MAX_STEP_OPERANDS]
    cdef Py_ssize_t n = tile.n - done
    cdef int k
    for k in range(step.n_operands):
        locate(tile, step.place[k], step.stride[k], &at[k], &strides[k])
        at[k] += done * strides[k]
    if step.reduction != NULL:
        reduce_row(step.reduction, at[0], strides[0], n, at[1])
    elif step.loop != NULL:
        step.loop(at, strides, 1 if step.is_of_row else n, step.params)
    else:
        step.cast(at[0], strides[0], at[1], strides[1], 1 if step.is_of_row else n)


cdef inline void run_fused(const Tile* tile, const FusedRun* run) noexcept nogil:
    """Run several steps as one over all whole blocks of a tile, and one after the other over the rest."""
    cdef const Program* program = tile.program
    cdef int type = program.steps[run.first_step].fused_type, i
    cdef Py_ssize_t itemsize = 8 if type else 4, block = loops().maps.block_bytes // itemsize, n_blocks = 0
    cdef FusedStep parts[MAX_FUSED]
    if tile.n >= block and locate_parts(tile, run, itemsize, parts):
        n_blocks = tile.n // block
        loops().maps.fused[type](parts, run.n_parts, n_blocks)
    if n_blocks * block < tile.n:
        for i in range(run.first_step, run.first_step + run.n_steps):
            run_step(tile, &program.steps[i], n_blocks * block)


cdef inline bint locate_parts(const Tile* tile, const FusedRun* run, Py_ssize_t itemsize,
                              FusedStep* parts) noexcept nogil:
    """Where the operands of a run lie; False if some lie with gaps."""
    cdef const FusedPart* part
    cdef Py_ssize_t stride
    cdef int i
    for i in range(run.n_parts):
        part = &tile.program.parts[run.first_part + i]
        locate(tile, part.place, 0 if is_value(tile.program, part.place) else itemsize, &parts[i].at, &stride)
        parts[i].code = part.code
        parts[i].stride = loops().maps.block_bytes if stride else 0
        if stride == 0 and part.code != FUSED_STORE:
            parts[i].code += FUSED_VALUE
        elif stride != itemsize:
            return False
    return True


cdef inline bint is_value(const Program* program, int place) noexcept nogil:
    """Whether an operand that is none of the plan is one value throughout a tile: a scalar, or what a row comes to."""
    cdef int first_register = program.n_operands + program.n_scalars
    return place < first_register or place >= first_register + program.n_registers


cdef inline void reduce_row(const ReduceLoops* reduction, const char* x, Py_ssize_t stride, Py_ssize_t n,
                            char* y) noexcept nogil:
    """What the `n` elements of a row come to."""
    cdef double acc[4]
    reduction.init(<char*>acc, 1)
    reduction.along(x, 0, 1, stride, n, <char*>acc)
    reduction.finish(<char*>acc, 1, n, y, 0)
