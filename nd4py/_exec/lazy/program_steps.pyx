"""The steps of a program: links of a chain as loops, and where their operands lie."""

from nd4py._core.element_sizes cimport itemsizes
from nd4py._core.lazy.chain cimport CONVERSION
from nd4py._exec.dispatch.row_table cimport costs, fused_rows
from nd4py.cpu.isa.isa cimport MapLoop, ReduceLoops, loops
from nd4py.cpu.elementwise.map cimport bits_of

from ..._spec.dtypes import NUMBER
from ..dispatch.row_table import row_number

cdef double CONVERSION_NS = 0.05         # of one element
cdef int FLOAT64 = NUMBER["float64"]
cdef int MULTIPLY = row_number("multiply"), SQUARE = row_number("square")


cdef void give_operands(Chain chain, Assembly* work, int i, bint is_before, Registers* registers) noexcept:
    """Free what link i is the last to read: before it has results, one of which may be written there; or after."""
    cdef const Link* link = &chain.links[i]
    cdef Py_ssize_t size = itemsizes[chain.values[link.result].number]
    cdef bint can_be_result = link.n_out == 1 and not link.is_reduction
    cdef int k
    for k in range(link.n_in):
        if (can_be_result and itemsizes[chain.values[link.operands[k]].number] == size) == is_before:
            if ends_here(chain, work, link, i, k, registers.first):
                give_register(registers, read_slot(chain, work, link, k))


cdef void take_slot(Chain chain, Assembly* work, int value, Registers* registers) noexcept:
    """A slot for a result that has none."""
    if work.slot[value] != NOWHERE:
        return
    if chain.values[value].is_of_row:
        take_row_slot(chain, work, value)
    else:
        work.slot[value] = take_register(registers, itemsizes[chain.values[value].number])


cdef void take_row_slot(Chain chain, Assembly* work, int value) noexcept:
    """A new slot among the values of rows."""
    cdef Program* program = &work.program
    work.slot[value] = ROW_VALUE + program.n_row_values
    program.row_value_sizes[program.n_row_values] = itemsizes[chain.values[value].number]
    program.n_row_values += 1


cdef void add_spread(Chain chain, Assembly* work, int value, Registers* registers) noexcept:
    """Repeat values of rows along these, for the links that read them beside elements.

    This comes as soon as they are known, so that it does not stand between links that run as one.
    """
    cdef Program* program = &work.program
    cdef int number = chain.values[value].number
    cdef Step* step = new_step(program)
    work.spread[value] = take_register(registers, itemsizes[number])
    step.spread = loops.strided_copies[bits_of(itemsizes[number])]
    step.n_in, step.n_operands = 1, 2
    step.slot[0], step.slot[1] = work.slot[value], work.spread[value]
    step.stride[0] = step.stride[1] = itemsizes[number]


cdef bint is_spread(Chain chain, const Assembly* work, const Link* link, int k) noexcept:
    """Whether a link reads operand k where its values are repeated along rows."""
    if work.kind != BLOCKS or work.has_short_rows:
        return False
    return chain.values[link.operands[k]].is_of_row and not chain.values[link.result].is_of_row


cdef inline int read_slot(Chain chain, const Assembly* work, const Link* link, int k) noexcept:
    """Where a link reads operand k."""
    cdef int value = link.operands[k]
    if is_spread(chain, work, link, k):
        return work.spread[value]
    return work.slot[value]


cdef bint ends_here(Chain chain, const Assembly* work, const Link* link, int i, int k, int first) noexcept:
    """Whether operand k lies in a register that link i is the last to read, and is not its own twin further on."""
    cdef int value = link.operands[k], slot = read_slot(chain, work, link, k), j
    cdef int last = work.last_use[value] if slot == work.slot[value] else work.last_spread[value]
    if slot < first or slot >= ROW_VALUE or last != i:
        return False
    for j in range(k + 1, link.n_in):
        if link.operands[j] == value:
            return False
    return True


cdef inline int take_register(Registers* registers, Py_ssize_t size) noexcept:
    """The slot of a register that is free, for elements of so many bytes."""
    registers.widest = max(registers.widest, size)
    if registers.n_free:
        registers.n_free -= 1
        return registers.free[registers.n_free]
    registers.n += 1
    return registers.first + registers.n - 1


cdef void give_register(Registers* registers, int slot) noexcept:
    registers.free[registers.n_free] = slot
    registers.n_free += 1


cdef inline Step* new_step(Program* program) noexcept:
    """A step that does nothing yet."""
    cdef Step* step = &program.steps[program.n_steps]
    program.n_steps += 1
    step.loop = NULL
    step.reduction = NULL
    step.spread = NULL
    step.cast = NULL
    step.params = NULL
    step.is_of_row, step.fused_row = False, NOT_FUSED
    return step


cdef Step* add_step(Chain chain, Assembly* work, const Link* link) noexcept:
    """One link, whose results have slots."""
    cdef Program* program = &work.program
    cdef Step* step = new_step(program)
    cdef int k
    cdef bint is_square = link.op == MULTIPLY and link.operands[0] == link.operands[1]
    cdef int op = SQUARE if is_square else link.op  # which needs no second operand beside a run's accumulator
    work.n_links += 1
    step.n_in = 1 if is_square else link.n_in
    step.n_operands = step.n_in + link.n_out
    step.params, step.n_params = &chain.params[link.first_param], link.n_params
    step.is_of_row = chain.values[link.result].is_of_row and not link.is_reduction
    if link.is_reduction:
        step.reduction = <const ReduceLoops*>loops.rows[op][link.loop_number]
        step.fused_type = link.loop_number == FLOAT64
        work.nanoseconds += CONVERSION_NS
    elif link.op == CONVERSION:
        step.cast = loops.cast[chain.values[link.operands[0]].number][link.loop_number]
        work.nanoseconds += CONVERSION_NS
    else:
        step.loop = <MapLoop>loops.rows[op][link.loop_number]
        step.fused_row, step.fused_type = fused_rows[op][link.loop_number], link.loop_number == FLOAT64
        work.nanoseconds += costs[op][link.loop_number]
    for k in range(step.n_in):
        set_slot(chain, work, step, k, link.operands[k], read_slot(chain, work, link, k))
    for k in range(link.n_out):
        set_slot(chain, work, step, step.n_in + k, link.result + k, work.slot[link.result + k])
    return step


cdef inline void set_slot(Chain chain, const Assembly* work, Step* step, int k, int value, int slot) noexcept:
    """Operand k of a step lies at `slot`, and has this stride if that is none of the plan."""
    step.slot[k] = slot
    step.stride[k] = 0
    if slot >= work.program.n_operands + work.program.n_scalars:
        step.stride[k] = itemsizes[chain.values[value].number]
        if slot >= ROW_VALUE and work.has_one_row and not step.is_of_row and step.reduction == NULL:
            step.stride[k] = 0


cdef void add_copy(Chain chain, Assembly* work, int value, int slot) noexcept:
    cdef Program* program = &work.program
    cdef Step* step = new_step(program)
    cdef int number = chain.values[value].number
    step.cast = loops.cast[number][number]
    step.is_of_row = chain.values[value].is_of_row
    step.n_in, step.n_operands = 1, 2
    set_slot(chain, work, step, 0, value, work.slot[value])
    set_slot(chain, work, step, 1, value, slot)
    work.nanoseconds += CONVERSION_NS
