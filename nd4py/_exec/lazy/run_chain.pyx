"""Running a chain in one pass over memory, or one of its values into a reduction.

Design: a chain that runs is locked.  Another thread that needs it waits; no operation is added to it.  Nothing changes
before all memory is allocated, so when there is too little the chain is as it was, and can run later.  The error is a
value that functions return, not an exception: only reading one of the chain's arrays raises it, not other calls that
made the chain run.
"""

from nd4py._core.array.array cimport NDArray
from nd4py._core.lazy.chain cimport Chain, Section, clear, converted, enter, has_room, lock, n_live, unlock
from nd4py._core.lazy.lazy_backend cimport ANY, backend_of
from nd4py._core.layout.plan cimport Plan, add_dense, add_operand, add_scalar, finish_plan, plan_line, start_plan
from nd4py._core.layout.shape cimport MAX_NDIM
from nd4py._exec.lazy.assembly cimport BLOCKS, ELEMENTS, ROWS, SWEEPS, Assembly, assemble, bytes_of_pass
from nd4py._exec.lazy.observed_passes cimport (
    Operation, begun_pass, failed_link, leaves_read, n_observers, panic_kinds,
)
from nd4py._exec.lazy.outputs cimport add_memory, choose_outputs, fail_lost, fail_spoiled, finish
from nd4py.cpu.isa.isa cimport ReduceLoops
from nd4py.cpu.isa.last_cache cimport LAST_CACHE_BYTES
from nd4py.cpu.elementwise.map cimport CHUNK, MapCall, run_map
from nd4py.cpu.program.block_programs cimport run_block_program
from nd4py.cpu.reduce.reduce cimport Source, can_convert_before, run_reduce, run_source
from nd4py.cpu.program.row_programs cimport run_row_program
from nd4py.cpu.program.sweep_programs cimport run_sweep_program


cdef object launch(Chain chain, int first):
    """Write the outputs that are still referenced, as many as there is memory for; output `first` before the others.

    Returns the error of an output without memory, or None.  Such an output stays deferred.
    """
    cdef Section section
    enter(&section)
    cdef Assembly work
    cdef list arrays = None
    error = lock(chain)
    if error is not None:
        return error
    try:
        fail_lost(chain)
        arrays = choose_outputs(chain, &work, -1, first)
        if work.n_outputs:
            assemble(chain, &work, -1)
            if panic_kinds:
                error = failed_link(chain, &work)
            if error is None:
                error = run(chain, &work, arrays)
    finally:
        unlock(chain)
    arrays = None
    if n_live(chain) == 0:
        clear(chain)
    return error


cdef object run(Chain chain, Assembly* work, list arrays):
    """The pass over memory.  Returns the error for which there was too little for all outputs, or None."""
    cdef list memory = []
    cdef Operation operation = None
    error = add_memory(chain, work, arrays, memory)
    if error is not None:
        if work.n_outputs == 0:
            return error
        assemble(chain, work, -1)
    if n_observers:
        operation = begun_pass(chain, work, None)
    try:
        if not reduce_alone(chain, work, memory):
            run_pass(chain, work, memory)
        if operation is not None:
            operation.finish(leaves_read(chain, work), tuple(memory))
    except BaseException:
        fail_spoiled(chain, memory)
        raise
    finish(chain, work, arrays, memory, 0)
    return error


cdef int run_pass(Chain chain, Assembly* work, list memory) except -1:
    cdef Plan plan
    cdef MapCall call
    cdef int k
    if describe_alone(chain, work, memory, &plan, &call):
        finish_plan(&plan, CHUNK)
        run_map(&plan, &call)
        return 0
    describe_operands(chain, work, memory, &call)
    if are_dense(chain, work, memory):
        plan_line(&plan, chain.size, CHUNK)
        for k in range(work.n_leaves + work.n_outputs):
            add_dense(&plan, array_at(chain, work, memory, k))
        run_map(&plan, &call)
        return 0
    plan_operands(chain, work, memory, &plan)
    if work.kind == ROWS:
        run_row_program(&plan, &call)
    elif work.kind == BLOCKS:
        run_block_program(&plan, &call, chain.first_reduced, chain.end_reduced)
    elif work.kind == SWEEPS:
        run_sweep_program(&plan, &call, chain.first_reduced, chain.end_reduced)
    else:
        finish_plan(&plan, CHUNK)
        run_map(&plan, &call)
    return 0


