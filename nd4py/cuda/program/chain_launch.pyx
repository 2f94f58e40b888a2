"""Launches of chains: one kernel for all steps, or the kernels of rows one after the other.

Design: what is launched for a layout is planned once, and filled with addresses and scalars each time; so a chain
costs the host little more than its operations cost to defer.
"""

from libc.string cimport memcpy
from nd4py._core.lazy.chain cimport CONVERSION, Chain, Link, origin_of
from nd4py._core.element_sizes cimport itemsizes
from nd4py._core.layout.shape cimport intern_contiguous
from nd4py.cuda.array.device_array cimport DeviceArray, new_device_array, use_on
from nd4py.cuda.program.device_assembly cimport Assembly, computed_number
from nd4py.cuda.launch.launch_configuration cimport limits
from nd4py.cuda.launch.current_stream cimport bind
from nd4py.cuda.launch.dense_launch cimport LaunchKernel, native_launch

from .chain_plans import plan_chain, plan_row
from ..driver.driver import DeviceOutOfMemory
from ..driver.driver_choice import at_change, driver

cdef enum:
    MAX_PREPARED = 2048
    PACKET_BYTES = 16                    # bytes
    ROOM = 256                           # words for the largest struct of map.cu and chain.cu, which begin with
    OF_ROW = 8                           # addresses, so many words of them,
    OF_CHAIN = 16                        # and scalars
    END_OF_ROW = 24                      # where those of a row end: two words for each operand that comes by value

cdef dict prepared = {}                  # Prepared, by kernel and layout


cdef class Prepared:
    """A kernel and its launch for one layout: `arguments` lack the addresses and the scalars."""

    cdef size_t function
    cdef unsigned grid[3]
    cdef unsigned block[3]
    cdef unsigned shared_bytes
    cdef bytes arguments
    cdef str name


cdef Prepared prepared_from(str name, size_t function, launch):
    """A planned launch with its function."""
    cdef Prepared made = Prepared.__new__(Prepared)
    grid, block = launch.within(limits.n_blocks, limits.n_threads)
    for k in range(3):
        made.grid[k], made.block[k] = grid[k], block[k]
    made.name, made.function = name, function
    made.shared_bytes, made.arguments = launch.shared_bytes, launch.arguments[0]
    if len(prepared) >= MAX_PREPARED:
        prepared.clear()
    return made


def named(error: DeviceOutOfMemory, origin: str) -> DeviceOutOfMemory:
    """An error of memory with the operation that wanted it, and where it was called."""
    return DeviceOutOfMemory(f"{error}; the operation was {origin}")


cdef DeviceArray new_output(Chain chain, int number):
    """An uninitialised array of a chain's shape."""
    return new_device_array(number, intern_contiguous(itemsizes[number], chain.ndim, chain.shape), chain.home.device)


cdef size_t alignments(list arrays) except? 0:
    """How far each address is behind a packet's border."""
    cdef size_t bits = 0
    cdef int k = 0
    for item in arrays:
        if type(item) is DeviceArray:
            bits |= (<DeviceArray>item).data_address % PACKET_BYTES << 4 * k
        k += 1
    return bits


cdef int give(Prepared found, Chain chain, list operands, const char* words, size_t n_words, bint is_row) except -1:
    """Fill the arguments, and give the launch to the chain's stream.  operands: arrays, or elements' bytes"""
    cdef size_t room[ROOM]
    cdef LaunchKernel native = native_launch()
    cdef void* parameter = room
    cdef size_t n_bytes = len(found.arguments)
    cdef int status, k = 0
    memcpy(room, <char*>found.arguments, n_bytes)
    memcpy(&room[OF_ROW if is_row else OF_CHAIN], words, n_words)
    for item in operands:
        if type(item) is DeviceArray:
            room[k] = (<DeviceArray>item).data_address
        else:
            room[k] = 0
            memcpy(&room[END_OF_ROW - 2 * (k + 1)], <char*>item, len(<bytes>item))
        k += 1
    bind(chain.home.device)
    if native == NULL:
        grid = (found.grid[0], found.grid[1], found.grid[2])
        block = (found.block[0], found.block[1], found.block[2])
        driver().launch(found.function, grid, block, found.shared_bytes, chain.home.holder,
                        ((<char*>room)[:n_bytes],))
    else:
        status = native(<void*>found.function, found.grid[0], found.grid[1], found.grid[2], found.block[0],
                        found.block[1], found.block[2], found.shared_bytes, <void*>chain.home.holder, &parameter, NULL)
        if status:
            driver().raise_status(status, found.name)
    for item in operands:
        if type(item) is DeviceArray:
            use_on(<DeviceArray>item, chain.home.holder)
    return 0


