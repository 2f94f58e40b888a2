"""Steps in several sweeps over blocks that are too large for the caches: each ends with reductions.

Design: a link runs in the first sweep in which the reductions that it depends on are known.  A later sweep that reads
its result computes it again, tile by tile, from memory (rematerialization, as in assembly.pyx), if that is cheap.  What
is not cheap, such as an exponential, is kept in the memory of an output that is written later.  So no memory is needed
that the operations one by one would not take.
"""

from nd4py._core.element_sizes cimport itemsizes
from nd4py._core.lazy.chain cimport CONVERSION, MAX_LINKS, MAX_VALUES, Chain, Link, is_link_needed
from nd4py._exec.dispatch.row_table cimport costs
from nd4py._exec.lazy.program_steps cimport (
    NOWHERE, ROW_VALUE, Assembly, Registers, add_copy, add_step, give_operands, take_row_slot, take_slot,
)
from nd4py.cpu.program.program cimport MAX_SWEEPS, Program, Step, Sweep

cdef enum:
    ALWAYS = MAX_LINKS                   # instead of the last link that reads: it is read at the end of the sweep

# To write a value and to read it, of a byte on one thread; what takes longer than that to compute is kept.
cdef double KEPT_BYTE_NS = 0.05

# Which links run in which sweep.
cdef struct Schedule:
    short made[MAX_VALUES]               # the sweep that makes a value first
    bint runs[MAX_SWEEPS][MAX_LINKS]
    bint is_wanted[MAX_VALUES]           # in the sweep at hand
    short last_sweep[MAX_VALUES]         # that reads a value, or -1
    short last_read[MAX_VALUES]          # the last link of that one that does
    bint is_host[MAX_VALUES]             # another value lies in its memory before it
    bint is_again[MAX_VALUES]            # later sweeps compute it again


cdef void find_sweeps(Chain chain, short* made) noexcept:
    """The sweep that makes each value: the next one after those that make the values of rows it reads."""
    cdef int i, k, sweep
    cdef const Link* link
    for i in range(chain.n_values):
        made[i] = 0
    for i in range(chain.n_links):
        link = &chain.links[i]
        sweep = 0
        for k in range(link.n_in):
            sweep = max(sweep, made[link.operands[k]] + is_read_beside_elements(chain, link, k))
        for k in range(link.n_out):
            made[link.result + k] = sweep


cdef inline bint is_read_beside_elements(Chain chain, const Link* link, int k) noexcept:
    """Whether operand k has one element for each row, and the link one for each element."""
    return chain.values[link.operands[k]].is_of_row and not chain.values[link.result].is_of_row


cdef bint can_sweep_again(Chain chain, int value) noexcept:
    """Whether a program has room for a reduction of a value, and for one more sweep that reads the result."""
    cdef short made[MAX_VALUES]
    find_sweeps(chain, made)
    return made[value] + 1 < MAX_SWEEPS


cdef void add_sweeps(Chain chain, Assembly* work) noexcept:
    """The links that are needed, as steps, sweep by sweep."""
    cdef Program* program = &work.program
    cdef Schedule plan
    cdef int i, s, n_links = 0
    find_sweeps(chain, plan.made)
    program.n_sweeps = program.n_registers = program.n_row_values = 0
    program.register_bytes = 1
    for i in range(chain.n_values):
        plan.last_sweep[i], plan.is_host[i], plan.is_again[i] = -1, False, False
        if work.is_needed[i]:
            program.n_sweeps = max(program.n_sweeps, plan.made[i] + 1)
    for s in range(program.n_sweeps - 1, -1, -1):
        schedule(chain, work, &plan, s)
    for i in range(work.n_outputs):
        program.operand_sweeps[work.n_leaves + i] = plan.made[chain.outputs[work.outputs[i]].value]
    for s in range(program.n_sweeps):
        add_sweep(chain, work, &plan, s)
    for i in range(chain.n_links):
        n_links += is_link_needed(&chain.links[i], work.is_needed)
    work.n_links = n_links               # each counts once


# Which links run.


