"""A program: several loops over one tile after another, so that what lies between them never leaves the caches.

Design: the loops are those of the table, ready-made for every row and dtype; a program is only the order in which they
run and where their operands lie: in an operand of the plan, in a scalar, or in a register, which is a piece of room as
large as a tile.  Nothing is compiled when a chain is met for the first time.
"""


cdef void run_steps(const Program* program, char** p, const Py_ssize_t* s, Py_ssize_t n, char* room) noexcept nogil:
    """Run all steps over one tile of `n` elements whose operands lie at `p` with strides `s`; registers in `room`."""
    cdef char* at[MAX_STEP_OPERANDS]
    cdef Py_ssize_t strides[MAX_STEP_OPERANDS]
    cdef int first_register = program.n_operands + program.n_scalars, i, k, place
    cdef int first_row_value = first_register + program.n_registers
    cdef char* row_values = room + program.n_registers * program.register_bytes
    cdef const Step* step
    for i in range(program.n_steps):
        step = &program.steps[i]
        for k in range(step.n_operands):
            place = step.place[k]
            if place < program.n_operands:
                at[k], strides[k] = p[place], s[place]
            else:
                strides[k] = step.stride[k]
                if place < first_register:
                    at[k] = <char*>program.scalars[place - program.n_operands]
                elif place < first_row_value:
                    at[k] = room + (place - first_register) * program.register_bytes
                else:
                    at[k] = row_values + (place - first_row_value) * 16
        if step.reduction != NULL:
            reduce_row(step.reduction, at[0], strides[0], n, at[1])
        elif step.loop != NULL:
            step.loop(at, strides, 1 if step.is_of_row else n, step.params)
        else:
            step.cast(at[0], strides[0], at[1], strides[1], 1 if step.is_of_row else n)


cdef inline void reduce_row(const ReduceLoops* reduction, const char* x, Py_ssize_t stride, Py_ssize_t n,
                            char* y) noexcept nogil:
    """What the `n` elements of a row come to."""
    cdef double acc[4]
    reduction.init(<char*>acc, 1)
    reduction.along(x, 0, 1, stride, n, <char*>acc)
    reduction.finish(<char*>acc, 1, n, y, 0)
