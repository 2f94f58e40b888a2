"""Which operations on devices are put off, and when they are launched.

Design: a launch costs the same whatever the size, so size is no criterion here but for what `launch` does at once,
small operators on dense operands.  All else that a chain can hold is put off: its result has shape, dtype and device,
and no memory, until somebody asks for its address.  The hazards are the host's (`nd4py._exec.combine`), and so are the
answers: memory that others may write is never read later than the call says, and writes wait for what reads before.
"""

from cpython.object cimport PyObject
from cpython.pythread cimport PyThread_get_thread_ident
from nd4py._core.combining cimport is_combining
from nd4py._core.shape cimport intern_contiguous
from nd4py.cuda.allocator cimport cache_of
from nd4py.cuda.array cimport DeviceArray, device_hooks, itemsizes, owner_of, settle
from nd4py.cuda.assembly cimport Assembly, assemble
from nd4py.cuda.chain cimport (
    CONVERSION, DONE, MAX_VALUES_OF_LINK, OPEN, Chain, absorb, add_output, can_absorb, clear, first_chain, has_room,
    has_shape, leaf_value, linked, lock, n_live, new_chain, reads, scalar_value, unlock,
)
from nd4py.cuda.current cimport current_stream
from nd4py.cuda.ownership cimport is_private, without_node

from .._spec.dtypes import DTYPES
from .._spec.ops import ALL
from .chain_runs import run, run_reduced
from .row_kernels import kernels_of_row

cdef enum:
    MAX_LENGTH = 48                      # links of a chain
    LARGEST_RANK = 8                     # ND_MAX_RANK of the kernels

cdef size_t MAX_PENDING_BYTES = 1 << 33  # that pending operations keep where the device's limit allows as much

# Since the start of the process.
cdef long long n_queued = 0, n_launched = 0, n_combined = 0, n_passes_saved = 0, n_bytes_saved = 0


# Putting off.


cdef bint can_wait(tuple shape, list arrays) except -1:
    """Whether an operation may be put off: this thread combines, a kernel can walk its shape, and nobody else writes
    what it reads."""
    cdef DeviceArray x
    if not is_combining() or len(shape) > LARGEST_RANK or 0 in shape:
        return False
    for item in arrays:
        x = <DeviceArray>item
        if not x.is_deferred and not is_private(x):
            return False
    return True


cdef Chain chain_for(list arrays, int n_in, int n_out, int n_params, tuple shape, int device):
    """The chain an operation joins, with room for it; operands that are elsewhere have their values then."""
    cdef Chain chain = None, other
    cdef DeviceArray x
    cdef size_t stream = current_stream(device)
    for item in arrays:
        x = <DeviceArray>item
        if not x.is_deferred:
            continue
        other = <Chain>x.chain
        if other.state != OPEN or other.thread != PyThread_get_thread_ident() or other.stream != stream:
            settle(x)
        elif not has_shape(other, shape):
            settle(x)
        elif chain is None:
            chain = other
        elif other is not chain:
            if can_absorb(chain, other):
                absorb(chain, other)
            else:
                settle(x)
    if chain is not None and (chain.n_links >= MAX_LENGTH or not has_room(chain, n_in, n_out, n_params)):
        launch(chain)
        chain = None
    if chain is None and first_chain != NULL and kept_bytes(device) > most_kept_bytes(device):
        flush()
    return new_chain(shape, device, stream) if chain is None else chain


cdef size_t kept_bytes(int device) noexcept:
    """Bytes of a device that its open chains keep from being freed."""
    cdef size_t total = 0
    cdef PyObject* open_chain = first_chain
    while open_chain != NULL:
        if (<Chain>open_chain).device_number == device:
            total += (<Chain>open_chain).n_bytes
        open_chain = (<Chain>open_chain).next
    return total


