"""Which steps of a program run as one, and how: cheap rows of one dtype that follow each other.

Design: a run has one accumulator.  A step whose operand the accumulator holds goes on from there; another one loads its
first operand.  What the accumulator holds is stored once it is needed beyond the next step: because it is a result that
somebody sees, or is read again later.
"""

from nd4py.cpu.isa cimport FUSED_LOAD, FUSED_ROWS, FUSED_SECOND, FUSED_STORE
from nd4py.cpu.program cimport MAX_FUSED, NOT_FUSED, FusedRun, Step

cdef enum:
    NOTHING = -1                         # place that no operand has
    PARTS_OF_STEP = 3                    # at most: store what is there, load, join


cdef void fuse_steps(Program* program) noexcept:
    """Find the runs of a program whose steps and places are known."""
    cdef int first = 0, last, n_parts = 0
    program.n_runs = 0
    while first < program.n_steps:
        last = first + 1
        while last < program.n_steps and go_together(&program.steps[first], &program.steps[last]):
            last += 1
        if last - first > 1 and n_parts + (last - first) * PARTS_OF_STEP + 1 <= MAX_FUSED:
            n_parts = add_run(program, first, last, n_parts)
        first = last


cdef bint go_together(const Step* first, const Step* other) noexcept:
    return (first.fused_row != NOT_FUSED and other.fused_row != NOT_FUSED and first.fused_type == other.fused_type
            and not first.is_of_row and not other.is_of_row)


cdef int add_run(Program* program, int first, int last, int n_parts) noexcept:
    """Make the parts of steps `first` to `last`; returns how many there are of all runs."""
    cdef FusedRun* run = &program.runs[program.n_runs]
    cdef int held = NOTHING, i
    program.n_runs += 1
    run.first_step, run.n_steps, run.first_part = first, last - first, n_parts
    for i in range(first, last):
        n_parts = add_parts(program, i, held, n_parts)
        held = result_of(&program.steps[i])
    if is_read_later(program, held, last):
        n_parts = add_part(program, n_parts, FUSED_STORE, held)
    run.n_parts = n_parts - run.first_part
    return n_parts


cdef int add_parts(Program* program, int i, int held, int n_parts) noexcept:
    """The parts of step i, before which the accumulator holds what belongs to the place `held`.

    The operand of a row that has but one is the accumulator; `second` is its result then, and not read.
    """
    cdef const Step* step = &program.steps[i]
    cdef int code = FUSED_ROWS + 4 * step.fused_row, first = step.place[0], second = step.place[1]
    cdef bint is_twice = step.n_in == 2 and first == held and second == held
    cdef bint is_second = step.n_in == 2 and second == held and not is_twice
    if held != NOTHING and (is_twice or is_needed_after(program, i, held)):
        n_parts = add_part(program, n_parts, FUSED_STORE, held)
    if is_second:
        return add_part(program, n_parts, code + FUSED_SECOND, first)
    if first != held:
        n_parts = add_part(program, n_parts, FUSED_LOAD, first)
    return add_part(program, n_parts, code, second)


cdef bint is_needed_after(const Program* program, int i, int held) noexcept:
    """Whether what the accumulator holds before step i is needed in memory, although that step finds it there."""
    return result_of(&program.steps[i]) != held and is_read_later(program, held, i + 1)


cdef inline int result_of(const Step* step) noexcept:
    return step.place[step.n_operands - 1]


cdef bint is_read_later(const Program* program, int place, int from_step) noexcept:
    """Whether what lies at `place` is a result, or read by a step from `from_step` on before it is written again."""
    cdef const Step* step
    cdef int i, k
    if place < program.n_operands:
        return True
    for i in range(from_step, program.n_steps):
        step = &program.steps[i]
        for k in range(step.n_in):
            if step.place[k] == place:
                return True
        for k in range(step.n_in, step.n_operands):
            if step.place[k] == place:
                return False
    return False


cdef inline int add_part(Program* program, int n_parts, int code, int place) noexcept:
    program.parts[n_parts].code = code
    program.parts[n_parts].place = place
    return n_parts + 1
