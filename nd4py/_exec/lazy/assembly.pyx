"""Compilation of a chain to a program with as few registers as possible.

Design: a result lies in its array where it has one, else in a register that is free again after its last reader, and
may be that reader's own.  Fewer registers mean longer tiles in the same cache.  What a cheap row computes from memory
and from values of a row is computed again after a reduction, not kept until then (rematerialization: Briggs, Cooper
and Torczon 1992): so a layer norm written by hand writes and reads one row less.
"""

from nd4py._core.lazy.chain cimport (
    CONVERSION, MAX_OUTPUTS, MAX_VALUES, Chain, Link, is_link_needed, mark_needed,
)
from nd4py._core.element_sizes cimport itemsizes
from nd4py._exec.dispatch.row_table cimport fused_rows, rows
from nd4py._exec.lazy.program_steps cimport (
    BLOCKS, ELEMENTS, NOWHERE, ROW_VALUE, ROWS, SWEEPS, Kind, Registers, add_copy, add_spread, add_step, give_operands,
    give_register, is_spread, take_slot,
)
from nd4py._exec.lazy.sweeps cimport add_sweeps
from nd4py.cpu.isa.isa cimport REDUCED_SHORT, SHORT_ROW_ELEMENTS, loops
from nd4py.cpu.program.fusing cimport fuse_steps
from nd4py.cpu.program.program cimport MAX_STEPS, NOT_FUSED, ROOM_DOUBLES, VALUE_BYTES, Program, Rows
from nd4py.cpu.program.sweep_programs cimport choose_sweep_tile

cdef enum:
    TILE_BYTES = 32768                   # of all that one tile touches (asv chains.TimeChains): two thirds of an L1
    FUSED_ELEMENTS = 128                 # that fused runs take at once: tiles are multiples of it
    MIN_TILE_ELEMENTS = 256
    MAX_TILE_ELEMENTS = 2048
    FEWEST_ROW_ELEMENTS = 8              # of rows that vectors are made for: shorter ones leave most of these empty
    LONG_ROW_ELEMENTS = 512              # of rows that are short beside their values alone (peers.py: cosine)
    MAX_ROW_LINKS = 20                   # that surely find place in runs
    ROWS_TILES = 4                       # times as long are tiles of these: in the second cache they took a tenth less
    LANES = 16                           # short rows that are reduced together, at most: with fewer it took three times


cdef void assemble(Chain chain, Assembly* work, int final_value) noexcept:
    """The pass that writes the outputs in `work.outputs`, and hands out `final_value` (-1: none) as a last operand."""
    cdef Program* program = &work.program
    cdef Rows whole
    find_needs(chain, work, final_value)
    work.n_links = 0
    work.nanoseconds = 0
    work.unit_bytes = 0
    program.n_steps = 0
    program.has_row_vectors = work.kind == SWEEPS and not work.has_one_row
    program.n_operands = work.n_leaves + work.n_outputs + (final_value >= 0)
    slot_operands(chain, work, final_value)
    if work.kind == SWEEPS:
        add_sweeps(chain, work)
    else:
        add_steps(chain, work)
        copy_duplicates(chain, work, final_value)
    slot_row_values(program, program.n_operands + program.n_scalars + program.n_registers)
    program.has_short_rows = work.has_short_rows
    fuse_steps(program, work.kind == ROWS or (work.has_short_rows and rows_of(chain).n < REDUCED_SHORT))
    if work.kind == ROWS:
        program.tile = chain.shape[chain.ndim - 1]
        program.register_bytes = (program.register_bytes * program.tile + 15) & ~<Py_ssize_t>15  # aligned for any dtype
        program.row_value_bytes = VALUE_BYTES
    elif work.kind == BLOCKS:
        choose_blocks(chain, work)
    elif work.kind == SWEEPS:
        whole = rows_of(chain)
        choose_sweep_tile(program, &whole)
    else:
        choose_tile(work)