cdef size_t most_kept_bytes(int device) except? 0:
    """An eighth of what may be taken from the device, 8 GiB at most."""
    cdef size_t most = cache_of(device).max_bytes
    return min(MAX_PENDING_BYTES, most // 8) if most else MAX_PENDING_BYTES


cdef int value_of(Chain chain, object item, int number) except -1:
    """The value of an operand without a node; an element's bytes are of dtype `number`."""
    if type(item) is not DeviceArray:
        return scalar_value(chain, <bytes>item, number)
    cdef DeviceArray x = <DeviceArray>item
    return chain.outputs[x.output].value if x.is_deferred else leaf_value(chain, x)


cdef int converted(Chain chain, int value, int number) except -1:
    """A value as another dtype."""
    cdef int source = chain.values[value].number
    if source == number:
        return value
    return linked(chain, CONVERSION, source, number, 1, &value, 1, ())


cdef DeviceArray stand_for(Chain chain, int value, int number):
    """A pending array for a value of a dtype."""
    global n_queued
    cdef DeviceArray array = DeviceArray.__new__(DeviceArray)
    array.info = intern_contiguous(itemsizes[number], chain.ndim, chain.shape)
    array.number, array.device_number = number, chain.device_number
    array.chain = chain
    array.output = add_output(chain, <PyObject*>array, value)
    array.is_deferred = True
    n_queued += 1
    return array


cdef list arrays_among(tuple operands):
    """The operands that are arrays; the others are the bytes of elements."""
    return [item for item in operands if type(item) is DeviceArray]


cdef int linked_row(Chain chain, int op, int number, tuple operands, tuple params, int result, int condition,
                    int n_out) except -1:
    """The first result of a row over operands without nodes."""
    cdef int values[MAX_VALUES_OF_LINK]
    cdef int k, wanted
    for k in range(len(operands)):
        wanted = 0 if k == condition else number
        values[k] = converted(chain, value_of(chain, operands[k], wanted), wanted)
    return linked(chain, op, number, result, len(operands), values, n_out, params)


def put_off(int op, int number, tuple operands, tuple params, tuple shape, int device, int result, int condition,
            int n_out):
    """The pending results of a map row, or None where it must run now.

    operands: arrays that broadcast to `shape`, or the bytes of one element
    number, result: dtypes that the row computes in, and of its results    condition: the operand that is a bool, or -1
    Raises UnsupportedOnDevice where the row has no kernel for the dtype.
    """
    cdef int k, value
    operands = tuple([without_node(<DeviceArray>x) if type(x) is DeviceArray else x for x in operands])
    cdef list arrays = arrays_among(operands)
    if len(operands) > MAX_VALUES_OF_LINK or n_out > MAX_VALUES_OF_LINK or not can_wait(shape, arrays):
        return None
    kernels_of_row(ALL[op], number)
    cdef Chain chain = chain_for(arrays, len(operands), n_out, len(params), shape, device)
    value = linked_row(chain, op, number, operands, params, result, condition, n_out)
    return [stand_for(chain, value + k, result) for k in range(n_out)]


def put_off_in_place(int op, int number, tuple operands, tuple shape, DeviceArray target, int result, int condition):
    """Whether a row whose result `target` takes, its first operand, was put off: `target` is pending then, as before.

    The other arguments as in `put_off`.  An array with memory is written now: others may look at it.
    """
    global n_queued
    cdef list arrays = arrays_among(operands)
    if target.chain is None or target.number != result or target.info.shape_tuple != shape:
        return False
    for item in arrays:
        if (<DeviceArray>item).node is not None:
            return False
    if len(operands) > MAX_VALUES_OF_LINK or not can_wait(shape, arrays):
        return False
    kernels_of_row(ALL[op], number)
    cdef Chain chain = chain_for(arrays, len(operands), 1, 0, shape, target.device_number)
    if not target.is_deferred:           # its chain was full
        return False
    chain.outputs[target.output].value = linked_row(chain, op, number, operands, (), result, condition, 1)
    n_queued += 1
    return True


cdef object put_off_plain(int op, DeviceArray a, DeviceArray b, int number, int result):
    """The pending result of a row without scalars on arrays without nodes; None where it must run now."""
    cdef int values[2]
    cdef list arrays = [a] if b is None else [a, b]
    cdef tuple shape = a.info.shape_tuple
    if not can_wait(shape, arrays):
        return None
    cdef Chain chain = chain_for(arrays, len(arrays), 1, 0, shape, a.device_number)
    values[0] = value_of(chain, a, number)
    if b is not None:
        values[1] = value_of(chain, b, number)
    return stand_for(chain, linked(chain, op, number, result, len(arrays), values, 1, ()), result)


def put_off_conversion(DeviceArray x, int number):
    """`x` as another dtype, pending; or None where it must be converted now."""
    x = without_node(x)
    cdef tuple shape = x.info.shape_tuple
    if x.number == number or not can_wait(shape, [x]):
        return None
    cdef Chain chain = chain_for([x], 1, 1, 0, shape, x.device_number)
    return stand_for(chain, converted(chain, value_of(chain, x, number), number), number)


def reduce_pending(DeviceArray x, int op, tuple axes, int number):
    """A reduction, of dtype `number`, of a pending array in the launch that computes it; None where it is no such
    array, or has to be written first.

    The array itself is not written: it stays pending, for those who hold it.
    """
    global n_launched, n_combined, n_passes_saved, n_bytes_saved
    cdef Chain chain
    cdef Assembly work
    x = without_node(x)
    if not x.is_deferred or ALL[op].family != "reduce":
        return None
    chain = <Chain>x.chain
    lock(chain)
    try:
        if chain.state == DONE:
            return None
        work = assemble(chain, (chain.outputs[x.output].value,))
        y = run_reduced(work, op, axes, number)
    finally:
        unlock(chain)
    if y is not None:
        n_launched += 1
        n_combined += work.n_links + 1
        n_passes_saved += work.n_links
        n_bytes_saved += 2 * work.n_links * x.info.size * x.info.itemsize
    return y


# Looking.


cdef int launch(Chain given) except -1:
    """Write all values that somebody holds.  Raises DeviceOutOfMemory; the chain is then as it was."""
    cdef Chain chain = given             # held until it is done, whoever lets go of it
    cdef list arrays = [], values = []
    cdef int i
    lock(chain)
    try:
        if chain.state != DONE:
            for i in range(chain.n_outputs):
                if chain.outputs[i].array != NULL:
                    arrays.append(<object>chain.outputs[i].array)
                    values.append(chain.outputs[i].value)
            if arrays:
                work = assemble(chain, tuple(values))
                written, n_passes = run(work)
                fulfil_all(chain, arrays, written)
                count(chain, work, len(arrays), n_passes)
    finally:
        unlock(chain)
    clear(chain)
    return 0


cdef int fulfil_all(Chain chain, list arrays, list written) except -1:
    """The values are there, in the memory of other arrays, which lose it."""
    cdef DeviceArray array, memory
    for item, made in zip(arrays, written):
        array, memory = <DeviceArray>item, <DeviceArray>made
        chain.outputs[array.output].array = NULL
        array.is_deferred = False
        array.place = memory.place
        array.chain = None
        if memory.tenancy == NULL:
            array.owned = memory.owned
            memory.owned = NULL
        else:                            # an arena knows its tenants: the array is a view of what is one
            array.base, array.is_view = memory, True
            device_hooks.share(array, memory)
    return 0


cdef int count(Chain chain, Assembly work, int n_outputs, int n_passes) except -1:
    """Bytes are counted for steps that read two arrays and write one, of the size of the first result."""
    global n_launched, n_combined, n_passes_saved, n_bytes_saved
    cdef Py_ssize_t size = 1
    cdef int i
    n_launched += n_passes
    if n_passes == work.n_links:
        return 0
    for i in range(chain.ndim):
        size *= chain.shape[i]
    n_combined += work.n_links
    n_passes_saved += work.n_links - n_passes
    n_bytes_saved += size * itemsizes[<int>work.output_numbers[0]] * 2 * (work.n_links - n_outputs)
    return 0


cdef int settle_pending(DeviceArray x) except -1:
    """Give a pending array its values."""
    cdef DeviceArray source
    if x.chain is None:                  # it stands for another
        source = <DeviceArray>x.base
        settle(source)
        x.place, x.readonly = source.place, source.readonly
        x.is_deferred = False
        x.base, x.is_view = owner_of(source), True
        if source.tenancy != NULL:
            device_hooks.share(x, source)
        return 0
    while x.is_deferred:
        launch(<Chain>x.chain)
    return 0


cdef void forget(PyObject* array) noexcept:
    """Nobody holds a pending array any more: its value need not be written."""
    cdef int output = (<DeviceArray>array).output
    (<Chain>(<DeviceArray>array).chain).outputs[output].array = NULL


cdef int finish_readers(DeviceArray owner) except -1:
    """Launch all chains, of any thread, that are going to read the memory of `owner`."""
    cdef PyObject* open_chain = first_chain
    while open_chain != NULL:
        open_chain = launch_or_pass(open_chain, reads(<Chain>open_chain, owner))
    return 0


cdef PyObject* launch_or_pass(PyObject* open_chain, bint is_wanted) except? NULL:
    """Launch an open chain if it is wanted; the chain to look at next: the first one again where others may have
    gone."""
    cdef Chain chain = <Chain>open_chain
    if not is_wanted:
        return chain.next
    launch(chain)
    return first_chain


cdef list open_chains():
    """All chains, of any thread; while one is launched others may go."""
    cdef PyObject* chain = first_chain
    cdef list chains = []
    while chain != NULL:
        chains.append(<object>chain)
        chain = (<Chain>chain).next
    return chains


def flush(every_thread=False, raises=False):
    """Launch the operations that this thread has put off, or every thread; what cannot run stays pending.

    An error belongs to the arrays that wait for it, as on the host (`nd4py._exec.finishing`): looking at one raises it.
    raises: for graphs, which must hold all that was called
    """
    cdef unsigned long thread = PyThread_get_thread_ident()
    cdef Chain chain
    if first_chain == NULL:
        return
    for item in open_chains():
        chain = <Chain>item
        if chain.state != OPEN or not (every_thread or chain.thread == thread):
            continue
        try:
            launch(chain)
        except Exception:
            if raises:
                raise


def combine_counts():
    """(queued, launched, combined, passes saved, bytes saved, bytes that pending operations keep) since the start."""
    cdef PyObject* open_chain = first_chain
    cdef size_t pending = 0
    while open_chain != NULL:
        pending += (<Chain>open_chain).n_bytes
        open_chain = (<Chain>open_chain).next
    return n_queued, n_launched, n_combined, n_passes_saved, n_bytes_saved, pending


def pending_counts(int device):
    """(bytes that operations which were put off will read on a device, results of these that somebody holds)."""
    cdef PyObject* open_chain = first_chain
    cdef Py_ssize_t n_arrays = 0
    while open_chain != NULL:
        if (<Chain>open_chain).device_number == device:
            n_arrays += n_live(<Chain>open_chain)
        open_chain = (<Chain>open_chain).next
    return kept_bytes(device), n_arrays


def pending_program(DeviceArray x):
    """What will be launched when somebody looks at `x`, as `nd4py._exec.explaining.pending_program` says it."""
    cdef Chain chain
    cdef int i
    x = without_node(x)
    if not x.is_deferred:
        return None
    chain = <Chain>x.chain
    live = [chain.outputs[i].value for i in range(chain.n_outputs) if chain.outputs[i].array != NULL]
    work = assemble(chain, tuple(live))
    names, leaves, steps = {}, [], []
    for value, item in work.given().items():
        if isinstance(item, bytes):
            names[value] = work.scalar(value)
        else:
            names[value] = f"leaf{len(leaves)}"
            leaves.append((names[value], str(item.dtype), item.shape))
    for op, _, operands, _, made, result, _, origin in work.steps():
        names.update({value: f"v{value}" for value in made})
        steps.append((
            ", ".join([names[value] for value in made]),
            "convert" if op is None else ALL[op].name,
            [names[value] for value in operands],
            DTYPES[result].name,
            origin.partition(" in ")[2],
        ))
    return {
        "shape": work.shape, "tile": 0, "registers": 0, "device": f"cuda:{chain.device_number}", "leaves": leaves,
        "steps": steps, "outputs": [names[value] for value in live], "dropped": chain.n_links - work.n_links,
    }


device_hooks.put_off = put_off_plain
device_hooks.settle = settle_pending
device_hooks.finish_readers = finish_readers
device_hooks.forget = forget