# One kernel.


def launched(Assembly work) -> list[DeviceArray]:
    """What a chain writes, by its kernel on its stream, which is this thread's.

    Raises DeviceOutOfMemory naming the operation, and the driver's errors.
    """
    cdef Chain chain = work.chain
    cdef Prepared found
    cdef list outputs = []
    for i, number in enumerate(work.output_numbers):
        try:
            outputs.append(new_output(chain, number))
        except DeviceOutOfMemory as error:
            raise named(error, work.origin_of_output(i)) from None
    cdef list arrays = [*work.leaves, *outputs]
    key = (work.key, chain.home.device, limits.n_blocks, limits.n_threads, alignments(arrays),
           *[(<DeviceArray>item).info for item in arrays])
    found = prepared.get(key)
    if found is None:
        function, planned = plan_chain(work, outputs)
        found = prepared[key] = prepared_from(f"a chain of {work.n_links} operations", function, planned)
    give(found, chain, arrays, <char*>work.words, len(work.words), False)
    return outputs


# Step by step.


def stepped(Assembly work) -> list[DeviceArray]:
    """What a chain writes, its steps one by one, as if nothing had been deferred.  Raises as `launched`."""
    cdef Chain chain = work.chain
    cdef Link* link
    cdef int i, k
    values, last = [None] * chain.n_values, [-1] * chain.n_values
    for i, item in work.given().items():
        values[i] = item
    for i in range(chain.n_links):
        if work.is_needed[i]:
            for k in range(chain.links[i].n_in):
                last[chain.links[i].operands[k]] = i
    for value in work.values:
        last[value] = chain.n_links
    for i in range(chain.n_links):
        if not work.is_needed[i]:
            continue
        link = &chain.links[i]
        inputs, outputs = [], []
        for k in range(link.n_in):
            inputs.append(values[link.operands[k]])
        for k in range(link.n_out):
            outputs.append(output_of(chain, link))
            values[link.result + k] = outputs[k]
        launch_link(chain, link, inputs, outputs)
        for k in range(link.n_in):
            if last[link.operands[k]] == i:
                values[link.operands[k]] = None
    return [values[value] for value in work.values]


cdef DeviceArray output_of(Chain chain, Link* link):
    """An uninitialised array for a result of a link.  Raises DeviceOutOfMemory naming it."""
    try:
        return new_output(chain, chain.values[link.result].number)
    except DeviceOutOfMemory as error:
        raise named(error, origin_of(link)) from None


cdef int launch_link(Chain chain, Link* link, list inputs, list outputs) except -1:
    """The kernel of one row or conversion; inputs: arrays, or elements' bytes."""
    cdef list operands = [*inputs, *outputs]
    cdef Prepared found
    key = (link.op, computed_number(chain, link), (<DeviceArray>outputs[0]).number, chain.home.device, limits.n_blocks,
           limits.n_threads, alignments(operands),
           *[(<DeviceArray>x).info if type(x) is DeviceArray else None for x in operands])
    found = prepared.get(key)
    if found is None:
        op = None if link.op == CONVERSION else link.op
        name, function, planned = plan_row(op, computed_number(chain, link), inputs, link.n_params, outputs)
        found = prepared[key] = prepared_from(name, function, planned)
    give(found, chain, operands, <char*>&chain.params[link.first_param], link.n_params * sizeof(double), True)
    return 0


at_change.append(prepared.clear)