cdef Kind kind_of(Chain chain, const Assembly* work) noexcept:
    """What tiles have to be for the links that are needed."""
    cdef Rows whole
    cdef bint is_long
    cdef int i
    if chain.has_reductions:
        whole = rows_of(chain)
        for i in range(chain.n_links):
            if chain.links[i].is_reduction and work.is_needed[chain.links[i].result]:
                if whole.n * whole.inner > LARGEST_BLOCK_ELEMENTS:
                    return SWEEPS
                is_long = chain.first_reduced == chain.ndim - 1 and whole.n >= SHORTEST_ROW_ELEMENTS
                return ROWS if is_long else BLOCKS
    return ELEMENTS


cdef bint can_take_short_rows(Chain chain, const Assembly* work) noexcept:
    """Whether rows are short, each without gaps between its elements, and all that reads their values runs fused.

    What nothing reads beside elements is faster for rows that are not so short when each is reduced in registers.
    """
    cdef Rows whole
    cdef const Link* link
    cdef bint is_read = False
    cdef int i, k, n_links = 0
    if work.kind not in (BLOCKS, ROWS) or loops.reductions.row_runs[0].run == NULL:
        return False
    whole = rows_of(chain)
    if whole.inner > 1 or not FEWEST_ROW_ELEMENTS <= whole.n <= SHORT_ROW_ELEMENTS:
        return False
    for i in range(chain.n_links):
        link = &chain.links[i]
        if is_link_needed(link, work.is_needed):
            n_links += 1
            for k in range(link.n_in):
                if chain.values[link.operands[k]].is_of_row and not chain.values[link.result].is_of_row:
                    is_read = True
                    if link.op == CONVERSION or fused_rows[link.op][link.loop_number] == NOT_FUSED:
                        return False
    return n_links <= MAX_ROW_LINKS and (is_read or whole.n < LONG_ROW_ELEMENTS)


cdef Rows rows_of(Chain chain) noexcept:
    """The rows of all of a chain's shape that its reductions reduce."""
    cdef Rows whole = Rows(1, 1, 1)
    cdef int i
    for i in range(chain.ndim):
        if i < chain.first_reduced:
            whole.n_blocks *= chain.shape[i]
        elif i < chain.end_reduced:
            whole.n *= chain.shape[i]
        else:
            whole.inner *= chain.shape[i]
    return whole


cdef void find_needs(Chain chain, Assembly* work, int final_value) noexcept:
    """Mark the values that are needed, and the link that reads each last."""
    cdef int i, k
    cdef const Link* link
    for i in range(chain.n_values):
        work.is_needed[i] = False
        work.last_use[i] = work.last_spread[i] = -1
    for i in range(work.n_outputs):
        work.is_needed[chain.outputs[work.outputs[i]].value] = True
    if final_value >= 0:
        work.is_needed[final_value] = True
    mark_needed(chain, work.is_needed)
    work.kind = kind_of(chain, work)
    work.has_short_rows = can_take_short_rows(chain, work)
    if work.has_short_rows:
        work.kind = BLOCKS
    work.has_one_row = work.kind == ROWS or (work.kind == SWEEPS and rows_of(chain).inner == 1)
    for i in range(chain.n_links):
        link = &chain.links[i]
        if is_link_needed(link, work.is_needed):
            for k in range(link.n_in):
                work.last_use[link.operands[k]] = i
                if is_spread(chain, work, link, k):
                    work.last_spread[link.operands[k]] = i
    work.n_leaves = 0
    for i in range(chain.n_values):
        if work.is_needed[i] and chain.values[i].leaf >= 0:
            work.leaves[work.n_leaves] = i
            work.n_leaves += 1


cdef void slot_operands(Chain chain, Assembly* work, int final_value) noexcept:
    """Leaves, outputs and scalars have slots of their own."""
    cdef Program* program = &work.program
    cdef int i, value
    program.n_scalars = 0
    for i in range(program.n_operands):
        program.is_of_row[i] = False
    for i in range(chain.n_values):
        work.slot[i] = NOWHERE
        if work.is_needed[i] and chain.values[i].scalar >= 0:
            work.slot[i] = program.n_operands + program.n_scalars
            program.scalars[program.n_scalars][0] = chain.scalars[chain.values[i].scalar][0]
            program.scalars[program.n_scalars][1] = chain.scalars[chain.values[i].scalar][1]
            program.n_scalars += 1
    for i in range(work.n_leaves):
        work.slot[work.leaves[i]] = i
        work.unit_bytes += itemsizes[chain.values[work.leaves[i]].number]
    if final_value >= 0 and work.slot[final_value] == NOWHERE:
        work.slot[final_value] = program.n_operands - 1
        work.unit_bytes += itemsizes[chain.values[final_value].number]
    for i in range(work.n_outputs):
        value = chain.outputs[work.outputs[i]].value
        program.is_of_row[work.n_leaves + i] = chain.values[value].is_of_row
        work.unit_bytes += itemsizes[chain.values[value].number]
        if work.slot[value] == NOWHERE:
            work.slot[value] = work.n_leaves + i