cdef bint reduce_alone(Chain chain, const Assembly* work, list memory) except -1:
    """Reduce an array, perhaps converted, where nothing else reads it: tiles in the first cache would be of no use.
    False where there is more to do."""
    cdef bint is_reduced[MAX_NDIM]
    cdef NDArray x
    cdef int i
    if work.kind == ELEMENTS or work.program.n_steps > 2 or work.n_leaves != 1 or work.n_outputs != 1:
        return False
    if work.program.steps[work.program.n_steps - 1].reduction == NULL:
        return False
    for i in range(chain.ndim):
        is_reduced[i] = chain.first_reduced <= i < chain.end_reduced
    x = array_at(chain, work, memory, 0)
    if work.program.n_steps == 2 and (work.program.steps[0].cast == NULL or not can_convert_before(x, is_reduced)):
        return False
    i = 0
    while not chain.links[i].is_reduction or not work.is_needed[chain.links[i].result]:
        i += 1
    run_reduce(work.program.steps[work.program.n_steps - 1].reduction, x, chain.links[i].loop_number, is_reduced,
               array_at(chain, work, memory, 1))
    return True


cdef bint launch_reduced(Chain chain, NDArray x, NDArray virtual, const ReduceLoops* reduce_loops,
                         const bint* is_reduced, NDArray y, str name) except -1:
    """Reduce a deferred array into `y`, and write all other outputs that are referenced.

    virtual: an array without memory, of the shape of `x` and the dtype it is reduced in.    name: of the reduction.
    `x` stays deferred, and so does what there is no memory for.  False where the chain ran meanwhile: nothing is
    reduced then.
    """
    cdef Section section
    enter(&section)
    cdef Assembly work
    cdef Plan plan
    cdef MapCall call
    cdef Source source
    cdef list arrays, memory = []
    cdef Operation operation = None
    cdef int value
    error = lock(chain)
    if error is not None:
        raise error
    try:
        if not x.is_deferred or x.chain is not chain or not has_room(chain, &backend_of(chain).room, None, 1, 1, 0):
            return False
        value = converted(chain, chain.outputs[x.output].value, virtual.number)
        arrays = choose_outputs(chain, &work, value, ANY)
        assemble(chain, &work, value)
        if add_memory(chain, &work, arrays, memory) is not None:
            assemble(chain, &work, value)
        if n_observers:
            operation = begun_pass(chain, &work, name)
        try:
            describe_operands(chain, &work, memory, &call)
            plan_operands(chain, &work, memory, &plan)
            add_operand(&plan, virtual)
            call.number[plan.n_operands - 1] = call.loop_number[plan.n_operands - 1] = virtual.number
            finish_plan(&plan, CHUNK)
            source.plan, source.call = &plan, &call
            run_source(reduce_loops, &source, virtual, is_reduced, y)
            if operation is not None:
                operation.finish(leaves_read(chain, &work), (*memory, y))
        except BaseException:
            fail_spoiled(chain, memory)
            raise
        finish(chain, &work, arrays, memory, 1)
    finally:
        unlock(chain)
    arrays = None
    if n_live(chain) == 0:
        clear(chain)
    return True


cdef bint are_dense(Chain chain, const Assembly* work, list memory) noexcept:
    """Whether a pass over single elements goes over arrays that lie dense, all in one order: it has one axis."""
    cdef NDArray array
    cdef int k
    if work.kind != ELEMENTS or chain.size < 2:
        return False
    for k in range(work.n_leaves + work.n_outputs):
        array = array_at(chain, work, memory, k)
        if not array.info.is_contiguous or array.info.size != chain.size or type(array) is not NDArray:
            return False
    return True