cdef void schedule(Chain chain, Assembly* work, Schedule* plan, int s) noexcept:
    """The links of sweep `s`; those after it have theirs, so that what they have kept is known."""
    cdef const Link* link
    cdef int i, k, value
    for i in range(chain.n_values):
        plan.is_wanted[i] = False
        if plan.made[i] == s and plan.last_sweep[i] > s and is_in_memory(work, i):
            plan.is_wanted[i] = True     # it is kept
    for i in range(work.n_outputs):
        value = chain.outputs[work.outputs[i]].value
        if plan.made[value] == s and not chain.values[value].is_of_row:
            plan.is_wanted[value] = True
    for i in range(chain.n_links - 1, -1, -1):
        link = &chain.links[i]
        plan.runs[s][i] = False
        if not is_link_needed(link, work.is_needed):
            continue
        if chain.values[link.result].is_of_row:
            plan.runs[s][i] = plan.made[link.result] == s
            if plan.runs[s][i] and link.is_reduction:
                want(plan, link.operands[0], s, ALWAYS)
            continue
        for k in range(link.n_out):
            if plan.is_wanted[link.result + k] and not is_kept(chain, work, plan, link.result + k, s):
                plan.runs[s][i] = True
        if plan.runs[s][i]:
            for k in range(link.n_in):
                want(plan, link.operands[k], s, i)


cdef inline void want(Schedule* plan, int value, int s, int reader) noexcept:
    plan.is_wanted[value] = True
    if plan.last_sweep[value] < s:
        plan.last_sweep[value], plan.last_read[value] = s, reader
    elif plan.last_sweep[value] == s:
        plan.last_read[value] = max(<int>plan.last_read[value], reader)


cdef inline bint is_in_memory(const Assembly* work, int value) noexcept:
    """Whether a value has the slot of an operand."""
    return 0 <= work.slot[value] < work.program.n_operands


cdef bint is_kept(Chain chain, Assembly* work, Schedule* plan, int value, int s) noexcept:
    """Whether a value that sweep `s` reads lies in memory since an earlier one, or will: as an output, or in the memory
    of one if there is one and to compute the value again is not cheap."""
    cdef int host
    if plan.made[value] == s or plan.is_again[value]:
        return False
    if is_in_memory(work, value):
        return True
    host = NOWHERE
    if cost_again(chain, work, value) > KEPT_BYTE_NS * itemsizes[chain.values[value].number]:
        host = host_for(chain, work, plan, value, s)
    if host == NOWHERE:
        plan.is_again[value] = True
        return False
    plan.is_host[host] = True
    work.slot[value] = work.slot[host]
    return True


cdef double cost_again(Chain chain, const Assembly* work, int value) noexcept:
    """Nanoseconds of an element that is computed again from what lies in memory."""
    cdef bint is_wanted[MAX_VALUES]
    cdef const Link* link
    cdef double total = 0
    cdef int i, k
    for i in range(chain.n_values):
        is_wanted[i] = i == value
    for i in range(chain.n_links - 1, -1, -1):
        link = &chain.links[i]
        if chain.values[link.result].is_of_row:
            continue
        for k in range(link.n_out):
            if is_wanted[link.result + k] and not is_in_memory(work, link.result + k):
                break
        else:
            continue
        if link.op != CONVERSION:
            total += costs[link.op][link.loop_number]
        for k in range(link.n_in):
            is_wanted[link.operands[k]] = True
    return total


cdef int host_for(Chain chain, const Assembly* work, const Schedule* plan, int value, int s) noexcept:
    """A value whose own array is written only once the last link of sweep `s` has read `value`, or NOWHERE."""
    cdef int i, host, link
    for i in range(work.n_outputs):
        host = chain.outputs[work.outputs[i]].value
        link = chain.values[host].link
        if (link >= 0 and not chain.values[host].is_of_row and not plan.is_host[host]
                and work.slot[host] == work.n_leaves + i
                and itemsizes[chain.values[host].number] == itemsizes[chain.values[value].number]
                and (plan.made[host] > s or (plan.made[host] == s and link >= plan.last_read[value]
                                             and chain.links[link].n_out == 1))):
            return host
    return NOWHERE