cdef void add_steps(Chain chain, Assembly* work) noexcept:
    """The links that are needed, as steps, with registers for what has no slot."""
    cdef Program* program = &work.program
    cdef Registers registers
    cdef int i, k, n_reductions = 0
    cdef short made_behind[MAX_VALUES]   # how many reductions
    cdef const Link* link
    registers.n = registers.n_free = program.n_row_values = 0
    registers.first = program.n_operands + program.n_scalars
    registers.widest = 1
    for i in range(chain.n_links):
        link = &chain.links[i]
        if not is_link_needed(link, work.is_needed):
            continue
        n_reductions += link.is_reduction
        for k in range(link.n_out):
            made_behind[link.result + k] = n_reductions
        if n_reductions > 0 and (work.kind == ROWS or work.has_short_rows):
            make_again(chain, work, i, n_reductions - link.is_reduction, made_behind)
        give_operands(chain, work, i, True, &registers)
        for k in range(link.n_out):
            take_slot(chain, work, link.result + k, &registers)
        add_step(chain, work, link)
        give_operands(chain, work, i, False, &registers)
        for k in range(link.n_out):
            if work.last_spread[link.result + k] >= 0:
                add_spread(chain, work, link.result + k, &registers)
            if not work.is_needed[link.result + k] and work.slot[link.result + k] < ROW_VALUE:
                give_register(&registers, work.slot[link.result + k])  # a result of several that nobody reads
    program.n_registers = registers.n
    program.register_bytes = registers.widest
    work.unit_bytes += registers.n * registers.widest


cdef void make_again(Chain chain, Assembly* work, int i, int n_reductions, short* made_behind) noexcept:
    """What link i reads from a register in which it lay since before a reduction comes there anew."""
    cdef const Link* link = &chain.links[i]
    cdef const Link* maker
    cdef int k, found = NOWHERE, first = work.program.n_operands + work.program.n_scalars
    for k in range(link.n_in):
        if first <= work.slot[link.operands[k]] < ROW_VALUE:
            if found not in (NOWHERE, link.operands[k]):
                return                   # the other one would be stored and loaded
            found = link.operands[k]
    if found == NOWHERE or made_behind[found] == n_reductions or not joins_runs(link):
        return
    maker = &chain.links[chain.values[found].link]
    if not can_be_made_again(work, maker):
        return
    if work.program.n_steps + chain.n_links - i + MAX_OUTPUTS + 1 >= MAX_STEPS:
        return
    add_step(chain, work, maker)
    work.n_links -= 1                    # it counts once
    made_behind[found] = n_reductions
    for k in range(maker.n_in):
        work.last_use[maker.operands[k]] = max(work.last_use[maker.operands[k]], i)


cdef bint joins_runs(const Link* link) noexcept:
    """Whether a link reads what the one before makes without its being stored."""
    return link.is_reduction or (link.op != CONVERSION and fused_rows[link.op][link.loop_number] != NOT_FUSED)


cdef bint can_be_made_again(const Assembly* work, const Link* maker) noexcept:
    """Whether a link is a cheap row of what stays where it is: scalars, values of a row, and at most one array."""
    cdef int k, n_arrays = 0, first = work.program.n_operands + work.program.n_scalars
    if maker.is_reduction or maker.op == CONVERSION or not rows[maker.op].is_cheap:
        return False
    for k in range(maker.n_in):
        if first <= work.slot[maker.operands[k]] < ROW_VALUE:
            return False
        n_arrays += work.slot[maker.operands[k]] < work.program.n_operands
    return n_arrays <= 1