cdef int plan_operands(Chain chain, Assembly* work, list memory, Plan* plan) except -1:
    """The operands of the pass: the leaves, then the outputs."""
    cdef int k
    cdef NDArray array
    start_plan(plan, chain.ndim, chain.shape)
    for k in range(work.n_leaves + work.n_outputs):
        array = array_at(chain, work, memory, k)
        if k >= work.n_leaves and chain.values[chain.outputs[work.outputs[k - work.n_leaves]].value].is_of_row:
            add_rows(plan, array, chain.first_reduced, chain.end_reduced)
        else:
            add_operand(plan, array)
    return 0


cdef int describe_operands(Chain chain, Assembly* work, list memory, MapCall* call) except -1:
    """The program, and the dtypes of its operands."""
    cdef int k
    for k in range(work.n_leaves + work.n_outputs):
        call.number[k] = call.loop_number[k] = array_at(chain, work, memory, k).number
    call.loop = NULL
    call.program = &work.program
    call.params = NULL
    call.n_params = 0
    call.nanoseconds = work.nanoseconds
    call.n_in = work.n_leaves
    return 0


cdef bint describe_alone(Chain chain, const Assembly* work, list memory, Plan* plan, MapCall* call) except -1:
    """The pass of one row or conversion without the others' tiles, which are short; False where there is more to do, or
    where a program is faster all the same."""
    cdef int k, slot
    if work.program.n_steps != 1 or work.program.n_registers or work.kind != ELEMENTS:
        return False
    if is_streamed(chain, work, memory):
        return False
    start_plan(plan, chain.ndim, chain.shape)
    for k in range(work.program.steps[0].n_operands):
        slot = work.program.steps[0].slot[k]
        if slot >= work.program.n_operands:
            add_scalar(plan, <void*>work.program.scalars[slot - work.program.n_operands])
            call.number[k] = scalar_number(chain, work, slot)
        else:
            add_operand(plan, array_at(chain, work, memory, slot))
            call.number[k] = array_at(chain, work, memory, slot).number
        call.loop_number[k] = call.number[k]
    if work.program.steps[0].loop == NULL:
        call.loop_number[1] = call.number[0]
    call.loop = work.program.steps[0].loop
    call.program = NULL
    call.params, call.n_params = work.program.steps[0].params, work.program.steps[0].n_params
    call.nanoseconds = work.nanoseconds
    call.n_in = work.program.steps[0].n_operands - work.n_outputs
    return True


cdef bint is_streamed(Chain chain, const Assembly* work, list memory) noexcept:
    """Whether a program of one run goes over arrays that lie dense and exceed the caches: tiles of any length, written
    past the caches from the registers, where a loop writes to a buffer first."""
    cdef NDArray array
    cdef int k
    if not work.program.is_one_run or chain.size * bytes_of_pass(chain, work) <= LAST_CACHE_BYTES:
        return False
    for k in range(work.n_leaves + work.n_outputs):
        array = array_at(chain, work, memory, k)
        if not array.info.is_contiguous or array.info.size != chain.size:
            return False
    return True


cdef NDArray array_at(Chain chain, const Assembly* work, list memory, int slot):
    """An operand of the pass."""
    if slot < work.n_leaves:
        return <NDArray>chain.leaves[chain.values[work.leaves[slot]].leaf]
    return <NDArray>memory[slot - work.n_leaves]


cdef int scalar_number(Chain chain, const Assembly* work, int slot) noexcept:
    """The dtype of a scalar of the pass."""
    cdef int i = 0
    while chain.values[i].scalar < 0 or work.slot[i] != slot:
        i += 1
    return chain.values[i].number


cdef void add_rows(Plan* plan, NDArray array, int first_reduced, int end_reduced) noexcept:
    """Add an operand with one element for each row of the plan, whether it has kept the reduced axes or not."""
    cdef int k = plan.n_operands, n_left_out = plan.ndim - array.info.ndim, i
    for i in range(plan.ndim):
        if first_reduced <= i < end_reduced or plan.shape[i] == 1:
            plan.strides[k][i] = 0
        else:
            plan.strides[k][i] = array.info.strides[i if i < first_reduced else i - n_left_out]
    plan.data[k] = array.data
    plan.n_operands = k + 1