# Their steps.


cdef void add_sweep(Chain chain, Assembly* work, const Schedule* plan, int s) noexcept:
    """What a sweep does to elements, then its reductions, then what is made of these."""
    cdef Program* program = &work.program
    cdef Sweep* sweep = &program.sweeps[s]
    cdef Registers registers
    cdef int i
    registers.n = registers.n_free = 0
    registers.first = program.n_operands + program.n_scalars
    registers.widest = program.register_bytes
    start_values(chain, work, plan, s, registers.first)
    sweep.first_step = program.n_steps
    for i in range(chain.n_links):
        if plan.runs[s][i] and not chain.values[chain.links[i].result].is_of_row:
            add_element_step(chain, work, i, &registers)
    add_copies(chain, work, plan, s, False)
    sweep.first_reduction = program.n_steps
    for i in range(chain.n_links):
        if plan.runs[s][i] and chain.links[i].is_reduction:
            add_row_step(chain, work, &chain.links[i], s)
    sweep.first_of_rows = program.n_steps
    for i in range(chain.n_links):
        if plan.runs[s][i] and chain.values[chain.links[i].result].is_of_row and not chain.links[i].is_reduction:
            add_row_step(chain, work, &chain.links[i], s)
    add_copies(chain, work, plan, s, True)
    sweep.end = program.n_steps
    program.n_registers = max(program.n_registers, registers.n)
    program.register_bytes = registers.widest


cdef void start_values(Chain chain, Assembly* work, const Schedule* plan, int s, int first_register) noexcept:
    """Registers are free at the beginning of a sweep; which link reads each value last."""
    cdef const Link* link
    cdef int i, k
    for i in range(chain.n_values):
        work.last_use[i] = -1
        if work.slot[i] >= first_register and not chain.values[i].is_of_row:
            work.slot[i] = NOWHERE
    for i in range(chain.n_links):
        link = &chain.links[i]
        if plan.runs[s][i]:
            for k in range(link.n_in):
                work.last_use[link.operands[k]] = max(<int>work.last_use[link.operands[k]],
                                                      <int>ALWAYS if link.is_reduction else i)


cdef void add_element_step(Chain chain, Assembly* work, int i, Registers* registers) noexcept:
    """Link i, with registers for results that have no slot."""
    cdef const Link* link = &chain.links[i]
    cdef int k
    give_operands(chain, work, i, True, registers)
    for k in range(link.n_out):
        take_slot(chain, work, link.result + k, registers)
    add_step(chain, work, link)
    give_operands(chain, work, i, False, registers)


cdef void add_row_step(Chain chain, Assembly* work, const Link* link, int s) noexcept:
    """A reduction, or a link of values of rows.  Scalars that were converted are among these here."""
    cdef int k, value
    cdef Step* step
    if not link.is_reduction:
        for k in range(link.n_in):
            value = link.operands[k]
            if chain.values[value].link >= 0 and not chain.values[value].is_of_row and work.slot[value] < ROW_VALUE:
                note_row_slot(chain, work, value, s)
                step = add_step(chain, work, &chain.links[chain.values[value].link])
                step.is_of_row, step.stride[1] = True, itemsizes[chain.values[value].number]
    for k in range(link.n_out):
        if work.slot[link.result + k] == NOWHERE:
            note_row_slot(chain, work, link.result + k, s)
    add_step(chain, work, link)


cdef void note_row_slot(Chain chain, Assembly* work, int value, int s) noexcept:
    """A slot among the values of rows, known after sweep `s`."""
    work.program.row_value_sweeps[work.program.n_row_values] = s
    take_row_slot(chain, work, value)


cdef void add_copies(Chain chain, Assembly* work, const Schedule* plan, int s, bint is_of_row) noexcept:
    """Arrays that stand for a value which lies elsewhere."""
    cdef int i, value
    for i in range(work.n_outputs):
        value = chain.outputs[work.outputs[i]].value
        if plan.made[value] == s and chain.values[value].is_of_row == is_of_row:
            if work.slot[value] != work.n_leaves + i:
                add_copy(chain, work, value, work.n_leaves + i)