cdef void slot_row_values(Program* program, int first) noexcept:
    """Values of a row lie behind the registers, whose number is known only now."""
    cdef int i, k
    for i in range(program.n_steps):
        for k in range(program.steps[i].n_operands):
            if program.steps[i].slot[k] >= ROW_VALUE:
                program.steps[i].slot[k] += first - ROW_VALUE


cdef void copy_duplicates(Chain chain, Assembly* work, int final_value) noexcept:
    """Arrays that stand for a value which lies elsewhere: for one that another stands for too, or for a leaf."""
    cdef Program* program = &work.program
    cdef int i, value
    for i in range(work.n_outputs):
        value = chain.outputs[work.outputs[i]].value
        if work.slot[value] != work.n_leaves + i:
            add_copy(chain, work, value, work.n_leaves + i)
    if final_value >= 0 and work.slot[final_value] != program.n_operands - 1:
        add_copy(chain, work, final_value, program.n_operands - 1)


cdef void choose_tile(Assembly* work) noexcept:
    """As many elements as keep all that a tile touches in the first cache."""
    cdef Program* program = &work.program
    cdef Py_ssize_t tile = TILE_BYTES // max(work.unit_bytes, <Py_ssize_t>1) // FUSED_ELEMENTS * FUSED_ELEMENTS
    program.tile = min(max(tile, <Py_ssize_t>MIN_TILE_ELEMENTS), <Py_ssize_t>MAX_TILE_ELEMENTS)
    program.register_bytes *= program.tile
    while program.n_registers * program.register_bytes > ROOM_DOUBLES * 8:
        program.register_bytes //= 2
        program.tile //= 2


cdef void choose_blocks(Chain chain, Assembly* work) noexcept:
    """As many blocks as keep all that a tile touches in the first cache, and whole blocks of a run if that can be."""
    cdef Program* program = &work.program
    cdef Rows whole = rows_of(chain)
    cdef Py_ssize_t block = whole.n * whole.inner, n_blocks, step = FUSED_ELEMENTS
    cdef Py_ssize_t more = ROWS_TILES if work.has_short_rows else 1
    cdef Py_ssize_t tile = min(more * TILE_BYTES // max(work.unit_bytes, <Py_ssize_t>1), more * MAX_TILE_ELEMENTS)
    n_blocks = max(tile // block, <Py_ssize_t>(LANES if whole.inner == 1 and whole.n < SHORTEST_ROW_ELEMENTS else 1))
    while step > 1 and block % 2 == 0:
        block //= 2
        step //= 2
    while step > n_blocks:
        step //= 2
    if work.has_short_rows and whole.n < REDUCED_SHORT:
        n_blocks = (n_blocks + LANES - 1) // LANES * LANES
    elif not work.has_short_rows:
        n_blocks = n_blocks // step * step
    n_blocks = min(n_blocks, whole.n_blocks)
    program.tile = n_blocks * whole.n * whole.inner
    program.register_bytes = (program.register_bytes * program.tile + 63) & ~<Py_ssize_t>63
    program.row_value_bytes = (n_blocks * whole.inner * VALUE_BYTES + 63) & ~<Py_ssize_t>63


cdef Py_ssize_t bytes_one_by_one(Chain chain, const Assembly* work) noexcept:
    """What the links that ran would read and write of one element, each on its own."""
    cdef Py_ssize_t total = 0
    cdef int i, k
    cdef const Link* link
    for i in range(chain.n_links):
        link = &chain.links[i]
        if not is_link_needed(link, work.is_needed):
            continue
        for k in range(link.n_in):
            if chain.values[link.operands[k]].scalar < 0:
                total += itemsizes[chain.values[link.operands[k]].number]
        for k in range(link.n_out):
            total += itemsizes[chain.values[link.result + k].number]
    return total


cdef Py_ssize_t bytes_of_pass(Chain chain, const Assembly* work) noexcept:
    cdef Py_ssize_t total = 0
    cdef int i
    for i in range(work.n_leaves):
        total += itemsizes[chain.values[work.leaves[i]].number]
    for i in range(work.n_outputs):
        total += itemsizes[chain.values[chain.outputs[work.outputs[i]].value].number]
    return total
