"""Fusion of a program's steps: cheap rows of one dtype that follow each other.

Design: a run has one accumulator.  A step whose operand the accumulator holds goes on from there; another one loads its
first operand.  What the accumulator holds is stored once it is needed beyond the next step: because it is an
output, or is read again later.  A reduction of the run's result ends it: its lanes take the accumulator.
"""

from nd4py._core.layout.plan cimport MAX_OPERANDS
from nd4py.cpu.isa.isa cimport FUSED_LOAD, FUSED_ROWS, FUSED_SECOND, FUSED_STORE
from nd4py.cpu.program.program cimport MAX_FUSED, MAX_RUNS, NOT_FUSED, NOWHERE, FusedRun, Step, is_of_rows

cdef enum:
    PARTS_OF_STEP = 3                    # at most: store what is there, load, join


cdef void fuse_steps(Program* program, bint joins_reductions) noexcept:
    """Find the runs of a program whose steps and slots are known.

    joins_reductions: whether a run may end in a reduction, of a tile that is one row.
    """
    cdef int first = 0, last, n_parts = 0
    cdef bint is_reduced
    program.n_runs = 0
    while first < program.n_steps:
        last = first + 1
        while last < program.n_steps and go_together(&program.steps[first], &program.steps[last]):
            last += 1
        is_reduced = last < program.n_steps and joins_reductions
        is_reduced = is_reduced and is_end_of(&program.steps[last - 1], &program.steps[last])
        if can_run(&program.steps[first]) and has_room(program, last - first, n_parts):
            n_parts = add_run(program, first, last, is_reduced, n_parts)
            last += is_reduced
        first = last
    program.is_one_run = is_one_run(program)
    find_streamable(program)
    find_fetching(program)


cdef inline bint can_run(const Step* step) noexcept:
    return step.fused_row != NOT_FUSED and not step.is_of_row


cdef inline bint can_be_joined(const Step* step) noexcept:
    return step.reduction != NULL and step.reduction.fused != NULL


cdef inline bint has_room(const Program* program, int n_steps, int n_parts) noexcept:
    return program.n_runs < MAX_RUNS and n_parts + n_steps * PARTS_OF_STEP + 1 <= MAX_FUSED


cdef bint go_together(const Step* first, const Step* other) noexcept:
    return can_run(first) and can_run(other) and first.fused_type == other.fused_type


cdef bint is_end_of(const Step* step, const Step* other) noexcept:
    """Whether a step reduces the result of the one before, which is part of a run."""
    return (can_run(step) and can_be_joined(other) and other.fused_type == step.fused_type
            and other.slot[0] == result_of(step))


cdef int add_run(Program* program, int first, int last, bint is_reduced, int n_parts) noexcept:
    """Make the parts of steps `first` to `last`, which the next one reduces if that is wanted; returns how many there
    are of all runs."""
    cdef FusedRun* run = &program.runs[program.n_runs]
    cdef int held = NOWHERE, i
    program.n_runs += 1
    run.first_step, run.n_steps, run.first_part, run.is_reduced = first, last - first + is_reduced, n_parts, is_reduced
    for i in range(first, last):
        n_parts = add_parts(program, i, held, n_parts)
        held = result_of(&program.steps[i])
    if is_read_later(program, held, last + is_reduced):
        n_parts = add_part(program, n_parts, FUSED_STORE, held)
    run.n_parts = n_parts - run.first_part
    run.is_of_rows = program.has_short_rows and (is_reduced or reads_rows(program, run))
    return n_parts


cdef bint reads_rows(const Program* program, const FusedRun* run) noexcept:
    cdef int i
    for i in range(run.first_part, run.first_part + run.n_parts):
        if is_of_rows(program, program.parts[i].slot):
            return True
    return False


cdef int add_parts(Program* program, int i, int held, int n_parts) noexcept:
    """The parts of step i, before which the accumulator holds what belongs to the slot `held`.

    The operand of a row that has but one is the accumulator.
    """
    cdef const Step* step = &program.steps[i]
    cdef int code = FUSED_ROWS + 4 * step.fused_row, first = step.slot[0]
    cdef int second = step.slot[1] if step.n_in == 2 else NOWHERE
    cdef bint is_twice = step.n_in == 2 and first == held and second == held
    cdef bint is_second = step.n_in == 2 and second == held and not is_twice
    if held != NOWHERE and (is_twice or is_needed_after(program, i, held)):
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
    return step.slot[step.n_operands - 1]


cdef bint is_read_later(const Program* program, int slot, int from_step) noexcept:
    """Whether what lies at `slot` is a result, or read by a step from `from_step` on before it is written again."""
    cdef const Step* step
    cdef int i, k
    if slot < program.n_operands:
        return True
    for i in range(from_step, program.n_steps):
        step = &program.steps[i]
        for k in range(step.n_in):
            if step.slot[k] == slot:
                return True
        for k in range(step.n_in, step.n_operands):
            if step.slot[k] == slot:
                return False
    return False


cdef bint is_one_run(const Program* program) noexcept:
    """Whether all steps are one run: its registers need room for a block alone, and its tiles may have any length."""
    cdef int i
    if program.n_runs != 1 or program.runs[0].n_steps != program.n_steps or program.runs[0].is_reduced:
        return False
    for i in range(program.runs[0].n_parts):
        if program.parts[i].slot >= program.n_operands + program.n_scalars + program.n_registers:
            return False
    return True


cdef void find_streamable(Program* program) noexcept:
    """Results that runs store, and nothing reads where they lie, need not pass through the caches."""
    cdef int n_stores[MAX_OPERANDS]
    cdef int i, k, slot
    for k in range(program.n_operands):
        n_stores[k] = 0
        program.is_streamable[k] = True
    for i in range(program.n_runs):
        for k in range(program.runs[i].first_part, program.runs[i].first_part + program.runs[i].n_parts):
            slot = program.parts[k].slot
            if 0 <= slot < program.n_operands:
                n_stores[slot] += 1
                program.is_streamable[slot] &= program.parts[k].code == FUSED_STORE and n_stores[slot] == 1
    for i in range(program.n_steps):
        if not is_in_run(program, i):
            for k in range(program.steps[i].n_operands):
                if program.steps[i].slot[k] < program.n_operands:
                    program.is_streamable[program.steps[i].slot[k]] = False


cdef bint is_in_run(const Program* program, int step) noexcept:
    cdef int i
    for i in range(program.n_runs):
        if 0 <= step - program.runs[i].first_step < program.runs[i].n_steps:
            return True
    return False


cdef void find_fetching(Program* program) noexcept:
    """Passes over the elements of a row ask for a share of the next one."""
    cdef int i
    program.n_fetching = 0
    for i in range(program.n_steps):
        program.is_fetching[i] = is_pass(program, i)
        program.n_fetching += program.is_fetching[i]


cdef bint is_pass(const Program* program, int step) noexcept:
    """Whether a pass over the elements of a row begins with a step that can be asked to fetch."""
    cdef int i
    for i in range(program.n_runs):
        if 0 <= step - program.runs[i].first_step < program.runs[i].n_steps:
            return step == program.runs[i].first_step
    return not program.steps[step].is_of_row and is_of_elements(&program.steps[step])


cdef inline bint is_of_elements(const Step* step) noexcept:
    """Whether a step computes each element from those beside it in other operands."""
    return step.reduction == NULL and step.spread == NULL


cdef inline int add_part(Program* program, int n_parts, int code, int slot) noexcept:
    program.parts[n_parts].code = code
    program.parts[n_parts].slot = slot
    return n_parts + 1
